//! HyperBall and samples on a graph that is cut into shards, by several workers.
//!
//! Parts have the rows of predecessors, so distances are incoming ones.

use super::distances::{DistanceDistribution, Distances, estimate_along};
use super::hyperball::{HyperballEstimate, estimate_among};
use super::sampled::{SampleOnShards, bytes_of_held, needs_groups};
use super::{DistanceMethod, DistanceScores, Geometric, choice};
use crate::traversal::hyperball::{BallRows, Counters, PartRows, Slicing};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::progress::Progress;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::{Division, Exchange, Workers};
use webrank_graph::Size;
use webrank_graph::shards::{Plan, Shards};
use webrank_graph::{Direction, Graph};
use webrank_linear::runs::compact::pack::bytes_of_windows;
use webrank_measure::Measure;

/// The bytes of a node in the distinct rows of two graphs, without the rows; its outdegree and its
/// number of neighbours.
const OF_NODE: u64 = 2 * 16 + 8;

/// The bytes of a node while the rows of two graphs are packed.
const OF_NODE_PACKING: u64 = 2 * 44 + 8;

/// The bytes of a node of another worker, or of another part, besides its registers.
const OF_TOUCHED: u64 = 32;

/// Distances on shards.
pub(super) struct DistancesOnShards<'a> {
    pub(super) team: &'a Workers,
    pub(super) shards: &'a Shards,
    pub(super) counters: Counters,
    /// The folder of temporary files.
    pub(super) temp: &'a Path,
}

impl DistancesOnShards<'_> {
    /// The least bytes of this process with HyperBall: what is held besides, rows, and counters.
    pub(super) fn needs(&self, besides: u64) -> u64 {
        self.needs_with(besides, |counted| self.counters.least_memory(counted))
    }

    /// The least bytes of this process, given those of so many nodes.
    fn needs_with(&self, besides: u64, of_nodes: impl Fn(usize) -> u64) -> u64 {
        let held = self.team.held(self.shards).nodes;
        self.besides_counters(besides) + of_nodes(self.counted(held))
    }

    fn besides_counters(&self, besides: u64) -> u64 {
        besides + besides_counters(self.shards.plan(), self.team.held(self.shards).nodes)
    }

    fn counted(&self, held: u64) -> usize {
        counted(self.shards.plan(), held)
    }

    /// Does a job with HyperBall's counters and the rows of each worker.
    ///
    /// # Errors
    /// As for the job and [`Workers::run`]; if a part is damaged.
    pub(super) fn run<T: Send>(
        &self,
        besides: u64,
        limits: &Limits,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
        job: impl Fn(&mut Exchange, BallRows, Slicing, &dyn Progress) -> Result<T> + Sync,
    ) -> Result<T> {
        let plan = |exchange: &mut Exchange, counted: usize, left: u64| {
            let slicing = self.slicing(exchange, counted, left)?;
            let bytes = slicing.memory(self.counters, counted);
            Ok((slicing, bytes))
        };
        let job = |exchange: &mut Exchange, rows: &PartRows, slicing, progress: &dyn Progress| {
            job(exchange, BallRows::Parts(rows), slicing, progress)
        };
        self.run_with(plan, besides, limits, parameters, progress, job)
    }

    /// Does a job with the rows of each worker. A plan for so many nodes and bytes that are left says how many of these
    /// it takes.
    fn run_with<P, T: Send>(
        &self,
        plan: impl Fn(&mut Exchange, usize, u64) -> Result<(P, u64)> + Sync,
        besides: u64,
        limits: &Limits,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
        job: impl Fn(&mut Exchange, &PartRows, P, &dyn Progress) -> Result<T> + Sync,
    ) -> Result<T> {
        let left = self
            .team
            .share(limits.left_after(self.besides_counters(besides)));
        let folder = Arc::new(TemporaryFolder::create(self.temp)?);
        let work = |exchange: &mut Exchange, progress: &dyn Progress| {
            let division = Division::new(self.shards.plan(), exchange.weights());
            let counted = self.counted(division.num_nodes(exchange.index()));
            let (plan, taken) = plan(exchange, counted, left)?;
            let room = SpillBudget {
                bytes: left.saturating_sub(taken),
                folder: Some(folder.clone()),
            };
            let pieces = LocalPartition::open(self.shards, exchange, &room, progress)?;
            let rows = PartRows::new(pieces, exchange)?;
            job(exchange, &rows, plan, progress)
        };
        self.team.run(self.shards, parameters, progress, work)
    }

    /// The slices that all workers have room for.
    fn slicing(&self, exchange: &mut Exchange, counted: usize, left: u64) -> Result<Slicing> {
        let own = Slicing::within(self.counters, counted, left, self.temp.into());
        let widths = exchange.gather([own.log2_width().into()])?;
        let narrowest = widths.into_iter().map(|[width]| width as u32).min();
        Slicing::of(self.counters, narrowest.unwrap_or(0), self.temp.into())
    }
}

