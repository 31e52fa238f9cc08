//! `rank reachable`.

use super::shared::distance_method::DistanceArgs;
use super::shared::options::Global;
use webrank::Reachable;
use webrank::internals::centrality::geometric::Geometric;
use webrank::internals::error::Result;

/// How many other nodes reach a node
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances.rank(Geometric::of(Reachable), global)
}
