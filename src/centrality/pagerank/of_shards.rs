//! PageRank of a graph that is cut into shards, by several workers.

use super::PageRank;
use super::equation::Equation;
use super::form::PARTS;
use super::methods::sharded::Sharded;
use super::parameters::Method;
use super::reach_shards::{self, Held};
use super::solver::Solver;
use super::walk::Distribution;
use crate::centrality::Measure;
use crate::centrality::form::{Form, needs_memory};
use crate::cluster::delivery::Delivered;
use crate::cluster::pieces::Pieces;
use crate::cluster::{Account, Division, Exchange};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::shards::{Range64, Shards};
use crate::limits::Limits;
use crate::linear::StopRule;
use crate::linear::runs::compact::pack;
use crate::memory::Size;
use crate::output::Room;
use crate::progress::Progress;
use crate::scores::Scores;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;

/// The bytes a node of a worker: scores, sums of shares, inflows, outdegrees, the last change;
/// for each of two graphs, the row of each node while rows are packed.
const OF_NODE: u64 = 8 * 3 + 4 * 2 + 44;

/// The bytes of a node elsewhere that gets a sum, or gives one: its number, its row, its sum.
const OF_TOUCHED: u64 = 24;

/// The bytes a node of the scores of all workers, and their ranking.
const OF_RANKED: u64 = 24;

/// How scores are described, given those of PageRank.
pub type Finish<'a> = dyn Fn(Scores) -> Scores + Sync + 'a;

/// What a worker has when all are done.
#[doc(hidden)]
pub struct Worked {
    /// The scores of all nodes, which worker 0 has, unless they are in parts of a table.
    pub delivered: Option<Delivered>,
    /// The certified bound on their l1 error.
    pub bound: f64,
    /// Sweeps over the graph.
    pub sweeps: u32,
    /// What workers have sent and waited.
    pub account: Account,
}

impl PageRank {
    /// The bytes held by this process: of the nodes of its workers, and if it writes the scores, of all.
    pub(super) fn needs_of_shards(&self, graph: &Graph, size: Size) -> u64 {
        let held = graph
            .shards()
            .map_or(size.nodes, |shards| self.team.nodes_held(shards));
        let ranked = match (self.team.table.as_ref().zip(graph.shards()), self.team.me()) {
            // What iterations hold serves the ranking.
            (Some((_, shards)), _) => self
                .team
                .needs_of_delivery(shards, held, false)
                .saturating_sub(OF_NODE * held),
            (None, 0) => Self::needs_of_first(size.nodes),
            (None, _) => 0,
        };
        let touched = graph
            .shards()
            .map_or(0, |shards| self.team.touched_held(shards));
        let size_held = Size {
            nodes: held,
            ..size
        };
        self.needs_of_part(size_held, touched) + ranked + self.vectors().saturating_mul(size.nodes)
    }

    /// The bytes that the first worker holds besides, for the ranking of so many nodes.
    pub fn needs_of_first(nodes: u64) -> u64 {
        OF_RANKED.saturating_mul(nodes)
    }

    /// The bytes that one process holds for so many nodes and arcs from them, besides rows and ranking;
    /// arcs from and to so many nodes lead elsewhere, a node counting for each part.
    pub fn needs_of_part(&self, size: Size, touched: u64) -> u64 {
        let windows = pack::bytes_of_windows(size.nodes, size.arcs);
        size.bytes_without_rows(OF_NODE) + OF_TOUCHED.saturating_mul(touched) + PARTS + windows
    }

    /// The ranking by scores on shards, which are `finished` first.
    pub(super) fn sharded(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        progress: &dyn Progress,
        finished: &Finish,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let worked = self.among_workers(graph, limits, stop, progress, finished)?;
        phases.done("iterate");
        let missing = || Error::argument("process", self.team.me(), "only worker 0 ranks");
        let delivered = worked.delivered.ok_or_else(missing)?;
        let shards = self.shards(graph)?;
        let mut form = self.team.described(shards, worked.account);
        let division = self.team.division(shards);
        form["bytes_a_sweep"] = division.bytes_of_sweep(shards.plan()).into();
        self.unproved(graph, delivered, form, phases)
    }

