//! A run on shards.

use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use webrank_base::checkpoint::unkept;
use webrank_base::error::{Error, Result};
use webrank_base::limits::{Limits, Tolerance};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::delivery::Gathered;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, LocalSizes, Traffic, Workers};
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_graph::shards::Shards;
use webrank_linear::runs::compact::pack::bytes_of_smallest_windows;
use webrank_measure::form::RowStorage;
use webrank_measure::form::needs_whole;
use webrank_measure::{Measure, StoragePlan, iteration_parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores};

/// The bytes of parts of files that are read.
const PARTS: u64 = 4 << 20;

/// The bytes a node of a worker besides vectors: its outdegree and its row in each of two graphs.
pub const OF_NODE: u64 = 4 * 2;

/// The bytes a node while rows are packed.
const OF_PACKING: u64 = 44;

/// The bytes of a node elsewhere that gets a sum, or gives one: its number, its row, its sum.
pub const OF_TOUCHED: u64 = 24;

/// The bytes a node of the ranking, which worker 0 makes.
const OF_RANKED: u64 = 16;

/// A measure that several workers compute together, if the graph is cut.
pub trait Distributed: Measure {
    /// The workers.
    fn team(&self) -> &Workers;

    /// Does the part of this process. Worker 0 has the scores of all nodes.
    ///
    /// # Errors
    /// If the graph is not cut; if a parameter needs the whole graph; if a part is damaged; if a worker
    /// cannot be reached in time, has another graph, parameters or version, or fails.
    fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<WorkerResult>;

    /// [`Self::compute_distributed`] within the limits, for a process that is not worker 0, which ranks.
    ///
    /// # Errors
    /// As for [`Self::compute_distributed`]; if memory is short; unless `allows_unconverged`, if a tolerance
    /// is not reached.
    fn assist(
        &self,
        graph: &Graph,
        limits: &Limits,
        allows_unconverged: bool,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        self.plan(graph, limits)?;
        let worked = self.compute_distributed(graph, limits, progress)?;
        if !allows_unconverged {
            // There is a tolerance, if the measure has one.
            worked.converged(limits.tolerance_or(0.0))?;
        }
        Ok(worked)
    }
}

/// The result of a worker.
pub struct WorkerResult {
    /// The columns, which worker 0 has: of all nodes, unless they are in parts of a table.
    pub delivered: Option<Gathered>,
    /// The status and the error bound of each column.
    pub outcomes: Vec<Outcome>,
    /// Sentences for people.
    pub notes: Vec<String>,
    /// The bytes that workers have sent, and their waits.
    pub account: Traffic,
}

impl WorkerResult {
    /// Fails unless every column is within the tolerance.
    ///
    /// # Errors
    /// As for [`Ranked::converged`].
    pub fn converged(&self, tolerance: Tolerance) -> Result<()> {
        let mut outcomes = self.outcomes.iter();
        outcomes.try_for_each(|outcome| outcome.converged(tolerance.get()))
    }
}

/// A measure on shards: who computes it, and what they hold.
pub struct OnShards<'a> {
    pub(crate) measure: &'static str,
    pub(crate) team: &'a Workers,
    pub(crate) graph: &'a Graph,
    pub(crate) shards: &'a Shards,
    /// The bytes a node of a worker, for packing and vectors.
    pub(crate) of_node: u64,
    /// How many of them are still held when scores are delivered.
    pub(crate) keeps: u64,
    /// The bytes of a node elsewhere, for each part with arcs to it.
    pub(crate) of_touched: u64,
    /// The bytes a node of the graph, in every process.
    pub(crate) of_all: u64,
    /// The columns of scores.
    pub(crate) columns: u64,
    /// The bytes that are less because not all nodes are live.
    pub(crate) spared: u64,
    /// The bytes that are held at least, while parts are opened.
    pub(crate) least: u64,
    /// The folder of temporary files; none for the system's.
    pub(crate) temp: Option<&'a Path>,
}

