//! Disjoint sets of nodes that are merged: union-find (Tarjan 1975; with path halving), by several
//! threads at once (Anderson and Woll, "Wait-free parallel algorithms for the union-find problem",
//! STOC 1991).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;

/// Sets of nodes; the representative of a set is its smallest node, whatever the order of merges. 4
/// bytes a node; about the same time for each operation, however many there are.
///
/// Links lead to smaller nodes of the same set, and threads exchange nothing but them, so it does not
/// matter in which order they see them.
pub struct DisjointSets(Vec<AtomicU32>);

impl DisjointSets {
    /// A set for each of `n` nodes.
    pub fn new(n: usize) -> Self {
        DisjointSets((0..n as Node).map(AtomicU32::new).collect())
    }

    /// The representative of the set of a node, once no thread merges sets.
    pub fn find(&self, mut node: Node) -> Node {
        loop {
            let parent = self.parent(node);
            if parent == node {
                return node;
            }
            let above = self.parent(parent);
            // If another thread has put a link to a smaller node here, that one stays.
            let link = &self.0[node as usize];
            let _ = link.compare_exchange(parent, above, Relaxed, Relaxed);
            node = above;
        }
    }

    fn parent(&self, node: Node) -> Node {
        self.0[node as usize].load(Relaxed)
    }

    /// Merges two sets. The smaller of both representatives becomes that of the union.
    pub fn join(&self, mut a: Node, mut b: Node) {
        loop {
            (a, b) = (self.find(a), self.find(b));
            if a == b {
                return;
            }
            let (small, large) = (a.min(b), a.max(b));
            let link = &self.0[large as usize];
            // Another thread may have merged the larger one into yet another set.
            if link
                .compare_exchange(large, small, Relaxed, Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }
}
