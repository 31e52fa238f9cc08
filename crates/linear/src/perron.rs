//! Perron roots: spectral radii of nonnegative matrices, with certified bounds.
//!
//! For any vector v >= 0 that is not zero,
//!
//! ```text
//! min over v_i > 0 of (M v)_i / v_i  <=  rho(M),
//! ```
//!
//! and for any v > 0, `rho(M) <= max (M v)_i / v_i` (Collatz 1942, Wielandt 1950). Rounding widens
//! both by [`SLACK`].
//!
//! Entries of the dominant eigenvector x of a large graph span hundreds of orders of magnitude, so
//! x itself, found to a small error in norm, gives no useful ratios where it is tiny. Let w > 0 be
//! the result of a few steps of the power method from equal entries. Where x is tiny, w shrinks
//! from step to step: `M w <= mu w` for some mu below rho. There the ratios of `x + delta w` stay
//! below rho, and those of the positive part of `x - delta w` stay above it, so these two vectors
//! give the bounds.

use super::arnoldi::{self, norm};
use super::prepared::PreparedMatrix;
use webrank_base::error::Result;
use webrank_base::parallel::sums;
use webrank_base::parallel::sums::sum_of_tasks;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Relative error of a ratio: a sum with weights, and a division.
pub const SLACK: f64 = 2e-14;

/// Ratios of entries below this mean nothing: products with weights may underflow.
pub(crate) const TINY: f64 = 1e-200;

/// Entries that a task compares.
const TASK: usize = 1 << 12;

/// Values of delta that are tried for the bounds; x and w sum to one.
pub const DELTAS: [f64; 3] = [1e-3, 1e-6, 1e-9];

/// At tolerances below this, bounds are as sharp as rounding allows.
const SHARP: f64 = 1e-14;

/// Steps of the power method that sharpen bounds.
const SHARPENING_STEPS: u32 = 40;

/// An interval that is proved to contain a spectral radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RadiusBounds {
    /// At most the radius.
    pub lower: f64,
    /// At least the radius.
    pub upper: f64,
}

impl RadiusBounds {
    /// All radii: they are not negative.
    pub const NONE: RadiusBounds = RadiusBounds {
        lower: 0.0,
        upper: f64::INFINITY,
    };

    /// The radius is zero.
    pub const ZERO: RadiusBounds = RadiusBounds {
        lower: 0.0,
        upper: 0.0,
    };

    /// The bounds that v and M v give; the upper one only if v is positive.
    pub fn of(v: &[f64], image: &[f64]) -> RadiusBounds {
        let chunks = v.chunks(TASK).zip(image.chunks(TASK));
        let extremes = tasks::map(chunks, |(v, image)| extreme_ratios(v, image));
        let (lower, upper) = extremes.into_iter().fold(NO_RATIOS, wider);
        RadiusBounds {
            lower: if lower.is_finite() {
                lower * (1.0 - SLACK)
            } else {
                0.0
            },
            upper: upper * (1.0 + SLACK),
        }
    }

