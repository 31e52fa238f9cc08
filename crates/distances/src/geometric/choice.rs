//! The choice between searches from every node and HyperBall.
//!
//! Exact searches are chosen if they fit into the memory and the time budget of [`Limits`] (ten
//! minutes by default). Memory is judged first: estimating the time takes as much as searching.

use super::exact::Exact;
use super::hyperball::can_estimate;
use super::measure::DistanceMeasure;
use crate::traversal::hyperball::{Counters, Slicing};
use std::time::Duration;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::progress::Progress;
use webrank_base::units;

/// The default time budget of exact scores.
pub const TIME: Duration = Duration::from_secs(600);
/// Searches that are expected to take longer than this are announced.
const ANNOUNCED: Duration = Duration::from_secs(5);

/// Why exact searches are not made.
pub struct TooMuch(String);

impl TooMuch {
    /// A note that says so, and what stands in for them.
    pub fn note(&self, counters: Counters) -> String {
        format!(
            "{}: these are HyperBall's, with a relative standard error of {:.1}% a counter; the exact \
             method within larger limits, or a larger log2m, gives better ones",
            self.0,
            100.0 * counters.relative_standard_error()
        )
    }
}

/// A note that exact searches were not tried.
pub fn of_memory(counters: Counters) -> String {
    TooMuch("the graph in both directions does not fit into memory".into()).note(counters)
}

/// A note that an earlier run has chosen.
pub fn of_earlier(counters: Counters) -> String {
    TooMuch("the run that this one continues did not search from every node".into()).note(counters)
}

/// A note on the slices of counters, if there are several.
pub fn of_slices(slicing: &Slicing, counters: Counters) -> Option<String> {
    let count = slicing.count(counters);
    (count > 1).then(|| {
        format!(
            "counters did not fit into memory, and were advanced in {count} slices, each on its own \
             pass over the graph; the result is the same, and more memory is faster"
        )
    })
}

/// Checks that searching from every node fits into memory.
///
/// # Errors
/// If it does not.
pub fn admit(bytes: u64, limits: &Limits) -> Result<()> {
    limits.admit_more("searching from every node", bytes)
}

/// Why HyperBall is used instead of exact searches that take so many bytes; none if they fit the
/// limits.
///
/// # Errors
/// If searches do not fit into memory or the time budget, and HyperBall does not know one of the
/// `measures`; [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn why_estimate(
    exact: &Exact,
    bytes: u64,
    measures: &[&dyn DistanceMeasure],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Option<TooMuch>> {
    let mut measures = measures.iter();
    let exact_alone = measures.find(|measure| !can_estimate(**measure));
    match admit(bytes, limits) {
        Err(Error::NeedsMemory {
            needed, allowed, ..
        }) if exact_alone.is_none() => {
            return Ok(Some(TooMuch(format!(
                "exact searches need up to {} of memory, and {} are allowed or free",
                units::megabytes_up(needed),
                units::megabytes_down(allowed)
            ))));
        }
        other => other?,
    }
    let (expected, allowed) = (exact.expected_time(progress)?, limits.time_or(TIME));
    let text = units::seconds(expected.as_secs_f64());
    if expected > allowed {
        if let Some(measure) = exact_alone {
            return Err(Error::TakesLonger {
                what: measure.name(),
                seconds: expected.as_secs_f64(),
                allowed: allowed.as_secs_f64(),
            });
        }
        return Ok(Some(TooMuch(format!(
            "exact searches would take about {text}, more than the time budget of {}",
            units::seconds(allowed.as_secs_f64())
        ))));
    }
    if expected > ANNOUNCED {
        progress.announce(&format!(
            "exact, in about {text} and {:.0}",
            units::megabytes(bytes)
        ));
    }
    Ok(None)
}
