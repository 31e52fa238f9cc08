//! Stopping rules of iterations.

use webrank_base::limits::Limits;
pub use webrank_base::limits::Tolerance;

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

impl StopRule {
    /// The rule that `limits` set, with `default_tolerance` if they set none.
    pub fn new(limits: &Limits, default_tolerance: f64) -> Self {
        StopRule {
            tolerance: limits.tolerance_or(default_tolerance),
            max_iterations: limits.iterations(),
            certify_top: None,
        }
    }
}
