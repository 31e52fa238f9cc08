//! The best nodes so far.

use super::super::exact_number::Rounded;
use webrank_base::Node;
use webrank_scores::Outcome;

/// The best nodes so far, best first.
pub(super) struct Board {
    count: usize,
    pub(super) nodes: Vec<(Node, Rounded)>,
}

impl Board {
    pub(super) fn new(count: usize) -> Self {
        Board {
            count,
            nodes: Vec::new(),
        }
    }

    pub(super) fn offer(&mut self, node: Node, score: Rounded) {
        let better = |(other, its): &(Node, Rounded)| {
            its.compared_to(&score)
                .reverse()
                .then(other.cmp(&node))
                .is_lt()
        };
        let place = self.nodes.partition_point(better);
        if place < self.count {
            self.nodes.insert(place, (node, score));
            self.nodes.truncate(self.count);
        }
    }

    /// The score below which no node enters the board.
    pub(super) fn to_beat(&self) -> f64 {
        if self.nodes.len() == self.count {
            self.nodes
                .last()
                .map_or(f64::INFINITY, |(_, score)| score.value)
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// The best nodes, and how they were found.
pub(super) struct Found {
    pub(super) best: Vec<(Node, Rounded)>,
    pub(super) method: &'static str,
    pub(super) outcome: Outcome,
    pub(super) arcs: u64,
}
