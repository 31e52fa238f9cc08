//! `rank pagerank`.

use super::shared::checkpoint::CheckpointArgs;
use super::shared::cluster::ClusterArgs;
use super::shared::limits::{IterationArgs, L1Distance, ToleranceArgs};
use super::shared::node_args::{EachSeedArgs, NodeArgs, node_values};
use super::shared::run::{RankRun, Weights};
use std::path::{Path, PathBuf};
use webrank::PageRank;
use webrank_base::error::{Error, Result};
use webrank_base::visible::visible;
use webrank_graph::Graph;
use webrank_scores::of_nodes::scores_of_nodes;
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};
use webrank_walks::pagerank::{Columns, Method, StorageChoice};

/// PageRank, to a certified error
///
/// The score of a node is the probability that a random walk is at it. With probability alpha the
/// walk follows a random arc; otherwise it restarts at a node drawn from the preference vector.
/// Scores flow along arcs: a node is important if important nodes point to it.
///
///   x = alpha x G + alpha (x d) u + (1 - alpha) v
///
/// G: row-normalised adjacency; d: dangling nodes; u: dangling distribution; v: preference vector.
///
/// The tolerance bounds the l1 distance to the true vector, certified by the residual. The column
/// 'certain' says whether the rank of a node is proved.
///
/// More columns are available: one for each of several alpha (--alphas), the derivative by alpha
/// (--derivative), or personalised scores, one column for each seed where walks start (--each-seed,
/// --each-seed-file). One ranking of walks that start at any of several nodes is --preference a,b.
/// With --weights, walks follow arcs with probability proportional to their weights.
///
/// Source: Page, Brin, Motwani and Winograd 1998; Haveliwala 2002 (--each-seed); Boldi, Santini and
/// Vigna 2005 (--alphas, --derivative).
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    stop: StopArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Measure")]
struct MeasureArgs {
    /// Probability of following an arc: at least 0, below 1
    #[arg(
        long,
        default_value_t = 0.85,
        allow_hyphen_values = true,
        alias = "damping"
    )]
    alpha: f64,
    /// Restart distribution (preference vector), for one ranking of walks that start there: nodes
    /// separated by commas, by name or number; or FILE with one number per line, or name,weight or
    /// node,weight lines for some of the nodes, or names alone; normalised [default: uniform]
    #[arg(long, value_name = "NODES|FILE", conflicts_with = "seed_args")]
    preference: Option<PathBuf>,
    /// Where the walk continues from a dangling node
    #[arg(long, value_enum, default_value_t = Dangling::Preference)]
    dangling: Dangling,
    /// Where the walk continues from a dangling node: FILE like that of --preference
    #[arg(long, value_name = "FILE", conflicts_with = "dangling")]
    dangling_vector: Option<PathBuf>,
    /// Several alpha, separated by commas: a column score_ALPHA for each, in place of 'score' and
    /// 'rank'; --sort score and --top use the first
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "ALPHAS",
        allow_hyphen_values = true
    )]
    #[arg(conflicts_with_all = ["alpha", "seed_args", "certify_top"])]
    alphas: Vec<f64>,
    /// Add a column 'derivative' (by alpha): positive for nodes that gain when walks restart less
    /// often; its error is within the tolerance too
    #[arg(long, conflicts_with_all = ["alphas", "seed_args", "certify_top"])]
    derivative: bool,
    #[command(flatten)]
    seeds: EachSeedArgs,
    /// Weights of the arcs: FILE with one number per arc, ordered by source and target (.f32 or
    /// .f64, little-endian), or source,target,weight lines [default: 1]
    #[arg(long, value_name = "FILE", help_heading = "Measure")]
    #[arg(conflicts_with_all = ["alphas", "derivative", "seed_args", "certify_top", "method"])]
    weights: Option<PathBuf>,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = Method::Auto, conflicts_with = "seed_args")]
    #[arg(help_heading = "Measure")]
    method: Method,
    /// Begin with these scores, such as those of last month: TABLE of any format, matched by name, or
    /// by node if the graph has no names; nodes that it lacks begin with what restarts give. The
    /// nearer the scores, the fewer sweeps; the certified error does not depend on them
    #[arg(long, value_name = "TABLE", help_heading = "Measure")]
    #[arg(conflicts_with_all = ["preference", "seed_args"])]
    start: Option<PathBuf>,
    /// Where the rows of the graph are kept, for all sweeps
    #[arg(long, value_enum, default_value_t = StorageChoice::Auto, help_heading = "Measure")]
    form: StorageChoice,
    /// The folder of temporary files, for rows that do not fit into memory [default: the system's]
    #[arg(long, value_name = "FOLDER", help_heading = "Measure")]
    temp: Option<PathBuf>,
}

