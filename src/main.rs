//! The command `rank`: parses arguments, runs, returns an exit code.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;
use webrank::Error;
use webrank::internals::visible::visible;

fn main() -> ExitCode {
    cli::watch();
    match cli::run() {
        Ok(code) => ExitCode::from(code.unwrap_or(0)),
        Err(problem) if cli::is_closed_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            cli::say(&format!("rank: {}\n", visible(&cli::message(&problem))));
            match problem {
                Error::Argument { .. } | Error::Combination { .. } | Error::NoMethod { .. } => {
                    ExitCode::from(2)
                }
                Error::NotConverged { .. }
                | Error::NotReached { .. }
                | Error::NotProved { .. }
                | Error::NotSampled { .. } => ExitCode::from(3),
                Error::Stopped { .. } | Error::Interrupted => cli::exit_code(),
                _ => ExitCode::FAILURE,
            }
        }
    }
}
