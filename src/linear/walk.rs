//! The random walk on a graph: each node passes its score on to its successors in equal parts.

use super::pull::PullRows;
use crate::error::{Error, Result};
use crate::graph::{Backward, Csr, Node};
use rayon::prelude::*;

/// The row-normalised adjacency G of a graph, as rows of predecessors and outdegrees:
/// `(x G)_i = sum over the predecessors j of i of x_j / outdegree(j)`.
pub struct RandomWalk {
    rows: PullRows,
    outdegrees: Vec<u32>,
    /// Whether some node with this distinct row has successors.
    live: Vec<bool>,
}

impl RandomWalk {
    /// Takes rows of predecessors and the outdegrees that go with them; counts the outdegrees
    /// when there are none. O(n log n + m), parallel.
    ///
    /// # Errors
    /// If the outdegrees are not one a node or do not add up to the number of arcs.
    pub fn new(backward: Backward) -> Result<Self> {
        let Backward { rows, outdegrees } = backward;
        let outdegrees = outdegrees.unwrap_or_else(|| count_outdegrees(&rows));
        let total: u64 = outdegrees.par_iter().map(|&degree| degree as u64).sum();
        if outdegrees.len() != rows.num_nodes() || total != rows.num_arcs() {
            return Err(Error::Unsupported(format!(
                "the outdegrees of {} nodes add up to {total}, but the graph has {} nodes and {} \
                 arcs",
                outdegrees.len(),
                rows.num_nodes(),
                rows.num_arcs()
            )));
        }
        let rows = PullRows::new(rows);
        let mut live = vec![false; rows.num_rows()];
        for (node, &outdegree) in outdegrees.iter().enumerate() {
            live[rows.row_of(node)] |= outdegree > 0;
        }
        Ok(RandomWalk {
            rows,
            outdegrees,
            live,
        })
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    /// The number of arcs.
    pub fn num_arcs(&self) -> u64 {
        self.rows.num_arcs()
    }

    /// The rows of predecessors.
    pub fn rows(&self) -> &PullRows {
        &self.rows
    }

    /// The number of successors of each node.
    pub fn outdegrees(&self) -> &[u32] {
        &self.outdegrees
    }

    /// Whether some node with this distinct row has successors: the others give nothing, and can
    /// be left out of an iteration.
    #[inline]
    pub fn is_live(&self, row: usize) -> bool {
        self.live[row]
    }

    /// The number of nodes without successors.
    pub fn num_dangling(&self) -> usize {
        let outdegrees = self.outdegrees.par_iter();
        outdegrees.filter(|&&outdegree| outdegree == 0).count()
    }
}

/// What each successor receives of `x`.
#[inline]
pub(crate) fn share(x: f64, outdegree: u32) -> f64 {
    if outdegree == 0 {
        0.0
    } else {
        x / outdegree as f64
    }
}

/// How often each node occurs as a predecessor. One task a thread, so that counting needs no
/// atomics: 4 bytes a node and task.
fn count_outdegrees(predecessors: &Csr) -> Vec<u32> {
    let n = predecessors.num_nodes();
    let targets = predecessors.targets();
    let parts = rayon::current_num_threads().clamp(1, 8);
    let mut counts: Vec<Vec<u32>> = targets
        .par_chunks(targets.len().div_ceil(parts).max(1))
        .map(|part| {
            let mut count = vec![0u32; n];
            for &predecessor in part {
                count[predecessor as usize] += 1;
            }
            count
        })
        .collect();
    let mut total = counts.pop().unwrap_or_else(|| vec![0; n]);
    for count in counts {
        total
            .par_iter_mut()
            .zip(count)
            .for_each(|(total, count)| *total += count);
    }
    total
}

/// A distribution over the nodes: nonnegative numbers that add up to one.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// Every node alike.
    Uniform,
    /// One probability a node.
    Dense(Box<[f64]>),
}

impl Distribution {
    /// Normalises weights, one a node.
    ///
    /// # Errors
    /// If a weight is NaN, infinite or negative (the message names the node), or if all are 0.
    pub fn from_weights(mut weights: Vec<f64>) -> Result<Self> {
        if let Some(node) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(Error::argument(
                "the weight",
                format!("{} at node {node}", weights[node]),
                "weights must be finite and not negative",
            ));
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(Error::argument(
                "every weight",
                0,
                "at least one node must have a positive weight",
            ));
        }
        // Scaled first, so that the sum cannot overflow.
        let total = super::sums::compensated(weights.iter().map(|w| w / largest));
        weights.iter_mut().for_each(|w| *w = *w / largest / total);
        Ok(Distribution::Dense(weights.into_boxed_slice()))
    }

    /// The probability of `node` in a graph of `n` nodes.
    #[inline]
    pub fn weight(&self, node: usize, n: usize) -> f64 {
        match self {
            Distribution::Uniform => 1.0 / n as f64,
            Distribution::Dense(weights) => weights[node],
        }
    }

    /// # Errors
    /// If the distribution is dense and not over `n` nodes.
    pub fn check_len(&self, what: &'static str, n: usize) -> Result<()> {
        match self {
            Distribution::Dense(weights) if weights.len() != n => Err(Error::argument(
                what,
                format!("a vector of length {}", weights.len()),
                format!("the graph has {n} nodes"),
            )),
            _ => Ok(()),
        }
    }

    /// True if both nodes have the same probability.
    pub fn same(&self, a: Node, b: Node) -> bool {
        match self {
            Distribution::Uniform => true,
            Distribution::Dense(weights) => weights[a as usize] == weights[b as usize],
        }
    }
}
