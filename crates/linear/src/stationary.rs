//! Stationary distributions of irreducible random walks, with certified errors.
//!
//! A walk goes from j to i with probability `P_ji = w_ji / d_j`, where d_j is the sum of the
//! weights that leave j. Let s be a state, Q the matrix P without the row and column of s, and
//!
//! ```text
//! t = (I - Q)^-1 1,
//! ```
//!
//! the expected times to reach s. If x sums to one and has the residual `r = x P - x`, and pi is
//! the stationary distribution, then x / x_s - pi / pi_s is zero at s and `(-r / x_s) (I - Q)^-1`
//! elsewhere, so its l1 norm is at most `sum |r_i| t_i / x_s`; scaling both to sum one at most
//! doubles that:
//!
//! ```text
//! ||x - pi|| <= 2 sum over i != s of |r_i| t_i.
//! ```
//!
//! No exact t is needed. For any v with `v - Q v >= delta > 0`, `t <= v / delta`, since no entry of
//! (I - Q)^-1 is negative. Both x and v are solutions of systems with I - Q ([`bicgstab`]), so a
//! certificate costs about as much as the distribution.

use super::bicgstab::{self, Goal};
use super::perron::to_distribution;
use super::prepared::PreparedMatrix;
use webrank_base::error::Result;
use webrank_base::parallel::sums;
use webrank_base::parallel::sums::sum_of_tasks;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Steps of the lazy walk that choose the state s.
const FIRST_STEPS: usize = 10;

/// Replaces entries that errors have made negative.
const LEAST: f64 = 1e-300;

/// How far `v - Q v` may be from one.
const SLACK_OF_TIMES: f64 = 0.5;

/// An irreducible walk.
pub struct Walk {
    /// Row i has the j with arcs to i.
    rows: PreparedMatrix,
    /// The sum of the weights that leave each state.
    totals: Vec<f64>,
    /// Their relative error.
    rounding: f64,
    shares: Vec<f64>,
}

impl Walk {
    /// The walk along the arcs of a matrix with rows of predecessors. `totals` are the sums of
    /// weights that leave each state, to a relative error of `rounding`. (Some arcs may lead out of
    /// the matrix.)
    pub fn new(rows: PreparedMatrix, totals: Vec<f64>, rounding: f64) -> Self {
        Walk {
            rounding,
            shares: vec![0.0; totals.len()],
            rows,
            totals,
        }
    }

    /// y = x P, fast.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn push(&mut self, x: &[f64], y: &mut [f64]) -> Result<()> {
        tasks::update_parts(&mut self.shares, |range, shares| {
            let entries = x[range.clone()].iter().zip(&self.totals[range]);
            for (share, (x, total)) in shares.iter_mut().zip(entries) {
                *share = x / total;
            }
        });
        self.rows.apply(&self.shares, y)
    }

    /// x P term by term, with the relative error of [`PreparedMatrix::roundings`] and `rounding`.
    ///
    /// # Errors
    /// As for [`Self::push`].
    pub fn pushed(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        let mut image = vec![0.0; x.len()];
        let shares = self.shares(x);
        self.rows.multiply(&shares, &mut image)?;
        Ok(image)
    }

    /// The shares of x: what each state gives along an arc of weight 1.
    fn shares(&self, x: &[f64]) -> Vec<f64> {
        tasks::tabulate(x.len(), |i| x[i] / self.totals[i])
    }

    /// The entries of `start + x P - x`, nearly exactly, and bounds on their errors: see
    /// [`PreparedMatrix::imbalances`].
    ///
    /// # Errors
    /// As for [`Self::push`].
    pub fn imbalances(&self, start: f64, x: &[f64]) -> Result<Vec<(f64, f64)>> {
        let shares = self.shares(x);
        let mut imbalances = self.rows.imbalances(start, &shares, &self.totals)?;
        tasks::update(&mut imbalances, |i, (_, error)| {
            *error += 2.0 * self.rounding * self.totals[i] * shares[i];
        });
        Ok(imbalances)
    }

    /// The number of states.
    pub fn num_states(&self) -> usize {
        self.totals.len()
    }

    /// The relative error of the sums of weights that leave states.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }
}

/// A stationary distribution.
pub struct Stationary {
    /// Nonnegative, with sum one; equal bits for states with equal rows.
    pub vector: Vec<f64>,
    /// `||x P - x||`, in the l1 norm.
    pub residual: f64,
    /// Certified bound on the l1 error; `None` if no hitting times were found.
    pub bound: Option<f64>,
    /// Multiplications.
    pub sweeps: u32,
}

