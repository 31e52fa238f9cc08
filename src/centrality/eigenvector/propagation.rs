//! From the dominant components to the nodes they reach.
//!
//! Near alpha = 1/rho every entry of Katz's index grows like `c / (1 - alpha rho)^k`, each with an
//! order k and a leading coefficient c. Components are visited in the order of flow:
//! the order of a component is the highest of those that flow into it, and one more if it
//! dominates; only what has that highest order counts. A dominant component with eigenvectors x
//! and r (left and right) turns an inflow f into `(f . r) / (x . r) x`, any other one solves
//! `v (rho I - A) = f`, by Gauss-Seidel. Scores are the coefficients of the nodes of the highest
//! order.
//!
//! Where one component dominates, order 1 is all there is and scale does not matter.

use super::Eigenvector;
use crate::error::Result;
use crate::graph::Node;
use crate::graph::components::StrongComponents;
use crate::linear::arnoldi::norm;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::{Irreducible, IrreduciblePart};
use crate::linear::matrix::Matrix;
use crate::linear::perron::dominant_vector;
use crate::parallel::sums::compensated;
use crate::progress::Progress;

/// The vector on all nodes.
pub struct Extended {
    /// The score of every node, up to scale.
    pub values: Vec<f64>,
    /// Whether it is positive in truth.
    pub positive: Vec<bool>,
    /// Arcs that have been multiplied by.
    pub work: u64,
    /// Whether the limit of sweeps sufficed for what dominant parts keep.
    pub converged: bool,
}

/// Extends the eigenvectors of the dominant parts to all nodes. No part is swept more often than
/// the parameters allow, with the sweeps that finding the dominant ones took.
///
/// # Errors
/// If the user interrupts.
pub fn extend(
    matrix: &Matrix,
    components: &StrongComponents,
    irreducible: &Irreducible,
    found: &Dominant,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<Extended> {
    let n = matrix.num_nodes();
    let left = |part: usize| params.max_iterations.saturating_sub(found.sweeps[part]);
    let (mut work, mut converged) = (0, true);
    let several = found.parts.len() > 1;
    let rho = found.radius();
    let (starts, members) = components.members();
    let component_of = components.component_of();
    let mut orders = vec![0u32; components.num_components()];
    let mut values = vec![0.0; n];
    let mut parts = irreducible.parts().iter().enumerate().peekable();
    let mut largest = 0.0f64;
    let mut inflow = Vec::new();
    for component in 0..components.num_components() {
        let members = &members[starts[component]..starts[component + 1]];
        let part = parts.next_if(|(_, part)| part.component as usize == component);
        let outside = |node: Node| {
            let entries = matrix.row(node);
            entries.filter(move |&(j, _)| component_of[j as usize] as usize != component)
        };
        let orders_in = members.iter().flat_map(|&node| outside(node));
        let order = orders_in.map(|(j, _)| orders[component_of[j as usize] as usize]);
        let order = order.max().unwrap_or(0);
        let dominant = part.and_then(|(part, _)| found.parts.binary_search(&part).ok());
        orders[component] = order + u32::from(dominant.is_some());
        if orders[component] == 0 && !several {
            continue;
        }
        inflow.clear();
        inflow.extend(members.iter().map(|&node| {
            let own = if order == 0 { 1.0 } else { 0.0 };
            let counts = |j: Node| orders[component_of[j as usize] as usize] == order;
            let terms = outside(node).filter(|&(j, _)| counts(j));
            own + compensated(terms.map(|(j, weight)| weight * values[j as usize]))
        }));
        let solution = match (part, dominant) {
            (Some((number, part)), Some(dominant)) => {
                let x = &found.perrons[dominant].vector;
                let mut scale = 1.0;
                if several {
                    let kept = kept(irreducible, part, x, &inflow, left(number), progress)?;
                    scale = kept.share;
                    converged &= kept.converged;
                    work += u64::from(kept.sweeps) * irreducible.num_arcs(part);
                }
                x.iter().map(|x| scale * x).collect()
            }
            (Some((number, part)), None) => {
                let least = 0.1 * params.tolerance.get() * largest;
                let equation = Equation {
                    matrix: irreducible.matrix(),
                    first: part.places.start,
                    rho,
                    inflow: &inflow,
                };
                let (solution, sweeps) = equation.solve(least, left(number), progress)?;
                work += u64::from(sweeps) * irreducible.num_arcs(part);
                solution
            }
            (None, _) => vec![inflow[0] / rho],
        };
        largest = largest.max(norm(&solution));
        for (&node, value) in members.iter().zip(solution) {
            values[node as usize] = value;
        }
    }
    let highest = orders.iter().copied().max().unwrap_or(0);
    let is_positive = |node: usize| orders[component_of[node] as usize] == highest;
    let positive: Vec<bool> = (0..n).map(is_positive).collect();
    for (value, &positive) in values.iter_mut().zip(&positive) {
        if !positive {
            *value = 0.0;
        }
    }
    Ok(Extended {
        values,
        positive,
        work,
        converged,
    })
}

/// What a dominant part keeps of an inflow f.
struct Kept {
    /// `(f . r) / (x . r)`.
    share: f64,
    /// Whether the limit of sweeps sufficed for r.
    converged: bool,
    sweeps: u32,
}

/// Finds the right eigenvector r of a dominant part whose left one is x.
fn kept(
    irreducible: &Irreducible,
    part: &IrreduciblePart,
    x: &[f64],
    inflow: &[f64],
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<Kept> {
    if let [inflow] = inflow {
        return Ok(Kept {
            share: inflow / x[0],
            converged: true,
            sweeps: 0,
        });
    }
    let transposed = irreducible.part(part).transposed()?;
    let equal = vec![1.0 / x.len() as f64; x.len()];
    let r = dominant_vector(&transposed, &equal, 1e-13, max_sweeps, progress)?;
    let along = |a: &[f64]| compensated(a.iter().zip(&r.vector).map(|(a, r)| a * r));
    Ok(Kept {
        share: along(inflow) / along(x),
        converged: r.converged,
        sweeps: r.sweeps,
    })
}

/// `v = (inflow + M v) / rho` on a part whose spectral radius is below rho.
struct Equation<'a> {
    /// All parts.
    matrix: &'a Matrix,
    /// Where the part starts.
    first: usize,
    rho: f64,
    inflow: &'a [f64],
}

impl Equation<'_> {
    /// Sweeps until one changes v by at most `least` or 1e-14 of the length of v. Returns
    /// the sweeps, too.
    fn solve(
        &self,
        least: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(Vec<f64>, u32)> {
        let mut v: Vec<f64> = self.inflow.iter().map(|f| f / self.rho).collect();
        for sweep in 1..=max_sweeps {
            progress.check()?;
            let (change, length) = self.sweep(&mut v);
            if change <= least.max(1e-14 * length) {
                return Ok((v, sweep));
            }
        }
        Ok((v, max_sweeps))
    }

    /// Solves row after row for its own entry; returns the l2 norms of the change and of v.
    fn sweep(&self, v: &mut [f64]) -> (f64, f64) {
        let (mut change, mut length) = (0.0, 0.0);
        for (place, f) in self.inflow.iter().enumerate() {
            let node = (self.first + place) as Node;
            let own = self.matrix.entry(node, node);
            let value = |j: Node| {
                if j == node {
                    0.0
                } else {
                    v[j as usize - self.first]
                }
            };
            let new = (f + self.matrix.dot(node, value)) / (self.rho - own);
            change += (new - v[place]).powi(2);
            length += new * new;
            v[place] = new;
        }
        (change.sqrt(), length.sqrt())
    }
}
