//! Pearson's correlation of the logarithms of the scores: how well one measure is a power of the
//! other, score = c · other^a.
//!
//! Scores of graph measures spread over many orders of magnitude; on plain scores Pearson's
//! correlation would compare only the few largest. Zero and negative scores have no logarithm:
//! rows with a nonpositive score in either vector are left out and counted, so that the reader sees
//! how many rows the coefficient covers. Range -1 to 1. Undefined (none) when fewer than two rows
//! remain or the rest of a vector is constant. Two passes (means, then deviations), O(n).
//!
//! Pearson, "Note on regression and inheritance in the case of two parents", Proceedings of the
//! Royal Society 58, 1895.

use serde::Serialize;

use super::sums::sum_rows;
use webrank_base::error::Result;

/// A correlation of logarithms, and the number of rows it covers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PearsonLog {
    /// Pearson's correlation; none if it is undefined.
    pub correlation: Option<f64>,
    /// Number of rows whose scores are positive in both vectors.
    pub rows: u64,
    /// Number of rows left out because a score is zero or negative.
    pub left_out: u64,
}

/// Pearson's correlation of the logarithms of two vectors of finite scores.
///
/// # Errors
/// [`Error::Argument`](webrank_base::error::Error::Argument) if the lengths differ,
/// [`Error::NotFinite`](webrank_base::error::Error::NotFinite) if a score is NaN or infinite.
pub fn pearson_log(x: &[f64], y: &[f64]) -> Result<PearsonLog> {
    super::check_scores(x, y)?;
    let n = x.len();
    let positive = |row: usize| x[row] > 0.0 && y[row] > 0.0;
    let [rows, sum_x, sum_y] = sum_rows(n, |row| {
        if positive(row) {
            [1.0, x[row].ln(), y[row].ln()]
        } else {
            [0.0; 3]
        }
    });
    let (mean_x, mean_y) = (sum_x / rows, sum_y / rows);
    let [xy, xx, yy] = sum_rows(n, |row| {
        if positive(row) {
            let (dx, dy) = (x[row].ln() - mean_x, y[row].ln() - mean_y);
            [dx * dy, dx * dx, dy * dy]
        } else {
            [0.0; 3]
        }
    });
    let varies = |scores: &[f64]| {
        let mut used = (0..n).filter(|&row| positive(row)).map(|row| scores[row]);
        let first = used.next();
        used.any(|score| Some(score) != first)
    };
    let scale = xx.sqrt() * yy.sqrt();
    let defined = scale > 0.0 && varies(x) && varies(y);
    Ok(PearsonLog {
        correlation: defined.then(|| (xy / scale).clamp(-1.0, 1.0)),
        rows: rows as u64,
        left_out: (n as f64 - rows) as u64,
    })
}
