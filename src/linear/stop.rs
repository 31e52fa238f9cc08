//! When an iteration may stop.

use crate::error::{Error, Result};

/// A promise on the l1 distance to the true vector: positive and finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Tolerance(f64);

impl Tolerance {
    /// # Errors
    /// If `value` is NaN, infinite, zero or negative.
    pub fn new(value: f64) -> Result<Self> {
        if value.is_finite() && value > 0.0 {
            Ok(Tolerance(value))
        } else {
            Err(Error::argument(
                "--tolerance",
                value,
                "it must be a positive number, such as 1e-9",
            ))
        }
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance(1e-9)
    }
}

/// When an iteration may stop, and when it must.
#[derive(Debug, Clone, Copy)]
pub struct StopRule {
    /// Stop as soon as the certified bound is within this.
    pub tolerance: Tolerance,
    /// Stop after this many sweeps, whatever the bound.
    pub max_iterations: u32,
    /// Go on until this many first positions of the ranking are proved.
    pub certify_top: Option<usize>,
}

impl Default for StopRule {
    fn default() -> Self {
        StopRule {
            tolerance: Tolerance::default(),
            max_iterations: 10_000,
            certify_top: None,
        }
    }
}
