//! The power method on a graph that is cut into shards, by several workers.
//!
//! Each worker holds the scores of the nodes of some parts ([`crate::graph::shards`]). In a sweep it
//! adds up the shares of its nodes for every node that they lead to. Sums for other workers' nodes are
//! sent to them, 8 bytes a node, in an order that never changes: which nodes these are is sent once,
//! before the first sweep. Norms are gathered. All of this is whole numbers ([`super::whole`]), so
//! scores have the same bits for any number of parts, workers and threads, and are those of
//! [`super::streamed`].

use super::whole::{Pulled, STAGE, Sweep, WholeScores, share};
use crate::centrality::pagerank::certificate::{Certified, Iteration};
use crate::centrality::pagerank::equation::Equation;
use crate::checkpoint::{Found, Saving};
use crate::cluster::pieces::Pieces;
use crate::cluster::{Exchange, FoundAmong, SavingAmong};
use crate::error::Result;
use crate::graph::Node;
use crate::linear::runs::Row;
use crate::memory::filled;
use crate::parallel::fixed::FixedSum;
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;

/// The state of a worker's iteration.
pub(crate) struct Sharded<'a, 't> {
    exchange: &'a mut Exchange<'t>,
    pieces: &'a Pieces,
    nodes: WholeScores<'a>,
    /// What all nodes before one give to each of their successors.
    before: Vec<u64>,
    inflows: Vec<u64>,
}

impl<'a, 't> Sharded<'a, 't> {
    /// Starts from these scores of the nodes of a worker; the graph has `num_arcs` arcs in all.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new(
        pieces: &'a Pieces,
        exchange: &'a mut Exchange<'t>,
        num_arcs: u64,
        equation: Equation<'a>,
        scores: Vec<f64>,
    ) -> Result<Self> {
        let n = scores.len();
        Ok(Sharded {
            nodes: WholeScores::new(equation, num_arcs, scores),
            before: filled(0, n + 1, "the shares")?,
            inflows: filled(0, n, "the scores")?,
            exchange,
            pieces,
        })
    }

    /// x <- F(x).
    fn apply(&mut self) -> Result<Sweep> {
        let scale = self.nodes.scale();
        let dangling = self.share_out(scale);
        let dangling = self.exchange.gather(dangling.words())?;
        let dangling = FixedSum::of(dangling.into_iter().map(FixedSum::from_words));
        self.inflows.fill(0);
        let before = &self.before;
        self.pieces.pull(
            self.exchange,
            &mut self.inflows,
            |first, row| sum_of_shares(&before[first..], row),
            u64::wrapping_add,
        )?;
        let inflows = self.inflows.chunks(INDICES_PER_TASK);
        let inflows = inflows.map(|inflows| inflows.iter().copied());
        let pulled = self.nodes.pull(scale, dangling, inflows);
        let pulled = self.exchange.gather(words_of(pulled))?;
        let pulled = Pulled::of(pulled.into_iter().map(pulled_of));
        Ok(self.nodes.swept(scale, pulled))
    }

    /// Makes the sums of the shares of all nodes; returns the mass on dangling nodes.
    fn share_out(&mut self, scale: f64) -> FixedSum {
        let (scores, outdegrees) = (&self.nodes.scores, &self.pieces.outdegrees);
        let chunks = self.before[1..].chunks_mut(INDICES_PER_TASK).enumerate();
        let parts = tasks::map(chunks, |(chunk, sums)| {
            let start = chunk * INDICES_PER_TASK;
            let (mut dangling, mut sum) = (FixedSum::default(), 0u64);
            for (index, into) in sums.iter_mut().enumerate() {
                let (score, outdegree) = (scores[start + index], outdegrees[start + index]);
                match outdegree {
                    0 => dangling.add(score),
                    _ => sum = sum.wrapping_add(share(score, outdegree as usize, scale)),
                }
                *into = sum;
            }
            (dangling, sum)
        });
        let earlier = parts.iter().scan(0u64, |before, &(_, sum)| {
            let this = *before;
            *before = before.wrapping_add(sum);
            Some(this)
        });
        let chunks = self.before[1..].chunks_mut(INDICES_PER_TASK).zip(earlier);
        tasks::for_each(chunks, |(sums, earlier)| {
            for sum in sums {
                *sum = sum.wrapping_add(earlier);
            }
        });
        FixedSum::of(parts.into_iter().map(|(dangling, _)| dangling))
    }
}

/// The sum of the shares of a row, from the sums over all nodes before one, of which a share is a
/// difference: so shares take 8 bytes a node, not 16.
#[inline]
fn sum_of_shares(before: &[u64], row: Row) -> u64 {
    let between = |first: usize, end: usize| before[end].wrapping_sub(before[first]);
    let single = |&node: &Node| between(node as usize, node as usize + 1);
    let runs = row.runs.iter();
    let runs = runs.map(|&[first, end]| between(first as usize, end as usize));
    row.singles
        .iter()
        .map(single)
        .chain(runs)
        .fold(0, u64::wrapping_add)
}

fn words_of(pulled: Pulled) -> [u64; 5] {
    let [a, b] = pulled.change.words();
    let [c, d] = pulled.mass.words();
    [a, b, c, d, pulled.largest]
}

fn pulled_of([a, b, c, d, largest]: [u64; 5]) -> Pulled {
    Pulled {
        change: FixedSum::from_words([a, b]),
        mass: FixedSum::from_words([c, d]),
        largest,
    }
}

impl Iteration for Sharded<'_, '_> {
    fn sweep(&mut self) -> Result<f64> {
        let exchange = &mut *self.exchange;
        self.nodes.extrapolate(|moved| {
            let parts = exchange.gather(moved.words())?;
            Ok(FixedSum::of(parts.into_iter().map(FixedSum::from_words)))
        })?;
        Ok(self.apply()?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply()?;
        Ok(self.nodes.certified(&sweep))
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
