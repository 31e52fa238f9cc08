//! Variants of PageRank (its derivative, weighted walks) as dense linear systems.

use super::pagerank::{Dense, pagerank, refined};
use ndarray::{Array1, Array2};

/// The P with `P_ij` the probability of going from i to j: rows of dangling nodes are u.
fn transitions(arcs: &Dense, u: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn(arcs.dim(), |(i, j)| {
        let outdegree = arcs.row(i).iter().filter(|&&arc| arc).count();
        match outdegree {
            0 => u[j],
            _ => f64::from(arcs[[i, j]]) / outdegree as f64,
        }
    })
}

/// The derivative of PageRank by alpha: the equation `x (I - alpha P) = (1 - alpha) v`,
/// differentiated: `x' (I - alpha P) = x P - v`.
pub fn derivative(arcs: &Dense, alpha: f64, v: &[f64], u: &[f64]) -> Array1<f64> {
    let p = transitions(arcs, u);
    let x = pagerank(arcs, alpha, v, u);
    let right = x.dot(&p) - Array1::from(v.to_vec());
    let system = Array2::eye(v.len()) - alpha * p.t().to_owned();
    refined(system, right)
}

/// PageRank where an arc is followed with probability proportional to its weight, which is
/// positive where there is an arc.
pub fn weighted_pagerank(weights: &Array2<f64>, alpha: f64, v: &[f64], u: &[f64]) -> Array1<f64> {
    let n = v.len();
    let p = Array2::from_shape_fn((n, n), |(i, j)| match weights.row(i).sum() {
        0.0 => u[j],
        total => weights[[i, j]] / total,
    });
    let system = Array2::eye(n) - alpha * p.t().to_owned();
    refined(system, v.iter().map(|v| (1.0 - alpha) * v).collect())
}
