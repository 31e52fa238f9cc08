//! All shortest paths from one node to another.

use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_graph::Csr;

/// The level of nodes that no path reaches.
const NONE: u32 = u32::MAX;

/// The shortest paths from one node to another; lengths are numbers of arcs, or sums of lengths.
pub struct ShortestPaths<L = u32> {
    ends: [Node; 2],
    length: Option<L>,
    count: u128,
    /// The nodes on paths, increasing, without the last, and where those that follow are.
    nodes: Vec<(Node, Range<usize>)>,
    following: Vec<Node>,
}

impl ShortestPaths {
    /// The bytes that are held per node: a level, a count and a place in two lists.
    pub const BYTES_OF_NODE: u64 = 4 + 16 + 8;

    /// Searches along the rows. O(n + m).
    ///
    /// # Errors
    /// If there is not enough memory; those of `admit`, as for [`Self::along`].
    pub fn new(
        rows: &Csr,
        [source, target]: [Node; 2],
        admit: &dyn Fn(u64) -> Result<()>,
    ) -> Result<Self> {
        let mut levels = filled(NONE, rows.num_nodes(), "distances")?;
        levels[source as usize] = 0;
        let mut order = vec![source];
        let mut next = 0;
        // Nodes beyond the target are on no path.
        while next < order.len() && levels[target as usize] == NONE {
            let node = order[next];
            next += 1;
            for &other in rows.row(node) {
                if levels[other as usize] == NONE {
                    levels[other as usize] = levels[node as usize] + 1;
                    order.push(other);
                }
            }
        }
        let length = Some(levels[target as usize]).filter(|&level| level != NONE);
        let onwards = |node: Node| {
            let (level, levels) = (levels[node as usize] + 1, &levels);
            let row = rows.row(node).iter().copied();
            row.filter(move |&other| levels[other as usize] == level)
        };
        Self::along([source, target], length, (&order, onwards), admit)
    }
}

impl<L: Copy> ShortestPaths<L> {
    /// The paths between two ends, from the order in which a search from the first finds nodes, and the
    /// nodes that follow a node on shortest paths from there. `admit` gets the bytes of the paths.
    ///
    /// # Errors
    /// If there is not enough memory; those of `admit`.
    pub fn along<I: Iterator<Item = Node>>(
        ends: [Node; 2],
        length: Option<L>,
        (order, onwards): (&[Node], impl Fn(Node) -> I),
        admit: &dyn Fn(u64) -> Result<()>,
    ) -> Result<Self> {
        let [source, target] = ends;
        let largest = order.iter().fold(source.max(target), |a, &b| a.max(b));
        // For each node, the number of ways from it to the target; the largest number for more.
        let mut ways = filled(0u128, largest as usize + 1, "numbers of paths")?;
        ways[target as usize] = 1;
        let (mut num_nodes, mut num_steps) = (0, 0);
        for &node in order.iter().rev().filter(|&&node| node != target) {
            let after = onwards(node).map(|other| ways[other as usize]);
            let (steps, sum) = after
                .filter(|&ways| ways > 0)
                .fold((0, 0u128), |(steps, sum), ways| {
                    (steps + 1, sum.saturating_add(ways))
                });
            ways[node as usize] = sum;
            num_nodes += usize::from(steps > 0);
            num_steps += steps;
        }
        let of_node = size_of::<(Node, Range<usize>)>();
        admit((num_nodes * of_node + num_steps * size_of::<Node>()) as u64)?;
        let mut nodes = Vec::with_capacity(num_nodes);
        let mut following = Vec::with_capacity(num_steps);
        for &node in order.iter().filter(|&&node| node != target) {
            let start = following.len();
            following.extend(onwards(node).filter(|&other| ways[other as usize] > 0));
            if following.len() > start {
                nodes.push((node, start..following.len()));
            }
        }
        nodes.sort_unstable_by_key(|(node, _)| *node);
        Ok(ShortestPaths {
            ends,
            length,
            count: length.map_or(0, |_| ways[source as usize]),
            nodes,
            following,
        })
    }

    /// The length of the paths, if there are any.
    pub fn length(&self) -> Option<L> {
        self.length
    }

    /// The number of paths; the largest number for more.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Calls `visit` with each of the first `limit` paths: those come first whose nodes have the smaller
    /// numbers.
    ///
    /// # Errors
    /// As for `visit`.
    pub fn visit<E>(
        &self,
        limit: usize,
        visit: &mut dyn FnMut(&[Node]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.count == 0 {
            return Ok(());
        }
        let onwards = |node: Node| {
            let place = self.nodes.binary_search_by_key(&node, |(node, _)| *node);
            let range = place.map_or(0..0, |place| self.nodes[place].1.clone());
            self.following[range].iter().copied()
        };
        let [source, target] = self.ends;
        let mut path = vec![source];
        let mut rest = vec![onwards(source)];
        let mut left = limit;
        while left > 0 && !path.is_empty() {
            let is_whole = path.last() == Some(&target);
            if is_whole {
                visit(&path)?;
                left -= 1;
            }
            match rest
                .last_mut()
                .and_then(Iterator::next)
                .filter(|_| !is_whole)
            {
                Some(node) => {
                    path.push(node);
                    rest.push(onwards(node));
                }
                None => {
                    path.pop();
                    rest.pop();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use webrank_base::progress::Silent;
    use webrank_graph::Graph;

    fn paths(
        rows: &Csr,
        from: Node,
        to: Node,
        limit: usize,
    ) -> (Option<u32>, u128, Vec<Vec<Node>>) {
        let paths = ShortestPaths::new(rows, [from, to], &|_| Ok(())).unwrap();
        let mut all = Vec::new();
        let collected = paths.visit(limit, &mut |path| {
            all.push(path.to_vec());
            Ok::<_, Infallible>(())
        });
        let Ok(()) = collected;
        (paths.length(), paths.count(), all)
    }

    #[test]
    fn paths_are_all_and_shortest() {
        let arcs = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (0, 5),
            (5, 4),
            (4, 6),
            (6, 0),
            (3, 3),
        ];
        let graph = Graph::from_arcs(8, arcs).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let all = |from, to| paths(&rows, from, to, usize::MAX);
        assert_eq!(all(0, 3), (Some(2), 2, vec![vec![0, 1, 3], vec![0, 2, 3]]));
        assert_eq!(all(0, 4), (Some(2), 1, vec![vec![0, 5, 4]]));
        assert_eq!(all(3, 2), (Some(4), 1, vec![vec![3, 4, 6, 0, 2]]));
        assert_eq!(all(3, 3), (Some(0), 1, vec![vec![3]]));
        assert_eq!(all(0, 7), (None, 0, vec![]));
        assert_eq!(paths(&rows, 0, 3, 1).2, [[0, 1, 3]]);
    }

    #[test]
    fn many_paths_are_counted() {
        // Thirty squares in a row.
        let square = |k: Node| {
            [
                (3 * k, 3 * k + 1),
                (3 * k, 3 * k + 2),
                (3 * k + 1, 3 * k + 3),
                (3 * k + 2, 3 * k + 3),
            ]
        };
        let graph = Graph::from_arcs(91, (0..30).flat_map(square)).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let (length, count, first) = paths(&rows, 0, 90, 5);
        assert_eq!((length, count, first.len()), (Some(60), 1 << 30, 5));
    }
}
