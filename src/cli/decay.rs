//! `rank decay`.

use super::shared::distance_method::{AnyEngine, DistanceArgs};
use webrank::Decay;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::decay::Base;
use webrank_terminal::options::Global;

/// Decay centrality: the sum of base^d over the distances d to a node
///
/// Source: Jackson 2008.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<AnyEngine>,
    /// The base: above 0, below 1
    #[arg(
        long,
        default_value_t = 0.5,
        allow_hyphen_values = true,
        help_heading = "Measure"
    )]
    base: f64,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let base = Base::new(args.base)?;
    args.distances.rank(Geometric::of(Decay { base }), global)
}
