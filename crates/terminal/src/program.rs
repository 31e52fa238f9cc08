//! From the words of a command line to an exit code.

use crate::options::STDOUT;
use crate::say::say;
use crate::typed::{is_exact_alone, typed, without_plan};
use crate::{signals, usage};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use webrank_base::checkpoint::KEPT;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{check_limits, peak_memory};
use webrank_base::visible::visible;

/// Runs a command line; `of` gives the definition of the whole command, in which messages look for
/// options. Returns the exit code: 0 done, 1 error, 2 wrong usage, 3 not converged,
/// 4 not decided.
pub fn exit(
    run: impl FnOnce() -> Result<Option<u8>>,
    of: impl FnOnce() -> clap::Command,
) -> ExitCode {
    // Threads and the options take room before a command looks at its limits.
    if let Err(problem) = check_limits(0) {
        say(&format!("rank: {problem}\n"));
        return ExitCode::FAILURE;
    }
    signals::watch();
    match run() {
        Ok(code) => ExitCode::from(code.unwrap_or(0)),
        Err(problem) if is_closed_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            let message = message(&problem, &of(), std::env::args_os());
            say(&format!("rank: {}\n", visible(&message)));
            match problem {
                Error::Argument { .. } | Error::Combination { .. } | Error::NoMethod { .. } => {
                    ExitCode::from(2)
                }
                Error::NotConverged { .. }
                | Error::NotReached { .. }
                | Error::RoundingLimit { .. }
                | Error::NotProved { .. }
                | Error::NotSampled { .. } => ExitCode::from(3),
                Error::NotDecided { .. } => ExitCode::from(4),
                Error::Stopped { .. } | Error::Interrupted => signals::exit_code(),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// Ends a command: a plan that was printed is no failure.
///
/// # Errors
/// That of the command.
pub fn ended(result: Result<()>, is_plan: bool) -> Result<Option<u8>> {
    match result {
        // The plan is all that was asked for.
        Err(Error::Interrupted) if is_plan => return Ok(None),
        ended => ended?,
    }
    if let Some(bytes) = peak_memory() {
        log::info!("memory: {bytes} bytes were held at most");
    }
    Ok(None)
}

/// Prints help, or what is wrong with the arguments; returns the exit code.
pub fn explain_usage(problem: &clap::Error) -> Option<u8> {
    match (usage::is_help(problem.kind()), refused_checkpoint(problem)) {
        // In colours, where there are colours.
        (true, _) => drop(problem.print()),
        (false, Some(refused)) => say(&refused),
        (false, None) => say(&usage::line(problem)),
    }
    Some(problem.exit_code().try_into().unwrap_or(2))
}

/// The line of a command that has no checkpoints, if that is what is wrong with its arguments.
fn refused_checkpoint(problem: &clap::Error) -> Option<String> {
    match problem.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name))
            if problem.kind() == ErrorKind::UnknownArgument && name.starts_with("--checkpoint") =>
        {
            let name = visible(name);
            let refused = format!("{name} is given: this command does not support it; {KEPT}");
            Some(format!("rank: {refused}\n"))
        }
        _ => None,
    }
}

