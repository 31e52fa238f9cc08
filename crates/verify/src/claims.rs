//! What a manifest promises of scores, and whether a check breaks it.

use super::{ErrorKind, Finding};
use serde::Serialize;
use webrank_scores::Outcome;

/// The relative error that "exact" allows: rounding, and the rounding of tables.
const EXACT: f64 = 1e-11;

/// A promise on the error of scores.
#[derive(Debug, Clone, Serialize)]
pub struct Promise {
    /// In words, as in "promised: ...".
    pub text: String,
    /// False if it is proved to be broken.
    pub holds: bool,
    /// What breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl Promise {
    /// What the outcome of a run promises about the error that was found; none if it promises nothing
    /// about it.
    pub fn of(outcome: &Outcome, finding: &Finding) -> Option<Self> {
        let error = &finding.error;
        let (at_most, found) = match (outcome, error.kind) {
            // The check counts paths from the same sources.
            (Outcome::Exact | Outcome::FromSources { .. }, ErrorKind::Score) => {
                (EXACT, error.at_least)
            }
            (
                Outcome::Rounded {
                    relative_error_bound,
                    ..
                },
                ErrorKind::Score,
            ) => (f64::max(*relative_error_bound, EXACT), error.at_least),
            (Outcome::Exact, ErrorKind::Residual) => (EXACT, error.at_least),
            (Outcome::Iterated { error_bound, .. }, ErrorKind::L1) => {
                (*error_bound, error.at_least)
            }
            (
                Outcome::Relative {
                    relative_error_bound,
                    ..
                },
                ErrorKind::RelativeL1,
            ) => (*relative_error_bound, error.at_least),
            (Outcome::Stationary { error_bound, .. }, ErrorKind::L1) => {
                ((*error_bound)?, error.at_least)
            }
            (Outcome::Eigen { residual, gap, .. }, ErrorKind::Residual) => {
                // Scores below this part of the length of the vector were set to 0.
                let unresolved = (residual / (2.0 * gap)).max(f64::EPSILON);
                let found = finding.eigen?;
                // It is the residual of the scores before the last step.
                let allowed = 2.0 * residual * (1.0 + found.growth);
                (allowed + 2.0 * unresolved * found.of_zeros, found.residual)
            }
            (Outcome::Sampled { epsilon, unit, .. }, ErrorKind::Score)
            | (Outcome::SampledPaths { epsilon, unit, .. }, ErrorKind::Score) => {
                // A bound on differences, in units of the scores as they stand in the table.
                let beyond = finding
                    .worst
                    .map_or(0.0, |worst| worst.difference() - worst.within);
                (epsilon * (*unit)?, beyond * finding.scale)
            }
            _ => return None,
        };
        let mut broken = (found > at_most * (1.0 + 1e-9)).then(|| {
            let what = match outcome {
                Outcome::Sampled { .. } | Outcome::SampledPaths { .. } => "error of a score",
                _ => error.kind.name(),
            };
            format!("the {what} is at least {found:.2e}, but its manifest promises at most {at_most:.2e}")
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
        Some(Promise {
            text: outcome.to_string(),
            holds: broken.is_none(),
            broken,
        })
    }
}
