//! Geometric measures from sampled nodes: a stratified sample, with an interval for every node.
//!
//! The score of x is a sum of terms f(d(y, x)) in [0, 1] over the y that reach x. One search from y, ALONG the
//! arcs for incoming distances, gives the term of y for every x. So k searches serve all nodes, 512 at a
//! time, on a graph in which nodes that are always reached together are one.
//!
//! * **Strata.** Nodes that are close to each other in breadth-first order have nearly equal distances. So one
//!   node is drawn from each of k equal runs of that order (`draws`), and the error is that of the
//!   differences within runs, which is many times smaller than that of uniform draws on crawls. The book's
//!   measurements of distances have the figures.
//! * **Known nodes.** Nodes without arcs in the direction of the search are left out of the draws: they
//!   reach nothing. Neighbours are known: terms are sampled up to f(2) only.
//! * **Small reach.** Nodes that fewer than 32 draws reach are searched from exactly (`small_reach`).
//! * **Intervals** are of two kinds (`estimates`): *estimated* from 16 random groups of draws, narrow, but
//!   not proved; and *proved* for independent draws, which does not see the strata, and so is wide.
//! * **All nodes at once.** By Hoeffding's inequality (1963, theorem 2) and a union bound, with probability
//!   1 - delta every normalised score is within epsilon, for the k of [`Precision`], or the epsilon that
//!   follows from k.
//!
//! If k is as large as the number of nodes that could be drawn, or of searches of the exact engine, scores are
//! exact. Sums are whole numbers: the bits depend only on the graph, the size of the sample and the seed.
//!
//! A measure declares by [`DistanceMeasure::largest`] that it is such a sum: harmonic, decay and reachable do;
//! closeness and Lin are quotients, eccentricity is a maximum, and integration needs the diameter.
//!
//! Cochran, "Sampling techniques", 1977, chapters 5 and 5A (strata); Wolter, "Introduction to variance
//! estimation", 2007, chapter 2 (random groups); Eppstein and Wang 2004 (closeness from uniform draws).

mod draws;
mod estimates;
mod kept;
mod size;
mod small_reach;
mod spread;

pub use estimates::IntervalKind;
pub use kept::SAMPLED;
pub use size::{DELTA, Precision, SOURCES, SampleSize};

use super::exact::Exact;
use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, Sums as SumsOfNode, Whole, is_known_from};
use super::{Direction, DistanceScores, run_of};
use crate::reduction::{Reduced, Steps};
use draws::Draws;
use estimates::{Estimates, LEAST_DRAWS};
use kept::State;
use ndarray::Array1;
use serde_json::json;
use size::{By, PILOT, Spread};
use spread::{Found, Scale, Searches, Sums};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::{Progress, Unheard};
use webrank_base::random::finalised;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::intervals::{Claim, Confidence, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// The nodes whose error a relative one is about.
const BEST: usize = 1000;

/// The parameters of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// It fixes the number of sampled nodes.
    pub size: SampleSize,
    /// Which interval each node has.
    pub intervals: IntervalKind,
    /// How often it holds.
    pub confidence: Confidence,
    /// It fixes the sampled nodes.
    pub seed: u64,
}

impl Sample {
    /// The bytes of a node while it is sampled by all threads, at most.
    pub(super) fn bytes_of_node(self, num_nodes: usize, measures: usize) -> u64 {
        let batches = self.size.at_most(num_nodes).div_ceil(512) as usize;
        // A batch may be taken up by another thread, whose room stays.
        let searches = (batches + 1).min(rayon::current_num_threads());
        (searches * spread::bytes_of_class(measures) + 8 * measures + 16) as u64
    }
}

/// Estimates of `measure` for every node, with intervals.
///
/// `successors` is the transpose of `predecessors`. O(m) for each 512 samples at worst, and at most eight
/// times as much for nodes of small reach. For each thread 330 bytes per class of nodes. Reports one unit to
/// `progress` per search.
///
/// # Errors
/// If the measure is not a sum of terms in [0, 1];
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn sample(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: &dyn DistanceMeasure,
    wanted: Sample,
    progress: &dyn Progress,
) -> Result<Scores> {
    let exact = Exact::new(predecessors, successors, direction);
    let (rows, reverse) = direction.rows(predecessors, successors);
    let sampler = Sampler {
        exact: &exact,
        rows,
        reverse,
        measures: &[measure],
        wanted,
    };
    let found = match sampler.run(progress)? {
        Some((found, _)) => found,
        None => exact.run(&[measure], progress)?,
    };
    let mut scores = found.scores.into_iter();
    Ok(scores.next().expect("there is one measure"))
}

