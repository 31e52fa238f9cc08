//! `rank pagerank`.

use super::options::{Global, GraphArgs, OutputArgs};
use super::pagerank_columns::{ColumnArgs, Columns};
use super::report::{Phases, Report};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use webrank::centrality::pagerank::{self, Damping, Dangling, Distribution, PageRank};
use webrank::error::{Error, Result};
use webrank::graph::Names;
use webrank::graph::node_values::read_node_values;
use webrank::linear::{RandomWalk, StopRule, Tolerance};
use webrank::scores::certain::Certainty;
use webrank::scores::ranking::Ranking;
use webrank::scores::{Outcome, Status};

/// PageRank, to a certified error
///
/// The score of a node is the probability that a walk is at it: a walk that follows a random arc
/// with probability alpha, and else starts again at a node drawn from the preference vector.
/// Scores flow along arcs: being pointed at by important nodes makes important.
///
///   x = alpha x G + alpha (x d) u + (1 - alpha) v
///
/// G: row-normalised adjacency; d: dangling nodes; u: dangling distribution; v: preference vector.
///
/// The tolerance is a promise on the l1 distance to the true vector, certified by the residual.
/// The column 'certain' says whether the rank of a node is proved.
///
/// More columns: for several alpha (--alphas), the derivative by alpha (--derivative), or
/// personalised, for each of some nodes where walks start (--seeds, --seeds-file).
///
/// Source: Page, Brin, Motwani and Winograd 1998; Haveliwala 2002 (--seeds); Boldi, Santini and Vigna
/// 2005 (--alphas, --derivative).
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Probability of following an arc: at least 0, below 1
    #[arg(long, default_value_t = 0.85, allow_hyphen_values = true)]
    alpha: f64,
    /// Where to start again: FILE with one number a line, or name,weight or node,weight lines for
    /// some of the nodes; normalised [default: anywhere alike]
    #[arg(long, value_name = "FILE", conflicts_with = "seed_args")]
    preference: Option<PathBuf>,
    #[command(flatten)]
    columns: ColumnArgs,
    /// Where to go on from a dangling node
    #[arg(long, value_enum, default_value_t = DanglingArg::Preference)]
    dangling: DanglingArg,
    /// Where to go on from a dangling node: FILE like that of --preference
    #[arg(long, value_name = "FILE", conflicts_with = "dangling")]
    dangling_vector: Option<PathBuf>,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = MethodArg::Power, conflicts_with = "seed_args")]
    method: MethodArg,
    /// Certified l1 distance to the true vector
    #[arg(long, default_value_t = 1e-9, allow_hyphen_values = true)]
    tolerance: f64,
    /// Go on until the first K positions are proved or exact ties
    #[arg(long, value_name = "K", conflicts_with = "seed_args")]
    certify_top: Option<usize>,
    /// Give up after this many sweeps over the arcs
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    max_iterations: u32,
    /// Write the scores even if the tolerance was not reached
    #[arg(long)]
    allow_unconverged: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum DanglingArg {
    /// As if starting again (strongly preferential)
    Preference,
    /// Anywhere alike (weakly preferential)
    Uniform,
    /// Nowhere: what reaches dangling nodes is lost (pseudorank)
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodArg {
    /// Apply the equation over and over, with extrapolation
    Power,
    /// Use new values at once
    GaussSeidel,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let damping = Damping::new(args.alpha)?;
    args.columns.alphas()?;
    let stop = StopRule {
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.max_iterations.max(1),
        certify_top: args.certify_top,
    };
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let n = source.properties().nodes;
    let distribution = |path: &Path| distribution(path, n, names.as_ref());
    let params = PageRank {
        damping,
        preference: match &args.preference {
            Some(path) => distribution(path)?,
            None => Distribution::Uniform,
        },
        dangling: match (&args.dangling_vector, args.dangling) {
            (Some(path), _) => Dangling::Vector(distribution(path)?),
            (None, DanglingArg::Preference) => Dangling::Preference,
            (None, DanglingArg::Uniform) => Dangling::Uniform,
            (None, DanglingArg::None) => Dangling::None,
        },
        method: match args.method {
            MethodArg::Power => pagerank::Method::Power,
            MethodArg::GaussSeidel => pagerank::Method::GaussSeidel,
        },
    };
    let columns = args.columns.columns(n, names.as_ref())?;
    let progress = global.progress();
    let backward = source.predecessors(progress.as_ref())?;
    phases.done("load");
    let walk = RandomWalk::new(backward)?;
    phases.done("prepare");
    let scores = columns.compute(&walk, &params, &stop, progress.as_ref())?;
    phases.done("iterate");
    drop(progress);
    let first = &scores[0];
    let ranking = Ranking::new(first.values.as_slice().expect("one column is contiguous"))?;
    let certainty = match columns {
        Columns::Score | Columns::Derivative => {
            Some(params.certainty(&walk, &stop, first, &ranking))
        }
        _ => None,
    };
    phases.done("rank");
    let proved = certainty.as_ref().map(Certainty::proved_positions);
    let positions = args.certify_top.zip(proved);
    for scores in &scores {
        let outcome = &scores.run.outcome;
        check_converged(outcome, args.tolerance, positions, args.allow_unconverged)?;
    }
    let certain = certainty.as_ref();
    let report = Report {
        source: &source,
        names: names.as_ref(),
        scores: &scores,
        ranking: &ranking,
        certain: certain.map(|certainty| (certainty.certain(), certainty.proved_positions())),
        notes: notes(args, &walk),
    };
    let headers = columns.headers(names.as_ref());
    report.write_headed(&headers, output, &args.output, global, phases)
}

/// Reads a distribution over the nodes.
fn distribution(path: &Path, n: usize, names: Option<&Names>) -> Result<Distribution> {
    let weights = read_node_values(path, n, names)?;
    Distribution::from_weights(weights).map_err(|problem| match problem {
        Error::Argument { remedy, .. } => Error::file(path, format!("all weights are 0; {remedy}")),
        other => other,
    })
}

/// Not converging is an error, unless the user takes the scores all the same; `positions` are those
/// whose order was to be proved, and those whose order is.
pub fn check_converged(
    outcome: &Outcome,
    tolerance: f64,
    positions: Option<(usize, usize)>,
    allow_unconverged: bool,
) -> Result<()> {
    let Outcome::Iterated {
        status: Status::NotConverged,
        iterations,
        error_bound: bound,
    } = *outcome
    else {
        return Ok(());
    };
    match positions {
        _ if allow_unconverged => Ok(()),
        Some((wanted, proved)) if bound <= tolerance => Err(Error::NotProved {
            iterations,
            bound,
            wanted,
            proved,
        }),
        _ => Err(Error::NotConverged {
            iterations,
            bound,
            tolerance,
        }),
    }
}

fn notes(args: &Args, walk: &RandomWalk) -> Vec<String> {
    let mut notes = Vec::new();
    let dangling = walk.num_dangling();
    if dangling > 0 && matches!(args.dangling, DanglingArg::None) && args.dangling_vector.is_none()
    {
        notes.push(format!(
            "what reaches the {dangling} dangling nodes is lost, so scores sum to less than one"
        ));
    }
    notes
}
