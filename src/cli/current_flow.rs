//! `rank current-flow`.

use super::shared::run::{RankRun, Weights};
use super::shared::weights::WeightArgs;
use std::time::Duration;
use webrank::{CurrentFlow, Limits};
use webrank_base::error::Result;
use webrank_base::limits::duration;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// Current-flow betweenness: betweenness by random walks instead of shortest paths
///
/// The sum over ordered pairs y != z, both different from x, of the current through x when a unit of
/// current enters at y and leaves at z. Edges are resistors; their weights are conductances. The
/// current through x is also how often a random walk from y to z passes through x, where passes that
/// go back cancel. So all ways between y and z count, the more the shorter and the more numerous they
/// are. Without cycles there is one way only, and scores are those of 'rank betweenness'.
///
/// Edges have no direction: a graph whose arcs lead one way is refused without --symmetric. Pairs in
/// different components add 0; self-loops are ignored.
///
/// For components of some thousand nodes: the time grows with the cube of their number, and the
/// memory with its square, 16 bytes for each pair. Scores are exact up to rounding, which the manifest
/// bounds as 'relative_error_bound'; scores that rounding may have exchanged are equal.
///
/// Source: Newman 2005; Brandes and Fleischer 2005.
#[derive(clap::Args)]
#[command(next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    /// Divide by the number of ordered pairs of other nodes, (n - 1)(n - 2)
    #[arg(long, help_heading = "Measure")]
    normalize: bool,
    /// The time that the computation may take, such as 90s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    #[arg(help_heading = "Stop")]
    time_budget: Duration,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let run = RankRun {
        limits: Limits::default().time(args.time_budget),
        weights: Weights::given(args.weights.path()),
        ..RankRun::new(global, &args.graph, &args.output)
    };
    run.rank(|_| {
        Ok(CurrentFlow {
            normalize: args.normalize,
        })
    })
}
