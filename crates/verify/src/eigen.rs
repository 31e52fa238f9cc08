//! Eigenvectors: the residual of one multiplication, and bounds on the spectral radius.
//!
//! Scores may have any scale. With `y = M x`, the residual is `||y - rho x|| / (rho ||x||)`, in the l2
//! norm; of what is known of the spectral radius rho, the value next to `x y / x x` is taken.
//!
//! For any v >= 0 that is not zero, rho is at least the smallest `(M v)_i / v_i` over v_i > 0, and for
//! any v > 0 at most the largest (Collatz and Wielandt). Here v is x plus or minus a small multiple of
//! w > 0, which some steps of the power method from equal entries give, or the large entries of w.
//! (Entries of x that are nearly 0 make ratios of x alone meaningless.)

use super::sweeps::{Claimed, ENTRY, SCALE_TOLERANCE, swept};
use super::{EigenFinding, ErrorBounds, ErrorKind, Finding, Question, Worst};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::{compensated, total};
use webrank_base::parallel::tasks;
use webrank_graph::Direction;

/// The reason for scaling scores.
const SHARES: &str = "their sum, since any multiple of an eigenvector is one";

/// Steps of the power method.
const STEPS: usize = 60;

/// Multiples of w; x and w sum to one.
const MULTIPLES: [f64; 5] = [0.0, 1e-12, 1e-9, 1e-6, 1e-3];

/// Entries below this may have lost digits.
const TINY: f64 = 1e-250;

/// Eigenvector centrality.
pub fn eigenvector(question: &Question) -> Result<Finding> {
    in_direction(question, Direction::In)
}

/// The Kendall-Wei ranking.
pub fn kendall_wei(question: &Question) -> Result<Finding> {
    in_direction(question, Direction::Out)
}

fn in_direction(question: &Question, default: Direction) -> Result<Finding> {
    let matrix = question.matrix(question.direction(default))?;
    let ones = vec![1.0; matrix.num_nodes()];
    check(question, |x| swept(&matrix, &ones, x))
}

/// Authorities of HITS.
pub fn authority(question: &Question) -> Result<Finding> {
    back_and_forth(question, Direction::Out)
}

/// Hubs of HITS.
pub fn hub(question: &Question) -> Result<Finding> {
    back_and_forth(question, Direction::In)
}

fn back_and_forth(question: &Question, there: Direction) -> Result<Finding> {
    let there = question.matrix(there)?;
    let back = there.transposed()?;
    let ones = vec![1.0; there.num_nodes()];
    check(question, |x| swept(&back, &ones, &swept(&there, &ones, x)))
}

