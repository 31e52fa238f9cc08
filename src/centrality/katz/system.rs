//! The system `x = beta + alpha M x`, and a bound on the distance of a vector from its solution.
//!
//! Let `r = beta + alpha M z - z` be the residual of a vector z, and let w > 0 be such that
//! `g = w - alpha M w > 0`. With `B = (I - alpha M)^-1`, whose entries are not negative, the errors
//! of the entries are
//!
//! ```text
//! |z - x| = |B r| <= B |r| <= max(|r| / g) B g = max(|r| / g) w.
//! ```

use crate::error::Result;
use crate::graph::Node;
use crate::linear::matrix::Matrix;
use crate::parallel::sums::total;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;

/// The system.
pub struct KatzSystem<'a> {
    /// M.
    pub matrix: &'a Matrix,
    /// Blocks of its rows.
    pub blocks: Vec<Range<usize>>,
    /// The attenuation.
    pub alpha: f64,
    /// The right-hand side.
    pub beta: &'a [f64],
    /// What an entry counts in the l1 norm; 1 if there are none.
    pub sizes: Option<&'a [f64]>,
}

impl KatzSystem<'_> {
    /// `beta + alpha M x`, term by term: equal bits for nodes with equal rows and equal beta.
    pub fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut image = self.multiply(x);
        tasks::update_with(&mut image, self.beta, |y, beta| *y = beta + self.alpha * *y);
        image
    }

    fn multiply(&self, x: &[f64]) -> Vec<f64> {
        let mut image = vec![0.0; x.len()];
        self.matrix.multiply(&self.blocks, x, &mut image);
        image
    }

    /// The l1 norm of a vector that is not negative.
    pub fn norm(&self, x: &[f64]) -> f64 {
        match self.sizes {
            None => total(x),
            Some(sizes) => total(&tasks::tabulate(x.len(), |i| sizes[i] * x[i])),
        }
    }

    /// A w with `w - alpha M w >= base / 2` for a positive base, if `max_sweeps` suffice, and the
    /// number of sweeps taken: about `ln 2 / (1 - alpha rho)`.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn dominating(
        &self,
        base: &[f64],
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(Option<Vec<f64>>, u32)> {
        let mut w = base.to_vec();
        for sweep in 1..=max_sweeps {
            let image = self.multiply(&w);
            progress.check()?;
            let new = tasks::tabulate(w.len(), |i| base[i] + self.alpha * image[i]);
            let increase = tasks::largest(w.len(), |i| (new[i] - w[i]) / base[i]);
            w = new;
            // The w before this sweep suffices, and so does the new one.
            if increase <= 0.5 {
                return Ok((Some(w), sweep));
            }
        }
        Ok((None, max_sweeps))
    }

    /// The certified l1 error of z, from a w or from z itself; infinite if that gives no
    /// certificate.
    pub fn bound(&self, z: &[f64], w: Option<&[f64]>) -> f64 {
        let image_of_z = self.multiply(z);
        let image_of_w = w.map(|w| self.multiply(w));
        let (w, image_of_w) = match (w, &image_of_w) {
            (Some(w), Some(image)) => (w, image),
            _ => (z, &image_of_z),
        };
        let worst = tasks::largest(z.len(), |i| {
            let (flow, flow_of_w) = (self.alpha * image_of_z[i], self.alpha * image_of_w[i]);
            let rounding = self.matrix.rounding(i as Node);
            let residual = (self.beta[i] + flow - z[i]).abs() + rounding * (z[i] + flow);
            let kept = w[i] - flow_of_w - rounding * (w[i] + flow_of_w);
            if kept > 0.0 {
                residual / kept
            } else {
                f64::INFINITY
            }
        });
        worst * self.norm(w) * (1.0 + 1e-12)
    }
}
