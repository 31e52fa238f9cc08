//! The command `rank index`.

use std::process::ExitCode;
use webrank_retrieval::commands::index::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
