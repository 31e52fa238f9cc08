//! The command `rank codes`.

use std::process::ExitCode;
use webrank_codelab::commands::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
