//! One path of the least sum of lengths, drawn uniformly from all such paths between two nodes.
//!
//! Dijkstra's algorithm runs forward from s and backward from t, next on the side that has followed fewer arcs,
//! until every distance that is still open on one side, plus every one on the other, exceeds d(s, t). Lengths
//! are positive, so the nodes of a shortest path that the forward search has closed are its first ones. The arc
//! u -> v that leaves them has closed ends on both sides, and is on sigma_s(u) sigma_t(v) shortest paths, if
//! d(s, u) + length + d(v, t) = d(s, t). An arc is drawn in that proportion; paths that the forward search has
//! closed whole count with t. Then two walks lead from u to s and from v to t, each step drawn in proportion to
//! the numbers of paths of its candidates.
//!
//! Counts are [`Wide`], and distances whole numbers, so no number overflows and ties are exact.

use super::distance::{ByWidth, Distance};
use super::queue::RadixHeap;
use super::search::{LongArcs, for_row};
use webrank_base::Node;
use webrank_base::random::SplitMix;
use webrank_distances::betweenness::path_count::{PathCount, Wide};
use webrank_distances::betweenness::sampled_paths::DrawPaths;
use webrank_distances::betweenness::sampled_paths::path_sampler::draw;

/// The state of a node in a search.
#[derive(Clone)]
struct Visit<D> {
    distance: D,
    paths: Wide,
    is_closed: bool,
}

/// One of the two searches.
struct Side<'g, D> {
    arcs: &'g LongArcs<D>,
    visits: Vec<Visit<D>>,
    /// The nodes that were visited, in any order, and those that are closed.
    touched: Vec<Node>,
    closed: Vec<Node>,
    heap: RadixHeap<D>,
    /// The nearest node that is open, and its distance.
    next: Option<(D, Node)>,
    followed: usize,
    far: D,
}

impl<'g, D: Distance> Side<'g, D> {
    fn new(arcs: &'g LongArcs<D>) -> Self {
        let far = D::far(&arcs.longest);
        let unvisited = Visit {
            distance: far.clone(),
            paths: Wide::ONE,
            is_closed: false,
        };
        Side {
            arcs,
            visits: vec![unvisited; arcs.num_nodes()],
            touched: Vec::new(),
            closed: Vec::new(),
            heap: RadixHeap::new(),
            next: None,
            followed: 0,
            far,
        }
    }

    fn start(&mut self, end: Node) {
        for node in self.touched.drain(..) {
            let visit = &mut self.visits[node as usize];
            visit.distance = self.far.clone();
            visit.is_closed = false;
        }
        self.closed.clear();
        self.heap.clear();
        self.followed = 0;
        self.touched.push(end);
        self.visits[end as usize] = Visit {
            distance: D::zero(),
            paths: Wide::ONE,
            is_closed: false,
        };
        self.next = Some((D::zero(), end));
    }

    /// Closes the nearest open node and follows its arcs; calls `met` with each node that this brings nearer.
    fn close(&mut self, mut met: impl FnMut(Node, &D)) {
        let Some((near, v)) = self.next.take() else {
            return;
        };
        self.visits[v as usize].is_closed = true;
        self.closed.push(v);
        let paths = self.visits[v as usize].paths;
        let arcs = self.arcs;
        self.followed += arcs.row(v).len();
        for_row!(arcs, v, (_, w, length) => {
            let below = near.plus(length);
            let visit = &mut self.visits[w as usize];
            if below < visit.distance {
                if visit.distance == self.far {
                    self.touched.push(w);
                }
                self.heap.push(below.clone(), w);
                met(w, &below);
                visit.distance = below;
                visit.paths = paths;
            } else if below == visit.distance {
                visit.paths = visit.paths.plus(paths);
            }
        });
        let visits = &self.visits;
        self.next = self.heap.pop(|key, node| {
            let visit = &visits[node as usize];
            visit.distance == *key && !visit.is_closed
        });
    }
}

/// The bytes that both sides know of a node besides one distance.
pub(crate) const OF_NODE: u64 = 112;

/// The working memory of searches in one graph, reused.
pub(crate) struct LengthPathSampler<'g, D> {
    sides: [Side<'g, D>; 2],
    cutoff: Option<&'g D>,
    /// Arcs between closed nodes of the two sides, with their numbers of paths.
    bridges: Vec<(Node, Option<Node>, Wide)>,
    candidates: Vec<(Node, Wide)>,
}

