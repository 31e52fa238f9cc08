//! Distance measures from HyperBall's counters: intervals by a stated standard error, but no proved
//! bound on a score.
//!
//! The formulas are those of the exact measures, with estimated counts. Counters do not yield
//! eccentricities. See [`traversal::hyperball`](crate::traversal::hyperball) for method, space and
//! sources.
//!
//! # Intervals
//!
//! Let c(t) be the number of nodes within distance t, the node itself included, and e the relative
//! standard error of a counter, 1.04 / sqrt(2^log2m).
//!
//! * *Proved:* reachable + 1, harmonic + 1 and decay + base are sums of the c(t) with factors
//!   that are not negative, f(t) - f(t + 1) for the term f. Hence (Minkowski) their relative standard
//!   error is at most e, however the errors of the c(t) depend on each other, if that of every c(t) is.
//!   Neighbours are counted exactly, and a node without neighbours is known exactly.
//! * *Not proved:* that the standard error of a counter is e: it is the limit for large counts, by
//!   the analysis of HyperLogLog, and the small counts of LogLog-beta are corrected by a polynomial
//!   that was fitted; that errors are normal on a logarithmic scale, so that the interval with the
//!   confidence 95% reaches from the estimate times exp(-1.96 e) to that times exp(1.96 e). And
//!   closeness and Lin are quotients, whose sums of distances have factors of both signs: twice e is
//!   what was measured to suffice ([`DistanceMeasure::counter_errors`]).
//! * *Integration* has no intervals: it needs the diameter, and HyperBall may miss the last steps of
//!   long paths, which shifts all scores.
//! * *Small counts.* Up to about the square root of 2^log2m nodes are mostly counted exactly; the
//!   error is that two of them meet in one register, and one is missed. Unless that is improbable
//!   (half of c (c - 1) / 2^log2m is at most a quarter of the probability of a miss), the upper end has
//!   one node more, where it counts most.
//!
//! `docs/src/measurements/estimates.md` says how often the truth is inside on real graphs. All nodes share one hash of
//! the nodes, so their errors are correlated: with one seed, many intervals may miss together.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, Sums, Whole, is_known_from};
use super::{Direction, DistanceScores, run_of, share_of_pairs};
use crate::traversal::hyperball::{BallRows, Balls, Counters, HyperBall, Slicing};
use ndarray::Array1;
use serde_json::json;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;
use webrank_scores::intervals::{Claim, Confidence, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// The parameters of an estimate.
pub struct HyperballEstimate<'a> {
    /// The direction of distances.
    pub direction: Direction,
    /// The measures.
    pub measures: &'a [&'a dyn DistanceMeasure],
    /// Their counters.
    pub counters: Counters,
    /// How many registers are held at a time.
    pub slicing: Slicing,
    /// The confidence of the intervals.
    pub confidence: Confidence,
}

/// Estimates of each measure for every node, with intervals.
///
/// `rows` are those that distances of this direction follow. The seed fixes the bits, for any number
/// of threads, any slicing, any form of the rows, any number of workers.
///
/// # Errors
/// If a measure needs quantities that counters do not yield; those of [`HyperBall::run`].
pub fn estimate(
    rows: BallRows,
    asked: HyperballEstimate,
    progress: &dyn Progress,
) -> Result<DistanceScores> {
    let mut exchange = Exchange::alone();
    let found = estimate_among(&mut exchange, rows, rows.num_nodes(), asked, progress);
    exchange.end(found)
}

