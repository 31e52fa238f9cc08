//! Eccentricity: the largest d(y, x) over the y that reach x (for outgoing distances, d(x, y)).
//!
//! Unreachable nodes are left out, and a node that no other reaches has eccentricity 0. A large
//! value means far from something: this is the one measure here where small is central. The
//! maximum over all nodes is the diameter, in either direction. Exact integers, by the exact
//! engine alone. One traversal a node.

use super::measure::{DistanceMeasure, Sums, Whole};
use super::number::Number;

/// The largest distance; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Eccentricity;

impl DistanceMeasure for Eccentricity {
    fn name(&self) -> &'static str {
        "eccentricity"
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> Number {
        sums.eccentricity
    }
}
