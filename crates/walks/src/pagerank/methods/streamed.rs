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

use super::fixed_point::{FixedPointScores, Step};
use super::fixed_point_kernels::share;
use super::fixed_point_power::{FixedPointPower, InflowSums};
use super::nondangling::{Live, LiveSet};
use super::pulling::SweepStats;
use crate::pagerank::equation::Equation;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::SpillBudget;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_cluster::Exchange;
use webrank_graph::{Compressed, Rows};

/// The shares that nodes push to their successors.
pub struct Pushed<'a> {
    graph: &'a Compressed,
    blocks: Vec<Range<usize>>,
    live: LiveSet,
    /// Whether all live nodes are known.
    is_live_known: bool,
    /// The pushed sums: differences between neighbours, modulo 2^64.
    pushed: Vec<AtomicU64>,
}

/// The number of bits (plus nodes) that a task decodes at a time: a millisecond of work. So
/// decoding the rows before a block that its lists copy from costs comparatively little.
const BLOCK_BITS: u64 = 1 << 19;

/// Starts from these scores, if there is memory for `room` besides 24 bytes per node. O(n).
///
/// # Errors
/// If there is not enough memory.
pub fn streamed<'a, 't>(
    graph: &'a Compressed,
    equation: Equation<'a>,
    scores: Vec<f64>,
    room: &SpillBudget,
    exchange: &'a mut Exchange<'t>,
) -> Result<FixedPointPower<'a, 't, Pushed<'a>>> {
    let n = equation.num_nodes;
    let mut pushed = Vec::new();
    let too_large = |_| Error::memory("the scores", 8 * n as u64);
    pushed.try_reserve_exact(n + 1).map_err(too_large)?;
    pushed.resize_with(n + 1, AtomicU64::default);
    let inflows = Pushed {
        graph,
        blocks: graph.blocks(BLOCK_BITS),
        live: LiveSet::new(n),
        is_live_known: false,
        pushed,
    };
    let nodes = FixedPointScores::new(equation, graph.num_arcs(), scores, room)?;
    Ok(FixedPointPower::new(nodes, inflows, exchange))
}

impl InflowSums for Pushed<'_> {
    fn sweep(
        &mut self,
        nodes: &mut FixedPointScores,
        _: &mut Exchange,
        is_whole: bool,
    ) -> Result<(Step, SweepStats)> {
        let scale = nodes.scale(is_whole);
        let step = Step {
            scale,
            mass: self.push(&nodes.scores, scale)?,
            is_whole,
        };
        if !self.is_live_known {
            self.is_live_known = true;
            nodes.count_live(self.live.count());
        }
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
        let pulled = nodes.pull(step, Live::Among(&self.live), inflows);
        let n = nodes.scores.len();
        *self.pushed[n].get_mut() = 0;
        Ok((step, pulled))
    }

    /// The first sweep finds live nodes; before it, all rows are decoded for them.
    fn num_live(&mut self) -> Result<usize> {
        if !self.is_live_known {
            let found = &self.live;
            tasks::try_map(&self.blocks, |block| {
                self.graph.for_rows(block.clone(), &mut |node, row| {
                    if !row.is_empty() {
                        found.add(node as usize);
                    }
                })
            })?;
            self.is_live_known = true;
        }
        Ok(self.live.count())
    }
}

impl Pushed<'_> {
    /// Every node pushes its share, in units of 1 / scale; returns the mass on live nodes, which the
    /// first sweep finds.
    fn push(&self, scores: &[f64], scale: f64) -> Result<FixedSum> {
        let pushed = &self.pushed;
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
                let share = share(score, row.len() as f64, scale);
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
