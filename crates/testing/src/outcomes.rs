//! Facts about outcomes.

use webrank_scores::{Outcome, Scores, Status};

/// The outcome of an iteration whose tolerance is relative to the sum of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative {
    pub status: Status,
    pub iterations: u32,
    pub error_bound: f64,
    pub relative_error_bound: f64,
}

/// The outcome of Katz's index or LeaderRank.
pub fn relative(scores: &Scores) -> Relative {
    match scores.run.outcome {
        Outcome::Relative {
            status,
            iterations,
            error_bound,
            relative_error_bound,
        } => Relative {
            status,
            iterations,
            error_bound,
            relative_error_bound,
        },
        ref other => panic!("{other:?}"),
    }
}
