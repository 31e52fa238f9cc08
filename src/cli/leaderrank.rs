//! `rank leaderrank`.

use super::shared::limits::RelativeL1Distance;
use super::shared::matrix::MatrixArgs;
use webrank::LeaderRank;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global};

/// LeaderRank, to a certified error: PageRank without a parameter to choose
///
/// A ground node g gets an arc to and from every node. A random walk follows each arc of a node
/// with equal probability; s is its stationary distribution, scaled to sum to n. At the end the
/// score of g is shared equally:
///
///   S = s + s_g / n
///
/// Scores flow along arcs: a node is important if important nodes point to it (with --direction out,
/// if it points to them). The fewer arcs leave a node, the more often walks restart from it; from
/// dangling nodes they always do. The mean score is 1. With --weights, arcs are followed with
/// probability proportional to their weights; arcs to g have weight 1.
///
/// The l1 distance to the true vector, divided by the sum of scores, is proved to be within the
/// tolerance. The manifest has this bound as 'relative_error_bound', and that of the distance
/// itself as 'error_bound'.
///
/// Source: Lü, Zhang, Yeung and Zhou 2011.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    matrix: MatrixArgs<RelativeL1Distance>,
    /// Whether walks follow arcs to their targets (being pointed at), or back to their sources
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.matrix.run(global)?.rank(|_| {
        Ok(LeaderRank {
            direction: args.direction,
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
        })
    })
}
