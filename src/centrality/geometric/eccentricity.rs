//! Eccentricity: the largest d(y, x) over the y that reach x (for outgoing distances, d(x, y)).
//!
//! Unreachable nodes are left out, and a node that no other reaches has eccentricity 0. A large
//! value means far from something: this is the one measure here where small is central. The
//! maximum over all nodes is the diameter, in either direction. One traversal a node.

use crate::traversal::histogram::Histogram;

/// The largest distance.
pub fn score(histogram: Histogram) -> f64 {
    histogram.eccentricity() as f64
}
