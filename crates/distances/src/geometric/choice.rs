//! The choice between searches from every node, a sample and HyperBall.
//!
//! Exact searches are chosen if they fit into the memory and the time budget of [`Limits`] (ten
//! minutes by default). Memory is judged first: estimating the time takes as much as searching. If it is
//! time that they lack, measures that can be sampled are; a sample takes more memory than exact searches.

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
pub struct TooMuch {
    why: String,
    /// Whether it is time that they lack, not memory.
    pub is_time: bool,
}

impl TooMuch {
    /// A note that says so, and what stands in for them.
    pub fn note(&self, counters: Counters) -> String {
        format!(
            "{}: these are HyperBall's, with a relative standard error of {:.1}% a counter; the exact \
             method within larger limits, or a larger log2m, gives better ones",
            self.why,
            100.0 * counters.relative_standard_error()
        )
    }

    /// A note that says so, and that a sample stands in for them.
    pub fn note_of_sample(&self) -> String {
        format!(
            "{}: these are from a sample of sources; the exact method within larger limits, or more sources, \
             give better ones",
            self.why
        )
    }
}

/// A note that a sample is no less work than exact scores, which take so many searches.
pub fn of_all(searches: u64) -> String {
    format!("exact scores take {searches} searches, no more than the sample would: these are exact")
}

/// A note that exact searches were not tried.
pub fn of_memory(counters: Counters) -> String {
    TooMuch {
        why: "the graph in both directions does not fit into memory".into(),
        is_time: false,
    }
    .note(counters)
}

/// An earlier run has chosen.
pub fn of_earlier() -> TooMuch {
    TooMuch {
        why: "the run that this one continues did not search from every node".into(),
        is_time: true,
    }
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
            return Ok(Some(TooMuch {
                why: format!(
                    "exact searches need up to {} of memory, and {} are allowed or free",
                    units::megabytes_up(needed),
                    units::megabytes_down(allowed)
                ),
                is_time: false,
            }));
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
        return Ok(Some(TooMuch {
            why: format!(
                "exact searches would take about {text}, more than the time budget of {}",
                units::seconds(allowed.as_secs_f64())
            ),
            is_time: true,
        }));
    }
    if expected > ANNOUNCED {
        progress.announce(&format!(
            "exact, in about {text} and {:.0}",
            units::megabytes(bytes)
        ));
    }
    Ok(None)
}