/// Whether a measure can be sampled: it is a sum of terms.
pub(super) fn can_sample(measure: &dyn DistanceMeasure, num_nodes: usize) -> bool {
    let whole = Whole::of_unknown_diameter(num_nodes);
    measure.largest(&whole).is_some() && is_known_from(measure, &sums_of(measure, 1.0), &whole)
}

/// The sums of a node, of which this one is known: of terms, or else the number of nodes.
fn sums_of(measure: &dyn DistanceMeasure, sum: f64) -> SumsOfNode {
    let sum = ExactNumber::Estimate(sum);
    match measure.term() {
        Some(_) => SumsOfNode {
            terms: sum,
            ..SumsOfNode::UNKNOWN
        },
        None => SumsOfNode {
            reached: sum,
            ..SumsOfNode::UNKNOWN
        },
    }
}

/// A sample of a graph.
pub(super) struct Sampler<'a> {
    /// The graph, reduced for searches against those from the draws.
    pub(super) exact: &'a Exact<'a>,
    /// Its rows, and these reversed.
    pub(super) rows: &'a Csr,
    pub(super) reverse: &'a Csr,
    pub(super) measures: &'a [&'a dyn DistanceMeasure],
    pub(super) wanted: Sample,
}

/// The graph, reduced for the searches, and the nodes that may be drawn.
struct Population<'a> {
    graph: Reduced<'a>,
    order: Vec<Node>,
    degrees: Vec<u32>,
}

