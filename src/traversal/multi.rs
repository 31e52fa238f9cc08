//! Breadth-first search from 512 sources at a time.
//!
//! Each node carries a mask with a bit, a lane, for each source: who has seen it, who stands on
//! it now, who comes next. One pass over the arcs of a level advances all searches that are
//! there (Then, Kaufmann, Chirigati et al., "The more the merrier", VLDB 2014), and bit-sliced
//! counters tell how many nodes each source has at each level. A batch costs little more than its
//! widest search, so sources that meet the same nodes at the same levels belong together.
//!
//! Levels are synchronous, and each level is pushed along the rows of the nodes just reached, with
//! no arc read for nodes that nobody just reached. Everything is integer and bit operations: the result does not depend on the
//! order of sources, the width of vectors or the number of threads.
//!
//! Space: three masks of 64 bytes a node of the quotient, for each thread.

use super::counter::Counter;
use super::simd::Simd;
use crate::graph::{Csr, Node};
use crate::reduction::quotient::Quotient;
use crate::reduction::{Member, Reduced};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// The number of sources searched at a time.
pub const LANES: usize = 512;

/// A batch that has more levels than this is left to searches from one source at a time, which
/// keeps the table of levels under 32 MB a thread.
pub const MAX_LEVELS: usize = 1 << 14;

/// One bit for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Mask(pub [u64; LANES / 64]);

impl Mask {
    pub const NONE: Mask = Mask([0; LANES / 64]);

    fn of_lane(lane: usize) -> Mask {
        let mut mask = Mask::NONE;
        mask.0[lane / 64] = 1 << (lane % 64);
        mask
    }

