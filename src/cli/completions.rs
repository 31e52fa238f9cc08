//! `rank completions`.

use super::{Cli, tools};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use webrank_base::error::Result;
use webrank_terminal::options::{Global, write_stdout};

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
    let mut command = Cli::command().subcommands(tools::commands());
    generate(args.shell, &mut command, "rank", &mut script);
    write_stdout(|out| out.write_all(&script))
}