/// The stationary distribution of a walk of at least two states, whose rows of successors are
/// `columns`, to a certified l1 error of
/// `tolerance` if rounding and `max_sweeps` allow.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn stationary(
    mut walk: Walk,
    columns: PreparedMatrix,
    tolerance: f64,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<Stationary> {
    let n = walk.totals.len();
    // This is the solution if weights are symmetric.
    let mut x = walk.totals.clone();
    to_distribution(&mut x);
    let mut image = vec![0.0; n];
    for _ in 0..FIRST_STEPS {
        walk.push(&x, &mut image)?;
        tasks::update_with(&mut x, &image, |x, y| *x = (*x + y.max(0.0)) / 2.0);
        to_distribution(&mut x);
    }
    let state = (0..n).rev().max_by(|&a, &b| x[a].total_cmp(&x[b]));
    let state = state.expect("there are states");
    let mut sweeps = FIRST_STEPS as u32;
    let limit = (max_sweeps / 2).max(1);
    let (times, more) = hitting_times(&walk, columns, state, limit, progress)?;
    sweeps += more;
    let weight = |i: usize| times.as_ref().map_or(1.0, |times| times[i]);
    let total = |term: &(dyn Fn(usize) -> f64 + Sync)| {
        sum_of_tasks(n, |states| sums::chained(states.map(term)))
    };
    // From here on, x is in units of its entry at s, which hardly changes any more.
    let unit = x[state];
    tasks::update(&mut x, |_, x| *x /= unit);
    let mut alone = vec![0.0; n];
    alone[state] = 1.0;
    let mut right = walk.pushed(&alone)?;
    (right[state], x[state]) = (0.0, 0.0);
    // One more push follows. It moves what is missing to s, where it weighs `back`.
    let back = total(&|i| right[i] * weight(i));
    let size = |residual: &[f64]| total(&|i| residual[i].abs() * (weight(i) + back));
    let goal = Goal {
        size: &size,
        within: 0.2 * tolerance / unit,
        max_sweeps: max_sweeps.saturating_sub(sweeps).max(1),
    };
    let without = |y: &mut [f64]| y[state] = 0.0;
    sweeps += bicgstab::solve(
        |x, y| {
            walk.push(x, y)?;
            without(y);
            Ok(())
        },
        &right,
        &mut x,
        &goal,
        progress,
    )?;
    // No entry of the solution is zero: the walk is irreducible.
    tasks::update(&mut x, |_, x| *x = x.max(LEAST));
    x[state] = 1.0;
    let mut x = walk.pushed(&x)?;
    to_distribution(&mut x);
    let mut imbalances = walk.imbalances(0.0, &x)?;
    tasks::update(&mut imbalances, |_, (value, _)| *value = value.abs());
    let error = |i: usize| {
        let residual = if i == state {
            0.0
        } else {
            imbalances[i].0 + imbalances[i].1
        };
        residual * weight(i)
    };
    // Up to one rounding, x is its shares times the weights that leave each state. Up to a few, it
    // sums to one.
    let bound = 2.0 * total(&error) * (1.0 + 1e-12) + 4.0 * f64::EPSILON;
    Ok(Stationary {
        residual: total(&|i| imbalances[i].0),
        bound: times.is_some().then_some(bound),
        sweeps: sweeps + 2,
        vector: x,
    })
}

/// Upper bounds on the expected times to reach a state from all others; `None` if
/// `max_sweeps` do not suffice.
fn hitting_times(
    walk: &Walk,
    mut columns: PreparedMatrix,
    state: usize,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<(Option<Vec<f64>>, u32)> {
    let n = walk.totals.len();
    let divided = |y: &mut [f64]| {
        tasks::update_with(y, &walk.totals, |y, total| *y /= total);
        y[state] = 0.0;
    };
    let roundings = columns.roundings()?;
    let mut one = vec![1.0; n];
    one[state] = 0.0;
    let mut times = one.clone();
    let (mut within, mut sweeps) = (SLACK_OF_TIMES, 0);
    while sweeps < max_sweeps {
        let largest = |residual: &[f64]| {
            let parts = tasks::map(tasks::ranges(residual.len()), |states| {
                let sizes = residual[states].iter().map(|r| r.abs());
                sizes.fold(0.0, f64::max)
            });
            parts.into_iter().fold(0.0, f64::max)
        };
        let goal = Goal {
            size: &largest,
            within,
            max_sweeps: max_sweeps - sweeps,
        };
        let multiply = |x: &[f64], y: &mut [f64]| {
            columns.apply(x, y)?;
            divided(y);
            Ok(())
        };
        sweeps += bicgstab::solve(multiply, &one, &mut times, &goal, progress)?;
        let mut image = vec![0.0; n];
        columns.multiply(&times, &mut image)?;
        divided(&mut image);
        sweeps += 1;
        let slack = |i: usize| {
            let size = times[i].abs() + image[i].abs();
            let rounding = roundings[i] + walk.rounding;
            times[i] - image[i] - rounding * size
        };
        let least = tasks::map(tasks::ranges(n), |states| {
            let slacks = states.filter(|&i| i != state).map(slack);
            slacks.fold(f64::INFINITY, f64::min)
        });
        let least = least.into_iter().fold(f64::INFINITY, f64::min);
        if least > 0.1 {
            tasks::update(&mut times, |_, time| *time /= least);
            return Ok((Some(times), sweeps));
        }
        if within < 1e-3 {
            break;
        }
        within *= 0.1;
    }
    Ok((None, sweeps))
}