/// Estimates for the nodes of a worker, of `num_nodes` in all.
///
/// # Errors
/// As for [`estimate`]; if another worker fails.
pub(crate) fn estimate_among(
    exchange: &mut Exchange,
    rows: BallRows,
    num_nodes: usize,
    asked: HyperballEstimate,
    progress: &dyn Progress,
) -> Result<DistanceScores> {
    let HyperballEstimate {
        direction,
        measures,
        counters,
        slicing,
        confidence,
    } = asked;
    if let Some(measure) = measures.iter().find(|measure| !can_estimate(**measure)) {
        return Err(Error::NoMethod {
            measure: measure.name(),
            method: "HyperBall",
            remedy: "use the exact method",
        });
    }
    let mut functions: Vec<Box<dyn Fn(u32) -> f64 + Sync + '_>> = Vec::new();
    let mut places = Vec::new();
    for measure in measures {
        places.push(measure.term().map(|term| {
            functions.push(Box::new(|distance| term.at(distance)));
            functions.len() - 1
        }));
    }
    let functions: Vec<_> = functions.iter().map(|function| &**function).collect();
    let run = HyperBall {
        rows,
        counters,
        slicing,
        functions: &functions,
        progress,
    };
    let balls = run.run_among(exchange)?;
    let whole = Whole {
        num_nodes,
        diameter: ExactNumber::integer(balls.steps() as u64),
    };
    let degrees = rows.degrees()?;
    let scores = measures.iter().zip(&places).map(|(measure, &place)| {
        let outcome = Outcome::Estimated {
            relative_standard_error: counters.relative_standard_error(),
        };
        let mut run = run_of(*measure, direction, "hyperball", outcome);
        run.parameters
            .insert("log2m".into(), json!(counters.log2m()));
        run.parameters.insert("seed".into(), json!(counters.seed));
        let score = |x| {
            measure
                .score(&sums_of(&balls, place, x, &whole), &whole)
                .value()
        };
        let values: Array1<f64> = (0..rows.num_nodes()).map(score).collect();
        let around = Around {
            measure: *measure,
            place,
            balls: &balls,
            whole: &whole,
            degrees: &degrees,
            counters,
            confidence,
        };
        let intervals = around.intervals(values.as_slice().expect("one column is contiguous"));
        Scores {
            values,
            run,
            intervals,
        }
    });
    let within = balls.pairs_within.last();
    let pairs = within.expect("distance 0 is always there") - whole.num_nodes as f64;
    Ok(DistanceScores {
        scores: scores.collect(),
        rests: Vec::new(),
        reachable_share: Some(share_of_pairs(pairs.max(0.0).trunc(), whole.num_nodes)),
        arcs: 0,
    })
}

/// True if counters yield what the measure needs.
pub(super) fn can_estimate(measure: &dyn DistanceMeasure) -> bool {
    let one = ExactNumber::Estimate(1.0);
    let told = Sums {
        reached: one,
        distances: one,
        terms: one,
        ..Sums::UNKNOWN
    };
    let whole = Whole {
        num_nodes: 2,
        diameter: ExactNumber::ONE,
    };
    is_known_from(measure, &told, &whole)
}

/// The sums of node `x`; `place` is the place of the measure's terms.
fn sums_of(balls: &Balls, place: Option<usize>, x: usize, whole: &Whole) -> Sums {
    let estimate = |list: &[f32]| ExactNumber::Estimate(list[x] as f64);
    // A counter may estimate less than the node itself, or more than the graph.
    let reached = (balls.reached[x] as f64 - 1.0).clamp(0.0, whole.others().value());
    Sums {
        reached: ExactNumber::Estimate(reached),
        distances: estimate(&balls.sum_of_distances),
        terms: place.map_or(ExactNumber::UNKNOWN, |place| estimate(&balls.sums[place])),
        eccentricity: ExactNumber::UNKNOWN,
    }
}

/// The inputs of the intervals of a measure's scores.
struct Around<'a> {
    measure: &'a dyn DistanceMeasure,
    /// The place of its terms.
    place: Option<usize>,
    balls: &'a Balls,
    whole: &'a Whole,
    /// The number of neighbours of each node, itself not counted.
    degrees: &'a [u32],
    counters: Counters,
    confidence: Confidence,
}

