//! How certain scores are: what a method proves about the scores that it returns.
//!
//! Manifests hold outcomes. In words they are [`Display`](std::fmt::Display), of single scores
//! [`Outcome::guarantee`].

use super::guarantee::Guarantee;
use serde::{Deserialize, Deserializer, Serialize};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::total;

/// How certain scores are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// Exact: ranks and ties are those of exact numbers, and scores are off by rounding alone.
    Exact,
    /// Exact but for rounding, which may hide the order of some neighbours: they share a rank, or are in
    /// either order.
    Rounded {
        /// By what part of a score rounding may have changed it. The order of scores that are further apart
        /// is that of exact numbers.
        #[serde(deserialize_with = "number")]
        relative_error_bound: f64,
        /// That part of the sum of scores: a bound on the l1 distance to the true vector.
        #[serde(deserialize_with = "number")]
        error_bound: f64,
    },
    /// From sampled sources: with probability at least 1 - `delta`, every normalised score is
    /// within `epsilon` of the truth.
    Sampled {
        /// Number of sampled sources.
        sources: u64,
        /// Largest error of a normalised score.
        #[serde(deserialize_with = "number")]
        epsilon: f64,
        /// Probability that some score is further off.
        #[serde(deserialize_with = "number")]
        delta: f64,
        /// A normalised score of 1 on the scale of the scores: n - 1, (n - 1)(n - 2) or 1; none in a
        /// manifest of version 0.1.0 or earlier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<f64>,
    },
    /// From sampled sources, without an error bound for all nodes at once: quotients of sums.
    SampledUnbounded {
        /// Number of sampled sources.
        sources: u64,
    },
    /// From given sources, scaled to all nodes: exact as that, and no bound on the distance to the
    /// scores from all nodes.
    FromSources {
        /// Number of given sources.
        sources: u64,
    },
    /// From sampled shortest paths: with probability at least 1 - `delta`, the interval of every
    /// score holds the truth, and every normalised score is within `epsilon` of it.
    SampledPaths {
        /// Whether the requested precision or order was reached.
        #[serde(default = "converged")]
        status: Status,
        /// Number of sampled paths, pairs without a path included.
        paths: u64,
        /// Largest error of a normalised score.
        #[serde(deserialize_with = "number")]
        epsilon: f64,
        /// Probability that some score is further off.
        #[serde(deserialize_with = "number")]
        delta: f64,
        /// A normalised score of 1 on the scale of the scores: n - 1, (n - 1)(n - 2) or 1; none in a
        /// manifest of version 0.1.0 or earlier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<f64>,
    },
    /// From probabilistic counters: each count has this relative standard error.
    Estimated {
        /// Relative standard error of one counter.
        #[serde(deserialize_with = "number")]
        relative_standard_error: f64,
    },
    /// From an iterative method.
    Iterated {
        /// Whether the bound reached the tolerance.
        status: Status,
        /// Number of sweeps over the arcs.
        iterations: u32,
        /// Certified bound on the l1 distance between the scores and the true vector.
        #[serde(deserialize_with = "number")]
        error_bound: f64,
    },
    /// From an iterative method whose tolerance is relative to the sum of the scores.
    Relative {
        /// Whether the relative bound reached the tolerance.
        status: Status,
        /// Number of sweeps over the arcs.
        iterations: u32,
        /// Certified bound on the l1 distance between the scores and the true vector.
        #[serde(deserialize_with = "number")]
        error_bound: f64,
        /// That bound divided by the sum of the scores, to which the tolerance applies.
        #[serde(deserialize_with = "number")]
        relative_error_bound: f64,
    },
    /// A stationary distribution x of a walk P, from an iterative method.
    Stationary {
        /// Whether the bound reached the tolerance.
        status: Status,
        /// Multiplications, each counted as the fraction of the arcs that it used.
        iterations: u32,
        /// `||x P - x||`, in the l1 norm.
        #[serde(deserialize_with = "number")]
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
        #[serde(deserialize_with = "number")]
        residual: f64,
        /// The eigenvalue lambda that goes with the residual.
        #[serde(deserialize_with = "number")]
        eigenvalue: f64,
        /// Certified bounds on the spectral radius, if there are any.
        eigenvalue_bounds: Option<[f64; 2]>,
        /// An estimate of the least `1 - |mu + lambda| / (2 lambda)` over the other eigenvalues mu:
        /// the distance to the nearest of them is at least `2 lambda gap`.
        #[serde(deserialize_with = "number")]
        gap: f64,
    },
}

