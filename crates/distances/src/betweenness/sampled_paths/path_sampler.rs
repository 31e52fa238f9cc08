//! One shortest path drawn uniformly from all shortest paths between two nodes.
//!
//! One search runs forward from s and one backward from t. Each step advances by a level the search
//! with fewer arcs to scan. While their balls are disjoint, d(s, t) is above the sum of their
//! radii. So when an arc first leads from one ball into the other, d(s, t) is that sum plus 1,
//! every shortest path takes exactly one arc from the last level of one to the last level of the
//! other, and the arc u -> v is on sigma_s(u) sigma_t(v) of them. An arc is drawn in that
//! proportion. Then two walks lead from u to s and from v to t, each step drawn in proportion to
//! the path counts of its candidates.
//!
//! Counts are [`Wide`], so that no number of paths overflows.
//!
//! Borassi and Natale 2016; here for directed arcs.

use super::DrawPaths;
use crate::betweenness::path_count::{PathCount, PathRatio, Wide};
use webrank_base::Node;
use webrank_base::random::SplitMix;
use webrank_graph::{Csr, Predecessors, Successors};

/// The state of a node in a search.
#[derive(Clone, Copy)]
struct Visit {
    /// The search that visited the node: twice its number, plus 1 if from the target.
    stamp: u32,
    /// The distance from the start of the search.
    distance: u32,
    /// The number of shortest paths from the start of the search.
    paths: Wide,
}

/// Stamps start at 2.
const UNVISITED: Visit = Visit {
    stamp: 0,
    distance: 0,
    paths: Wide::ONE,
};

/// One of the two searches.
struct Ball {
    stamp: u32,
    radius: u32,
    /// All nodes visited; the last level starts at `last`.
    nodes: Vec<Node>,
    last: usize,
    /// The number of arcs that leave the last level.
    volume: u64,
}

/// The working memory of searches in one graph: 32 bytes per node, reused without clearing.
pub struct PathSampler<'g> {
    rows: [&'g Csr; 2],
    visits: Vec<Visit>,
    sides: [Ball; 2],
    search: u32,
    /// Arcs between the balls, from the side that found them, with their numbers of paths.
    bridges: Vec<(Node, Node, Wide)>,
    candidates: Vec<(Node, Wide)>,
}

