//! The order in which sources are searched.
//!
//! Sources searched together should meet the same nodes at the same levels. A breadth-first search
//! AGAINST the direction of the traversal visits nodes with common neighbours next to each other.

use webrank_base::Node;
use webrank_graph::Csr;

/// All nodes in the order of breadth-first searches of `rows`, started at each node not yet
/// visited by increasing id. O(n + m).
pub fn breadth_first(rows: &Csr) -> Vec<Node> {
    let n = rows.num_nodes();
    let mut visited = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut next = 0;
    for start in 0..n as Node {
        if std::mem::replace(&mut visited[start as usize], true) {
            continue;
        }
        order.push(start);
        while next < order.len() {
            for &y in rows.row(order[next]) {
                if !std::mem::replace(&mut visited[y as usize], true) {
                    order.push(y);
                }
            }
            next += 1;
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_a_permutation_by_levels() {
        let graph = Csr::from_arcs(6, [(0, 4), (0, 5), (4, 2), (5, 1)]).unwrap();
        assert_eq!(breadth_first(&graph), [0, 4, 5, 2, 1, 3]);
    }
}
