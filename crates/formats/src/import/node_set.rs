//! A set of nodes.

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;

/// A set of nodes, one bit for each up to the largest.
#[derive(Default)]
pub(super) struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// Adds a node; true if it was not there.
    ///
    /// # Errors
    /// If memory is short.
    #[inline]
    pub(super) fn insert(&mut self, node: Node) -> Result<bool> {
        let (word, bit) = (node as usize / 64, 1 << (node % 64));
        if word >= self.words.len() {
            let length = (word + 1).next_power_of_two();
            let mut longer = filled(0, length, "the nodes of a list")?;
            longer[..self.words.len()].copy_from_slice(&self.words);
            self.words = longer;
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        Ok(is_new)
    }

    pub(super) fn contains(&self, node: u64) -> bool {
        let word = self.words.get(node as usize / 64).copied().unwrap_or(0);
        word >> (node % 64) & 1 == 1
    }

    /// How many of them are not in another set.
    #[cfg(feature = "xml")]
    pub(super) fn len_without(&self, other: &NodeSet) -> u64 {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        let words = self.words.iter().zip(others);
        words
            .map(|(word, other)| u64::from((word & !other).count_ones()))
            .sum()
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}
