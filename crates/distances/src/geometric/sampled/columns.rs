//! The request of a sample, and the scores that are made of its sums.

use super::draws::{Draws, GROUPS};
use super::estimates::{ClassesOfNodes, Estimates, IntervalKind, LEAST_DRAWS};
use super::formulas::{Formula, Formulas, sums_of};
use super::scale::Scale;
use super::size::{By, PILOT, Spread};
use super::sums::Sums;
use super::{BEST, Sample};
use crate::geometric::measure::{DistanceMeasure, Whole};
use crate::geometric::{Direction, run_of, share_of_pairs};
use ndarray::Array1;
use serde_json::json;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::random::finalised;
use webrank_scores::intervals::{Claim, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// The request.
pub(super) struct Asked<'a> {
    measures: &'a [&'a dyn DistanceMeasure],
    formulas: Formulas<'a>,
    direction: Direction,
    wanted: Sample,
    num_nodes: usize,
    /// The nodes whose scores are wanted: all, or those of a worker.
    held: usize,
    whole: Whole,
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
    /// A sample of so many nodes.
    ///
    /// # Errors
    /// If a measure cannot be sampled, or not with the errors or intervals that are wanted.
    pub(super) fn new(
        measures: &'a [&'a dyn DistanceMeasure],
        direction: Direction,
        wanted: Sample,
        num_nodes: usize,
    ) -> Result<Self> {
        let formulas = Formulas::of(measures, num_nodes)?;
        let mut all = measures.iter().zip(&formulas.places);
        if let Some((measure, _)) = all.find(|(_, places)| places.distances.is_some()) {
            let name = measure.name();
            if let By::Epsilon(epsilon) = wanted.size.by {
                let remedy = format!(
                    "no error bound of {name} follows from a sample: give sources, or a relative error"
                );
                return Err(Error::argument("epsilon", epsilon, remedy));
            }
            if wanted.intervals == IntervalKind::Proved {
                let remedy =
                    format!("no interval of {name} is proved: estimated ones are possible");
                return Err(Error::argument("intervals", "proved", remedy));
            }
        }
        Ok(Asked {
            measures,
            formulas,
            direction,
            wanted,
            num_nodes,
            held: num_nodes,
            whole: Whole::of_unknown_diameter(num_nodes),
        })
    }

    /// A sample whose scores are wanted for the first nodes only, which are those of a worker.
    pub(super) fn of_held(self, held: usize) -> Self {
        Asked { held, ..self }
    }

    /// True if intervals or a pilot need sums of groups.
    pub(super) fn needs_groups(&self) -> bool {
        let mut places = self.formulas.places.iter();
        self.wanted.intervals == IntervalKind::Estimated
            || matches!(self.wanted.size.by, By::Relative(_))
            || places.any(|places| places.distances.is_some())
    }

    /// The number of sums.
    pub(super) fn num_sums(&self) -> usize {
        self.formulas.quantities.len()
    }

    /// The terms of each sum for so many draws, which `sums` share.
    pub(super) fn scales(&self, draws: usize, sums: usize) -> Vec<Scale<'a>> {
        let of_sum = draws.div_ceil(sums);
        let scale = |&quantity: &_| Scale::new(quantity, draws, of_sum);
        self.formulas.quantities.iter().map(scale).collect()
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
        Spread::of(self.num_nodes, sources, scale.whole)
    }

    /// The relative standard error of the best nodes: the quadratic mean, the largest of the measures. `of_all` makes
    /// scores and errors of the nodes of all workers from those of one.
    pub(super) fn error_of_best(
        &self,
        sampled: &Sampled,
        found: &Findings,
        mut of_all: impl FnMut(Vec<[f64; 2]>) -> Result<Vec<[f64; 2]>>,
    ) -> Result<f64> {
        let mut worst: f64 = 0.0;
        for place in 0..self.measures.len() {
            let column = self.column_of(sampled, found, place);
            let of_node = |x| {
                let (value, error) = column.value_and_error(x)?;
                (value > 0.0).then(|| [value, error / value])
            };
            let errors = best(of_all(best(tasks::select(self.held, of_node)))?);
            let squares: f64 = errors.iter().map(|[_, error]| error * error).sum();
            worst = worst.max((squares / errors.len().max(1) as f64).sqrt());
        }
        Ok(worst)
    }

    /// The estimates of the sum at a place.
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
            place: [place, self.num_sums()],
            sums: &found.sums,
            returns: &found.returns,
            sources: sampled.sources,
            degrees: sampled.degrees,
            sizes: found.draws.sizes(),
            confidence: self.wanted.confidence,
            quantile: self.wanted.confidence.quantile_of_t15(),
        }
    }

    fn column_of<'e>(
        &'e self,
        sampled: &'e Sampled<'e>,
        found: &'e Findings<'e>,
        place: usize,
    ) -> Column<'e> {
        let (measure, places) = (self.measures[place], self.formulas.places[place]);
        let terms = self.estimates(sampled, found, places.terms);
        match places.distances {
            None => Column::Sum(terms),
            Some(distances) => Column::Formula(Formula {
                measure,
                whole: &self.whole,
                nodes: terms,
                distances: self.estimates(sampled, found, distances),
            }),
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
                let column = self.column_of(sampled, found, place);
                self.scores(&column, self.measures[place], |x| exact(place, x))
            })
            .collect()
    }

    /// The reachable share of all pairs of nodes, if the number of nodes that reach each is estimated.
    pub(super) fn reachable_share(&self, sampled: &Sampled, found: &Findings) -> Option<f64> {
        let place = self.formulas.place_of_count()?;
        let estimates = self.estimates(sampled, found, place);
        let sums = tasks::map(tasks::ranges(self.held), |nodes| {
            let reached = nodes.filter(|&x| sampled.degrees[x] > 0);
            reached.map(|x| estimates.sum(x)).sum::<f64>()
        });
        Some(share_of_pairs(sums.iter().sum(), self.num_nodes))
    }

    fn scores(
        &self,
        column: &Column,
        measure: &dyn DistanceMeasure,
        exact: impl Fn(usize) -> f64 + Sync,
    ) -> Scores {
        let wanted = self.wanted;
        let score = |sum, distances| {
            let sums = sums_of(measure, sum, distances);
            measure.score(&sums, &self.whole).value()
        };
        let terms = column.terms();
        let is_known = |x: usize| !exact(x).is_nan() || terms.degrees[x] == 0;
        let known = |x: usize| match terms.degrees[x] {
            0 => score(0.0, 0.0),
            _ => exact(x),
        };
        let values = tasks::tabulate(self.held, |x| match (is_known(x), column) {
            (true, _) => known(x),
            (_, Column::Sum(estimates)) => score(estimates.sum(x), f64::NAN),
            (_, Column::Formula(formula)) => formula.value(x),
        });
        let is_proved = match column {
            Column::Formula(_) => false,
            Column::Sum(it) if it.draws.len() < LEAST_DRAWS || !it.sums.has_groups() => true,
            Column::Sum(_) => wanted.is_proved(),
        };
        let ends = |x: usize| match (is_known(x), column) {
            (true, _) => (known(x), known(x)),
            (_, Column::Formula(formula)) => formula.interval(x),
            (_, Column::Sum(estimates)) => {
                let (lower, upper) = estimates.interval(x, is_proved);
                (score(lower, f64::NAN), score(upper, f64::NAN))
            }
        };
        let claim = Claim {
            confidence: wanted.confidence.get(),
            holds: Holds::EachNode,
            proved: is_proved,
        };
        let intervals = Intervals::around(&values, claim, ends);
        let outcome = self.outcome(column, measure);
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

    fn outcome(&self, column: &Column, measure: &dyn DistanceMeasure) -> Outcome {
        let terms = column.terms();
        let sources = terms.draws.len() as u64;
        if let Column::Formula(_) = column {
            return Outcome::SampledUnbounded { sources };
        }
        let size = self.wanted.size;
        let normalized = measure.parameters().get("normalize") == Some(&true.into());
        let spread = self.spread(terms.sources, terms.scale);
        Outcome::Sampled {
            sources,
            epsilon: match size.by {
                By::Epsilon(epsilon) => epsilon,
                _ => spread.epsilon(sources, size.delta),
            },
            delta: size.delta,
            unit: Some(match normalized {
                true => 1.0,
                false => self.num_nodes as f64 - 1.0,
            }),
        }
    }
}

/// The best scores, with their errors, in an order that does not depend on that of the nodes.
fn best(mut errors: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    errors.sort_unstable_by(|a, b| b[0].total_cmp(&a[0]).then(a[1].total_cmp(&b[1])));
    errors.truncate(BEST);
    errors
}

/// The estimates of a measure.
enum Column<'a> {
    /// A sum of terms, or of nodes.
    Sum(Estimates<'a>),
    /// Made of two sums.
    Formula(Formula<'a>),
}

impl<'a> Column<'a> {
    /// The estimates of the sum of terms, or of nodes.
    fn terms(&self) -> &Estimates<'a> {
        match self {
            Column::Sum(estimates) => estimates,
            Column::Formula(formula) => &formula.nodes,
        }
    }

    /// The estimate of a node and its standard error; none if too few draws reach it.
    fn value_and_error(&self, x: usize) -> Option<(f64, f64)> {
        match self {
            Column::Sum(estimates) => Some((estimates.sum(x), estimates.standard_error(x)?)),
            Column::Formula(formula) => Some((formula.value(x), formula.standard_error(x)?)),
        }
    }
}
