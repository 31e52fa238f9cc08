//! `rank pagerank`.

use super::options::{Global, GraphArgs, OutputArgs};
use super::report::{Phases, Report};
use bytesize::ByteSize;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webrank::centrality::pagerank::{self, Damping, Dangling, Distribution, PageRank};
use webrank::error::{Error, Result};
use webrank::graph::node_values::read_node_values;
use webrank::graph::{Names, Source};
use webrank::linear::form::{Form, MemoryPlan, free_memory};
use webrank::linear::{RandomWalk, StopRule, Tolerance};
use webrank::progress::Progress;
use webrank::scores::certain::Certainty;
use webrank::scores::ranking::Ranking;
use webrank::scores::{Outcome, Scores, Status};

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
/// Source: Page, Brin, Motwani and Winograd 1998.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Probability of following an arc: at least 0, below 1
    #[arg(long, default_value_t = 0.85, allow_hyphen_values = true)]
    alpha: f64,
    /// Where to start again: FILE with one number a line, or name,weight or node,weight lines for
    /// some of the nodes; normalised [default: anywhere alike]
    #[arg(long, value_name = "FILE")]
    preference: Option<PathBuf>,
    /// Where to go on from a dangling node
    #[arg(long, value_enum, default_value_t = DanglingArg::Preference)]
    dangling: DanglingArg,
    /// Where to go on from a dangling node: FILE like that of --preference
    #[arg(long, value_name = "FILE", conflicts_with = "dangling")]
    dangling_vector: Option<PathBuf>,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = MethodArg::Power)]
    method: MethodArg,
    /// Certified l1 distance to the true vector
    #[arg(long, default_value_t = 1e-9, allow_hyphen_values = true)]
    tolerance: f64,
    /// Go on until the first K positions are proved or exact ties
    #[arg(long, value_name = "K")]
    certify_top: Option<usize>,
    /// Give up after this many sweeps over the arcs
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    max_iterations: u32,
    /// Keep the rows of the graph in memory, or decode them in every sweep
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    form: FormArg,
    /// How much memory may be used, such as 512M or 8G [default: what is free]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
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

#[derive(Clone, Copy, ValueEnum)]
enum FormArg {
    /// In memory if it fits
    Auto,
    /// In memory: equal rows once, runs of nodes by prefix sums
    Runs,
    /// Decoded in every sweep: 24 bytes a node, however many arcs, but many times slower
    Streamed,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let damping = Damping::new(args.alpha)?;
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
    let progress = global.progress();
    let ranked = match form(args, &source)? {
        Form::Runs => in_memory(&source, &params, &stop, progress.as_ref(), &mut phases)?,
        Form::Streamed => streamed(&source, &params, &stop, progress.as_ref(), &mut phases)?,
    };
    drop(progress);
    check_converged(&ranked, args)?;
    let report = Report {
        source: &source,
        names: names.as_ref(),
        scores: std::slice::from_ref(&ranked.scores),
        ranking: &ranked.ranking,
        certain: Some((
            ranked.certainty.certain(),
            ranked.certainty.proved_positions(),
        )),
        form: Some(ranked.form),
        notes: ranked.notes,
    };
    report.write(output, &args.output, global, phases)
}

/// Scores, their ranking, and how sure it is.
struct Ranked {
    scores: Scores,
    ranking: Ranking,
    certainty: Certainty,
    form: Value,
    notes: Vec<String>,
}

/// The form that is asked for, or the one that fits.
fn form(args: &Args, source: &Source) -> Result<Form> {
    let allowed = args.memory.map_or_else(free_memory, |size| size.as_u64());
    match args.form {
        FormArg::Auto => MemoryPlan::new(source, allowed).choose(),
        FormArg::Runs => Ok(Form::Runs),
        FormArg::Streamed => Ok(Form::Streamed),
    }
}

fn in_memory(
    source: &Source,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
    phases: &mut Phases,
) -> Result<Ranked> {
    let backward = source.predecessors(progress)?;
    phases.done("load");
    let walk = RandomWalk::new(backward)?;
    phases.done("prepare");
    let scores = pagerank::pagerank(&walk, params, stop, progress)?;
    phases.done("iterate");
    let ranking = Ranking::new(values(&scores))?;
    let certainty = params.certainty(&walk, stop, &scores, &ranking);
    phases.done("rank");
    let rows = walk.rows();
    Ok(Ranked {
        form: json!({
            "name": Form::Runs,
            "distinct_rows": rows.num_rows(),
            "reads_per_arc": rows.num_reads() as f64 / rows.num_arcs().max(1) as f64,
            "dangling_nodes": walk.num_dangling(),
        }),
        notes: notes(params, walk.num_dangling()),
        scores,
        ranking,
        certainty,
    })
}

fn streamed(
    source: &Source,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
    phases: &mut Phases,
) -> Result<Ranked> {
    log::warn!(
        "the graph stays compressed and is decoded in every sweep, which takes many times longer \
         than with the {} of memory that its rows need",
        ByteSize(MemoryPlan::new(source, 0).runs)
    );
    let graph = source.mapped()?;
    phases.done("load");
    let scores = pagerank::pagerank_streamed(&graph, params, stop, progress)?;
    phases.done("iterate");
    let ranking = Ranking::new(values(&scores))?;
    let certainty = params.certainty_streamed(&scores, &ranking);
    phases.done("rank");
    let mut notes = notes(params, 1);
    notes.push("the graph was streamed: ties are not proved".into());
    Ok(Ranked {
        form: json!({ "name": Form::Streamed }),
        notes,
        scores,
        ranking,
        certainty,
    })
}

fn values(scores: &Scores) -> &[f64] {
    scores.values.as_slice().expect("one column is contiguous")
}

/// Reads a distribution over the nodes.
fn distribution(path: &Path, n: usize, names: Option<&Names>) -> Result<Distribution> {
    let weights = read_node_values(path, n, names)?;
    Distribution::from_weights(weights).map_err(|problem| match problem {
        Error::Argument { remedy, .. } => Error::file(path, format!("all weights are 0; {remedy}")),
        other => other,
    })
}

/// Not converging is an error, unless the user takes the scores all the same.
fn check_converged(ranked: &Ranked, args: &Args) -> Result<()> {
    let Outcome::Iterated {
        status: Status::NotConverged,
        iterations,
        error_bound: bound,
    } = ranked.scores.run.outcome
    else {
        return Ok(());
    };
    let tolerance = args.tolerance;
    match args.certify_top {
        _ if args.allow_unconverged => Ok(()),
        Some(wanted) if bound <= tolerance => Err(Error::NotProved {
            iterations,
            bound,
            wanted,
            proved: ranked.certainty.proved_positions(),
        }),
        _ => Err(Error::NotConverged {
            iterations,
            bound,
            tolerance,
        }),
    }
}

/// What users should know of graphs with so many dangling nodes.
fn notes(params: &PageRank, dangling: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if dangling > 0 && params.dangling == Dangling::None {
        notes.push("what reaches dangling nodes is lost, so scores sum to less than one".into());
    }
    notes
}
