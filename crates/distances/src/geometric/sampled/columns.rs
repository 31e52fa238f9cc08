//! The request of a sample, and the scores that are made of its sums.

use super::draws::{Draws, GROUPS};
use super::estimates::{ClassesOfNodes, Estimates, IntervalKind, LEAST_DRAWS};
use super::size::{By, PILOT, Spread};
use super::spread::{Scale, Sums};
use super::{BEST, Sample, can_sample, sums_of};
use crate::geometric::measure::{DistanceMeasure, Whole};
use crate::geometric::{Direction, run_of};
use ndarray::Array1;
use serde_json::json;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::random::finalised;
use webrank_scores::intervals::{Claim, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// The request.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) measures: &'a [&'a dyn DistanceMeasure],
    pub(super) direction: Direction,
    pub(super) wanted: Sample,
    pub(super) num_nodes: usize,
}

/// The nodes that are sampled.
pub(super) struct Sampled<'a> {
    pub(super) nodes: ClassesOfNodes<'a>,
    /// The neighbours of each node, itself not counted.
    pub(super) degrees: &'a [u32],
    /// The number of nodes that may be drawn.
    pub(super) sources: usize,
}

/// The findings of the searches from draws.
pub(super) struct Findings<'a> {
    pub(super) draws: Draws,
    pub(super) scales: Vec<Scale<'a>>,
    pub(super) sums: Sums,
    /// The drawn nodes that searches came back to.
    returns: Vec<(Node, usize, u32)>,
}

impl<'a> Findings<'a> {
    /// From the sums, and the level at which each draw came back; 0 for never.
    pub(super) fn new(
        draws: Draws,
        scales: Vec<Scale<'a>>,
        (sums, returned): (Sums, Vec<u32>),
    ) -> Self {
        let returns = Estimates::returns(&draws, &returned);
        Findings {
            draws,
            scales,
            sums,
            returns,
        }
    }
}

impl<'a> Asked<'a> {
    /// Checks that all measures can be sampled.
    ///
    /// # Errors
    /// If a measure is not a sum of terms in [0, 1].
    pub(super) fn check(&self) -> Result<()> {
        let mut measures = self.measures.iter();
        match measures.find(|measure| !can_sample(**measure, self.num_nodes)) {
            None => Ok(()),
            Some(measure) => Err(Error::NoMethod {
                measure: measure.name(),
                method: "sampling with a proved error",
                remedy: "sample harmonic, or use the exact method or hyperball",
            }),
        }
    }

