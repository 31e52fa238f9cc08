//! Which nodes are live: those that pass their scores on, and are iterated on.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use sux::bits::AtomicBitVec;
use sux::traits::AtomicBitVecOps;
use webrank_base::Node;
use webrank_base::parallel::tasks;

/// The live nodes of a vector.
#[derive(Clone, Copy)]
pub(super) enum Live<'a> {
    /// The vector has entries for all nodes, of which these are live.
    Among(&'a LiveSet),
    /// The vector has entries for these nodes only, which are all live.
    Only(&'a [Node]),
}

impl Live<'_> {
    /// Writes which of the nodes of the entries from `first` on are live: a bit for each, the first 8 in
    /// the first byte.
    pub(super) fn write(self, first: usize, into: &mut [u8]) {
        match self {
            Live::Among(set) => set.write(first, into),
            Live::Only(_) => into.fill(u8::MAX),
        }
    }
}

/// The bytes of the set of live nodes among so many.
pub(crate) fn bytes_of_live(num_nodes: u64) -> u64 {
    num_nodes / 8 + 16
}

/// A set of nodes: a bit for each node of the graph. Threads may add nodes at the same time.
pub(crate) struct LiveSet(AtomicBitVec);

impl LiveSet {
    /// The empty set of nodes below `num_nodes`.
    pub(crate) fn new(num_nodes: usize) -> Self {
        LiveSet(AtomicBitVec::new(num_nodes))
    }

    /// The nodes that have a degree.
    pub(super) fn of_degrees(degrees: &[u32]) -> Self {
        let live = Self::new(degrees.len());
        live.insert(0, degrees);
        live
    }

    /// Adds the nodes that have a degree, of those from `first` on.
    pub(super) fn insert(&self, first: usize, degrees: &[u32]) {
        tasks::for_each(tasks::ranges(degrees.len()), |nodes| {
            for node in nodes.filter(|&node| degrees[node] > 0) {
                self.add(first + node);
            }
        });
    }

    /// Adds a node.
    #[inline]
    pub(super) fn add(&self, node: usize) {
        // Relaxed: bits are set in any order, and joining the tasks orders them before every read.
        self.0.set(node, true, Relaxed);
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        self.0.count_ones()
    }

    /// Writes the bits of nodes from `first` on, the first 8 to the first byte; nodes after the last
    /// are in no set.
    fn write(&self, first: usize, into: &mut [u8]) {
        let words: &[AtomicUsize] = self.0.as_ref();
        let word = |index: usize| words.get(index).map_or(0, |word| word.load(Relaxed) as u64);
        for (byte, into) in into.iter_mut().enumerate() {
            let node = first + 8 * byte;
            let both = [node / 64, node / 64 + 1].map(word).map(u128::from);
            *into = ((both[0] | both[1] << 64) >> (node % 64)) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_from_any_node_on(degrees in prop::collection::vec(0u32..3, 0..300), first in 0usize..300) {
            let live = LiveSet::of_degrees(&degrees);
            prop_assert_eq!(live.count(), degrees.iter().filter(|&&degree| degree > 0).count());
            let first = first.min(degrees.len());
            let mut bytes = vec![0x55; (degrees.len() - first).div_ceil(8)];
            Live::Among(&live).write(first, &mut bytes);
            for bit in 0..8 * bytes.len() {
                let is_set = bytes[bit / 8] >> (bit % 8) & 1 == 1;
                let is_live = degrees.get(first + bit).is_some_and(|&degree| degree > 0);
                prop_assert_eq!(is_set, is_live);
            }
        }
    }
}
