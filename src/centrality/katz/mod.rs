//! Katz's index: walks of all lengths that end at a node, each step counting alpha times less.
//!
//! With A the adjacency matrix, rho its spectral radius, alpha the attenuation, in (0, 1/rho), and
//! beta the worth of starting at each node, 1 by default,
//!
//! ```text
//! x = beta (I - alpha A)^-1 = beta + alpha x A.
//! ```
//!
//! Scores flow along arcs; [`right_katz`] counts walks that start at a node instead. Scores are not
//! scaled: a node that nothing leads to has its beta. For alpha to 1/rho the order becomes that of
//! [eigenvector centrality](super::eigenvector), for alpha to 0 that of indegree.
//!
//! The error is certified for every alpha below 1/rho (see `katz/system.rs`). Where beta > 0, the
//! solution itself serves as the w of the certificate; otherwise w is found in a few sweeps from
//! `w = 1 + alpha w A`. The tolerance is relative to the sum of all scores, since scores grow
//! without bound for alpha to 1/rho; the outcome has the error both ways.
//!
//! Source: Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.

use crate::error::{Error, Result};
use crate::graph::{Predecessors, Successors};
use crate::linear::Tolerance;
use crate::linear::matrix::Matrix;
use crate::linear::perron::RadiusBounds;
use crate::parallel::sums::total;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde_json::{Map, Value, json};
use sweeps::Sweeps;
use system::KatzSystem;

mod attenuation;
mod series;
mod sweeps;
mod system;

pub use attenuation::{AUTO, Attenuation};

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KatzMethod {
    /// Add up the series, one length of walks a sweep.
    #[default]
    Power,
    /// Use new values at once.
    GaussSeidel,
}

impl KatzMethod {
    /// The name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            KatzMethod::Power => "power",
            KatzMethod::GaussSeidel => "gauss-seidel",
        }
    }
}

/// The parameters of Katz's index.
#[derive(Debug, Clone)]
pub struct Katz {
    /// alpha.
    pub alpha: Attenuation,
    /// beta, one nonnegative number a node, not all 0; 1 for all by default.
    pub beta: Option<Vec<f64>>,
    /// The algorithm.
    pub method: KatzMethod,
    /// The certified l1 error, relative to the sum of all scores, at which to stop.
    pub tolerance: Tolerance,
    /// Give up after this many sweeps, those that find the spectral radius and a certificate
    /// included; the last ones check what was found. Where none are left for a certificate, the
    /// error bound is infinite.
    pub max_iterations: u32,
}

impl Default for Katz {
    fn default() -> Self {
        Katz {
            alpha: Attenuation::default(),
            beta: None,
            method: KatzMethod::default(),
            tolerance: Tolerance::default(),
            max_iterations: 10_000,
        }
    }
}

/// Scores, and what alpha came from.
#[derive(Debug, Clone)]
pub struct KatzScores {
    /// The scores; the error bound is on the l1 distance to the truth.
    pub scores: Scores,
    /// alpha.
    pub alpha: f64,
    /// On the spectral radius, as far as it was needed.
    pub radius: RadiusBounds,
}

/// Being pointed at: walks that end at each node.
///
/// O(n + m) a sweep; the result does not depend on the number of threads.
///
/// # Errors
/// If alpha is not below 1/rho; if beta is not one nonnegative finite number a node or is 0 for
/// all; if the user interrupts.
pub fn katz(
    graph: Predecessors<Matrix>,
    params: &Katz,
    progress: &dyn Progress,
) -> Result<KatzScores> {
    solve(graph.0, params, "in", progress)
}

/// Pointing: walks that start at each node.
///
/// # Errors
/// As for [`katz`].
pub fn right_katz(
    graph: Successors<Matrix>,
    params: &Katz,
    progress: &dyn Progress,
) -> Result<KatzScores> {
    solve(graph.0, params, "out", progress)
}

