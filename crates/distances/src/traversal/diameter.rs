//! The diameter of a graph, without a search from every node.
//!
//! Let p be a node, a(x) the distance from x to p and b(y) the distance from p to y. A pair with a path
//! by p has a distance of at most a(x) + b(y). Let L be the largest distance found so far. Once all
//! nodes with a(x) > s have been searched from, and all with b(y) > L - s backwards, no pair of this
//! kind is farther apart than L. The split s that leaves the fewest searches is taken, and the farthest
//! nodes are searched first, as they raise L most (Crescenzi, Grossi, Habib et al. 2013, for graphs
//! without directions; both sets are our way to do it with directions).
//!
//! No pair of other nodes has a path by the strong component of p, so its paths stay among the nodes
//! that p does not reach, or among those that do not reach p. Arcs between the others are left out,
//! and the largest of the other components is next. The rest is bounded component by component, in the
//! order in which they lead to each other (Borassi, Crescenzi, Habib et al. 2015). Nodes whose bound
//! exceeds L are searched from.
//!
//! Searches are made [512 at a time](super::bit_parallel). A graph in which all nodes are about equally
//! far from each other takes one from every node.

mod bounds;
mod center;
mod eccentricities;

use super::bit_parallel::{LANES, Workspace};
use super::histogram::Histogram;
use super::histograms::{Engine, histograms};
use crate::reduction::{Reduced, Reductions};
use eccentricities::eccentricities;
use std::cmp::Reverse;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::{Progress, Unheard};
use webrank_graph::Csr;
use webrank_graph::components::StrongComponents;

/// No distance: not reached, or not known.
const NONE: u32 = u32::MAX;

/// Components that arcs are left out for: a bit of a word for each.
const MOST_PIVOTS: usize = 32;

/// Searches at a time and direction: the first ones, which raise the bound, and the most.
const FIRST: usize = 64;
const MOST: usize = 8 * LANES;

/// Along arcs, and against them.
const DIRECTIONS: [usize; 2] = [0, 1];

/// Components of fewer nodes are left to their bounds.
const SMALL: usize = LANES;

/// The bytes of the search with `threads` threads, besides the rows.
pub fn memory(num_nodes: usize, num_arcs: u64, threads: usize) -> u64 {
    // Masks for each thread; components, marks, eccentricities, bounds, and distances of six searches, or
    // the reduced graph in their place.
    let threads = threads.min(2 * MOST / LANES);
    let of_node = 3 * LANES / 8 * threads + 80;
    (num_nodes * of_node) as u64 + 4 * num_arcs
}

/// The largest distance between two nodes, one of which reaches the other; `reverse` is the transpose of
/// `rows`.
///
/// # Errors
/// If the user interrupts.
pub fn diameter(rows: &Csr, reverse: &Csr, progress: &dyn Progress) -> Result<u32> {
    progress.begin("diameter", None);
    let diameter = by_pivots(rows, reverse, SMALL, progress)?;
    progress.end();
    Ok(diameter)
}

/// The largest distance, with pivots in components of at least `small` nodes.
fn by_pivots(rows: &Csr, reverse: &Csr, small: usize, progress: &dyn Progress) -> Result<u32> {
    let n = rows.num_nodes();
    let components = StrongComponents::new(rows, progress)?;
    let (starts, members) = components.members();
    let mut largest: Vec<usize> = (0..components.num_components()).collect();
    let size = |component: usize| starts[component + 1] - starts[component];
    largest.retain(|&component| size(component) >= small);
    largest.sort_unstable_by_key(|&component| (Reverse(size(component)), component));
    let mut search = DiameterSearch {
        rows: [rows, reverse],
        components: &components,
        members: (&starts, &members),
        sides: vec![0; n],
        pivots: 0,
        found: [vec![NONE; n], vec![NONE; n]],
        longest: 0,
        rooms: Pool::new(|| Workspace::new(n)),
        progress,
    };
    let is_done = search.run(largest)?;
    let longest = search.longest;
    drop(search);
    if is_done {
        return Ok(longest);
    }
    let graph = Reduced::new(rows, reverse, Reductions::ALL);
    let take = |longest: &mut u32, _, histogram: Histogram| {
        *longest = histogram.eccentricity().max(*longest);
    };
    let (engine, unheard) = (Engine::default(), Unheard(progress));
    let found = histograms(&graph, graph.leaders(), engine, || 0, take, &unheard)?;
    Ok(found.states.into_iter().fold(longest, u32::max))
}

