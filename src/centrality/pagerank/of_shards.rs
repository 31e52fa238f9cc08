//! PageRank of a graph that is cut into shards, by workers that are threads of this process.

use super::PageRank;
use super::certificate::Certified;
use super::equation::Equation;
use super::form::PARTS;
use super::methods::sharded::{Sharded, range_of};
use super::parameters::Method;
use super::solver::Solver;
use super::walk::Distribution;
use crate::centrality::pagerank::compute::needs_memory;
use crate::cluster::{Exchange, threads};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::shards::{Range64, Shards};
use crate::linear::StopRule;
use crate::linear::runs::compact::pack;
use crate::memory::Size;
use crate::output::Room;
use crate::progress::{Progress, Unheard};
use crate::scores::Scores;
use rayon::ThreadPool;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;

/// The bytes a node of a worker: scores, shares and their sums, inflows, outdegrees, the last change;
/// for each of two graphs, the row of each node while rows are packed.
const OF_NODE: u64 = 8 * 4 + 4 * 2 + 44;

/// The bytes a node of the scores of all workers, and their ranking.
const OF_RANKED: u64 = 24;

impl PageRank {
    /// The bytes held by this process: of the nodes of its workers, and if it writes the scores, of all.
    pub(super) fn needs_of_shards(&self, graph: &Graph, size: Size) -> u64 {
        let (mut held, mut ranked) = (size.nodes, size.nodes);
        #[cfg(feature = "cluster")]
        if let (Some(processes), Some(shards)) = (&self.processes, graph.shards()) {
            let me = processes.hosts.me();
            let range = range_of(shards, me, processes.hosts.count());
            held = range.end - range.start;
            if me > 0 {
                ranked = 0;
            }
        }
        self.needs_of_part(Size {
            nodes: held,
            ..size
        }) + OF_RANKED.saturating_mul(ranked)
            + self.vectors().saturating_mul(size.nodes)
    }

    /// The bytes that one process holds for so many nodes and arcs from them, besides rows and ranking.
    pub fn needs_of_part(&self, size: Size) -> u64 {
        size.bytes_without_rows(OF_NODE) + PARTS + pack::bytes_of_windows(size.nodes, size.arcs)
    }

    /// The number of workers, threads or processes.
    pub(super) fn count_workers(&self) -> usize {
        #[cfg(feature = "cluster")]
        if let Some(processes) = &self.processes {
            return processes.hosts.count();
        }
        self.workers.map_or(1, NonZeroUsize::get)
    }

    /// The number of workers, if there are parts for them.
    fn num_workers(&self, shards: &Shards) -> Result<usize> {
        let parts = shards.plan().parts.len();
        let workers = self.count_workers();
        if workers > parts {
            let remedy = format!(
                "there are {parts} parts: give at most as many workers, or cut the graph again"
            );
            return Err(Error::argument("workers", workers, remedy));
        }
        Ok(workers)
    }

    /// # Errors
    /// If there are several workers for a graph that is not cut.
    pub(super) fn check_cut(&self, graph: &Graph) -> Result<()> {
        let parameter = match self.workers {
            None if self.count_workers() == 1 => return Ok(()),
            None => "hosts",
            Some(_) => "workers",
        };
        match graph.shards() {
            Some(_) => Ok(()),
            None => {
                let remedy = "the graph is not cut into parts for them: see rank shard";
                Err(Error::argument(parameter, "given", remedy))
            }
        }
    }

    /// # Errors
    /// If the parameters request something that shards do not allow.
    pub(super) fn check_shards(&self, shards: &Shards, stop: &StopRule) -> Result<()> {
        if self.method != Method::Power {
            return Err(needs_whole("method", self.method.name()));
        }
        if let Some(parameter) = self.columns.parameter() {
            return Err(needs_whole(parameter, "given"));
        }
        if let Some(k) = stop.certify_top {
            return Err(needs_whole("certify_top", k));
        }
        let is_zero = |weight: &f64| *weight == 0.0;
        if self
            .preference
            .weights()
            .is_some_and(|weights| weights.iter().any(is_zero))
        {
            let remedy =
                "on shards, every node must have a positive weight: name the graph that was cut";
            return Err(Error::argument("preference", "0 for some nodes", remedy));
        }
        self.num_workers(shards).map(drop)
    }

