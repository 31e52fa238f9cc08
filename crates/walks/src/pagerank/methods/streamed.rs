//! The power method on a graph that stays compressed: every sweep decodes the rows of successors.
//!
//! A node pushes its share `x_i / d_i` to its successors, so neither a transpose nor outdegrees are
//! needed. The memory per node is 8 bytes for x, 8 for what is pushed, and 4 for its change, of which six
//! more are kept in memory or in files ([`super::reduced_rank::in_fixed_point`]); and a bit that says
//! whether it is live, which the first sweep finds. Only live nodes are iterated on ([`super::fixed_point`]).
//!
//! Shares are integers ([`super::fixed_point`]), so threads may add to the same node. A share that is
//! pushed to all nodes from a to b - 1 is added to a *difference* at a and subtracted at b. Prefix
//! sums of the differences, modulo 2^64, are exactly the sums over the predecessors, however large the
//! prefixes grow in between. So a run of successors costs two additions, as it does when rows are kept
//! in memory ([`webrank_linear::runs`]), and nodes with the same predecessors get the same bits.

use super::fixed_point::{FixedPointScores, STAGE, Step, Sweep};
use super::nondangling::{Live, LiveSet};
use super::shares::share;
use crate::pagerank::certificate::{Certified, Iteration};
use crate::pagerank::equation::Equation;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::{Error, Result};
use webrank_base::output::SpillBudget;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_cluster::{DistributedReader, DistributedWriter, Exchange};
use webrank_graph::{Compressed, Rows};

/// The state of an iteration.
pub struct Streamed<'a> {
    graph: &'a Compressed,
    blocks: Vec<Range<usize>>,
    nodes: FixedPointScores<'a>,
    live: LiveSet,
    /// Whether all live nodes are known.
    is_live_known: bool,
    /// What is pushed: differences between neighbours, modulo 2^64.
    pushed: Vec<AtomicU64>,
}

/// The number of bits (plus nodes) that a task decodes at a time: a millisecond of work. So
/// decoding the rows before a block that its lists copy from costs comparatively little.
const BLOCK_BITS: u64 = 1 << 19;

impl<'a> Streamed<'a> {
    /// Starts from these scores, with all in memory. O(n).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(graph: &'a Compressed, equation: Equation<'a>, scores: Vec<f64>) -> Result<Self> {
        Self::within(graph, equation, scores, &SpillBudget::in_memory())
    }

    /// The same, if there is memory for `room` besides 24 bytes a node.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn within(
        graph: &'a Compressed,
        equation: Equation<'a>,
        scores: Vec<f64>,
        room: &SpillBudget,
    ) -> Result<Self> {
        let n = equation.num_nodes;
        let mut pushed = Vec::new();
        let too_large = |_| Error::memory("the scores", 8 * n as u64);
        pushed.try_reserve_exact(n + 1).map_err(too_large)?;
        pushed.resize_with(n + 1, AtomicU64::default);
        Ok(Streamed {
            graph,
            blocks: graph.blocks(BLOCK_BITS),
            nodes: FixedPointScores::new(equation, graph.num_arcs(), scores, room)?,
            live: LiveSet::new(n),
            is_live_known: false,
            pushed,
        })
    }

    /// x <- F(x). Dangling nodes get scores if it is `is_whole`.
    fn apply(&mut self, is_whole: bool) -> Result<Sweep> {
        let scale = self.nodes.scale(is_whole);
        let step = Step {
            scale,
            mass: self.push(scale)?,
            is_whole,
        };
        self.count_live();
        let sums = tasks::map(self.pushed.chunks_mut(INDICES_PER_TASK), |chunk| {
            let entries = chunk.iter_mut().map(|pushed| *pushed.get_mut());
            entries.fold(0, u64::wrapping_add)
        });
        let before = sums.iter().scan(0u64, |before, &sum| {
            let this = *before;
            *before = before.wrapping_add(sum);
            Some(this)
        });
        // Turns what was pushed into sums, and clears it.
        let inflows = self.pushed.chunks_mut(INDICES_PER_TASK).zip(before);
        let inflows = inflows.map(|(pushed, mut sum)| {
            let mut pushed = pushed.iter_mut();
            move |into: &mut [u64]| {
                for (into, pushed) in into.iter_mut().zip(&mut pushed) {
                    sum = sum.wrapping_add(std::mem::take(pushed.get_mut()));
                    *into = sum;
                }
            }
        });
        let pulled = self.nodes.pull(step, Live::Among(&self.live), inflows);
        let n = self.nodes.scores.len();
        *self.pushed[n].get_mut() = 0;
        self.nodes.swept(step, pulled)
    }

    /// Ends the search for live nodes.
    fn count_live(&mut self) {
        if !self.is_live_known {
            self.nodes.count_live(self.live.count());
            self.is_live_known = true;
        }
    }

    /// Every node pushes its share, in units of 1 / scale; returns the mass on live nodes, which the
    /// first sweep finds.
    fn push(&mut self, scale: f64) -> Result<FixedSum> {
        let (scores, pushed) = (&self.nodes.scores, &self.pushed);
        let found = (!self.is_live_known).then_some(&self.live);
        let parts = tasks::try_map(&self.blocks, |block| {
            let (mut live, mut arcs) = (FixedSum::default(), 0);
            let mut adder = Adder::new(pushed);
            self.graph.for_rows(block.clone(), &mut |node, row| {
                arcs += row.len() as u64;
                if row.is_empty() {
                    return;
                }
                let score = scores[node as usize];
                live.add(score);
                if let Some(found) = found {
                    found.add(node as usize);
                }
                let share = share(score, row.len(), scale);
                for_runs(row, |first, end| {
                    adder.add(first, share);
                    adder.add(end, share.wrapping_neg());
                });
            })?;
            adder.finish();
            Ok((live, arcs))
        })?;
        self.graph
            .check_count(parts.iter().map(|(_, arcs)| arcs).sum())?;
        Ok(FixedSum::of(parts.into_iter().map(|(live, _)| live)))
    }
}

