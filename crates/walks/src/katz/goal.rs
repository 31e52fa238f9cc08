//! Sweeping until the certified error is small enough.

use super::KatzMethod;
use super::sweeps::Sweeps;
use super::system::KatzSystem;
use crate::late_nodes::{self, Teleport, WalkSteps};
use crate::pagerank::certificate::Certified;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::total;
use webrank_base::progress::Progress;

/// When to stop.
#[derive(Clone, Copy)]
pub(super) struct KatzGoal {
    pub(super) tolerance: f64,
    pub(super) max_sweeps: u32,
    /// The number of sweeps made already.
    pub(super) sweeps: u32,
}

/// A vector, its certified l1 error relative to its sum, and the number of sweeps made.
pub(super) struct Solution {
    pub(super) x: Vec<f64>,
    pub(super) relative_bound: f64,
    pub(super) sweeps: u32,
}

impl KatzGoal {
    /// Sweeps until the certified error is small enough, or until rounding or the limit of sweeps
    /// stops it. A score is 0 only if no walk from a node with a positive beta gets there.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    pub(super) fn solve(
        &self,
        system: &KatzSystem,
        method: KatzMethod,
        progress: &dyn Progress,
    ) -> Result<Solution> {
        let found = self.swept(system, method, progress)?;
        if !found.relative_bound.is_finite() || !system.beta.contains(&0.0) {
            return Ok(found);
        }
        let norm = system.norm(&found.x);
        if !(norm > 0.0 && norm.is_finite()) {
            return Ok(found);
        }
        let bound = found.relative_bound * norm;
        let mut certified = Certified {
            bound,
            scores: found.x,
        };
        let series = Teleport {
            alpha: system.alpha,
            preference: None,
            dangling: None,
        };
        late_nodes::extend(&mut certified, self.tolerance * norm, series, system)?;
        Ok(Solution {
            x: certified.scores,
            relative_bound: match certified.bound > bound {
                true => certified.bound / norm * (1.0 + f64::EPSILON),
                false => found.relative_bound,
            },
            sweeps: found.sweeps,
        })
    }

    fn swept(
        &self,
        system: &KatzSystem,
        method: KatzMethod,
        progress: &dyn Progress,
    ) -> Result<Solution> {
        let (n, mut sweeps) = (system.beta.len(), self.sweeps);
        // If beta is positive, the solution itself serves as w.
        let mut dominating = None;
        if system.beta.contains(&0.0) || system.sizes.is_some() {
            // Scores come first: half of the sweeps are theirs, and a certificate follows.
            let left = self.max_sweeps.saturating_sub(sweeps + 4) / 2;
            let (w, more) = system.dominating(&vec![1.0; n], left, progress)?;
            (dominating, sweeps) = (w, sweeps + more);
        }
        let mut state = Sweeps::new(system, method);
        let mut aim = match system.sizes {
            None => self.tolerance * total(system.beta) / n.max(1) as f64,
            // All entries are about 1.
            Some(_) => 0.1 * self.tolerance,
        };
        let (mut last, mut strikes, mut refined) = (f64::INFINITY, 0, false);
        loop {
            let certificate = 2 + u32::from(dominating.is_some());
            let left = self.max_sweeps.saturating_sub(sweeps + certificate);
            let (change, made) = state.until(system, aim, left, progress)?;
            sweeps += made;
            let exhausted = sweeps + certificate >= self.max_sweeps;
            let x = system.apply(&state.vector(system))?;
            let bound = system.bound(&x, dominating.as_deref())?;
            let relative = match bound / system.norm(&x).max(f64::MIN_POSITIVE) {
                relative if relative.is_nan() => f64::INFINITY,
                relative => relative,
            };
            sweeps += certificate;
            // The solution may serve as no w at all.
            strikes += u32::from(relative > 0.9 * last || relative.is_infinite());
            let has_overflown = !total(&x).is_finite();
            // Another certificate needs another sweep.
            let is_last = exhausted || sweeps + 1 + certificate > self.max_sweeps;
            if relative <= self.tolerance || is_last || strikes > 8 || has_overflown {
                return Ok(Solution {
                    x,
                    relative_bound: relative,
                    sweeps,
                });
            }
            // Rounding in large entries may be too much for a w that treats all residuals equally.
            if strikes == 2 && !refined {
                let least = f64::EPSILON * total(&x);
                let base: Vec<f64> = x.iter().map(|x| x.max(least)).collect();
                let left = self.max_sweeps.saturating_sub(sweeps + 4);
                let (w, more) = system.dominating(&base, left, progress)?;
                (dominating, sweeps, refined) = (w.or(dominating), sweeps + more, true);
            }
            last = relative;
            aim = change.min(aim) * (0.9 * self.tolerance / relative).clamp(1e-3, 0.5);
        }
    }
}

/// Walks by their steps; the weight of a step is no probability.
impl WalkSteps for KatzSystem<'_> {
    fn steps_into(&self, node: Node, add: &mut dyn FnMut(Node, f64)) -> Result<()> {
        self.rows.entries(node, add)
    }

    /// No walk goes on from there.
    fn is_dangling(&self, _node: Node) -> bool {
        false
    }

    fn dangling_mass(&self, _scores: &[f64]) -> f64 {
        0.0
    }
}
