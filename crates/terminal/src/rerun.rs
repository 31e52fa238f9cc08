//! Repeating a run from its manifest.

use crate::input_format::InputFormatArgs;
use crate::options::{Global, write_json, write_stdout};
use crate::path_conflicts::writes_table;
use clap::ArgMatches;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Silent;
use webrank_base::shown::quoted;
use webrank_base::visible::visible;
use webrank_formats::import;
use webrank_graph::bundle::FileEntry;
use webrank_scores::manifest::{GraphRecord, Manifest};
use webrank_scores::parts::{MANIFEST, entry_of};

/// A command that can be repeated.
pub struct Repeated {
    /// Its options of all commands.
    pub global: Global,
    /// Files that it reads, whose checksums the manifest must have.
    pub inputs: Vec<PathBuf>,
    /// Its graph, unless it reads nothing but files that its manifest lists.
    pub graph: Option<(PathBuf, InputFormatArgs)>,
    /// Runs it.
    pub run: RunCommand,
}

/// An argument that names files that are read; and if it names folders, the file in each whose checksum
/// stands for the folder.
pub type Input = (&'static str, Option<&'static str>);

/// Runs a command with options of all commands.
pub type RunCommand = Box<dyn FnOnce(&Global) -> Result<()>>;

const NO_TABLE: &str = "its command writes no table to a file";

impl Repeated {
    /// The graph of a command with these arguments, if it `reads` one.
    ///
    /// # Errors
    /// Why there is none: nothing but what writes tables about a graph is run from a file.
    pub fn graph_of(
        name: &str,
        arguments: &ArgMatches,
        reads: bool,
    ) -> Result<Option<(PathBuf, InputFormatArgs)>, String> {
        let path = |name: &str| arguments.try_get_one::<PathBuf>(name).ok().flatten();
        // Anything else would go to the standard output.
        let is_to_file = path("output").is_some_and(|path| path.as_os_str() != "-");
        let reading = InputFormatArgs::of(arguments).unwrap_or_default();
        match path("graph") {
            _ if !is_to_file || !writes_table(name, arguments) => Err(NO_TABLE.into()),
            _ if !reads => Ok(None),
            Some(graph) => Ok(Some((graph.clone(), reading))),
            None => Err(NO_TABLE.into()),
        }
    }
}

/// Repeats the run of the manifest at `path`, and says whether the bits are the same; `read` makes its
/// command of the manifest and the path of its table, or says why that cannot be. The answer may be JSON.
///
/// # Errors
/// If the run cannot be repeated, or fails; if the bits differ.
pub fn rerun(
    path: &Path,
    global: &Global,
    json: bool,
    read: impl FnOnce(&Manifest, &Path) -> Result<Repeated, String>,
) -> Result<()> {
    let manifest = Manifest::read(path)?;
    let table = table_of(path)?;
    let written = manifest.table.clone();
    let written = written.ok_or_else(|| cannot(path, "it has no checksum of its table"))?;
    // Before the working folder changes.
    let is_kept = match entry_of(&table) {
        Ok(found) => Some(found == written),
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => None,
        Err(problem) => return Err(problem),
    };
    if has_other_letters(&manifest) {
        return Err(cannot(path, "its command has arguments that are not UTF-8"));
    }
    let mut repeated = read(&manifest, &table).map_err(|why| cannot(path, &why))?;
    check_listed(path, &manifest, &repeated.inputs)?;
    enter_folder_of_run(path, &table, &manifest)?;
    check_inputs(path, &manifest)?;
    check_graph(path, &manifest, &repeated.graph)?;
    let digest = Arc::new(OnceLock::new());
    repeated.global.quiet = global.quiet;
    (repeated.global.plan, repeated.global.json) = (global.plan, global.json);
    repeated.global.repeats = Some(digest.clone());
    (repeated.run)(&repeated.global)?;
    let found = digest.get().cloned();
    let found = found.ok_or_else(|| cannot(path, NO_TABLE))?;
    if found != written {
        return Err(Error::file(
            table,
            format!(
                "the bits differ: the run wrote {} bytes with xxh3-128 {} ({}), now there are {} \
                 with {} ({})",
                written.bytes,
                written.xxh3_128,
                manifest.version,
                found.bytes,
                found.xxh3_128,
                Manifest::VERSION
            ),
        ));
    }
    if is_kept == Some(false) {
        let problem = "the run gives the bits that it gave, but the table has been changed since";
        return Err(Error::file(table, problem));
    }
    let (bytes, checksum) = (found.bytes, found.xxh3_128);
    if json {
        return write_json(&json!({ "table": table, "bytes": bytes, "xxh3_128": checksum }));
    }
    write_stdout(|out| {
        let table = table.to_string_lossy();
        writeln!(
            out,
            "{}: the same bits again, {bytes} bytes with xxh3-128 {checksum}",
            visible(&table)
        )
    })
}

