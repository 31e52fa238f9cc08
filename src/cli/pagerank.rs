//! `rank pagerank`.

use super::pagerank_columns::{ColumnArgs, Columns};
use super::shared::convergence::ConvergenceArgs;
use super::shared::options::{Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use bytesize::ByteSize;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webrank::centrality::pagerank::methods::weighted_power::WeightedWalk;
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::weighted::{weighted_certainty, weighted_pagerank};
use webrank::centrality::pagerank::{self, Damping, Dangling, Distribution, PageRank};
use webrank::error::{Error, Result};
use webrank::graph::memory::{Form, MemoryPlan, free_memory};
use webrank::graph::text::arc_weights::read_weights;
use webrank::graph::text::node_values::read_node_values;
use webrank::graph::{Names, Source, Successors};
use webrank::linear::{StopRule, Tolerance};
use webrank::progress::Progress;
use webrank::scores::Scores;
use webrank::scores::proved_order::Certainty;
use webrank::scores::ranking::Ranking;

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
/// personalised, for each of some nodes where walks start (--seeds, --seeds-file). With --weights,
/// walks follow arcs with probability proportional to their weights.
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
    #[command(flatten)]
    convergence: ConvergenceArgs,
    /// Keep the rows of the graph in memory, or decode them in every sweep
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    form: FormArg,
    /// How much memory may be used, such as 512M or 8G [default: what is free]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
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
    /// The same, one strong component after the other: fastest where few arcs lie on cycles, as
    /// between papers or packages
    Components,
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
    args.columns.alphas()?;
    let stop = StopRule {
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.convergence.max_iterations(),
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
            MethodArg::Components => pagerank::Method::Components,
        },
    };
    let columns = args.columns.columns(n, names.as_ref())?;
    let progress = global.progress();
    let job = Job {
        source: &source,
        params: &params,
        stop: &stop,
        columns: &columns,
        progress: progress.as_ref(),
    };
    let ranked = match (&args.columns.weights, form(args, &source)?) {
        (Some(path), Form::Runs) => job.weighted(path, names.as_ref(), &mut phases)?,
        (None, Form::Runs) => job.in_memory(&mut phases)?,
        (weights, Form::Streamed) => {
            args.columns.refuse_streaming(weights.is_some())?;
            pagerank::check_streamable(&params, &stop)?;
            job.streamed(&mut phases)?
        }
    };
    drop(progress);
    let proved = ranked.certainty.as_ref().map(Certainty::proved_positions);
    let positions = args.certify_top.zip(proved);
    for scores in &ranked.scores {
        let outcome = &scores.run.outcome;
        args.convergence
            .check_order(outcome, args.tolerance, positions)?;
    }
    let certain = ranked.certainty.as_ref();
    let report = Report {
        source: &source,
        names: names.as_ref(),
        scores: &ranked.scores,
        ranking: &ranked.ranking,
        certain: certain.map(|certainty| (certainty.certain(), certainty.proved_positions())),
        form: Some(ranked.form),
        notes: ranked.notes,
    };
    let headers = columns.headers(names.as_ref());
    report.write_headed(&headers, output, &args.output, global, phases)
}

/// Columns of scores, the ranking by the first, and how sure it is.
struct Ranked {
    scores: Vec<Scores>,
    ranking: Ranking,
    certainty: Option<Certainty>,
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

/// What is to be computed.
struct Job<'a> {
    source: &'a Source,
    params: &'a PageRank,
    stop: &'a StopRule,
    columns: &'a Columns,
    progress: &'a dyn Progress,
}

impl Job<'_> {
    fn in_memory(&self, phases: &mut Phases) -> Result<Ranked> {
        let (params, stop) = (self.params, self.stop);
        let backward = self.source.predecessors(self.progress)?;
        phases.done("load");
        let walk = RandomWalk::new(backward)?;
        phases.done("prepare");
        let scores = self.columns.compute(&walk, params, stop, self.progress)?;
        phases.done("iterate");
        let ranking = Ranking::new(values(&scores[0]))?;
        let certainty = match self.columns {
            Columns::Score | Columns::Derivative => {
                Some(params.certainty(&walk, stop, &scores[0], &ranking))
            }
            Columns::Alphas(_) | Columns::Seeds(_) => None,
        };
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

    fn weighted(&self, path: &Path, names: Option<&Names>, phases: &mut Phases) -> Result<Ranked> {
        let successors = self.source.successors(self.progress)?;
        let weights = read_weights(path, &successors, names)?;
        phases.done("load");
        let walk = WeightedWalk::new(Successors(&successors), weights)?;
        drop(successors);
        phases.done("prepare");
        let scores = weighted_pagerank(&walk, self.params, self.stop, self.progress)?;
        phases.done("iterate");
        let ranking = Ranking::new(values(&scores))?;
        let certainty = weighted_certainty(&walk, self.params, &scores, &ranking);
        phases.done("rank");
        Ok(Ranked {
            form: json!({ "name": "weighted", "dangling_nodes": walk.num_dangling() }),
            notes: notes(self.params, walk.num_dangling()),
            scores: vec![scores],
            ranking,
            certainty: Some(certainty),
        })
    }

    fn streamed(&self, phases: &mut Phases) -> Result<Ranked> {
        log::warn!(
            "the graph stays compressed and is decoded in every sweep, which takes many times \
             longer than with the {} of memory that its rows need",
            ByteSize(MemoryPlan::new(self.source, 0).runs)
        );
        let graph = self.source.mapped()?;
        phases.done("load");
        let scores = pagerank::pagerank_streamed(&graph, self.params, self.stop, self.progress)?;
        phases.done("iterate");
        let ranking = Ranking::new(values(&scores))?;
        let certainty = self.params.certainty_streamed(&scores, &ranking);
        phases.done("rank");
        let mut notes = notes(self.params, 1);
        notes.push("the graph was streamed: ties are not proved".into());
        Ok(Ranked {
            form: json!({ "name": Form::Streamed }),
            notes,
            scores: vec![scores],
            ranking,
            certainty: Some(certainty),
        })
    }
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

/// What users should know of graphs with so many dangling nodes.
fn notes(params: &PageRank, dangling: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if dangling > 0 && params.dangling == Dangling::None {
        notes.push("what reaches dangling nodes is lost, so scores sum to less than one".into());
    }
    notes
}
