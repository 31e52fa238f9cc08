//! `rank lin`.

use super::shared::distance_method::{DistanceArgs, UnboundedEngine};
use webrank::Lin;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_terminal::options::Global;

/// Lin's index: the squared number of nodes that reach a node, over the sum of their distances
///
/// (r + 1)^2 / S, with r the number of other nodes that reach x and S the sum of their distances;
/// 1 if no other node reaches x.
///
/// Source: Lin 1976; Boldi and Vigna 2014.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<UnboundedEngine>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances.rank(Geometric::of(Lin), global)
}
