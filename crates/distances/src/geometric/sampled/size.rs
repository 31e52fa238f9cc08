//! How many nodes are sampled.

use webrank_base::error::{Error, Result};

/// An error bound on normalised scores, and the probability that it fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    epsilon: f64,
    delta: f64,
}

impl Default for Precision {
    /// Every normalised score within 0.01, with probability 0.9.
    fn default() -> Self {
        Precision {
            epsilon: 0.01,
            delta: DELTA,
        }
    }
}

impl Precision {
    /// Every normalised score within `epsilon`, with probability at least 1 - `delta`.
    ///
    /// # Errors
    /// If `epsilon` or `delta` is not above 0 and below 1.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self> {
        check("epsilon", epsilon)?;
        check("delta", delta)?;
        Ok(Precision { epsilon, delta })
    }

    /// The error.
    pub fn epsilon(self) -> f64 {
        self.epsilon
    }

    /// The probability that it is larger.
    pub fn delta(self) -> f64 {
        self.delta
    }
}

fn check(name: &'static str, value: f64) -> Result<()> {
    match value > 0.0 && value < 1.0 {
        true => Ok(()),
        false => Err(Error::argument(
            name,
            value,
            "give a number above 0 and below 1",
        )),
    }
}

/// The default probability that some score is further off than epsilon.
pub const DELTA: f64 = 0.1;

/// The default number of sources.
pub const SOURCES: u64 = 4096;

/// The sources of the pilot that chooses the number for a relative error.
pub(super) const PILOT: u64 = 1024;

/// The rule for the number of sampled nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleSize {
    pub(super) by: By,
    pub(super) delta: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum By {
    Sources(u64),
    Epsilon(f64),
    Relative(f64),
}

impl Default for SampleSize {
    /// 4,096 sources.
    fn default() -> Self {
        SampleSize {
            by: By::Sources(SOURCES),
            delta: DELTA,
        }
    }
}

impl From<Precision> for SampleSize {
    /// As many as prove that every normalised score is within epsilon.
    fn from(precision: Precision) -> Self {
        SampleSize {
            by: By::Epsilon(precision.epsilon),
            delta: precision.delta,
        }
    }
}

impl SampleSize {
    /// So many sources. The error that is proved then holds with probability 1 - `delta`.
    ///
    /// # Errors
    /// If `count` is 0, or `delta` is not above 0 and below 1.
    pub fn sources(count: u64, delta: f64) -> Result<Self> {
        check("delta", delta)?;
        if count == 0 {
            return Err(Error::argument("sources", count, "give at least 1"));
        }
        let by = By::Sources(count);
        Ok(SampleSize { by, delta })
    }

    /// As many as a pilot of 1,024 sources lets expect a relative standard error of this size for the
    /// 1,000 best nodes, in quadratic mean: not proved.
    ///
    /// # Errors
    /// If `error` or `delta` is not above 0 and below 1.
    pub fn relative(error: f64, delta: f64) -> Result<Self> {
        check("relative", error)?;
        check("delta", delta)?;
        let by = By::Relative(error);
        Ok(SampleSize { by, delta })
    }

    /// Whether it is an error bound that fixes the number.
    pub(in super::super) fn is_proved(self) -> bool {
        matches!(self.by, By::Epsilon(_))
    }

    /// The name and the value of what fixes the number.
    pub(in super::super) fn parameter(self) -> (&'static str, serde_json::Value) {
        match self.by {
            By::Sources(count) => ("sources", count.into()),
            By::Epsilon(epsilon) => ("epsilon", epsilon.into()),
            By::Relative(error) => ("relative", error.into()),
        }
    }

    /// The probability that some score is further off than the proved error.
    pub fn delta(self) -> f64 {
        self.delta
    }

    /// The number of sources for terms up to 1 in a graph of `num_nodes`, at most all of them; a guess
    /// if a pilot fixes it.
    pub fn at_most(self, num_nodes: usize) -> u64 {
        let wanted = match self.by {
            By::Sources(count) => count,
            By::Epsilon(epsilon) => {
                Spread::of(num_nodes, num_nodes, 1.0).draws(epsilon, self.delta)
            }
            By::Relative(_) => SOURCES,
        };
        wanted.min(num_nodes as u64)
    }
}

/// How far a sum may be off in all: k independent draws from nodes whose terms are from 0 to a largest
/// one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    num_nodes: f64,
    /// The largest sum of the terms that are sampled, in units of the largest normalised score.
    largest: f64,
}

impl Spread {
    /// That of `sources` nodes, among `num_nodes`, with terms up to `term`.
    pub(super) fn of(num_nodes: usize, sources: usize, term: f64) -> Self {
        let others = num_nodes.saturating_sub(1).max(1) as f64;
        Spread {
            num_nodes: num_nodes as f64,
            largest: sources as f64 * term / others,
        }
    }

    /// The smallest k with 2 n exp(-2 k e^2 / b^2) <= delta, where b is the largest sum.
    pub(super) fn draws(self, epsilon: f64, delta: f64) -> u64 {
        let ratio = self.largest / epsilon;
        let count = 0.5 * self.log(delta) * ratio * ratio;
        // The square of a tiny error underflows; the number is cut to that of all nodes.
        count.ceil().clamp(1.0, u32::MAX.into()) as u64
    }

    /// The least e for so many draws, rounded up to three digits.
    pub(super) fn epsilon(self, draws: u64, delta: f64) -> f64 {
        let error = self.largest * (0.5 * self.log(delta) / draws as f64).sqrt();
        let up = format!("{:.2e}", error.min(self.largest) * 1.005);
        up.parse().expect("it is a number")
    }

    fn log(self, delta: f64) -> f64 {
        (2.0 * self.num_nodes / delta).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_and_errors_are_inverse() {
        let spread = Spread::of(100_000, 80_000, 0.5);
        for epsilon in [0.3, 0.05, 0.01, 0.003] {
            let draws = spread.draws(epsilon, 0.1);
            let again = spread.epsilon(draws, 0.1);
            assert!(again <= epsilon * 1.011, "{epsilon}: {draws}, {again}");
            // One draw less proves less.
            assert!(spread.epsilon(draws - 1, 0.1) >= epsilon, "{epsilon}");
        }
        // Hoeffding's bound by hand: ln(2e6) / 2 (0.4 / 0.05)^2 = 464.3.
        assert_eq!(spread.draws(0.05, 0.1), 465);
        assert_eq!(spread.draws(1e-200, 0.1), u64::from(u32::MAX));
        assert!(spread.epsilon(1, 0.1) <= 0.402);
    }

    #[test]
    fn what_is_no_size_is_refused() {
        assert!(SampleSize::sources(0, 0.1).is_err());
        for bad in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(SampleSize::relative(bad, 0.1).is_err());
            assert!(SampleSize::relative(0.1, bad).is_err());
            assert!(SampleSize::sources(1, bad).is_err());
        }
    }
}
