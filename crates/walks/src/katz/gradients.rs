//! Stabilised biconjugate gradients on the live nodes: a quarter of the multiplications of the series.

use super::system::{KatzRows, KatzSystem};
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::bicgstab::{self, Goal};
use webrank_linear::prefixes::Prefixes;

/// After so many multiplications, the series goes on from x: it is certain to get there.
const PATIENCE: u32 = 512;

/// The state of the method.
pub struct Gradients {
    /// x, on live nodes or on all.
    pub x: Vec<f64>,
    /// Multiplications that are left.
    left: u32,
}

impl Gradients {
    /// Starts from beta.
    pub fn new(system: &KatzSystem) -> Self {
        let x = match system.rows {
            KatzRows::Live(rows) => rows.values(system.beta),
            KatzRows::Matrix { .. } => system.beta.to_vec(),
        };
        Gradients { x, left: PATIENCE }
    }

    /// Goes on until no residual is larger than `aim`, or than rounding; returns the multiplications, and
    /// whether the series is to go on.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    pub fn advance(
        &mut self,
        system: &KatzSystem,
        aim: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(u32, bool)> {
        let largest = |x: &[f64]| tasks::largest(x.len(), |i| infinite_if_nan(x[i]));
        let goal = Goal {
            size: &largest,
            within: aim,
            // A step takes two sweeps, and another one computes the residual.
            max_sweeps: self.left.min(max_sweeps).saturating_sub(2),
        };
        let alpha = system.alpha;
        let (beta, sweeps) = match system.rows {
            KatzRows::Live(rows) => {
                let beta = rows.values(system.beta);
                let mut sums = vec![0.0; rows.num_rows()];
                let multiply = |x: &[f64], y: &mut [f64]| {
                    rows.sums(x, &Prefixes::of(x), &mut sums)?;
                    fill(y, |place| alpha * sums[rows.row_of(place)]);
                    Ok(())
                };
                let sweeps = bicgstab::solve(multiply, &beta, &mut self.x, &goal, progress)?;
                (beta, sweeps)
            }
            KatzRows::Matrix { matrix, blocks } => {
                let multiply = |x: &[f64], y: &mut [f64]| {
                    matrix.multiply(blocks, x, y);
                    tasks::update(y, |_, y| *y *= alpha);
                    Ok(())
                };
                let sweeps = bicgstab::solve(multiply, system.beta, &mut self.x, &goal, progress)?;
                (system.beta.to_vec(), sweeps)
            }
        };
        // The solution is nowhere less than beta.
        tasks::update_with(&mut self.x, &beta, |x, beta| *x = x.max(*beta));
        self.left = self.left.saturating_sub(sweeps);
        Ok((sweeps, self.left <= 2))
    }
}

fn fill(y: &mut [f64], value: impl Fn(usize) -> f64 + Sync) {
    tasks::update(y, |place, y| *y = value(place));
}

/// The absolute value; sizes of other numbers would hide what is none.
fn infinite_if_nan(x: f64) -> f64 {
    if x.is_nan() { f64::INFINITY } else { x.abs() }
}
