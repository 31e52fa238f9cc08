//! Commands that are programs of their own: `rank crawl` runs `rank-crawl`, which lies beside `rank` or
//! in a folder of PATH.

use super::Cli;
use super::words::place_of_name;
use clap::CommandFactory;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
#[cfg(unix)]
use std::os::unix::{fs::PermissionsExt, process::CommandExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use webrank_base::error::{Error, Result};
use webrank_terminal::tool::{MANUAL, RERUN};

/// The tools of this project: name, crate, and what they do.
pub const TOOLS: [(&str, &str, &str); 7] = [
    (
        "crawl",
        "webrank-crawl",
        "Crawl small parts of the web politely, into WARC files for 'rank ingest'",
    ),
    (
        "ingest",
        "webrank-crawl",
        "Make a graph of a crawl: of WARC, WAT and ARC files, or of folders of HTML",
    ),
    (
        "duplicates",
        "webrank-crawl",
        "Find pages that are nearly the same",
    ),
    (
        "index",
        "webrank-retrieval",
        "Make an index of the text of pages, for 'rank search' and 'rank evaluate'",
    ),
    (
        "search",
        "webrank-retrieval",
        "Find pages by BM25 over titles, texts, links and URLs, and a score of any table",
    ),
    (
        "evaluate",
        "webrank-retrieval",
        "Measure whether a ranking helps to find pages, by queries with and without it",
    ),
    (
        "codes",
        "webrank-codelab",
        "Which codes would make a graph smaller?",
    ),
];

/// The entry of a tool of this project.
pub fn of(name: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    TOOLS.iter().find(|(tool, ..)| *tool == name)
}

/// The tools as subcommands, for completions and pages: their options are in their programs.
pub fn commands() -> impl Iterator<Item = clap::Command> {
    let tools = TOOLS.iter();
    tools.map(|(name, _, about)| clap::Command::new(*name).about(*about))
}

/// The program of a tool, if it is there.
pub fn program(name: &str) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|program| program.parent().map(Path::to_owned));
    let path = std::env::var_os("PATH");
    let folders = path.iter().flat_map(std::env::split_paths);
    find(name, beside.into_iter().chain(folders))
}

/// The program of a tool in one of these folders. Relative ones do not count: a program of the folder in
/// which a user happens to be may be anybody's.
fn find(name: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let file = format!("rank-{name}{EXE_SUFFIX}");
    folders
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&file))
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    let about = file.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// The tool that a command line names, and its own words: options before the name come first. `rank help
/// TOOL` is `rank TOOL --help`.
pub fn named(words: &[OsString]) -> Option<(String, Vec<OsString>)> {
    let place = place_of_name(words).ok()??;
    let (before, name, behind) = (&words[1..place], &words[place], &words[place + 1..]);
    if name == "help" {
        let below = [&words[..place], behind].concat();
        let (name, mut words) = named(&below)?;
        words.push("--help".into());
        return Some((name, words));
    }
    let name = name.to_str().filter(|name| is_tool(name))?;
    Some((name.to_owned(), [before, behind].concat()))
}

/// True for the tools of this project, and for others that are there.
fn is_tool(name: &str) -> bool {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_own = || Cli::command().find_subcommand(name).is_some();
    of(name).is_some() || (is_name && !is_own() && program(name).is_some())
}

/// Runs a tool with these words; returns its exit code.
///
/// # Errors
/// If it is not there, or cannot be started.
pub fn run(name: &str, words: Vec<OsString>) -> Result<u8> {
    let Some(path) = program(name) else {
        let of = of(name).map_or("a crate that has it", |(_, of, _)| of);
        return Err(Error::MissingTool {
            name: name.to_owned(),
            of: of.to_owned(),
        });
    };
    let mut command = Command::new(&path);
    command.args(words);
    become_or_wait(command, path)
}

