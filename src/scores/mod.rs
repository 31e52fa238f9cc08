//! One score per node, and how it came to be.

pub mod guarantee;
pub mod keys;
pub mod manifest;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod phases;
pub mod proved_order;
pub mod ranked;
pub mod ranking;
pub mod read;
pub mod table;

use ndarray::Array1;
use serde::Serialize;
use serde_json::{Map, Value};

/// The scores of all nodes, and how they were computed.
#[derive(Debug, Clone)]
pub struct Scores {
    /// `values[x]` is the score of node `x`; larger is more important.
    pub values: Array1<f64>,
    /// What was computed, how, and how sure it is.
    pub run: Run,
}

impl Scores {
    /// The scores as a slice.
    pub fn as_slice(&self) -> &[f64] {
        self.values.as_slice().expect("one column is contiguous")
    }
}

/// How scores were computed: what a manifest says of a column.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The measure, as the command line names it: `pagerank`, `harmonic`.
    pub measure: &'static str,
    /// The algorithm that computed it: `power`, `gauss-seidel`, `exact`, `hyperball`.
    pub method: &'static str,
    /// Every parameter that the scores depend on, by its option's name.
    pub parameters: Map<String, Value>,
    /// How sure the scores are.
    pub outcome: Outcome,
}

/// How sure scores are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// Exact up to the rounding of one final floating-point operation per score.
    Exact,
    /// From sampled sources: with probability at least 1 - `delta`, every normalised score is
    /// within `epsilon` of the truth.
    Sampled {
        /// Number of sampled sources.
        sources: u64,
        /// Largest error of a normalised score.
        epsilon: f64,
        /// Probability that some score is further off.
        delta: f64,
    },
    /// From sampled shortest paths: with probability at least 1 - `delta`, the interval of every
    /// score holds the truth, and every normalised score is within `epsilon` of it.
    SampledPaths {
        /// Whether the precision, or an order that was asked for, was reached.
        status: Status,
        /// Number of sampled paths, pairs without a path included.
        paths: u64,
        /// Largest error of a normalised score.
        epsilon: f64,
        /// Probability that some score is further off.
        delta: f64,
    },
    /// From probabilistic counters: each count has this relative standard error.
    Estimated {
        /// Relative standard error of one counter.
        relative_standard_error: f64,
    },
    /// From an iterative method.
    Iterated {
        /// Whether the bound reached the tolerance.
        status: Status,
        /// Number of sweeps over the arcs.
        iterations: u32,
        /// Certified bound on the l1 distance between the scores and the true vector.
        error_bound: f64,
    },
    /// From an iterative method whose tolerance is relative to the sum of the scores.
    Relative {
        /// Whether the relative bound reached the tolerance.
        status: Status,
        /// Number of sweeps over the arcs.
        iterations: u32,
        /// Certified bound on the l1 distance between the scores and the true vector.
        error_bound: f64,
        /// The same over the sum of the scores: what the tolerance is on.
        relative_error_bound: f64,
    },
    /// A stationary distribution x of a walk P, from an iterative method.
    Stationary {
        /// Whether the bound reached the tolerance.
        status: Status,
        /// Multiplications, each counting as much as the part of the arcs that it took.
        iterations: u32,
        /// `||x P - x||`, in the l1 norm.
        residual: f64,
        /// Certified bound on the l1 distance between the scores and the true vector, if there is
        /// one.
        error_bound: Option<f64>,
    },
    /// A dominant eigenvector x of a matrix A, from an iterative method.
    Eigen {
        /// Whether the residual reached the tolerance.
        status: Status,
        /// Number of sweeps over the arcs.
        iterations: u32,
        /// `||x A - lambda x|| / (lambda ||x||)`, in the l2 norm.
        residual: f64,
        /// The eigenvalue lambda that goes with the residual.
        eigenvalue: f64,
        /// Certified bounds on the spectral radius, if there are any.
        eigenvalue_bounds: Option<[f64; 2]>,
        /// An estimate of `1 - |mu + lambda| / (2 lambda)` for the eigenvalue mu that makes it
        /// least: the distance to the nearest other eigenvalue is at least `2 lambda gap`.
        gap: f64,
    },
}

/// Whether an iterative method reached its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The bound is within the tolerance.
    Converged,
    /// The iteration limit came first.
    NotConverged,
}

impl Status {
    /// [`Status::Converged`] if so.
    pub fn of(converged: bool) -> Self {
        if converged {
            Status::Converged
        } else {
            Status::NotConverged
        }
    }
}
