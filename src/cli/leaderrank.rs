//! `rank leaderrank`.

use super::shared::limits::IterationArgs;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::run::Run;
use super::shared::weights::WeightArgs;
use webrank::LeaderRank;
use webrank::internals::error::Result;

/// LeaderRank, to a certified error: PageRank without anything to choose
///
/// A ground node g gets an arc to and from every node. A random walk follows any arc of a node alike;
/// s is where it is in the long run, in units in which all scores sum to n. The score of g is shared
/// out in the end:
///
///   S = s + s_g / n
///
/// Scores flow along arcs: a node is important if important nodes point to it (with --direction out,
/// if it points to them). Nodes restart more often the fewer arcs leave them, dangling ones always. A
/// score of 1 is the mean. With --weights, arcs are followed in proportion to them, and those to g
/// weigh 1.
///
/// The l1 distance to the true vector over the sum of scores is proved to be within the tolerance:
/// 'relative_error_bound' in the manifest, whose 'error_bound' is the distance itself.
///
/// Source: Lü, Zhang, Yeung and Zhou 2011.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Whether walks follow arcs to their targets (being pointed at), or back to their sources
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
    #[command(flatten)]
    weights: WeightArgs,
    /// Certified l1 distance to the true vector, relative to the sum of scores
    #[arg(
        long,
        default_value_t = 1e-9,
        allow_hyphen_values = true,
        help_heading = "Stop"
    )]
    tolerance: f64,
    #[command(flatten)]
    iteration: IterationArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let run = Run {
        limits: args.iteration.limits(args.tolerance)?,
        allow_unconverged: args.iteration.allow_unconverged,
        weights: args.weights.path(),
        ..Run::new(global, &args.graph, &args.output)
    };
    run.rank(|_| {
        Ok(LeaderRank {
            direction: args.direction,
        })
    })
}
