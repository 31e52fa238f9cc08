//! Lin's index: (number of nodes that reach x)^2 / (sum of their distances to x).
//!
//! The node itself counts as reaching x, at distance 0; unreachable nodes are left out. A node
//! that no other reaches scores 1, less than any node that another reaches scores (there the index
//! is above 1), as Boldi and Vigna define it ("Axioms for centrality", 2014). Lin 1976. One traversal a node.

use crate::traversal::histogram::Histogram;

/// Lin's index of a node.
pub fn score(histogram: Histogram) -> f64 {
    let count = (histogram.reached() + 1) as f64;
    match histogram.sum_of_distances() {
        0 => 1.0,
        sum => count * count / sum as f64,
    }
}