/// Whether an iterative method reached its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The bound is within the tolerance.
    Converged,
    /// The iteration limit came first.
    NotConverged,
}

/// A number; JSON has null for one that is not finite.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// Manifests of version 0.1.0 and earlier do not say it.
fn converged() -> Status {
    Status::Converged
}

impl Outcome {
    /// Scores that rounding may have changed by this part of them.
    pub fn rounded(relative_error_bound: f64, scores: &[f64]) -> Self {
        Outcome::Rounded {
            relative_error_bound,
            error_bound: relative_error_bound * (total(scores) * (1.0 + 1e-9)),
        }
    }

    /// A sentence on the order of scores, if rounding may hide it.
    pub fn hidden_order(&self) -> Option<String> {
        match self {
            Outcome::Rounded {
                relative_error_bound,
                ..
            } => Some(format!(
                "scores that differ by less than a relative {relative_error_bound:.0e} may share a rank, or \
                 be in either order: exact numbers would take too long"
            )),
            _ => None,
        }
    }

    /// Fails unless the tolerance was reached.
    ///
    /// # Errors
    /// [`Error::NotConverged`], [`Error::NotReached`] or [`Error::NotSampled`].
    pub fn converged(&self, tolerance: f64) -> Result<()> {
        let (iterations, quantity, reached) = match *self {
            Outcome::Iterated {
                status: Status::NotConverged,
                iterations,
                error_bound: bound,
            } => {
                return Err(Error::NotConverged {
                    iterations,
                    bound,
                    tolerance,
                });
            }
            Outcome::Eigen {
                status: Status::NotConverged,
                iterations,
                residual,
                ..
            } => (iterations, "residual", residual),
            Outcome::Relative {
                status: Status::NotConverged,
                iterations,
                relative_error_bound,
                ..
            } => {
                let quantity = "certified l1 error, relative to the sum of scores,";
                (iterations, quantity, relative_error_bound)
            }
            Outcome::Stationary {
                status: Status::NotConverged,
                iterations,
                error_bound,
                ..
            } => {
                let bound = error_bound.unwrap_or(f64::INFINITY);
                (iterations, "certified l1 error", bound)
            }
            Outcome::SampledPaths {
                status: Status::NotConverged,
                paths,
                epsilon,
                ..
            } => return Err(Error::NotSampled { paths, epsilon }),
            _ => return Ok(()),
        };
        Err(Error::NotReached {
            quantity,
            iterations,
            reached,
            tolerance,
        })
    }

    /// The guarantee on each score. `has_ends`: the table has the columns `lower` and `upper`, the
    /// intervals from sampled paths.
    pub fn guarantee(&self, has_ends: bool) -> Guarantee {
        match *self {
            Outcome::Exact => Guarantee::Exact,
            // No single error exceeds the l1 distance.
            Outcome::Rounded { error_bound, .. } => Guarantee::within(error_bound, None),
            Outcome::Iterated { error_bound, .. } | Outcome::Relative { error_bound, .. } => {
                Guarantee::within(error_bound, None)
            }
            Outcome::Stationary { error_bound, .. } => {
                Guarantee::within(error_bound.unwrap_or(f64::INFINITY), None)
            }
            Outcome::SampledPaths { delta, .. } if has_ends => Guarantee::Between {
                probability: Some(1.0 - delta),
            },
            Outcome::Sampled {
                epsilon,
                delta,
                unit,
                ..
            }
            | Outcome::SampledPaths {
                epsilon,
                delta,
                unit,
                ..
            } => match unit {
                Some(unit) => Guarantee::within(epsilon * unit, Some(1.0 - delta)),
                None => Guarantee::none(
                    "an earlier version sampled it, and its manifest does not give the scale of the \
                     error bound",
                ),
            },
            Outcome::SampledUnbounded { sources } => Guarantee::none(format!(
                "it is from {sources} sampled sources, which prove no bound of a quotient"
            )),
            Outcome::FromSources { sources } => Guarantee::none(format!(
                "it is from {sources} given sources, and nothing is known of how they were chosen"
            )),
            Outcome::Estimated {
                relative_standard_error,
            } => Guarantee::none(format!(
                "HyperBall estimates it with a relative standard error of {:.2}%, which bounds nothing",
                100.0 * relative_standard_error
            )),
            Outcome::Eigen { .. } => {
                Guarantee::none("an eigenvector has a residual, which does not bound single scores")
            }
        }
    }
}

#[cfg(test)]
mod tests;
mod words;
