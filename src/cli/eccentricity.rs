//! `rank eccentricity`.

use super::shared::distance_method::DistanceArgs;
use webrank::Eccentricity;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_terminal::options::Global;

/// Eccentricity: the largest distance to a node, from the nodes that reach it
///
/// 0 if no node reaches it. Rank 1 is the most remote node, not the most central one.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances.rank(Geometric::of(Eccentricity), global)
}