    /// Computes PageRank by the power method on shards, to a certified l1 error: the same bits as
    /// [`super::pagerank_streamed`], for any number of parts, workers and threads.
    ///
    /// # Errors
    /// As for [`super::pagerank_streamed`]; if a part is damaged.
    pub(super) fn of_shards(
        &self,
        shards: &Shards,
        room: &Room,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<Scores> {
        self.check_shards(shards, stop)?;
        let workers = self.num_workers(shards)?;
        let room = room.part(100 / workers as u64);
        let unheard = Unheard(progress);
        let run = |transport| {
            let mut exchange = Exchange::new(transport);
            let progress = match exchange.index() {
                0 => progress,
                _ => &unheard,
            };
            let result = self.work(shards, &mut exchange, &room, stop, progress);
            exchange.end(result)
        };
        let mut transports = threads(workers);
        if workers == 1 {
            let (certified, sweeps) = run(transports.remove(0))?;
            return Ok(self.scores(certified, true, sweeps, stop));
        }
        // The threads of this pool, shared out.
        let threads_of_each = (rayon::current_num_threads() / workers).max(1);
        let pool = |_| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads_of_each);
            pool.build().map_err(|problem| {
                let remedy = format!("the system refuses to start threads: {problem}");
                Error::argument("workers", workers, remedy)
            })
        };
        let pools: Vec<_> = (0..workers).map(pool).collect::<Result<_>>()?;
        let results = thread::scope(|scope| {
            let start = |(pool, transport)| {
                let run = &run;
                let install = move || ThreadPool::install(pool, || run(transport));
                scope.spawn(install)
            };
            let running: Vec<_> = pools.iter().zip(transports).map(start).collect();
            let ended = running.into_iter().map(|worker| worker.join());
            ended
                .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        let (certified, sweeps) = joined(results)?;
        Ok(self.scores(certified, true, sweeps, stop))
    }

    /// The scores of the nodes of a worker, and the number of sweeps.
    pub(super) fn work(
        &self,
        shards: &Shards,
        exchange: &mut Exchange,
        room: &Room,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<(Certified, u32)> {
        let n = shards.plan().nodes as usize;
        let range = range_of(shards, exchange.index(), exchange.workers());
        let range = local(shards, range);
        let preference = part_of(&self.preference, &range);
        let dangling = self.dangling_distribution().map(|u| part_of(u, &range));
        let equation = Equation {
            num_nodes: n,
            alpha: self.damping.get(),
            preference: &preference,
            dangling: dangling.as_ref(),
        };
        let scores = self.first_scores_of(n, range);
        let sharded = Sharded::new(shards, exchange, room, equation, scores, progress)?;
        progress.begin("iterate", None);
        let mut solver = Solver::new(Box::new(sharded), self.damping.get(), stop, progress);
        let certified = solver.solve(stop.tolerance.get())?;
        progress.end();
        Ok((certified, solver.iterations()))
    }
}

/// The scores of all nodes, or the first error that does not only report that of another worker.
fn joined(results: Vec<Result<(Certified, u32)>>) -> Result<(Certified, u32)> {
    let mut parts = Vec::new();
    let mut reported = None;
    for result in results {
        match result {
            Ok(part) => parts.push(part),
            Err(problem @ Error::Worker { .. }) => reported = Some(problem),
            Err(problem) => return Err(problem),
        }
    }
    if let Some(problem) = reported {
        return Err(problem);
    }
    let (bound, sweeps) = parts
        .last()
        .map_or((0.0, 0), |(part, sweeps)| (part.bound, *sweeps));
    let scores = parts.into_iter().flat_map(|(part, _)| part.scores);
    let scores = scores.collect();
    Ok((Certified { scores, bound }, sweeps))
}

/// Nodes counted from the first of the graph.
fn local(shards: &Shards, range: Range64) -> std::ops::Range<usize> {
    let first = shards.plan().range().start;
    let place = |node: u64| node.saturating_sub(first) as usize;
    place(range.start)..place(range.end)
}

/// A distribution, of some nodes only.
fn part_of(distribution: &Distribution, range: &std::ops::Range<usize>) -> Distribution {
    match distribution {
        Distribution::Uniform => Distribution::Uniform,
        Distribution::Dense(weights) => Distribution::Dense(weights[range.clone()].into()),
    }
}

/// The error of a parameter that shards exclude.
fn needs_whole(parameter: &'static str, value: impl std::fmt::Display) -> Error {
    match needs_memory(parameter, value) {
        Error::Argument { name, value, .. } => Error::argument(
            name,
            value,
            "the graph is cut into shards, which allow one column by the power method: name the graph \
             that was cut",
        ),
        other => other,
    }
}