    fn has_lane(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
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

/// Sources searched together, and what the search found.
pub(crate) struct Batch {
    /// The leader of each lane, and where its members end.
    lanes: Vec<(Node, usize)>,
    /// The members of all lanes, with their returns once searched.
    members: Vec<Member>,
    /// Quotient node, lane and index of each member that the search may come back to, sorted.
    watched: Vec<(Node, u32, u32)>,
}

impl Batch {
    /// Prepares the searches of at most [`LANES`] leaders.
    pub fn new(graph: &Reduced, leaders: &[Node]) -> Self {
        let quotient = graph.quotient();
        let mut batch = Batch {
            lanes: Vec::with_capacity(leaders.len()),
            members: Vec::new(),
            watched: Vec::new(),
        };
        for (lane, &leader) in leaders.iter().enumerate() {
            let first = batch.members.len();
            graph.members(leader, &mut batch.members);
            batch.lanes.push((leader, batch.members.len()));
            if graph.starts(leader).next().is_none() {
                continue;
            }
            for index in first..batch.members.len() {
                let node = quotient.node_of[batch.members[index].node as usize];
                // Twins reach each other although their arcs are gone from the quotient.
                if quotient.reverse.degree(node) > 0 || quotient.sizes[node as usize] > 1 {
                    batch.watched.push((node, lane as u32, index as u32));
                }
            }
        }
        batch.watched.sort_unstable();
        batch
    }

    /// The members of all lanes.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The leader of each lane, with its members.
    pub fn lanes(&self) -> impl Iterator<Item = (Node, &[Member])> {
        let mut start = 0;
        self.lanes.iter().map(move |&(leader, end)| {
            let members = &self.members[start..end];
            start = end;
            (leader, members)
        })
    }

    /// Notes the members in `lanes` that a search has just come back to on `node`.
    #[cold]
    fn note_returns(&mut self, node: Node, lanes: Mask, level: u32) {
        let first = self
            .watched
            .partition_point(|&(watched, ..)| watched < node);
        for &(watched, lane, index) in &self.watched[first..] {
            if watched != node {
                break;
            }
            if lanes.has_lane(lane as usize) {
                self.members[index as usize].returned = level;
            }
        }
    }

    /// Closed twins share their leader's distances, its return too.
    fn share_twins_returns(&mut self, graph: &Reduced) {
        let mut start = 0;
        for &(leader, end) in &self.lanes {
            if graph.is_twins(leader) {
                let returned = self.members[start].returned;
                for root in self.members[start..end].iter_mut().filter(|m| m.depth == 0) {
                    root.returned = returned;
                }
            }
            start = end;
        }
    }
}

/// Room for searches on one graph, reused from batch to batch.
pub(crate) struct Workspace {
    seen: Vec<Mask>,
    /// Who reached each node at the level before; zero except on `reached`.
    front: Vec<Mask>,
    /// Who reaches each node at this level; zero except on `touched`.
    next: Vec<Mask>,
    reached: Vec<Node>,
    touched: Vec<Node>,
    /// A bit for each node that may be a return.
    watched: Vec<u64>,
    counter: Counter,
    levels: Vec<[u32; LANES]>,
}

impl Workspace {
    /// Room for searches on graphs of `num_nodes` nodes.
    pub fn new(num_nodes: usize) -> Self {
        Workspace {
            seen: vec![Mask::NONE; num_nodes],
            front: vec![Mask::NONE; num_nodes],
            next: vec![Mask::NONE; num_nodes],
            reached: Vec::new(),
            touched: Vec::new(),
            watched: vec![0; num_nodes.div_ceil(64)],
            counter: Counter::new(),
            levels: Vec::new(),
        }
    }

    /// Searches from all lanes of `batch` and fills in its returns. The result has the number of
    /// nodes at level `i + 1` of each lane at place `i`, or is none above `max_levels` levels.
    pub fn search(
        &mut self,
        graph: &Reduced,
        batch: &mut Batch,
        simd: Simd,
        max_levels: usize,
    ) -> Option<&[[u32; LANES]]> {
        self.seen.fill(Mask::NONE);
        self.levels.clear();
        for (lane, &(leader, _)) in batch.lanes.iter().enumerate() {
            for node in graph.starts(leader) {
                offer(&mut self.next, &mut self.touched, node, Mask::of_lane(lane));
            }
        }
        for &(node, ..) in &batch.watched {
            self.watched[node as usize / 64] |= 1 << (node % 64);
        }
        let done = simd.run(Kernel {
            room: self,
            quotient: graph.quotient(),
            batch,
            max_levels,
        });
        for &(node, ..) in &batch.watched {
            self.watched[node as usize / 64] = 0;
        }
        for node in self.reached.drain(..) {
            self.front[node as usize] = Mask::NONE;
        }
        for node in self.touched.drain(..) {
            self.next[node as usize] = Mask::NONE;
        }
        batch.share_twins_returns(graph);
        done.then_some(&self.levels)
    }

    /// Counts the nodes just touched as level `level`, and makes them the front.
    #[inline(always)]
    fn settle(&mut self, quotient: &Quotient, batch: &mut Batch) {
        let level = self.levels.len() as u32 + 1;
        for &node in &self.reached {
            self.front[node as usize] = Mask::NONE;
        }
        for &node in &self.touched {
            let x = node as usize;
            let new = self.next[x];
            self.seen[x] = self.seen[x] | new;
            self.counter.add(new, quotient.sizes[x]);
            if self.watched[x / 64] >> (x % 64) & 1 == 1 {
                batch.note_returns(node, new, level);
            }
        }
        std::mem::swap(&mut self.front, &mut self.next);
        std::mem::swap(&mut self.reached, &mut self.touched);
        self.touched.clear();
        let mut counts = [0; LANES];
        self.counter.take(&mut counts);
        self.levels.push(counts);
    }

    /// Offers the front to the neighbours of the nodes it stands on.
    #[inline(always)]
    fn push(&mut self, rows: &Csr) {
        for &node in &self.reached {
            let front = self.front[node as usize];
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
fn offer(next: &mut [Mask], touched: &mut Vec<Node>, node: Node, new: Mask) {
    let place = &mut next[node as usize];
    if !place.any() {
        touched.push(node);
    }
    *place = *place | new;
}

/// The part that is compiled for each vector width.
struct Kernel<'a> {
    room: &'a mut Workspace,
    quotient: &'a Quotient,
    batch: &'a mut Batch,
    max_levels: usize,
}

impl pulp::NullaryFnOnce for Kernel<'_> {
    /// Whether the searches ended within the limit on levels.
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        while !self.room.touched.is_empty() {
            if self.room.levels.len() == self.max_levels {
                return false;
            }
            self.room.settle(self.quotient, self.batch);
            self.room.push(&self.quotient.rows);
        }
        true
    }
}