/// A search for the largest distance.
struct DiameterSearch<'g, F: Fn() -> Workspace> {
    /// Along arcs, and against them.
    rows: [&'g Csr; 2],
    components: &'g StrongComponents,
    /// The nodes of each component, and where they start.
    members: (&'g [usize], &'g [Node]),
    /// For each node and pivot, two bits: whether the pivot does not reach the node, in the lower half, and
    /// whether the node does not reach the pivot.
    sides: Vec<u64>,
    pivots: usize,
    /// The eccentricity of each node that was searched from, in each direction.
    found: [Vec<u32>; 2],
    /// The largest of them.
    longest: u32,
    rooms: Pool<Workspace, F>,
    progress: &'g dyn Progress,
}

impl<F: Fn() -> Workspace + Sync> DiameterSearch<'_, F> {
    /// Searches with a pivot in each of these components; false if searches from all nodes, which share
    /// more, are less work than those that are left.
    fn run(&mut self, components: Vec<usize>) -> Result<bool> {
        for component in components.into_iter().take(MOST_PIVOTS) {
            if !self.cover(component)? {
                return Ok(false);
            }
            if DIRECTIONS
                .into_iter()
                .any(|along| self.left(along).is_empty())
            {
                return Ok(true);
            }
        }
        self.finish()
    }

    fn component(&self, component: usize) -> &[Node] {
        let (starts, members) = self.members;
        &members[starts[component]..starts[component + 1]]
    }

    /// True if a pair may have a path by this arc that avoids the components of all pivots.
    fn keeps(&self, from: Node, to: Node) -> bool {
        let both = self.sides[from as usize] & self.sides[to as usize];
        (both | both >> 32) as u32 == ((1u64 << self.pivots) - 1) as u32
    }

    /// Searches until no pair with a path by the component is farther apart than the longest distance, and
    /// leaves out what other pairs do not need; false if searches from all nodes are less work.
    fn cover(&mut self, component: usize) -> Result<bool> {
        let distances = self.center(component)?;
        let mut at_once = FIRST;
        loop {
            let counts = DIRECTIONS.map(|along| self.counts_beyond(&distances[along], along));
            let most = |along: usize, distance: u32| {
                let counts: &Vec<u64> = &counts[along];
                counts.get(distance as usize).copied().unwrap_or(0)
            };
            let searches = |split: u32| most(0, split) + most(1, self.longest - split);
            let splits = 0..=self.longest.min(counts[0].len() as u32);
            let split = splits.min_by_key(|&split| searches(split)).unwrap_or(0);
            if searches(split) == 0 {
                break;
            }
            if at_once >= LANES && self.is_dear(searches(split) as usize) {
                return Ok(false);
            }
            let beyond = [split, self.longest - split];
            let nodes = DIRECTIONS.map(|along| {
                // The largest distance beyond which there are enough.
                let enough = |&count: &u64| count >= at_once as u64;
                let enough = counts[along].iter().rposition(enough).unwrap_or(0);
                let beyond = beyond[along].max(enough as u32);
                let mut nodes = self.nodes_beyond(&distances[along], along, beyond);
                nodes.truncate(at_once);
                nodes
            });
            self.search(&nodes)?;
            at_once = (2 * at_once).min(MOST);
        }
        let [to, from] = &distances;
        for (x, sides) in self.sides.iter_mut().enumerate() {
            let is_beyond = u64::from(from[x] == NONE) | u64::from(to[x] == NONE) << 32;
            *sides |= is_beyond << self.pivots;
        }
        self.pivots += 1;
        Ok(true)
    }

    /// For each distance, the number of nodes farther away that were not searched from.
    fn counts_beyond(&self, distances: &[u32], along: usize) -> Vec<u64> {
        let mut counts: Vec<u64> = Vec::new();
        for (x, &distance) in distances.iter().enumerate() {
            if distance != NONE && self.found[along][x] == NONE {
                let place = distance as usize;
                counts.resize(counts.len().max(place + 1), 0);
                counts[place] += 1;
            }
        }
        let mut farther = 0;
        for count in counts.iter_mut().rev() {
            farther += std::mem::replace(count, farther);
        }
        counts
    }

    /// The nodes beyond a distance that were not searched from, the farthest first.
    fn nodes_beyond(&self, distances: &[u32], along: usize, beyond: u32) -> Vec<Node> {
        let is_beyond = |x: usize| distances[x] != NONE && distances[x] > beyond;
        let is_asked = |x: usize| is_beyond(x) && self.found[along][x] == NONE;
        let node = |x: usize| is_asked(x).then_some(x as Node);
        let mut nodes = tasks::select(distances.len(), node);
        nodes.sort_by_key(|&x| Reverse(distances[x as usize]));
        nodes
    }

    /// Searches from nodes in each direction.
    fn search(&mut self, nodes: &[Vec<Node>; 2]) -> Result<()> {
        let batches = DIRECTIONS.into_iter().flat_map(|along| {
            let batches = nodes[along].chunks(LANES);
            batches.map(move |batch| (along, batch))
        });
        let found = tasks::try_map(batches, |(along, batch)| {
            self.progress.check()?;
            let found = self
                .rooms
                .with(|room| eccentricities(room, self.rows[along], batch));
            Ok((along, batch, found))
        })?;
        for (along, batch, found) in found {
            for (&x, eccentricity) in batch.iter().zip(found) {
                self.found[along][x as usize] = eccentricity;
                self.longest = self.longest.max(eccentricity);
            }
        }
        Ok(())
    }

    /// True if searches from all nodes are less work than so many, which share less.
    fn is_dear(&self, searches: usize) -> bool {
        searches > self.sides.len() / 4
    }

    /// The nodes whose bound exceeds the longest distance, those with the largest one first.
    fn left(&self, along: usize) -> Vec<Node> {
        self.nodes_beyond(&self.bounds(along), along, self.longest)
    }

    /// Searches until no pair is farther apart than the longest distance; false as for [`Self::cover`].
    fn finish(&mut self) -> Result<bool> {
        let along = DIRECTIONS
            .into_iter()
            .min_by_key(|&along| self.left(along).len());
        let along = along.expect("there are two");
        let mut at_once = FIRST;
        loop {
            let mut left = self.left(along);
            if left.is_empty() {
                return Ok(true);
            }
            if at_once >= LANES && self.is_dear(left.len()) {
                return Ok(false);
            }
            left.truncate(at_once);
            let mut nodes = [Vec::new(), Vec::new()];
            nodes[along] = left;
            self.search(&nodes)?;
            at_once = (2 * at_once).min(MOST);
        }
    }
}

