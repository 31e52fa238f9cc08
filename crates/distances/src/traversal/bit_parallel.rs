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
//! Space: three masks of 64 bytes a node, for each thread.

use std::ops::{BitAnd, BitOr, BitXor, Not};
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

/// A workspace for searches on one graph, reused from batch to batch.
pub(crate) struct Workspace {
    seen: Vec<Mask>,
    /// The lanes that reached each node at the last level; zero except on `reached`.
    front: Vec<Mask>,
    /// The lanes that reach each node at this level; zero except on `touched`.
    next: Vec<Mask>,
    /// The nodes of the front in increasing order, so that neighbours in memory follow each other.
    reached: Vec<Node>,
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
            front: vec![Mask::NONE; num_nodes],
            next: vec![Mask::NONE; num_nodes],
            reached: Vec::new(),
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
        for node in self.reached.drain(..) {
            self.front[node as usize] = Mask::NONE;
        }
        for (nodes, bits) in self.next.chunks_mut(64).zip(&mut self.touched) {
            if std::mem::take(bits) != 0 {
                nodes.fill(Mask::NONE);
            }
        }
    }

    /// Puts `node` at level 1 of the search of `lane`.
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

    /// Makes the nodes just touched the front, and reports them.
    #[inline(always)]
    fn settle(&mut self, tally: &mut impl Tally, level: u32) {
        for &node in &self.reached {
            self.front[node as usize] = Mask::NONE;
        }
        self.reached.clear();
        std::mem::swap(&mut self.front, &mut self.next);
        // Not a closure: it might be compiled for plain vectors.
        for i in 0..self.touched.len() {
            let mut bits = std::mem::take(&mut self.touched[i]);
            while bits != 0 {
                let node = 64 * i + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let new = self.front[node];
                self.seen[node] = self.seen[node] | new;
                self.reached.push(node as Node);
                tally.reach(node as Node, new, level);
            }
        }
        if self.visited.len() <= self.most_visited {
            self.visited.extend_from_slice(&self.reached);
        }
    }

    /// Passes the front on to the neighbours of its nodes.
    #[inline(always)]
    fn push(&mut self, rows: &Csr) {
        for &node in &self.reached {
            let front = self.front[node as usize];
            self.arcs += rows.degree(node);
            for &y in rows.row(node) {
                let new = front & !self.seen[y as usize];
                if new.any() {
                    offer(&mut self.next, &mut self.touched, y, new);
                }
            }
        }
    }
}

/// Lets the lanes of `new` reach `node` at the coming level.
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
            self.room.settle(self.tally, level);
            if self.room.reached.is_empty() || !self.tally.end_level(level) {
                return;
            }
            self.room.push(self.rows);
        }
    }
}
