//! [`super::late_walks`] on graphs that stay compressed: rows of successors are decoded where walks get on.
//!
//! The first pass decodes the rows of all nodes with positive scores; after that, the row of each node is
//! decoded when walks first get there.

use super::certificate::Certified;
use super::late_walks::{self, LateArcs, Reached, share};
use crate::late_nodes::Teleport;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;
use webrank_graph::{Compressed, Rows};

/// The number of bits and nodes of a task that decodes consecutive rows.
const BLOCK: u64 = 1 << 19;

/// The number of rows of a task that decodes single ones.
const SINGLE_ROWS: usize = 1 << 10;

/// Nodes this near to each other are decoded together.
const NEAR: Node = 16;

/// Gives positive scores to the nodes that nodes with positive scores reach, as
/// [`crate::late_nodes::extend`] does. 8 bytes per node, if a score is 0.
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
    let open = |_: &mut Exchange| {
        let mut arriving = Vec::new();
        let too_large = |_| Error::memory("the scores", 8 * n as u64);
        arriving.try_reserve_exact(n).map_err(too_large)?;
        arriving.resize_with(n, AtomicU64::default);
        Ok(DecodedArcs {
            graph,
            alpha: jumps.alpha,
            arriving,
        })
    };
    let exchange = &mut Exchange::alone();
    late_walks::extend(certified, (tolerance, jumps, n), open, exchange, progress)
}

/// Arcs in rows that are decoded.
struct DecodedArcs<'a> {
    graph: &'a Compressed,
    alpha: f64,
    /// The bits of the largest share that has reached each node whose score is 0.
    arriving: Vec<AtomicU64>,
}

impl LateArcs for DecodedArcs<'_> {
    fn first(&mut self, scores: &[f64], _: &mut Exchange) -> Result<Reached> {
        let blocks = self.graph.blocks(BLOCK);
        let follow = |block: &Range<usize>| self.follow(scores, block.clone(), |_| true);
        Ok(merged(tasks::try_map(&blocks, follow)?))
    }

    fn next(&mut self, scores: &[f64], level: &[Node], _: &mut Exchange) -> Result<Reached> {
        let parts = level.chunks(SINGLE_ROWS).map(|nodes| {
            let is_near = |a: &Node, b: &Node| b - a <= NEAR;
            nodes.chunk_by(is_near)
        });
        let parts = tasks::try_map(parts, |groups| {
            let follow = |nodes: &[Node]| {
                let range = nodes[0] as usize..nodes[nodes.len() - 1] as usize + 1;
                self.follow(scores, range, |node| nodes.binary_search(&node).is_ok())
            };
            groups.map(follow).collect::<Result<Vec<_>>>().map(merged)
        })?;
        Ok(merged(parts))
    }

    fn arriving(&self, node: usize) -> u64 {
        self.arriving[node].load(Relaxed)
    }
}

impl DecodedArcs<'_> {
    /// Follows the arcs of the nodes of a range that `counts` chooses.
    fn follow(
        &self,
        scores: &[f64],
        range: Range<usize>,
        counts: impl Fn(Node) -> bool,
    ) -> Result<Reached> {
        let mut found = Reached::default();
        if !scores[range.clone()].iter().any(|&score| score > 0.0) {
            return Ok(found);
        }
        self.graph.for_rows(range, &mut |node, row| {
            let score = scores[node as usize];
            if score == 0.0 || !counts(node) {
                return;
            }
            if row.is_empty() {
                found.dangling.add(score);
            }
            let share = share(self.alpha, score, row.len());
            for &to in row {
                if scores[to as usize] == 0.0 {
                    let before = self.arriving[to as usize].fetch_max(share.to_bits(), Relaxed);
                    found.nodes.extend((before == 0).then_some(to));
                }
            }
        })?;
        Ok(found)
    }
}

/// The findings of several tasks.
fn merged(parts: Vec<Reached>) -> Reached {
    let mut all = Reached::default();
    parts.into_iter().for_each(|part| all.merge(part));
    all
}