impl MeasureArgs {
    /// Whether files or options may name nodes.
    fn names_nodes(&self) -> bool {
        let files = [&self.preference, &self.dangling_vector, &self.start];
        files.into_iter().any(Option::is_some) || self.seeds.are_given()
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = "Stop")]
struct StopArgs {
    #[command(flatten)]
    tolerance: L1Distance,
    /// Iterate until the first K positions are proved or exact ties
    #[arg(long, value_name = "K", conflicts_with = "seed_args")]
    certify_top: Option<usize>,
    #[command(flatten)]
    iteration: IterationArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let (measure, stop) = (&args.measure, &args.stop);
    let limits = stop.iteration.limits(stop.tolerance.get())?;
    let damping = Damping::new(measure.alpha)?;
    let alphas = Columns::alphas(&measure.alphas)?;
    let team = args.cluster.team_writing(&args.output, global)?;
    let run = RankRun {
        limits,
        allow_unconverged: stop.iteration.allow_unconverged,
        trace: stop.iteration.trace.as_deref(),
        weights: Weights::given(measure.weights.as_deref()),
        checkpoint: Some(&args.checkpoint),
        team: Some(&team),
        is_named: measure.names_nodes(),
        ..RankRun::new(global, &args.graph, &args.output)
    };
    let make = |graph: &Graph| {
        let pagerank = PageRank {
            damping,
            preference: match &measure.preference {
                Some(path) => distribution("preference", path, graph)?,
                None => Distribution::Uniform,
            },
            dangling: match &measure.dangling_vector {
                Some(path) => Dangling::Vector(distribution("dangling_vector", path, graph)?),
                None => measure.dangling.clone(),
            },
            // A run that is repeated keeps nothing, and must not choose otherwise.
            method: match args.checkpoint.is_given() {
                true => measure.method.without_choice(),
                false => measure.method,
            },
            certify_top: stop.certify_top,
            columns: if measure.seeds.are_given() {
                Columns::Seeds(measure.seeds.find(graph)?)
            } else if !measure.alphas.is_empty() {
                alphas
            } else if measure.derivative {
                Columns::Derivative
            } else {
                Columns::Score
            },
            form: measure.form,
            temp: measure.temp.clone(),
            team: team.clone(),
            start: None,
        };
        match &measure.start {
            Some(table) => with_start(pagerank, table, graph, global),
            None => Ok(pagerank),
        }
    };
    run.rank_among(make)
}

/// Begins with the scores in a table.
fn with_start(measure: PageRank, table: &Path, graph: &Graph, global: &Global) -> Result<PageRank> {
    let (scores, known) = scores_of_nodes(table, graph)?;
    let measure = match known {
        0 => measure,
        _ => measure
            .start(scores)
            .map_err(|problem| Error::file(table, problem.to_string()))?,
    };
    global.summary(&format!(
        "rank: {known} of {} nodes begin with their scores in {}\n",
        graph.num_nodes(),
        visible(&table.to_string_lossy())
    ));
    Ok(measure)
}

/// Reads a distribution over the nodes.
fn distribution(option: &'static str, path: &Path, graph: &Graph) -> Result<Distribution> {
    let weights = node_values(option, path, graph)?;
    Distribution::from_weights(weights).map_err(|problem| match problem {
        Error::Argument { remedy, .. } => Error::file(path, format!("all weights are 0; {remedy}")),
        other => other,
    })
}
