//! Options of the commands whose runs can be kept and go on.

use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use webrank::{Graph, Limits, Measure};
use webrank_base::checkpoint::{Checkpoint, Work};
use webrank_base::error::{Error, Result};
use webrank_base::limits::duration;
use webrank_base::visible::visible;
use webrank_measure::checkpoint;

/// Where the state of a run is kept.
#[derive(Args)]
#[command(next_help_heading = "Checkpoint")]
pub struct CheckpointArgs {
    /// Save the state of the run in FILE: from time to time, and when a signal stops it. To resume, run
    /// the same command again: it ends with the same bits, for any number of threads and workers. FILE
    /// is removed when the table is written, and refused if it belongs to another graph, version or
    /// parameter, except that --max-iterations may be larger. With several processes, worker 0 has it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often the state is written, such as 90s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    #[arg(requires = "checkpoint")]
    checkpoint_every: Duration,
}

impl CheckpointArgs {
    /// Where the state is kept, if it is.
    pub fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Whether the state is to be kept; also when the run is repeated, which keeps nothing.
    pub fn is_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The checkpoint of a run, if one is asked for.
    pub fn of(
        &self,
        measure: &dyn Measure,
        graph: &Graph,
        limits: &Limits,
    ) -> Result<Option<Checkpoint>> {
        let every = self.checkpoint_every;
        let path = self.checkpoint.as_ref();
        path.map(|path| checkpoint(measure, graph, limits, path, every))
            .transpose()
    }

    /// The checkpoint of other work, if one is asked for.
    pub fn at(&self, work: impl FnOnce() -> Result<Work>) -> Result<Option<Checkpoint>> {
        let open = |path| Checkpoint::open(work()?, path, self.checkpoint_every);
        self.path().map(open).transpose()
    }

    /// The error of a worker that is gone, with what to do if there is a state to go on from.
    pub fn said(&self, problem: Error) -> Error {
        match (problem, &self.checkpoint) {
            (
                Error::Worker {
                    worker,
                    address,
                    problem,
                },
                Some(path),
            ) if path.exists() => Error::Worker {
                worker,
                address,
                problem: format!(
                    "{problem}; the same commands, with any number of workers, go on from {}",
                    visible(&path.to_string_lossy())
                ),
            },
            (problem, _) => problem,
        }
    }
}
