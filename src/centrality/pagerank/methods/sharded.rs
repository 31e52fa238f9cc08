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
use crate::cluster::pieces::{Piece, Pieces};
use crate::cluster::{Exchange, FoundAmong, SavingAmong};
use crate::error::Result;
use crate::graph::Node;
use crate::graph::shards::Shards;
use crate::linear::runs::{PullRows, Row};
use crate::memory::filled;
use crate::output::Room;
use crate::parallel::fixed::FixedSum;
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;
use crate::progress::Progress;

/// The state of a worker's iteration.
pub(crate) struct Sharded<'a, 't> {
    exchange: &'a mut Exchange<'t>,
    pieces: Vec<Piece>,
    nodes: WholeScores<'a>,
    outdegrees: Vec<u32>,
    /// What all nodes before one give to each of their successors.
    before: Vec<u64>,
    inflows: Vec<u64>,
    /// The nodes for which each worker sends sums, in their order; none for this one.
    expected: Vec<Vec<Node>>,
}

impl<'a, 't> Sharded<'a, 't> {
    /// Packs the parts of a worker, and tells the others which of their nodes get sums from it.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory or room, or if another worker fails.
    pub(crate) fn new(
        shards: &Shards,
        exchange: &'a mut Exchange<'t>,
        room: &Room,
        equation: Equation<'a>,
        scores: Vec<f64>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = scores.len();
        let Pieces {
            pieces,
            outdegrees,
            expected,
            ..
        } = Pieces::open(shards, exchange, room, progress)?;
        Ok(Sharded {
            nodes: WholeScores::new(equation, shards.plan().arcs, scores),
            outdegrees,
            before: filled(0, n + 1, "the shares")?,
            inflows: filled(0, n, "the scores")?,
            exchange,
            pieces,
            expected,
        })
    }

    /// x <- F(x).
    fn apply(&mut self) -> Result<Sweep> {
        let scale = self.nodes.scale();
        let dangling = self.share_out(scale);
        let dangling = self.exchange.gather(dangling.words())?;
        let dangling = FixedSum::of(dangling.into_iter().map(FixedSum::from_words));
        self.inflows.fill(0);
        for piece in &self.pieces {
            let shares = Shares::of(piece, &self.before);
            send(piece, &shares, self.exchange, &mut self.inflows)?;
        }
        for piece in &self.pieces {
            let sums = Shares::of(piece, &self.before).sums(&piece.own)?;
            let own = &mut self.inflows[piece.nodes.clone()];
            tasks::update(own, |node, inflow| {
                *inflow = inflow.wrapping_add(sums[piece.own.row_of(node)]);
            });
        }
        self.receive()?;
        let inflows = self.inflows.chunks(INDICES_PER_TASK);
        let inflows = inflows.map(|inflows| inflows.iter().copied());
        let pulled = self.nodes.pull(scale, dangling, inflows);
        let pulled = self.exchange.gather(words_of(pulled))?;
        let pulled = Pulled::of(pulled.into_iter().map(pulled_of));
        Ok(self.nodes.swept(scale, pulled))
    }

    /// Makes the sums of the shares of all nodes; returns the mass on dangling nodes.
    fn share_out(&mut self, scale: f64) -> FixedSum {
        let (scores, outdegrees) = (&self.nodes.scores, &self.outdegrees);
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

    /// Adds what other workers send.
    fn receive(&mut self) -> Result<()> {
        let mut places = vec![0; self.expected.len()];
        let mut missing: usize = self.expected.iter().map(Vec::len).sum();
        while missing > 0 {
            let (from, words) = self.exchange.receive()?;
            let nodes = &self.expected[from][places[from]..];
            if words.is_empty() || words.len() > nodes.len() {
                return Err(self.exchange.not_planned(from));
            }
            for (&node, word) in nodes.iter().zip(&words) {
                let inflow = &mut self.inflows[node as usize];
                *inflow = inflow.wrapping_add(*word);
            }
            places[from] += words.len();
            missing -= words.len();
        }
        Ok(())
    }
}

/// Sends the sums for other workers' nodes; adds those for other parts of this one.
fn send(
    piece: &Piece,
    shares: &Shares,
    exchange: &mut Exchange,
    inflows: &mut [u64],
) -> Result<()> {
    let me = exchange.index();
    let sums = shares.sums(&piece.away)?;
    let rows_for = piece.rows_for.iter().enumerate();
    for (to, rows) in rows_for.filter(|(_, rows)| !rows.is_empty()) {
        let values = rows.clone().map(|row| sums[piece.away.row_of(row)]);
        if to == me {
            for (&node, value) in piece.inside.iter().zip(values) {
                let inflow = &mut inflows[node as usize];
                *inflow = inflow.wrapping_add(value);
            }
        } else {
            exchange.send(to, values.collect())?;
        }
    }
    Ok(())
}

/// The shares of the nodes of a part: the sums over all nodes before one, of which a share is a
/// difference. So they take 8 bytes a node, not 16.
struct Shares<'s> {
    before: &'s [u64],
}

impl<'s> Shares<'s> {
    /// Those of a part, of all nodes of a worker.
    fn of(piece: &Piece, before: &'s [u64]) -> Self {
        Shares {
            before: &before[piece.nodes.start..],
        }
    }

    fn sums(&self, rows: &PullRows) -> Result<Vec<u64>> {
        let mut sums = filled(0, rows.num_rows(), "sums over rows")?;
        rows.sums(&rows.blocks(), &mut sums, |row| self.sum(row))?;
        Ok(sums)
    }

    #[inline]
    fn sum(&self, row: Row) -> u64 {
        let between = |first: usize, end: usize| self.before[end].wrapping_sub(self.before[first]);
        let single = |&node: &Node| between(node as usize, node as usize + 1);
        let singles = row.singles.iter().map(single);
        let runs = row.runs.iter();
        let runs = runs.map(|&[first, end]| between(first as usize, end as usize));
        singles.chain(runs).fold(0, u64::wrapping_add)
    }
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