impl<'g> PathSampler<'g> {
    /// A sampler of paths; `predecessors` is the transpose of `successors`.
    pub fn new(successors: Successors<'g, Csr>, predecessors: Predecessors<'g, Csr>) -> Self {
        let side = || Ball {
            stamp: 0,
            radius: 0,
            nodes: Vec::new(),
            last: 0,
            volume: 0,
        };
        PathSampler {
            rows: [successors.0, predecessors.0],
            visits: vec![UNVISITED; successors.0.num_nodes()],
            sides: [side(), side()],
            search: 0,
            bridges: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// The bytes of one sampler for a graph of `num_nodes`, its lists of nodes included.
    pub fn memory(num_nodes: usize) -> u64 {
        num_nodes as u64 * (size_of::<Visit>() + 2 * size_of::<Node>()) as u64
    }

    fn start(&mut self, ends: [Node; 2]) {
        self.search += 1;
        if self.search > u32::MAX / 2 {
            self.visits.fill(UNVISITED);
            self.search = 1;
        }
        self.bridges.clear();
        for (side, end) in ends.into_iter().enumerate() {
            let stamp = 2 * self.search + side as u32;
            self.visits[end as usize] = Visit {
                stamp,
                distance: 0,
                paths: Wide::ONE,
            };
            let own = &mut self.sides[side];
            (own.stamp, own.radius, own.last) = (stamp, 0, 0);
            own.nodes.clear();
            own.nodes.push(end);
            own.volume = self.rows[side].degree(end);
        }
    }

    /// Visits the next level of a side, or finds the arcs that lead from its last level into the
    /// other side.
    fn expand(&mut self, side: usize) {
        let (rows, own) = (self.rows[side], &mut self.sides[side]);
        let (start, end) = (own.last, own.nodes.len());
        let other = own.stamp ^ 1;
        own.radius += 1;
        own.last = end;
        own.volume = 0;
        for i in start..end {
            let u = own.nodes[i];
            let paths = self.visits[u as usize].paths;
            for &v in rows.row(u) {
                let visit = &mut self.visits[v as usize];
                if visit.stamp == other {
                    self.bridges.push((u, v, paths.times(visit.paths)));
                } else if visit.stamp != own.stamp {
                    *visit = Visit {
                        stamp: own.stamp,
                        distance: own.radius,
                        paths,
                    };
                    own.nodes.push(v);
                    own.volume += rows.degree(v);
                } else if visit.distance == own.radius {
                    visit.paths = visit.paths.plus(paths);
                }
            }
        }
    }

    /// Walks from a node to the start of the search that visited it, and appends the nodes passed
    /// except that start.
    fn walk(&mut self, mut node: Node, random: &mut SplitMix, inner: &mut Vec<Node>) {
        let stamp = self.visits[node as usize].stamp;
        let back = self.rows[1 - (stamp & 1) as usize];
        for distance in (0..self.visits[node as usize].distance).rev() {
            inner.push(node);
            let closer = back.row(node).iter().filter_map(|&w| {
                let visit = self.visits[w as usize];
                (visit.stamp == stamp && visit.distance == distance).then_some((w, visit.paths))
            });
            self.candidates.clear();
            self.candidates.extend(closer);
            let paths = self.candidates.iter().map(|candidate| candidate.1);
            node = self.candidates[draw(paths, random)].0;
        }
    }
}

impl DrawPaths for PathSampler<'_> {
    /// O(number of arcs scanned), which is at most m.
    fn path(
        &mut self,
        source: Node,
        target: Node,
        random: &mut SplitMix,
        inner: &mut Vec<Node>,
    ) -> bool {
        assert_ne!(source, target, "a path needs two ends");
        self.start([source, target]);
        while self.bridges.is_empty() {
            let side = (self.sides[1].volume < self.sides[0].volume) as usize;
            self.expand(side);
            if self.bridges.is_empty() && self.sides[side].last == self.sides[side].nodes.len() {
                return false;
            }
        }
        let paths = self.bridges.iter().map(|bridge| bridge.2);
        let (u, v, _) = self.bridges[draw(paths, random)];
        self.walk(u, random, inner);
        self.walk(v, random, inner);
        true
    }
}

/// An index drawn in proportion to its weight.
pub fn draw(mut weights: impl Iterator<Item = Wide> + Clone, random: &mut SplitMix) -> usize {
    let sum = |all: Wide, weight| all.plus(weight);
    let total = weights.clone().reduce(sum).expect("there is a path");
    let mut left = random.unit();
    let stop = weights.clone().position(|weight| {
        left -= weight.over(total);
        left < 0.0
    });
    // Rounding may leave a remainder, which goes to any index with a positive weight.
    let has_share = |weight: Wide| weight.over(total) > 0.0;
    stop.unwrap_or_else(|| weights.position(has_share).expect("shares add up to 1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn graph(n: usize, arcs: &[(Node, Node)]) -> (Csr, Csr) {
        let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        (successors.transpose().unwrap(), successors)
    }

    fn frequencies(n: usize, arcs: &[(Node, Node)], ends: (Node, Node)) -> HashMap<Vec<Node>, f64> {
        let (predecessors, successors) = graph(n, arcs);
        let mut sampler = PathSampler::new(Successors(&successors), Predecessors(&predecessors));
        let mut random = SplitMix::new(1);
        let mut seen = HashMap::new();
        for _ in 0..10_000 {
            let mut inner = Vec::new();
            assert!(sampler.path(ends.0, ends.1, &mut random, &mut inner));
            inner.sort();
            *seen.entry(inner).or_insert(0.0) += 1.0;
        }
        seen
    }

    /// 0 -> {1, 2} -> {3, 4} -> 5 -> 6 with 1 -> 4 missing, and a detour.
    #[test]
    fn every_shortest_path_is_as_likely_as_any_other() {
        let arcs = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (2, 4),
            (3, 5),
            (4, 5),
            (5, 6),
        ];
        let more = [(0, 0), (3, 3), (0, 7), (7, 8), (8, 1), (6, 0), (4, 2)];
        let seen = frequencies(9, &[&arcs[..], &more[..]].concat(), (0, 6));
        assert_eq!(seen.len(), 3);
        let expected = 10_000.0 / 3.0;
        let chi_square: f64 = seen
            .values()
            .map(|k| (k - expected).powi(2) / expected)
            .sum();
        // The 0.999 quantile with 2 degrees of freedom.
        assert!(chi_square < 13.8, "{seen:?}");
    }

    /// A chain of 2,000 diamonds: 2^2000 paths, each node in the middle of a diamond on half.
    #[test]
    fn more_paths_than_numbers_are_drawn_evenly() {
        let diamonds = 2000;
        let arcs: Vec<_> = (0..diamonds)
            .map(|i| 3 * i)
            .flat_map(|a| [(a, a + 1), (a, a + 2), (a + 1, a + 3), (a + 2, a + 3)])
            .collect();
        let (predecessors, successors) = graph(3 * diamonds as usize + 1, &arcs);
        let mut sampler = PathSampler::new(Successors(&successors), Predecessors(&predecessors));
        let mut random = SplitMix::new(5);
        let mut left = 0;
        for _ in 0..20 {
            let mut inner = Vec::new();
            assert!(sampler.path(0, 3 * diamonds, &mut random, &mut inner));
            assert_eq!(inner.len(), 2 * diamonds as usize - 1);
            left += inner.iter().filter(|&x| x % 3 == 1).count();
        }
        // 20,000 expected, with a standard deviation of 100.
        assert!(left.abs_diff(20_000) < 400, "{left}");
    }

    /// A graph in which many more paths lead into a dead end than to the target.
    #[test]
    fn counts_far_below_those_of_their_level_are_kept() {
        let diamonds = 2000;
        let dead_end = (0..diamonds)
            .map(|i| 3 * i)
            .flat_map(|a| [(a, a + 1), (a, a + 2), (a + 1, a + 3), (a + 2, a + 3)]);
        let first = 3 * diamonds + 1;
        let far = first + 4100;
        let line = (first..far).map(|x| (x, x + 1));
        let fork = [
            (0, first),
            (far, far + 1),
            (far, far + 2),
            (far + 2, far + 3),
        ];
        // A target with many predecessors makes the search from the source go all the way.
        let fan = (1..20_000).map(|i| (far + 3 + i, far + 3));
        let arcs: Vec<_> = dead_end
            .chain(line)
            .chain(fork)
            .chain([(far + 1, far + 3)])
            .chain(fan)
            .collect();
        let (predecessors, successors) = graph(far as usize + 20_003, &arcs);
        let mut sampler = PathSampler::new(Successors(&successors), Predecessors(&predecessors));
        let mut random = SplitMix::new(5);
        let mut left = 0;
        for _ in 0..40 {
            let mut inner = Vec::new();
            assert!(sampler.path(0, far + 3, &mut random, &mut inner));
            assert_eq!(inner.len(), 4102);
            left += inner.contains(&(far + 1)) as u32;
        }
        assert!((10..=30).contains(&left), "{left}");
    }

    #[test]
    fn neighbours_have_an_empty_path_and_strangers_none() {
        let (predecessors, successors) = graph(4, &[(0, 1), (1, 2), (2, 1)]);
        let mut sampler = PathSampler::new(Successors(&successors), Predecessors(&predecessors));
        let (mut random, mut inner) = (SplitMix::new(0), Vec::new());
        assert!(sampler.path(0, 1, &mut random, &mut inner));
        assert!(inner.is_empty());
        for (s, t) in [(1, 0), (0, 3), (3, 0)] {
            assert!(!sampler.path(s, t, &mut random, &mut inner));
        }
        sampler.search = u32::MAX / 2;
        assert!(sampler.path(0, 2, &mut random, &mut inner));
        assert_eq!(inner, [1]);
    }
}
