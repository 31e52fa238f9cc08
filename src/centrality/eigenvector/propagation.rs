//! From the dominant components to the nodes they reach.
//!
//! Near alpha = 1/rho every entry of Katz's index grows like `c / (1 - alpha rho)^k`, with an
//! order k and a leading coefficient c of its own. Components are visited in the order of flow:
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
use crate::linear::irreducible::{Irreducible, Part};
use crate::linear::matrix::Matrix;
use crate::linear::perron::perron;
use crate::parallel::sums::compensated;
use crate::progress::Progress;

/// The score of every node, up to scale, and whether it is positive in truth.
pub fn extend(
    matrix: &Matrix,
    components: &StrongComponents,
    irreducible: &Irreducible,
    found: &Dominant,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<(Vec<f64>, Vec<bool>)> {
    let n = matrix.num_nodes();
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
            (Some((_, part)), Some(dominant)) => {
                let scale = match several {
                    true => kept(irreducible, part, found, dominant, &inflow, progress)?,
                    false => 1.0,
                };
                let vector = found.perrons[dominant].vector.iter();
                vector.map(|x| scale * x).collect()
            }
            (Some((_, part)), None) => {
                let least = 0.1 * params.tolerance.get() * largest;
                solve(irreducible, part, rho, &inflow, least, params, progress)?
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
    Ok((values, positive))
}

/// `(f . r) / (x . r)` for a dominant part.
fn kept(
    irreducible: &Irreducible,
    part: &Part,
    found: &Dominant,
    dominant: usize,
    inflow: &[f64],
    progress: &dyn Progress,
) -> Result<f64> {
    let x = &found.perrons[dominant].vector;
    let transposed = irreducible.part(part).transposed()?;
    let equal = vec![1.0; x.len()];
    let r = perron(transposed, &equal, 1e-13, u32::MAX, progress)?.vector;
    let along = |a: &[f64]| compensated(a.iter().zip(&r).map(|(a, r)| a * r));
    Ok(along(inflow) / along(x))
}

/// Solves `v = (inflow + M v) / rho` on a part whose spectral radius is below rho, until a sweep
/// changes v by at most `least` or 1e-14 of its own length.
fn solve(
    irreducible: &Irreducible,
    part: &Part,
    rho: f64,
    inflow: &[f64],
    least: f64,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<Vec<f64>> {
    let matrix = irreducible.matrix();
    let first = part.places.start;
    let mut v: Vec<f64> = inflow.iter().map(|f| f / rho).collect();
    for _ in 0..params.max_iterations {
        progress.check()?;
        let (mut change, mut length) = (0.0, 0.0);
        for (place, f) in inflow.iter().enumerate() {
            let node = (first + place) as Node;
            let own = matrix.entry(node, node);
            let rest = matrix.dot(node, |j| match j == node {
                true => 0.0,
                false => v[j as usize - first],
            });
            let new = (f + rest) / (rho - own);
            change += (new - v[place]).powi(2);
            length += new * new;
            v[place] = new;
        }
        if change.sqrt() <= least.max(1e-14 * length.sqrt()) {
            break;
        }
    }
    Ok(v)
}