fn has_other_letters(manifest: &Manifest) -> bool {
    let mut words = manifest.command.iter();
    words.any(|word| word.contains('\u{fffd}'))
}

/// The table that a manifest is about.
pub fn table_of(manifest: &Path) -> Result<PathBuf> {
    if manifest.file_name().is_some_and(|name| name == MANIFEST) {
        return Ok(manifest.parent().unwrap_or(Path::new(".")).to_owned());
    }
    if manifest
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        return Ok(manifest.with_extension(""));
    }
    let problem = "is no manifest of a table; name FILE.json, which lies beside FILE, or _manifest.json in \
                   a folder";
    Err(Error::file(manifest, problem))
}

/// The files that these arguments name, whose checksums stand for what is read.
pub fn inputs(arguments: &ArgMatches, names: &[Input]) -> Vec<PathBuf> {
    let of = |(name, file): &Input| {
        let paths = arguments.try_get_many::<PathBuf>(name).ok().flatten();
        let paths = paths.into_iter().flatten();
        let paths = paths.map(|path| match file {
            Some(file) => path.join(file),
            None => path.clone(),
        });
        paths.collect::<Vec<_>>()
    };
    names.iter().flat_map(of).collect()
}

/// Files that are read must be among the inputs of the manifest, whose checksums are compared.
fn check_listed(path: &Path, manifest: &Manifest, files: &[PathBuf]) -> Result<()> {
    let is_listed = |file: &&PathBuf| manifest.inputs.contains_key(&*file.to_string_lossy());
    match files.iter().find(|file| !is_listed(file)) {
        None => Ok(()),
        Some(file) => {
            let file = quoted(&file.to_string_lossy());
            Err(cannot(path, &format!("it has no checksum of {file}")))
        }
    }
}

/// Paths in the command are relative to the folder that it ran in.
fn enter_folder_of_run(path: &Path, table: &Path, manifest: &Manifest) -> Result<()> {
    if manifest.folder.is_empty() {
        return Err(cannot(path, "it does not name the folder of its run"));
    }
    let folder = table
        .parent()
        .unwrap_or(Path::new(""))
        .join(&manifest.folder);
    std::env::set_current_dir(&folder)
        .map_err(|source| Error::io(folder, "cannot enter the folder of the run", source))
}

fn check_graph(
    path: &Path,
    manifest: &Manifest,
    graph: &Option<(PathBuf, InputFormatArgs)>,
) -> Result<()> {
    let Some((graph, reading)) = graph else {
        return Ok(());
    };
    if manifest.graph == GraphRecord::default()
        && manifest.inputs.contains_key(&*graph.to_string_lossy())
    {
        // No graph, but a list, which is compared with the other files.
        return Ok(());
    }
    let opened = import::open(graph, &reading.options(), &Silent);
    let (opened, _) = opened.map_err(|problem| unread(graph, path, problem))?;
    let (found, expected) = (opened.fingerprint()?, &manifest.graph.fingerprint);
    if found == *expected {
        return Ok(());
    }
    let problem = format!(
        "is not the graph of {}: its fingerprint is {found}, that of the run was {expected}; put the \
         graph of the run there",
        path.display()
    );
    Err(Error::file(graph, problem))
}

/// The error of a graph that cannot be read. A manifest may name any file: what is in it is not said.
fn unread(graph: &Path, manifest: &Path, problem: Error) -> Error {
    match problem {
        Error::File { .. } | Error::Line { .. } | Error::Rows { .. } => {
            let problem = format!(
                "is not the graph of {}: it cannot be read as a graph; 'rank info' says why",
                manifest.display()
            );
            Error::file(graph, problem)
        }
        other => other,
    }
}

/// Other files must be those that the run read, too. Its standard input is gone.
fn check_inputs(path: &Path, manifest: &Manifest) -> Result<()> {
    let files = manifest.inputs.iter().filter(|(file, _)| *file != "-");
    for (file, expected) in files {
        let found = entry_of(file.as_ref())?;
        if found != *expected {
            return Err(changed_input(file.as_ref(), path, &found, expected));
        }
    }
    Ok(())
}

/// The error of a file that is not the one that the run read; `about` is its table or manifest.
pub fn changed_input(file: &Path, about: &Path, found: &FileEntry, expected: &FileEntry) -> Error {
    let problem = format!(
        "is not what the run of {} read: its xxh3-128 is {}, that of the run was {}; put the file of \
         the run there",
        about.display(),
        found.xxh3_128,
        expected.xxh3_128
    );
    Error::file(file, problem)
}

/// The error of a run that cannot be repeated.
pub fn cannot(path: &Path, why: &str) -> Error {
    let problem = format!("cannot be repeated: {why}; run 'rank' again with -o");
    Error::file(path, problem)
}
