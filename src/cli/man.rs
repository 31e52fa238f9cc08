//! `rank man`.

use super::{Cli, help, tools};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_terminal::options::{Global, write_stdout};

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
    let command = help::with_examples(Cli::command().subcommands(tools::commands()));
    let mut command = command.disable_help_subcommand(true);
    command.build();
    match &args.directory {
        Some(directory) => {
            let mut files = Vec::new();
            pages(&command, directory, &mut files)?;
            for (name, ..) in tools::TOOLS {
                let page = match tools::manual(name) {
                    Ok(Some(page)) => page,
                    Ok(None) => continue,
                    Err(problem) => {
                        log::warn!("{problem}; there is no manual page of it");
                        continue;
                    }
                };
                let path = directory.join(format!("rank-{name}.1"));
                files.push(written(&path, |file| file.write_all(&page))?);
            }
            publish(files)
        }
        None => write_stdout(|out| Man::new(command).render(out)),
    }
}

/// Writes the page of a command and those of its subcommands, but tools write their own. None appears
/// before all are written.
fn pages(command: &Command, directory: &Path, files: &mut Vec<PendingFile>) -> Result<()> {
    let shown = command.get_subcommands();
    let shown = shown.filter(|it| !it.is_hide_set() && tools::of(it.get_name()).is_none());
    for subcommand in shown {
        pages(subcommand, directory, files)?;
    }
    let page = Man::new(command.clone());
    let path = directory.join(page.get_filename());
    files.push(written(&path, |file| page.render(file))?);
    Ok(())
}

fn written(
    path: &Path,
    write: impl FnOnce(&mut PendingFile) -> std::io::Result<()>,
) -> Result<PendingFile> {
    let mut file = PendingFile::create(path)?;
    write(&mut file).map_err(|source| Error::io(path, "cannot write", source))?;
    Ok(file)
}
