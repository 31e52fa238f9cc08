//! Brandes's algorithm from one source at a time.
//!
//! A search counts the shortest paths to each node, sigma; the nodes are then processed in reverse.
//! The dependency of a source on v is the share of its shortest paths that run through v, summed over
//! their ends:
//!
//!   delta(v) = sum over arcs v -> w on shortest paths of sigma(v) / sigma(w) (1 + delta(w))
//!
//! No lists of predecessors are kept: the backward pass reads the arcs of v again. O(nodes and arcs
//! reached), besides the search. Brandes 2001.
//!
//! The search is any [`PathSearch`]: here by breadth, in `webrank-lengths` by lengths of arcs.

use super::path_count::{PathCount, PathRatio};
use webrank_base::Node;
use webrank_graph::Csr;

/// A graph whose shortest paths can be counted.
pub trait PathGraph: Sync {
    /// A search that counts paths in these numbers.
    type Search<'g, C: PathCount>: PathSearch<Count = C> + Send
    where
        Self: 'g;

    /// A workspace for searches.
    fn paths<C: PathCount>(&self) -> Self::Search<'_, C>;

    /// The number of nodes.
    fn num_nodes(&self) -> usize;

    /// The number of arcs.
    fn num_arcs(&self) -> u64;
}

/// Shortest paths from one source after another.
pub trait PathSearch {
    /// How paths are counted.
    type Count: PathCount;

    /// Counts the shortest paths from `source`. False, and without a valid result, if some count is
    /// too large.
    fn search(&mut self, source: Node) -> bool;

    /// The nodes reached: the source is the first, and all nodes of a shortest path stand in its order.
    fn order(&self) -> &[Node];

    /// The number of shortest paths to a node that was reached.
    fn number(&self, node: Node) -> Self::Count;

    /// The arcs of `v` that shortest paths take: their places in the rows of successors, and the nodes
    /// they lead to.
    fn arcs_below(&self, v: Node) -> impl Iterator<Item = (usize, Node)>;
}

const FAR: u32 = u32::MAX;

/// Distances in hops and numbers of shortest paths from one source after another; each search clears
/// only what the last one touched.
pub struct PathCounts<'g, C> {
    rows: &'g Csr,
    distance: Vec<u32>,
    paths: Vec<C>,
    queue: Vec<Node>,
}

impl PathGraph for Csr {
    type Search<'g, C: PathCount> = PathCounts<'g, C>;

    fn paths<C: PathCount>(&self) -> PathCounts<'_, C> {
        let n = self.num_nodes();
        PathCounts {
            rows: self,
            distance: vec![FAR; n],
            paths: vec![C::ONE; n],
            queue: Vec::with_capacity(n),
        }
    }

    fn num_nodes(&self) -> usize {
        self.num_nodes()
    }

    fn num_arcs(&self) -> u64 {
        self.num_arcs()
    }
}

impl<C: PathCount> PathSearch for PathCounts<'_, C> {
    type Count = C;

    fn search(&mut self, source: Node) -> bool {
        for &x in &self.queue {
            self.distance[x as usize] = FAR;
        }
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
            for &w in self.rows.row(v as Node) {
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

    fn order(&self) -> &[Node] {
        &self.queue
    }

    #[inline(always)]
    fn number(&self, node: Node) -> C {
        self.paths[node as usize]
    }

    #[inline(always)]
    fn arcs_below(&self, v: Node) -> impl Iterator<Item = (usize, Node)> {
        let below = self.distance[v as usize] + 1;
        let first = self.rows.offsets()[v as usize] as usize;
        let arcs = (first..).zip(self.rows.row(v).iter().copied());
        arcs.filter(move |&(_, w)| self.distance[w as usize] == below)
    }
}

/// A workspace for searches in one graph for the dependencies of sources.
pub struct DependencySearch<S> {
    paths: S,
    dependency: Vec<f64>,
    /// The roundings behind the dependency of each node, and behind the number of paths to it.
    of_dependency: Vec<u32>,
    of_number: Vec<u32>,
    roundings: u64,
}

impl<S: PathSearch<Count: PathRatio>> DependencySearch<S> {
    /// A workspace for graphs of `num_nodes` nodes.
    pub fn new(paths: S, num_nodes: usize) -> Self {
        DependencySearch {
            paths,
            dependency: vec![0.0; num_nodes],
            of_dependency: vec![0; num_nodes],
            of_number: Vec::new(),
            roundings: 0,
        }
    }

    /// Searches from `source`. Calls `arc(index, share)` for each arc that shortest paths take, where
    /// `index` is its place in the rows of successors and `share` the dependency of the source on it;
    /// and `node(v, delta)`, after the arcs of v, for each v reached except the source.
    ///
    /// False, before any call, if a number of paths is too large to be counted so.
    pub fn dependencies(
        &mut self,
        source: Node,
        mut arc: impl FnMut(usize, f64),
        mut node: impl FnMut(Node, f64),
    ) -> bool {
        if !self.paths.search(source) {
            return false;
        }
        let mut most = 0;
        for &v in self.paths.order().iter().rev() {
            let paths = self.paths.number(v);
            let (mut dependency, mut terms, mut behind) = (0.0, 0, 0);
            for (index, w) in self.paths.arcs_below(v) {
                let share = paths.over(self.paths.number(w)) * (1.0 + self.dependency[w as usize]);
                arc(index, share);
                dependency += share;
                terms += 1;
                behind = behind.max(self.of_dependency[w as usize]);
            }
            // A term is a quotient times 1 plus the value of the node below.
            let roundings = if terms == 0 { 0 } else { behind + terms + 3 };
            self.of_dependency[v as usize] = roundings;
            most = most.max(roundings);
            self.dependency[v as usize] = dependency;
            if v != source {
                node(v, dependency);
            }
        }
        self.roundings = u64::from(most) + 2 * self.roundings_of_numbers();
        true
    }

    /// The roundings behind a number of paths of the last search, at most: none below 2^53.
    fn roundings_of_numbers(&mut self) -> u64 {
        let order = self.paths.order();
        if order.iter().all(|&v| self.paths.number(v).is_exact()) {
            return 0;
        }
        self.of_number.clear();
        self.of_number.resize(self.dependency.len(), 0);
        let mut most = 0;
        for &v in order {
            let next = self.of_number[v as usize] + 1;
            for (_, w) in self.paths.arcs_below(v) {
                let known = &mut self.of_number[w as usize];
                *known = next.max(*known + 1);
                most = most.max(*known);
            }
        }
        u64::from(most)
    }

    /// The nodes reached by the last search; the source is the first.
    pub fn reached(&self) -> &[Node] {
        self.paths.order()
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