impl Sampler<'_> {
    /// The estimates, and notes on how they were found; none if exact scores take no more searches.
    ///
    /// # Errors
    /// If a measure is not a sum of terms in [0, 1]; [`Interrupted`](Error::Interrupted) when the user stops the
    /// run.
    pub(super) fn run(
        &self,
        progress: &dyn Progress,
    ) -> Result<Option<(DistanceScores, Vec<String>)>> {
        let n = self.rows.num_nodes();
        let unknown = self.measures.iter().find(|it| !can_sample(**it, n));
        if let Some(measure) = unknown {
            return Err(Error::NoMethod {
                measure: measure.name(),
                method: "sampling with a proved error",
                remedy: "sample harmonic, or use the exact method or hyperball",
            });
        }
        let population = self.population();
        let mut notes = Vec::new();
        let Some(count) = self.count(&population, &mut notes, progress)? else {
            return Ok(None);
        };
        let draws = Draws::new(&population.order, count, self.wanted.seed);
        let scales = self.scales(count);
        let searches = Searches {
            graph: &population.graph,
            draws: &draws,
            scales: &scales,
        };
        let state = State::run(&searches, self.exact, self.measures, progress)?;
        notes.extend(state.note(&population.degrees, &population.graph));
        let arcs = state.found.arcs + state.exact.arcs;
        let exact = state.exact.scores;
        let (sums, returned) = state.found.into_sums();
        let returns = Estimates::returns(&draws, &returned);
        let scores = (0..self.measures.len()).map(|place| {
            let estimates = self.estimates(
                &population,
                &draws,
                (&scales[place], place),
                &sums,
                &returns,
            );
            self.column(&estimates, place, &exact[place * n..][..n])
        });
        let scores = DistanceScores {
            scores: scores.collect(),
            rests: Vec::new(),
            reachable_share: None,
            arcs,
        };
        Ok(Some((scores, notes)))
    }

    fn population(&self) -> Population<'_> {
        // Members of a class are drawn, so chains are of no use.
        let steps = Steps {
            chains: false,
            ..Steps::ALL
        };
        let graph = Reduced::new(self.reverse, self.rows, steps);
        let order = draws::order(&graph);
        let rows = self.exact.graph.rows();
        let degrees = tasks::tabulate(rows.num_nodes(), |x| rows.degree(x as Node) as u32);
        Population {
            graph,
            order,
            degrees,
        }
    }

    fn scales(&self, count: usize) -> Vec<Scale<'_>> {
        let measures = self.measures.iter();
        measures
            .map(|measure| Scale::new(*measure, count))
            .collect()
    }

    fn estimates<'e>(
        &self,
        population: &'e Population<'e>,
        draws: &'e Draws,
        (scale, place): (&'e Scale<'e>, usize),
        sums: &'e Sums,
        returns: &'e [(Node, usize, u32)],
    ) -> Estimates<'e> {
        Estimates {
            graph: &population.graph,
            draws,
            scale,
            place: [place, self.measures.len()],
            sums,
            returns,
            sources: population.order.len(),
            degrees: &population.degrees,
            sizes: draws.sizes(),
            confidence: self.wanted.confidence,
            quantile: self.wanted.confidence.quantile_of_t15(),
        }
    }

    /// The number of draws; none if exact scores take no more searches.
    fn count(
        &self,
        population: &Population,
        notes: &mut Vec<String>,
        progress: &dyn Progress,
    ) -> Result<Option<usize>> {
        let limit = self.exact.units().min(population.order.len() as u64);
        let size = self.wanted.size;
        let count = match size.by {
            By::Sources(count) => count,
            By::Epsilon(epsilon) => {
                let scales = self.scales(1);
                let spreads = scales.iter().map(|scale| self.spread(population, scale));
                let counts = spreads.map(|spread| spread.draws(epsilon, size.delta));
                counts.max().unwrap_or(1)
            }
            By::Relative(_) if PILOT >= limit => return Ok(None),
            By::Relative(error) => {
                let found = self.pilot(population, progress)?;
                let wanted = PILOT as f64 * (found / error).powi(2) / 512.0;
                let count = 512.0 * wanted.ceil().clamp(1.0, 1e6);
                notes.push(format!(
                    "{count} sources: a pilot of {PILOT} had a relative standard error of {:.2}%, the \
                     quadratic mean of the best {BEST} nodes",
                    100.0 * found
                ));
                count as u64
            }
        };
        Ok((count < limit).then_some(count as usize))
    }

    fn spread(&self, population: &Population, scale: &Scale) -> Spread {
        let n = self.rows.num_nodes();
        Spread::of(n, population.order.len(), scale.largest)
    }

    /// The relative standard error of the best nodes, from a sample of its own: the quadratic mean, the largest
    /// of the measures.
    fn pilot(&self, population: &Population, progress: &dyn Progress) -> Result<f64> {
        let seed = finalised(self.wanted.seed ^ PILOT);
        let draws = Draws::new(&population.order, PILOT as usize, seed);
        let scales = self.scales(PILOT as usize);
        let searches = Searches {
            graph: &population.graph,
            draws: &draws,
            scales: &scales,
        };
        let mut found = Found::new(&searches);
        searches.advance(&mut found, usize::MAX / 512, &Unheard(progress))?;
        let (sums, returned) = found.into_sums();
        let returns = Estimates::returns(&draws, &returned);
        let mut worst: f64 = 0.0;
        for (place, scale) in scales.iter().enumerate() {
            let estimates = self.estimates(population, &draws, (scale, place), &sums, &returns);
            let of_node = |x| {
                let error = estimates.standard_error(x)?;
                let sum = estimates.sum(x);
                (sum > 0.0).then(|| (sum, error / sum))
            };
            let mut errors = tasks::select(self.rows.num_nodes(), of_node);
            errors.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            errors.truncate(BEST);
            let squares: f64 = errors.iter().map(|(_, error)| error * error).sum();
            worst = worst.max((squares / errors.len().max(1) as f64).sqrt());
        }
        Ok(worst)
    }

    /// The scores of a measure, from estimates of its sums, where exact scores are not known.
    fn column(&self, estimates: &Estimates, place: usize, exact: &[f64]) -> Scores {
        let (measure, wanted) = (self.measures[place], self.wanted);
        let n = self.rows.num_nodes();
        let whole = Whole::of_unknown_diameter(n);
        let score = |sum: f64| measure.score(&sums_of(measure, sum), &whole).value();
        let is_known = |x: usize| !exact[x].is_nan() || estimates.degrees[x] == 0;
        let known = |x: usize| match estimates.degrees[x] {
            0 => score(0.0),
            _ => exact[x],
        };
        let values = tasks::tabulate(n, |x| match is_known(x) {
            true => known(x),
            false => score(estimates.sum(x)),
        });
        let is_proved = match wanted.intervals {
            _ if estimates.draws.len() < LEAST_DRAWS => true,
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
        let spread = Spread::of(n, estimates.sources, estimates.scale.largest);
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
        let mut run = run_of(measure, self.exact.direction, "sample", outcome);
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

#[cfg(test)]
mod tests;
