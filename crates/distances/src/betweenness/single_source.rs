//! Brandes's algorithm from one source at a time.
//!
//! A breadth-first search counts the shortest paths to each node, sigma; the nodes are then
//! processed in reverse. The dependency of a source on v is the share of its shortest paths that
//! run through v, summed over their ends:
//!
//!   delta(v) = sum over arcs v -> w with d(w) = d(v) + 1 of sigma(v) / sigma(w) (1 + delta(w))
//!
//! No lists of predecessors are kept: the backward pass reads the arcs of v again. O(nodes and arcs
//! reached). Brandes 2001.

use super::path_count::{PathCount, PathRatio};
use webrank_base::Node;
use webrank_graph::Csr;

const FAR: u32 = u32::MAX;

/// Distances and numbers of shortest paths from one source after another; each search clears only
/// what the last one touched.
pub struct ShortestPaths<C> {
    distance: Vec<u32>,
    paths: Vec<C>,
    queue: Vec<Node>,
    are_exact: bool,
}

impl<C: PathCount> ShortestPaths<C> {
    /// A workspace for graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        ShortestPaths {
            distance: vec![FAR; num_nodes],
            paths: vec![C::ONE; num_nodes],
            queue: Vec::with_capacity(num_nodes),
            are_exact: true,
        }
    }

    /// Counts the shortest paths from `source` along `rows`. False, and without a valid result, if
    /// some count is too large for `C`.
    pub fn search(&mut self, rows: &Csr, source: Node) -> bool {
        for &x in &self.queue {
            self.distance[x as usize] = FAR;
        }
        self.queue.clear();
        self.queue.push(source);
        self.are_exact = true;
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
            self.are_exact &= paths.is_exact();
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

    /// The nodes reached, in the order of their distances.
    pub fn queue(&self) -> &[Node] {
        &self.queue
    }

    /// The number of shortest paths to a node that was reached.
    #[inline(always)]
    pub fn number(&self, node: Node) -> C {
        self.paths[node as usize]
    }

    /// The roundings behind a number of paths: none below 2^53. Each number is a sum over nodes of
    /// the level above, so all levels together add no more terms than there are nodes.
    fn roundings(&self) -> u64 {
        if self.are_exact {
            0
        } else {
            self.queue.len() as u64
        }
    }

    /// The arcs of `v` that shortest paths take: their places in the targets of `rows`, and the
    /// nodes they lead to.
    #[inline(always)]
    pub fn arcs_below(&self, rows: &Csr, v: Node) -> impl Iterator<Item = (usize, Node)> {
        let below = self.distance[v as usize] + 1;
        let arcs = (rows.offsets()[v as usize] as usize..).zip(rows.row(v).iter().copied());
        arcs.filter(move |&(_, w)| self.distance[w as usize] == below)
    }
}

/// A workspace for searches in one graph for the dependencies of sources.
pub struct DependencySearch<C> {
    paths: ShortestPaths<C>,
    dependency: Vec<f64>,
    roundings: u64,
}

impl<C: PathRatio> DependencySearch<C> {
    /// A workspace for graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        DependencySearch {
            paths: ShortestPaths::new(num_nodes),
            dependency: vec![0.0; num_nodes],
            roundings: 0,
        }
    }

    /// Searches from `source` along `rows` of successors. Calls `arc(index, share)` for each arc
    /// that shortest paths take, where `index` is its place in the targets of `rows` and `share`
    /// the dependency of the source on it; and `node(v, delta)`, after the arcs of v, for each v
    /// reached except the source.
    ///
    /// False, before any call, if a number of paths is too large for `C`.
    pub fn dependencies(
        &mut self,
        rows: &Csr,
        source: Node,
        mut arc: impl FnMut(usize, f64),
        mut node: impl FnMut(Node, f64),
    ) -> bool {
        if !self.paths.search(rows, source) {
            return false;
        }
        let mut of_levels = LevelRoundings::default();
        for &v in self.paths.queue.iter().rev() {
            let paths = self.paths.number(v);
            let (mut dependency, mut terms) = (0.0, 0);
            for (index, w) in self.paths.arcs_below(rows, v) {
                let share = paths.over(self.paths.number(w)) * (1.0 + self.dependency[w as usize]);
                arc(index, share);
                dependency += share;
                terms += 1;
            }
            of_levels.add(self.paths.distance[v as usize], terms);
            self.dependency[v as usize] = dependency;
            if v != source {
                node(v, dependency);
            }
        }
        self.roundings = 2 * self.paths.roundings() + of_levels.sum();
        true
    }

    /// The roundings behind a share or a dependency of the last search: see
    /// [`ties`](super::ties).
    ///
    /// Shares multiply by one number of paths and divide by the next. So the errors of these
    /// numbers cancel, except for the first and the last.
    pub fn roundings(&self) -> u64 {
        self.roundings
    }
}

/// The roundings of sums that depend on each other, level by level.
#[derive(Default)]
struct LevelRoundings {
    level: u32,
    most_terms: u64,
    of_levels_below: u64,
}

impl LevelRoundings {
    /// Records a sum of `terms` on a level; levels come one after another.
    #[inline(always)]
    fn add(&mut self, level: u32, terms: u64) {
        if level != self.level {
            self.of_levels_below = self.sum();
            (self.level, self.most_terms) = (level, 0);
        }
        self.most_terms = self.most_terms.max(terms);
    }

    /// The roundings of the last level and of all before. A term is a quotient times 1 plus the
    /// value from the level below.
    fn sum(&self) -> u64 {
        self.of_levels_below + self.most_terms + 3
    }
}
