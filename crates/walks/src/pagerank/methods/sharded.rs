//! The power method on a graph that is cut into shards, by several workers.
//!
//! Each worker holds the scores of the live nodes of some parts ([`webrank_graph::shards`]): those that
//! walks go on from. In a sweep it adds up the shares of its nodes for every live node that they lead to.
//! Sums for other workers' nodes are sent to them, 8 bytes a node, in an order that never changes: which
//! nodes these are is sent once, before the first sweep. Norms are gathered. For a certificate, sums for
//! dangling nodes are made and sent as well. All of this is integers ([`super::fixed_point`]), so scores
//! have the same bits for any number of parts, workers and threads, and are those of
//! [`super::streamed`].

use super::fixed_point::{FixedPointScores, STAGE, Step, Sweep, known};
use super::nondangling::{Live, LiveSet};
use super::pulling::SweepStats;
use super::shares::sums_of_shares;
use crate::pagerank::certificate::{Certified, Iteration};
use crate::pagerank::equation::Equation;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::tasks;
use webrank_cluster::buffered_gather::Inflows;
use webrank_cluster::nondangling::{LivePieces, LocalRows};
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{DistributedReader, DistributedWriter, Exchange, Listed, Steps};
use webrank_graph::Direction;

/// The state of a worker's iteration.
pub(crate) struct Sharded<'a, 't> {
    exchange: &'a mut Exchange<'t>,
    nodes: FixedPointScores<'a>,
    /// What all entries before one give to each of the nodes that walks lead to.
    before: Vec<u64>,
    sums: Sums<'a>,
}

/// Where shares are added up.
enum Sums<'a> {
    /// Vectors have entries for live nodes only.
    OfPredecessors {
        live: &'a LivePieces,
        inflows: Inflows<'a>,
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

impl<'a, 't> Sharded<'a, 't> {
    /// Starts from these scores of the nodes of a worker; the graph has `num_arcs` arcs in all. Scores
    /// come from predecessors if only live nodes give something, and otherwise from successors. There
    /// is memory for `room`.
    ///
    /// # Errors
    /// If there is not enough memory; for walks against arcs, if rows in a file cannot be read; if
    /// another worker fails.
    pub(crate) fn new(
        opened: &'a LocalRows,
        exchange: &'a mut Exchange<'t>,
        num_arcs: u64,
        equation: Equation<'a>,
        mut scores: Vec<f64>,
        room: &SpillBudget,
    ) -> Result<Self> {
        let (num_live, sums) = match opened {
            LocalRows::Live(live) => {
                keep_live(&mut scores, live);
                let inflows = Inflows::new(&live.pieces)?;
                (scores.len(), Sums::OfPredecessors { live, inflows })
            }
            LocalRows::All(pieces) => Sums::of_successors(pieces, exchange)?,
        };
        let counts = exchange.gather([num_live as u64])?;
        let n = scores.len();
        let mut nodes = FixedPointScores::new(equation, num_arcs, scores, room)?;
        nodes.count_live(counts.iter().map(|[count]| *count as usize).sum());
        Ok(Sharded {
            nodes,
            before: filled(0, n + 1, "the shares")?,
            sums,
            exchange,
        })
    }

    /// y <- F(y), or if it is `is_whole`, the scores of all nodes.
    fn apply(&mut self, is_whole: bool) -> Result<Sweep> {
        let scale = self.nodes.scale(is_whole);
        let degrees = match &self.sums {
            Sums::OfPredecessors { live, .. } => &live.pieces.outdegrees,
            Sums::OfSuccessors { indegrees, .. } => indegrees,
        };
        let own = sums_of_shares(&self.nodes.scores, degrees, scale, &mut self.before);
        let exchange = &mut *self.exchange;
        let step = |mass| Step {
            scale,
            mass,
            is_whole,
        };
        let (step, pulled) = match &mut self.sums {
            Sums::OfPredecessors { live, inflows } => {
                inflows.send(exchange, &self.before)?;
                // Nobody waits for it before all that can be done without it is done.
                exchange.give(own.words())?;
                inflows.add_up(exchange, &self.before)?;
                let step = step(sum_of(exchange.given()?));
                let only = Live::Only(&live.nodes);
                let sums = of_tasks(inflows, self.nodes.scores.len());
                let mut pulled = self.nodes.pull(step, only, sums);
                if is_whole {
                    // Others may have all parts while this worker still receives: nobody sends more
                    // before all have added up.
                    exchange.gather([])?;
                    // What sweeps need besides serves the sums of all nodes. The scores of live nodes
                    // are made again, with the same bits.
                    (self.nodes.scores, *inflows) = (Vec::new(), Inflows::none(&live.pieces));
                    let sums = live.sums_of_all(exchange, &self.before)?;
                    *inflows = Inflows::new(&live.pieces)?;
                    (self.nodes.scores, pulled.most) = self.nodes.map(step, only).all(sums);
                }
                (step, pulled)
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
                let live = Live::Among(live);
                (step, self.nodes.pull(step, live, known(inflows)))
            }
        };
        let pulled = self.exchange.gather(words_of(pulled))?;
        let pulled = SweepStats::of(pulled.into_iter().map(pulled_of));
        self.nodes.swept(step, pulled)
    }

    /// The nodes that vectors have entries for, if not for all.
    fn listed(&self) -> Option<Listed<'a>> {
        match self.sums {
            Sums::OfPredecessors { live, .. } => Some(Listed {
                num_nodes: live.num_nodes(),
                nodes: &live.nodes,
            }),
            Sums::OfSuccessors { .. } => None,
        }
    }
}

