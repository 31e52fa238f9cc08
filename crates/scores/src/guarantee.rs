//! The guarantee on each score of a table, taken from the manifest beside it.

use super::Outcome;
use super::manifest::ManifestState;
use serde::Serialize;

/// How far a score may be from the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Guarantee {
    /// Exact, up to the rounding of floating-point arithmetic.
    Exact,
    /// Every score is within `half_width` of the truth.
    Within {
        /// The largest error.
        half_width: f64,
        /// The probability that this holds for all scores at once; none if it surely holds.
        probability: Option<f64>,
    },
    /// Every true score is between the columns `lower` and `upper`.
    Between {
        /// The probability that this holds for all scores at once.
        probability: Option<f64>,
    },
    /// Nothing is guaranteed.
    None {
        /// Why.
        why: String,
    },
}

impl Guarantee {
    /// The guarantee of a column, by the [outcome](super::Outcome::guarantee) in the manifest that
    /// belongs to the table; `has_ends` says whether the table has the columns `lower` and `upper`.
    pub fn of(account: &ManifestState, column: &str, has_ends: bool) -> Self {
        let manifest = match account {
            ManifestState::Of(manifest) => manifest,
            ManifestState::Unusable(why) => return Self::none(*why),
            ManifestState::Missing => return Self::none("no manifest (FILE.json) is beside it"),
        };
        match manifest.columns.get(column) {
            Some(run) => run.outcome.guarantee(has_ends),
            None => Self::none("its manifest does not describe this column"),
        }
    }

    /// Every score is within `half_width`, surely or with a probability. The numbers are checked,
    /// since a manifest may have been edited.
    pub(super) fn within(half_width: f64, probability: Option<f64>) -> Self {
        let is_probable = probability.is_none_or(|p| (0.0..=1.0).contains(&p));
        if half_width.is_finite() && half_width >= 0.0 && is_probable {
            Guarantee::Within {
                half_width,
                probability,
            }
        } else {
            Self::none("its manifest gives no error bound")
        }
    }

    pub(super) fn none(why: impl Into<String>) -> Self {
        Guarantee::None { why: why.into() }
    }

    /// As a clause: `exact up to rounding`.
    pub fn text(&self) -> String {
        let with = |probability: &Option<f64>| match probability {
            Some(probability) => format!(" with probability {probability}"),
            None => String::new(),
        };
        match self {
            Guarantee::Exact => "exact up to rounding".into(),
            Guarantee::Within {
                half_width,
                probability,
            } => format!("all scores within {half_width:.2e}{}", with(probability)),
            Guarantee::Between { probability } => {
                format!(
                    "all scores between 'lower' and 'upper'{}",
                    with(probability)
                )
            }
            Guarantee::None { why } => format!("NO guarantee, taken as exact: {why}"),
        }
    }
}

impl Outcome {
    /// The proved bound on the l1 distance between the scores and the true vector, if there is one.
    /// It is 0 for exact scores, which are off by rounding alone.
    pub fn error_bound(&self) -> Option<f64> {
        use Outcome::{Exact, Iterated, Relative, Rounded, Stationary};
        let bound = match *self {
            Exact => Some(0.0),
            Rounded { error_bound, .. }
            | Iterated { error_bound, .. }
            | Relative { error_bound, .. } => Some(error_bound),
            Stationary { error_bound, .. } => error_bound,
            _ => None,
        };
        bound.filter(|bound| bound.is_finite())
    }
}