/// The bytes that a worker with so many nodes takes besides the process, with all registers of its
/// counters in memory, and rows in a file.
pub fn memory_of_worker(plan: &Plan, counters: Counters, held: u64) -> u64 {
    besides_counters(plan, held) + counters.memory(counted(plan, held))
}

/// The bytes that a worker takes besides counters and scores.
fn besides_counters(plan: &Plan, held: u64) -> u64 {
    let rows = held * OF_NODE.max(OF_NODE_PACKING) + plan.num_touched() * OF_TOUCHED;
    rows + bytes_of_windows(held, plan.arcs)
}

/// The nodes of a worker and those that counters are sent for, as counters.
fn counted(plan: &Plan, held: u64) -> usize {
    (held + plan.num_touched() / 2) as usize
}

/// The refusal of a method.
fn refused(method: &str, others: &str) -> Error {
    let remedy =
        format!("the graph is cut into shards, which allow {others}: name the graph that was cut");
    Error::argument("method", method, remedy)
}

/// Scores, notes on how they were found, and what workers have done for it.
type OnShards = (DistanceScores, Vec<String>, Value);

impl Geometric {
    /// The least bytes of this process.
    pub(super) fn needs_of_shards(&self, graph: &Graph, shards: &Shards) -> u64 {
        let (on_shards, besides) = (self.on_shards(shards), self.besides_shards(graph, shards));
        match self.method {
            DistanceMethod::Sample => {
                let n = shards.plan().nodes as usize;
                let by_groups = needs_groups(&self.measures(), n, self.sample());
                on_shards.needs_with(besides, |nodes| self.of_sampled(shards, nodes, by_groups))
            }
            _ => on_shards.needs(besides),
        }
    }

    /// The bytes of a sample at so many nodes.
    fn of_sampled(&self, shards: &Shards, nodes: usize, by_groups: bool) -> u64 {
        let n = shards.plan().nodes as usize;
        nodes as u64 * bytes_of_held(&self.measures(), n, by_groups)
    }

    fn on_shards<'a>(&'a self, shards: &'a Shards) -> DistancesOnShards<'a> {
        DistancesOnShards {
            team: &self.team,
            shards,
            counters: self.counters,
            temp: &self.temp,
        }
    }

    /// The bytes of this process for columns.
    fn besides_shards(&self, graph: &Graph, shards: &Shards) -> u64 {
        let (size, held) = (Size::of(graph), self.team.held(shards).nodes);
        match (&self.team.table, self.team.me()) {
            (Some(_), _) => {
                let delivery = self.team.needs_of_delivery(shards, held, true);
                size.base + held * self.of_columns() + delivery
            }
            (None, 0) => size.bytes_without_rows(20 + self.of_columns()),
            (None, _) => size.base + held * self.of_columns(),
        }
    }

    /// Estimates on shards, notes on how they were found, and what workers have done for it: the same
    /// bits as on the whole graph, for any number of parts, workers and threads. Worker 0 has those of
    /// all nodes, the others nothing.
    ///
    /// # Errors
    /// If another method is requested, or outgoing distances; if a part is damaged; if a worker cannot
    /// be reached in time, has another graph, parameters or version, or fails.
    #[doc(hidden)]
    pub fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<OnShards>> {
        let shards = self.team.shards(graph)?.ok_or_else(|| {
            let remedy = "the graph is not cut: see rank shard";
            Error::argument("hosts", self.team.count(), remedy)
        })?;
        if self.method == DistanceMethod::Exact {
            return Err(refused("exact", "hyperball and sample"));
        }
        if self.direction == Direction::Out {
            let remedy = "the graph is cut into shards, which allow incoming distances: cut its \
                          transpose, or name the graph that was cut";
            return Err(Error::argument("direction", "out", remedy));
        }
        let besides = self.besides_shards(graph, shards);
        if self.method == DistanceMethod::Sample {
            return self.sample_distributed(graph, shards, besides, limits, progress);
        }
        let hyperball = self.clone().method(DistanceMethod::Hyperball);
        let parameters = hyperball.kept_parameters(graph, limits)?;
        let work =
            |exchange: &mut Exchange, rows: BallRows, slicing: Slicing, progress: &dyn Progress| {
                let notes = choice::of_slices(&slicing, self.counters);
                let measures = self.measures();
                let asked = HyperballEstimate {
                    direction: self.direction,
                    measures: &measures,
                    counters: self.counters,
                    slicing,
                    confidence: self.confidence,
                };
                let n = shards.plan().nodes as usize;
                let found = estimate_among(exchange, rows, n, asked, progress)?;
                let notes = notes.into_iter().collect();
                self.delivered(exchange, graph, shards, (found, notes))
            };
        self.on_shards(shards)
            .run(besides, limits, &parameters, progress, work)
    }

