//! Arnoldi's method for the dominant eigenvector of a nonnegative irreducible matrix.
//!
//! m multiplications give an orthonormal basis V of the Krylov space of the start, and the small
//! matrix `H = V' M V`. If s is the eigenvector of H for its rightmost eigenvalue theta, then V s
//! is close to the eigenvector of M: about as close as the best polynomial of degree m - 1 in M
//! brings the start. Power iteration needs about m/2 times as many multiplications where the second
//! eigenvalue is near. The method restarts from V s.
//!
//! Source: Saad, "Variations on Arnoldi's method for computing eigenelements of large unsymmetric
//! matrices", Linear Algebra and its Applications 34, 1980.

use ndarray::Array2;
use webrank_base::error::Result;
use webrank_base::parallel::sums;
use webrank_base::parallel::sums::sum_of_tasks;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// The largest dimension of the small matrix; the basis takes 8 bytes a node for each.
pub const DIMENSION: usize = 20;

/// The eigenvector of the small matrix is computed each time the matrix has grown by this.
const LOOK_EVERY: usize = 5;

/// The eigenvector is also computed when this fraction of a new vector, or less, is outside the
/// basis.
const INVARIANT: f64 = 1e-12;

/// Entries that a task combines.
const TASK: usize = 1 << 12;

/// An approximate eigenpair.
pub struct Ritz {
    /// theta.
    pub value: f64,
    /// V s, of l2 norm 1.
    pub vector: Vec<f64>,
    /// `||M x - theta x|| / theta`, up to rounding, computed from the small matrix.
    pub residual: f64,
    /// `1 - |mu + theta| / (2 theta)` for the eigenvalue mu of H that makes it about the least: the
    /// gain of a step of the power method with `M + theta I`.
    pub gap: f64,
}

