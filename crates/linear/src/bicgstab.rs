//! The stabilised biconjugate gradient method, for `(I - Q) x = b` with Q a substochastic matrix.
//!
//! Each step takes two multiplications; the method keeps eight vectors. Where a walk takes long to
//! leave, it is often much faster than summing the series, but there is no general guarantee.
//!
//! Its residuals are updated by recurrence and drift from the true ones. So the true residual is
//! computed whenever the goal seems reached, and the method restarts from there. It can break down,
//! as it does where walks go round in a circle; then a few plain sweeps `x <- b + Q x` give it
//! another start.
//!
//! StoredGraph: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the
//! solution of nonsymmetric linear systems", SIAM Journal on Scientific and Statistical Computing
//! 13, 1992.

use super::arnoldi::dot;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::sum_of_tasks;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// The method restarts after this many steps without a better residual.
const PATIENCE: u32 = 200;

/// A residual below this fraction of x is rounding error.
const ROUNDING: f64 = 1e-13;

/// Plain sweeps between two starts; their number doubles each time.
const PLAIN_SWEEPS: u32 = 32;

/// `multiply(x, y)` is y = Q x.
pub trait Multiply: FnMut(&[f64], &mut [f64]) -> Result<()> {}

impl<F: FnMut(&[f64], &mut [f64]) -> Result<()>> Multiply for F {}

/// When to stop.
pub struct Goal<'a> {
    /// The size of a residual.
    pub size: &'a (dyn Fn(&[f64]) -> f64 + Sync),
    /// Stop at a residual of this size.
    pub within: f64,
    /// Stop after this many multiplications.
    pub max_sweeps: u32,
}

/// Brings x nearer to the solution of `x - Q x = b`, where `multiply(x, y)` is y = Q x, until the
/// residual is small enough, or rounding or the limit stops it. Returns the multiplications. The
/// bits of the result do not depend on the number of threads.
///
/// # Errors
/// As for `multiply`; if the user interrupts.
pub fn solve(
    mut multiply: impl Multiply,
    b: &[f64],
    x: &mut Vec<f64>,
    goal: &Goal,
    progress: &dyn Progress,
) -> Result<u32> {
    let n = b.len();
    let mut image = vec![0.0; n];
    let mut residual_of = |x: &[f64], multiply: &mut dyn Multiply| {
        multiply(x, &mut image)?;
        let mut residual = b.to_vec();
        tasks::update_parts(&mut residual, |range, residual| {
            let pairs = x[range.clone()].iter().zip(&image[range]);
            for (residual, (x, y)) in residual.iter_mut().zip(pairs) {
                *residual = *residual - x + y;
            }
        });
        Ok::<_, Error>(residual)
    };
    let mut residual = residual_of(x, &mut multiply)?;
    let mut size = (goal.size)(&residual);
    let (mut sweeps, mut plain_sweeps) = (1, PLAIN_SWEEPS);
    while size > goal.within && sweeps < goal.max_sweeps {
        let mut run = BicgstabState::new(x.clone(), residual.clone());
        let (mut best, mut idle) = (size, 0);
        while sweeps < goal.max_sweeps && idle < PATIENCE {
            progress.check()?;
            if !run.step(&mut multiply)? {
                break;
            }
            sweeps += 2;
            let size = (goal.size)(&run.residual);
            progress.sweep(u64::from(sweeps), "residual", size);
            if size <= goal.within {
                break;
            }
            idle = if size < best { 0 } else { idle + 1 };
            best = best.min(size);
        }
        let found = residual_of(&run.x, &mut multiply)?;
        sweeps += 1;
        let found_size = (goal.size)(&found);
        let halved = found_size < 0.5 * size;
        if found_size < size {
            (*x, residual, size) = (run.x, found, found_size);
        }
        if halved || size <= goal.within {
            continue;
        }
        if size <= ROUNDING * (goal.size)(x) {
            break;
        }
        for _ in 0..plain_sweeps.min(goal.max_sweeps.saturating_sub(sweeps)) {
            progress.check()?;
            zip(x, &residual, |x, r| *x += r);
            residual = residual_of(x, &mut multiply)?;
            sweeps += 1;
        }
        size = (goal.size)(&residual);
        plain_sweeps *= 2;
    }
    Ok(sweeps)
}

/// A run of the method.
struct BicgstabState {
    x: Vec<f64>,
    residual: Vec<f64>,
    shadow: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
    image_of_rest: Vec<f64>,
    rho: f64,
}

impl BicgstabState {
    fn new(x: Vec<f64>, residual: Vec<f64>) -> Self {
        let n = x.len();
        BicgstabState {
            x,
            rho: product(&residual, &residual),
            shadow: residual.clone(),
            direction: residual.clone(),
            residual,
            image: vec![0.0; n],
            image_of_rest: vec![0.0; n],
        }
    }

    /// One step; false if it cannot be taken.
    fn step(&mut self, multiply: &mut impl Multiply) -> Result<bool> {
        let BicgstabState {
            x,
            residual,
            shadow,
            direction,
            image,
            image_of_rest,
            rho,
        } = self;
        // (I - Q) times the direction.
        multiply(direction, image)?;
        zip(image, direction, |y, p| *y = p - *y);
        let alpha = *rho / product(shadow, image);
        if !alpha.is_finite() {
            return Ok(false);
        }
        zip(residual, image, |r, y| *r -= alpha * y);
        multiply(residual, image_of_rest)?;
        zip(image_of_rest, residual, |y, s| *y = s - *y);
        let square = product(image_of_rest, image_of_rest);
        let omega = if square > 0.0 {
            product(image_of_rest, residual) / square
        } else {
            0.0
        };
        zip(x, direction, |x, p| *x += alpha * p);
        zip(x, residual, |x, s| *x += omega * s);
        zip(residual, image_of_rest, |s, y| *s -= omega * y);
        let next = product(shadow, residual);
        let beta = next / *rho * (alpha / omega);
        *rho = next;
        zip(direction, image, |p, y| *p = beta * (*p - omega * y));
        zip(direction, residual, |p, r| *p += r);
        Ok(beta.is_finite() && beta != 0.0)
    }
}

/// Changes each entry of a by the entry of b at the same place.
fn zip(a: &mut [f64], b: &[f64], change: impl Fn(&mut f64, f64) + Sync) {
    tasks::update_with(a, b, |a, &b| change(a, b));
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    sum_of_tasks(a.len(), |range| dot(&a[range.clone()], &b[range]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;

    #[test]
    fn circles_break_it_down_and_are_solved_all_the_same() {
        for n in [2, 6, 500] {
            // Q x: the next entry; 0 after the last.
            let next = |x: &[f64], y: &mut [f64]| {
                y[..n - 1].copy_from_slice(&x[1..]);
                y[n - 1] = 0.0;
                Ok(())
            };
            let goal = Goal {
                size: &|residual| residual.iter().map(|r| r.abs()).sum(),
                within: 1e-9,
                max_sweeps: 5000,
            };
            let mut x = vec![1.0; n];
            solve(next, &vec![1.0; n], &mut x, &goal, &Silent).unwrap();
            for (i, x) in x.iter().enumerate() {
                assert!((x - (n - i) as f64).abs() < 1e-8, "{n}: {x} at {i}");
            }
        }
    }
}