    /// The terms of each measure for so many draws, which `sums` share.
    pub(super) fn scales(&self, draws: usize, sums: usize) -> Vec<Scale<'a>> {
        let measures = self.measures.iter();
        let of_sum = draws.div_ceil(sums);
        measures
            .map(|measure| Scale::new(*measure, draws, of_sum))
            .collect()
    }

    /// The number of draws from so many nodes, and a note on it; none if it is not below `limit`. A pilot,
    /// which gets the number of its draws and its seed, finds a relative standard error.
    pub(super) fn count(
        &self,
        sources: usize,
        limit: u64,
        pilot: impl FnOnce(usize, u64) -> Result<f64>,
    ) -> Result<(Option<usize>, Option<String>)> {
        let size = self.wanted.size;
        let (count, note) = match size.by {
            By::Sources(count) => (count, None),
            By::Epsilon(epsilon) => {
                let scales = self.scales(1, GROUPS);
                let spreads = scales.iter().map(|scale| self.spread(sources, scale));
                let counts = spreads.map(|spread| spread.draws(epsilon, size.delta));
                (counts.max().unwrap_or(1), None)
            }
            By::Relative(_) if PILOT >= limit => return Ok((None, None)),
            By::Relative(error) => {
                let found = pilot(PILOT as usize, finalised(self.wanted.seed ^ PILOT))?;
                let wanted = PILOT as f64 * (found / error).powi(2) / 512.0;
                let count = 512.0 * wanted.ceil().clamp(1.0, 1e6);
                let note = format!(
                    "{count} sources: a pilot of {PILOT} had a relative standard error of {:.2}%, the \
                     quadratic mean of the best {BEST} nodes",
                    100.0 * found
                );
                (count as u64, Some(note))
            }
        };
        Ok(((count < limit).then_some(count as usize), note))
    }

    fn spread(&self, sources: usize, scale: &Scale) -> Spread {
        Spread::of(self.num_nodes, sources, scale.largest)
    }

    /// The relative standard error of the best nodes: the quadratic mean, the largest of the measures.
    pub(super) fn error_of_best(&self, sampled: &Sampled, found: &Findings) -> f64 {
        let mut worst: f64 = 0.0;
        for place in 0..self.measures.len() {
            let estimates = self.estimates(sampled, found, place);
            let of_node = |x| {
                let error = estimates.standard_error(x)?;
                let sum = estimates.sum(x);
                (sum > 0.0).then(|| (sum, error / sum))
            };
            let mut errors = tasks::select(self.num_nodes, of_node);
            errors.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            errors.truncate(BEST);
            let squares: f64 = errors.iter().map(|(_, error)| error * error).sum();
            worst = worst.max((squares / errors.len().max(1) as f64).sqrt());
        }
        worst
    }

    /// The estimates of a measure.
    pub(super) fn estimates<'e>(
        &self,
        sampled: &'e Sampled<'e>,
        found: &'e Findings<'e>,
        place: usize,
    ) -> Estimates<'e> {
        Estimates {
            nodes: &sampled.nodes,
            draws: &found.draws,
            scale: &found.scales[place],
            place: [place, self.measures.len()],
            sums: &found.sums,
            returns: &found.returns,
            sources: sampled.sources,
            degrees: sampled.degrees,
            sizes: found.draws.sizes(),
            confidence: self.wanted.confidence,
            quantile: self.wanted.confidence.quantile_of_t15(),
        }
    }

    /// The scores of each measure, from estimates of its sums, where `exact` does not know the score of a
    /// node: it is not a number there.
    pub(super) fn columns(
        &self,
        sampled: &Sampled,
        found: &Findings,
        exact: impl Fn(usize, usize) -> f64 + Sync,
    ) -> Vec<Scores> {
        let places = 0..self.measures.len();
        places
            .map(|place| {
                let estimates = self.estimates(sampled, found, place);
                self.column(&estimates, place, |x| exact(place, x))
            })
            .collect()
    }

    fn column(
        &self,
        estimates: &Estimates,
        place: usize,
        exact: impl Fn(usize) -> f64 + Sync,
    ) -> Scores {
        let (measure, wanted, n) = (self.measures[place], self.wanted, self.num_nodes);
        let whole = Whole::of_unknown_diameter(n);
        let score = |sum: f64| measure.score(&sums_of(measure, sum), &whole).value();
        let is_known = |x: usize| !exact(x).is_nan() || estimates.degrees[x] == 0;
        let known = |x: usize| match estimates.degrees[x] {
            0 => score(0.0),
            _ => exact(x),
        };
        let values = tasks::tabulate(n, |x| match is_known(x) {
            true => known(x),
            false => score(estimates.sum(x)),
        });
        let is_proved = match wanted.intervals {
            _ if estimates.draws.len() < LEAST_DRAWS || !estimates.sums.has_groups() => true,
            IntervalKind::Auto => wanted.size.is_proved(),
            IntervalKind::Estimated => false,
            IntervalKind::Proved => true,
        };
        let ends = |x: usize| {
            if is_known(x) {
                return (known(x), known(x));
            }
            let (lower, upper) = estimates.interval(x, is_proved);
            (score(lower), score(upper))
        };
        let claim = Claim {
            confidence: wanted.confidence.get(),
            holds: Holds::EachNode,
            proved: is_proved,
        };
        let intervals = Intervals::around(&values, claim, ends);
        let normalized = measure.parameters().get("normalize") == Some(&true.into());
        let spread = self.spread(estimates.sources, estimates.scale);
        let delta = wanted.size.delta;
        let sources = estimates.draws.len() as u64;
        let outcome = Outcome::Sampled {
            sources,
            epsilon: match wanted.size.by {
                By::Epsilon(epsilon) => epsilon,
                _ => spread.epsilon(sources, delta),
            },
            delta,
            unit: Some(if normalized { 1.0 } else { n as f64 - 1.0 }),
        };
        let mut run = run_of(measure, self.direction, "sample", outcome);
        let kind = match is_proved {
            true => IntervalKind::Proved,
            false => IntervalKind::Estimated,
        };
        run.parameters.insert("intervals".into(), json!(kind));
        run.parameters.insert("seed".into(), json!(wanted.seed));
        Scores {
            values: Array1::from(values),
            run,
            intervals: Some(intervals),
        }
    }
}
