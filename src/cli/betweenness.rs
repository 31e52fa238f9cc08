//! `rank betweenness`.

use super::arcs::ArcReport;
use super::shared::checkpoint::CheckpointArgs;
use super::shared::lengths::LengthArgs;
use super::shared::node_args::{NodeArgs, SourceArgs};
use super::shared::plan;
use super::shared::run::{RankRun, Weights, hops_of, left};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use webrank::{Graph, StoragePlan};
use webrank_base::checkpoint::Work;
use webrank_base::error::{Error, Result};
use webrank_base::limits::{Limits, duration};
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::sampled::Precision;
use webrank_lengths::{LengthArcBetweenness, LengthBetweenness};
use webrank_scores::intervals::Confidence;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};
use webrank_terminal::program::is_closed_pipe;
use webrank_terminal::reported::Reported;
use webrank_terminal::signals;

/// Betweenness: how many shortest paths pass through a node
///
/// The sum over ordered pairs y != z, both different from x, of the fraction of the shortest paths
/// from y to z that pass through x. Paths are directed; pairs without a path add 0; self-loops are
/// ignored, and parallel arcs count once.
///
/// The exact method estimates its time from sampled searches, announces it if it is long, and stops
/// if it exceeds the time budget.
///
/// The method sources searches from a sample of nodes, or from given ones, and multiplies the sums by
/// n divided by their number. Of a sample, each interval from lower to upper holds the true score of
/// its node with the probability --confidence, for that node by itself; this is proved. Of given ones,
/// with --endpoints, the paths from them alone count, and nothing is said of the error.
///
/// The approximation samples shortest paths until every normalised score is within --epsilon, or,
/// with --top, until the order of the K best is proved, if that is sooner. The table then has the
/// columns lower and upper: with probability 1 - delta, ALL true scores lie between them, and all true
/// ranks between rank_from and rank_to. With
/// --top, the column 'certain' says whether the rank of a node is proved.
///
/// Source: Freeman 1977; Brandes 2001; Brandes and Pich 2007 (sources); Borassi and Natale 2016,
/// Pellegrina and Vandin 2023 (approx).
#[derive(clap::Args)]
#[command(next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    stop: StopArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Measure")]
struct MeasureArgs {
    /// Divide by the number of ordered pairs of other nodes, (n - 1)(n - 2); with --endpoints or
    /// --arcs by n (n - 1)
    #[arg(long)]
    normalize: bool,
    /// Count paths for their first and last nodes too
    #[arg(long)]
    endpoints: bool,
    /// Score arcs instead, as a table source,target,score: the sum over ordered pairs of the
    /// fraction of the shortest paths that take the arc; always exact
    #[arg(long, conflicts_with_all = ["endpoints", "samples", "source_args"])]
    arcs: bool,
    #[command(flatten)]
    lengths: LengthArgs,
    /// How to compute
    #[arg(long, value_enum, default_value_t = BetweennessMethod::Exact)]
    method: BetweennessMethod,
    /// With sources: search from this many nodes
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        conflicts_with = "source_args"
    )]
    samples: usize,
    #[command(flatten)]
    sources: SourceArgs,
    /// With sampled sources: each interval, from the column lower to upper, holds the true score with
    /// this probability, 0.5 to 0.999999
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        allow_hyphen_values = true
    )]
    confidence: f64,
    /// With sources or approx: the seed of the random generator
    #[arg(long, default_value_t = 0, conflicts_with = "source_args")]
    seed: u64,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Stop")]
struct StopArgs {
    /// With approx: every score, divided by (n - 1)(n - 2), is within this...
    #[arg(long, default_value_t = 0.01, allow_hyphen_values = true)]
    epsilon: f64,
    /// ...with probability 1 minus this
    #[arg(long, default_value_t = 0.1, allow_hyphen_values = true)]
    delta: f64,
    /// The time that an exact computation may take, such as 90s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    time_budget: Duration,
    /// With approx: write the scores even if the precision was not reached
    #[arg(long)]
    allow_unconverged: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let limits = Limits::default().time(args.stop.time_budget);
    if args.measure.arcs {
        return arcs(args, global, &limits);
    }
    let measure = args.betweenness()?;
    let graph = args.measure.lengths.graph(&args.graph);
    let run = RankRun {
        limits,
        allow_unconverged: args.stop.allow_unconverged,
        checkpoint: Some(&args.checkpoint),
        weights: args.measure.lengths.weights(),
        ..RankRun::new(global, &graph, &args.output)
    };
    let with_sources = |graph: &Graph| {
        let given = &args.measure.sources;
        let sources = given.are_given().then(|| given.find(graph));
        Ok(Betweenness {
            sources: sources.transpose()?,
            ..measure
        })
    };
    match args.measure.lengths.given()? {
        Some((lengths, cutoff)) => run.rank(|graph| {
            Ok(LengthBetweenness {
                of: with_sources(graph)?,
                lengths,
                cutoff,
            })
        }),
        None => run.rank(with_sources),
    }
}

