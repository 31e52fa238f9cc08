//! `rank closeness`.

use super::shared::distance_method::{DistanceArgs, UnboundedEngine};
use webrank::Closeness;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_scores::parameters::Variant;
use webrank_terminal::options::Global;

/// Closeness: the inverse of the sum of the distances to a node
///
/// With r the number of other nodes that reach x, and S the sum of their distances to x:
///
///   bavelas          1 / S; 0 if r = 0
///   lin              (r + 1)^2 / S; 1 if r = 0
///   nieminen         (r + 1)^2 - S
///   wasserman-faust  (r / (n - 1)) (r / S); 0 if r = 0
///
/// Nodes that do not reach x are left out. On a graph that is not strongly connected, bavelas
/// therefore scores small components highest: prefer 'rank harmonic' there.
///
/// Source: Bavelas 1950; Lin 1976; Nieminen 1973; Wasserman and Faust 1994.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<UnboundedEngine>,
    /// The definition
    #[arg(long, value_enum, default_value_t = Variant::Bavelas, value_name = "NAME")]
    #[arg(help_heading = "Measure", hide_possible_values = true)]
    variant: Variant,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let variant = args.variant;
    let measure = Geometric::of(Closeness { variant });
    args.distances.rank(measure, global)
}