fn solve(
    matrix: &Matrix,
    params: &Katz,
    direction: &str,
    progress: &dyn Progress,
) -> Result<KatzScores> {
    let n = matrix.num_nodes();
    let beta = match &params.beta {
        Some(beta) => check_beta(beta, n)?.to_vec(),
        None => vec![1.0; n],
    };
    let limit = params.max_iterations;
    let (alpha, radius, mut sweeps) = attenuation::attenuation(matrix, params, progress)?;
    progress.begin("iterate", None);
    let system = KatzSystem {
        matrix,
        blocks: matrix.blocks(),
        alpha,
        beta: &beta,
    };
    // Where beta is positive, the solution itself will do.
    let mut dominating = None;
    if beta.contains(&0.0) {
        let left = limit.saturating_sub(sweeps);
        let (w, more) = system.dominating(&vec![1.0; n], left, progress)?;
        (dominating, sweeps) = (w, sweeps + more);
    }
    let mut state = Sweeps::new(&system, params.method);
    let tolerance = params.tolerance.get();
    let mut aim = tolerance * total(&beta) / n.max(1) as f64;
    let (mut last, mut strikes, mut refined) = (f64::INFINITY, 0, false);
    let (x, bound) = loop {
        let change = state.sweep(&system);
        sweeps += 1;
        progress.remark(&format!("sweep {sweeps}, change {change:.1e}"));
        progress.check()?;
        let exhausted = sweeps >= limit;
        if change > aim && !exhausted {
            continue;
        }
        let x = system.apply(&state.vector(n));
        let relative = system.bound(&x, dominating.as_deref()) / total(&x).max(f64::MIN_POSITIVE);
        sweeps += 2;
        strikes += u32::from(relative > 0.9 * last);
        if relative <= tolerance || exhausted || strikes > 8 {
            break (x, relative);
        }
        // Rounding in large entries may be too much for a w that treats all residuals alike.
        if strikes == 2 && !refined {
            let least = f64::EPSILON * total(&x);
            let base: Vec<f64> = x.iter().map(|x| x.max(least)).collect();
            let left = limit.saturating_sub(sweeps);
            let (w, more) = system.dominating(&base, left, progress)?;
            (dominating, sweeps, refined) = (w.or(dominating), sweeps + more, true);
        }
        last = relative;
        aim = change.min(aim) * (0.9 * tolerance / relative).clamp(1e-3, 0.5);
    };
    let sum = total(&x);
    Ok(KatzScores {
        alpha,
        radius,
        scores: Scores {
            values: Array1::from_vec(x),
            run: Run {
                measure: "katz",
                method: params.method.name(),
                parameters: parameters(matrix, params, alpha, direction),
                outcome: Outcome::Relative {
                    status: match bound <= tolerance {
                        true => Status::Converged,
                        false => Status::NotConverged,
                    },
                    iterations: sweeps,
                    error_bound: bound * sum,
                    relative_error_bound: bound,
                },
            },
        },
    })
}

fn check_beta(beta: &[f64], n: usize) -> Result<&[f64]> {
    if beta.len() != n {
        return Err(Error::argument(
            "beta",
            format!("a vector of length {}", beta.len()),
            format!("the graph has {n} nodes"),
        ));
    }
    if let Some(node) = beta.iter().position(|b| !b.is_finite() || *b < 0.0) {
        return Err(Error::argument(
            "beta",
            format!("{} at node {node}", beta[node]),
            "it must be finite and not negative",
        ));
    }
    if n > 0 && beta.iter().all(|&b| b == 0.0) {
        return Err(Error::argument(
            "beta",
            0,
            "at least one node must have a positive beta",
        ));
    }
    Ok(beta)
}

fn parameters(matrix: &Matrix, params: &Katz, alpha: f64, direction: &str) -> Map<String, Value> {
    let Value::Object(map) = json!({
        "alpha": alpha,
        "beta": if params.beta.is_some() { "vector" } else { "1" },
        "weights": matrix.weights().map(|_| "vector"),
        "direction": direction,
        "tolerance": params.tolerance.get(),
        "max_iterations": params.max_iterations,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}
