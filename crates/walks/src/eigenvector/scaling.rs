//! The matrix in units in which its weights are of ordinary size: see [`webrank_linear::scaling`].

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::dominant::Dominant;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::matrix::Matrix;
use webrank_linear::perron::dominant_vector;
use webrank_linear::scaling::{BalancedParts, longest_paths};
use webrank_linear::wide::ExtendedFloat;

/// Entries that no positive score is multiplied by are cut to this.
const LARGEST: f64 = (1u64 << 60) as f64;

/// The units of a matrix M' with `M'_ij = w_ij 2^(d_j - d_i - s)`.
pub struct Units {
    /// d: the score of node i is in units of 2^(d_i).
    pub exponents: Vec<i64>,
    /// s: eigenvalues are in units of 2^s.
    pub shift: i64,
}

impl Units {
    /// Units in which the scores of the dominant components are of ordinary size, and those of the
    /// nodes that they reach too; and M'. There must be a component with a cycle.
    ///
    /// # Errors
    /// If there is not enough memory, or if the user interrupts.
    pub fn new(
        matrix: &Matrix,
        components: &StrongComponents,
        irreducible: &Irreducible,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(Self, Matrix)> {
        let n = matrix.num_nodes();
        let mut parts = BalancedParts::new(irreducible, progress)?;
        let found = Dominant::find(
            &mut parts.irreducible,
            1e-13,
            max_sweeps,
            dominant_vector,
            progress,
        )?;
        let mut own = vec![0; n];
        for (&node, &exponent) in irreducible.nodes().iter().zip(&parts.exponents) {
            own[node as usize] = exponent;
        }
        // If several dominate, walks from all nodes count.
        let mut starts = vec![(found.parts.len() > 1).then_some(0); n];
        if let [part] = found.parts[..] {
            let places = irreducible.parts()[part].places.clone();
            for &node in &irreducible.nodes()[places] {
                starts[node as usize] = Some(own[node as usize]);
            }
        }
        let columns = matrix.transposed()?;
        let steps = |node: Node| {
            let row = columns.row(node);
            row.map(|(to, weight)| (to, ExtendedFloat::new(weight).exponent() - parts.shift))
        };
        let longest = longest_paths(starts, steps, progress)?;
        let component_of = components.component_of();
        let exponent = |node: Node| longest[node as usize].unwrap_or(own[node as usize]);
        let entry = |i: Node, j: Node, weight: f64| {
            let entry = ExtendedFloat::new(weight).scaled(exponent(j) - exponent(i) - parts.shift);
            let is_inside = component_of[i as usize] == component_of[j as usize];
            match longest[j as usize].is_some() || is_inside {
                true => entry.get(),
                false => entry.get().min(LARGEST),
            }
        };
        let units = Units {
            exponents: (0..n as Node).map(exponent).collect(),
            shift: parts.shift,
        };
        Ok((units, matrix.mapped(entry)))
    }

    /// `||y - radius x|| / (radius ||x||)` for vectors in these units, the norm of which is that of
    /// the true scores.
    pub fn residual(&self, x: &[f64], image: &[f64], radius: f64) -> f64 {
        let entry = |x: f64, i: usize| ExtendedFloat::new(x).scaled(self.exponents[i]);
        let differences: Vec<f64> = (0..x.len())
            .map(|i| (image[i] - radius * x[i]).abs())
            .collect();
        let length = |x: &[f64]| {
            let squares = (0..x.len()).map(|i| entry(x[i], i) * entry(x[i], i));
            squares.sum::<ExtendedFloat>()
        };
        (length(&differences) / length(x)).get().sqrt() / radius
    }

    /// A vector in these units, in units of the largest entry.
    pub fn common(&self, x: &[f64]) -> Vec<f64> {
        let entry = |i: usize| ExtendedFloat::new(x[i]).scaled(self.exponents[i]);
        let positive = (0..x.len()).filter(|&i| x[i] > 0.0);
        let largest = positive.map(|i| entry(i).exponent()).max().unwrap_or(0);
        (0..x.len())
            .map(|i| entry(i).scaled(-largest).get())
            .collect()
    }
}
