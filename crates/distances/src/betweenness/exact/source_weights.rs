//! The weights of the ends of paths in a batch: the number of sources that each lane stands for.

use super::lane_values::LaneValues;
use webrank_base::Node;

/// The sources of a batch, as weights.
pub(crate) struct SourceWeights<const L: usize> {
    /// The number of sources that each lane stands for.
    weights: [f64; L],
    /// Sorted triples: a class, a lane, and how much less the class's nodes together weigh there
    /// than their number times the lane's weight.
    corrections: Vec<(Node, u32, f64)>,
}

impl<const L: usize> SourceWeights<L> {
    pub fn new(weights: [f64; L], mut corrections: Vec<(Node, u32, f64)>) -> Self {
        corrections.sort_unstable_by_key(|&(class, lane, _)| (class, lane));
        SourceWeights {
            weights,
            corrections,
        }
    }

    /// The classes with corrections, with repeats.
    pub fn corrected(&self) -> impl Iterator<Item = Node> {
        self.corrections.iter().map(|&(class, ..)| class)
    }

    /// The summed weights of the nodes of a class, as ends of paths.
    #[inline(always)]
    pub fn weight(&self, class: Node, size: f64, is_corrected: bool) -> LaneValues<L> {
        let mut weight = LaneValues(self.weights).scaled(size);
        if is_corrected {
            let first = self.corrections.partition_point(|c| c.0 < class);
            for &(_, lane, less) in self.corrections[first..]
                .iter()
                .take_while(|c| c.0 == class)
            {
                weight.0[lane as usize] -= less;
            }
        }
        weight
    }
}
