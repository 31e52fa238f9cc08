//! Breadth-first search from one source at a time.

use super::histogram::Histogram;
use webrank_base::Node;
use webrank_graph::Csr;

/// A workspace for searches of one graph, reused from source to source without clearing.
pub struct SingleSearch {
    /// The number of the last search that visited each node.
    visited: Vec<u32>,
    search: u32,
    queue: Vec<Node>,
    counts: Vec<u32>,
    arcs: u64,
}

impl SingleSearch {
    /// A workspace for searches of graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        SingleSearch {
            visited: vec![0; num_nodes],
            search: 0,
            queue: Vec::with_capacity(num_nodes),
            counts: Vec::new(),
            arcs: 0,
        }
    }

    /// How many arcs all searches so far have followed.
    pub fn arcs(&self) -> u64 {
        self.arcs
    }

    /// Calls `visit(distance, nodes)` for each distance from 0 with the nodes at that distance
    /// from `source` along `rows`, as long as it returns true. O(nodes and arcs reached).
    pub fn by_level(
        &mut self,
        rows: &Csr,
        source: Node,
        mut visit: impl FnMut(u32, &[Node]) -> bool,
    ) {
        self.search = self.search.checked_add(1).unwrap_or_else(|| {
            self.visited.fill(0);
            1
        });
        self.visited[source as usize] = self.search;
        self.queue.clear();
        self.queue.push(source);
        let (mut start, mut distance) = (0, 0);
        while start < self.queue.len() {
            let end = self.queue.len();
            if !visit(distance, &self.queue[start..end]) {
                return;
            }
            for i in start..end {
                let row = rows.row(self.queue[i]);
                self.arcs += row.len() as u64;
                for &y in row {
                    if self.visited[y as usize] != self.search {
                        self.visited[y as usize] = self.search;
                        self.queue.push(y);
                    }
                }
            }
            (start, distance) = (end, distance + 1);
        }
    }

    /// How many nodes lie at each distance from `source` along `rows`.
    pub fn histogram(&mut self, rows: &Csr, source: Node) -> Histogram<'_> {
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        self.by_level(rows, source, |distance, nodes| {
            if distance > 0 {
                counts.push(nodes.len() as u32);
            }
            true
        });
        counts.reverse();
        self.counts = counts;
        Histogram::new(&self.counts)
    }
}
