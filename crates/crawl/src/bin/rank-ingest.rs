//! The command `rank ingest`.

use std::process::ExitCode;
use webrank_crawl::commands::ingest::Args;

fn main() -> ExitCode {
    webrank_terminal::run_tool::<Args>()
}
