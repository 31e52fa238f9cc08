//! Betweenness estimated from the searches of sampled sources.
//!
//! For k sources drawn without replacement, n / k times the sum of their dependencies is an
//! unbiased estimate of the betweenness. The share of the n - 2 ends that a source reaches through
//! x is in [0, 1]. So by Hoeffding's inequality in Serfling's form, and a union bound over all x,
//! with probability 0.9 EVERY score, normalised by (n-1)(n-2) (ends of paths are counted exactly),
//! is within
//!
//! ```text
//!   epsilon = n/(n-1) sqrt((1 - (k-1)/n) ln(2 n / 0.1) / (2 k))
//! ```
//!
//! Brandes and Pich 2007.

use super::exact::batched::BatchedBrandes;
use super::exact::{LANES, betweenness, ends};
use super::{Betweenness, BetweennessMethod};
use crate::error::Result;
use crate::graph::{Csr, Predecessors, Successors};
use crate::parallel::simd::Simd;
use crate::progress::Progress;
use crate::reduction::Steps;
use crate::scores::{Outcome, Scores};
use crate::traversal::sources::Sources;
use ndarray::Array1;

/// The probability that the error bound of a sample fails.
const DELTA: f64 = 0.1;

/// Estimates from searches from [`Betweenness::samples`] sources; exact if these are all nodes.
///
/// `predecessors` is the transpose of `successors`. Time and space are those of exact scores, in
/// proportion to the number of sources.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn estimate(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<Scores> {
    let n = successors.0.num_nodes();
    let (count, seed) = (params.samples.get().min(n), params.seed);
    let mut run = params.record(BetweennessMethod::Sources, Outcome::Exact);
    run.parameters.insert("samples".into(), count.into());
    if count == n {
        let values = betweenness(successors, predecessors, params, progress)?.values;
        return Ok(Scores { values, run });
    }
    let sources = Sources::Sample { count, seed }.nodes(n)?;
    let (steps, simd) = (Steps::ALL, Simd::best());
    let engine = BatchedBrandes::new(successors, predecessors, Some(&sources), steps, simd);
    progress.begin("searching", Some(engine.searches()));
    let mut values = Array1::from(engine.run::<LANES>(progress)?.sums);
    progress.end();
    values *= n as f64 / count as f64;
    if params.endpoints {
        values += &ends(successors, predecessors, progress)?;
    }
    values *= params.scale(n);
    run.outcome = Outcome::Sampled {
        sources: count as u64,
        epsilon: error_bound(n as f64, count as f64),
        delta: DELTA,
        unit: Some(params.unit(n)),
    };
    Ok(Scores { values, run })
}

fn error_bound(n: f64, count: f64) -> f64 {
    let unseen = 1.0 - (count - 1.0) / n;
    n / (n - 1.0) * (unseen * (2.0 * n / DELTA).ln() / (2.0 * count)).sqrt()
}
