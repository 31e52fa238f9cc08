//! Measures as one of several workers computes them.

use crate::distances::{by_engine, distances};
use crate::measures::{eigenvector, hits, katz};
use crate::options::Options;
use crate::pagerank::{Trust, pagerank, trustrank};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use webrank::{Limits, Measure, Progress, Salsa};
use webrank_base::checkpoint::Checkpoint;
use webrank_cluster::Workers;
use webrank_distances::geometric::Geometric;
use webrank_graph::{Direction, Graph};
use webrank_measure::checkpoint;
use webrank_scores::ranked::Ranked;
use webrank_walks::distributed::{Distributed, degrees_among, needs_of_degrees};

/// The limits of a worker, and where it keeps its state.
pub struct WorkerSettings<'a> {
    pub limits: &'a Limits,
    pub allows_unconverged: bool,
    pub checkpoint: Option<(PathBuf, Duration)>,
}

/// A measure as a worker computes it.
pub trait Assigned: Send + Sync {
    /// The bytes that this process takes.
    fn needs(&self, graph: &Graph) -> u64;

    /// Does the part of this process. Worker 0 has a ranking.
    fn work(
        &self,
        graph: &Graph,
        settings: &WorkerSettings,
        progress: &dyn Progress,
    ) -> webrank::Result<Option<Ranked>>;
}

/// Ranks, as worker 0 does: with a checkpoint, if one is asked for.
fn ranked(
    measure: &dyn Measure,
    graph: &Graph,
    settings: &WorkerSettings,
    progress: &dyn Progress,
) -> webrank::Result<Option<Ranked>> {
    let limits = settings.limits;
    let open =
        |(path, every): &(PathBuf, Duration)| checkpoint(measure, graph, limits, path, *every);
    let kept = settings.checkpoint.as_ref().map(open).transpose()?;
    let ranked = measure.rank(
        graph,
        limits,
        &Kept {
            progress,
            checkpoint: kept.as_ref(),
        },
    )?;
    if !settings.allows_unconverged {
        ranked.check_converged()?;
    }
    kept.map_or(Ok(()), |kept| kept.remove())?;
    Ok(Some(ranked))
}

/// Progress of a run whose state is kept.
struct Kept<'a> {
    progress: &'a dyn Progress,
    checkpoint: Option<&'a Checkpoint>,
}

impl Progress for Kept<'_> {
    fn begin(&self, phase: &str, total: Option<u64>) {
        self.progress.begin(phase, total);
    }

    fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    fn resume(&self, units: u64) {
        self.progress.resume(units);
    }

    fn remark(&self, text: &str) {
        self.progress.remark(text);
    }

    fn sweep(&self, sweeps: u64, quantity: &str, value: f64) {
        self.progress.sweep(sweeps, quantity, value);
    }

    fn announce(&self, text: &str) {
        self.progress.announce(text);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn interrupted(&self) -> bool {
        self.progress.interrupted()
    }

    fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint
    }
}

/// A measure of walks.
struct Walks<M>(M);

impl<M: Distributed + Send + Sync> Assigned for Walks<M> {
    fn needs(&self, graph: &Graph) -> u64 {
        self.0.needs(graph)
    }

    fn work(
        &self,
        graph: &Graph,
        settings: &WorkerSettings,
        progress: &dyn Progress,
    ) -> webrank::Result<Option<Ranked>> {
        let (limits, allows) = (settings.limits, settings.allows_unconverged);
        if self.0.team().me() == 0 {
            return ranked(&self.0, graph, settings, progress);
        }
        let assist = || self.0.assist(graph, limits, allows, progress);
        limits.on_threads(assist).map(|_| None)
    }
}

impl Assigned for Geometric {
    fn needs(&self, graph: &Graph) -> u64 {
        Measure::needs(self, graph)
    }

    fn work(
        &self,
        graph: &Graph,
        settings: &WorkerSettings,
        progress: &dyn Progress,
    ) -> webrank::Result<Option<Ranked>> {
        if self.workers().me() == 0 {
            return ranked(self, graph, settings, progress);
        }
        settings.limits.on_threads(|| {
            self.plan(graph, settings.limits)?;
            self.compute_distributed(graph, settings.limits, progress)?;
            Ok(None)
        })
    }
}

/// Degrees.
struct Degrees(Direction, Workers);

impl Assigned for Degrees {
    fn needs(&self, graph: &Graph) -> u64 {
        needs_of_degrees(self.0, &self.1, graph)
    }

    fn work(
        &self,
        graph: &Graph,
        settings: &WorkerSettings,
        progress: &dyn Progress,
    ) -> webrank::Result<Option<Ranked>> {
        let Degrees(direction, team) = self;
        let count = || degrees_among(*direction, team, graph, settings.limits, progress);
        settings.limits.on_threads(count)
    }
}

/// The measure with this name, for these workers.
pub fn assigned(
    measure: &str,
    options: &Options,
    graph: &Graph,
    team: Workers,
) -> PyResult<Box<dyn Assigned>> {
    Ok(match measure {
        "pagerank" => {
            let mut measure = pagerank(options, graph)?;
            measure.team = team;
            Box::new(Walks(measure))
        }
        "trustrank" => match trustrank(options, graph)? {
            Trust::Rank(measure) => Box::new(Walks(webrank::TrustRank { team, ..measure })),
            Trust::Candidates(mut measure) => {
                measure.team = team;
                Box::new(Walks(measure))
            }
        },
        "eigenvector" => {
            let mut measure = eigenvector(options)?;
            measure.team = team;
            Box::new(Walks(measure))
        }
        "katz" => {
            let mut measure = katz(options, graph)?;
            measure.team = team;
            Box::new(Walks(measure))
        }
        "hits" => {
            let mut measure = hits(options)?;
            measure.team = team;
            Box::new(Walks(measure))
        }
        "salsa" => Box::new(Walks(Salsa { team })),
        "indegree" => Box::new(Degrees(Direction::In, team)),
        "outdegree" => Box::new(Degrees(Direction::Out, team)),
        other => match distances(other, options)? {
            Some(measures) => Box::new(by_engine(measures, options)?.team(team)),
            None => return options.refuse(&format!("there is no measure {other} on Spark")),
        },
    })
}
