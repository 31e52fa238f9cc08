//! `rank katz`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::weights::WeightArgs;
use clap::ValueEnum;
use std::path::PathBuf;
use webrank::centrality::katz::{self, Attenuation, Katz, KatzMethod};
use webrank::error::{Error, Result};
use webrank::graph::text::node_values::read_node_values;
use webrank::graph::{Predecessors, Successors};
use webrank::linear::Tolerance;
use webrank::scores::ranking::Ranking;

/// Katz's index, to a certified error
///
/// The score of a node counts the walks that end at it (or, with --direction out, that start at
/// it), those of length k with weight alpha^k, and the empty one with weight beta:
///
///   x = beta (I - alpha A)^-1 = beta + alpha x A
///
/// A: adjacency matrix; alpha: attenuation, below 1/rho, rho being the spectral radius of A; beta: 1
/// unless told. Scores are not scaled. For alpha near 1/rho this ranks as 'rank eigenvector' does,
/// for alpha near 0 as indegree does; graphs without cycles take any alpha.
///
/// The l1 distance to the true vector over the sum of scores is proved to be within the tolerance:
/// 'relative_error_bound' in the manifest, whose 'error_bound' is the distance itself.
///
/// Source: Katz, "A new status index derived from sociometric analysis", 1953.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Attenuation of each step: below 1/rho, or auto, which is 0.85/rho (without cycles: 0.85 over
    /// the largest indegree)
    #[arg(long, default_value = "auto", allow_hyphen_values = true)]
    alpha: String,
    /// Worth of starting at each node: FILE with one number a line, or name,weight or node,weight
    /// lines for some of the nodes [default: 1]
    #[arg(long, value_name = "FILE")]
    beta: Option<PathBuf>,
    /// Whether walks end or start at the node
    #[arg(long, value_enum, default_value_t = Direction::In)]
    direction: Direction,
    #[command(flatten)]
    weights: WeightArgs,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = MethodArg::Power)]
    method: MethodArg,
    /// Certified l1 distance to the true vector, relative to the sum of scores
    #[arg(long, default_value_t = 1e-9, allow_hyphen_values = true)]
    tolerance: f64,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodArg {
    /// Add up the series, one length of walks a sweep
    Power,
    /// Use new values at once
    GaussSeidel,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let alpha = match args.alpha.as_str() {
        "auto" => Attenuation::Auto,
        number => Attenuation::new(number.parse().unwrap_or(f64::NAN)).map_err(|_| {
            Error::argument(
                "--alpha",
                number,
                "it must be a positive number below 1/rho, or auto",
            )
        })?,
    };
    let tolerance = Tolerance::new(args.tolerance)?;
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let n = source.properties().nodes;
    let params = Katz {
        alpha,
        beta: match &args.beta {
            Some(path) => Some(read_node_values(path, n, names.as_ref())?),
            None => None,
        },
        method: match args.method {
            MethodArg::Power => KatzMethod::Power,
            MethodArg::GaussSeidel => KatzMethod::GaussSeidel,
        },
        tolerance,
        max_iterations: args.convergence.max_iterations(),
    };
    let progress = global.progress();
    let matrix = args
        .weights
        .load(&source, args.direction, names.as_ref(), progress.as_ref())?;
    phases.done("load");
    let found = match args.direction {
        Direction::In => katz::katz(Predecessors(&matrix), &params, progress.as_ref())?,
        Direction::Out => katz::right_katz(Successors(&matrix), &params, progress.as_ref())?,
    };
    phases.done("iterate");
    drop(progress);
    let scores = &found.scores;
    let values = scores.values.as_slice().expect("one column is contiguous");
    args.convergence
        .check(&scores.run.outcome, args.tolerance)?;
    let ranking = Ranking::new(values)?;
    phases.done("rank");
    let scores = std::slice::from_ref(scores);
    let notes = notes(&found);
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}

fn notes(found: &katz::KatzScores) -> Vec<String> {
    let radius = found.radius;
    let about_radius = match (radius.lower, radius.upper) {
        (_, 0.0) => "the graph has no cycle, so any alpha will do".into(),
        (0.0, upper) => format!("the spectral radius is at most {upper}, so alpha is below 1/rho"),
        _ => format!(
            "the spectral radius is about {}, and alpha {:.3} of what it may be at most",
            radius.middle(),
            found.alpha * radius.middle()
        ),
    };
    vec![
        about_radius,
        format!("scores sum to {:.6}", found.scores.values.sum()),
    ]
}
