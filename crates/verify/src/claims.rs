//! Promises of a manifest on scores, and whether a check proves or breaks them.

use super::{ErrorKind, Finding};
use serde::Serialize;
use webrank_scores::Outcome;

/// The relative error that "exact" allows: rounding, and the rounding of tables.
const EXACT: f64 = 1e-11;

/// The rounding of a check may hide so much of a relative error, or of an l1 error of scores that sum to one.
const HIDDEN: f64 = 2.0 * EXACT;

/// A promise on the error of scores.
#[derive(Debug, Clone, Serialize)]
pub struct Promise {
    /// In words, as in "promised: ...".
    pub text: String,
    /// Whether it is proved to hold (of a sample: for the nodes that were checked), or to be broken;
    /// none if the check does not decide.
    pub holds: Option<bool>,
    /// Whether it holds up to the rounding of the check, which is more than was promised.
    #[serde(skip)]
    pub is_rounded: bool,
    /// The fact that breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl Promise {
    /// The promise of a run's outcome about the error that was found; none if it promises nothing
    /// about it.
    pub fn of(outcome: &Outcome, finding: &Finding) -> Option<Self> {
        let error = &finding.error;
        // The promised bound, and the bounds between which the error is.
        let between = |at_most: f64| (at_most, error.at_least, error.at_most);
        let (promised, least, most) = match (outcome, error.kind) {
            // The check counts paths from the same sources.
            (Outcome::Exact | Outcome::FromSources { .. }, ErrorKind::Score) => between(EXACT),
            (
                Outcome::Rounded {
                    relative_error_bound,
                    ..
                },
                ErrorKind::Score,
            ) => between(f64::max(*relative_error_bound, EXACT)),
            (Outcome::Exact, ErrorKind::Residual) => between(EXACT),
            (Outcome::Iterated { error_bound, .. }, ErrorKind::L1) => between(*error_bound),
            (
                Outcome::Relative {
                    relative_error_bound,
                    ..
                },
                ErrorKind::RelativeL1,
            ) => between(*relative_error_bound),
            (Outcome::Stationary { error_bound, .. }, ErrorKind::L1) => between((*error_bound)?),
            (Outcome::Eigen { residual, gap, .. }, ErrorKind::Residual) => {
                // Scores below this part of the length of the vector were set to 0.
                let unresolved = (residual / (2.0 * gap)).max(f64::EPSILON);
                let found = finding.eigen?;
                // It is the residual of the scores before the last step.
                let allowed = 2.0 * residual * (1.0 + found.growth);
                let allowed = allowed + 2.0 * unresolved * found.of_zeros;
                (allowed, found.residual, found.residual)
            }
            (Outcome::Sampled { epsilon, unit, .. }, ErrorKind::Score)
            | (Outcome::SampledPaths { epsilon, unit, .. }, ErrorKind::Score) => {
                // A bound on differences, in units of the scores as they stand in the table.
                let (off, within) = finding
                    .worst
                    .map_or((0.0, 0.0), |worst| (worst.difference(), worst.within));
                let [least, most] = [off - within, off + within].map(|off| off * finding.scale);
                (epsilon * (*unit)?, least, most)
            }
            _ => return None,
        };
        let beyond = promised * (1.0 + 1e-9);
        let mut broken = (least > beyond).then(|| {
            let what = match outcome {
                Outcome::Sampled { .. } | Outcome::SampledPaths { .. } => "error of a score",
                _ => error.kind.name(),
            };
            match least.is_finite() {
                true => format!("the {what} is at least {least:.2e}, but its manifest promises at most {promised:.2e}"),
                false => "a score that should be 0 is not, but its manifest promises exact scores".into(),
            }
        });
        if let (
            Outcome::Eigen {
                eigenvalue_bounds, ..
            },
            Some([least, most]),
        ) = (outcome, finding.eigenvalue_bounds)
            && let Some([lower, upper]) = *eigenvalue_bounds
            && (most < lower || upper < least)
        {
            broken = Some(format!(
                "the spectral radius is between {least:e} and {most:e}, but its manifest promises that \
                 it is between {lower:e} and {upper:e}"
            ));
        }
        let is_proved = most.is_finite() && most <= f64::max(beyond, HIDDEN * (1.0 + 1e-9));
        Some(Promise {
            text: outcome.to_string(),
            holds: (broken.is_some() || is_proved).then_some(broken.is_none()),
            is_rounded: most > beyond,
            broken,
        })
    }
}