impl<'g, D: Distance> LengthPathSampler<'g, D> {
    /// A sampler of paths; `backward` has the reversed arcs. Longer paths than `cutoff` do not count.
    pub fn new(forward: &'g LongArcs<D>, backward: &'g LongArcs<D>, cutoff: Option<&'g D>) -> Self {
        LengthPathSampler {
            sides: [Side::new(forward), Side::new(backward)],
            cutoff,
            bridges: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// The distance between the two starts, once all nodes that may lie on both halves of a shortest path are
    /// closed; none if there is no path.
    fn meet(&mut self) -> Option<D> {
        let mut shortest: Option<D> = None;
        loop {
            let [forward, backward] = &self.sides;
            let (Some((near, _)), Some((far, _))) = (&forward.next, &backward.next) else {
                // All that one side reaches is closed.
                return shortest;
            };
            let open = near.with(far);
            let is_beyond = |bound: Option<&D>| bound.is_some_and(|bound| open > *bound);
            if is_beyond(shortest.as_ref()) || is_beyond(self.cutoff) {
                return shortest;
            }
            let side = (backward.followed < forward.followed) as usize;
            let [first, second] = &mut self.sides;
            let (own, other) = match side {
                0 => (first, second),
                _ => (second, first),
            };
            own.close(|w, below| {
                let known = &other.visits[w as usize].distance;
                if *known < other.far {
                    let through = below.with(known);
                    if shortest.as_ref().is_none_or(|shortest| through < *shortest) {
                        shortest = Some(through);
                    }
                }
            });
        }
    }

    /// Finds the arcs at which shortest paths leave the closed nodes of the forward side.
    fn find_bridges(&mut self, target: Node, shortest: &D) {
        let [forward, backward] = &self.sides;
        self.bridges.clear();
        let end = &forward.visits[target as usize];
        if end.is_closed {
            self.bridges.push((target, None, end.paths));
            return;
        }
        for &u in &forward.closed {
            let from = &forward.visits[u as usize];
            for_row!(forward.arcs, u, (_, v, length) => {
                let to = &backward.visits[v as usize];
                if !to.is_closed || forward.visits[v as usize].is_closed {
                    continue;
                }
                if from.distance.plus(length).with(&to.distance) == *shortest {
                    let paths = from.paths.times(to.paths);
                    self.bridges.push((u, Some(v), paths));
                }
            });
        }
    }

    /// Walks from a node to the start of a side, and appends the nodes passed except that start.
    fn walk(&mut self, side: usize, mut node: Node, random: &mut SplitMix, inner: &mut Vec<Node>) {
        let (visits, back) = (&self.sides[side].visits, self.sides[1 - side].arcs);
        while visits[node as usize].distance != D::zero() {
            inner.push(node);
            let distance = &visits[node as usize].distance;
            self.candidates.clear();
            for_row!(back, node, (_, w, length) => {
                let visit = &visits[w as usize];
                if visit.is_closed && visit.distance.plus(length) == *distance {
                    self.candidates.push((w, visit.paths));
                }
            });
            let paths = self.candidates.iter().map(|candidate| candidate.1);
            node = self.candidates[draw(paths, random)].0;
        }
    }
}

impl<D: Distance> DrawPaths for LengthPathSampler<'_, D> {
    /// O(m log of the longest path), and less where the two searches soon meet.
    fn path(
        &mut self,
        source: Node,
        target: Node,
        random: &mut SplitMix,
        inner: &mut Vec<Node>,
    ) -> bool {
        assert_ne!(source, target, "a path needs two ends");
        for (side, end) in self.sides.iter_mut().zip([source, target]) {
            side.start(end);
        }
        let Some(shortest) = self.meet() else {
            return false;
        };
        if self.cutoff.is_some_and(|cutoff| shortest > *cutoff) {
            return false;
        }
        self.find_bridges(target, &shortest);
        let paths = self.bridges.iter().map(|bridge| bridge.2);
        match self.bridges[draw(paths, random)] {
            (u, Some(v), _) => {
                self.walk(0, u, random, inner);
                self.walk(1, v, random, inner);
            }
            (target, None, _) => {
                let first = inner.len();
                self.walk(0, target, random, inner);
                // The target is an end.
                inner.swap_remove(first);
            }
        }
        true
    }
}
