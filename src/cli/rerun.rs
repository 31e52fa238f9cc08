//! `rank rerun`.

use super::python_replay::command_of;
use super::words::place_of_name;
use super::{Cli, tools};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_scores::manifest::{Manifest, path_beside};
use webrank_tables::text::missing::open_file;
use webrank_terminal::options::Global;
use webrank_terminal::rerun::{Input, Repeated, inputs, rerun};

/// Repeat a run from its manifest, and say whether the bits are the same
///
/// MANIFEST is FILE.json, which 'rank ... -o FILE' wrote beside the table FILE. The command in it
/// runs again in the folder where it ran, on the graph with the same fingerprint and on the same
/// weights, vectors, seeds and names; what has other checksums is refused. Nothing is written: the
/// checksum of the table that the run would write is compared with the one in the manifest, and with
/// FILE. Rows are kept in the form that the run chose, or the run is refused.
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
    /// The manifest of a table, such as scores.csv.json, or the table beside it
    manifest: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let beside = path_beside(&args.manifest);
    let path = match beside.is_file() {
        true => &beside,
        false => &args.manifest,
    };
    if !path.exists() {
        open_file(path)?;
    }
    let manifest = Manifest::read(path)?;
    match name_of(&manifest.command) {
        Some(name) if tools::of(name).is_some() => {
            match tools::rerun(name, path, args.json, global.words())? {
                0 => Ok(()),
                code => std::process::exit(code.into()),
            }
        }
        Some(name @ ("commoncrawl" | "wikipedia")) => {
            let why = format!(
                "'rank {name}' makes several files, not this table alone: run it again elsewhere and \
                 compare them"
            );
            Err(Error::file(path, format!("cannot be repeated: {why}")))
        }
        _ => rerun(path, global, args.json, repeated),
    }
}

/// The name of the command, behind options of all commands.
fn name_of(command: &[String]) -> Option<&str> {
    let place = place_of_name(command).ok()??;
    command.get(place).map(String::as_str)
}

const UNKNOWN: &str = "this version has no such command";

fn repeated(manifest: &Manifest, table: &Path) -> Result<Repeated, String> {
    let mut words = command_of(manifest, table)?;
    let matches = matched(&words)?;
    let place = place_of_name(&words).ok().flatten();
    if let (Some(form), Some(place)) = (form_of(manifest, &matches), place) {
        words.insert(place + 1, format!("--form={form}"));
    }
    let matches = matched(&words)?;
    let (name, arguments) = matches.subcommand().ok_or("it has no command")?;
    let is_join = name == "join";
    let files: &[Input] = if is_join { &[("files", None)] } else { &[] };
    let inputs = inputs(arguments, files);
    let graph = Repeated::graph_of(name, arguments, !is_join)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|_| UNKNOWN)?;
    Ok(Repeated {
        global: cli.global,
        inputs,
        graph,
        run: Box::new(move |global: &Global| cli.command.run(global)),
    })
}

fn matched(words: &[String]) -> Result<ArgMatches, String> {
    let matches = Cli::command().try_get_matches_from(words);
    matches.map_err(|_| UNKNOWN.into())
}

/// The form of rows that the run took, where it was chosen for the memory that was free then: other forms may
/// give other bits.
fn form_of<'m>(manifest: &'m Manifest, matches: &ArgMatches) -> Option<&'m str> {
    let form = manifest.form.as_ref()?.get("name")?.as_str()?;
    let (name, arguments) = matches.subcommand()?;
    let command = Cli::command();
    let mut options = command.find_subcommand(name)?.get_arguments();
    let option = options.find(|option| option.get_long() == Some("form"))?;
    let is_open = arguments.value_source("form") == Some(ValueSource::DefaultValue);
    let forms = option.get_possible_values();
    (is_open && forms.iter().any(|value| value.get_name() == form)).then_some(form)
}
