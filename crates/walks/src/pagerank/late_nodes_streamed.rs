//! [`super::reach`] for graphs that stay compressed: rows of successors are decoded where walks
//! get on.
//!
//! The first pass decodes the rows of all nodes with positive scores; after that, the row of each
//! node is decoded when walks first get there. A node gets the largest of the shares that reach it
//! instead of their sum, and what comes from dangling nodes is added up in fixed point: threads may
//! find both in any order.

use super::certificate::Certified;
use super::late_nodes::{LEAST, Teleport, fit};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Compressed, Rows};

/// The number of bits and nodes of a task that decodes consecutive rows.
const BLOCK: u64 = 1 << 19;

/// The number of rows of a task that decodes single ones.
const SINGLE_ROWS: usize = 1 << 10;

/// Nodes this near to each other are decoded together.
const NEAR: Node = 16;

/// Gives positive scores to the nodes that nodes with positive scores reach, as
/// [`super::late_nodes::extend`] does. 8 bytes per node, if a score is 0.
///
/// # Errors
/// If the file is damaged, if there is not enough memory, or if the user interrupts.
pub fn extend(
    certified: &mut Certified,
    tolerance: f64,
    jumps: Teleport,
    graph: &Compressed,
    progress: &dyn Progress,
) -> Result<()> {
    let n = certified.scores.len();
    let is_zero = |node: usize| certified.scores[node] == 0.0;
    if jumps.alpha == 0.0 || tasks::first(n, is_zero).is_none() {
        return Ok(());
    }
    let mut arriving = Vec::new();
    let too_large = |_| Error::memory("the scores", 8 * n as u64);
    arriving.try_reserve_exact(n).map_err(too_large)?;
    arriving.resize_with(n, AtomicU64::default);
    let mut walks = Walks {
        graph,
        jumps,
        scores: &mut certified.scores,
        arriving,
        dangling: 0.0,
    };
    let mut reached = Vec::new();
    let mut level = walks.first()?;
    while !level.is_empty() {
        progress.check()?;
        let next = walks.next(&level)?;
        reached.append(&mut level);
        level = next;
    }
    let total = Mass::of(reached.iter().map(|&node| certified.scores[node as usize]));
    let total = total.at_most(reached.len() as u64);
    fit(certified, &reached, total, tolerance);
    Ok(())
}

/// A sum of scores, the same in any order: in fixed point, or the largest if all are too small for that.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mass {
    sum: FixedSum,
    largest: f64,
}

impl Mass {
    pub(super) fn of(scores: impl IntoIterator<Item = f64>) -> Self {
        let mut mass = Mass::default();
        scores.into_iter().for_each(|score| mass.add(score));
        mass
    }

    pub(super) fn add(&mut self, score: f64) {
        self.sum.add(score);
        self.largest = self.largest.max(score);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.sum.merge(other.sum);
        self.largest = self.largest.max(other.largest);
    }

    /// Positive if a score is.
    pub(super) fn value(self) -> f64 {
        self.sum.value().max(self.largest)
    }

    /// At least the sum of so many scores.
    pub(super) fn at_most(self, count: u64) -> f64 {
        self.value() + count as f64 * f64::exp2(-104.0)
    }

    pub(super) fn words(self) -> [u64; 3] {
        let [low, high] = self.sum.words();
        [low, high, self.largest.to_bits()]
    }

    /// The sum of what [`Self::words`] has returned.
    pub(super) fn of_words(parts: impl IntoIterator<Item = [u64; 3]>) -> Self {
        let mut mass = Mass::default();
        for [low, high, largest] in parts {
            mass.merge(Mass {
                sum: FixedSum::from_words([low, high]),
                largest: f64::from_bits(largest),
            });
        }
        mass
    }
}

/// Walks on their way.
struct Walks<'a> {
    graph: &'a Compressed,
    jumps: Teleport<'a>,
    scores: &'a mut [f64],
    /// The bits of the largest share that has reached each node whose score is 0.
    arriving: Vec<AtomicU64>,
    /// What dangling nodes pass on; 0 before walks are known to get there.
    dangling: f64,
}

