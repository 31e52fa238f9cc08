//! The command `rank`: parses arguments, runs, returns an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    webrank_terminal::program::exit(cli::run, cli::command)
}
