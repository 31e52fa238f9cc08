//! The power method on a graph that is cut into shards, by several workers.
//!
//! Each worker holds the scores of the live nodes of some parts ([`webrank_graph::shards`]): those that
//! walks go on from. In a sweep it adds up the shares of its nodes for every live node that they lead to.
//! Sums for other workers' nodes are sent to them, 8 bytes a node, in an order that never changes: which
//! nodes these are is sent once, before the first sweep. Norms are gathered. For a certificate, sums for
//! dangling nodes are made and sent as well. All of this is integers ([`super::fixed_point`]), so scores
//! have the same bits for any number of parts, workers and threads, and are those of
//! [`super::streamed`].

use super::fixed_point::{FixedPointScores, Step, known};
use super::fixed_point_power::{FixedPointPower, InflowSums, leave};
use super::nondangling::{Live, LiveSet};
use super::pulling::SweepStats;
use super::shares::sums_of_shares;
use crate::pagerank::equation::Equation;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::tasks;
use webrank_cluster::buffered_gather;
use webrank_cluster::nondangling::{LivePieces, LocalRows};
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, Listed, Steps};
use webrank_graph::Direction;

/// The inflow of the nodes of a worker.
pub(crate) struct Exchanged<'a> {
    /// The sums that all entries before one give to each of the nodes that walks lead to.
    before: Vec<u64>,
    sums: Sums<'a>,
}

/// Where shares are added up.
enum Sums<'a> {
    /// Vectors have entries for live nodes only.
    OfPredecessors {
        live: &'a LivePieces,
        inflows: buffered_gather::Inflows<'a>,
    },
    /// Walks go against arcs. Vectors have entries for all nodes.
    OfSuccessors {
        pieces: &'a LocalPartition,
        live: LiveSet,
        indegrees: Vec<u32>,
        steps: Steps,
        inflows: Vec<u64>,
    },
}

/// Starts from these scores of the nodes of a worker; the graph has `num_arcs` arcs in all. Scores come
/// from predecessors if only live nodes give something, and otherwise from successors. There is memory for
/// `room`.
///
/// # Errors
/// If there is not enough memory; for walks against arcs, if rows in a file cannot be read; if another
/// worker fails.
pub(crate) fn sharded<'a, 't>(
    opened: &'a LocalRows,
    exchange: &'a mut Exchange<'t>,
    num_arcs: u64,
    equation: Equation<'a>,
    mut scores: Vec<f64>,
    room: &SpillBudget,
) -> Result<FixedPointPower<'a, 't, Exchanged<'a>>> {
    let sums = match opened {
        LocalRows::Live(live) => {
            leave(&mut scores, &live.nodes);
            let inflows = buffered_gather::Inflows::new(&live.pieces)?;
            Sums::OfPredecessors { live, inflows }
        }
        LocalRows::All(pieces) => Sums::of_successors(pieces, exchange)?,
    };
    let before = filled(0, scores.len() + 1, "the shares")?;
    let nodes = FixedPointScores::new(equation, num_arcs, scores, room)?;
    FixedPointPower::new(nodes, Exchanged { before, sums }, exchange).counted()
}

impl InflowSums for Exchanged<'_> {
    fn sweep(
        &mut self,
        nodes: &mut FixedPointScores,
        exchange: &mut Exchange,
        is_whole: bool,
    ) -> Result<(Step, SweepStats)> {
        let scale = nodes.scale(is_whole);
        let degrees = match &self.sums {
            Sums::OfPredecessors { live, .. } => &live.pieces.outdegrees,
            Sums::OfSuccessors { indegrees, .. } => indegrees,
        };
        let own = sums_of_shares(&nodes.scores, degrees, scale, &mut self.before);
        let step = |mass| Step {
            scale,
            mass,
            is_whole,
        };
        match &mut self.sums {
            Sums::OfPredecessors { live, inflows } => {
                inflows.send(exchange, &self.before)?;
                // Nobody waits for it before all that can be done without it is done.
                exchange.give(own.words())?;
                inflows.add_up(exchange, &self.before)?;
                let step = step(sum_of(exchange.given()?));
                let only = Live::Only(&live.nodes);
                let sums = of_tasks(inflows, nodes.scores.len());
                let mut pulled = nodes.pull(step, only, sums);
                if is_whole {
                    // Others may have all parts while this worker still receives: nobody sends more
                    // before all have added up.
                    exchange.gather([])?;
                    // The remaining room of sweeps serves the sums of all nodes. The scores of live nodes
                    // are made again, with the same bits.
                    let none = buffered_gather::Inflows::none(&live.pieces);
                    (nodes.scores, *inflows) = (Vec::new(), none);
                    let sums = live.sums_of_all(exchange, &self.before)?;
                    *inflows = buffered_gather::Inflows::new(&live.pieces)?;
                    (nodes.scores, pulled.most) = nodes.map(step, only).all(sums);
                }
                Ok((step, pulled))
            }
            Sums::OfSuccessors {
                pieces,
                live,
                steps,
                inflows,
                ..
            } => {
                let step = step(sum_of(exchange.gather(own.words())?));
                pieces.pull_back(exchange, &self.before, steps, inflows)?;
                Ok((step, nodes.pull(step, Live::Among(live), known(inflows))))
            }
        }
    }

    fn num_live(&mut self) -> Result<usize> {
        Ok(match &self.sums {
            Sums::OfPredecessors { live, .. } => live.nodes.len(),
            Sums::OfSuccessors { live, .. } => live.count(),
        })
    }

    fn listed(&self) -> Option<Listed<'_>> {
        match &self.sums {
            Sums::OfPredecessors { live, .. } => Some(Listed {
                num_nodes: live.num_nodes(),
                nodes: &live.nodes,
            }),
            Sums::OfSuccessors { .. } => None,
        }
    }
}

impl<'a> Sums<'a> {
    /// For walks against arcs.
    fn of_successors(pieces: &'a LocalPartition, exchange: &mut Exchange) -> Result<Self> {
        let indegrees = Products::new(pieces, exchange)?.degrees(Direction::In)?;
        let indegrees: Vec<u32> = indegrees.into_iter().map(|degree| degree as u32).collect();
        Ok(Sums::OfSuccessors {
            pieces,
            live: LiveSet::of_degrees(&indegrees),
            steps: Steps::new(indegrees.len())?,
            inflows: filled(0, indegrees.len(), "the scores")?,
            indegrees,
        })
    }
}

/// Writers of sums for consecutive pieces of so many nodes in all.
fn of_tasks<'i>(
    inflows: &'i buffered_gather::Inflows,
    num_nodes: usize,
) -> impl Iterator<Item = impl FnMut(&mut [u64]) + Send + 'i> {
    tasks::ranges(num_nodes).map(move |range| {
        let mut first = range.start;
        move |into: &mut [u64]| {
            inflows.write(first, into);
            first += into.len();
        }
    })
}

/// The sum of the sums that workers give.
fn sum_of(words: Vec<[u64; 2]>) -> FixedSum {
    FixedSum::of(words.into_iter().map(FixedSum::from_words))
}