    /// A sample on shards, as for [`Self::compute_distributed`].
    fn sample_distributed(
        &self,
        graph: &Graph,
        shards: &Shards,
        besides: u64,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<OnShards>> {
        let mut parameters = self.kept_parameters(graph, limits)?;
        parameters.insert("intervals".into(), json!(self.intervals));
        let plan = |_: &mut Exchange, nodes: usize, left: u64| {
            let bytes = |by_groups| self.of_sampled(shards, nodes, by_groups);
            let has_room = bytes(true) <= left;
            Ok((has_room, bytes(has_room)))
        };
        let work = |exchange: &mut Exchange, rows: &PartRows, has_room, progress: &dyn Progress| {
            let sample = SampleOnShards {
                rows,
                measures: &self.measures(),
                wanted: self.sample(),
                num_nodes: shards.plan().nodes as usize,
                has_room,
            };
            let found = sample.run(exchange, progress)?;
            self.delivered(exchange, graph, shards, found)
        };
        self.on_shards(shards)
            .run_with(plan, besides, limits, &parameters, progress, work)
    }

    /// Delivers the columns of all workers to worker 0, or to a table.
    fn delivered(
        &self,
        exchange: &mut Exchange,
        graph: &Graph,
        shards: &Shards,
        (found, notes): (DistanceScores, Vec<String>),
    ) -> Result<Option<OnShards>> {
        let done = self.team.described(shards, exchange.account()?);
        let columns = self.headed(found.scores);
        let delivered = self.team.deliver(exchange, graph, shards, columns, None)?;
        Ok(delivered.map(|delivered| {
            let columns = delivered.columns.into_iter();
            let scores = columns.map(|(_, scores)| scores).collect();
            let found = DistanceScores { scores, ..found };
            (found, notes, done)
        }))
    }
}

impl DistanceDistribution {
    pub(super) fn on_shards<'a>(&'a self, shards: &'a Shards) -> DistancesOnShards<'a> {
        DistancesOnShards {
            team: &self.team,
            shards,
            counters: self.counters,
            temp: &self.temp,
        }
    }

    /// HyperBall's estimates on shards.
    pub(super) fn compute_distributed(
        &self,
        graph: &Graph,
        shards: &Shards,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Distances> {
        match self.method {
            DistanceMethod::Auto | DistanceMethod::Hyperball => {}
            DistanceMethod::Exact => return Err(refused("exact", "hyperball")),
            DistanceMethod::Sample => return Err(refused("sample", "hyperball")),
        }
        if self.diameter {
            let remedy = "the graph is cut into shards: name the graph that was cut";
            return Err(Error::argument("diameter", "given", remedy));
        }
        let (counters, n) = (self.counters, shards.plan().nodes as usize);
        let parameters = [
            ("measure", "distances".into()),
            ("log2m", counters.log2m().into()),
            ("seed", counters.seed.into()),
        ];
        let parameters = parameters.map(|(name, value)| (name.to_owned(), value));
        let work =
            |exchange: &mut Exchange, rows: BallRows, slicing: Slicing, progress: &dyn Progress| {
                let notes = choice::of_slices(&slicing, counters);
                let found = estimate_along(exchange, rows, n, counters, slicing, progress)?;
                Ok(Distances {
                    notes: notes.into_iter().collect(),
                    ..found
                })
            };
        self.on_shards(shards).run(
            Size::of(graph).base,
            limits,
            &parameters.into_iter().collect(),
            progress,
            work,
        )
    }
}
