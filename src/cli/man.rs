//! `rank man`.

use super::Cli;
use super::shared::options::{Global, write_stdout};
use clap::CommandFactory;
use std::path::PathBuf;
use webrank::internals::error::{Error, Result};

/// Print the manual page, or write those of all commands to a directory
///
///   rank man | man -l -
///   rank man ~/.local/share/man/man1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Write rank.1, rank-pagerank.1 and so on into this directory
    directory: Option<PathBuf>,
}

pub fn run(args: &Args, _global: &Global) -> Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    match &args.directory {
        Some(directory) => clap_mangen::generate_to(command, directory)
            .map_err(|problem| Error::io(directory, "cannot write manual pages", problem)),
        None => write_stdout(|out| clap_mangen::Man::new(command).render(out)),
    }
}
