//! Distance measures from HyperBall's counters: a stated standard error, but no bound on a score.
//!
//! The formulas are those of the exact measures, with estimated counts. Each count has the relative
//! standard error of its counter. Scores are sums and quotients of such counts, whose errors are
//! correlated, and are usually about as precise. Counters do not yield eccentricities. See
//! [`traversal::hyperball`](crate::traversal::hyperball) for method, space and sources.

use super::measure::{DistanceMeasure, Sums, Whole, is_known_from};
use super::number::Number;
use super::{Direction, DistanceScores, run_of, share_of_pairs};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::scores::{Outcome, Scores};
use crate::traversal::hyperball::{BallRows, Balls, Counters, HyperBall, Slicing};
use serde_json::json;

/// Estimates of each of `measures` for every node.
///
/// `rows` are those that distances of this direction follow. The seed fixes the bits, for any number
/// of threads, any slicing, any form of the rows.
///
/// # Errors
/// If a measure needs quantities that counters do not yield; those of [`HyperBall::run`].
pub fn estimate(
    rows: BallRows,
    direction: Direction,
    measures: &[&dyn DistanceMeasure],
    counters: Counters,
    slicing: Slicing,
    progress: &dyn Progress,
) -> Result<DistanceScores> {
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
    let balls = run.run()?;
    let whole = Whole {
        num_nodes: rows.num_nodes(),
        diameter: Number::integer(balls.steps() as u64),
    };
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
        Scores {
            values: (0..whole.num_nodes).map(score).collect(),
            run,
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
    let one = Number::Estimate(1.0);
    let told = Sums {
        reached: one,
        distances: one,
        terms: one,
        ..Sums::UNKNOWN
    };
    let whole = Whole {
        num_nodes: 2,
        diameter: Number::ONE,
    };
    is_known_from(measure, &told, &whole)
}

/// The sums of node `x`; `place` is the place of the measure's terms.
fn sums_of(balls: &Balls, place: Option<usize>, x: usize, whole: &Whole) -> Sums {
    let estimate = |list: &[f32]| Number::Estimate(list[x] as f64);
    // A counter may estimate less than the node itself, or more than the graph.
    let reached = (balls.reached[x] as f64 - 1.0).clamp(0.0, whole.others().value());
    Sums {
        reached: Number::Estimate(reached),
        distances: estimate(&balls.sum_of_distances),
        terms: place.map_or(Number::UNKNOWN, |place| estimate(&balls.sums[place])),
        eccentricity: Number::UNKNOWN,
    }
}