/// Adds to entries that all threads share. Pages of a site often point to the same pages, so sums
/// are kept in a cache until another entry needs their slot.
struct Adder<'p> {
    entries: &'p [AtomicU64],
    /// An entry, and the sum still to be added to it.
    aside: Vec<(Node, u64)>,
}

/// The number of cached sums: few enough for a level-2 cache.
const ASIDE: usize = 1 << 13;

impl<'p> Adder<'p> {
    fn new(entries: &'p [AtomicU64]) -> Self {
        Adder {
            entries,
            aside: vec![(0, 0); ASIDE],
        }
    }

    #[inline]
    fn add(&mut self, entry: Node, value: u64) {
        let kept = &mut self.aside[entry as usize % ASIDE];
        if kept.0 == entry {
            kept.1 = kept.1.wrapping_add(value);
            return;
        }
        let (other, sum) = std::mem::replace(kept, (entry, value));
        self.publish(other, sum);
    }

    fn publish(&self, entry: Node, sum: u64) {
        // Relaxed: sums of integers are the same in any order, and joining the tasks orders them
        // before every read.
        if sum != 0 {
            self.entries[entry as usize].fetch_add(sum, Relaxed);
        }
    }

    fn finish(&self) {
        self.aside
            .iter()
            .for_each(|&(entry, sum)| self.publish(entry, sum));
    }
}

impl Iteration for Streamed<'_> {
    fn sweep(&mut self) -> Result<f64> {
        self.nodes.extrapolate(&mut Exchange::alone())?;
        Ok(self.apply(false)?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply(true)?;
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

    /// 32 bytes a node at most: between two sweeps, nothing is pushed.
    fn save(&mut self, to: Option<&mut CheckpointWriter>) -> Result<()> {
        let exchange = &mut Exchange::alone();
        self.nodes.save(&mut DistributedWriter {
            to,
            exchange,
            some: None,
        })
    }

    fn restore(&mut self, from: Option<&mut CheckpointReader>) -> Result<()> {
        // A combination of what was kept needs the number of live nodes.
        let found = &self.live;
        tasks::try_map(&self.blocks, |block| {
            self.graph.for_rows(block.clone(), &mut |node, row| {
                if !row.is_empty() {
                    found.add(node as usize);
                }
            })
        })?;
        self.count_live();
        let exchange = &mut Exchange::alone();
        self.nodes.restore(&mut DistributedReader {
            from,
            exchange,
            some: None,
        })
    }
}

/// The runs of consecutive nodes in a row, each as its first node and the node after its last.
#[inline]
fn for_runs(row: &[Node], mut visit: impl FnMut(Node, Node)) {
    let mut rest = row;
    while let [first, ..] = *rest {
        let follows = |&(index, &node): &(usize, &Node)| node == first + index as Node;
        let length = rest.iter().enumerate().take_while(follows).count();
        visit(first, first + length as Node);
        rest = &rest[length..];
    }
}
