//! Stabilised biconjugate gradients on the live nodes: a quarter of the multiplications of the series.

use super::live_rows::LiveRows;
use super::system::{KatzRows, KatzSystem};
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::bicgstab::{self, Goal};
use webrank_linear::prefixes::Prefixes;

/// The series, which is certain to get there, goes on after so many multiplications: about as many as it
/// takes itself.
const PATIENCE: u32 = 128;

/// The entries of x on which rows depend, and whether their residual was small enough.
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

    /// Goes on until no residual is larger than `aim`; returns the multiplications, and whether they
    /// sufficed.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    pub fn advance(
        &mut self,
        system: &KatzSystem,
        aim: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(bool, u32)> {
        let largest = |x: &[f64]| tasks::largest(x.len(), |i| infinite_if_nan(x[i]));
        let goal = Goal {
            size: &largest,
            within: aim,
            max_sweeps: self.left.min(max_sweeps),
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
        Ok((self.left > 0, sweeps))
    }

    /// x on the nodes on which rows depend; 0 on others.
    pub fn scattered(&self, rows: &LiveRows, num_nodes: usize) -> Vec<f64> {
        let mut all = vec![0.0; num_nodes];
        for (&node, &value) in rows.live().iter().zip(&self.x) {
            all[node as usize] = value;
        }
        all
    }
}

fn fill(y: &mut [f64], value: impl Fn(usize) -> f64 + Sync) {
    tasks::update(y, |place, y| *y = value(place));
}

/// The absolute value; sizes of other numbers would hide what is none.
fn infinite_if_nan(x: f64) -> f64 {
    if x.is_nan() { f64::INFINITY } else { x.abs() }
}
