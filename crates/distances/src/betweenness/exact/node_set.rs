//! The set of nodes that a level reaches, taken out in increasing order.

use webrank_base::Node;

/// One bit per node, and one bit per 64 of these, so that a level of few nodes in a large graph is
/// found fast.
pub(crate) struct NodeSet {
    words: Vec<u64>,
    /// Bit i of word j: `words[64 * j + i]` is not zero.
    occupied: Vec<u64>,
}

impl NodeSet {
    pub fn new(num_nodes: usize) -> Self {
        let words = num_nodes.div_ceil(64);
        NodeSet {
            words: vec![0; words],
            occupied: vec![0; words.div_ceil(64)],
        }
    }

    #[inline(always)]
    pub fn add(&mut self, node: Node) {
        let word = node as usize / 64;
        self.words[word] |= 1 << (node % 64);
        self.occupied[word / 64] |= 1 << (word % 64);
    }

    /// Moves all nodes out of the set and appends them to `nodes`.
    #[inline(always)]
    pub fn take(&mut self, nodes: &mut Vec<Node>) {
        for i in 0..self.occupied.len() {
            let mut words = std::mem::take(&mut self.occupied[i]);
            while words != 0 {
                let word = 64 * i + words.trailing_zeros() as usize;
                words &= words - 1;
                let mut bits = std::mem::take(&mut self.words[word]);
                while bits != 0 {
                    nodes.push((64 * word) as Node + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_out_once_in_order() {
        let mut touched = NodeSet::new(100_000);
        for node in [70_000, 3, 64, 3, 99_999, 4096] {
            touched.add(node);
        }
        let mut nodes = Vec::new();
        touched.take(&mut nodes);
        assert_eq!(nodes, [3, 64, 4096, 70_000, 99_999]);
        touched.take(&mut nodes);
        assert_eq!(nodes.len(), 5);
    }
}
