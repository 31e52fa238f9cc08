//! A row as single nodes and runs, and its sums.

use crate::prefixes::{PREFIX_BLOCK, Prefixes};
use num_traits::Float;
use webrank_base::Node;
use webrank_base::parallel::sums::{Compensated, gathered, ranged};

/// Shorter runs are kept as single nodes: a run costs two reads.
pub(super) const MIN_RUN: usize = 4;

/// The nodes of a row: some one by one, the others in runs of consecutive nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The single nodes, increasing.
    pub singles: &'a [Node],
    /// The runs as pairs (first, end), increasing, none across a multiple of [`PREFIX_BLOCK`].
    pub runs: &'a [[Node; 2]],
}

impl Row<'_> {
    /// The number of nodes.
    pub fn len(self) -> usize {
        let in_runs = self.runs.iter().map(|[first, end]| (end - first) as usize);
        self.singles.len() + in_runs.sum::<usize>()
    }

    /// Whether there are no nodes.
    pub fn is_empty(self) -> bool {
        self.singles.is_empty() && self.runs.is_empty()
    }

    /// Whether `node` is in the row.
    pub fn contains(self, node: Node) -> bool {
        let after = self.runs.partition_point(|&[first, _]| first <= node);
        self.singles.binary_search(&node).is_ok() || (after > 0 && node < self.runs[after - 1][1])
    }

    /// The nodes, each once, in no particular order.
    pub fn nodes(self) -> impl Iterator<Item = Node> {
        let in_runs = self.runs.iter().flat_map(|&[first, end]| first..end);
        self.singles.iter().copied().chain(in_runs)
    }

    /// Sum of `values`, by prefix sums for runs.
    #[inline]
    pub fn fast_sum<T: Float>(self, values: &[T], prefixes: &Prefixes<T>) -> T {
        let mut sum = gathered(self.singles, |j| values[j as usize]);
        for &[first, end] in self.runs {
            sum = sum + prefixes.between(first, end);
        }
        sum
    }

    /// Sum of `value(j)`, term by term, with the error stated in [`webrank_base::parallel::sums`]. The
    /// order of additions depends on the row alone.
    #[inline]
    pub fn exact_sum(self, value: impl Fn(Node) -> f64 + Copy) -> f64 {
        let first = gathered(self.singles, value);
        if self.runs.is_empty() {
            return first;
        }
        let mut sum = Compensated::default();
        sum.add(first);
        for &[first, end] in self.runs {
            sum.add(ranged(first..end, value));
        }
        sum.value()
    }

    /// The sum of whole numbers of the nodes, modulo 2^64, given the sums of those of all nodes before
    /// one, and before the end. So numbers take 8 bytes a node, and a run takes two reads.
    #[inline(always)]
    pub(crate) fn whole_sum(self, before: &[u64]) -> u64 {
        let (mut starts, mut ends) = (0u64, 0u64);
        // Both sums around a node are one read, and many nodes need no end of a loop to be guessed.
        let mut add = |node: Node| {
            let around = &before[node as usize..][..2];
            starts = starts.wrapping_add(around[0]);
            ends = ends.wrapping_add(around[1]);
        };
        let (many, few) = self.singles.as_chunks::<8>();
        for nodes in many {
            nodes.iter().for_each(|&node| add(node));
        }
        few.iter().for_each(|&node| add(node));
        for &[first, end] in self.runs {
            starts = starts.wrapping_add(before[first as usize]);
            ends = ends.wrapping_add(before[end as usize]);
        }
        ends.wrapping_sub(starts)
    }
}

/// Splits an increasing row: appends its single nodes to `singles`, and the first nodes and the ends
/// of its runs to `runs`.
#[inline]
pub(super) fn split(row: &[Node], singles: &mut Vec<Node>, runs: &mut Vec<Node>) {
    let follows = |a: &Node, b: &Node| *b == *a + 1 && !(*b as usize).is_multiple_of(PREFIX_BLOCK);
    for run in row.chunk_by(follows) {
        if run.len() < MIN_RUN {
            singles.extend_from_slice(run);
        } else {
            runs.extend([run[0], run[run.len() - 1] + 1]);
        }
    }
}

/// A hash of a row.
pub(super) fn hash(row: &[Node]) -> u64 {
    row.iter().fold(row.len() as u64, |hash, &node| {
        (hash.rotate_left(29) ^ node as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}
