//! The command `rank evaluate`.

use std::process::ExitCode;
use webrank_retrieval::commands::evaluate::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
