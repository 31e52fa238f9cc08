//! Spearman's rho: Pearson's correlation of the ranks; tied nodes share the average of the ranks
//! they cover.
//!
//! Range -1 to 1. Undefined (none) when a vector is constant, hence for n < 2. Twice an average
//! rank is an integer, so all sums are exact (128 bits) and the result has only three roundings.
//! O(n) on prepared rankings.
//!
//! Spearman, "The proof and measurement of association between two things", American Journal of
//! Psychology 15, 1904; ties: Kendall, Biometrika 33, 1945.

use std::ops::Range;

use super::pair::Pair;
use webrank_base::parallel::tasks;

/// Spearman's rho of two vectors; none if one of them is constant.
pub fn rho(pair: &Pair) -> Option<f64> {
    let (x, y, n) = (pair.x(), pair.y(), pair.len());
    // Positions are 0 to n - 1, so the mean of twice an average rank is n - 1.
    let mean = n as i128 - 1;
    let add = |a: [i128; 3], b: [i128; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let products = |node: usize| {
        let dx = i128::from(x.twice_mid_position(node)) - mean;
        let dy = i128::from(y.twice_mid_position(node)) - mean;
        [dx * dy, dx * dx, dy * dy]
    };
    let part = |nodes: Range<usize>| nodes.map(products).fold([0; 3], add);
    let [xy, xx, yy] = tasks::reduce(n, [0; 3], part, add);
    let scale = (xx as f64).sqrt() * (yy as f64).sqrt();
    (scale > 0.0).then(|| (xy as f64 / scale).clamp(-1.0, 1.0))
}
