//! A batch of searches on a reduced graph, and the histograms of all nodes that they stand for.

use super::bit_parallel::{LANES, Mask, Tally, Workspace};
use super::histogram::Histogram;
use super::lane_counts::Counter;
use crate::reduction::{Member, Reduced};
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;

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
            for (index, member) in batch.members.iter().enumerate().skip(first) {
                if graph.may_return(member.node) {
                    let node = quotient.node_of[member.node as usize];
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

    /// Searches from all lanes, records their returns, and fills `levels`: place `i` holds the
    /// number of nodes at level `i + 1` of each lane. Returns false above `max_levels` levels.
    pub fn search(
        &mut self,
        graph: &Reduced,
        room: &mut Workspace,
        simd: Simd,
        max_levels: usize,
        levels: &mut Vec<[u32; LANES]>,
    ) -> bool {
        room.clear();
        for (lane, &(leader, _)) in self.lanes.iter().enumerate() {
            for node in graph.starts(leader) {
                room.start(node, lane);
            }
        }
        let quotient = graph.quotient();
        let mut is_watched = vec![0u64; quotient.num_nodes().div_ceil(64)];
        for &(node, ..) in &self.watched {
            is_watched[node as usize / 64] |= 1 << (node % 64);
        }
        levels.clear();
        let mut count = Count {
            batch: self,
            sizes: &quotient.sizes,
            is_watched: &is_watched,
            counter: Counter::new(),
            levels,
            max_levels,
            ended: false,
        };
        room.search(&quotient.rows, &mut count, simd);
        let ended = count.ended;
        self.share_twins_returns(graph);
        !ended
    }

    /// Derives the histogram of every member of a batch from the levels of its lane.
    ///
    /// The histogram is written far distances first, so that one chain step down is one count
    /// appended (the node above, now at distance 1), and level r of the search keeps its place
    /// `levels - r` at every depth.
    pub fn unfold(&self, levels: &[[u32; LANES]], emit: &mut dyn FnMut(Node, Histogram)) {
        let mut counts: Vec<u32> = Vec::new();
        let mut above: Vec<Member> = Vec::new();
        let mut start = 0;
        for (lane, &(_, end)) in self.lanes.iter().enumerate() {
            let members = &self.members[start..end];
            start = end;

            counts.clear();
            counts.extend(levels.iter().rev().map(|counts| counts[lane]));
            let uncorrect = |counts: &mut Vec<u32>, member: Member| {
                if member.depth > 0 {
                    counts.pop();
                }
                if member.returned > 0 {
                    counts[levels.len() - member.returned as usize] += 1;
                }
            };
            for &member in members {
                while above.last().is_some_and(|last| last.depth >= member.depth) {
                    uncorrect(&mut counts, above.pop().expect("just seen"));
                }
                if member.depth > 0 {
                    counts.push(1);
                }
                if member.returned > 0 {
                    counts[levels.len() - member.returned as usize] -= 1;
                }
                above.push(member);
                emit(member.node, Histogram::new(&counts));
            }
            above.clear();
        }
    }

    /// Records the members in `lanes` that a search has just come back to on `node`.
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

    /// Closed twins share their leader's distances, and so its return.
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

/// Counts the nodes at each level of each lane.
struct Count<'a> {
    batch: &'a mut Batch,
    sizes: &'a [u32],
    /// A bit for each node that may be a return.
    is_watched: &'a [u64],
    counter: Counter,
    levels: &'a mut Vec<[u32; LANES]>,
    max_levels: usize,
    /// Whether there were more levels than allowed.
    ended: bool,
}

impl Tally for Count<'_> {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, level: u32) {
        let x = node as usize;
        self.counter.add(new, self.sizes[x]);
        if self.is_watched[x / 64] >> (x % 64) & 1 == 1 {
            self.batch.note_returns(node, new, level);
        }
    }

    #[inline(always)]
    fn end_level(&mut self, level: u32) -> bool {
        self.ended = level as usize > self.max_levels;
        if !self.ended {
            let mut counts = [0; LANES];
            self.counter.take(&mut counts);
            self.levels.push(counts);
        }
        !self.ended
    }
}
