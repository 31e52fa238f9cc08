//! Decay centrality: the sum of base^d(y, x) over the y != x that reach x, for 0 < base < 1.
//!
//! Unreachable nodes add 0; for outgoing distances read d(x, y). A base near 0 ranks by indegree,
//! near 1 by the number of nodes that reach x. Terms are exact counts times powers of the base,
//! added by increasing distance. One traversal a node. Jackson 2008, section 2.2.

use crate::error::{Error, Result};
use crate::traversal::histogram::Histogram;

/// A base between 0 and 1, both excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Base(f64);

impl Base {
    /// Checks a base.
    ///
    /// # Errors
    /// If it is not above 0 and below 1.
    pub fn new(base: f64) -> Result<Self> {
        match base > 0.0 && base < 1.0 {
            true => Ok(Base(base)),
            false => Err(Error::argument(
                "--base",
                base,
                "give a number above 0 and below 1",
            )),
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Base {
    fn default() -> Self {
        Base(0.5)
    }
}

/// The decay centrality of a node.
pub fn score(histogram: Histogram, base: Base) -> f64 {
    histogram
        .levels()
        .map(|(distance, count)| count as f64 * base.0.powi(distance as i32))
        // Not `sum`, whose empty sum is -0.
        .fold(0.0, |sum, term| sum + term)
}
