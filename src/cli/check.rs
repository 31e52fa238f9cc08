//! `rank check`.

use serde_json::json;
use webrank_base::error::Result;
use webrank_base::units::counted;
use webrank_graph::check::{check, needs};
use webrank_terminal::options::{Global, GraphArgs, write_json, write_lines};

/// Verify a graph from end to end
///
/// Verifies checksums, the bounds of every list, offsets, arc counts, the transpose arc by arc, and
/// names. Prints what was verified, or what is wrong and where.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Print what was verified as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    if let Some(shards) = args.graph.shards()? {
        global.refuse_plan(webrank_terminal::plan::OF_SHARDS)?;
        shards.check()?;
        let parts = shards.plan().parts.len();
        return args.tell(&[format!(
            "{}: every file, every list, every count, and names",
            counted(parts, "part")
        )]);
    }
    let source = args.graph.find()?;
    let names = source.names()?;
    global.admit("check", needs(&source, names.as_ref()))?;
    let progress = global.progress();
    let verified = check(&source, names.as_ref(), progress.as_ref())?;
    drop(progress);
    args.tell(&verified)
}

impl Args {
    fn tell(&self, verified: &[String]) -> Result<()> {
        if self.json {
            return write_json(&json!({ "verified": verified }));
        }
        write_lines(|out| {
            for sentence in verified {
                writeln!(out, "ok: {sentence}")?;
            }
            Ok(())
        })
    }
}
