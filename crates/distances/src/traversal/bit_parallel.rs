//! Breadth-first search from 512 sources at a time.
//!
//! Each node has masks with one bit, a lane, for each source: the searches that have seen it, that
//! are at it now, and that reach it next. One pass over the arcs of a level advances all searches
//! that are there (Then, Kaufmann, Chirigati et al., "The more the merrier", VLDB 2014), so a batch
//! costs little more than its widest search, and sources that meet the same nodes at the same
//! levels belong together.
//!
//! Levels are synchronous, and each level is pushed along the rows of the nodes just reached. Which
//! nodes each lane reaches at which level does not depend on the width of vectors or the number of
//! threads; a `Tally` decides what to compute from it.
//!
//! A push adds lanes to the mask of a neighbour in one of two ways:
//!
//! - All of them. It touches one cache line per arc, prefetched some rows before, and waits for no branch;
//!   lanes that have seen a node are taken out when the next level begins, in the order of nodes.
//! - Those that have not seen the neighbour. It stores nothing where there are none.
//!
//! A few rows of each run show which is cheaper.
//!
//! Space: at most three masks of 64 bytes per node and thread.

use std::ops::{BitAnd, BitOr, BitXor, Not, Range};
use sux::utils::prefetch_index;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_graph::Csr;

/// The number of sources searched at a time.
pub const LANES: usize = 512;

/// One bit for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Mask(pub [u64; LANES / 64]);

impl Mask {
    pub const NONE: Mask = Mask([0; LANES / 64]);

    pub fn of_lane(lane: usize) -> Mask {
        let mut mask = Mask::NONE;
        mask.0[lane / 64] = 1 << (lane % 64);
        mask
    }

    pub fn has_lane(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The number of lanes.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) != 0
    }
}

macro_rules! lanewise {
    ($($operation:ident $name:ident $operator:tt),*) => {$(
        impl $operation for Mask {
            type Output = Mask;
            #[inline(always)]
            fn $name(self, other: Mask) -> Mask {
                Mask(std::array::from_fn(|i| self.0[i] $operator other.0[i]))
            }
        }
    )*};
}
lanewise!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl Not for Mask {
    type Output = Mask;
    #[inline(always)]
    fn not(self) -> Mask {
        Mask(self.0.map(|word| !word))
    }
}

/// The computation from a search.
pub(crate) trait Tally {
    /// The lanes of `new`, at least one, reach `node` at `level`. Implementations are
    /// `#[inline(always)]`.
    fn reach(&mut self, node: Node, new: Mask, level: u32);

    /// All nodes of `level` were reported; false ends the search.
    fn end_level(&mut self, level: u32) -> bool;
}

/// How many rows before its own a row is asked for, and the masks of its nodes.
const ROWS_TO_ROW: usize = 8;
const ROWS_TO_MASKS: usize = 3;

/// The rows of a run, whose first sixteenth decides how the others are pushed.
const ROWS_OF_TRIAL: usize = 512;

/// A workspace for searches on one graph, reused from batch to batch.
pub(crate) struct Workspace {
    seen: Vec<Mask>,
    /// The lanes that come to each node at this level, for the first time or again; zero except on
    /// `touched`.
    next: Vec<Mask>,
    /// The nodes just reached that lead to others, in increasing order, so that neighbours in memory follow
    /// each other.
    reached: Vec<Node>,
    /// The lanes that reached each of them.
    front: Vec<Mask>,
    /// A bit for each node of the coming level.
    touched: Vec<u64>,
    /// The nodes whose `seen` is not zero, perhaps several times, unless they are many.
    visited: Vec<Node>,
    /// More nodes than this are not listed.
    most_visited: usize,
    /// Arcs followed since the workspace was made, each once for all lanes at a level.
    arcs: u64,
}

