//! Perron roots: spectral radii of nonnegative matrices, between certified bounds.
//!
//! For any vector v >= 0 that is not zero,
//!
//! ```text
//! min over v_i > 0 of (M v)_i / v_i  <=  rho(M),
//! ```
//!
//! and for any v > 0, `rho(M) <= max (M v)_i / v_i` (Collatz 1942, Wielandt 1950). Rounding adds
//! [`SLACK`] to either.
//!
//! Entries of the dominant eigenvector x of a large graph span hundreds of orders of magnitude, so
//! x itself, found to a small error in norm, gives no useful ratios where it is tiny. Let w > 0 be
//! the outcome of a few steps of the power method from equal entries: where x is tiny, w shrinks
//! from step to step, `M w <= mu w` for some mu below rho. There `x + delta w` stays below rho and
//! the positive part of `x - delta w` above it, so these two give the bounds.

use super::arnoldi::{self, norm};
use super::matrix::{Matrix, Operator};
use crate::error::Result;
use crate::parallel::sums;
use crate::parallel::sums::sum_of_tasks;
use crate::progress::Progress;
use rayon::prelude::*;

/// Relative error of a ratio: a sum with weights, and a division.
pub const SLACK: f64 = 2e-14;

/// Multiples of w that are tried for the bounds, x and w summing to one.
const DELTAS: [f64; 3] = [1e-3, 1e-6, 1e-9];

/// An interval that surely holds a spectral radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// At most the radius.
    pub lower: f64,
    /// At least the radius.
    pub upper: f64,
}

impl Bounds {
    /// Knows nothing but that radii are not negative.
    pub const NONE: Bounds = Bounds {
        lower: 0.0,
        upper: f64::INFINITY,
    };

    /// The bounds that v and M v give; the upper one only if v is positive.
    pub fn of(v: &[f64], image: &[f64]) -> Bounds {
        let pairs = v.par_iter().zip(image).with_min_len(1 << 12);
        let ratios = pairs.map(|(&v, &image)| match v > 0.0 {
            true => (image / v, image / v),
            false => (f64::INFINITY, f64::INFINITY),
        });
        let (lower, upper) =
            ratios.reduce(|| (f64::INFINITY, 0.0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        Bounds {
            lower: if lower.is_finite() {
                lower * (1.0 - SLACK)
            } else {
                0.0
            },
            upper: upper * (1.0 + SLACK),
        }
    }

    /// Both bounds hold.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// The width, relative to the upper bound.
    pub fn width(&self) -> f64 {
        (self.upper - self.lower) / self.upper
    }

    /// The value in the middle.
    pub fn middle(&self) -> f64 {
        self.lower + (self.upper - self.lower) / 2.0
    }
}

/// The dominant eigenvector of an irreducible matrix.
pub struct Perron {
    /// The spectral radius is in here.
    pub bounds: Bounds,
    /// The spectral radius, by the last eigenvector.
    pub radius: f64,
    /// Nonnegative, with sum one.
    pub vector: Vec<f64>,
    /// `||M x - radius x|| / (radius ||x||)`, in the l2 norm.
    pub residual: f64,
    /// See [`arnoldi::Ritz::gap`].
    pub gap: f64,
    /// Multiplications.
    pub sweeps: u32,
}

/// Finds the dominant eigenvector of an irreducible matrix to a residual of `tolerance`, if
/// rounding allows and `max_sweeps` suffice, starting from w > 0 (see the top of this file).
///
/// # Errors
/// If the user interrupts.
pub fn perron(
    matrix: Matrix,
    w: &[f64],
    tolerance: f64,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<Perron> {
    let mut w = w.to_vec();
    to_distribution(&mut w);
    let n = w.len();
    let mut operator = Operator::new(matrix.clone());
    let mut x = w.clone();
    let mut image = vec![0.0; n];
    let (mut sweeps, mut gap, mut residual) = (0, 1.0, f64::INFINITY);
    // Of a matrix with one entry, w is the eigenvector.
    while n > 1 && residual > tolerance && sweeps < max_sweeps {
        let Some(ritz) = arnoldi::cycle(|x, y| operator.apply(x, y), &x, tolerance, progress)?
        else {
            step(&mut operator, &mut x, &mut image);
            sweeps += arnoldi::DIMENSION as u32;
            continue;
        };
        sweeps += ritz.sweeps;
        gap = ritz.gap;
        let sign = ritz.vector.iter().sum::<f64>().signum();
        x.par_iter_mut()
            .zip(&ritz.vector)
            .for_each(|(x, ritz)| *x = (sign * ritz).max(0.0));
        to_distribution(&mut x);
        let stalled = ritz.residual > 0.5 * residual && ritz.residual < 1e-12;
        residual = ritz.residual;
        progress.remark(&format!("sweep {sweeps}, residual {residual:.1e}"));
        if stalled {
            break;
        }
    }
    let blocks = matrix.blocks();
    matrix.multiply(&blocks, &x, &mut image);
    let radius = sums::compensated(image.iter().copied());
    let residual = residual_of(&x, &image, radius);
    let mut bounds = Bounds::NONE;
    for delta in DELTAS {
        let mut bound = |sign: f64| {
            let near = x.par_iter().zip(&w);
            let near: Vec<f64> = near.map(|(x, w)| (x + sign * delta * w).max(0.0)).collect();
            matrix.multiply(&blocks, &near, &mut image);
            Bounds::of(&near, &image)
        };
        bounds = bounds.and(bound(1.0)).and(bound(-1.0));
        sweeps += 2;
        progress.check()?;
    }
    Ok(Perron {
        bounds,
        radius,
        vector: x,
        residual,
        gap,
        sweeps: sweeps + 1,
    })
}

/// A step of the power method with a shift.
fn step(operator: &mut Operator, x: &mut [f64], image: &mut [f64]) {
    for _ in 0..arnoldi::DIMENSION {
        operator.apply(x, image);
        let shift = sums::compensated(image.iter().copied());
        x.iter_mut()
            .zip(image.iter())
            .for_each(|(x, &y)| *x = shift * *x + y.max(0.0));
        to_distribution(x);
    }
}

/// `||y - radius x|| / (radius ||x||)`.
pub(crate) fn residual_of(x: &[f64], image: &[f64], radius: f64) -> f64 {
    let squares = sum_of_tasks(x.len(), |range| {
        let term = |i: usize| (image[i] - radius * x[i]).powi(2);
        sums::compensated(range.map(term))
    });
    squares.sqrt() / (radius * norm(x))
}

/// Scales to sum one.
pub(crate) fn to_distribution(x: &mut [f64]) {
    let total = sum_of_tasks(x.len(), |range| sums::compensated(x[range].iter().copied()));
    x.par_iter_mut().for_each(|x| *x /= total);
}
