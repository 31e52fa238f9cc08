//! The command `rank duplicates`.

use std::process::ExitCode;
use webrank_crawl::commands::duplicates::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
