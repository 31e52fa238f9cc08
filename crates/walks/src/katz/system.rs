//! The system `x = beta + alpha M x`, and a bound on the distance of a vector from its solution.
//!
//! Let `r = beta + alpha M z - z` be the residual of a vector z, and let w > 0 be such that
//! `g = w - alpha M w > 0`. With `B = (I - alpha M)^-1`, whose entries are not negative, the errors
//! of the entries are
//!
//! ```text
//! |z - x| = |B r| <= B |r| <= max(|r| / g) B g = max(|r| / g) w.
//! ```

use super::KatzMethod;
use super::live_rows::LiveRows;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::components::strong_components;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::matrix::Matrix;
use webrank_measure::form::{Storage, swept_rows};

/// M.
pub enum KatzRows {
    /// In memory, with weights or for a method that needs them as they are.
    Matrix {
        /// The rows.
        matrix: Matrix,
        /// Blocks of rows.
        blocks: Vec<Range<usize>>,
    },
    /// In any form, without weights.
    Live(LiveRows),
}

impl KatzRows {
    /// The rows of a matrix, as a method needs them.
    ///
    /// # Errors
    /// None: the rows are in memory.
    pub fn new(matrix: Matrix, method: KatzMethod) -> Result<Self> {
        match method {
            KatzMethod::Bicgstab | KatzMethod::Power if matrix.weights().is_none() => {
                Ok(KatzRows::Live(LiveRows::new(matrix.into_rows())?))
            }
            _ => Ok(Self::of_matrix(matrix)),
        }
    }

    /// The form of the rows, for manifests.
    pub fn swept(&self) -> Value {
        match self {
            KatzRows::Matrix { matrix, .. } if matrix.weights().is_some() => {
                json!({ "name": "weighted" })
            }
            KatzRows::Matrix { .. } => json!({ "name": Storage::Runs }),
            KatzRows::Live(rows) => swept_rows(&[rows.rows()]),
        }
    }

    /// The matrix, if it is in memory.
    ///
    /// # Errors
    /// If it is not.
    pub fn matrix(&self) -> Result<Cow<'_, Matrix>> {
        match self {
            KatzRows::Matrix { matrix, .. } => Ok(Cow::Borrowed(matrix)),
            KatzRows::Live(rows) => rows.matrix().map(Cow::Owned),
        }
    }

    /// The rows of a matrix as they are.
    pub fn of_matrix(matrix: Matrix) -> Self {
        let blocks = matrix.blocks();
        KatzRows::Matrix { matrix, blocks }
    }

    /// The weights of the entries, unless all are 1.
    pub fn weights(&self) -> Option<&[f64]> {
        match self {
            KatzRows::Matrix { matrix, .. } => matrix.weights(),
            KatzRows::Live(_) => None,
        }
    }

    /// The number of rows.
    pub fn num_nodes(&self) -> usize {
        match self {
            KatzRows::Matrix { matrix, .. } => matrix.num_nodes(),
            KatzRows::Live(rows) => rows.rows().num_nodes(),
        }
    }

    /// The number of entries.
    pub fn num_arcs(&self) -> u64 {
        match self {
            KatzRows::Matrix { matrix, .. } => matrix.rows().num_arcs(),
            KatzRows::Live(rows) => rows.rows().num_arcs(),
        }
    }

    /// The largest sum of a row.
    pub fn largest_sum(&self) -> f64 {
        match self {
            KatzRows::Matrix { matrix, .. } => {
                let row_sum = |node: usize| matrix.dot(node as Node, |_| 1.0);
                tasks::largest(matrix.num_nodes(), row_sum)
            }
            KatzRows::Live(rows) => rows.longest(),
        }
    }

    /// The strong components that have a cycle.
    ///
    /// # Errors
    /// If rows cannot be read, or if there is no room for those of the components; if the user
    /// interrupts.
    pub fn irreducible(&self, progress: &dyn Progress) -> Result<Irreducible> {
        match self {
            KatzRows::Matrix { matrix, .. } => {
                let components = StrongComponents::new(matrix.rows(), progress)?;
                Ok(Irreducible::new(matrix, &components))
            }
            KatzRows::Live(rows) => {
                // Nobody depends on the other nodes, so they are in no cycle.
                let rows = rows.square();
                let components = strong_components(&rows, progress)?;
                Irreducible::of_rows(&rows, &components, progress)
            }
        }
    }

    /// Calls `add(j, M_ij)` for the entries of row i.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn entries(&self, node: Node, add: &mut dyn FnMut(Node, f64)) -> Result<()> {
        match self {
            KatzRows::Matrix { matrix, .. } => {
                matrix.row(node).for_each(|(j, weight)| add(j, weight));
                Ok(())
            }
            KatzRows::Live(rows) => rows.entries(node, |j| add(j, 1.0)),
        }
    }

    /// M x, term by term: equal bits for nodes with equal rows.
    fn multiply(&self, x: &[f64]) -> Result<Vec<f64>> {
        match self {
            KatzRows::Matrix { matrix, blocks } => {
                let mut image = vec![0.0; x.len()];
                matrix.multiply(blocks, x, &mut image);
                Ok(image)
            }
            KatzRows::Live(rows) => rows.multiply(x),
        }
    }

    /// See [`Matrix::rounding`].
    fn rounding(&self, node: usize) -> f64 {
        match self {
            KatzRows::Matrix { matrix, .. } => matrix.rounding(node as Node),
            KatzRows::Live(rows) => rows.rounding(node),
        }
    }
}

/// The system.
pub struct KatzSystem<'a> {
    /// M.
    pub rows: &'a KatzRows,
    /// The attenuation.
    pub alpha: f64,
    /// The right-hand side.
    pub beta: &'a [f64],
    /// The weights of entries in the l1 norm; 1 if there are none.
    pub sizes: Option<&'a [f64]>,
}

impl KatzSystem<'_> {
    /// `beta + alpha M x`, term by term: equal bits for nodes with equal rows and equal beta.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn apply(&self, x: &[f64]) -> Result<Vec<f64>> {
        let mut image = self.rows.multiply(x)?;
        tasks::update_with(&mut image, self.beta, |y, beta| *y = beta + self.alpha * *y);
        Ok(image)
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
    /// As for [`Self::apply`]; if the user interrupts.
    pub fn dominating(
        &self,
        base: &[f64],
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(Option<Vec<f64>>, u32)> {
        let mut w = base.to_vec();
        for sweep in 1..=max_sweeps {
            let image = self.rows.multiply(&w)?;
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
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn bound(&self, z: &[f64], w: Option<&[f64]>) -> Result<f64> {
        let image_of_z = self.rows.multiply(z)?;
        let image_of_w = w.map(|w| self.rows.multiply(w)).transpose()?;
        let (w, image_of_w) = match (w, &image_of_w) {
            (Some(w), Some(image)) => (w, image),
            _ => (z, &image_of_z),
        };
        let worst = tasks::largest(z.len(), |i| {
            let (flow, flow_of_w) = (self.alpha * image_of_z[i], self.alpha * image_of_w[i]);
            let rounding = self.rows.rounding(i);
            let residual = (self.beta[i] + flow - z[i]).abs() + rounding * (z[i] + flow);
            let kept = w[i] - flow_of_w - rounding * (w[i] + flow_of_w);
            if kept > 0.0 {
                residual / kept
            } else {
                f64::INFINITY
            }
        });
        Ok(worst * self.norm(w) * (1.0 + 1e-12))
    }
}