/// Fills in the distances from `start` along rows, by the arcs that `keeps` takes. Nodes that have a
/// distance are not entered.
fn breadth_first(
    rows: &Csr,
    start: Node,
    distances: &mut [u32],
    queue: &mut Vec<Node>,
    keeps: impl Fn(Node, Node) -> bool,
) {
    queue.clear();
    queue.push(start);
    distances[start as usize] = 0;
    let mut next = 0;
    while let Some(&x) = queue.get(next) {
        next += 1;
        for &y in rows.row(x) {
            if distances[y as usize] == NONE && keeps(x, y) {
                distances[y as usize] = distances[x as usize] + 1;
                queue.push(y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dsi_progress_logger::no_logging;
    use proptest::prelude::*;
    use webgraph::prelude::VecGraph;
    use webgraph_algo::distances::exact_sum_sweep::{Diameter, Level};
    use webrank_base::progress::Silent;
    use webrank_testing::graphs::digraphs;
    use webrank_testing::oracle::distances as oracle;

    proptest! {
        #[test]
        fn it_is_the_largest_of_all_distances((n, arcs) in digraphs(), small in 1usize..4) {
            let rows = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
            let reverse = rows.transpose().unwrap();
            let found = by_pivots(&rows, &reverse, small, &Silent).unwrap();
            let distances = oracle::distances(n, &arcs).into_iter().flatten();
            let largest = distances.filter(|&distance| distance != oracle::FAR).max();
            prop_assert_eq!(found, largest.unwrap_or(0));
            let theirs = [&rows, &reverse].map(|rows| {
                let mut graph = VecGraph::new();
                for x in 0..n {
                    graph.add_node(x);
                }
                for x in 0..n {
                    for &y in rows.row(x as Node) {
                        graph.add_arc(x, y as usize);
                    }
                }
                graph
            });
            let [graph, reversed] = theirs;
            if n == 0 {
                return Ok(());
            }
            let theirs = Diameter::run(graph, reversed, None, true, no_logging![]);
            prop_assert_eq!(found, theirs.diameter as u32);
        }
    }
}
