//! How certain scores are: what a method proves about the scores that it returns.
//!
//! Manifests hold outcomes. In words they are [`Display`](fmt::Display), of single scores
//! [`Outcome::guarantee`].

use super::guarantee::Guarantee;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use webrank_base::error::{Error, Result};

/// How certain scores are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

/// As a clause: `147 sweeps, certified l1 error at most 8.32e-10`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Outcome::Exact => write!(f, "exact"),
            Outcome::Sampled {
                sources,
                epsilon,
                delta,
                ..
            } => write!(
                f,
                "{sources} sampled sources, error below {epsilon} with probability {}",
                1.0 - delta
            ),
            Outcome::FromSources { sources } => {
                write!(
                    f,
                    "{sources} given sources, scaled to all nodes, without a bound"
                )
            }
            Outcome::SampledPaths {
                status,
                paths,
                epsilon,
                delta,
                ..
            } => write!(
                f,
                "{paths} sampled paths, normalised error at most {epsilon:.2e} with probability \
                 {}{}",
                1.0 - delta,
                unless_converged(status)
            ),
            Outcome::Estimated {
                relative_standard_error,
            } => write!(
                f,
                "relative standard error {:.2}%",
                100.0 * relative_standard_error
            ),
            Outcome::Iterated {
                status,
                iterations,
                error_bound,
            } => write!(
                f,
                "{iterations} sweeps, certified l1 error at most {error_bound:.2e}{}",
                unless_converged(status)
            ),
            Outcome::Relative {
                status,
                iterations,
                error_bound,
                relative_error_bound,
            } => {
                write!(f, "{iterations} sweeps, ")?;
                match relative_error_bound.is_finite() {
                    true => write!(
                        f,
                        "certified l1 error at most {error_bound:.2e}, which is \
                         {relative_error_bound:.2e} of the sum of scores"
                    )?,
                    false => write!(f, "error NOT CERTIFIED")?,
                }
                write!(f, "{}", unless_converged(status))
            }
            Outcome::Stationary {
                status,
                iterations,
                residual,
                error_bound,
            } => {
                write!(f, "{iterations} sweeps, residual {residual:.1e}, ")?;
                match error_bound {
                    Some(bound) => write!(f, "certified l1 error at most {bound:.2e}")?,
                    None => write!(f, "error NOT CERTIFIED")?,
                }
                write!(f, "{}", unless_converged(status))
            }
            Outcome::Eigen {
                status,
                iterations,
                residual,
                eigenvalue,
                eigenvalue_bounds,
                gap,
            } => {
                write!(
                    f,
                    "{iterations} sweeps, residual {residual:.1e}, eigenvalue {}",
                    with_all_digits(eigenvalue)
                )?;
                if let Some([lower, upper]) = eigenvalue_bounds {
                    let within = (upper - eigenvalue).max(eigenvalue - lower);
                    match within < eigenvalue {
                        true => write!(f, ", proved to be within {within:.1e}")?,
                        // One of the bounds may be near.
                        false => {
                            let [lower, upper] = [lower, upper].map(with_all_digits);
                            write!(f, ", proved to be from {lower} to {upper}")?;
                        }
                    }
                }
                write!(f, ", gap about {gap:.2}{}", unless_converged(status))
            }
        }
    }
}

/// All digits of a number, with an exponent unless it is of ordinary size.
fn with_all_digits(value: f64) -> String {
    if (1e-5..1e16).contains(&value) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

fn unless_converged(status: Status) -> &'static str {
    match status {
        Status::Converged => "",
        Status::NotConverged => ", NOT CONVERGED",
    }
}

#[cfg(test)]
mod tests;