/// The error message for users: parameters by their options' names, and the options that help, if the
/// command that these words run has them.
fn message(
    problem: &Error,
    of: &clap::Command,
    words: impl IntoIterator<Item = OsString>,
) -> String {
    let words: Vec<OsString> = words.into_iter().collect();
    let helped_by = |names: &[&str]| {
        let options = options(of, words.clone(), names);
        let named = options.iter().filter_map(|it| with_value(it, problem));
        let named: Vec<String> = named.collect();
        match named.is_empty() {
            true => problem.to_string(),
            false => format!("{problem} ({})", named.join(", ")),
        }
    };
    match problem {
        Error::Argument {
            name,
            value,
            remedy,
        } => format!("{} is {value}: {remedy}", option(name, of)),
        // Weights of an option are refused before: these are of the graph.
        Error::Combination {
            one: "weights",
            other,
        } => {
            let other = option(other, of);
            format!("{other} does not count weights of arcs, which the graph has; add --unweighted")
        }
        Error::Combination { one, other } => {
            let [one, other] = [one, other].map(|name| option(name, of));
            format!("{one} cannot be combined with {other}")
        }
        Error::Interrupted => "stopped; nothing is kept".into(),
        Error::NotConverged { .. } | Error::NotReached { .. } => {
            helped_by(&["max-iterations", "allow-unconverged"])
        }
        Error::RoundingLimit { .. } => helped_by(&["tolerance", "allow-unconverged"]),
        Error::NotProved { .. } | Error::NotSampled { .. } => helped_by(&["allow-unconverged"]),
        Error::NeedsMemory { .. } => helped_by(&["memory"]),
        Error::TakesLonger { what, .. } => {
            // Nothing estimates eccentricity.
            let is_exact = *what == "eccentricity" || words.iter().any(is_exact_alone);
            let names = match is_exact {
                true => &["time-budget"][..],
                false => &["method", "time-budget"],
            };
            let options = options(of, without_plan(&words), names);
            let lines = options.iter().filter_map(|option| {
                let value = with_value(option, problem)?;
                Some(format!("'{}'", typed(&words, option, &value)?))
            });
            let lines: Vec<String> = lines.collect();
            match (problem.to_string().split_once(':'), lines.is_empty()) {
                (Some((said, _)), false) => format!("{said}: type {}", lines.join(", or ")),
                _ => problem.to_string(),
            }
        }
        _ => problem.to_string(),
    }
}

/// Methods that estimate, in the order in which they are advised.
const ESTIMATES: [&str; 3] = ["approx", "sample", "hyperball"];

/// An option, with the value that helps against a problem if it is known; none if no value does.
fn with_value(option: &clap::Arg, problem: &Error) -> Option<String> {
    let name = option.get_long().unwrap_or_default();
    let value = match (problem, name) {
        (&Error::TakesLonger { seconds, .. }, "time-budget") => {
            // Estimates may be too low by a half.
            let minutes = (seconds / 40.0).ceil();
            Some(match minutes < 100.0 {
                true => format!("{minutes}m"),
                false => format!("{}h", (minutes / 60.0).ceil()),
            })
        }
        (Error::TakesLonger { .. }, "method") => {
            let values = option.get_possible_values();
            let has = |name: &&&str| values.iter().any(|value| value.get_name() == **name);
            Some((*ESTIMATES.iter().find(has)?).to_owned())
        }
        _ => None,
    };
    Some(match value {
        Some(value) => format!("--{name} {value}"),
        None => format!("--{name}"),
    })
}

/// The options of these names that the command which these words run has.
fn options(
    of: &clap::Command,
    words: impl IntoIterator<Item = OsString>,
    names: &[&str],
) -> Vec<clap::Arg> {
    let matches = of.clone().ignore_errors(true).try_get_matches_from(words);
    let run = matches.ok().and_then(|matches| {
        let name = matches.subcommand_name()?;
        of.find_subcommand(name)
    });
    let found = |name: &&str| {
        let commands = run.into_iter().chain([of]);
        let mut options = commands.flat_map(|it| it.get_arguments());
        options
            .find(|option| option.get_long() == Some(name))
            .cloned()
    };
    names.iter().filter_map(found).collect()
}

/// The option for a parameter, if there is one.
fn option(parameter: &str, command: &clap::Command) -> String {
    let long = parameter.replace('_', "-");
    let commands = command.get_subcommands().chain([command]);
    let mut options = commands.flat_map(|command| command.get_arguments());
    if options.any(|option| option.get_long() == Some(&long)) {
        format!("--{long}")
    } else {
        parameter.to_owned()
    }
}

/// True if the reader of our standard output has closed it, as `head` does.
pub fn is_closed_pipe(problem: &Error) -> bool {
    let is_closed = |source: &io::Error| source.kind() == io::ErrorKind::BrokenPipe;
    // Tables wrap what their file says.
    let in_table = |source: &io::Error| {
        let problem = source.get_ref().and_then(|problem| problem.downcast_ref());
        let problem = problem.map(csv::Error::kind);
        matches!(problem, Some(csv::ErrorKind::Io(source)) if is_closed(source))
    };
    matches!(problem, Error::Io { path, source, .. }
        if (is_closed(source) || in_table(source)) && path.as_os_str() == STDOUT)
}

