//! How often nodes are visited between two visits of the ground node, and how sure that is.
//!
//! The walk enters every node from g equally often. In units of that frequency, i is visited
//!
//! ```text
//! x_i = 1 + sum over j -> i of x_j / (d_j + 1)        times, and        S_i = n (x_i + 1) / sum of all (x_k + 1):
//! ```
//!
//! This is a system `x = 1 + M x` of n equations without g. The stabilised biconjugate gradient
//! method (BiCGSTAB) solves it on runs of nodes, whose sums lose small terms next to large ones. So
//! the residual is computed nearly exactly, and the method finds corrections until they change
//! nothing.
//!
//! # Why the bound holds
//!
//! The columns of M sum to less than one, so `B = (I - M)^-1 = I + M + ...` has no negative
//! entries, and `x = B 1`. If z has the residual `r = 1 + M z - z`, with entries of size at most
//! `R < 1`, then
//!
//! ```text
//! |z - x| = |B r| <= R B 1 = R x,        so        |z - x| <= R / (1 - R) z:
//! ```
//!
//! The right-hand side is constant, so the solution is its own certificate, for every single score.
//! Some x are so large somewhere that their roundings alone make R too large. Then another vector w
//! serves: if `g = w - M w > 0`, then `|z - x| <= B |r| <= max(|r| / g) w`; w is found from
//! `w = z + M w`, to half of z. Scaling `z + 1` to sum to n at most doubles its relative error:
//! with y = x + 1 and v = z + 1, `v / |v| - y / |y| = (v - y) / |v| + y / |y| (|y| - |v|) / |v|`.

use webrank_base::error::Result;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::bicgstab;
use webrank_linear::bicgstab::Goal;
use webrank_linear::stationary::Walk;

/// A correction is found to this fraction of the residual, which is above what sums over runs lose.
const CORRECTION: f64 = 1e-7;

/// The system `x = 1 + M x`.
pub(super) struct Visits {
    pub(super) walk: Walk,
    pub(super) tolerance: f64,
    pub(super) max_sweeps: u32,
    /// Multiplications so far.
    pub(super) sweeps: u32,
}

/// A solution, and a bound on its l1 error relative to its sum.
pub(super) struct GroundedSolution {
    pub(super) x: Vec<f64>,
    pub(super) bound: f64,
}

/// The residual of a vector, nearly exactly.
struct Residual {
    entries: Vec<f64>,
    /// Upper bounds on the sizes of the entries.
    sizes: Vec<f64>,
}

impl Visits {
    /// Corrects x until its bound is small enough, or until rounding or the limit of sweeps stops
    /// it.
    pub(super) fn find(&mut self, progress: &dyn Progress) -> Result<GroundedSolution> {
        let n = self.walk.num_states();
        let mut x = vec![0.0; n];
        let mut residual = Residual {
            entries: vec![1.0; n],
            sizes: vec![1.0; n],
        };
        loop {
            let before = largest(&residual.sizes);
            let correction = self.correction(&residual, progress)?;
            // Every node is visited from g.
            tasks::update_with(&mut x, &correction, |x, e| *x = (*x + e).max(1.0));
            // Term by term, so that nodes with equal rows get equal scores.
            x = self.walk.pushed(&x)?;
            tasks::update(&mut x, |_, x| *x += 1.0);
            residual = self.residual(&x)?;
            self.sweeps += 2;
            let bound = own_bound(&residual);
            if self.of_scores(bound) <= self.tolerance || self.left() == 0 {
                return Ok(GroundedSolution { x, bound });
            }
            if largest(&residual.sizes) > 0.5 * before {
                let bound = bound.min(self.bound_by_w(&x, &residual, progress)?);
                return Ok(GroundedSolution { x, bound });
            }
        }
    }

    /// The number of sweeps left.
    fn left(&self) -> u32 {
        self.max_sweeps.saturating_sub(self.sweeps)
    }

    /// The relative l1 error of scores, given that of x. Scaling doubles it, together with what is
    /// lost where x differs from its shares times totals; the sum, the scale and the scores are
    /// rounded too.
    pub(super) fn of_scores(&self, bound: f64) -> f64 {
        2.0 * (bound + self.walk.rounding()) + 6.0 * f64::EPSILON
    }

    /// Solves `e = r + M e`, to a fraction of r or of the tolerance.
    fn correction(&mut self, residual: &Residual, progress: &dyn Progress) -> Result<Vec<f64>> {
        let goal = Goal {
            size: &largest,
            within: (CORRECTION * largest(&residual.sizes)).max(self.tolerance / 16.0),
            max_sweeps: self.left(),
        };
        let mut e = vec![0.0; residual.entries.len()];
        self.solve(&residual.entries, &mut e, &goal, progress)?;
        Ok(e)
    }

    fn solve(
        &mut self,
        b: &[f64],
        x: &mut Vec<f64>,
        goal: &Goal,
        progress: &dyn Progress,
    ) -> Result<()> {
        let push = |x: &[f64], y: &mut [f64]| self.walk.push(x, y);
        self.sweeps += bicgstab::solve(push, b, x, goal, progress)?;
        Ok(())
    }

    /// `1 + M x - x`.
    fn residual(&self, x: &[f64]) -> Result<Residual> {
        let imbalances = self.walk.imbalances(1.0, x)?.into_iter();
        let (entries, sizes) = imbalances
            .map(|(value, error)| (value, value.abs() + error))
            .unzip();
        Ok(Residual { entries, sizes })
    }

    /// The bound for x from a w with `w - M w >= x / 2`.
    fn bound_by_w(
        &mut self,
        x: &[f64],
        residual: &Residual,
        progress: &dyn Progress,
    ) -> Result<f64> {
        let relative = |r: &[f64]| {
            let ratios = tasks::tabulate(r.len(), |i| r[i] / x[i]);
            largest(&ratios)
        };
        let goal = Goal {
            size: &relative,
            within: 0.5,
            max_sweeps: self.left(),
        };
        let mut w = x.to_vec();
        self.solve(x, &mut w, &goal, progress)?;
        tasks::update(&mut w, |_, w| *w = w.max(f64::MIN_POSITIVE));
        let imbalances = self.walk.imbalances(0.0, &w)?;
        let ratio = |node: usize| {
            let (value, error) = imbalances[node];
            let kept = -value - error;
            if kept > 0.0 {
                residual.sizes[node] / kept
            } else {
                f64::INFINITY
            }
        };
        let ratios = tasks::tabulate(x.len(), ratio);
        self.sweeps += 1;
        Ok(largest(&ratios) * total(&w) / total(x) * (1.0 + 1e-12))
    }
}

/// The bound that x itself gives: `R / (1 - R)`.
fn own_bound(residual: &Residual) -> f64 {
    let largest = largest(&residual.sizes);
    if largest < 1.0 {
        largest / (1.0 - largest)
    } else {
        f64::INFINITY
    }
}

/// The largest absolute value of an entry; infinite if any entry is NaN.
fn largest(x: &[f64]) -> f64 {
    let size = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
    tasks::largest(x.len(), |i| size(x[i]))
}
