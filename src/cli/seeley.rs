//! `rank seeley`.

use super::shared::limits::L1Distance;
use super::shared::matrix::MatrixArgs;
use webrank::Seeley;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global};

/// Seeley's index: where random walks are in the long run, to a certified error
///
/// A node passes its score on to its successors in equal parts (with --direction out, to its
/// predecessors); walks never restart:
///
///   x = x P
///
/// P: adjacency matrix with rows scaled to sum to 1, or rows proportional to --weights. This is the
/// limit of PageRank with uniform preference as alpha tends to 1. Each terminal strong component
/// (one that walks cannot leave) gets the probability that a walk from a random node ends in it,
/// shared out by its stationary distribution. All other nodes have score 0; the summary counts
/// them. A node without successors is a terminal component (in 'rank pagerank', walks continue from
/// it anywhere).
///
/// The total error of the scores is proved to be within the tolerance. If walks mix so slowly that
/// this cannot be proved, the residual ||x P - x|| is reported, and the run counts as not converged.
///
/// Source: Seeley 1949; Boldi, Santini and Vigna 2005.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    matrix: MatrixArgs<L1Distance>,
    /// Whether walks follow arcs to their targets (being pointed at), or back to their sources
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.matrix.run(global)?.rank(|_| {
        Ok(Seeley {
            direction: args.direction,
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
        })
    })
}