impl Around<'_> {
    fn intervals(&self, scores: &[f64]) -> Option<Intervals> {
        let errors = self.measure.counter_errors()?;
        let term = self.measure.term();
        let value = |distance| term.map_or(1.0, |term| term.at(distance));
        let known = Known {
            degrees: self.degrees,
            num_nodes: self.whole.num_nodes,
            values: [value(1), value(2)],
        };
        // A sum over the nodes reached, and nothing else.
        let is_sum = self.measure.largest(self.whole).is_some();
        let error = errors * self.counters.relative_standard_error();
        let factor = (self.confidence.deviations() * error).exp();
        let ends = |x: usize| {
            let degree = f64::from(self.degrees[x]);
            if degree == 0.0 {
                let exactly = self.score(&exactly(0.0, 0.0, 0.0));
                return (exactly, exactly);
            }
            // Estimates may be smaller than what is known.
            let count = f64::from(self.balls.reached[x]).max(degree + 1.0);
            let sums = sums_of(self.balls, self.place, x, self.whole);
            let distances = sums.distances.value().max(degree);
            let terms = sums.terms.value().max(degree * value(1)) + value(1);
            // If all counts, with so many nodes more, were larger by a factor.
            let scaled = |factor: f64, missed: f64| {
                let more = (count + missed) * factor;
                exactly(
                    more - 1.0,
                    distances * more / count,
                    (terms + value(1) * missed) * factor - value(1),
                )
            };
            let missed = self.missed(count * factor);
            let ends = [scaled(1.0 / factor, 0.0), scaled(factor, missed)];
            let [one, other] = ends.map(|sums| self.score(&sums));
            let (lower, upper) = (one.min(other), one.max(other));
            if !is_sum {
                return (lower, upper);
            }
            let all = (f64::NEG_INFINITY, f64::INFINITY);
            let (least, most) = known.narrowed(x, all);
            let [least, most] = [least, most].map(|sum| self.score(&exactly(sum, sum, sum)));
            (lower.max(least), upper.min(most))
        };
        let claim = Claim {
            confidence: self.confidence.get(),
            holds: Holds::EachNode,
            proved: false,
        };
        Some(Intervals::around(scores, claim, ends))
    }

    fn score(&self, sums: &Sums) -> f64 {
        self.measure.score(sums, self.whole).value()
    }

    /// How many of so many nodes may have been missed: one, or none if no two of them are likely to
    /// share a register.
    fn missed(&self, count: f64) -> f64 {
        let pairs = count * (count - 1.0) / 2.0;
        let meet = pairs / f64::from(1u32 << self.counters.log2m());
        f64::from(u8::from(meet > self.confidence.miss() / 4.0))
    }
}

/// These sums.
fn exactly(reached: f64, distances: f64, terms: f64) -> Sums {
    Sums {
        reached: ExactNumber::Estimate(reached),
        distances: ExactNumber::Estimate(distances),
        terms: ExactNumber::Estimate(terms),
        eccentricity: ExactNumber::UNKNOWN,
    }
}

/// The bounds of a sum of terms without a search: neighbours are at distance 1, and the others are
/// farther, if they are reached.
struct Known<'a> {
    /// The number of neighbours of each node, itself not counted.
    degrees: &'a [u32],
    /// The number of nodes of the graph.
    num_nodes: usize,
    /// The terms at distances 1 and 2; farther ones are no larger.
    values: [f64; 2],
}

impl Known<'_> {
    /// The part of an interval that is possible for the sum of a node.
    fn narrowed(&self, x: usize, (lower, upper): (f64, f64)) -> (f64, f64) {
        let degree = self.degrees[x] as usize;
        if degree == 0 {
            return (0.0, 0.0);
        }
        let others = self.num_nodes - 1 - degree;
        let near = degree as f64 * self.values[0];
        let far = others as f64 * self.values[1];
        (lower.max(near), upper.min(near + far))
    }
}
