//! Disjoint sets of nodes that are merged: union-find (Tarjan 1975; with path halving).

use super::Node;

/// Sets of nodes; the representative of a set is its smallest node. 4 bytes a node; about the same
/// time for each operation, however many there are.
pub(crate) struct DisjointSets(Vec<Node>);

impl DisjointSets {
    /// A set for each of `n` nodes.
    pub(crate) fn new(n: usize) -> Self {
        DisjointSets((0..n as Node).collect())
    }

    /// The representative of the set of a node.
    pub(crate) fn find(&mut self, mut node: Node) -> Node {
        let parents = &mut self.0;
        while parents[node as usize] != node {
            let above = parents[parents[node as usize] as usize];
            parents[node as usize] = above;
            node = above;
        }
        node
    }

    /// Merges two sets. The smaller of both representatives becomes that of the union.
    pub(crate) fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
