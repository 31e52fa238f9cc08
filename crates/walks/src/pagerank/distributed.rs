//! PageRank of a graph that is cut into shards, by several workers.
//!
//! Several columns are solved for one after the other, on the same rows.

use super::Distribution;
use super::certificate::Certified;
use super::compute::TOLERANCE;
use super::equation::Equation;
use super::late_nodes_shards::{self, Reaching};
use super::methods::sharded::sharded;
use super::parameters::Columns;
use super::{PageRank, parameters, seeds};
use crate::distributed::{Distributed, WorkerResult};
use std::ops::Range;
use std::sync::OnceLock;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::nondangling::LocalRows;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::{Division, Exchange, Workers};
use webrank_graph::shards::{Range64, Shards};
use webrank_graph::{Direction, Graph};
use webrank_linear::StopRule;
use webrank_measure::Measure;
use webrank_measure::form::needs_whole;
use webrank_scores::parameters::{Damping, Dangling};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores, Status};

/// One column of scores.
struct Column {
    /// Where it stands in the table.
    place: usize,
    damping: Damping,
    /// The node at which walks start, if it is one.
    seed: Option<Node>,
}

/// The context of a worker that computes columns.
struct Work<'a> {
    pagerank: &'a PageRank,
    shards: &'a Shards,
    room: &'a SpillBudget,
    stop: &'a StopRule,
    progress: &'a dyn Progress,
    /// The nodes of this worker, counted from the first of the graph.
    range: Range<usize>,
    /// All rows, once some score is found to be 0.
    all_rows: OnceLock<LocalPartition>,
}

impl PageRank {
    /// The ranking by scores on shards.
    pub(super) fn sharded(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let worked = self.compute_distributed(graph, limits, progress)?;
        phases.done("iterate");
        self.ranked_worked(graph, worked, Direction::In, phases)
    }

    /// The ranking by what workers have done.
    pub(super) fn ranked_worked(
        &self,
        graph: &Graph,
        worked: WorkerResult,
        direction: Direction,
        phases: Phases,
    ) -> Result<Ranked> {
        let on = self.on_shards(graph, direction)?;
        let (delivered, account) = on.delivered(worked)?;
        self.unproved(graph, delivered, on.described(account), phases)
    }

    /// Computes PageRank by the power method on shards, to a certified l1 error: the same bits as
    /// [`super::pagerank_streamed`], for any number of parts, workers and threads. For
    /// [`Direction::Out`], walks go against the arcs.
    ///
    /// # Errors
    /// As for [`Distributed::compute_distributed`].
    pub(super) fn among(
        &self,
        graph: &Graph,
        limits: &Limits,
        direction: Direction,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let on = self.on_shards(graph, direction)?;
        let stop = StopRule {
            certify_top: self.certify_top,
            ..StopRule::new(limits, TOLERANCE)
        };
        // All workers refuse the same before any waits for others.
        self.check_combination(graph)?;
        self.forms(graph).chosen(limits)?;
        self.check_shards(graph.num_nodes(), &stop)?;
        let plain = PageRank {
            columns: Columns::Score,
            ..self.clone()
        };
        let mut parameters = plain.kept_parameters(graph, limits)?;
        let asked = [
            ("columns", self.columns.kept()),
            ("direction", direction.name().into()),
        ];
        parameters.extend(asked.map(|(name, value)| (name.to_owned(), value)));
        self.warn_of_roundings(graph.num_arcs(), &stop, progress);
        let work = |exchange: &mut Exchange, room: &SpillBudget, progress: &dyn Progress| {
            let opened = LocalRows::new(on.shards, direction, exchange, room, progress)?;
            let division = Division::new(on.shards.plan(), exchange.weights());
            let work = Work {
                pagerank: self,
                shards: on.shards,
                room,
                stop: &stop,
                progress,
                range: local(on.shards, division.nodes(exchange.index())),
                all_rows: OnceLock::new(),
            };
            let columns = work.columns(exchange, &opened)?.into_iter().enumerate();
            let columns = columns.map(|(place, (values, outcome))| {
                self.column_scores(place, values, outcome, &stop)
            });
            let columns = self.headed(graph, columns.collect());
            // Ranks are proved of the score alone.
            let is_one = self.columns == Columns::Score;
            let bound = columns[0].1.run.outcome.error_bound();
            let bound = bound.filter(|_| is_one);
            let bytes_a_sweep = opened.live().map(|live| 8 * live.sums_a_sweep);
            // Its memory serves the delivery.
            drop((work, opened));
            let mut worked = on.worked(exchange, columns, bound, vec![])?;
            worked.account.bytes_a_sweep = bytes_a_sweep;
            Ok(worked)
        };
        on.run_with(limits, &parameters, progress, work)
    }

    /// # Errors
    /// If the parameters request something that shards do not allow.
    fn check_shards(&self, n: usize, stop: &StopRule) -> Result<()> {
        self.check(n)?;
        if self.method.needs_rows_in_memory() {
            return Err(needs_whole("method", self.method.name()));
        }
        if let Some(k) = stop.certify_top {
            return Err(needs_whole("certify_top", k));
        }
        match &self.columns {
            Columns::Derivative => Err(needs_whole("derivative", "given")),
            Columns::Seeds(seeds) => seeds::check(seeds, n),
            _ => Ok(()),
        }
    }

