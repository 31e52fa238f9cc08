//! `rank integration`.

use super::shared::distance_method::{AnyEngine, DistanceArgs};
use webrank::Integration;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_terminal::options::Global;

/// Integration: how much nearer than the diameter the other nodes are to a node, on average
///
/// The sum of D + 1 - d(y, x) over the y != x that reach x, divided by n - 1, where D is the
/// diameter: the largest finite distance of any pair. With --direction out it is radiality. It is
/// computed exactly, or from a sample once D is found, or by HyperBall, whose D is the last step at which
/// a counter changed.
///
/// Source: Valente and Foreman 1998.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<AnyEngine>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances.rank(Geometric::of(Integration), global)
}