impl<'a> OnShards<'a> {
    /// A measure with one column that holds vectors of so many bytes a node of a worker.
    ///
    /// # Errors
    /// If the graph is not cut, or into fewer parts than workers, or if its arcs have weights.
    pub(crate) fn new(
        measure: &'static str,
        team: &'a Workers,
        graph: &'a Graph,
        vectors: u64,
    ) -> Result<Self> {
        let missing = || {
            Error::argument(
                "hosts",
                team.count(),
                "the graph is not cut: see rank shard",
            )
        };
        let shards = team.shards(graph)?.ok_or_else(missing)?;
        if graph.has_weights() {
            return Err(needs_whole("weights", "given"));
        }
        Ok(OnShards {
            measure,
            team,
            graph,
            shards,
            of_node: OF_PACKING + vectors,
            keeps: vectors,
            of_touched: 0,
            of_all: 0,
            columns: 1,
            spared: 0,
            least: 0,
            temp: None,
        })
    }

    /// The bytes that this process holds besides rows: of the nodes of its workers, and if it writes the
    /// scores, of all.
    pub(crate) fn needs(&self) -> u64 {
        let size = Size::of(self.graph);
        let LocalSizes { nodes, touched, .. } = self.team.held(self.shards);
        let held = Size { nodes, ..size };
        let ranking = match (&self.team.table, self.team.me()) {
            (Some(_), _) => {
                let delivery = self.team.needs_of_delivery(self.shards, held.nodes, false);
                delivery + 8 * self.columns * held.nodes
            }
            (None, 0) => (OF_RANKED + 8 * self.columns).saturating_mul(size.nodes),
            (None, _) => 0,
        };
        // The memory of packing and sweeps serves the ranking.
        let free = ((self.of_node - self.keeps) * held.nodes).saturating_sub(self.spared);
        let worked = needs_of_part(held, self.of_node, touched)
            + self.of_touched.saturating_mul(touched)
            - self.spared;
        worked.max(self.least)
            + ranking.saturating_sub(free)
            + self.of_all.saturating_mul(size.nodes)
    }

    /// The form, for those who plan.
    pub(crate) fn plans(&self) -> Vec<StoragePlan> {
        vec![StoragePlan {
            name: "shards",
            bytes: self.needs(),
            takes_more: true,
        }]
    }

    /// Does a job with the rows of each worker.
    ///
    /// # Errors
    /// As for [`Self::run_with`].
    pub(crate) fn run<T: Send>(
        &self,
        limits: &Limits,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
        job: impl Fn(&mut Exchange, &LocalPartition, &SpillBudget, &dyn Progress) -> Result<T> + Sync,
    ) -> Result<T> {
        self.run_with(
            limits,
            parameters,
            progress,
            |exchange: &mut Exchange, room: &SpillBudget, progress: &dyn Progress| {
                let pieces = LocalPartition::open(self.shards, exchange, room, progress)?;
                job(exchange, &pieces, room, progress)
            },
        )
    }

    /// Does a job that opens the rows of each worker itself.
    ///
    /// # Errors
    /// As for the job and [`Workers::run`]; if a part is damaged.
    pub(crate) fn run_with<T: Send>(
        &self,
        limits: &Limits,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
        job: impl Fn(&mut Exchange, &SpillBudget, &dyn Progress) -> Result<T> + Sync,
    ) -> Result<T> {
        let folder = self.temp.map_or_else(std::env::temp_dir, Path::to_owned);
        let room = SpillBudget {
            bytes: self.team.share(limits.left_after(self.needs())),
            folder: Some(Arc::new(TemporaryFolder::create(&folder)?)),
        };
        // Measures may have the same parameters.
        let mut parameters = parameters.clone();
        parameters.insert("measure".into(), self.measure.into());
        let work =
            |exchange: &mut Exchange, progress: &dyn Progress| job(exchange, &room, progress);
        self.team.run(self.shards, &parameters, progress, work)
    }

    /// Ends the work of a worker, which has these columns for its nodes. `bound` is the l1 error of the
    /// first, for measures that prove ranks.
    ///
    /// # Errors
    /// As for [`Workers::deliver`].
    pub(crate) fn worked(
        &self,
        exchange: &mut Exchange,
        columns: Vec<(String, Scores)>,
        bound: Option<f64>,
        notes: Vec<String>,
    ) -> Result<WorkerResult> {
        let account = exchange.account()?;
        let outcomes = columns.iter().map(|(_, scores)| scores.run.outcome.clone());
        let outcomes = outcomes.collect();
        let (graph, shards) = (self.graph, self.shards);
        Ok(WorkerResult {
            delivered: self.team.deliver(exchange, graph, shards, columns, bound)?,
            outcomes,
            notes,
            account,
        })
    }