    /// The columns, in the order in which they are solved for: by increasing alpha.
    fn columns_in_order(&self) -> Vec<Column> {
        let columns: Vec<(Damping, Option<Node>)> = match &self.columns {
            Columns::Score | Columns::Derivative => vec![(self.damping, None)],
            Columns::Alphas(alphas) => alphas.iter().map(|&alpha| (alpha, None)).collect(),
            Columns::Seeds(seeds) => seeds
                .iter()
                .map(|&seed| (self.damping, Some(seed)))
                .collect(),
        };
        let column = |(place, (damping, seed))| Column {
            place,
            damping,
            seed,
        };
        let mut columns: Vec<Column> = columns.into_iter().enumerate().map(column).collect();
        columns.sort_by(|a, b| a.damping.get().total_cmp(&b.damping.get()));
        columns
    }

    /// A column, described.
    fn column_scores(
        &self,
        place: usize,
        values: Vec<f64>,
        outcome: Outcome,
        stop: &StopRule,
    ) -> Scores {
        let parameters = match &self.columns {
            Columns::Alphas(alphas) => {
                let damping = alphas[place];
                let params = PageRank {
                    damping,
                    ..self.clone()
                };
                parameters(&params, stop)
            }
            Columns::Seeds(nodes) => {
                seeds::parameters(nodes[place], (self.damping, &self.dangling), stop)
            }
            _ => parameters(self, stop),
        };
        let run = Run {
            measure: "pagerank",
            method: self.method.without_choice().name(),
            parameters,
            outcome,
        };
        Scores::new(values.into(), run)
    }
}

impl Distributed for PageRank {
    fn team(&self) -> &Workers {
        &self.team
    }

    fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        self.among(graph, limits, Direction::In, progress)
    }
}

impl Work<'_> {
    /// All columns, in their places.
    fn columns(
        &self,
        exchange: &mut Exchange,
        opened: &LocalRows,
    ) -> Result<Vec<(Vec<f64>, Outcome)>> {
        let pagerank = self.pagerank;
        let mut done: Vec<(usize, (Vec<f64>, Outcome))> = Vec::new();
        for column in pagerank.columns_in_order() {
            let n = self.shards.plan().nodes as usize;
            let preference = match column.seed {
                Some(seed) => self.only(seed),
                None => part_of(&pagerank.preference, &self.range),
            };
            // The scores for a smaller alpha are near.
            let start = match (done.last(), column.seed) {
                (Some((_, (scores, _))), None) => scores.clone(),
                (_, Some(_)) => {
                    tasks::tabulate(self.range.len(), |node| preference.weight(node, n))
                }
                (None, None) => pagerank.first_scores_of(n, self.range.clone()),
            };
            let solved = self.solve(column.damping, &preference, start, exchange, opened)?;
            done.push((column.place, solved));
        }
        done.sort_by_key(|&(place, _)| place);
        Ok(done.into_iter().map(|(_, column)| column).collect())
    }

    /// A worker's part of the distribution on one node.
    fn only(&self, seed: Node) -> Distribution {
        let weight = |node: usize| f64::from(u8::from(self.range.start + node == seed as usize));
        Distribution::Dense(tasks::tabulate(self.range.len(), weight).into())
    }

    /// A column, from these scores on.
    fn solve(
        &self,
        damping: Damping,
        preference: &Distribution,
        start: Vec<f64>,
        exchange: &mut Exchange,
        opened: &LocalRows,
    ) -> Result<(Vec<f64>, Outcome)> {
        let (plan, stop) = (self.shards.plan(), self.stop);
        let n = plan.nodes as usize;
        let dangling = match &self.pagerank.dangling {
            Dangling::Preference => Some(preference.clone()),
            Dangling::Uniform => Some(Distribution::Uniform),
            Dangling::None => None,
            Dangling::Vector(given) => Some(part_of(given, &self.range)),
        };
        let equation = Equation {
            num_nodes: n,
            alpha: damping.get(),
            preference,
            dangling: dangling.as_ref(),
        };
        let room = SpillBudget {
            bytes: (self.room.bytes).saturating_sub(opened.bytes_in_memory()),
            ..self.room.clone()
        };
        let power = sharded(opened, exchange, plan.arcs, equation, start, &room)?;
        // Its memory serves what follows.
        let (mut certified, sweeps) = power.solve(stop, self.progress)?;
        self.progress.end();
        // Scores of walks that go against arcs start from all nodes, and none is 0.
        if opened.live().is_some() {
            let reaching = Reaching {
                shards: self.shards,
                all_rows: &self.all_rows,
                num_nodes: n,
                room: &room,
            };
            let jumps = self
                .pagerank
                .jumps_by(damping, preference, dangling.as_ref());
            let tolerance = stop.tolerance.get();
            late_nodes_shards::extend(
                &mut certified,
                tolerance,
                jumps,
                &reaching,
                exchange,
                self.progress,
            )?;
        }
        let Certified { scores, bound } = certified;
        let outcome = Outcome::Iterated {
            status: Status::of(bound <= stop.tolerance.get()),
            iterations: sweeps,
            error_bound: bound,
        };
        Ok((scores, outcome))
    }
}

/// Nodes counted from the first of the graph.
fn local(shards: &Shards, range: Range64) -> Range<usize> {
    let first = shards.plan().range().start;
    let place = |node: u64| node.saturating_sub(first) as usize;
    place(range.start)..place(range.end)
}

/// A distribution, of some nodes only.
fn part_of(distribution: &Distribution, range: &Range<usize>) -> Distribution {
    match distribution {
        Distribution::Uniform => Distribution::Uniform,
        Distribution::Dense(weights) => Distribution::Dense(weights[range.clone()].into()),
    }
}