    /// The intersection of two intervals.
    pub fn and(self, other: RadiusBounds) -> RadiusBounds {
        RadiusBounds {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// The width, relative to the upper bound.
    pub fn width(&self) -> f64 {
        (self.upper - self.lower) / self.upper
    }

    /// The midpoint.
    pub fn middle(&self) -> f64 {
        self.lower + (self.upper - self.lower) / 2.0
    }
}

/// The extreme ratios of no entries.
const NO_RATIOS: (f64, f64) = (f64::INFINITY, 0.0);

fn wider(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The least and the largest `image_i / v_i`; infinite where v is zero. Where v is tiny, they may be
/// anything.
fn extreme_ratios(v: &[f64], image: &[f64]) -> (f64, f64) {
    let ratios = v.iter().zip(image).map(|(&v, &image)| match v {
        0.0 => (f64::INFINITY, f64::INFINITY),
        v if v < TINY => (0.0, f64::INFINITY),
        v => (image / v, image / v),
    });
    ratios.fold(NO_RATIOS, wider)
}

/// The dominant eigenvector of an irreducible matrix.
pub struct Perron {
    /// Bounds on the spectral radius.
    pub bounds: RadiusBounds,
    /// The spectral radius, estimated from the last eigenvector.
    pub radius: f64,
    /// Nonnegative, with sum one.
    pub vector: Vec<f64>,
    /// See [`arnoldi::Ritz::gap`].
    pub gap: f64,
    /// By what factor each of the last sweeps of [`by_powers`] shrank the residual: an estimate of
    /// |lambda_2| / lambda_1.
    pub rate: Option<f64>,
    /// Multiplications.
    pub sweeps: u32,
}

/// Finds a dominant eigenvector: [`dominant_vector`] or [`by_powers`].
pub type FindVector =
    fn(&mut PreparedMatrix, &[f64], f64, u32, &dyn Progress) -> Result<DominantVector>;

/// Finds the dominant eigenvector of an irreducible matrix to a residual of `tolerance`, if
/// rounding allows and `max_sweeps` suffice, starting from w > 0 (see the top of this file). The
/// bounds, which hold in any case, take seven more multiplications, and [`SHARPENING_STEPS`] more
/// at a tolerance below [`SHARP`].
///
/// # Errors
/// If rows are in a file that cannot be read; if the user interrupts.
pub fn perron(
    mut matrix: PreparedMatrix,
    w: &[f64],
    tolerance: f64,
    max_sweeps: u32,
    find: FindVector,
    progress: &dyn Progress,
) -> Result<Perron> {
    if let [_] = w {
        let mut entry = [0.0];
        matrix.multiply(&[1.0], &mut entry)?;
        return Ok(Perron::of_entry(entry[0]));
    }
    let mut w = w.to_vec();
    to_distribution(&mut w);
    let found = find(&mut matrix, &w, tolerance, max_sweeps, progress)?;
    let (x, mut sweeps) = (found.vector, found.sweeps + 1);
    let mut image = vec![0.0; x.len()];
    matrix.multiply(&x, &mut image)?;
    let radius = sums::compensated(image.iter().copied());
    let mut bounds = RadiusBounds::NONE;
    for delta in DELTAS {
        for sign in [1.0, -1.0] {
            let near = |i: usize| (x[i] + sign * delta * w[i]).max(0.0);
            let near = tasks::tabulate(x.len(), near);
            matrix.multiply(&near, &mut image)?;
            bounds = bounds.and(RadiusBounds::of(&near, &image));
            sweeps += 1;
        }
        progress.check()?;
    }
    if tolerance < SHARP {
        let mut near = x.clone();
        for _ in 0..SHARPENING_STEPS {
            matrix.multiply(&near, &mut image)?;
            bounds = bounds.and(RadiusBounds::of(&near, &image));
            // A step of the power method with a shift, which makes small entries accurate too.
            tasks::update_with(&mut near, &image, |x, y| *x = radius * *x + y);
            to_distribution(&mut near);
            sweeps += 1;
        }
        progress.check()?;
    }
    Ok(Perron {
        bounds,
        radius,
        vector: x,
        gap: found.gap,
        rate: found.rate,
        sweeps,
    })
}

impl Perron {
    /// The pair of a matrix with one row.
    fn of_entry(entry: f64) -> Self {
        Perron {
            bounds: RadiusBounds::of(&[1.0], &[entry]),
            radius: entry,
            vector: vec![1.0],
            gap: 1.0,
            rate: None,
            sweeps: 0,
        }
    }
}

/// A dominant eigenvector without bounds.
pub struct DominantVector {
    /// Nonnegative, with sum one.
    pub vector: Vec<f64>,
    /// See [`arnoldi::Ritz::gap`].
    pub gap: f64,
    /// See [`Perron::rate`].
    pub rate: Option<f64>,
    /// Whether the residual is within the tolerance, or as small as rounding allows.
    pub converged: bool,
    /// Multiplications.
    pub sweeps: u32,
}

/// The dominant eigenvector of an irreducible matrix to a residual of `tolerance`, if rounding
/// allows and `max_sweeps` suffice, starting from a distribution w > 0.
///
/// # Errors
/// If rows are in a file that cannot be read; if the user interrupts.
pub fn dominant_vector(
    matrix: &mut PreparedMatrix,
    w: &[f64],
    tolerance: f64,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<DominantVector> {
    let mut x = w.to_vec();
    let (mut sweeps, mut gap, mut residual) = (0, 1.0, f64::INFINITY);
    let mut stalled = false;
    while residual > tolerance && !stalled && sweeps < max_sweeps {
        let left = max_sweeps - sweeps;
        let multiply = |x: &[f64], y: &mut [f64]| matrix.apply(x, y);
        let (ritz, more) = arnoldi::cycle(multiply, &x, tolerance, left, progress)?;
        sweeps += more;
        let Some(ritz) = ritz else {
            let steps = (arnoldi::DIMENSION as u32).min(max_sweeps - sweeps);
            power_steps(matrix, &mut x, steps)?;
            sweeps += steps;
            continue;
        };
        gap = ritz.gap;
        let sign = ritz.vector.iter().sum::<f64>().signum();
        tasks::update_with(&mut x, &ritz.vector, |x, ritz| *x = (sign * ritz).max(0.0));
        to_distribution(&mut x);
        stalled = ritz.residual > 0.5 * residual && ritz.residual < 1e-12;
        residual = ritz.residual;
        progress.sweep(u64::from(sweeps), "residual", residual);
    }
    Ok(DominantVector {
        vector: x,
        gap,
        rate: None,
        converged: residual <= tolerance || stalled,
        sweeps,
    })
}

/// So many sweeps of the power method tell its rate.
const TELLING: usize = 10;

/// [`dominant_vector`] by the power method without a shift, from equal entries instead of w: each sweep
/// shrinks the residual by |lambda_2| / lambda_1 in the end, and if that is 1, the method has no limit.
///
/// # Errors
/// As for [`dominant_vector`].
pub fn by_powers(
    matrix: &mut PreparedMatrix,
    w: &[f64],
    tolerance: f64,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<DominantVector> {
    let (mut x, mut image) = (vec![1.0 / w.len() as f64; w.len()], vec![0.0; w.len()]);
    let mut residuals = Vec::new();
    let mut converged = false;
    while !converged && residuals.len() < max_sweeps as usize {
        progress.check()?;
        // Sums of positive terms stay positive.
        matrix.multiply(&x, &mut image)?;
        let residual = residual_of(&x, &image, sums::total(&image));
        residuals.push(residual);
        progress.sweep(residuals.len() as u64, "residual", residual);
        converged = residual <= tolerance;
        std::mem::swap(&mut x, &mut image);
        to_distribution(&mut x);
    }
    let last = &residuals[residuals.len().saturating_sub(TELLING + 1)..];
    let rate = match last {
        [first, .., end] if *end > 0.0 => Some((end / first).powf(1.0 / (last.len() - 1) as f64)),
        // Equal entries were the eigenvector.
        _ => None,
    };
    Ok(DominantVector {
        vector: x,
        // The least that an eigenvalue of this size may have.
        gap: ((1.0 - rate.unwrap_or(0.0)) / 2.0).max(f64::EPSILON),
        rate,
        converged,
        sweeps: residuals.len() as u32,
    })
}

/// Steps of the power method with a shift.
fn power_steps(operator: &mut PreparedMatrix, x: &mut [f64], steps: u32) -> Result<()> {
    let mut image = vec![0.0; x.len()];
    for _ in 0..steps {
        operator.apply(x, &mut image)?;
        let shift = sums::compensated(image.iter().copied());
        x.iter_mut()
            .zip(image.iter())
            .for_each(|(x, &y)| *x = shift * *x + y.max(0.0));
        to_distribution(x);
    }
    Ok(())
}

/// `||y - radius x|| / (radius ||x||)`.
pub fn residual_of(x: &[f64], image: &[f64], radius: f64) -> f64 {
    let squares = sum_of_tasks(x.len(), |range| {
        let term = |i: usize| (image[i] - radius * x[i]).powi(2);
        sums::compensated(range.map(term))
    });
    squares.sqrt() / (radius * norm(x))
}

/// Sets entries below `resolution`, in units of the l2 norm, to 0, unless that would be all of
/// them.
pub fn clear_unresolved(x: &mut [f64], resolution: f64) {
    let least = resolution * norm(x);
    if tasks::first(x.len(), |i| x[i] >= least).is_some() {
        tasks::update(x, |_, x| *x = if *x < least { 0.0 } else { *x });
    }
}

/// Scales to sum one.
pub fn to_distribution(x: &mut [f64]) {
    let total = sums::total(x);
    tasks::update(x, |_, x| *x /= total);
}
