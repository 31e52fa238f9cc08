//! Sweeps until a certified bound is within a tolerance, for any form of sweep.

use super::certificate::{Certified, Iteration};
use crate::error::Result;
use crate::linear::stop::StopRule;
use crate::progress::Progress;

/// An iteration and its stopping rule.
pub struct Solver<'a> {
    state: Box<dyn Iteration + 'a>,
    alpha: f64,
    max_iterations: u32,
    progress: &'a dyn Progress,
    iterations: u32,
    stall: Stall,
}

impl<'a> Solver<'a> {
    /// A solver for an iteration that contracts the l1 norm by `alpha` per sweep.
    pub fn new(
        state: Box<dyn Iteration + 'a>,
        alpha: f64,
        stop: &StopRule,
        progress: &'a dyn Progress,
    ) -> Self {
        Solver {
            state,
            alpha,
            max_iterations: stop.max_iterations,
            progress,
            iterations: 0,
            stall: Stall::new(alpha),
        }
    }

    /// The number of sweeps so far.
    pub fn iterations(&self) -> u32 {
        self.state.sweeps().unwrap_or(self.iterations)
    }

    /// The most sweeps that may be made.
    pub fn max_iterations(&self) -> u32 {
        self.max_iterations
    }

    /// True if no sweeps are left.
    pub fn is_exhausted(&self) -> bool {
        self.iterations() + 1 >= self.max_iterations
    }

    /// Iterates until the certified bound is within `tolerance`, or until no sweeps are
    /// left or rounding allows no better.
    pub fn solve(&mut self, tolerance: f64) -> Result<Certified> {
        // The certified bound of a vector is at most about the last change divided by 1 - alpha.
        let mut aim = tolerance.max(self.state.floor()) * (1.0 - self.alpha);
        let (mut last_bound, mut strikes) = (f64::INFINITY, 0);
        loop {
            let change = self.state.sweep()?;
            self.tick(change)?;
            let stalled = self.stall.has_come(self.iterations, change);
            let exhausted = self.is_exhausted();
            if change > aim && !exhausted && !stalled {
                continue;
            }
            let certified = self.state.certify()?;
            self.tick(change)?;
            // From one certificate to the next the change at least halves. So if certificates
            // hardly improve, rounding sets the floor.
            strikes += u32::from(certified.bound > 0.9 * last_bound);
            let floor = self.state.floor();
            let at_floor = tolerance < floor && certified.bound < 1.3 * floor;
            if certified.bound <= tolerance || exhausted || stalled || strikes > 1 || at_floor {
                return Ok(certified);
            }
            last_bound = certified.bound;
            aim = change.min(aim) * (0.9 * tolerance / certified.bound).min(0.5);
        }
    }

    /// Counts a sweep, reports the bound, and lets the user interrupt the run.
    fn tick(&mut self, change: f64) -> Result<()> {
        self.iterations += 1;
        let bound = change / (1.0 - self.alpha);
        let sweeps = self.iterations();
        self.progress
            .remark(&format!("sweep {sweeps}, error below {bound:.1e}"));
        self.progress.check()
    }
}

/// Detects when changes have ceased to shrink.
///
/// Without rounding, a sweep multiplies the change by about alpha, except that an extrapolation may
/// raise it for a while. So after 20/(1 - alpha) sweeps without progress, none is to be expected.
pub(crate) struct Stall {
    patience: u32,
    least: f64,
    /// The sweep with the smallest change.
    since: u32,
}

impl Stall {
    pub(crate) fn new(alpha: f64) -> Self {
        Stall {
            patience: (20.0 / (1.0 - alpha)).min(1e9) as u32,
            least: f64::INFINITY,
            since: 0,
        }
    }

    pub(crate) fn has_come(&mut self, sweep: u32, change: f64) -> bool {
        if change < 0.9 * self.least {
            self.least = change;
            self.since = sweep;
        }
        sweep - self.since > self.patience
    }
}
