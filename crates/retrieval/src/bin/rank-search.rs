//! The command `rank search`.

use std::process::ExitCode;
use webrank_retrieval::commands::search::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
