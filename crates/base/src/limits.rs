//! Limits of a computation: precision, time, memory.
//!
//! Every loop of the library takes a [`Limits`], or a rule made from one, so that no loop is
//! endless.

use crate::error::{Error, Result};
use crate::memory;
use serde::Serialize;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// The largest error allowed: positive and finite. Each measure says which error it bounds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Tolerance(f64);

impl Tolerance {
    /// # Errors
    /// If `value` is NaN, infinite, zero or negative.
    pub fn new(value: f64) -> Result<Self> {
        if value.is_finite() && value > 0.0 {
            Ok(Tolerance(value))
        } else {
            Err(Error::argument(
                "tolerance",
                value,
                "it must be a positive number, such as 1e-9",
            ))
        }
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance(1e-9)
    }
}

/// Limits of a computation. Each measure has defaults for limits that are not set.
///
/// ```
/// use webrank_base::limits::Limits;
///
/// let limits = Limits::default().tolerance(1e-12)?.max_iterations(1_000)?;
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    tolerance: Option<Tolerance>,
    max_iterations: Option<NonZeroU32>,
    memory: Option<u64>,
    time: Option<Duration>,
    threads: Option<NonZeroUsize>,
}

/// The default limit of sweeps over the arcs.
const MAX_ITERATIONS: NonZeroU32 = NonZeroU32::new(10_000).expect("10,000 is not zero");

/// The largest number of threads: more only take time to start.
const MAX_THREADS: usize = 1024;

impl Limits {
    /// Iterate until the error is within `tolerance`, which must be positive.
    ///
    /// # Errors
    /// If it is NaN, infinite, zero or negative.
    pub fn tolerance(self, tolerance: f64) -> Result<Self> {
        Ok(Limits {
            tolerance: Some(Tolerance::new(tolerance)?),
            ..self
        })
    }

    /// Stop after this many sweeps over the arcs, whatever the error; 10,000 by default.
    ///
    /// # Errors
    /// If it is 0.
    pub fn max_iterations(self, sweeps: u32) -> Result<Self> {
        match NonZeroU32::new(sweeps) {
            None => Err(Error::argument(
                "max_iterations",
                sweeps,
                "at least one sweep is needed",
            )),
            max_iterations => Ok(Limits {
                max_iterations,
                ..self
            }),
        }
    }

    /// Use at most this many bytes; by default, the free memory.
    pub fn memory(self, bytes: u64) -> Self {
        Limits {
            memory: Some(bytes),
            ..self
        }
    }

    /// Estimate scores where an exact result would take longer than this.
    pub fn time(self, time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..self
        }
    }

    /// Use this many threads; by default, those of the caller's `rayon` pool. Results do not depend
    /// on their number.
    ///
    /// # Errors
    /// If it is 0, or more than 1024.
    pub fn threads(self, threads: usize) -> Result<Self> {
        match NonZeroUsize::new(threads) {
            None => Err(Error::argument("threads", threads, "it must be at least 1")),
            Some(_) if threads > MAX_THREADS => {
                let remedy = format!("it must be at most {MAX_THREADS}; one per core is fastest");
                Err(Error::argument("threads", threads, remedy))
            }
            threads => Ok(Limits { threads, ..self }),
        }
    }

    /// The tolerance, or `default` if none is set.
    pub fn tolerance_or(&self, default: f64) -> Tolerance {
        self.tolerance.unwrap_or(Tolerance(default))
    }

    /// The limit of sweeps over the arcs, at least 1.
    pub fn iterations(&self) -> u32 {
        self.max_iterations.unwrap_or(MAX_ITERATIONS).get()
    }

    /// The bytes that this process may hold: the limit if there is one, otherwise what it holds now
    /// and what is free.
    pub fn allowed_memory(&self) -> u64 {
        self.memory.unwrap_or_else(memory::allowed_memory)
    }

    /// Checks that the process may hold so many bytes.
    ///
    /// # Errors
    /// If they are more than the limit, or than there are.
    pub fn admit(&self, what: &'static str, needed: u64) -> Result<()> {
        memory::admit(what, needed, self.allowed_memory())
    }

    /// Checks that the process may hold so many bytes more than now.
    ///
    /// # Errors
    /// As for [`Self::admit`].
    pub fn admit_more(&self, what: &'static str, more: u64) -> Result<()> {
        self.admit(what, memory::resident_memory().saturating_add(more))
    }

    /// The bytes that the process may hold besides those it holds now.
    pub fn more_memory(&self) -> u64 {
        let held = memory::resident_memory();
        self.allowed_memory().saturating_sub(held)
    }

    /// The bytes that the process may hold besides these.
    pub fn left_after(&self, needed: u64) -> u64 {
        self.allowed_memory().saturating_sub(needed)
    }

    /// Checks that a computation may take so many seconds: up to the limit, or `default` if none is set.
    ///
    /// # Errors
    /// If it may not.
    pub fn admit_time(&self, what: &'static str, seconds: f64, default: Duration) -> Result<()> {
        let allowed = self.time_or(default).as_secs_f64();
        match seconds > allowed {
            true => Err(Error::TakesLonger {
                what,
                seconds,
                allowed,
            }),
            false => Ok(()),
        }
    }

    /// The time that an exact result may take, or `default` if none is set.
    pub fn time_or(&self, default: Duration) -> Duration {
        self.time.unwrap_or(default)
    }

    /// Runs `work` on the number of threads that is set.
    ///
    /// # Errors
    /// The errors of `work`; if the system refuses the threads.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let Some(threads) = self.threads else {
            return work();
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|problem| {
                let remedy = format!("the system refuses to start them: {problem}");
                Error::argument("threads", threads, remedy)
            })?
            .install(work)
    }
}

/// Reads durations such as 500ms, 90s, 10m, 2h, 1h 30m and 1d.
///
/// # Errors
/// Why a text is none.
pub fn duration(text: &str) -> std::result::Result<Duration, String> {
    let read = of_one_unit(text).or_else(|| humantime::parse_duration(text).ok());
    read.ok_or_else(|| {
        "write a number and a unit, such as 500ms, 90s, 10m, 2h, 1h 30m or 1d".into()
    })
}

/// A number of seconds, minutes or hours; unlike those of `humantime`, it may be `.5h` or `1e3s`.
fn of_one_unit(text: &str) -> Option<Duration> {
    let (number, seconds) = [("s", 1.0), ("m", 60.0), ("h", 3600.0)]
        .into_iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))?;
    let number: f64 = number.parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn durations_have_any_unit_and_several() {
        for (text, seconds) in [
            ("500ms", 0.5),
            ("90s", 90.0),
            ("1.5s", 1.5),
            ("10m", 600.0),
            ("2h", 7200.0),
            (".5h", 1800.0),
            ("1e3s", 1000.0),
            ("1d", 86_400.0),
            ("1h 30m", 5400.0),
            ("1h30m", 5400.0),
            ("0s", 0.0),
        ] {
            let expected = Duration::from_secs_f64(seconds);
            assert_eq!(duration(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_durations_are_refused() {
        for text in [
            "", "90", "s", "-1s", "nans", "infh", "1x", "1e300h", "1 h m",
        ] {
            let problem = duration(text).expect_err(text);
            assert!(problem.contains("500ms"), "{text}: {problem}");
        }
    }
}
