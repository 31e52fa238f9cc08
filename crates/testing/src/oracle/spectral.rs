//! Eigenvector centrality and Katz's index by dense algebra, from their definitions.

use super::pagerank::refined;
use ndarray::{Array1, Array2};

/// `beta (I - alpha A)^-1`.
pub fn katz(a: &Array2<f64>, alpha: f64, beta: &[f64]) -> Array1<f64> {
    let n = a.nrows();
    let system = Array2::<f64>::eye(n) - a.t().mapv(|w| alpha * w);
    refined(system, beta.iter().copied().collect())
}

/// The spectral radius: the limit of `||A^k||^(1/k)`, by squaring.
pub fn radius(a: &Array2<f64>) -> f64 {
    let mut power = a.clone();
    let (mut log_norm, mut exponent) = (0.0, 1.0);
    for _ in 0..60 {
        let norm = power.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        if norm == 0.0 {
            return 0.0;
        }
        power /= norm;
        log_norm += norm.ln() / exponent;
        power = power.dot(&power);
        exponent *= 2.0;
    }
    f64::exp(log_norm)
}

/// The limit of the power method with `A + rho I` from equal scores, summing to one, by 2^squarings
/// steps: longer chains of components of equal radius win by a factor of that number.
pub fn power_limit(a: &Array2<f64>, rho: f64, squarings: u32) -> Array1<f64> {
    let n = a.nrows();
    let mut power = a + &(Array2::<f64>::eye(n) * rho);
    for _ in 0..squarings {
        let largest = power.iter().fold(0.0f64, |largest, x| largest.max(*x));
        power /= largest;
        power = power.dot(&power);
    }
    let x = power.sum_axis(ndarray::Axis(0));
    let total = x.sum();
    x / total
}

/// The long-run distribution of walks with these weights from a uniform start: the limit of the
/// lazy walk, by squaring. Walks stay at nodes without successors.
pub fn long_run(weights: &Array2<f64>) -> Array1<f64> {
    let n = weights.nrows();
    let mut lazy = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        let total = weights.row(i).sum();
        for j in 0..n {
            let stay = if i == j { 0.5 } else { 0.0 };
            lazy[[i, j]] = match total > 0.0 {
                true => stay + 0.5 * weights[[i, j]] / total,
                false => 2.0 * stay,
            };
        }
    }
    for _ in 0..60 {
        lazy = lazy.dot(&lazy);
        for mut row in lazy.rows_mut() {
            let total = row.sum();
            row /= total;
        }
    }
    lazy.sum_axis(ndarray::Axis(0)) / n.max(1) as f64
}
