//! Stabilised biconjugate gradients on the live nodes: a third of the sweeps of the series.

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
    /// beta, likewise.
    beta: Vec<f64>,
    /// Multiplications that are left.
    left: u32,
}

impl Gradients {
    /// Starts from beta.
    pub fn new(system: &KatzSystem) -> Self {
        let beta = match system.rows {
            KatzRows::Live(rows) => rows.values(system.beta),
            KatzRows::Matrix { .. } => system.beta.to_vec(),
        };
        Gradients {
            x: beta.clone(),
            beta,
            left: PATIENCE,
        }
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
        let mut sums = match system.rows {
            KatzRows::Live(rows) => vec![0.0; rows.num_rows()],
            KatzRows::Matrix { .. } => Vec::new(),
        };
        let multiply = |x: &[f64], y: &mut [f64]| {
            match system.rows {
                KatzRows::Live(rows) => {
                    rows.sums(x, &Prefixes::of(x), &mut sums)?;
                    tasks::update(y, |place, y| *y = alpha * sums[rows.row_of(place)]);
                }
                KatzRows::Matrix { matrix, blocks } => {
                    matrix.multiply(blocks, x, y);
                    tasks::update(y, |_, y| *y *= alpha);
                }
            }
            Ok(())
        };
        let sweeps = bicgstab::solve(multiply, &self.beta, &mut self.x, &goal, progress)?;
        // The solution is nowhere less than beta.
        tasks::update_with(&mut self.x, &self.beta, |x, beta| *x = x.max(*beta));
        self.left = self.left.saturating_sub(sweeps);
        Ok((sweeps, self.left <= 2))
    }
}

/// The absolute value; infinity if there is none, which comparisons would hide.
fn infinite_if_nan(x: f64) -> f64 {
    if x.is_nan() { f64::INFINITY } else { x.abs() }
}
