//! Distances between normalised scores: how far apart the numbers are, not only their order.
//!
//! Each vector is divided by the sum of its absolute values, so that scales do not matter; then
//! l1 = sum |x_i - y_i| and l-infinity = max |x_i - y_i|. For nonnegative scores both vectors are
//! distributions: l1 is twice the total variation distance, in 0 to 2, and l-infinity is in
//! 0 to 1. Negative scores keep their sign; then both are in 0 to 2. Undefined (none) when a vector
//! is all zeros, or empty. O(n).

use serde::Serialize;

use super::sums::sum_rows;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;

/// Distances between two vectors scaled to l1 norm 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScoreDistances {
    /// The sum of the absolute differences.
    pub l1: f64,
    /// The largest absolute difference.
    pub l_infinity: f64,
}

/// The distances between two vectors of finite scores, each scaled to l1 norm 1; none if a
/// vector is zero.
///
/// # Errors
/// [`Error::Argument`](webrank_base::error::Error::Argument) if the lengths differ,
/// [`Error::NotFinite`](webrank_base::error::Error::NotFinite) if a score is NaN or infinite.
pub fn distances(x: &[f64], y: &[f64]) -> Result<Option<ScoreDistances>> {
    super::check_scores(x, y)?;
    let (Some(x), Some(y)) = (Normalised::new(x), Normalised::new(y)) else {
        return Ok(None);
    };
    let difference = |row: usize| (x.get(row) - y.get(row)).abs();
    let rows = x.scores.len();
    let [l1] = sum_rows(rows, |row| [difference(row)]);
    // A maximum does not depend on the order in which it is taken.
    let l_infinity = tasks::largest(rows, difference);
    Ok(Some(ScoreDistances { l1, l_infinity }))
}

/// A vector divided by its l1 norm.
struct Normalised<'a> {
    scores: &'a [f64],
    /// The largest absolute score: dividing by it first keeps the norm from overflowing.
    largest: f64,
    norm: f64,
}

impl<'a> Normalised<'a> {
    fn new(scores: &'a [f64]) -> Option<Self> {
        let largest = tasks::largest(scores.len(), |row| scores[row].abs());
        if largest == 0.0 {
            return None;
        }
        let [norm] = sum_rows(scores.len(), |row| [(scores[row] / largest).abs()]);
        Some(Self {
            scores,
            largest,
            norm,
        })
    }

    fn get(&self, row: usize) -> f64 {
        self.scores[row] / self.largest / self.norm
    }
}
