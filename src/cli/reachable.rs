//! `rank reachable`.

use super::shared::distance_method::{AnyEngine, DistanceArgs};
use webrank::Reachable;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_terminal::options::Global;

/// How many other nodes reach a node
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<AnyEngine>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances.rank(Geometric::of(Reachable), global)
}
