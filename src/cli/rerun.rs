//! `rank rerun`.

use super::Cli;
use super::called::command_of;
use super::outputs::writes_table;
use super::shared::options::{Global, write_stdout};
use super::shared::reading::ReadingArgs;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::bundle::Entry;
use webrank::internals::graph::import;
use webrank::internals::graph::text::shown::quoted;
use webrank::internals::progress::Silent;
#[cfg(feature = "search")]
use webrank::internals::retrieval::collection::ABOUT;
use webrank::internals::scores::manifest::{GraphRecord, Manifest};
use webrank::internals::scores::parts::{MANIFEST, entry_of};
use webrank::internals::visible::visible;

/// Repeat a run from its manifest, and say whether the bits are the same
///
/// MANIFEST is FILE.json, which 'rank ... -o FILE' wrote beside the table FILE. The command in it
/// runs again in the folder where it ran, on the graph with the same fingerprint and on the same
/// weights, vectors, seeds and names; what has other checksums is refused. Nothing is written: the
/// checksum of the table that the run would write is compared with the one in the manifest, and with
/// FILE.
///
/// Tables of 'rank join', 'rank search' and 'rank evaluate' are made again, if the tables, lists and index
/// that they were made of have the same checksums.
///
/// A call from Python whose arguments are numbers, words and files runs again as the command with
/// these options.
///
/// Exit codes: 0 if the bits are the same, 1 if they differ or the run cannot be repeated.
#[derive(clap::Args)]
pub struct Args {
    /// The manifest of a table, such as scores.csv.json
    manifest: PathBuf,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let path = &args.manifest;
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
    let mut repeated = command(path, &manifest, &table)?;
    enter_folder_of_run(path, &table, &manifest)?;
    check_graph(path, &manifest, &repeated)?;
    check_inputs(path, &manifest)?;
    let digest = Arc::new(OnceLock::new());
    repeated.cli.global.quiet = global.quiet;
    repeated.cli.global.plan = global.plan;
    repeated.cli.global.repeats = Some(digest.clone());
    repeated.cli.command.run(&repeated.cli.global)?;
    let found = digest.get().cloned();
    let found = found.ok_or_else(|| cannot(path, "its command writes no table"))?;
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
    write_stdout(|out| {
        let table = table.to_string_lossy();
        let (bytes, checksum) = (found.bytes, found.xxh3_128);
        writeln!(
            out,
            "{}: the same bits again, {bytes} bytes with xxh3-128 {checksum}",
            visible(&table)
        )
    })
}

/// The table that a manifest is about.
fn table_of(manifest: &Path) -> Result<PathBuf> {
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

/// A command that can be repeated, and its graph.
struct Repeated {
    cli: Cli,
    /// Its graph, unless it reads nothing but files that its manifest lists.
    graph: Option<(PathBuf, ReadingArgs)>,
}

fn command(path: &Path, manifest: &Manifest, table: &Path) -> Result<Repeated> {
    if manifest
        .command
        .iter()
        .any(|word| word.contains('\u{fffd}'))
    {
        return Err(cannot(path, "its command has arguments that are not UTF-8"));
    }
    let words = command_of(manifest, table).map_err(|why| cannot(path, &why))?;
    let matches = Cli::command().try_get_matches_from(words);
    let matches = matches.map_err(|_| cannot(path, "this version has no such command"))?;
    let graph = match matches.subcommand() {
        Some(("join", arguments)) => {
            check_listed(path, manifest, &paths(arguments, &["files"]))?;
            None
        }
        #[cfg(feature = "search")]
        Some(("search" | "evaluate", arguments)) => {
            let about = paths(arguments, &["index"]);
            let about = about.into_iter().map(|index| index.join(ABOUT));
            let others = paths(arguments, &["table", "tables", "queries", "judgements"]);
            check_listed(path, manifest, &about.chain(others).collect::<Vec<_>>())?;
            None
        }
        Some(("commoncrawl", _)) => {
            let why = "'rank commoncrawl' makes a folder of files, not this table alone: run it with \
                       another folder and compare them";
            return Err(Error::file(path, format!("cannot be repeated: {why}")));
        }
        Some((name, arguments)) => {
            // Nothing but what writes tables about a graph is run from a file.
            let graph = arguments.try_get_one::<PathBuf>("graph").ok().flatten();
            let graph = graph.filter(|_| writes_table(name, arguments)).cloned();
            let reading = ReadingArgs::of(arguments).unwrap_or_default();
            let graph = graph.ok_or_else(|| cannot(path, "its command writes no table"))?;
            Some((graph, reading))
        }
        None => return Err(cannot(path, "it has no command")),
    };
    let cli = Cli::from_arg_matches(&matches);
    let cli = cli.map_err(|_| cannot(path, "this version has no such command"))?;
    Ok(Repeated { cli, graph })
}

/// The paths that these arguments name.
fn paths(arguments: &ArgMatches, names: &[&str]) -> Vec<PathBuf> {
    let of = |name: &&str| arguments.try_get_many::<PathBuf>(name).ok().flatten();
    names.iter().filter_map(of).flatten().cloned().collect()
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

fn check_graph(path: &Path, manifest: &Manifest, repeated: &Repeated) -> Result<()> {
    let Some((graph, reading)) = &repeated.graph else {
        return Ok(());
    };
    if manifest.graph == GraphRecord::default()
        && manifest.inputs.contains_key(&*graph.to_string_lossy())
    {
        // No graph, but a list, which is compared with the other files.
        return Ok(());
    }
    let (opened, _) = import::open(graph, &reading.options(), &Silent)?;
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

/// Other files must be those that the run read, too. What it read from standard input is gone.
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
pub fn changed_input(file: &Path, about: &Path, found: &Entry, expected: &Entry) -> Error {
    let problem = format!(
        "is not what the run of {} read: its xxh3-128 is {}, that of the run was {}; put the file of \
         the run there",
        about.display(),
        found.xxh3_128,
        expected.xxh3_128
    );
    Error::file(file, problem)
}

fn cannot(path: &Path, why: &str) -> Error {
    let problem = format!("cannot be repeated: {why}; run 'rank' again with -o");
    Error::file(path, problem)
}
