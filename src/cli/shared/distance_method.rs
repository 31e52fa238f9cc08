//! Options of the commands that rank by distances: which distances, and by which engine.
//!
//! Each command has the options of the engines that know its measure, and no others.

use super::checkpoint::CheckpointArgs;
use super::cluster::ClusterArgs;
use super::lengths::LengthArgs;
use super::run::{RankRun, Weights};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use webrank::Measure;
use webrank_base::error::Result;
use webrank_base::limits::{Limits, duration};
use webrank_distances::geometric::sampled::{DELTA, IntervalKind, Precision, SOURCES, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::Direction;
use webrank_lengths::LengthRanking;
use webrank_scores::intervals::Confidence;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// What the commands share that rank by distances, exactly or by HyperBall; `M` has the options of
/// the engines.
#[derive(Args)]
pub struct DistanceArgs<M: EngineArgs> {
    #[command(flatten)]
    pub graph: GraphArgs,
    /// Which distances count
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    pub direction: Direction,
    #[command(flatten)]
    lengths: LengthArgs,
    #[command(flatten)]
    method: M,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    pub checkpoint: CheckpointArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl<M: EngineArgs> DistanceArgs<M> {
    /// Ranks by one measure or several.
    pub fn rank(&self, measures: Geometric, global: &Global) -> Result<()> {
        if let Some((lengths, cutoff)) = self.lengths.given()? {
            self.cluster.refuse("searches by lengths")?;
            let measures = self.method.on(measures.direction(self.direction))?;
            let graph = self.lengths.graph(&self.graph);
            let run = RankRun {
                limits: self.method.limits(),
                checkpoint: Some(&self.checkpoint),
                weights: self.lengths.weights(),
                ..RankRun::new(global, &graph, &self.output)
            };
            return run.rank(|_| Ok(LengthRanking::of(measures, lengths).cutoff(cutoff)));
        }
        let team = self.cluster.team_writing(&self.output, global)?;
        let measures = self.method.on(measures.direction(self.direction))?;
        let mut measures = measures.team(team.clone());
        if let Some(count) = self.output.top {
            measures = measures.top(count);
        }
        let run = RankRun {
            limits: self.method.limits(),
            checkpoint: Some(&self.checkpoint),
            team: Some(&team),
            is_named: false,
            weights: Weights::NoLengths,
            ..RankRun::new(global, &self.graph, &self.output)
        };
        if measures.workers().me() == 0 || global.plan {
            return run.rank(|_| Ok(measures));
        }
        let graph = run.open_graph()?;
        measures.plan(&graph, &run.limits)?;
        let progress = global.progress();
        measures.compute_distributed(&graph, &run.limits, progress.as_ref())?;
        drop(progress);
        run.done("its counters stand still")
    }
}

/// The options of the engines that know a measure.
pub trait EngineArgs: Args {
    /// The measures by the engine that was asked for.
    fn on(&self, measures: Geometric) -> Result<Geometric>;

    /// The time that an exact computation may take.
    fn limits(&self) -> Limits;
}

/// Every engine: for sums of terms, and several measures.
#[derive(Args)]
pub struct AnyEngine {
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    sample: SampleArgs,
    /// Sampling: which interval each node has, from the column lower to upper
    #[arg(long, value_enum, default_value_t = IntervalKind::Auto, help_heading = "Measure")]
    intervals: IntervalKind,
    #[command(flatten)]
    confidence: ConfidenceArgs,
}

impl EngineArgs for AnyEngine {
    fn on(&self, measures: Geometric) -> Result<Geometric> {
        let measures = self.method.counters.on(measures)?;
        let measures = self.confidence.on(measures)?;
        let measures = self.sample.on(measures)?.intervals(self.intervals);
        Ok(measures.method(self.method.method))
    }

    fn limits(&self) -> Limits {
        self.method.counters.limits()
    }
}

/// Every engine, without proved errors: for closeness and Lin's index.
#[derive(Args)]
pub struct UnboundedEngine {
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    size: SizeArgs,
    #[command(flatten)]
    confidence: ConfidenceArgs,
}

impl EngineArgs for UnboundedEngine {
    fn on(&self, measures: Geometric) -> Result<Geometric> {
        let measures = self.method.counters.on(measures)?;
        let measures = self.confidence.on(measures)?;
        let size = self.size.size(DELTA)?;
        Ok(measures.size(size).method(self.method.method))
    }

    fn limits(&self) -> Limits {
        self.method.counters.limits()
    }
}

/// Reads the names of some methods.
pub fn one_of(
    methods: impl IntoIterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = DistanceMethod> {
    let names = PossibleValuesParser::new(methods);
    names.try_map(|name| DistanceMethod::from_str(&name, false))
}

/// Any method, and the options of HyperBall.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct MethodArgs {
    /// How to compute
    #[arg(long, value_enum, default_value_t = DistanceMethod::Auto)]
    pub method: DistanceMethod,
    #[command(flatten)]
    pub counters: CounterArgs,
}

/// When HyperBall is used, and how.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct CounterArgs {
    /// With auto, the time that an exact computation may take (such as 90s, 10m, 2h); if it would take
    /// longer, nodes are sampled where that is possible, and otherwise HyperBall is used
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    time_budget: Duration,
    /// HyperBall: base-2 logarithm of the registers of a counter, 4 to 16; the relative standard
    /// error is about 1.04 / sqrt(2^N)
    #[arg(long, value_name = "N", default_value_t = 8)]
    log2m: u32,
    /// HyperBall and sampling: the folder of temporary files, needed if counters or the rows of the graph
    /// do not fit into memory [default: the system's; for 'rank commoncrawl', the folder of the output]
    #[arg(long, value_name = "FOLDER")]
    pub temp: Option<PathBuf>,
    /// Seed of estimates
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl CounterArgs {
    fn on(&self, measures: Geometric) -> Result<Geometric> {
        Ok(measures.counters(self.counters()?).temp(self.temp()))
    }

    /// The time that an exact computation may take.
    pub fn limits(&self) -> Limits {
        Limits::default().time(self.time_budget)
    }

    /// HyperBall's counters.
    pub fn counters(&self) -> Result<Counters> {
        Counters::new(self.log2m, self.seed)
    }

    /// The folder of temporary files.
    pub fn temp(&self) -> PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }
}

/// How many nodes are sampled.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
struct SizeArgs {
    /// Sampling: search from so many nodes [default: 4096 nodes]
    #[arg(long, value_name = "K", conflicts_with = "relative")]
    sources: Option<u64>,
    /// Sampling: search from as many nodes as a pilot of 1,024 lets expect this relative standard
    /// error for, the quadratic mean of the best 1,000 nodes (such as 0.5%)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    relative: Option<f64>,
}

impl SizeArgs {
    fn size(&self, delta: f64) -> Result<SampleSize> {
        match (self.sources, self.relative) {
            (Some(count), _) => SampleSize::sources(count, delta),
            (_, Some(error)) => SampleSize::relative(error, delta),
            _ => SampleSize::sources(SOURCES, delta),
        }
    }
}

/// How many nodes are sampled, perhaps with a proved error.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct SampleArgs {
    #[command(flatten)]
    size: SizeArgs,
    /// Sampling: search from as many nodes as prove that every normalised score is within this...
    #[arg(long, conflicts_with_all = ["sources", "relative"], allow_hyphen_values = true)]
    epsilon: Option<f64>,
    /// ...with probability 1 minus this
    #[arg(long, default_value_t = DELTA, allow_hyphen_values = true)]
    delta: f64,
}

/// Reads a share of one, perhaps in percent.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let number: Result<f64, _> = number.parse();
    let problem = || "give a number such as 0.005, or 0.5%".to_owned();
    number.map(|number| number / unit).map_err(|_| problem())
}

impl SampleArgs {
    /// The measures with this sample.
    pub fn on(&self, measures: Geometric) -> Result<Geometric> {
        Ok(measures.size(match self.epsilon {
            Some(epsilon) => Precision::new(epsilon, self.delta)?.into(),
            None => self.size.size(self.delta)?,
        }))
    }
}

/// How sure the intervals of estimates are.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
struct ConfidenceArgs {
    /// Estimates: each interval, from the column lower to upper, holds the true score with this
    /// probability, 0.5 to 0.999999
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        allow_hyphen_values = true
    )]
    confidence: f64,
}

impl ConfidenceArgs {
    fn on(&self, measures: Geometric) -> Result<Geometric> {
        Ok(measures.confidence(Confidence::new(self.confidence)?))
    }
}
