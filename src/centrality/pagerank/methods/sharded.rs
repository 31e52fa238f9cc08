//! The power method on a graph that is cut into shards, by several workers.
//!
//! Each worker holds the scores of the nodes of some parts ([`crate::graph::shards`]). In a sweep it
//! adds up the shares of its nodes for every node that they lead to. Sums for other workers' nodes are
//! sent to them, 8 bytes a node, in an order that never changes: which nodes these are is sent once,
//! before the first sweep. Norms are gathered. All of this is whole numbers ([`super::whole`]), so
//! scores have the same bits for any number of parts, workers and threads, and are those of
//! [`super::streamed`].

use super::whole::{Pulled, Sweep, WholeScores, share};
use crate::centrality::pagerank::certificate::{Certified, Iteration};
use crate::centrality::pagerank::equation::Equation;
use crate::cluster::Exchange;
use crate::error::{Error, Result};
use crate::graph::shards::{Part, Range64, Shards};
use crate::graph::{Node, Rows};
use crate::linear::runs::{PullRows, Row};
use crate::memory::{filled, reserve};
use crate::output::Room;
use crate::parallel::fixed::FixedSum;
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

/// The parts of a graph that each worker has: consecutive ones.
pub(crate) fn parts_of(worker: usize, workers: usize, num_parts: usize) -> Range<usize> {
    let start = |worker: usize| worker * num_parts / workers;
    start(worker)..start(worker + 1)
}

/// The state of a worker's iteration.
pub(crate) struct Sharded<'a, 't> {
    exchange: &'a mut Exchange<'t>,
    pieces: Vec<Piece>,
    nodes: WholeScores<'a>,
    outdegrees: Vec<u32>,
    /// What nodes give to each of their successors, and the sums over all nodes before one.
    shares: Vec<u64>,
    before: Vec<u64>,
    inflows: Vec<u64>,
    /// The nodes for which each worker sends sums, in their order; none for this one.
    expected: Vec<Vec<Node>>,
}

