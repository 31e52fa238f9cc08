//! Searches by small whole lengths from 512 sources at a time.
//!
//! As in [`bit_parallel`](super::bit_parallel), each node has a mask with one bit, a lane, for each source.
//! A ring of such masks, one for each distance that is at most the longest length ahead, holds the lanes
//! that may reach each node there; those that have not seen it before do. So an arc is followed once for
//! all sources that reach its node at the same distance, and a batch costs as much as the distances from
//! its sources to a node differ.
//!
//! Which nodes each lane reaches at which distance does not depend on the width of vectors.
//!
//! Space: 64 bytes a node for each length up to the longest, and 128 more, for each thread.

use super::bit_parallel::{LANES, Mask};
use super::lane_counts::Counter;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;

/// A workspace for searches on one graph, reused from batch to batch.
pub struct RingSearch {
    seen: Vec<Mask>,
    /// The lanes that may reach each node at a distance, by the distance modulo the number of slots: zero
    /// except on the nodes of the slot's list.
    ring: Vec<Vec<Mask>>,
    lists: Vec<Vec<Node>>,
}

/// The rows that searches follow, each target beside the length of its arc.
#[derive(Debug, Clone, Copy)]
pub struct ShortArcs<'g> {
    /// Where rows begin, and the last ends.
    pub offsets: &'g [u64],
    /// The arcs; lengths are at least 1, and at most the longest.
    pub arcs: &'g [(Node, u32)],
}

impl RingSearch {
    /// A workspace for graphs of `num_nodes` nodes whose arcs have lengths up to `longest`.
    pub fn new(num_nodes: usize, longest: u32) -> Self {
        let slots = longest as usize + 1;
        RingSearch {
            seen: vec![Mask::NONE; num_nodes],
            ring: vec![vec![Mask::NONE; num_nodes]; slots],
            lists: vec![Vec::new(); slots],
        }
    }

    /// The bytes of a workspace.
    pub fn memory(num_nodes: usize, longest: u32) -> u64 {
        (num_nodes as u64).saturating_mul((u64::from(longest) + 2) * (size_of::<Mask>() as u64 + 4))
    }

    /// Searches from at most 512 `sources`, no farther than `cutoff`; calls `take` with each distance at
    /// which some source reaches a node, and the number of nodes that each of them reaches there.
    pub fn search(
        &mut self,
        graph: ShortArcs,
        sources: &[Node],
        cutoff: u64,
        take: impl FnMut(u64, &[u32; LANES]),
    ) {
        self.run::<true>(graph, sources, cutoff, |_, _, _| (), take);
    }

    /// As [`search`](Self::search), but calls `settle` with each distance, from 0, each node that some
    /// source reaches there, and the lanes that do.
    pub fn visit(
        &mut self,
        graph: ShortArcs,
        sources: &[Node],
        cutoff: u64,
        settle: impl FnMut(u64, Node, &[u64; LANES / 64]),
    ) {
        self.run::<false>(graph, sources, cutoff, settle, |_, _| ());
    }

    /// Calls `settle`, and `take` if nodes are to be counted.
    fn run<const IS_COUNTING: bool>(
        &mut self,
        graph: ShortArcs,
        sources: &[Node],
        cutoff: u64,
        settle: impl FnMut(u64, Node, &[u64; LANES / 64]),
        take: impl FnMut(u64, &[u32; LANES]),
    ) {
        self.seen.fill(Mask::NONE);
        for (lane, &source) in sources.iter().enumerate() {
            self.offer(0, source, Mask::of_lane(lane));
        }
        Simd::best().run(Kernel::<_, _, IS_COUNTING> {
            room: self,
            graph,
            cutoff,
            settle,
            take,
        });
    }

    /// Lets lanes, at least one, reach `node` at the distance of `slot`.
    #[inline(always)]
    fn offer(&mut self, slot: usize, node: Node, lanes: Mask) {
        let known = &mut self.ring[slot][node as usize];
        if *known == Mask::NONE {
            self.lists[slot].push(node);
        }
        *known = *known | lanes;
    }
}

/// The part that is compiled for each vector width.
struct Kernel<'a, 'g, S, T, const IS_COUNTING: bool> {
    room: &'a mut RingSearch,
    graph: ShortArcs<'g>,
    cutoff: u64,
    settle: S,
    take: T,
}

impl<S, T, const IS_COUNTING: bool> pulp::NullaryFnOnce for Kernel<'_, '_, S, T, IS_COUNTING>
where
    S: FnMut(u64, Node, &[u64; LANES / 64]),
    T: FnMut(u64, &[u32; LANES]),
{
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let slots = self.room.ring.len();
        let (mut counter, mut counts) = (Counter::new(), [0; LANES]);
        let (mut slot, mut distance, mut empty) = (0, 0u64, 0);
        // As many empty slots as there are: nothing is ahead.
        while empty < slots {
            let mut list = std::mem::take(&mut self.room.lists[slot]);
            empty = if list.is_empty() { empty + 1 } else { 0 };
            let mut is_reached = false;
            let mut next = 0;
            // Not a closure: it might be compiled for plain vectors.
            while next < list.len() {
                let node = list[next] as usize;
                next += 1;
                let here = std::mem::replace(&mut self.room.ring[slot][node], Mask::NONE);
                let new = here & !self.room.seen[node];
                if new == Mask::NONE {
                    continue;
                }
                self.room.seen[node] = self.room.seen[node] | new;
                (self.settle)(distance, node as Node, &new.0);
                if IS_COUNTING && distance > 0 {
                    counter.add(new, 1);
                    is_reached = true;
                }
                let first = self.graph.offsets[node] as usize;
                let end = self.graph.offsets[node + 1] as usize;
                let mut place = first;
                while place < end {
                    let (target, length) = self.graph.arcs[place];
                    place += 1;
                    let lanes = new & !self.room.seen[target as usize];
                    if lanes != Mask::NONE && distance + u64::from(length) <= self.cutoff {
                        let ahead = slot + length as usize;
                        let ahead = if ahead < slots { ahead } else { ahead - slots };
                        self.room.offer(ahead, target, lanes);
                    }
                }
            }
            list.clear();
            self.room.lists[slot] = list;
            if is_reached {
                counter.take(&mut counts);
                (self.take)(distance, &counts);
            }
            distance += 1;
            slot = if slot + 1 < slots { slot + 1 } else { 0 };
        }
    }
}
