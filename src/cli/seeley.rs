//! `rank seeley`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::describe::node_name;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::weights::WeightArgs;
use webrank::centrality::seeley::{self, LongRun, Seeley};
use webrank::error::Result;
use webrank::graph::{Predecessors, Successors};
use webrank::linear::Tolerance;
use webrank::scores::Outcome;
use webrank::scores::ranking::Ranking;

/// Seeley's index: where random walks are in the long run, to a certified error
///
/// A node passes its score on to its successors in equal parts (with --direction out, to its
/// predecessors), and nothing else counts:
///
///   x = x P
///
/// P: adjacency matrix with rows scaled to sum one, or in proportion to --weights. This is PageRank
/// without a preference, in the limit of alpha to 1 from equal scores: each strong component that
/// walks cannot leave has the probability that they end up in it, shared out by its stationary
/// distribution. All other nodes have score 0; the summary counts them. A node without successors
/// is a component that walks do not leave (in 'rank pagerank' they go on to anywhere).
///
/// Scores are proved to be within the tolerance in total. Where walks mix so slowly that this cannot
/// be proved, the residual ||x P - x|| is reported, and the run counts as not converged.
///
/// Source: Seeley 1949; Boldi, Santini and Vigna 2005.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Whether walks follow arcs to their targets (being pointed at), or back to their sources
    #[arg(long, value_enum, default_value_t = Direction::In)]
    direction: Direction,
    #[command(flatten)]
    weights: WeightArgs,
    /// Certified l1 distance to the true vector
    #[arg(long, default_value_t = 1e-9, allow_hyphen_values = true)]
    tolerance: f64,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let params = Seeley {
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.convergence.max_iterations(),
    };
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let matrix = args
        .weights
        .load(&source, args.direction, names.as_ref(), progress.as_ref())?;
    phases.done("load");
    let found = match args.direction {
        Direction::In => seeley::seeley(Predecessors(&matrix), &params, progress.as_ref())?,
        Direction::Out => seeley::left_seeley(Successors(&matrix), &params, progress.as_ref())?,
    };
    phases.done("iterate");
    drop(progress);
    args.convergence
        .check(&found.scores.run.outcome, args.tolerance)?;
    let scores = &found.scores;
    let ranking = Ranking::new(scores.values.as_slice().expect("one column is contiguous"))?;
    phases.done("rank");
    let name = |node| node_name(names.as_ref(), node);
    let scores = std::slice::from_ref(scores);
    let notes = notes(&found, name);
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}

/// Where walks end, and what zeros mean.
fn notes(found: &LongRun, name: impl Fn(u32) -> String) -> Vec<String> {
    let Some(first) = found.first else {
        return Vec::new();
    };
    let mut notes = vec![format!(
        "of {} strong components walks cannot leave {}, {} of them single nodes; the likeliest to \
         end in, with probability {:.6}, is that of {}, of {} nodes",
        found.num_components,
        found.num_terminal,
        found.num_single,
        first.mass,
        name(first.first),
        first.nodes
    )];
    if found.num_transient > 0 {
        notes.push(format!(
            "{} nodes are in other components, which walks leave for good: their score is 0",
            found.num_transient
        ));
    }
    if let Outcome::Stationary {
        error_bound: None,
        residual,
        ..
    } = found.scores.run.outcome
    {
        notes.push(format!(
            "not certified: no bound was found on how long walks take to return; the \
             residual is {residual:.1e}"
        ));
    }
    notes
}