impl Walks<'_> {
    /// The nodes that are reached in one step, with their scores.
    fn first(&mut self) -> Result<Vec<Node>> {
        let blocks = self.graph.blocks(BLOCK);
        let parts = tasks::try_map(&blocks, |block| self.follow(block.clone(), |_| true))?;
        let dangling = dangling_of(&parts);
        let (n, jumps) = (self.scores.len(), self.jumps);
        let mut level: Vec<Node> = parts.into_iter().flat_map(|part| part.met).collect();
        let starts = |node: usize| {
            let is_start = self.scores[node] == 0.0 && jumps.starts_at(node as Node, n);
            is_start.then_some(node as Node)
        };
        level.extend(tasks::select(n, starts));
        self.enter(dangling, &mut level);
        Ok(self.settle(level))
    }

    /// The nodes that these are the first to reach, with their scores.
    fn next(&mut self, level: &[Node]) -> Result<Vec<Node>> {
        let parts = level.chunks(SINGLE_ROWS).map(|nodes| {
            let is_near = |a: &Node, b: &Node| b - a <= NEAR;
            nodes.chunk_by(is_near)
        });
        let parts = tasks::try_map(parts, |groups| {
            let mut all = Followed::default();
            for nodes in groups {
                let range = nodes[0] as usize..nodes[nodes.len() - 1] as usize + 1;
                let part = self.follow(range, |node| nodes.binary_search(&node).is_ok())?;
                all.dangling.merge(part.dangling);
                all.met.extend(part.met);
            }
            Ok(all)
        })?;
        let dangling = dangling_of(&parts);
        let mut next: Vec<Node> = parts.into_iter().flat_map(|part| part.met).collect();
        self.enter(dangling, &mut next);
        Ok(self.settle(next))
    }

    /// Follows the arcs of the nodes of a range that `counts` chooses.
    fn follow(&self, range: Range<usize>, counts: impl Fn(Node) -> bool) -> Result<Followed> {
        let mut found = Followed::default();
        if !self.scores[range.clone()].iter().any(|&score| score > 0.0) {
            return Ok(found);
        }
        self.graph.for_rows(range, &mut |node, row| {
            let score = self.scores[node as usize];
            if score == 0.0 || !counts(node) {
                return;
            }
            if row.is_empty() {
                found.dangling.add(score);
            }
            let share = share(self.jumps.alpha, score, row.len());
            for &to in row {
                if self.scores[to as usize] == 0.0 {
                    let before = self.arriving[to as usize].fetch_max(share.to_bits(), Relaxed);
                    found.met.extend((before == 0).then_some(to));
                }
            }
        })?;
        Ok(found)
    }

    /// Adds the nodes that walks enter from dangling nodes, if these are the first of them.
    fn enter(&mut self, dangling: f64, level: &mut Vec<Node>) {
        if self.dangling > 0.0 || dangling == 0.0 || self.jumps.dangling.is_none() {
            return;
        }
        self.dangling = dangling;
        let (n, jumps) = (self.scores.len(), self.jumps);
        let entered = |node: usize| {
            let is_met = self.arriving[node].load(Relaxed) > 0;
            let is_new = self.scores[node] == 0.0 && !is_met;
            let is_entered = is_new && jumps.after_dangling(node as Node, n) > 0.0;
            is_entered.then_some(node as Node)
        };
        level.extend(tasks::select(n, entered));
    }

    /// Gives the nodes of a level their scores; returns them in increasing order.
    fn settle(&mut self, mut level: Vec<Node>) -> Vec<Node> {
        level.sort_unstable();
        level.dedup();
        let n = self.scores.len();
        for &node in &level {
            let share = f64::from_bits(*self.arriving[node as usize].get_mut());
            let entering = self.jumps.alpha * self.dangling;
            let entering = entering * self.jumps.after_dangling(node, n);
            self.scores[node as usize] = (share + entering).max(LEAST);
        }
        level
    }
}

/// What a node with a positive score passes on to each of its successors.
pub(super) fn share(alpha: f64, score: f64, outdegree: usize) -> f64 {
    (alpha * (score / outdegree as f64)).max(LEAST)
}

/// What a task finds.
#[derive(Default)]
struct Followed {
    /// The nodes that it is the first to reach.
    met: Vec<Node>,
    /// The scores of the dangling nodes among those it follows.
    dangling: Mass,
}

fn dangling_of(parts: &[Followed]) -> f64 {
    let mut dangling = Mass::default();
    parts.iter().for_each(|part| dangling.merge(part.dangling));
    dangling.value()
}
