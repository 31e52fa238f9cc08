//! Geometric measures from HyperBall's counters: no bound on a score, a stated standard error.
//!
//! Formulas are those of the exact measures with estimated counts in them. Each count has the
//! relative standard error of its counter; scores are sums and quotients of such counts, whose
//! errors are correlated, and are usually about as precise. See
//! [`hyperball`] for method, space and sources.

use super::closeness::Variant;
use super::{Direction, Geometric, Measure};
use crate::error::{Error, Result};
use crate::graph::{Csr, Predecessors, Successors};
use crate::progress::Progress;
use crate::scores::{Outcome, Scores};
use crate::traversal::hyperball::{self, Balls, Counters};
use serde_json::json;

/// Estimates of each of `measures` for every node; eccentricity cannot be had from counters.
///
/// `successors` is the transpose of `predecessors`. The seed fixes the bits, for any number of
/// threads.
///
/// # Errors
/// If eccentricity is among the measures; those of [`hyperball::hyperball`].
pub fn estimate(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measures: &[Measure],
    counters: Counters,
    progress: &dyn Progress,
) -> Result<Geometric> {
    if measures.contains(&Measure::Eccentricity) {
        return Err(Error::Unsupported(
            "HyperBall does not estimate eccentricity; use the exact method".into(),
        ));
    }
    let (rows, reverse) = direction.rows(predecessors, successors);
    let n = rows.num_nodes();
    let powers: Vec<Box<dyn Fn(u32) -> f64 + Sync>> = measures
        .iter()
        .filter_map(|&measure| match measure {
            Measure::Decay(base) => Some(base),
            _ => None,
        })
        .map(|base| Box::new(move |d: u32| base.get().powi(d as i32)) as _)
        .collect();
    let functions: Vec<_> = powers.iter().map(|power| &**power).collect();
    let balls = hyperball::hyperball(rows, reverse, counters, &functions, progress)?;
    let mut decays = 0;
    let scores = measures
        .iter()
        .map(|&measure| {
            let outcome = Outcome::Estimated {
                relative_standard_error: counters.relative_standard_error(),
            };
            let mut run = measure.run(direction, "hyperball", outcome);
            run.parameters
                .insert("log2m".into(), json!(counters.log2m()));
            run.parameters.insert("seed".into(), json!(counters.seed));
            let sums = decays;
            decays += matches!(measure, Measure::Decay(_)) as usize;
            Scores {
                values: (0..n).map(|x| score(measure, &balls, sums, x, n)).collect(),
                run,
            }
        })
        .collect();
    let pairs = balls
        .pairs_within
        .last()
        .expect("distance 0 is always there");
    Ok(Geometric {
        scores,
        reachable_pairs: (pairs - n as f64).max(0.0) as u64,
    })
}

/// The score of `x`; `decays` is the place of a decay measure among them.
fn score(measure: Measure, balls: &Balls, decays: usize, x: usize, num_nodes: usize) -> f64 {
    let sum = balls.sum_of_distances[x] as f64;
    let others = num_nodes.saturating_sub(1).max(1) as f64;
    // A counter may fall short of the node itself, or exceed the graph.
    let reached = (balls.reached[x] as f64 - 1.0).clamp(0.0, others);
    match measure {
        Measure::Harmonic { normalize } => {
            balls.sum_of_reciprocals[x] as f64 / if normalize { others } else { 1.0 }
        }
        Measure::Reachable | Measure::Eccentricity => reached,
        Measure::Decay(_) => balls.sums[decays][x] as f64,
        Measure::Closeness(Variant::Nieminen) => (reached + 1.0).powi(2) - sum,
        Measure::Lin | Measure::Closeness(Variant::Lin) if sum == 0.0 => 1.0,
        Measure::Lin | Measure::Closeness(Variant::Lin) => (reached + 1.0).powi(2) / sum,
        Measure::Closeness(_) if sum == 0.0 => 0.0,
        Measure::Closeness(Variant::WassermanFaust) => reached / others * (reached / sum),
        Measure::Closeness(Variant::Bavelas) => 1.0 / sum,
    }
}
