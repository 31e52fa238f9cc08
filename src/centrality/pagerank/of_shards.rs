//! PageRank of a graph that is cut into shards, by workers that are threads of this process.

use super::PageRank;
use super::certificate::Certified;
use super::equation::Equation;
use super::methods::sharded::{Sharded, range_of};
use super::parameters::Method;
use super::solver::Solver;
use super::walk::Distribution;
use crate::centrality::pagerank::compute::needs_memory;
use crate::cluster::threads::Threads;
use crate::error::{Error, Result};
use crate::graph::shards::{Range64, Shards};
use crate::linear::StopRule;
use crate::output::Room;
use crate::progress::{Progress, Unheard};
use crate::scores::Scores;
use std::panic::resume_unwind;
use std::thread;

/// The bytes a node of a worker: scores, shares and their sums, inflows, outdegrees, the last change;
/// for each of two graphs, the row of each node while rows are packed.
pub(super) const OF_NODE: u64 = 8 * 4 + 4 * 2 + 44;

impl PageRank {
    /// The number of workers.
    fn num_workers(&self, shards: &Shards) -> Result<usize> {
        let parts = shards.plan().parts.len();
        let workers = self.workers.map_or(1, std::num::NonZeroUsize::get);
        if workers > parts {
            let remedy = format!("there are {parts} parts: give at most as many workers, or cut the graph again");
            return Err(Error::argument("workers", workers, remedy));
        }
        Ok(workers)
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
        if self.preference.weights().is_some_and(|weights| weights.iter().any(is_zero)) {
            let remedy = "on shards, every node must have a positive weight: name the graph that was cut";
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
        let n = shards.plan().nodes as usize;
        let first = self.first_scores(n);
        let room = room.part(100 / workers as u64);
        // The threads of this pool, shared out.
        let threads = (rayon::current_num_threads() / workers).max(1);
        let work = |mut exchange: Threads, progress: &dyn Progress| {
            let range = local(shards, range_of(shards, exchange_index(&exchange), workers));
            let preference = part_of(&self.preference, &range);
            let dangling = self.dangling_distribution().map(|u| part_of(u, &range));
            let equation = Equation {
                num_nodes: n,
                alpha: self.damping.get(),
                preference: &preference,
                dangling: dangling.as_ref(),
            };
            let scores = first[range].to_vec();
            let sharded = Sharded::new(shards, &mut exchange, &room, equation, scores, progress)?;
            progress.begin("iterate", None);
            let mut solver = Solver::new(Box::new(sharded), self.damping.get(), stop, progress);
            let certified = solver.solve(stop.tolerance.get())?;
            let sweeps = solver.iterations();
            progress.end();
            drop(solver);
            exchange.done();
            Ok((certified, sweeps))
        };
        let mut exchanges = Threads::new(workers);
        let unheard = Unheard(progress);
        let results = match workers {
            1 => vec![work(exchanges.remove(0), progress)],
            _ => thread::scope(|scope| {
                let run = |(index, exchange)| {
                    let (work, unheard) = (&work, &unheard);
                    scope.spawn(move || {
                        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                        let pool = pool.map_err(|problem| {
                            Error::argument("workers", workers, format!("the system refuses to start threads: {problem}"))
                        })?;
                        pool.install(|| match index {
                            0 => work(exchange, progress),
                            _ => work(exchange, unheard),
                        })
                    })
                };
                let running: Vec<_> = exchanges.into_iter().enumerate().map(run).collect();
                let ended = running.into_iter().map(|worker| worker.join());
                ended.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
            }),
        };
        let (certified, sweeps) = joined(results)?;
        Ok(self.scores(certified, true, sweeps, stop))
    }
}

fn exchange_index(exchange: &Threads) -> usize {
    crate::cluster::Exchange::index(exchange)
}

/// The scores of all nodes, or the error that came first to mind: workers that stop because another
/// has failed say only that they were interrupted.
fn joined(results: Vec<Result<(Certified, u32)>>) -> Result<(Certified, u32)> {
    let mut all = Certified {
        scores: Vec::new(),
        bound: 0.0,
    };
    let (mut sweeps, mut problem) = (0, None);
    for result in results {
        match (result, &problem) {
            (Ok((part, of_part)), _) => {
                all.scores.extend(part.scores);
                (all.bound, sweeps) = (part.bound, of_part);
            }
            (Err(Error::Interrupted), Some(_)) => {}
            (Err(Error::Interrupted), None) => problem = Some(Error::Interrupted),
            (Err(other), None | Some(Error::Interrupted)) => problem = Some(other),
            (Err(_), Some(_)) => {}
        }
    }
    problem.map_or(Ok((all, sweeps)), Err)
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
