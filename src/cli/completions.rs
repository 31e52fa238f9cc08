//! `rank completions`.

use super::Cli;
use super::shared::options::{Global, write_stdout};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use webrank::internals::error::Result;

/// Print completions for a shell
///
/// For bash, in this session or in every later one:
///
///   source <(rank completions bash)
///   rank completions bash > ~/.local/share/bash-completion/completions/rank
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &Args, _global: &Global) -> Result<()> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "rank", &mut script);
    write_stdout(|out| out.write_all(&script))
}
