//! Reachable: how many other nodes reach x (for outgoing distances: how many x reaches).
//!
//! The node itself is not counted. Exact integers. One traversal a node.

use crate::traversal::histogram::Histogram;

/// The number of nodes at any distance.
pub fn score(histogram: Histogram) -> f64 {
    histogram.reached() as f64
}
