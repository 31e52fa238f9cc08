//! Chains: a node with a single neighbour in its row sees the graph through that neighbour.
//!
//! When p is the only predecessor of x, every y other than x has d(y, x) = d(y, p) + 1. Such nodes
//! hang below their neighbour in a forest; only the roots need a traversal. A cycle of such nodes
//! is cut once, at the member that the scan by increasing id meets first.

use webrank_base::Node;
use webrank_graph::Csr;

/// The forest of chain nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chains {
    /// The neighbour that a chain node hangs from; [`Chains::ROOT`] for every other node.
    pub parent: Box<[Node]>,
    /// Row `p` holds the chain nodes that hang from `p`.
    pub children: Csr,
}

impl Chains {
    /// The parent of a node that is not a chain node.
    pub const ROOT: Node = Node::MAX;

    /// No chains: every node is a root.
    pub fn none(num_nodes: usize) -> Self {
        Self::from_parents(vec![Self::ROOT; num_nodes])
    }

    /// Finds the chains of a graph without self-loops. O(n).
    pub fn find(rows: &Csr) -> Self {
        let n = rows.num_nodes();
        let mut parent: Vec<Node> = (0..n as Node)
            .map(|x| match *rows.row(x) {
                [only] => only,
                _ => Self::ROOT,
            })
            .collect();
        cut_cycles(&mut parent);
        Self::from_parents(parent)
    }

    /// Whether `x` needs its own traversal.
    pub fn is_root(&self, x: Node) -> bool {
        self.parent[x as usize] == Self::ROOT
    }

    fn from_parents(parent: Vec<Node>) -> Self {
        let n = parent.len();
        let mut offsets = vec![0u64; n + 1];
        for &p in parent.iter().filter(|&&p| p != Self::ROOT) {
            offsets[p as usize + 1] += 1;
        }
        for node in 0..n {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; offsets[n] as usize];
        for (x, &p) in parent.iter().enumerate().filter(|&(_, &p)| p != Self::ROOT) {
            targets[next[p as usize] as usize] = x as Node;
            next[p as usize] += 1;
        }
        Chains {
            parent: parent.into_boxed_slice(),
            children: Csr::from_checked(offsets, targets),
        }
    }
}

/// Makes a forest of a graph where every node has at most one parent.
fn cut_cycles(parent: &mut [Node]) {
    // The walk that visited each node, named after the node where it started.
    let mut visitor = vec![Chains::ROOT; parent.len()];
    for start in 0..parent.len() as Node {
        let mut x = start;
        while visitor[x as usize] == Chains::ROOT {
            visitor[x as usize] = start;
            if parent[x as usize] == Chains::ROOT {
                break;
            }
            x = parent[x as usize];
        }
        // A walk that meets itself has found a cycle, and x is on it; a walk that ended at a root
        // stops on one too, and cutting a root changes nothing.
        if visitor[x as usize] == start {
            parent[x as usize] = Chains::ROOT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_hang_from_roots_and_cycles_are_cut_once() {
        // 0 <- 1 <- 2 where 0 has two neighbours; 5, 6, 7 a cycle with 8 hanging from it.
        let arcs = [
            (0, 3),
            (0, 4),
            (1, 0),
            (2, 1),
            (5, 6),
            (6, 7),
            (7, 5),
            (8, 7),
        ];
        let chains = Chains::find(&Csr::from_arcs(9, arcs).unwrap());
        let r = Chains::ROOT;
        assert_eq!(*chains.parent, [r, 0, 1, r, r, r, 7, 5, 7]);
        assert_eq!(chains.children.row(7), [6, 8]);
    }
}
