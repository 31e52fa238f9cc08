//! Brandes's algorithm from one source at a time.
//!
//! A breadth-first search counts the shortest paths to each node, sigma; the nodes are then taken
//! in reverse. The dependency of a source on v is the share of its shortest paths that run through
//! v, summed over their ends:
//!
//!   delta(v) = sum over arcs v -> w with d(w) = d(v) + 1 of sigma(v) / sigma(w) (1 + delta(w))
//!
//! No lists of predecessors are kept: the arcs of v are read again. O(nodes and arcs reached).
//! Brandes 2001.

use super::path_count::PathCount;
use crate::graph::{Csr, Node};

const FAR: u32 = u32::MAX;

/// The working memory of searches of one graph, reused from source to source; only what was touched
/// is cleared.
pub struct DependencySearch<C> {
    distance: Vec<u32>,
    paths: Vec<C>,
    dependency: Vec<f64>,
    queue: Vec<Node>,
}

impl<C: PathCount> DependencySearch<C> {
    /// A workspace for graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        DependencySearch {
            distance: vec![FAR; num_nodes],
            paths: vec![C::ONE; num_nodes],
            dependency: vec![0.0; num_nodes],
            queue: Vec::with_capacity(num_nodes),
        }
    }

    /// Searches from `source` along `rows`, successors. Calls `arc(index, share)` for each arc that
    /// shortest paths take, where `index` is its place in the targets of `rows` and `share` the
    /// dependency of the source on it; then `node(v, delta)` for each v reached but the source.
    ///
    /// False, before any call, if a number of paths is too large for `C`.
    pub fn dependencies(
        &mut self,
        rows: &Csr,
        source: Node,
        mut arc: impl FnMut(usize, f64),
        mut node: impl FnMut(Node, f64),
    ) -> bool {
        for &x in &self.queue {
            self.distance[x as usize] = FAR;
        }
        if !self.count_paths(rows, source) {
            return false;
        }
        for &v in self.queue.iter().rev() {
            let below = self.distance[v as usize] + 1;
            let paths = self.paths[v as usize];
            let first = rows.offsets()[v as usize] as usize;
            let mut dependency = 0.0;
            for (index, &w) in rows.row(v).iter().enumerate() {
                let w = w as usize;
                if self.distance[w] == below {
                    let share = paths.over(self.paths[w]) * (1.0 + self.dependency[w]);
                    arc(first + index, share);
                    dependency += share;
                }
            }
            self.dependency[v as usize] = dependency;
            if v != source {
                node(v, dependency);
            }
        }
        true
    }

    fn count_paths(&mut self, rows: &Csr, source: Node) -> bool {
        self.queue.clear();
        self.queue.push(source);
        self.distance[source as usize] = 0;
        self.paths[source as usize] = C::ONE;
        let mut next = 0;
        while next < self.queue.len() {
            let v = self.queue[next] as usize;
            next += 1;
            let (below, paths) = (self.distance[v] + 1, self.paths[v]);
            if paths.is_too_large() {
                return false;
            }
            for &w in rows.row(v as Node) {
                let x = w as usize;
                if self.distance[x] == FAR {
                    self.distance[x] = below;
                    self.paths[x] = paths;
                    self.queue.push(w);
                } else if self.distance[x] == below {
                    self.paths[x] = self.paths[x].plus(paths);
                }
            }
        }
        true
    }
}
