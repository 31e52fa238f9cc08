//! From the words of a command line to an exit code.

use crate::options::STDOUT;
use crate::say::say;
use crate::{signals, usage};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::io;
use std::process::ExitCode;
use webrank_base::checkpoint::unkept;
use webrank_base::error::{Error, Result};
use webrank_base::memory::peak_memory;
use webrank_base::visible::visible;

/// Runs a command line; `of` gives the definition of the whole command, in which messages look for
/// options. Returns the exit code: 0 done, 1 error, 2 wrong usage, 3 not converged.
pub fn exit(
    run: impl FnOnce() -> Result<Option<u8>>,
    of: impl FnOnce() -> clap::Command,
) -> ExitCode {
    signals::watch();
    match run() {
        Ok(code) => ExitCode::from(code.unwrap_or(0)),
        Err(problem) if is_closed_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            say(&format!("rank: {}\n", visible(&message(&problem, of))));
            match problem {
                Error::Argument { .. } | Error::Combination { .. } | Error::NoMethod { .. } => {
                    ExitCode::from(2)
                }
                Error::NotConverged { .. }
                | Error::NotReached { .. }
                | Error::NotProved { .. }
                | Error::NotSampled { .. } => ExitCode::from(3),
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
///
/// # Errors
/// If a checkpoint is asked for where there are none.
pub fn explain_usage(problem: &clap::Error) -> Result<Option<u8>> {
    if let Some(refused) = refused_checkpoint(problem) {
        return Err(refused);
    }
    match usage::is_help(problem.kind()) {
        // In colours, where there are colours.
        true => drop(problem.print()),
        false => say(&usage::line(problem)),
    }
    Ok(Some(problem.exit_code().try_into().unwrap_or(2)))
}

/// The error of a command that has no checkpoints, if that is what is wrong with its arguments.
fn refused_checkpoint(problem: &clap::Error) -> Option<Error> {
    let argument = problem.get(ContextKind::InvalidArg);
    let is_one =
        matches!(argument, Some(ContextValue::String(name)) if name.starts_with("--checkpoint"));
    let is_unknown = problem.kind() == ErrorKind::UnknownArgument;
    (is_one && is_unknown).then(|| unkept("this command"))
}

/// The error message for users: parameters by their options' names, and the options that help.
fn message(problem: &Error, of: impl FnOnce() -> clap::Command) -> String {
    match problem {
        Error::Argument {
            name,
            value,
            remedy,
        } => format!("{} is {value}: {remedy}", option(name, &of())),
        Error::Combination { one, other } => {
            let of = of();
            let [one, other] = [one, other].map(|name| option(name, &of));
            format!("{one} cannot be combined with {other}")
        }
        Error::NotConverged { .. } | Error::NotReached { .. } => {
            format!("{problem} (--max-iterations, --allow-unconverged)")
        }
        Error::NotProved { .. } | Error::NotSampled { .. } => {
            format!("{problem} (--allow-unconverged)")
        }
        Error::NeedsMemory { .. } => format!("{problem} (--memory)"),
        Error::TakesLonger { .. } => format!("{problem} (--time-budget, --method)"),
        _ => problem.to_string(),
    }
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