    /// Computes PageRank by the power method on shards, to a certified l1 error: the same bits as
    /// [`super::pagerank_streamed`], for any number of parts, workers and threads. Worker 0 has the
    /// scores of all nodes.
    ///
    /// # Errors
    /// As for [`super::pagerank_streamed`]; if a part is damaged; if a worker cannot be reached in
    /// time, has another graph, parameters or version, or fails.
    #[doc(hidden)]
    pub fn among_workers(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        progress: &dyn Progress,
        finished: &Finish,
    ) -> Result<Worked> {
        let shards = self.shards(graph)?;
        self.check_shards(stop)?;
        let (room, _) = self.forms(graph).room(Form::Shards, limits)?;
        let room = match self.team.is_spread() {
            true => room,
            false => room.part(100 / self.team.count() as u64),
        };
        let parameters = self.kept_parameters(graph, limits)?;
        self.warn_of_roundings(graph.num_arcs(), stop, progress);
        self.team
            .run(shards, &parameters, progress, |exchange, progress| {
                self.work(graph, exchange, &room, stop, progress, finished)
            })
    }

    fn shards<'g>(&self, graph: &'g Graph) -> Result<&'g Shards> {
        let missing = || Error::argument("form", "shards", "the graph is not cut: see rank shard");
        self.team.shards(graph)?.ok_or_else(missing)
    }

    /// # Errors
    /// If the parameters request something that shards do not allow.
    fn check_shards(&self, stop: &StopRule) -> Result<()> {
        if self.method != Method::Power {
            return Err(needs_whole("method", self.method.name()));
        }
        if let Some(parameter) = self.columns.parameter() {
            return Err(needs_whole(parameter, "given"));
        }
        if let Some(k) = stop.certify_top {
            return Err(needs_whole("certify_top", k));
        }
        Ok(())
    }

    /// Does the part of a worker.
    fn work(
        &self,
        graph: &Graph,
        exchange: &mut Exchange,
        room: &Room,
        stop: &StopRule,
        progress: &dyn Progress,
        finished: &Finish,
    ) -> Result<Worked> {
        let shards = self.shards(graph)?;
        let n = shards.plan().nodes as usize;
        let division = Division::new(shards.plan(), exchange.weights());
        let range = local(shards, division.nodes(exchange.index()));
        let preference = part_of(&self.preference, &range);
        let dangling = self.dangling_distribution().map(|u| part_of(u, &range));
        let equation = Equation {
            num_nodes: n,
            alpha: self.damping.get(),
            preference: &preference,
            dangling: dangling.as_ref(),
        };
        let scores = self.first_scores_of(n, range);
        let pieces = Pieces::open(shards, exchange, room, progress)?;
        let sharded = Sharded::new(&pieces, exchange, shards.plan().arcs, equation, scores)?;
        progress.begin("iterate", None);
        let solver = Solver::new(Box::new(sharded), self.damping.get(), stop, progress);
        let mut solver = solver.kept()?;
        let mut certified = solver.solve(stop.tolerance.get())?;
        let sweeps = solver.iterations();
        // Its memory serves what follows.
        drop(solver);
        let held = Held {
            num_nodes: n,
            room: room.bytes.saturating_sub(pieces.bytes_in_memory()),
            pieces: &pieces,
        };
        let jumps = self.jumps_by(&preference, dangling.as_ref());
        reach_shards::extend(
            &mut certified,
            stop.tolerance.get(),
            jumps,
            &held,
            exchange,
            progress,
        )?;
        progress.end();
        drop(pieces);
        let account = exchange.account()?;
        let bound = certified.bound;
        let scores = finished(self.scores(certified, true, sweeps, stop));
        let columns = self.headed(graph, vec![scores]);
        let delivered = self
            .team
            .deliver(exchange, graph, shards, columns, Some(bound))?;
        Ok(Worked {
            delivered,
            bound,
            sweeps,
            account,
        })
    }
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