    /// The entry of a manifest on workers that have done this.
    pub(crate) fn described(&self, account: Traffic) -> Value {
        let division = self.team.division(self.shards);
        let planned = || division.bytes_of_sweep(self.shards.plan());
        let bytes = account.bytes_a_sweep.unwrap_or_else(planned);
        let mut form = self.team.described(self.shards, account);
        form["bytes_a_sweep"] = bytes.into();
        form
    }

    /// Has a measure computed, by default to this tolerance; worker 0 makes a ranking.
    ///
    /// # Errors
    /// As for [`Distributed::compute_distributed`]; if this process is not worker 0.
    pub(crate) fn rank(
        &self,
        measure: &impl Distributed,
        tolerance: f64,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let worked = measure.compute_distributed(self.graph, limits, progress)?;
        phases.done("iterate");
        let ranked = self.ranked(worked, phases)?;
        Ok(ranked.within(limits.tolerance_or(tolerance)))
    }

    /// The ranking that worker 0 makes.
    ///
    /// # Errors
    /// If this process is not worker 0, or a score is not a number.
    pub(crate) fn ranked(&self, mut worked: WorkerResult, phases: Phases) -> Result<Ranked> {
        let notes = std::mem::take(&mut worked.notes);
        let (Gathered { columns, in_parts }, account) = self.delivered(worked)?;
        let ranked = match in_parts {
            Some(parts) => parts.ranked(self.graph, columns, phases)?,
            None => Ranked::new(self.graph, columns, phases)?,
        };
        Ok(ranked.swept(self.described(account)).noting(notes))
    }

    /// The columns that worker 0 has, and what workers have sent.
    ///
    /// # Errors
    /// If this process is not worker 0.
    pub(crate) fn delivered(&self, worked: WorkerResult) -> Result<(Gathered, Traffic)> {
        let missing = || Error::argument("process", self.team.me(), "only worker 0 ranks");
        Ok((worked.delivered.ok_or_else(missing)?, worked.account))
    }
}

/// The bytes that a process holds besides rows and ranking for so many nodes and arcs from them, where
/// a node takes so many for packing and vectors; arcs from and to so many nodes lead elsewhere, a node
/// counting for each part.
pub fn needs_of_part(size: Size, of_node: u64, touched: u64) -> u64 {
    size.bytes_without_rows(OF_NODE + of_node)
        + OF_TOUCHED.saturating_mul(touched)
        + PARTS
        + bytes_of_smallest_windows(size.nodes, size.arcs)
}

/// The forms of a measure: on shards if the graph is cut for its workers, otherwise those on the whole
/// graph.
pub fn plans_of(
    on: Result<OnShards>,
    whole: impl FnOnce() -> Vec<StoragePlan>,
) -> Vec<StoragePlan> {
    on.map_or_else(|_| whole(), |on| on.plans())
}

/// The parameters on which the bits of a run depend, for an iteration that is kept on shards only.
///
/// # Errors
/// If the graph is not cut.
pub fn kept_on_shards(
    measure: &(impl Measure + Serialize),
    graph: &Graph,
    tolerance: Tolerance,
    limits: &Limits,
) -> Result<Map<String, Value>> {
    match graph.shards() {
        Some(_) => Ok(iteration_parameters(
            measure,
            tolerance,
            limits.iterations(),
        )),
        None => Err(unkept(&format!(
            "{} of a graph that is not cut",
            measure.name()
        ))),
    }
}

/// # Errors
/// If a form of rows is requested: parts have their own.
pub(super) fn check_form(form: RowStorage) -> Result<()> {
    match form {
        RowStorage::Auto => Ok(()),
        _ => Err(needs_whole("form", form.name())),
    }
}

/// A column of a worker's nodes, with its header.
pub(crate) fn column(
    header: &str,
    values: Vec<f64>,
    (measure, method): (&'static str, &'static str),
    parameters: &Map<String, Value>,
    outcome: Outcome,
) -> (String, Scores) {
    let run = Run {
        measure,
        method,
        parameters: parameters.clone(),
        outcome,
    };
    (header.into(), Scores::new(values.into(), run))
}

/// Numbers of a worker's nodes in units in which those of all nodes sum to one.
///
/// # Errors
/// If another worker fails.
pub(crate) fn as_distribution(products: &mut Products, units: &[u64]) -> Result<Vec<f64>> {
    let total = products.sum(units)? as f64;
    Ok(units.iter().map(|&unit| unit as f64 / total).collect())
}
