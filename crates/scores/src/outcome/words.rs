//! Outcomes in words.

use super::{Outcome, Status};
use std::fmt;
use webrank_base::units::counted;

/// As a clause: `147 sweeps, certified l1 error at most 8.32e-10`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Outcome::Exact => write!(f, "exact"),
            Outcome::Rounded {
                relative_error_bound,
                ..
            } => write!(
                f,
                "exact but for rounding, a relative {relative_error_bound:.0e} at most"
            ),
            Outcome::Sampled {
                sources,
                epsilon,
                delta,
                ..
            } => write!(
                f,
                "{sources} sampled sources, normalised error below {epsilon} with probability {}",
                1.0 - delta
            ),
            Outcome::SampledUnbounded { sources } => {
                write!(f, "{sources} sampled sources, without a bound")
            }
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
                "{}, certified l1 error at most {error_bound:.2e}{}",
                counted(iterations, "sweep"),
                unless_converged(status)
            ),
            Outcome::Relative {
                status,
                iterations,
                error_bound,
                relative_error_bound,
            } => {
                write!(f, "{}, ", counted(iterations, "sweep"))?;
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
                write!(
                    f,
                    "{}, residual {residual:.1e}, ",
                    counted(iterations, "sweep")
                )?;
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
                    "{}, residual {residual:.1e}, eigenvalue {}",
                    counted(iterations, "sweep"),
                    with_all_digits(eigenvalue)
                )?;
                if let Some([lower, upper]) = eigenvalue_bounds {
                    let within = (upper - eigenvalue).max(eigenvalue - lower);
                    match within < eigenvalue && upper < f64::MAX {
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

/// All digits of a number, with an exponent unless it is of ordinary size. The largest double stands for
/// what none holds.
fn with_all_digits(value: f64) -> String {
    if value == f64::MAX {
        "beyond 1.797e308".into()
    } else if (1e-5..1e16).contains(&value) {
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
