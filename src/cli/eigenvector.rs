//! `rank eigenvector`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::describe::node_name;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::weights::WeightArgs;
use clap::ValueEnum;
use webrank::centrality::eigenvector::{self, Dominance, Eigenvector, eigenvector};
use webrank::error::Result;
use webrank::graph::{Predecessors, Successors};
use webrank::linear::Tolerance;
use webrank::scores::ranking::Ranking;

/// Eigenvector centrality, with a certified eigenvalue
///
/// The score of a node is in proportion to the sum of the scores of the nodes that point to it (or,
/// with --direction out, that it points to): a nonnegative vector x with
///
///   x A = rho x
///
/// A: adjacency matrix; rho: its spectral radius.
///
/// Only the strong component whose own spectral radius is the largest, and what it reaches, have
/// positive scores: the summary says which one that is and what else is zero, and why. Where
/// several components share the largest radius, x is the limit of Katz's index for alpha to 1/rho.
/// A graph without cycles has no such x: use 'rank katz'. Scores that the residual cannot resolve
/// are set to 0, so that they tie.
///
/// The bounds on rho are certified; the tolerance is on the residual ||x A - rho x|| / (rho ||x||).
///
/// Source: Landau 1895; Bonacich 1972; Vigna, "Spectral ranking", 2016.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Whose scores make a node important: those that point to it, or those it points to
    #[arg(long, value_enum, default_value_t = Direction::In)]
    direction: Direction,
    #[command(flatten)]
    weights: WeightArgs,
    /// What is one: the sum of scores, of their squares, or the largest score
    #[arg(long, value_enum, default_value_t = Norm::L1)]
    norm: Norm,
    /// The residual at which to stop
    #[arg(long, default_value_t = 1e-12, allow_hyphen_values = true)]
    tolerance: f64,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Norm {
    L1,
    L2,
    Max,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let params = Eigenvector {
        norm: match args.norm {
            Norm::L1 => eigenvector::Norm::L1,
            Norm::L2 => eigenvector::Norm::L2,
            Norm::Max => eigenvector::Norm::Max,
        },
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
        Direction::In => eigenvector(Predecessors(&matrix), &params, progress.as_ref())?,
        Direction::Out => {
            eigenvector::right_eigenvector(Successors(&matrix), &params, progress.as_ref())?
        }
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
    let notes = notes(&found, source.properties().nodes, args.direction, name);
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}

/// Which components count, and what zeros mean.
fn notes(
    found: &Dominance,
    num_nodes: usize,
    direction: Direction,
    name: impl Fn(u32) -> String,
) -> Vec<String> {
    let mut notes = Vec::new();
    let first = found.dominant[0];
    let which = match found.dominant.len() {
        1 => format!(
            "one of {} nodes and {} arcs, that of {}, has the largest spectral radius",
            first.nodes,
            first.arcs,
            name(first.first)
        ),
        several => format!("{several} share the largest spectral radius"),
    };
    notes.push(format!(
        "of {} strong components {} have cycles, and {which}",
        found.num_components, found.num_cyclic
    ));
    if !found.proved {
        notes.push("another component's spectral radius is too near to tell them apart".into());
    }
    let zeros = num_nodes - found.positive;
    if zeros > 0 {
        notes.push(match direction {
            Direction::In => {
                format!("{zeros} nodes are not reached from there: their score is 0")
            }
            Direction::Out => format!("{zeros} nodes do not reach it: their score is 0"),
        });
    }
    if found.unresolved > 0 {
        notes.push(format!(
            "{} nodes have a positive score below {:.0e} of the vector's length, which the residual \
             cannot resolve: it is set to 0",
            found.unresolved, found.resolution
        ));
    }
    notes
}
