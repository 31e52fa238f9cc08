//! Options of the measures that are vectors of a matrix.

use super::checkpoint::CheckpointArgs;
use super::cluster::ClusterArgs;
use super::limits::{IterationArgs, ToleranceArgs};
use super::run::{RankRun, Weights};
use super::weights::WeightArgs;
use clap::Args;
use std::path::PathBuf;
use webrank::{Graph, RowStorage};
use webrank_base::error::Result;
use webrank_cluster::Workers;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};
use webrank_walks::distributed::Distributed;

/// The graph, its weights, limits, the table and the storage of rows. A direction means something
/// else for each measure, so each command has its own.
#[derive(Args)]
pub struct MatrixArgs<T: ToleranceArgs> {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    iteration: IterationArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    tolerance: T,
    /// Where the rows of the graph are kept, for all sweeps; scores have the same bits in all forms
    #[arg(long, value_enum, default_value_t = RowStorage::Auto)]
    #[arg(help_heading = "Measure", display_order = LAST)]
    pub form: RowStorage,
    /// The folder of temporary files, for rows that do not fit into memory [default: the system's]
    #[arg(long, value_name = "FOLDER", help_heading = "Measure", display_order = LAST)]
    pub temp: Option<PathBuf>,
}

/// After the options of each command.
const LAST: usize = 900;

impl<T: ToleranceArgs> MatrixArgs<T> {
    /// The run that these options describe.
    pub fn run<'a>(&'a self, global: &'a Global) -> Result<RankRun<'a>> {
        Ok(RankRun {
            limits: self.iteration.limits(self.tolerance.get())?,
            allow_unconverged: self.iteration.allow_unconverged,
            trace: self.iteration.trace.as_deref(),
            weights: Weights::given(self.weights.path()),
            ..RankRun::new(global, &self.graph, &self.output)
        })
    }
}

/// Options of runs among several workers, whose state can be kept.
#[derive(Args)]
pub struct WorkerArgs {
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
}

impl WorkerArgs {
    /// Ranks by the measure that `make` returns for these workers; `is_named` if it looks up names.
    pub fn rank<M: Distributed>(
        &self,
        run: RankRun,
        is_named: bool,
        make: impl FnOnce(&Graph, Workers) -> Result<M>,
    ) -> Result<()> {
        let team = self.cluster.team_writing(run.output, run.global)?;
        let run = RankRun {
            checkpoint: Some(&self.checkpoint),
            team: Some(&team),
            is_named,
            ..run
        };
        run.rank_among(|graph| make(graph, team.clone()))
    }
}
