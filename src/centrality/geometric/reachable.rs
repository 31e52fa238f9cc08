//! Reachable: how many other nodes reach x (for outgoing distances: how many x reaches).
//!
//! The node itself is not counted. Exact integers. One traversal a node.

use super::measure::{DistanceMeasure, Sums, Whole};
use super::number::Number;

/// The number of nodes at any distance; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reachable;

impl DistanceMeasure for Reachable {
    fn name(&self) -> &'static str {
        "reachable"
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> Number {
        sums.reached
    }

    fn largest(&self, whole: &Whole) -> Option<f64> {
        Some(whole.others().value())
    }
}
