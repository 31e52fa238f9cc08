//! The command `rank crawl`.

use std::process::ExitCode;
use webrank_crawl::commands::crawl::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