#[cfg(test)]
mod tests {
    use super::message;
    use clap::{Arg, Command};
    use webrank_base::error::Error;

    fn said(problem: &Error, words: &str) -> String {
        let option = |name: &'static str| Arg::new(name).long(name);
        let of = Command::new("rank")
            .arg(option("memory").global(true))
            .subcommand(
                Command::new("pagerank")
                    .arg(Arg::new("graph"))
                    .args(["max-iterations", "allow-unconverged"].map(option)),
            )
            .subcommand(Command::new("commoncrawl").arg(Arg::new("release")));
        message(problem, &of, words.split(' ').map(Into::into))
    }

    #[test]
    fn only_options_that_the_command_has_are_named() {
        let problem = Error::NotConverged {
            iterations: 3,
            bound: 0.1,
            tolerance: 0.01,
        };
        let named = said(&problem, "rank --memory 2G pagerank g.bv");
        assert_eq!(
            named,
            format!("{problem} (--max-iterations, --allow-unconverged)")
        );
        assert_eq!(
            said(&problem, "rank commoncrawl pagerank"),
            problem.to_string()
        );
    }

    #[test]
    fn what_takes_too_long_is_told_with_what_to_type() {
        let methods = ["auto", "exact", "approx", "sample"];
        let method = Arg::new("method").long("method").value_parser(methods);
        let budget = Arg::new("time-budget").long("time-budget");
        let run = Command::new("betweenness").args([Arg::new("graph"), budget, method]);
        let of = Command::new("rank").subcommand(run);
        for (seconds, budget) in [(90.0, "3m"), (30_000.0, "13h")] {
            let problem = Error::TakesLonger {
                what: "exact betweenness",
                seconds,
                allowed: 60.0,
            };
            for words in [
                "rank betweenness g.bv",
                "rank plan betweenness g.bv",
                "rank betweenness --time-budget 1m g.bv --method=exact",
            ] {
                let said = message(&problem, &of, words.split(' ').map(Into::into));
                let typed = format!(
                    ": type 'rank betweenness g.bv --method approx', or 'rank betweenness g.bv \
                     --time-budget {budget}'"
                );
                // A method that is given stays where the time is changed.
                let said = said.replace("--method=exact ", "");
                assert!(said.ends_with(&typed), "{said}");
            }
        }
    }

    #[test]
    fn what_lengths_exclude_is_not_typed() {
        let methods = ["auto", "exact", "approx"];
        let method = Arg::new("method").long("method").value_parser(methods);
        let others = ["time-budget", "lengths"].map(|name| Arg::new(name).long(name));
        let run = Command::new("betweenness")
            .args([Arg::new("graph"), method])
            .args(others);
        let of = Command::new("rank").subcommand(run);
        let problem = Error::TakesLonger {
            what: "betweenness",
            seconds: 90.0,
            allowed: 60.0,
        };
        for (words, typed) in [
            (
                "rank betweenness g.bv --lengths weights",
                "type 'rank betweenness g.bv --lengths weights --time-budget 3m'",
            ),
            (
                "rank betweenness -- -g.bv",
                "type 'rank betweenness --method approx -- -g.bv', or 'rank betweenness --time-budget 3m \
                 -- -g.bv'",
            ),
        ] {
            let said = message(&problem, &of, words.split(' ').map(Into::into));
            assert!(said.ends_with(typed), "{said}");
        }
    }

    #[test]
    fn options_of_all_commands_are_named_for_each() {
        let problem = Error::NeedsMemory {
            what: "pagerank",
            needed: 2,
            allowed: 1,
        };
        for words in [
            "rank pagerank g.bv",
            "rank commoncrawl --memory 1 x",
            "rank",
        ] {
            assert_eq!(said(&problem, words), format!("{problem} (--memory)"));
        }
    }
}
