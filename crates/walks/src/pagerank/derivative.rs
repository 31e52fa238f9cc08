//! The derivative of PageRank with respect to alpha: which nodes gain, and which lose, when walks
//! restart less often.
//!
//! With `P = G + d u`, PageRank is `x = alpha x P + (1 - alpha) v`, so its derivative x' satisfies
//!
//! ```text
//! x' = alpha x' P + b,        b = x P - v.
//! ```
//!
//! If u is a distribution, the entries of b add up to 0, and so do those of x'. The positive and
//! the negative entries of b, each scaled to sum to one, are preference vectors b+ and b-, and x'
//! is the difference of two PageRanks (with the same u):
//!
//! ```text
//! x' = (s+ pagerank(b+) - s- pagerank(b-)) / (1 - alpha),        b = s+ b+ - s- b-.
//! ```
//!
//! So the certificates of the two PageRanks yield one for x'. Let e bound the l1 error of the
//! computed x, e+ and e- those of the two PageRanks, and r the rounding of b. P does not expand the
//! l1 norm, so the error of b is at most e + r, and that of x' at most
//!
//! ```text
//! (e + r + s+ e+ + s- e-) / (1 - alpha).
//! ```
//!
//! (`b = (x - v) / alpha` is the same, but divides errors by alpha.) The norm of x' is at most
//! 2 / (1 - alpha).
//!
//! Source: Boldi, Santini and Vigna, "PageRank as a function of the damping factor", WWW 2005, and
//! "PageRank: functional dependencies", TOIS 2009.

use super::certificate::ENTRY_ROUNDOFFS;
use super::columns::pagerank_column;
use super::walk::RandomWalk;
use super::{PageRank, parameters};
use ndarray::Array1;
use webrank_base::error::Result;
use webrank_base::parallel::{sums, tasks};
use webrank_base::progress::Progress;
use webrank_linear::{StopRule, Tolerance};
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_scores::{Outcome, Run, Scores, Status};

/// PageRank and its derivative with respect to alpha.
pub struct WithDerivative {
    /// x.
    pub scores: Scores,
    /// x'.
    pub derivative: Scores,
}

/// Computes PageRank and its derivative, each to the certified l1 error that `stop` requires;
/// [`StopRule::certify_top`] is ignored.
///
/// The work is that of three PageRanks, the first of them to a smaller error: of the order of
/// `(1 - alpha)` times the tolerance. Nodes with equal rows, and equal entries in u and v, get
/// entries with equal bits. The result does not depend on the number of threads.
///
/// # Errors
/// As for [`super::pagerank`].
pub fn pagerank_with_derivative(
    walk: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<WithDerivative> {
    let restart = 1.0 - params.damping.get();
    // Half of the tolerance is for the error of b, half for those of the two PageRanks.
    let share = 0.49 * stop.tolerance.get() * restart;
    let solve = |params: &PageRank, tolerance: f64, place| {
        pagerank_column(
            walk,
            params,
            None,
            &within(tolerance, stop),
            progress,
            place,
        )
    };
    let mut scores = solve(params, share, 0)?;
    let mut solved = 1;
    let (mut iterations, error) = sweeps_and_bound(&scores);
    let method = scores.run.method;
    scores.run = run_of("pagerank", method, params, stop, iterations, error);
    let x = scores.values.as_slice().expect("one column is contiguous");
    let (b, rounding) = right_hand_side(walk, params, x)?;
    let norm = sums::sum_of_tasks(b.len(), |nodes| {
        sums::chained(b[nodes].iter().map(|b| b.abs()))
    });
    let mut derivative = vec![0.0; b.len()];
    let mut errors = error + rounding;
    for sign in [1.0, -1.0] {
        let part = |&b: &f64| (sign * b).max(0.0);
        let scale = sums::sum_of_tasks(b.len(), |nodes| sums::chained(b[nodes].iter().map(part)));
        if scale == 0.0 {
            continue;
        }
        let side = PageRank {
            preference: Distribution::from_weights(tasks::tabulate(b.len(), |node| {
                part(&b[node])
            }))?,
            dangling: fixed(params),
            start: None,
            ..params.clone()
        };
        let found = solve(&side, share / norm, solved)?;
        solved += 1;
        let (sweeps, error) = sweeps_and_bound(&found);
        iterations += sweeps;
        errors += scale * (error + OPERATIONS * f64::EPSILON);
        let factor = sign * scale / restart;
        let scores = found.values.as_slice().expect("as above");
        tasks::update_with(&mut derivative, scores, |derivative, score| {
            *derivative += factor * score;
        });
    }
    Ok(WithDerivative {
        scores,
        derivative: Scores {
            intervals: None,
            values: Array1::from_vec(derivative),
            run: run_of(
                "pagerank derivative",
                method,
                params,
                stop,
                iterations,
                errors / restart,
            ),
        },
    })
}

/// An upper bound on the roundings of a scale, of its preference vector, and of the terms of the
/// difference.
const OPERATIONS: f64 = 100.0;

/// b, and a bound on the l1 norm of its rounding errors.
fn right_hand_side(walk: &RandomWalk, params: &PageRank, x: &[f64]) -> Result<(Vec<f64>, f64)> {
    let map = params.map(walk);
    let share =
        |place: usize| x[walk.live()[place] as usize] / walk.live_outdegrees()[place] as f64;
    let shares = tasks::tabulate(walk.live().len(), share);
    let inflows = map.inflows(&shares)?;
    let dangling_mass = sums::sum_of_tasks(x.len(), |nodes| {
        sums::chained(walk.dangling_within(nodes).map(|node| x[node]))
    });
    let base = map.equation.combined(-1.0, dangling_mass);
    let b = |node: usize| inflows[walk.rows().row_of(node)] + base.at(node);
    let b = tasks::tabulate(x.len(), b);
    // x P and v have norms of about one, and their entries are rounded like those of F.
    Ok((b, 2.1 * ENTRY_ROUNDOFFS * (f64::EPSILON / 2.0)))
}

/// The treatment of dangling nodes, made independent of the preference vector.
fn fixed(params: &PageRank) -> Dangling {
    match (&params.dangling, &params.preference) {
        (Dangling::Preference, Distribution::Uniform) => Dangling::Uniform,
        (Dangling::Preference, v) => Dangling::Vector(v.clone()),
        (other, _) => other.clone(),
    }
}

/// The rule with this tolerance and without positions to prove.
fn within(tolerance: f64, stop: &StopRule) -> StopRule {
    let tolerance = Tolerance::new(tolerance.clamp(f64::MIN_POSITIVE, f64::MAX));
    StopRule {
        tolerance: tolerance.unwrap_or_default(),
        certify_top: None,
        ..*stop
    }
}

/// The sweeps and the error bound of a run.
fn sweeps_and_bound(scores: &Scores) -> (u32, f64) {
    match scores.run.outcome {
        Outcome::Iterated {
            iterations,
            error_bound,
            ..
        } => (iterations, error_bound),
        _ => unreachable!("PageRank iterates"),
    }
}

fn run_of(
    measure: &'static str,
    method: &'static str,
    params: &PageRank,
    stop: &StopRule,
    iterations: u32,
    error_bound: f64,
) -> Run {
    Run {
        measure,
        method,
        parameters: parameters(params, stop),
        outcome: Outcome::Iterated {
            status: if error_bound <= stop.tolerance.get() {
                Status::Converged
            } else {
                Status::NotConverged
            },
            iterations,
            error_bound,
        },
    }
}