impl Workspace {
    /// A workspace for searches on graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        Workspace {
            seen: vec![Mask::NONE; num_nodes],
            next: vec![Mask::NONE; num_nodes],
            reached: Vec::new(),
            // Growing would take more than a mask a node.
            front: Vec::with_capacity(num_nodes),
            touched: vec![0; num_nodes.div_ceil(64)],
            visited: Vec::new(),
            most_visited: num_nodes / 8,
            arcs: 0,
        }
    }

    /// How many arcs all searches so far have followed, each once for all lanes at a level.
    pub fn arcs(&self) -> u64 {
        self.arcs
    }

    /// Forgets all searches.
    pub fn clear(&mut self) {
        if self.visited.len() > self.most_visited {
            self.seen.fill(Mask::NONE);
            self.visited.clear();
        }
        for node in self.visited.drain(..) {
            self.seen[node as usize] = Mask::NONE;
        }
        for (nodes, bits) in self.next.chunks_mut(64).zip(&mut self.touched) {
            if std::mem::take(bits) != 0 {
                nodes.fill(Mask::NONE);
            }
        }
    }

    /// Puts `node` at level 1 of the search of `lane`, unless it is excluded.
    pub fn start(&mut self, node: Node, lane: usize) {
        offer(&mut self.next, &mut self.touched, node, Mask::of_lane(lane));
    }

    /// Keeps the search of `lane` from reaching `node`, its source.
    pub fn exclude(&mut self, node: Node, lane: usize) {
        self.seen[node as usize] = self.seen[node as usize] | Mask::of_lane(lane);
        self.visited.push(node);
    }

    /// Searches from the started nodes, along `rows`, until no lane reaches anything or `tally`
    /// ends it.
    pub fn search(&mut self, rows: &Csr, tally: &mut impl Tally, simd: Simd) {
        simd.run(Kernel {
            room: self,
            rows,
            tally,
        });
    }

    /// Makes the nodes just touched the front, and reports them; false if no lane reaches any.
    #[inline(always)]
    fn settle(&mut self, rows: &Csr, tally: &mut impl Tally, level: u32) -> bool {
        self.reached.clear();
        self.front.clear();
        let mut any = false;
        // Not a closure: it might be compiled for plain vectors.
        for i in 0..self.touched.len() {
            let mut bits = std::mem::take(&mut self.touched[i]);
            while bits != 0 {
                let node = 64 * i + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let new = self.next[node] & !self.seen[node];
                self.next[node] = Mask::NONE;
                if !new.any() {
                    continue;
                }
                any = true;
                self.seen[node] = self.seen[node] | new;
                if self.visited.len() <= self.most_visited {
                    self.visited.push(node as Node);
                }
                if rows.degree(node as Node) > 0 {
                    self.reached.push(node as Node);
                    self.front.push(new);
                }
                tally.reach(node as Node, new, level);
            }
        }
        any
    }

    /// Passes the front on to the neighbours of its nodes.
    #[inline(always)]
    fn push(&mut self, rows: &Csr) {
        for start in (0..self.reached.len()).step_by(ROWS_OF_TRIAL) {
            let end = (start + ROWS_OF_TRIAL).min(self.reached.len());
            let tried = (start + ROWS_OF_TRIAL / 16).min(end);
            let (arcs, news) = self.push_news(rows, start..tried);
            if 4 * news > arcs {
                self.push_all(rows, tried..end);
            } else {
                self.push_news(rows, tried..end);
            }
        }
    }

    /// Passes on what neighbours have not seen: the number of arcs, and of those that passed on something.
    #[inline(always)]
    fn push_news(&mut self, rows: &Csr, places: Range<usize>) -> (u64, u64) {
        let (mut arcs, mut news) = (0, 0);
        for i in places {
            let front = self.front[i];
            let row = rows.row(self.reached[i]);
            arcs += row.len() as u64;
            for &y in row {
                let new = front & !self.seen[y as usize];
                if new.any() {
                    news += 1;
                    offer(&mut self.next, &mut self.touched, y, new);
                }
            }
        }
        self.arcs += arcs;
        (arcs, news)
    }

    /// Passes on everything.
    #[inline(always)]
    fn push_all(&mut self, rows: &Csr, places: Range<usize>) {
        for i in places {
            if let Some(&node) = self.reached.get(i + ROWS_TO_ROW) {
                prefetch_index(rows.targets(), rows.offsets()[node as usize] as usize);
            }
            if let Some(&node) = self.reached.get(i + ROWS_TO_MASKS) {
                for &y in rows.row(node) {
                    prefetch_index(&self.next, y as usize);
                }
            }
            let front = self.front[i];
            let row = rows.row(self.reached[i]);
            self.arcs += row.len() as u64;
            for &y in row {
                offer(&mut self.next, &mut self.touched, y, front);
            }
        }
    }
}

/// Lets the lanes of `new` come to `node` at the coming level.
#[inline(always)]
fn offer(next: &mut [Mask], touched: &mut [u64], node: Node, new: Mask) {
    let x = node as usize;
    next[x] = next[x] | new;
    touched[x / 64] |= 1 << (x % 64);
}

/// The part that is compiled for each vector width.
struct Kernel<'a, T> {
    room: &'a mut Workspace,
    rows: &'a Csr,
    tally: &'a mut T,
}

impl<T: Tally> pulp::NullaryFnOnce for Kernel<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut level = 0;
        loop {
            level += 1;
            let any = self.room.settle(self.rows, self.tally, level);
            if !any || !self.tally.end_level(level) {
                return;
            }
            self.room.push(self.rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The level at which each lane reaches each node.
    struct Levels(Vec<[u32; LANES]>);

    impl Tally for Levels {
        fn reach(&mut self, node: Node, lanes: Mask, level: u32) {
            for (lane, known) in self.0[node as usize].iter_mut().enumerate() {
                if (lanes & Mask::of_lane(lane)).any() {
                    assert_eq!(*known, 0, "node {node} is reached twice in lane {lane}");
                    *known = level;
                }
            }
        }

        fn end_level(&mut self, _: u32) -> bool {
            true
        }
    }

    /// Random arcs bring new lanes nearly everywhere, and cliques nearly none: each is pushed in its way.
    #[test]
    fn both_pushes_reach_every_node_at_its_distance() {
        let mixed = |x: Node| x.wrapping_mul(0x9E37_79B1) >> 7;
        let random = (0..3 * 2000).map(|i| (i % 2000, mixed(i + 1) % 2000));
        let cliques = (0..1000 * 25).map(|i| {
            let (node, place) = (i / 25, i % 25);
            (
                node,
                (node / 25 * 25 + place + (place == node % 25) as Node * 25) % 1000,
            )
        });
        for (n, arcs) in [
            (2000, random.collect()),
            (1000, cliques.collect::<Vec<_>>()),
        ] {
            let rows = Csr::from_arcs(n, arcs).unwrap();
            let (mut room, mut levels) = (Workspace::new(n), Levels(vec![[0; LANES]; n]));
            for lane in 0..LANES {
                room.exclude(lane as Node, lane);
                for &node in rows.row(lane as Node) {
                    room.start(node, lane);
                }
            }
            room.search(&rows, &mut levels, Simd::best());
            for lane in (0..LANES).step_by(37) {
                let mut distances = vec![0; n];
                let mut search = crate::traversal::single::SingleSearch::new(n);
                search.by_level(&rows, lane as Node, |level, nodes| {
                    nodes
                        .iter()
                        .for_each(|&node| distances[node as usize] = level);
                    true
                });
                let found: Vec<u32> = levels.0.iter().map(|of_node| of_node[lane]).collect();
                assert_eq!(found, distances, "lane {lane}");
            }
        }
    }
}
