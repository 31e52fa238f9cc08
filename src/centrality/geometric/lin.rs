//! Lin's index: (number of nodes that reach x)^2 / (sum of their distances to x).
//!
//! The node itself counts as reaching x, at distance 0; unreachable nodes are left out. A node
//! that no other reaches scores 1, less than any node that another reaches scores (there the index
//! is above 1), as Boldi and Vigna define it ("Axioms for centrality", 2014). For outgoing
//! distances read d(x, y). A quotient of integers, rounded once. One traversal a node. Lin 1976.

use super::measure::{DistanceMeasure, Sums, Whole};
use super::number::Number;

/// Lin's index; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lin;

impl DistanceMeasure for Lin {
    fn name(&self) -> &'static str {
        "lin"
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> Number {
        if sums.distances.is_zero() {
            return Number::ONE;
        }
        let count = sums.reached + Number::ONE;
        count * count / sums.distances
    }

    fn can_cut(&self) -> bool {
        true
    }
}
