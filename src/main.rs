//! The command `rank`: parses arguments, runs, returns an exit code.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use std::process::ExitCode;
use webrank::Error;
use webrank::internals::visible::visible;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    cli::remove_temporaries_when_interrupted();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) if cli::is_closed_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("rank: {}", visible(&cli::message(&problem)));
            match problem {
                Error::Argument { .. } | Error::Combination { .. } | Error::NoMethod { .. } => {
                    ExitCode::from(2)
                }
                Error::NotConverged { .. }
                | Error::NotReached { .. }
                | Error::NotProved { .. }
                | Error::NotSampled { .. } => ExitCode::from(3),
                _ => ExitCode::FAILURE,
            }
        }
    }
}
