//! Kendall's tau-b: (C - D) / sqrt((N - X)(N - Y)), where of all N = n(n-1)/2 pairs of nodes C
//! are concordant, D discordant, X tied in x and Y tied in y.
//!
//! Range -1 to 1: 1 when both vectors order the nodes, ties included, in the same way; -1 when
//! one reverses the other. Undefined (none) when a vector is constant, hence for n < 2. The
//! counts are exact integers, so the result has only three roundings. O(1) on a
//! [`Pair`], which costs O(n log n).
//!
//! Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945; algorithm: Knight,
//! "A computer method for calculating Kendall's tau with ungrouped data", JASA 61, 1966.

use super::pair::{Pair, PairCounts};

/// Kendall's tau-b of two vectors; none if one of them is constant.
pub fn tau_b(pair: &Pair) -> Option<f64> {
    let PairCounts {
        total,
        concordant,
        discordant,
        tied_x,
        tied_y,
        ..
    } = *pair.counts();
    ratio_to_untied(concordant, discordant, total - tied_x, total - tied_y)
}

/// (C - D) / sqrt(untied_x * untied_y), exact up to three roundings; none if nothing is untied.
pub(super) fn ratio_to_untied(
    concordant: u64,
    discordant: u64,
    untied_x: u64,
    untied_y: u64,
) -> Option<f64> {
    let excess = i128::from(concordant) - i128::from(discordant);
    let product = u128::from(untied_x) * u128::from(untied_y);
    (product > 0).then(|| (excess as f64 / (product as f64).sqrt()).clamp(-1.0, 1.0))
}
