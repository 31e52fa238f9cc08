//! Classes of nodes with equal lists.
//!
//! Two nodes with equal predecessor lists are at the same distance from every other node, and two
//! with equal successor lists are at the same distance to every other node; a measure of such
//! nodes is computed once. Closed twins, nodes whose lists become equal once each node is added to
//! its own, share their distances too.
//!
//! Lists are compared by a 64-bit signature first and element by element after, so classes are
//! exact. O(n log n + m), parallel.

use rayon::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::tasks;
use webrank_base::random::{GOLDEN, finalised};
use webrank_graph::Csr;

/// A partition of nodes by equal lists; a class is named after its smallest member, its leader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The leader of each node's class.
    pub leader: Box<[Node]>,
}

impl Classes {
    /// Every node alone.
    pub fn singletons(num_nodes: usize) -> Self {
        Classes {
            leader: (0..num_nodes as Node).collect(),
        }
    }

    /// Groups the nodes that `take` accepts by equal rows; the others stay alone.
    ///
    /// The rows must be free of self-loops, which hide equal lists.
    pub fn equal_rows(rows: &Csr, take: impl Fn(Node) -> bool + Sync) -> Self {
        let mut classes = Self::singletons(rows.num_nodes());
        classes.group(
            take,
            |x| signature(rows.row(x)),
            |x, y| rows.row(x) == rows.row(y),
        );
        classes
    }

    /// Groups further the nodes that are still alone and that `take` accepts, by equal closed
    /// rows: the row with the node itself added.
    pub fn join_twins(&mut self, rows: &Csr, take: impl Fn(Node) -> bool + Sync) {
        let mut size = vec![0u32; self.leader.len()];
        for &leader in &self.leader {
            size[leader as usize] += 1;
        }
        self.group(
            |x| size[x as usize] == 1 && rows.degree(x) > 0 && take(x),
            |x| signature(rows.row(x)).wrapping_add(mix(x)),
            |x, y| closed_equal(rows, x, y),
        );
    }

    /// The members of each class, leaders first, in increasing order.
    pub fn members(&self) -> Csr {
        let n = self.leader.len();
        let mut offsets = vec![0u64; n + 1];
        for &leader in &self.leader {
            offsets[leader as usize + 1] += 1;
        }
        for node in 0..n {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; n];
        for (node, &leader) in self.leader.iter().enumerate() {
            targets[next[leader as usize] as usize] = node as Node;
            next[leader as usize] += 1;
        }
        Csr::from_checked(offsets, targets)
    }

    fn group(
        &mut self,
        take: impl Fn(Node) -> bool + Sync,
        sign: impl Fn(Node) -> u64 + Sync,
        equal: impl Fn(Node, Node) -> bool,
    ) {
        let signature = |x: usize| take(x as Node).then(|| (sign(x as Node), x as Node));
        let mut signed = tasks::select(self.leader.len(), signature);
        signed.par_sort_unstable();
        let mut leaders: Vec<Node> = Vec::new();
        for run in signed.chunk_by(|a, b| a.0 == b.0) {
            // A run has more than one leader only if signatures of different lists collide.
            leaders.clear();
            for &(_, node) in run {
                match leaders.iter().find(|&&leader| equal(leader, node)) {
                    Some(&leader) => self.leader[node as usize] = leader,
                    None => leaders.push(node),
                }
            }
        }
    }
}

/// A signature that does not depend on order, so that closing a list is one addition.
fn signature(row: &[Node]) -> u64 {
    row.iter().fold(0, |sum: u64, &x| sum.wrapping_add(mix(x)))
}

/// A pseudorandom number of a node.
fn mix(x: Node) -> u64 {
    finalised((x as u64 + 1).wrapping_mul(GOLDEN))
}

/// Whether the rows of `x` and `y` are equal once each holds both.
fn closed_equal(rows: &Csr, x: Node, y: Node) -> bool {
    let (row_x, row_y) = (rows.row(x), rows.row(y));
    row_x.len() == row_y.len()
        && row_x.binary_search(&y).is_ok()
        && row_y.binary_search(&x).is_ok()
        && row_x
            .iter()
            .filter(|&&z| z != y)
            .eq(row_y.iter().filter(|&&z| z != x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_form_a_class() {
        let graph = Csr::from_arcs(5, [(0, 4), (1, 3), (2, 4), (4, 3)]).unwrap();
        let classes = Classes::equal_rows(&graph, |_| true);
        assert_eq!(*classes.leader, [0, 1, 0, 3, 1]);
        assert_eq!(classes.members().row(1), [1, 4]);
        let some = Classes::equal_rows(&graph, |x| x != 2);
        assert_eq!(*some.leader, [0, 1, 2, 3, 1]);
    }

    #[test]
    fn closed_twins_form_a_class() {
        // 0, 1 and 2 point at each other and at 3.
        let triangle = (0..3).flat_map(|x| (0..4).filter(move |&y| y != x).map(move |y| (x, y)));
        let graph = Csr::from_arcs(4, triangle).unwrap();
        let mut classes = Classes::equal_rows(&graph, |_| true);
        assert_eq!(*classes.leader, [0, 1, 2, 3]);
        classes.join_twins(&graph, |_| true);
        assert_eq!(*classes.leader, [0, 0, 0, 3]);
    }
}
