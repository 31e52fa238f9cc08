//! `rank harmonic`.

use super::shared::distance_method::{AnyEngine, DistanceArgs};
use super::shared::run::RankRun;
use std::path::PathBuf;
use webrank::Harmonic;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::weighted_harmonic::WeightedHarmonic;
use webrank_terminal::options::Global;

/// Harmonic centrality: the sum of the inverse distances to a node
///
/// The sum of 1/d(y, x) over the y != x that reach x; nodes that do not reach x add 0.
///
/// Source: Marchiori and Latora 2000; Boldi and Vigna 2014.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<AnyEngine>,
    /// Divide by n - 1
    #[arg(long, help_heading = "Measure")]
    normalize: bool,
    /// Weights of the nodes, for the sum of w(y)/d(y, x): FILE with one number per line, or
    /// name,weight or node,weight lines for some of the nodes; always exact
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["method", "lengths", "cutoff"],
        help_heading = "Measure"
    )]
    weights: Option<PathBuf>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let (normalize, distances) = (args.normalize, &args.distances);
    let Some(weights) = &args.weights else {
        return distances.rank(Geometric::of(Harmonic { normalize }), global);
    };
    let run = RankRun {
        checkpoint: Some(&distances.checkpoint),
        ..RankRun::new(global, &distances.graph, &distances.output)
    };
    run.rank(|graph| {
        Ok(WeightedHarmonic {
            weights: graph.node_values(weights)?,
            normalize,
            direction: distances.direction,
        })
    })
}
