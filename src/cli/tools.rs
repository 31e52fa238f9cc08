//! Commands that are programs of their own: `rank crawl` runs `rank-crawl`, which lies beside `rank` or
//! in a folder of PATH.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::fmt::Write;
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
        "Make a graph of a crawl: of WARC and WAT files, or of folders of HTML",
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

/// The program of a tool, if it is there.
pub fn program(name: &str) -> Option<PathBuf> {
    let file = format!("rank-{name}{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|program| program.parent().map(Path::to_owned));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(std::env::split_paths(&path));
    folders
        .map(|folder| folder.join(&file))
        .find(|file| file.is_file())
}

/// What the end of the help says.
pub fn list() -> String {
    let mut text = String::from("Programs of their own, run in the same way:\n");
    for (name, of, about) in TOOLS {
        let _ = match program(name) {
            Some(_) => writeln!(text, "  {name:<14}{about}"),
            None => writeln!(text, "  {name:<14}{about} [to get it: cargo install {of}]"),
        };
    }
    text.truncate(text.trim_end().len());
    text
}

/// The tool that a command line names, if that is what is wrong with it.
pub fn named(problem: &clap::Error) -> Option<String> {
    if problem.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    match problem.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if is_tool(name) => Some(name.clone()),
        _ => None,
    }
}

/// True for the tools of this project, and for others that are there.
pub fn is_tool(name: &str) -> bool {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    TOOLS.iter().any(|(tool, ..)| *tool == name) || (is_name && program(name).is_some())
}

/// Runs `rank help TOOL`; none if the words are not that.
///
/// # Errors
/// Those of [`run`].
pub fn help(words: &[OsString]) -> Result<Option<u8>> {
    match words {
        [rank, help, tool] if help == "help" && tool.to_str().is_some_and(is_tool) => {
            let name = tool.to_string_lossy().into_owned();
            run(name, &[rank.clone(), tool.clone(), "--help".into()]).map(Some)
        }
        _ => Ok(None),
    }
}

/// Runs a tool with these words, of which the first is that of this program; returns its exit code.
///
/// # Errors
/// If it is not there, or cannot be started.
pub fn run(name: String, words: &[OsString]) -> Result<u8> {
    let place = words.iter().position(|word| *word == *name);
    let rest = words.iter().enumerate().skip(1);
    let rest = rest.filter(|(index, _)| Some(*index) != place);
    start(&name, rest.map(|(_, word)| word.clone()).collect())
}

/// Repeats a run of a tool from the manifest at `path`; `options` are those of all commands.
///
/// # Errors
/// Those of [`run`].
pub fn rerun(name: &str, path: &Path, options: Vec<OsString>) -> Result<u8> {
    let words = [RERUN.into(), path.into()];
    start(name, words.into_iter().chain(options).collect())
}

/// The manual page of a tool, if it is there.
pub fn manual(name: &str) -> Option<Vec<u8>> {
    let printed = Command::new(program(name)?).arg(MANUAL).output().ok()?;
    printed.status.success().then_some(printed.stdout)
}

fn start(name: &str, words: Vec<OsString>) -> Result<u8> {
    let Some(path) = program(name) else {
        let of = TOOLS.iter().find(|(tool, ..)| *tool == name);
        let of = of.map_or("a crate that has it", |(_, of, _)| of);
        return Err(Error::MissingTool {
            name: name.to_owned(),
            of: of.to_owned(),
        });
    };
    let mut command = Command::new(&path);
    command.args(words);
    become_or_wait(command, path)
}

/// Signals and the exit code are those of the tool.
#[cfg(unix)]
fn become_or_wait(mut command: Command, path: PathBuf) -> Result<u8> {
    #[cfg(unix)]
    use std::os::unix::process::CommandExt;
    Err(Error::io(path, "cannot run", command.exec()))
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
