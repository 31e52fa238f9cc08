//! PageRank as a dense linear system.

use ndarray::{Array1, Array2};

/// A dense digraph: `arcs[[i, j]]` is true for an arc i -> j.
pub type Dense = Array2<bool>;

/// The x with `x = alpha x G + alpha (x d) u + (1 - alpha) v`, correct to about one rounding an
/// entry.
pub fn pagerank(arcs: &Dense, alpha: f64, v: &[f64], u: &[f64]) -> Array1<f64> {
    let n = arcs.nrows();
    // Column i of the system says where the score of i goes.
    let mut system = Array2::<f64>::eye(n);
    for i in 0..n {
        let outdegree = arcs.row(i).iter().filter(|&&arc| arc).count();
        for j in 0..n {
            system[[j, i]] -= match outdegree {
                0 => alpha * u[j],
                _ if arcs[[i, j]] => alpha / outdegree as f64,
                _ => 0.0,
            };
        }
    }
    let right: Array1<f64> = v.iter().map(|v| (1.0 - alpha) * v).collect();
    refined(system, right)
}

/// The solution, correct to about one rounding an entry.
pub fn refined(system: Array2<f64>, right: Array1<f64>) -> Array1<f64> {
    let n = right.len();
    let mut x = solve(system.clone(), right.clone());
    for _ in 0..3 {
        let rest = (0..n).map(|i| residual(&system, &x, right[i], i)).collect();
        x += &solve(system.clone(), rest);
    }
    x
}

/// Entry i of `right - system x`, with twice the precision of `f64`.
fn residual(system: &Array2<f64>, x: &Array1<f64>, right: f64, i: usize) -> f64 {
    let (mut sum, mut error) = (right, 0.0);
    for (&a, &x) in system.row(i).iter().zip(x) {
        let product = -a * x;
        error += (-a).mul_add(x, -product);
        let next = sum + product;
        let part = next - sum;
        error += (sum - (next - part)) + (product - part);
        sum = next;
    }
    sum + error
}

/// Gaussian elimination with partial pivoting.
pub fn solve(mut a: Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    let n = b.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&p, &q| a[[p, column]].abs().total_cmp(&a[[q, column]].abs()))
            .unwrap();
        b.swap(column, pivot);
        for j in 0..n {
            a.swap([column, j], [pivot, j]);
        }
        for i in column + 1..n {
            let factor = a[[i, column]] / a[[column, column]];
            b[i] -= factor * b[column];
            for j in column..n {
                a[[i, j]] -= factor * a[[column, j]];
            }
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] -= a[[i, j]] * b[j];
        }
        b[i] /= a[[i, i]];
    }
    b
}
