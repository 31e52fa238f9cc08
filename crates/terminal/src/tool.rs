//! Programs of one command, such as `rank-crawl`, which `rank crawl` runs.

use crate::options::{Global, write_stdout};
use crate::program;
use crate::rerun::{Input, Repeated, inputs, rerun};
use crate::{examples, path_conflicts, plan, usage};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use webrank_base::error::Result;
use webrank_scores::command::set as set_command;
use webrank_scores::manifest::Manifest;

/// A command that is a program of its own.
pub trait Tool: Args + 'static {
    /// Its name, after `rank`.
    const NAME: &'static str;

    /// Why there is no plan of it, if there is none.
    const WITHOUT_PLAN: Option<&'static str> = None;

    /// The arguments that name the files from which it makes its table, if it reads no graph: a run is
    /// repeated only if its manifest has their checksums.
    const INPUTS: &'static [Input] = &[];

    /// Files that these arguments read beside: an argument may name what is read or what is written.
    fn also_reads(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Whatever prevents it.
    fn run(&self, global: &Global) -> Result<()>;
}

/// The first argument of a tool that repeats a run: the path of a manifest follows.
pub const RERUN: &str = "--rerun-manifest";

/// The only argument of a tool that prints its manual page.
pub const MANUAL: &str = "--print-manual";

/// The definition of a command line that begins with `rank`, with options of all commands.
pub fn root() -> Command {
    let root = Command::new("rank")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .disable_help_flag(true)
        .disable_help_subcommand(true);
    Global::augment_args(root)
}

fn command<T: Tool>() -> Command {
    let command = Command::new(T::NAME).version(env!("CARGO_PKG_VERSION"));
    let command = T::augment_args(command).after_help(examples::shown(T::NAME).unwrap_or_default());
    root().subcommand_required(true).subcommand(command)
}

/// Runs the program of a tool.
pub fn run_tool<T: Tool>() -> ExitCode {
    program::exit(run::<T>, command::<T>)
}

fn run<T: Tool>() -> Result<Option<u8>> {
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &given[..] {
        [word] if word == MANUAL => return manual::<T>().map(|()| None),
        [word, path, rest @ ..] if word == RERUN => {
            return repeat::<T>(Path::new(path), rest);
        }
        _ => {}
    }
    let words = ["rank", T::NAME].map(OsString::from);
    let words: Vec<_> = words.into_iter().chain(given).collect();
    set_command(words.iter().map(|word| word.to_string_lossy().into_owned()));
    let (tool, mut global, arguments) = match parsed::<T>(&words) {
        Ok(parsed) => parsed,
        Err(problem) => return Ok(program::explain_usage(&problem)),
    };
    path_conflicts::check(T::NAME, &arguments)?;
    plan::check::<T>(&global)?;
    global.json = usage::asks_for_json(&arguments);
    global.start()?;
    program::ended(tool.run(&global), global.plan)
}

fn parsed<T: Tool>(words: &[impl AsRef<OsStr>]) -> Result<(T, Global, ArgMatches), clap::Error> {
    let words = words.iter().map(|word| word.as_ref());
    let mut matches = command::<T>().try_get_matches_from(words)?;
    let global = Global::from_arg_matches(&matches)?;
    let (_, arguments) = matches.remove_subcommand().expect("one is required");
    Ok((T::from_arg_matches(&arguments)?, global, arguments))
}

/// Repeats the run of a manifest with these options of all commands.
fn repeat<T: Tool>(path: &Path, options: &[OsString]) -> Result<Option<u8>> {
    let (json, options) = match options {
        [first, rest @ ..] if first == "--json" => (true, rest),
        options => (false, options),
    };
    let words = [OsStr::new("rank")]
        .into_iter()
        .chain(options.iter().map(AsRef::as_ref));
    let matches = match root().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(problem) => return Ok(program::explain_usage(&problem)),
    };
    let mut global = Global::from_arg_matches(&matches).expect("they are options of all commands");
    global.json = json;
    global.start()?;
    let read = |manifest: &Manifest, _: &Path| {
        let (tool, own, arguments) = parsed::<T>(&manifest.command)
            .map_err(|_| "this version has no such command".to_owned())?;
        Ok(Repeated {
            global: own,
            inputs: [inputs(&arguments, T::INPUTS), tool.also_reads()].concat(),
            graph: Repeated::graph_of(T::NAME, &arguments, T::INPUTS.is_empty())?,
            run: Box::new(move |global: &Global| tool.run(global)),
        })
    };
    program::ended(rerun(path, &global, json, read), global.plan)
}

/// Prints the manual page.
fn manual<T: Tool>() -> Result<()> {
    let mut command = command::<T>();
    command.build();
    let command = command.find_subcommand(T::NAME).expect("it has been added");
    write_stdout(|out| clap_mangen::Man::new(command.clone()).render(out))
}

/// The reason why commands that read pages have no plan.
pub const GROWS: &str = "what the command takes shows only as pages come in; --memory bounds it";

#[cfg(test)]
mod tests {
    use super::root;
    use crate::options::Global;
    use clap::{ArgAction, FromArgMatches};
    use std::ffi::OsString;

    #[test]
    fn every_option_of_all_commands_is_given_on() {
        let parsed = |words: &[String]| {
            let words = ["rank"].into_iter().chain(words.iter().map(String::as_str));
            let matches = root().get_matches_from(words);
            Global::from_arg_matches(&matches).unwrap()
        };
        assert!(parsed(&[]).words().is_empty());
        let mut count = 0;
        for option in root().get_arguments() {
            let name = option.get_long().unwrap();
            let words = match option.get_action() {
                ArgAction::Help | ArgAction::Version => continue,
                ArgAction::SetTrue => vec![format!("--{name}")],
                ArgAction::Count => vec![format!("--{name}"), format!("--{name}")],
                _ => vec![format!("--{name}=7")],
            };
            let given: Vec<_> = words.iter().map(OsString::from).collect();
            assert_eq!(parsed(&words).words(), given);
            count += 1;
        }
        assert!(count >= 5);
    }
}