/// A part of a worker, packed.
struct Piece {
    /// Its nodes, counted from the first of the worker.
    nodes: Range<usize>,
    own: PullRows,
    away: PullRows,
    /// Which of the rows of other nodes are for each worker.
    rows_for: Vec<Range<usize>>,
    /// The nodes of the rows for this worker.
    inside: Vec<Node>,
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
        let (me, workers) = (exchange.index(), exchange.workers());
        let ranges: Vec<Range64> = (0..workers)
            .map(|worker| range_of(shards, worker, workers))
            .collect();
        let n = scores.len();
        let outdegrees: Vec<u32> = filled(0, n, "the outdegrees")?;
        let outdegrees: Vec<AtomicU32> = outdegrees.into_iter().map(AtomicU32::new).collect();
        let mine = parts_of(me, workers, shards.plan().parts.len());
        let percent = 100 / (2 * mine.len().max(1)) as u64;
        let (mut pieces, mut announced) = (Vec::new(), vec![Vec::new(); workers]);
        for part in mine {
            let part = Part::open(shards, part)?;
            let first = (part.range.start - ranges[me].start) as usize;
            count_arcs(&part, &outdegrees[first..first + part.num_nodes()])?;
            for (to, range) in ranges.iter().enumerate().filter(|&(to, _)| to != me) {
                let nodes = part.touched_in(range.clone()).iter();
                announced[to].extend(nodes.map(|node| node - range.start));
            }
            pieces.push(Piece::new(
                &part,
                first,
                me,
                &ranges,
                &room.part(percent),
                progress,
            )?);
        }
        let expected = announce(exchange, announced, &ranges)?;
        Ok(Sharded {
            nodes: WholeScores::new(equation, shards.plan().arcs, scores),
            outdegrees: outdegrees.into_iter().map(AtomicU32::into_inner).collect(),
            shares: filled(0, n, "the shares")?,
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
            let shares = Shares {
                first: piece.nodes.start,
                shares: &self.shares,
                before: &self.before,
            };
            piece.send(&shares, self.exchange, &mut self.inflows)?;
        }
        for piece in &self.pieces {
            let shares = Shares {
                first: piece.nodes.start,
                shares: &self.shares,
                before: &self.before,
            };
            let sums = shares.sums(&piece.own)?;
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

    /// Makes the shares of all nodes, and their sums; returns the mass on dangling nodes.
    fn share_out(&mut self, scale: f64) -> FixedSum {
        let (scores, outdegrees) = (&self.nodes.scores, &self.outdegrees);
        let chunks = self.shares.chunks_mut(INDICES_PER_TASK).enumerate();
        let parts = tasks::map(chunks, |(chunk, shares)| {
            let start = chunk * INDICES_PER_TASK;
            let (mut dangling, mut sum) = (FixedSum::default(), 0u64);
            for (index, into) in shares.iter_mut().enumerate() {
                let (score, outdegree) = (scores[start + index], outdegrees[start + index]);
                if outdegree == 0 {
                    dangling.add(score);
                    continue;
                }
                *into = share(score, outdegree as usize, scale);
                sum = sum.wrapping_add(*into);
            }
            (dangling, sum)
        });
        let before = parts.iter().scan(0u64, |before, &(_, sum)| {
            let this = *before;
            *before = before.wrapping_add(sum);
            Some(this)
        });
        let chunks = self.before[1..].chunks_mut(INDICES_PER_TASK);
        let chunks = chunks.zip(self.shares.chunks(INDICES_PER_TASK)).zip(before);
        tasks::for_each(chunks.collect::<Vec<_>>(), |((into, shares), mut sum)| {
            for (into, share) in into.iter_mut().zip(shares) {
                sum = sum.wrapping_add(*share);
                *into = sum;
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

impl Piece {
    fn new(
        part: &Part,
        first: usize,
        me: usize,
        ranges: &[Range64],
        room: &Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let all: Vec<Node> = (0..part.num_nodes() as Node).collect();
        let place = |node: u64| part.touched.partition_point(|&touched| touched < node);
        let inside = part.touched_in(ranges[me].clone());
        let inside = inside.iter().map(|node| (node - ranges[me].start) as Node);
        Ok(Piece {
            nodes: first..first + part.num_nodes(),
            own: PullRows::pack(&part.own, &all, room.clone(), progress)?,
            away: PullRows::pack(&part.away, &all, room.clone(), progress)?,
            rows_for: ranges
                .iter()
                .map(|range| place(range.start)..place(range.end))
                .collect(),
            inside: inside.collect(),
        })
    }

    /// Sends the sums for other workers' nodes; adds those for other parts of this one.
    fn send(&self, shares: &Shares, exchange: &mut Exchange, inflows: &mut [u64]) -> Result<()> {
        let me = exchange.index();
        let sums = shares.sums(&self.away)?;
        for (to, rows) in self
            .rows_for
            .iter()
            .enumerate()
            .filter(|(_, rows)| !rows.is_empty())
        {
            let values = rows.clone().map(|row| sums[self.away.row_of(row)]);
            if to == me {
                for (&node, value) in self.inside.iter().zip(values) {
                    let inflow = &mut inflows[node as usize];
                    *inflow = inflow.wrapping_add(value);
                }
            } else {
                exchange.send(to, values.collect())?;
            }
        }
        Ok(())
    }
}

/// The shares of the nodes of a worker, for the rows of a part.
struct Shares<'s> {
    /// The first node of the part.
    first: usize,
    shares: &'s [u64],
    /// The sums over all nodes before one.
    before: &'s [u64],
}

impl Shares<'_> {
    fn sums(&self, rows: &PullRows) -> Result<Vec<u64>> {
        let mut sums = filled(0, rows.num_rows(), "sums over rows")?;
        rows.sums(&rows.blocks(), &mut sums, |row| self.sum(row))?;
        Ok(sums)
    }

    #[inline]
    fn sum(&self, row: Row) -> u64 {
        let (shares, before) = (&self.shares[self.first..], &self.before[self.first..]);
        let singles = row.singles.iter().map(|&node| shares[node as usize]);
        let between =
            |first: Node, end: Node| before[end as usize].wrapping_sub(before[first as usize]);
        let runs = row.runs.iter().map(|&[first, end]| between(first, end));
        singles.chain(runs).fold(0, u64::wrapping_add)
    }
}

/// The nodes of a worker.
pub(crate) fn range_of(shards: &Shards, worker: usize, workers: usize) -> Range64 {
    let all = &shards.plan().parts;
    let parts = parts_of(worker, workers, all.len());
    match (all[parts.clone()].first(), all[parts].last()) {
        (Some(first), Some(last)) => first.range().start..last.range().end,
        _ => 0..0,
    }
}

/// Adds the outdegrees of a part.
fn count_arcs(part: &Part, outdegrees: &[AtomicU32]) -> Result<()> {
    for rows in [&part.own, &part.away] {
        let is_away = std::ptr::eq(rows, &part.away);
        let arcs = tasks::try_map(rows.blocks(BLOCK_BITS), |block| {
            let mut arcs = 0;
            rows.try_rows(block, &mut |node, row| {
                if is_away {
                    part.check_away(node, row)?;
                }
                arcs += row.len() as u64;
                for &source in row {
                    outdegrees[source as usize].fetch_add(1, Relaxed);
                }
                Ok(())
            })?;
            Ok::<u64, Error>(arcs)
        })?;
        rows.check_count(arcs.into_iter().sum())?;
    }
    Ok(())
}

/// Tells every worker which of its nodes get sums from this one; returns what the others tell.
fn announce(
    exchange: &mut Exchange,
    announced: Vec<Vec<u64>>,
    ranges: &[Range64],
) -> Result<Vec<Vec<Node>>> {
    let me = exchange.index();
    let counts: Vec<u64> = announced.iter().map(|nodes| nodes.len() as u64).collect();
    let counts = exchange.gather_lists(&counts)?;
    for (to, nodes) in announced
        .into_iter()
        .enumerate()
        .filter(|(_, nodes)| !nodes.is_empty())
    {
        exchange.send(to, nodes)?;
    }
    let mut expected: Vec<Vec<Node>> = vec![Vec::new(); ranges.len()];
    let to_come = |from: usize| counts[from].get(me).copied().unwrap_or(0);
    let mut missing = (0..ranges.len())
        .filter(|&from| from != me && to_come(from) > 0)
        .count();
    while missing > 0 {
        let (from, nodes) = exchange.receive()?;
        let is_inside = |&node: &u64| node < ranges[me].end - ranges[me].start;
        if nodes.len() as u64 != to_come(from)
            || !nodes.iter().all(is_inside)
            || !expected[from].is_empty()
        {
            return Err(exchange.not_planned(from));
        }
        reserve(&mut expected[from], nodes.len(), "the nodes of other parts")?;
        expected[from].extend(nodes.into_iter().map(|node| node as Node));
        missing -= 1;
    }
    // Nobody sends sums before everybody knows what they are for.
    exchange.gather([])?;
    Ok(expected)
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
}