impl<'a> Sums<'a> {
    /// For walks against arcs: the number of nodes of this worker that have predecessors, and sums.
    fn of_successors(pieces: &'a LocalPartition, exchange: &mut Exchange) -> Result<(usize, Self)> {
        let indegrees = Products::new(pieces, exchange)?.degrees(Direction::In)?;
        let indegrees: Vec<u32> = indegrees.into_iter().map(|degree| degree as u32).collect();
        let live = LiveSet::of_degrees(&indegrees);
        let num_live = live.count();
        let sums = Sums::OfSuccessors {
            pieces,
            steps: Steps::new(indegrees.len())?,
            inflows: filled(0, indegrees.len(), "the scores")?,
            indegrees,
            live,
        };
        Ok((num_live, sums))
    }
}

/// What writes sums for consecutive pieces of so many nodes in all.
fn of_tasks<'i>(
    inflows: &'i Inflows,
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

/// Leaves the scores of live nodes.
fn keep_live(scores: &mut Vec<f64>, live: &LivePieces) {
    for (place, &node) in live.nodes.iter().enumerate() {
        scores[place] = scores[node as usize];
    }
    scores.truncate(live.nodes.len());
    scores.shrink_to_fit();
}

/// The sum of the sums that workers give.
fn sum_of(words: Vec<[u64; 2]>) -> FixedSum {
    FixedSum::of(words.into_iter().map(FixedSum::from_words))
}

fn words_of(pulled: SweepStats) -> [u64; 7] {
    let [a, b] = pulled.change.words();
    let [c, d] = pulled.mass.words();
    [a, b, c, d, pulled.largest, pulled.farthest, pulled.most]
}

fn pulled_of([a, b, c, d, largest, farthest, most]: [u64; 7]) -> SweepStats {
    SweepStats {
        change: FixedSum::from_words([a, b]),
        mass: FixedSum::from_words([c, d]),
        largest,
        farthest,
        most,
    }
}

impl Iteration for Sharded<'_, '_> {
    fn sweep(&mut self) -> Result<f64> {
        self.nodes.extrapolate(self.exchange)?;
        Ok(self.apply(false)?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply(true)?;
        Ok(self.nodes.certified(&sweep))
    }

    fn go_on(&mut self, certified: Certified) {
        self.nodes.go_on(certified);
        if let Sums::OfPredecessors { live, .. } = self.sums {
            keep_live(&mut self.nodes.scores, live);
        }
    }

    fn floor(&self) -> f64 {
        self.nodes.floor()
    }

    fn stage(&self) -> Option<&'static str> {
        Some(STAGE)
    }

    fn first(&mut self, own: Vec<u64>) -> Result<Vec<u64>> {
        self.exchange.first(&own)
    }

    fn save(&mut self, to: Option<&mut CheckpointWriter>) -> Result<()> {
        let some = self.listed();
        let exchange = &mut *self.exchange;
        self.nodes
            .save(&mut DistributedWriter { to, exchange, some })
    }

    fn restore(&mut self, from: Option<&mut CheckpointReader>) -> Result<()> {
        let some = self.listed();
        let exchange = &mut *self.exchange;
        self.nodes.restore(&mut DistributedReader {
            from,
            exchange,
            some,
        })
    }
}
