//! Plain sweeps over the arcs, and what they prove.
//!
//! Each sum is Neumaier's, one term after the other. All terms are nonnegative, so a sum has a
//! relative error of about two units of roundoff, at any length; with the products and divisions
//! behind each term, and a few operations after it, an entry has less than [`ENTRY`].
//!
//! A map F, and a bound on the distance of a vector z from its fixed point in terms of F(z), give the
//! error of any scores x: sweeps z, F(z), F(F(z)), ... from x until z is known so well that the
//! distance of x from z tells the error of x, from above and from below.

use super::{ErrorBounds, ErrorKind, Finding, Worst};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{Compensated, compensated, sum_of_tasks, total};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::Matrix;

/// A bound on the relative error of an entry of F(x), with a margin.
pub const ENTRY: f64 = 32.0 * (f64::EPSILON / 2.0);

/// Covers the few roundings of a formula for a bound, and of the sums in it.
pub const SLACK: f64 = 1e-12;

/// Nodes and arcs that the sweeps of a check visit at most, unless that is less than 1000 sweeps.
const VISITS: u64 = 3_000_000_000;

/// The part of an error that may remain unknown.
const SHARP: f64 = 2e-3;

/// A difference of a scale from 1 that may be an error of the scores.
pub const SCALE_TOLERANCE: f64 = 1e-3;

/// The most sweeps of a check.
pub fn max_sweeps(matrix: &Matrix) -> u32 {
    let visits = matrix.num_nodes() as u64 + matrix.rows().num_arcs();
    (VISITS / visits.max(1)).clamp(1000, 50_000) as u32
}

/// `sum over j of w_ij f_j x_j` for every row i.
pub fn swept(matrix: &Matrix, factors: &[f64], x: &[f64]) -> Vec<f64> {
    tasks::tabulate(x.len(), |i| {
        let row = matrix.row(i as Node);
        compensated(row.map(|(j, weight)| weight * factors[j as usize] * x[j as usize]))
    })
}

/// The sum of every column.
pub fn column_sums(matrix: &Matrix) -> Vec<f64> {
    let mut sums = vec![Compensated::default(); matrix.num_nodes()];
    for node in 0..matrix.num_nodes() as Node {
        for (j, weight) in matrix.row(node) {
            sums[j as usize].add(weight);
        }
    }
    sums.iter().map(Compensated::value).collect()
}

/// 1 over each of these numbers; 0 for 0.
pub fn inverses(numbers: &[f64]) -> Vec<f64> {
    let inverse = |&number: &f64| if number > 0.0 { 1.0 / number } else { 0.0 };
    numbers.iter().map(inverse).collect()
}

/// The l1 distance.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let part = |range: std::ops::Range<usize>| {
        let pairs = a[range.clone()].iter().zip(&b[range]);
        compensated(pairs.map(|(a, b)| (a - b).abs()))
    };
    sum_of_tasks(a.len(), part)
}

/// A vector near the fixed point of a map.
pub struct Refined {
    pub z: Vec<f64>,
    /// Its l1 distance from the fixed point is at most this; infinite if nothing is proved.
    pub error: f64,
    /// The number of sweeps that this took.
    pub sweeps: u32,
}

impl Refined {
    /// How scores were checked.
    pub fn way(&self) -> String {
        match self.sweeps {
            1 => "one plain sweep that starts from these scores".to_owned(),
            sweeps => format!("{sweeps} plain sweeps that start from these scores"),
        }
    }
}

/// Sweeps from `start`, `max_sweeps` at most.
///
/// `error(z, F(z))` bounds the l1 distance of z from the fixed point; its second number is what
/// rounding alone would make of it. `enough(d, error)` says whether z is known well enough, where d is
/// its distance from the start, or its norm if that is less.
pub fn refine(
    start: &[f64],
    max_sweeps: u32,
    map: impl Fn(&[f64]) -> Vec<f64>,
    error: impl Fn(&[f64], &[f64]) -> [f64; 2],
    enough: impl Fn(f64, f64) -> bool,
    progress: &dyn Progress,
) -> Result<Refined> {
    let mut z = start.to_vec();
    progress.begin("sweeps", None);
    for sweeps in 1.. {
        progress.check()?;
        let image = map(&z);
        let is_finite = tasks::all(image.len(), |i| image[i].is_finite());
        let [mut bound, mut floor] = error(&z, &image);
        if !is_finite || bound.is_nan() {
            (bound, floor) = (f64::INFINITY, f64::INFINITY);
        }
        let is_known = bound <= 2.0 * floor || enough(distance(start, &z).min(total(&z)), bound);
        if is_known || sweeps == max_sweeps {
            progress.end();
            return Ok(Refined {
                z,
                error: bound * (1.0 + SLACK),
                sweeps,
            });
        }
        z = image;
    }
    unreachable!("the sweeps are limited")
}

/// Whether an error tells enough at this distance.
pub fn is_sharp(distance: f64, error: f64) -> bool {
    error <= SHARP * distance
}

/// Scores to be compared with true ones.
pub struct Claimed {
    /// The scores, scaled and not negative.
    pub x: Vec<f64>,
    /// The divisor of the scores, and the reason for it.
    pub scale: f64,
    pub scale_is: Option<String>,
    /// The sum that was added to negative scores, scaled.
    pub clamped: f64,
}

impl Claimed {
    /// Divides scores by a scale.
    pub fn new((mut x, clamped): (Vec<f64>, f64), scale: f64, is: &str) -> Self {
        let is_scaled = scale != 1.0;
        if is_scaled {
            x.iter_mut().for_each(|x| *x /= scale);
        }
        Claimed {
            x,
            scale,
            scale_is: is_scaled.then(|| is.to_owned()),
            clamped: clamped / scale,
        }
    }

    /// The finding if true scores are within `error` of `truth`, in the l1 norm. A relative error is
    /// one divided by the sum of true scores.
    pub fn against(self, truth: &[f64], error: f64, kind: ErrorKind, way: String) -> Finding {
        let distance = distance(&self.x, truth);
        let off = |&i: &usize| (self.x[i] - truth[i]).abs();
        let worst = (0..truth.len()).max_by(|a, b| off(a).total_cmp(&off(b)).then(b.cmp(a)));
        // Division by the scale rounds once.
        let rounding = if self.scale == 1.0 { 0.0 } else { f64::EPSILON };
        let error = error + rounding * total(&self.x);
        let [least, most] = match kind {
            ErrorKind::RelativeL1 => [total(truth) - error, total(truth) + error],
            _ => [1.0, 1.0],
        };
        let above = (distance + error + self.clamped) / least * (1.0 + SLACK);
        Finding {
            way,
            scale: self.scale,
            scale_is: self.scale_is,
            error: ErrorBounds {
                kind,
                at_least: ((distance - error) / most * (1.0 - SLACK)).max(0.0),
                at_most: if above >= 0.0 { above } else { f64::INFINITY },
            },
            worst: worst.filter(|i| off(i) > 0.0).map(|i| Worst {
                node: i as Node,
                score: self.x[i],
                truth: truth[i],
                within: error,
            }),
            sample: None,
            eigenvalue_bounds: None,
            eigen: None,
            notes: Vec::new(),
        }
    }
}