/// One cycle from a nonzero start; `multiply(x, y)` computes y = M x. Also returns the number of
/// multiplications: at most [`DIMENSION`] or `max_sweeps` (but at least one), fewer if the residual
/// is within `tolerance` earlier. There is no pair if the small matrix has no real dominant
/// eigenvalue; a better start mends that.
///
/// # Errors
/// As for `multiply`; if the user interrupts.
pub fn cycle(
    mut multiply: impl FnMut(&[f64], &mut [f64]) -> Result<()>,
    start: &[f64],
    tolerance: f64,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<(Option<Ritz>, u32)> {
    let n = start.len();
    let largest = DIMENSION.min(n).min(max_sweeps.max(1) as usize);
    let mut basis = vec![scaled(start, 1.0 / norm(start))];
    let mut small = Array2::<f64>::zeros((DIMENSION + 1, DIMENSION));
    let mut dimension = 0;
    let (rest, pair) = loop {
        let mut next = vec![0.0; n];
        multiply(&basis[dimension], &mut next)?;
        progress.check()?;
        let before = norm(&next);
        let mut rest = before;
        // Again after cancellation; twice is enough (Parlett, "The symmetric eigenvalue problem").
        for _ in 0..2 {
            for (row, part) in orthogonalise(&basis, &mut next).into_iter().enumerate() {
                small[[row, dimension]] += part;
            }
            rest = norm(&next);
            if rest > 1e-2 * before {
                break;
            }
        }
        dimension += 1;
        small[[dimension, dimension - 1]] = rest;
        let is_full = dimension == largest || rest <= 1e-14 * before;
        // Little is left of the vector: the basis spans the start's eigenvectors, and further
        // vectors would be rounding errors, which mix in eigenvectors of equal eigenvalues.
        let is_invariant = rest <= INVARIANT * before;
        if is_full || is_invariant || dimension.is_multiple_of(LOOK_EVERY) {
            let square = Array2::from_shape_fn((dimension, dimension), |place| small[place]);
            let pair = rightmost(&square);
            let is_good = |pair: &Rightmost| {
                rest * pair.vector[dimension - 1].abs() <= tolerance * pair.value
            };
            if is_full || pair.as_ref().is_some_and(is_good) {
                break (rest, pair);
            }
        }
        basis.push(scaled(&next, 1.0 / rest));
    };
    let Some(pair) = pair else {
        return Ok((None, dimension as u32));
    };
    let mut vector = vec![0.0; n];
    tasks::for_each(vector.chunks_mut(TASK).enumerate(), |(task, vector)| {
        for (basis, s) in basis.iter().zip(&pair.vector) {
            let basis = &basis[task * TASK..task * TASK + vector.len()];
            vector.iter_mut().zip(basis).for_each(|(x, b)| *x += s * b);
        }
    });
    let ritz = Ritz {
        value: pair.value,
        vector,
        residual: rest * pair.vector[dimension - 1].abs() / pair.value,
        gap: pair.gap,
    };
    Ok((Some(ritz), dimension as u32))
}

/// Subtracts from `vector` its components along an orthonormal basis; returns them.
fn orthogonalise(basis: &[Vec<f64>], vector: &mut [f64]) -> Vec<f64> {
    let parts = tasks::map(vector.chunks(TASK).enumerate(), |(task, vector)| {
        let along = |basis: &Vec<f64>| dot(&basis[task * TASK..][..vector.len()], vector);
        basis.iter().map(along).collect::<Vec<f64>>()
    });
    let along = |row: usize| sums::compensated(parts.iter().map(|part| part[row]));
    let along: Vec<f64> = (0..basis.len()).map(along).collect();
    tasks::for_each(vector.chunks_mut(TASK).enumerate(), |(task, vector)| {
        for (basis, part) in basis.iter().zip(&along) {
            let basis = &basis[task * TASK..][..vector.len()];
            vector
                .iter_mut()
                .zip(basis)
                .for_each(|(x, b)| *x -= part * b);
        }
    });
    along
}

/// The dot product, in eight chains that the compiler vectorises.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut chains = [0.0; 8];
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..8 {
            chains[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    chains.iter().sum::<f64>() + rest
}

/// The l2 norm.
pub fn norm(x: &[f64]) -> f64 {
    sum_of_tasks(x.len(), |range| dot(&x[range.clone()], &x[range])).sqrt()
}

fn scaled(x: &[f64], factor: f64) -> Vec<f64> {
    tasks::tabulate(x.len(), |i| x[i] * factor)
}

/// The rightmost eigenvalue of a small matrix, if it is real, simple and positive.
struct Rightmost {
    value: f64,
    /// The eigenvector, of l2 norm 1.
    vector: Vec<f64>,
    gap: f64,
}

/// Squares a shifted matrix repeatedly: it tends to the projector on its dominant eigenvector, and
/// the remainder without the projector gives the next eigenvalue.
fn rightmost(matrix: &Array2<f64>) -> Option<Rightmost> {
    let n = matrix.nrows();
    let largest = matrix
        .iter()
        .fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return None;
    }
    let shifted = |shift: f64| matrix / largest + Array2::<f64>::eye(n) * shift;
    let mut power = shifted(n as f64);
    for _ in 0..60 {
        power = power.dot(&power);
        power /= frobenius(&power);
    }
    let projector = &power / power.diag().sum();
    let mistake = frobenius(&(projector.dot(&projector) - &projector));
    let column = (0..n).max_by(|&a, &b| {
        let size = |column: usize| projector.column(column).dot(&projector.column(column));
        size(a).total_cmp(&size(b))
    })?;
    let vector = projector.column(column);
    let length = vector.dot(&vector).sqrt();
    let vector = vector.mapv(|x| x / length);
    let value = matrix.dot(&vector).dot(&vector);
    if !(mistake < 1e-6 * frobenius(&projector) && value > 0.0) {
        return None;
    }
    let theta = value / largest;
    let mut rest = (shifted(theta) / (2.0 * theta)) - &projector;
    let (mut log_norm, mut exponent) = (0.0, 1.0);
    for _ in 0..10 {
        let norm = frobenius(&rest);
        if norm < 1e-100 {
            break;
        }
        rest /= norm;
        log_norm += norm.ln() / exponent;
        rest = rest.dot(&rest);
        exponent *= 2.0;
    }
    let second = log_norm + frobenius(&rest).max(1e-300).ln() / exponent;
    Some(Rightmost {
        value,
        vector: vector.to_vec(),
        gap: (1.0 - second.exp()).clamp(0.0, 1.0),
    })
}

fn frobenius(matrix: &Array2<f64>) -> f64 {
    matrix.iter().map(|x| x * x).sum::<f64>().sqrt()
}
