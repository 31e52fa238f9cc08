//! Options of the commands that rank by distances: which distances, and by which engine.

use super::checkpoint::CheckpointArgs;
use super::cluster::ClusterArgs;
use super::run::RankRun;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use webrank::Measure;
use webrank_base::error::Result;
use webrank_base::limits::{Limits, duration};
use webrank_distances::geometric::sampled::Precision;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::Direction;
use webrank_scores::intervals::Confidence;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// What all commands that rank by distances share.
#[derive(Args)]
pub struct DistanceArgs {
    #[command(flatten)]
    pub graph: GraphArgs,
    /// Which distances count
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    pub direction: Direction,
    #[command(flatten)]
    method: MethodArgs,
    /// Estimates: each interval, from the column lower to upper, holds the true score with this
    /// probability, 0.5 to 0.999999
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        allow_hyphen_values = true,
        help_heading = "Measure"
    )]
    confidence: f64,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    pub checkpoint: CheckpointArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl DistanceArgs {
    /// Ranks by one measure or several.
    pub fn rank(&self, measures: Geometric, global: &Global) -> Result<()> {
        let team = self.cluster.team_writing(&self.output, global)?;
        let mut measures = measures
            .direction(self.direction)
            .method(self.method.method)
            .counters(self.method.counters()?)
            .temp(self.method.temp())
            .precision(self.method.precision()?)
            .confidence(Confidence::new(self.confidence)?)
            .team(team.clone());
        if let Some(count) = self.output.top {
            measures = measures.top(count);
        }
        let run = RankRun {
            limits: self.method.limits(),
            checkpoint: Some(&self.checkpoint),
            team: Some(&team),
            is_named: false,
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

/// How to compute.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct MethodArgs {
    /// How to compute
    #[arg(long, value_enum, default_value_t = DistanceMethod::Auto)]
    pub method: DistanceMethod,
    /// With auto, the time that an exact computation may take (such as 90s, 10m, 2h); HyperBall is
    /// used if it would take longer
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    time_budget: Duration,
    /// HyperBall: base-2 logarithm of the registers of a counter, 4 to 16; the relative standard
    /// error is about 1.04 / sqrt(2^N)
    #[arg(long, value_name = "N", default_value_t = 8)]
    log2m: u32,
    /// HyperBall: the folder of temporary files, which it needs if its counters do not fit into
    /// memory [default: the system's; for 'rank commoncrawl', the folder of the output]
    #[arg(long, value_name = "FOLDER")]
    pub temp: Option<PathBuf>,
    /// Sampling: every normalised score is within this...
    #[arg(long, default_value_t = 0.01, allow_hyphen_values = true)]
    epsilon: f64,
    /// ...with probability 1 minus this
    #[arg(long, default_value_t = 0.1, allow_hyphen_values = true)]
    delta: f64,
    /// Seed of sampling and of HyperBall
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

impl MethodArgs {
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

    fn precision(&self) -> Result<Precision> {
        Precision::new(self.epsilon, self.delta)
    }
}
