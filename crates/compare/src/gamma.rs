//! Goodman and Kruskal's gamma: (C - D) / (C + D), where C pairs of nodes are concordant and D
//! discordant. It says how much the vectors agree on the pairs that both of them decide.
//!
//! Range -1 to 1. Pairs tied in either vector do not count, so gamma can be 1 although one vector
//! has many ties that the other lacks: read it beside [tau-b](super::kendall). Undefined (none)
//! when no pair is untied in both vectors. O(1) on a [`Pair`], which costs O(n log n).
//!
//! Goodman and Kruskal, "Measures of association for cross classifications", JASA 49, 1954.

use super::pair::{Pair, PairCounts};

/// Gamma of two vectors; none if no pair is untied in both.
pub fn gamma(pair: &Pair) -> Option<f64> {
    let PairCounts {
        concordant,
        discordant,
        ..
    } = *pair.counts();
    ratio_of_decided(concordant, discordant)
}

/// (C - D) / (C + D); none if both are 0.
pub(super) fn ratio_of_decided(concordant: u64, discordant: u64) -> Option<f64> {
    let excess = i128::from(concordant) - i128::from(discordant);
    let decided = u128::from(concordant) + u128::from(discordant);
    (decided > 0).then(|| excess as f64 / decided as f64)
}
