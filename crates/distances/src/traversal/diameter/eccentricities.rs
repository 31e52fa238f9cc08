//! The largest distances from many nodes, and nothing else of their searches.

use crate::traversal::bit_parallel::{Mask, Tally, Workspace};
use crate::traversal::histograms::MAX_LEVELS;
use crate::traversal::single::SingleSearch;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_graph::Csr;

/// The largest distance from each of at most [`LANES`](crate::traversal::bit_parallel::LANES) nodes.
pub(super) fn eccentricities(room: &mut Workspace, rows: &Csr, nodes: &[Node]) -> Vec<u32> {
    room.clear();
    for (lane, &node) in nodes.iter().enumerate() {
        room.exclude(node, lane);
        for &y in rows.row(node) {
            room.start(y, lane);
        }
    }
    let mut last = LastLevels {
        new: Mask::NONE,
        levels: vec![0; nodes.len()],
        ended: false,
    };
    room.search(rows, &mut last, Simd::best());
    if last.ended {
        let mut search = SingleSearch::new(rows.num_nodes());
        let single = |&node: &Node| search.histogram(rows, node).eccentricity();
        return nodes.iter().map(single).collect();
    }
    last.levels
}

/// The last level at which each lane reaches a node.
struct LastLevels {
    new: Mask,
    levels: Vec<u32>,
    /// True above the levels that a batch may have.
    ended: bool,
}

impl Tally for LastLevels {
    #[inline(always)]
    fn reach(&mut self, _: Node, new: Mask, _: u32) {
        self.new = self.new | new;
    }

    #[inline(always)]
    fn end_level(&mut self, level: u32) -> bool {
        for (lane, last) in self.levels.iter_mut().enumerate() {
            if self.new.has_lane(lane) {
                *last = level;
            }
        }
        self.new = Mask::NONE;
        self.ended = level as usize > MAX_LEVELS;
        !self.ended
    }
}