fn arcs(args: &Args, global: &Global, limits: &Limits) -> Result<()> {
    use BetweennessMethod::{Approx, Sources};
    let method = args.measure.method;
    if matches!(method, Sources | Approx) {
        let remedy = "betweenness of arcs is always exact; leave out --arcs or --method";
        return Err(Error::argument("method", method.name(), remedy));
    }
    let measure = ArcBetweenness {
        normalize: args.measure.normalize,
    };
    let output = args.output.open_rows(global)?;
    let graph = args.measure.lengths.graph(&args.graph).open_graph(global)?;
    let lengths = args.measure.lengths.given()?;
    let graph = match args.measure.lengths.weights() {
        Weights::OfGraph => graph,
        _ => hops_of(graph, global),
    };
    let long = lengths.map(|(lengths, cutoff)| LengthArcBetweenness {
        of: measure,
        lengths,
        cutoff,
    });
    let needed = long
        .as_ref()
        .map_or_else(|| measure.needs(&graph), |long| long.needs(&graph));
    if global.plan {
        let progress = global.progress();
        let form = StoragePlan::in_memory(needed);
        let seconds = match &long {
            Some(long) => Some(long.seconds(&graph, progress.as_ref())?),
            None => measure.seconds(&graph, limits, progress.as_ref())?,
        };
        plan::print_forms("betweenness", &graph, (&[form], &[seconds]), global)?;
    }
    global.admit_part("betweenness", needed)?;
    global.end_plan()?;
    // A repeated run writes nothing.
    let kept = Some(&args.checkpoint).filter(|_| global.repeats.is_none());
    let work = || {
        let parameters = match &long {
            Some(long) => long.kept_parameters(&graph)?,
            None => webrank_measure::parameters(&measure),
        };
        let fingerprint = graph.fingerprint()?;
        Ok(Work::new("betweenness of arcs", fingerprint, parameters))
    };
    let checkpoint = kept.map(|kept| kept.at(work)).transpose()?.flatten();
    let checkpoint = checkpoint.map(Arc::new);
    if let Some(kept) = checkpoint.clone() {
        signals::keep(move || kept.ask_to_stop());
    }
    if !global.quiet {
        let path = args.checkpoint.path().map(Path::to_owned);
        signals::hint(move || left(path.as_deref(), true));
    }
    let progress = global.progress_kept(checkpoint.clone());
    let ranked = match &long {
        Some(long) => long.compute(&graph, limits, progress.as_ref())?,
        None => measure.compute(&graph, limits, progress.as_ref())?,
    };
    drop(progress);
    let report = ArcReport {
        graph: &graph,
        ranked: &ranked,
    };
    let written = report.write(output, &args.output, global);
    let is_done = written.as_ref().err().is_none_or(is_closed_pipe);
    if let Some(checkpoint) = checkpoint.filter(|_| is_done) {
        checkpoint.remove()?;
    }
    written
}

impl Args {
    fn betweenness(&self) -> Result<Betweenness> {
        let (measure, stop) = (&self.measure, &self.stop);
        let none = || Error::argument("samples", 0, "give at least 1");
        Ok(Betweenness {
            normalize: measure.normalize,
            endpoints: measure.endpoints,
            method: measure.method,
            samples: NonZeroUsize::new(measure.samples).ok_or_else(none)?,
            sources: None,
            precision: Precision::new(stop.epsilon, stop.delta)?,
            top: self.output.top,
            seed: measure.seed,
            confidence: Confidence::new(measure.confidence)?,
        })
    }
}
