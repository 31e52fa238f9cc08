//! Harmonic centrality: H(x) = sum of 1/d(y, x) over the y != x that reach x.
//!
//! Unreachable nodes add 0, so no component needs special care; for outgoing distances read d(x, y).
//! Normalised, it is divided by n - 1, its largest possible value, and lies in [0, 1]. Terms are
//! exact counts divided by distances, added by increasing distance. One traversal a node.
//! Marchiori and Latora 2000; Boldi and Vigna 2014.

use crate::traversal::histogram::Histogram;

/// The harmonic centrality of a node of a graph of `num_nodes`.
pub fn score(histogram: Histogram, normalize: bool, num_nodes: usize) -> f64 {
    let sum = histogram.sum_of_reciprocals();
    match normalize && num_nodes > 1 {
        true => sum / (num_nodes - 1) as f64,
        false => sum,
    }
}
