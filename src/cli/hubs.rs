//! `rank hits` and `rank salsa`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::weights::WeightArgs;
use webrank::centrality::hits::{Hits as Parameters, hits as hits_of};
use webrank::centrality::salsa::salsa as salsa_of;
use webrank::error::Result;
use webrank::graph::{Predecessors, Successors};
use webrank::linear::{Matrix, Tolerance};
use webrank::scores::Scores;
use webrank::scores::ranking::Ranking;

/// HITS: hubs and authorities, a column each
///
/// Good hubs point to good authorities, and good authorities are pointed at by good hubs:
///
///   a A' A = lambda a,   h = a A'
///
/// A: adjacency matrix; lambda: the largest eigenvalue of A' A. Either column sums to one. Where
/// several parts of a graph have the same lambda, a is the limit of the iteration from equal
/// scores. Scores that the residual cannot resolve are set to 0, so that they tie: usually one
/// dense part of a graph has all there is.
///
/// The tolerance is on the residual ||a A' A - lambda a|| / (lambda ||a||).
///
/// Source: Kleinberg 1999.
#[derive(clap::Args)]
pub struct Hits {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    /// The residual at which to stop
    #[arg(long, default_value_t = 1e-12, allow_hyphen_values = true)]
    tolerance: f64,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// SALSA: hubs and authorities by a random walk back and forth, exactly, a column each
///
/// From an authority to a random predecessor, and on to a random successor of it. In the long run
/// the walk is at x with probability
///
///   a(x) = |C| / |A| indegree(x) / arcs(C)
///
/// A: nodes with predecessors; C: those that such walks connect with x; arcs(C): the sum of their
/// indegrees. With --weights, arcs are followed in proportion to them. Hubs are the same with
/// directions exchanged. Either column sums to one.
///
/// Source: Lempel and Moran 2001.
#[derive(clap::Args)]
pub struct Salsa {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn hits(args: &Hits, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let params = Parameters {
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.convergence.max_iterations(),
    };
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let (successors, predecessors) = match args.weights.are_given() {
        false => {
            let (successors, predecessors) = source.both(progress.as_ref())?;
            (Matrix::new(successors), Matrix::new(predecessors))
        }
        true => {
            let out = Direction::Out;
            let out = args
                .weights
                .load(&source, out, names.as_ref(), progress.as_ref())?;
            let transposed = out.transposed()?;
            (out, transposed)
        }
    };
    phases.done("load");
    let found = hits_of(
        Successors(&successors),
        Predecessors(&predecessors),
        &params,
        progress.as_ref(),
    )?;
    drop(progress);
    phases.done("iterate");
    args.convergence
        .check(&found.authorities.run.outcome, args.tolerance)?;
    let notes = match found.unresolved {
        0 => Vec::new(),
        nodes => vec![format!(
            "{nodes} nodes with predecessors have an authority that is 0, or too small to tell"
        )],
    };
    let scores = [found.authorities, found.hubs];
    let ranking = ranking(&scores)?;
    let report = Report::plain(&source, names.as_ref(), &scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}

pub fn salsa(args: &Salsa, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let rows = args
        .weights
        .load(&source, Direction::In, names.as_ref(), progress.as_ref())?;
    phases.done("load");
    let found = salsa_of(Predecessors(&rows));
    drop(progress);
    phases.done("count");
    let scores = [found.authorities, found.hubs];
    let ranking = ranking(&scores)?;
    let report = Report::plain(&source, names.as_ref(), &scores, &ranking, Vec::new());
    report.write(output, &args.output, global, phases)
}

/// The ranking by authority.
fn ranking(scores: &[Scores; 2]) -> Result<Ranking> {
    let values = scores[0].values.as_slice();
    Ranking::new(values.expect("one column is contiguous"))
}
