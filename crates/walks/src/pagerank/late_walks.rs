//! [`crate::late_nodes`] with bits that do not depend on the order in which threads and workers get to nodes.
//!
//! A node gets the largest of the shares that reach it instead of their sum, and what comes from dangling
//! nodes is added up in fixed point. Walks go on step by step, along arcs that are read where walks get on
//! ([`super::late_nodes_streamed`]) or that workers have listed ([`super::late_nodes_shards`]).

use super::certificate::Certified;
use crate::late_nodes::{LEAST, Teleport, fit};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;

/// Arcs along which walks go on, and the largest share that has reached each node of a worker whose score
/// is 0.
pub(super) trait LateArcs: Sync {
    /// Follows the arcs of all nodes with positive scores.
    ///
    /// # Errors
    /// If rows cannot be read, or another worker fails.
    fn first(&mut self, scores: &[f64], exchange: &mut Exchange) -> Result<Reached>;

    /// Follows the arcs of the nodes of a level, which are in increasing order.
    ///
    /// # Errors
    /// As for [`Self::first`]; if there is not enough memory.
    fn next(&mut self, scores: &[f64], level: &[Node], exchange: &mut Exchange) -> Result<Reached>;

    /// The bits of the largest share that has reached a node; 0 if none has.
    fn arriving(&self, node: usize) -> u64;
}

/// Where the arcs of some nodes lead.
#[derive(Default)]
pub(super) struct Reached {
    /// Nodes whose score is 0 and that no arc has led to before.
    pub(super) nodes: Vec<Node>,
    /// The scores of the dangling nodes among those whose arcs were followed.
    pub(super) dangling: Mass,
}

impl Reached {
    /// Adds what another task has found.
    pub(super) fn merge(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.dangling.merge(other.dangling);
    }
}

/// Gives positive scores to the nodes that nodes with positive scores reach, as
/// [`crate::late_nodes::extend`] does. The scores are those of the nodes of a worker, and so are the
/// distributions of `jumps`; the bound is that of all `num_nodes`. Arcs are opened if a score is 0.
///
/// # Errors
/// As for `open` and for the arcs; if another worker fails; if the user interrupts.
pub(super) fn extend<A: LateArcs>(
    certified: &mut Certified,
    (tolerance, jumps, num_nodes): (f64, Teleport, usize),
    open: impl FnOnce(&mut Exchange) -> Result<A>,
    exchange: &mut Exchange,
    progress: &dyn Progress,
) -> Result<()> {
    let n = certified.scores.len();
    let is_zero = |node: usize| certified.scores[node] == 0.0;
    let has_zero = tasks::first(n, is_zero).is_some();
    let zeros = exchange.gather([has_zero.into()])?;
    if jumps.alpha == 0.0 || zeros.iter().all(|[has_zero]| *has_zero == 0) {
        return Ok(());
    }
    let mut walks = Walks {
        arcs: open(exchange)?,
        jumps,
        num_nodes,
        scores: &mut certified.scores,
        dangling: 0.0,
    };
    let mut reached = Vec::new();
    let mut level = walks.first(exchange)?;
    let is_level = |[count]: &[u64; 1]| *count > 0;
    while exchange.gather([level.len() as u64])?.iter().any(is_level) {
        progress.check()?;
        let found = walks.arcs.next(walks.scores, &level, exchange)?;
        let next = walks.settle(found, exchange)?;
        reached.append(&mut level);
        level = next;
    }
    drop(walks);
    let total = Mass::of(reached.iter().map(|&node| certified.scores[node as usize]));
    let count = exchange.gather([reached.len() as u64])?;
    let count = count.iter().map(|[count]| count).sum();
    let total = total.of_all(exchange)?.at_most(count);
    fit(certified, &reached, total, tolerance);
    Ok(())
}

/// Walks on their way: those at the nodes of a worker.
struct Walks<'a, A> {
    arcs: A,
    jumps: Teleport<'a>,
    /// The number of nodes of the whole graph.
    num_nodes: usize,
    scores: &'a mut [f64],
    /// The mass that dangling nodes pass on; 0 before walks are known to get there.
    dangling: f64,
}

impl<A: LateArcs> Walks<'_, A> {
    /// The nodes that are reached in one step, with their scores.
    fn first(&mut self, exchange: &mut Exchange) -> Result<Vec<Node>> {
        let mut found = self.arcs.first(self.scores, exchange)?;
        let (scores, jumps, n) = (&*self.scores, self.jumps, self.num_nodes);
        let starts = |node: usize| {
            let is_start = scores[node] == 0.0 && jumps.starts_at(node as Node, n);
            is_start.then_some(node as Node)
        };
        found.nodes.extend(tasks::select(scores.len(), starts));
        self.settle(found, exchange)
    }

    /// Gives the nodes that were reached their scores, and those that walks enter from dangling nodes, if
    /// these are the first of them; returns all in increasing order.
    fn settle(&mut self, found: Reached, exchange: &mut Exchange) -> Result<Vec<Node>> {
        let (n, jumps) = (self.num_nodes, self.jumps);
        let dangling = found.dangling.of_all(exchange)?.value();
        let mut level = found.nodes;
        if self.dangling == 0.0 && dangling > 0.0 && jumps.dangling.is_some() {
            self.dangling = dangling;
            let (scores, arcs) = (&*self.scores, &self.arcs);
            let entered = |node: usize| {
                let is_new = scores[node] == 0.0 && arcs.arriving(node) == 0;
                let is_entered = is_new && jumps.after_dangling(node as Node, n) > 0.0;
                is_entered.then_some(node as Node)
            };
            level.extend(tasks::select(scores.len(), entered));
        }
        level.sort_unstable();
        level.dedup();
        for &node in &level {
            let share = f64::from_bits(self.arcs.arriving(node as usize));
            let entering = jumps.alpha * self.dangling;
            let entering = entering * jumps.after_dangling(node, n);
            self.scores[node as usize] = (share + entering).max(LEAST);
        }
        Ok(level)
    }
}

/// The share of each successor of a node with a positive score.
pub(super) fn share(alpha: f64, score: f64, outdegree: usize) -> f64 {
    (alpha * (score / outdegree as f64)).max(LEAST)
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

    fn merge(&mut self, other: Self) {
        self.sum.merge(other.sum);
        self.largest = self.largest.max(other.largest);
    }

    /// The sum of those of all workers.
    fn of_all(self, exchange: &mut Exchange) -> Result<Self> {
        let [low, high] = self.sum.words();
        let mut all = Mass::default();
        for [low, high, largest] in exchange.gather([low, high, self.largest.to_bits()])? {
            all.merge(Mass {
                sum: FixedSum::from_words([low, high]),
                largest: f64::from_bits(largest),
            });
        }
        Ok(all)
    }

    /// Positive if a score is.
    fn value(self) -> f64 {
        self.sum.value().max(self.largest)
    }

    /// At least the sum of so many scores.
    fn at_most(self, count: u64) -> f64 {
        self.value() + count as f64 * f64::exp2(-104.0)
    }
}