/// Repeats a run of a tool from the manifest at `path`, and says so, perhaps as JSON; `options` are those
/// of all commands.
///
/// # Errors
/// As for [`run`].
pub fn rerun(name: &str, path: &Path, json: bool, options: Vec<OsString>) -> Result<u8> {
    let words = [RERUN.into(), path.into()];
    let words = words.into_iter().chain(json.then(|| "--json".into()));
    run(name, words.chain(options).collect())
}

/// The manual page of a tool, if it is there.
///
/// # Errors
/// If its program does not print it.
pub fn manual(name: &str) -> Result<Option<Vec<u8>>> {
    let Some(path) = program(name) else {
        return Ok(None);
    };
    let printed = Command::new(&path).arg(MANUAL).output();
    let printed = printed.map_err(|source| Error::io(&path, "cannot run", source))?;
    match printed.status.success() {
        true => Ok(Some(printed.stdout)),
        false => {
            let problem = format!("prints no manual page ({})", printed.status);
            Err(Error::file(path, problem))
        }
    }
}

/// Signals and the exit code are those of the tool.
#[cfg(unix)]
fn become_or_wait(mut command: Command, path: PathBuf) -> Result<u8> {
    let problem = command.exec();
    Err(Error::io(path, "cannot run", problem))
}

/// The exit code is that of the tool.
#[cfg(not(unix))]
fn become_or_wait(mut command: Command, path: PathBuf) -> Result<u8> {
    let status = command.status();
    let status = status.map_err(|source| Error::io(path, "cannot run", source))?;
    Ok(status
        .code()
        .and_then(|code| code.try_into().ok())
        .unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::{find, named};
    use std::path::PathBuf;

    #[test]
    fn only_the_first_word_names_a_tool() {
        for (given, expected) in [
            ("rank codes g.bv", Some("codes g.bv")),
            (
                "rank -q --memory 1G codes -v g.bv",
                Some("codes -q --memory 1G -v g.bv"),
            ),
            ("rank codes codes", Some("codes codes")),
            ("rank codes -- help", Some("codes -- help")),
            ("rank help codes", Some("codes --help")),
            ("rank -q help codes", Some("codes -q --help")),
            (
                "rank --memory 1G help codes",
                Some("codes --memory 1G --help"),
            ),
            ("rank help help codes", Some("codes --help --help")),
            ("rank help pagerank", None),
            ("rank pagerank codes", None),
            ("rank --memory codes", None),
            ("rank serach", None),
        ] {
            let words: Vec<_> = given.split(' ').map(Into::into).collect();
            let found = named(&words).map(|(name, words)| {
                let words = words.into_iter().map(|word| word.into_string().unwrap());
                let words: Vec<String> = [name].into_iter().chain(words).collect();
                words.join(" ")
            });
            assert_eq!(found.as_deref(), expected, "{given}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn only_programs_in_absolute_folders_are_tools() {
        use std::fs::{Permissions, create_dir, set_permissions, write};
        #[cfg(unix)]
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, mode) in [("text", 0o644), ("program", 0o755)] {
            create_dir(at(name)).unwrap();
            let file = at(name).join("rank-x");
            write(&file, "").unwrap();
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        }
        create_dir(at("folder")).unwrap();
        create_dir(at("folder/rank-x")).unwrap();
        let found = |folders: &[PathBuf]| find("x", folders.iter().cloned());
        let expected = at("program").join("rank-x");
        let all = [at("nowhere"), at("folder"), at("text"), at("program")];
        assert_eq!(found(&all), Some(expected));
        assert_eq!(found(&all[..3]), None);
        // From the folder of the test, this is the same program.
        let here = std::env::current_dir().unwrap();
        let up: PathBuf = here.iter().skip(1).map(|_| "..").collect();
        let below_root = at("program");
        let relative = up.join(below_root.strip_prefix("/").unwrap());
        assert!(relative.join("rank-x").is_file());
        assert_eq!(found(&[relative, PathBuf::new()]), None);
    }
}
