//! `rank walks`.

use super::shared::run::{RankRun, Weights};
use super::shared::weights::WeightArgs;
use webrank::Walks;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global, GraphArgs, OutputArgs};

/// Numbers of walks of a length: how many walks of K arcs end at a node
///
/// With --direction out, how many start there. In matrix form
///
///   x = 1 A^K  (--direction out: x = A^K 1)
///
/// A: adjacency matrix; 1: the vector of ones. For K = 1 it is the indegree; as K grows, the order
/// becomes that of 'rank eigenvector', where that is defined. A walk may pass a node or an arc several
/// times. With weights, it counts as the product of the weights of its arcs.
///
/// Whole numbers below 2^53 are exact. Beyond, each step rounds each sum once: the manifest has the
/// bound on the relative error as 'relative_error_bound'.
///
/// Source: Wei 1952; Kendall 1955; Vigna, "Spectral ranking", 2016.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    /// The number of arcs of a walk, 0 to 1000000; each node is a walk of 0 arcs
    #[arg(long, value_name = "K", help_heading = "Measure")]
    length: u32,
    /// Whether walks end or start at the node
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut walks = Walks::new(args.length)?;
    walks.direction = args.direction;
    let run = RankRun {
        weights: Weights::given(args.weights.path()),
        ..RankRun::new(global, &args.graph, &args.output)
    };
    run.rank(|_| Ok(walks))
}