fn check(question: &Question, apply: impl Fn(&[f64]) -> Vec<f64>) -> Result<Finding> {
    let given = question.nonnegative()?;
    let sum = total(&given.0);
    let Claimed { x, clamped, .. } = Claimed::new(given, sum, "");
    question.progress.check()?;
    let image = apply(&x);
    let squares = dot(&x, &x);
    let lambda = dot(&x, &image) / squares;
    let Some(bounds) = radius(&apply, &x, &image, lambda, question)? else {
        return Err(Error::Undefined {
            measure: "an eigenvector",
            reason: "there are no arcs".into(),
        });
    };
    // The eigenvalue that x should have.
    let rho = match lambda.max(bounds[0]).min(bounds[1]) {
        rho if rho > 0.0 => rho,
        _ => 1.0,
    };
    let off = |i: usize| (image[i] / rho - x[i]).abs();
    let residual_for = |rho: f64| {
        let off = |i: usize| image[i] / rho - x[i];
        let squared: Vec<f64> = (0..x.len()).map(|i| off(i) * off(i)).collect();
        (total(&squared) / squares).sqrt()
    };
    let residual = residual_for(rho);
    let rounding = 2.0 * ENTRY * (1.0 + residual) + clamped / squares.sqrt();
    let worst = (0..x.len()).max_by(|&a, &b| off(a).total_cmp(&off(b)).then(b.cmp(&a)));
    let mut notes = vec!["a residual does not bound the error of a single score".to_owned()];
    if !(bounds[0] * (1.0 - 1e-9)..=bounds[1] * (1.0 + 1e-9)).contains(&lambda) {
        notes.push(format!(
            "scores grow by a factor of {lambda} in a step, not by the spectral radius: they belong to \
             another eigenvalue, if to any"
        ));
    }
    let zeros: Vec<f64> = x.iter().map(|&x| f64::from(x == 0.0)).collect();
    let image_of_zeros = apply(&zeros);
    let length = |x: &[f64]| dot(x, x).sqrt();
    let image_of_ones = apply(&vec![1.0; x.len()]);
    let above = residual + rounding;
    Ok(Finding {
        way: "one multiplication by the matrix, and bounds on its spectral radius".into(),
        scale: sum,
        scale_is: ((sum - 1.0).abs() > SCALE_TOLERANCE).then(|| SHARES.into()),
        error: ErrorBounds {
            kind: ErrorKind::Residual,
            at_least: (residual - rounding).max(0.0),
            at_most: if above.is_nan() { f64::INFINITY } else { above },
        },
        worst: worst.filter(|&i| off(i) > 0.0).map(|i| Worst {
            node: i as Node,
            score: x[i],
            truth: image[i] / rho,
            within: 2.0 * ENTRY * x[i],
        }),
        sample: None,
        eigenvalue_bounds: Some(bounds),
        eigen: Some(EigenFinding {
            // Scores on nodes without successors alone grow by nothing, which is no eigenvalue.
            residual: (residual_for(lambda).min(residual) - rounding).max(0.0),
            of_zeros: length(&image_of_zeros) / rho + length(&zeros),
            growth: tasks::largest(x.len(), |i| image_of_ones[i]) / rho,
        }),
        notes,
    })
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    compensated(x.iter().zip(y).map(|(x, y)| x * y))
}

/// Bounds on the spectral radius; none if it is 0.
fn radius(
    apply: &impl Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    image: &[f64],
    lambda: f64,
    question: &Question,
) -> Result<Option<[f64; 2]>> {
    let n = x.len();
    let mut w = vec![1.0 / n as f64; n];
    let mut image_of_w = apply(&w);
    // Half of a step stays, so that w stays positive and does not alternate.
    let step = if lambda > 0.0 { lambda } else { 1.0 };
    for _ in 0..STEPS {
        question.progress.check()?;
        let next = tasks::tabulate(n, |i| w[i] + image_of_w[i] / step);
        let sum = total(&next);
        w = next.iter().map(|w| w / sum).collect();
        image_of_w = apply(&w);
    }
    let largest = tasks::largest(n, |i| w[i]);
    let (mut lower, mut upper) = (0.0f64, f64::INFINITY);
    for multiple in MULTIPLES {
        let above = |v: f64, least: f64| if v > least.max(TINY) { v } else { 0.0 };
        let of_x = tasks::tabulate(n, |i| above(x[i] - multiple * w[i], 0.0));
        let of_w = tasks::tabulate(n, |i| above(w[i], multiple * largest));
        for v in [of_x, of_w] {
            let image = apply(&v);
            let ratios = (0..n).filter(|&i| v[i] > 0.0).map(|i| image[i] / v[i]);
            let least = ratios.fold(f64::INFINITY, f64::min);
            lower = lower.max(if least.is_finite() { least } else { 0.0 });
        }
        let ratio = |i: usize| match x[i] + multiple * w[i] {
            v if v > TINY => (image[i] + multiple * image_of_w[i]) / v,
            _ => f64::INFINITY,
        };
        upper = upper.min(tasks::largest(n, ratio));
    }
    let alone = |i: usize| {
        if w[i] > TINY {
            image_of_w[i] / w[i]
        } else {
            f64::INFINITY
        }
    };
    upper = upper.min(tasks::largest(n, alone));
    if upper == 0.0 {
        return Ok(None);
    }
    Ok(Some([
        lower * (1.0 - 3.0 * ENTRY),
        upper * (1.0 + 3.0 * ENTRY),
    ]))
}
