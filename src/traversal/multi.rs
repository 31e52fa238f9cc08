//! Breadth-first search from 512 sources at a time.
//!
//! Each node carries masks with a bit, a lane, for each source: who has seen it, who stands on it
//! now, who comes next. One pass over the arcs of a level advances all searches that are there
//! (Then, Kaufmann, Chirigati et al., "The more the merrier", VLDB 2014), so a batch costs little
//! more than its widest search, and sources that meet the same nodes at the same levels belong
//! together.
//!
//! Levels are synchronous, and each level is pushed along the rows of the nodes just reached.
//! Which nodes each lane reaches at which level does not depend on the width of vectors or the
//! number of threads; what to make of it is left to a `Tally`.
//!
//! Space: three masks of 64 bytes a node, for each thread.

use super::simd::Simd;
use crate::graph::{Csr, Node};
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::Mutex;

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

/// What is made of a search.
pub(crate) trait Tally {
    /// The lanes of `new`, at least one, reach `node` at `level`. Implementations are
    /// `#[inline(always)]`.
    fn reach(&mut self, node: Node, new: Mask, level: u32);

    /// All nodes of `level` were told; false ends the search.
    fn end_level(&mut self, level: u32) -> bool;
}

/// What a node carries; in one place, because a step along an arc needs two of the masks.
#[derive(Clone, Copy)]
struct Place {
    seen: Mask,
    /// Who reached the node at the level before, and who reaches it at this level; each is the
    /// other at the next level.
    waves: [Mask; 2],
}

/// Room for searches on one graph, reused from batch to batch.
pub(crate) struct Workspace {
    places: Vec<Place>,
    /// Which wave is this level's.
    next: usize,
    /// The nodes where the wave of the level before is not empty.
    reached: Vec<Node>,
    /// The nodes where the wave of this level is not empty.
    touched: Vec<Node>,
}

impl Workspace {
    /// Room for searches on graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        let empty = Place {
            seen: Mask::NONE,
            waves: [Mask::NONE; 2],
        };
        Workspace {
            places: vec![empty; num_nodes],
            next: 0,
            reached: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Forgets all searches.
    pub fn clear(&mut self) {
        for place in &mut self.places {
            place.seen = Mask::NONE;
        }
        for node in self.reached.drain(..).chain(self.touched.drain(..)) {
            self.places[node as usize].waves = [Mask::NONE; 2];
        }
    }

    /// Puts `node` at level 1 of the search of `lane`.
    pub fn start(&mut self, node: Node, lane: usize) {
        let place = &mut self.places[node as usize];
        offer(
            place,
            self.next,
            &mut self.touched,
            node,
            Mask::of_lane(lane),
        );
    }

    /// Keeps the search of `lane` from reaching `node`, its source.
    pub fn exclude(&mut self, node: Node, lane: usize) {
        let place = &mut self.places[node as usize];
        place.seen = place.seen | Mask::of_lane(lane);
    }

    /// Searches from what was started, along `rows`, until no lane reaches anything or `tally`
    /// ends it.
    pub fn search(&mut self, rows: &Csr, tally: &mut impl Tally, simd: Simd) {
        simd.run(Kernel {
            room: self,
            rows,
            tally,
        });
    }

    /// Tells of the nodes just touched, and makes them the front.
    #[inline(always)]
    fn settle(&mut self, tally: &mut impl Tally, level: u32) {
        for &node in &self.reached {
            self.places[node as usize].waves[1 - self.next] = Mask::NONE;
        }
        for &node in &self.touched {
            let place = &mut self.places[node as usize];
            let new = place.waves[self.next];
            place.seen = place.seen | new;
            tally.reach(node, new, level);
        }
        self.next = 1 - self.next;
        std::mem::swap(&mut self.reached, &mut self.touched);
        self.touched.clear();
    }

    /// Offers the front to the neighbours of the nodes it stands on.
    #[inline(always)]
    fn push(&mut self, rows: &Csr) {
        for &node in &self.reached {
            let front = self.places[node as usize].waves[1 - self.next];
            for &y in rows.row(node) {
                let place = &mut self.places[y as usize];
                let new = front & !place.seen;
                if new.any() {
                    offer(place, self.next, &mut self.touched, y, new);
                }
            }
        }
    }
}

/// Lets the lanes of `new` reach `node` at the coming level.
#[inline(always)]
fn offer(place: &mut Place, next: usize, touched: &mut Vec<Node>, node: Node, new: Mask) {
    let wave = &mut place.waves[next];
    if !wave.any() {
        touched.push(node);
    }
    *wave = *wave | new;
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
        while !self.room.touched.is_empty() {
            level += 1;
            self.room.settle(self.tally, level);
            if !self.tally.end_level(level) {
                return;
            }
            self.room.push(self.rows);
        }
    }
}

/// Rooms that wait for the next batch, so that each thread makes one once.
pub(crate) struct Rooms {
    num_nodes: usize,
    free: Mutex<Vec<Workspace>>,
}

impl Rooms {
    /// No rooms yet, for graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        Rooms {
            num_nodes,
            free: Mutex::new(Vec::new()),
        }
    }

    /// Lends a cleared room to `work`.
    pub fn with<R>(&self, work: impl FnOnce(&mut Workspace) -> R) -> R {
        let free = || {
            self.free
                .lock()
                .expect("nothing panics while it holds the rooms")
        };
        let room = free().pop();
        let mut room = room.unwrap_or_else(|| Workspace::new(self.num_nodes));
        room.clear();
        let result = work(&mut room);
        free().push(room);
        result
    }
}
