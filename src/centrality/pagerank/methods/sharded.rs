//! The power method on a graph that is cut into shards, by several workers.
//!
//! Each worker holds the scores of the nodes of some parts ([`crate::graph::shards`]). In a sweep it
//! adds up the shares of its nodes for every node that they lead to. Sums for other workers' nodes are
//! sent to them, 8 bytes a node, in an order that never changes: which nodes these are is sent once,
//! before the first sweep. Norms are gathered. All of this is whole numbers ([`super::whole`]), so
//! scores have the same bits for any number of parts, workers and threads, and are those of
//! [`super::streamed`].

use super::pulling::Pulled;
use super::shares::sums_of_shares;
use super::whole::{STAGE, Sweep, WholeScores, known};
use crate::centrality::pagerank::certificate::{Certified, Iteration};
use crate::centrality::pagerank::equation::Equation;
use crate::checkpoint::{Found, Saving};
use crate::cluster::inflows::Inflows;
use crate::cluster::pieces::Pieces;
use crate::cluster::products::Products;
use crate::cluster::{Exchange, FoundAmong, SavingAmong, Steps};
use crate::error::Result;
use crate::graph::Direction;
use crate::memory::filled;
use crate::output::Room;
use crate::parallel::fixed::FixedSum;
use crate::parallel::tasks;
use std::borrow::Cow;

/// The state of a worker's iteration.
pub(crate) struct Sharded<'a, 't> {
    exchange: &'a mut Exchange<'t>,
    pieces: &'a Pieces,
    nodes: WholeScores<'a>,
    degrees: Cow<'a, [u32]>,
    /// What all nodes before one give to each of those that walks lead to.
    before: Vec<u64>,
    sums: Sums<'a>,
}

/// Where shares are added up.
enum Sums<'a> {
    OfPredecessors(Inflows<'a>),
    /// Walks go against arcs.
    OfSuccessors {
        steps: Steps,
        inflows: Vec<u64>,
    },
}

impl<'a, 't> Sharded<'a, 't> {
    /// Starts from these scores of the nodes of a worker; the graph has `num_arcs` arcs in all. Scores
    /// come from predecessors, or for [`Direction::Out`] from successors. There is memory for `room`.
    ///
    /// # Errors
    /// If there is not enough memory; for walks against arcs, if rows in a file cannot be read, or if
    /// another worker fails.
    pub(crate) fn new(
        pieces: &'a Pieces,
        exchange: &'a mut Exchange<'t>,
        num_arcs: u64,
        equation: Equation<'a>,
        scores: Vec<f64>,
        direction: Direction,
        room: &Room,
    ) -> Result<Self> {
        let n = scores.len();
        let (degrees, sums) = match direction {
            Direction::In => {
                let sums = Sums::OfPredecessors(Inflows::new(pieces)?);
                (Cow::from(&pieces.outdegrees), sums)
            }
            Direction::Out => {
                let indegrees = Products::new(pieces, exchange)?.degrees(Direction::In)?;
                let indegrees = indegrees.into_iter().map(|degree| degree as u32);
                let sums = Sums::OfSuccessors {
                    steps: Steps::new(n)?,
                    inflows: filled(0, n, "the scores")?,
                };
                (indegrees.collect(), sums)
            }
        };
        Ok(Sharded {
            nodes: WholeScores::new(equation, num_arcs, scores, room)?,
            before: filled(0, n + 1, "the shares")?,
            degrees,
            sums,
            exchange,
            pieces,
        })
    }

    /// x <- F(x).
    fn apply(&mut self) -> Result<Sweep> {
        let scale = self.nodes.scale();
        let scores = &self.nodes.scores;
        let dangling = sums_of_shares(scores, &self.degrees, scale, &mut self.before);
        let (pieces, exchange) = (self.pieces, &mut *self.exchange);
        let pulled = match &mut self.sums {
            Sums::OfPredecessors(inflows) => {
                inflows.send(exchange, &self.before)?;
                // Nobody waits for it before all that can be done without it is done.
                exchange.give(dangling.words())?;
                inflows.add_up(exchange, &self.before)?;
                let dangling = sum_of(exchange.given()?);
                let pieces = tasks::ranges(self.degrees.len()).map(|range| {
                    let (inflows, mut first) = (&*inflows, range.start);
                    move |into: &mut [u64]| {
                        inflows.write(first, into);
                        first += into.len();
                    }
                });
                self.nodes.pull(scale, dangling, pieces)
            }
            Sums::OfSuccessors { steps, inflows } => {
                let dangling = sum_of(exchange.gather(dangling.words())?);
                pieces.pull_back(exchange, &self.before, steps, inflows)?;
                self.nodes.pull(scale, dangling, known(inflows))
            }
        };
        let pulled = self.exchange.gather(words_of(pulled))?;
        let pulled = Pulled::of(pulled.into_iter().map(pulled_of));
        self.nodes.swept(scale, pulled)
    }
}

/// The sum of the sums that workers give.
fn sum_of(words: Vec<[u64; 2]>) -> FixedSum {
    FixedSum::of(words.into_iter().map(FixedSum::from_words))
}

fn words_of(pulled: Pulled) -> [u64; 6] {
    let [a, b] = pulled.change.words();
    let [c, d] = pulled.mass.words();
    [a, b, c, d, pulled.largest, pulled.farthest]
}

fn pulled_of([a, b, c, d, largest, farthest]: [u64; 6]) -> Pulled {
    Pulled {
        change: FixedSum::from_words([a, b]),
        mass: FixedSum::from_words([c, d]),
        largest,
        farthest,
    }
}

impl Iteration for Sharded<'_, '_> {
    fn sweep(&mut self) -> Result<f64> {
        self.nodes.extrapolate(self.exchange)?;
        Ok(self.apply()?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply()?;
        Ok(self.nodes.certified(&sweep))
    }

    fn go_on(&mut self, certified: Certified) {
        self.nodes.go_on(certified);
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

    fn save(&mut self, to: Option<&mut Saving>) -> Result<()> {
        let exchange = &mut *self.exchange;
        self.nodes.save(&mut SavingAmong { to, exchange })
    }

    fn restore(&mut self, from: Option<&mut Found>) -> Result<()> {
        let exchange = &mut *self.exchange;
        self.nodes.restore(&mut FoundAmong { from, exchange })
    }
}
