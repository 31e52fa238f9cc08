//! Betweenness estimated from the searches of some sources: a sample, or given ones.
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
//! That is a bound for all nodes at once, and the same for all. The interval of each node is for that
//! node alone, and much narrower for the many nodes that few paths pass through: Chernoff's bound for a
//! mean of numbers in [0, 1], which is proved ([`sample_mean`](crate::sample_mean); the
//! squares of the shares, which would narrow it further, are not added up). A node without arcs in, or
//! without arcs out, is known exactly.
//!
//! For k given sources, n / k times the sum of their dependencies is all that is claimed: nothing is
//! known of how they were chosen, so nothing of other sources. End nodes are then counted for the
//! paths from the sources alone, scaled as the rest.
//!
//! Brandes and Pich 2007.

use super::exact::batched::BatchedBrandes;
use super::exact::{LANES, betweenness, ends};
use super::source_ends::ends_from;
use super::{Betweenness, BetweennessMethod};
use crate::reduction::Reductions;
use crate::sample_mean::SampleMean;
use ndarray::Array1;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Progress;
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::intervals::{Claim, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// The probability that the error bound of a sample fails.
const DELTA: f64 = 0.1;

/// Estimates from searches from [`Betweenness::samples`] sampled sources, or from the given
/// [`Betweenness::sources`]; exact if these are all nodes.
///
/// `predecessors` is the transpose of `successors`. Time and space are those of exact scores, in
/// proportion to the number of sources.
///
/// # Errors
/// If no sources are given, or one that is no node;
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn estimate(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<Scores> {
    let n = successors.0.num_nodes();
    let searches = SourceSums {
        exact: &|| betweenness(successors, predecessors, params, progress),
        sums: &|sources| {
            let engine = engine(successors, predecessors, sources);
            progress.begin("searching", Some(engine.searches()));
            let sums = engine.run::<LANES>(progress)?.sums;
            progress.end();
            Ok(sums)
        },
        ends_from: &|sources| ends_from(successors, sources, progress),
        ends: &|| ends(successors, predecessors, progress),
        is_between: &|x| has_others(successors.0, x) && has_others(predecessors.0, x),
    };
    estimate_by(params, n, &searches)
}

/// How the searches of an estimate are made.
pub struct SourceSums<'a> {
    /// Exact scores, for when all nodes are sources.
    pub exact: &'a dyn Fn() -> Result<Scores>,
    /// The sums of the dependencies of these sources on each node.
    pub sums: &'a dyn Fn(&[Node]) -> Result<Vec<f64>>,
    /// The pairs that each node is an end of, of those whose first node is one of these sources.
    pub ends_from: &'a dyn Fn(&[Node]) -> Result<Array1<f64>>,
    /// The pairs that each node is an end of.
    pub ends: &'a dyn Fn() -> Result<Array1<f64>>,
    /// Whether a path may pass through a node.
    pub is_between: &'a (dyn Fn(Node) -> bool + Sync),
}

/// [`estimate`] for shortest paths of any kind in a graph of `n` nodes.
///
/// # Errors
/// As for [`estimate`].
pub fn estimate_by(params: &Betweenness, n: usize, searches: &SourceSums) -> Result<Scores> {
    let sources = sources(params, n)?;
    let (count, are_given) = (sources.len(), params.sources.is_some());
    let mut run = params.record(BetweennessMethod::Sources, Outcome::Exact);
    let counted = if are_given { "sources" } else { "samples" };
    run.parameters.insert(counted.into(), count.into());
    if count == n {
        let found = (searches.exact)()?;
        run.outcome = found.run.outcome;
        return Ok(Scores::new(found.values, run));
    }
    let mut values = Array1::from((searches.sums)(&sources)?);
    if params.endpoints && are_given {
        values += &(searches.ends_from)(&sources)?;
    }
    let sums = match are_given {
        true => Array1::default(0),
        false => values.clone(),
    };
    values *= n as f64 / count as f64;
    let all_ends = match params.endpoints && !are_given {
        true => (searches.ends)()?,
        false => Array1::zeros(n),
    };
    values += &all_ends;
    let scale = params.scale(n);
    values *= scale;
    if are_given {
        run.outcome = Outcome::FromSources {
            sources: count as u64,
        };
        return Ok(Scores::new(values, run));
    }
    run.outcome = Outcome::Sampled {
        sources: count as u64,
        epsilon: error_bound(n as f64, count as f64),
        delta: DELTA,
        unit: Some(params.unit(n)),
    };
    // A source has so many other ends.
    let others = (n as f64 - 2.0).max(1.0);
    let sample = SampleMean::new(count, n, params.confidence);
    let rounding = (count + 4) as f64 * f64::EPSILON;
    let interval = |x: usize| {
        let (lower, upper) = match (searches.is_between)(x as Node) {
            true => sample.interval(sums[x] / others, None),
            false => (0.0, 0.0),
        };
        let score = |sum: f64| (sum * others + all_ends[x]) * scale;
        (
            score(lower * (1.0 - rounding)),
            score(upper * (1.0 + rounding)),
        )
    };
    let claim = Claim {
        confidence: params.confidence.get(),
        holds: Holds::EachNode,
        proved: true,
    };
    let scores = values.as_slice().expect("one column is contiguous");
    let intervals = Intervals::around(scores, claim, interval);
    Ok(Scores {
        values,
        run,
        intervals: Some(intervals),
    })
}

/// An estimate of the seconds that these searches take with the current number of threads.
///
/// # Errors
/// As for [`estimate`].
pub(super) fn seconds(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<f64> {
    let sources = sources(params, successors.0.num_nodes())?;
    engine(successors, predecessors, &sources).seconds::<LANES>(progress)
}

/// The sources to search from, in increasing order.
fn sources(params: &Betweenness, n: usize) -> Result<Vec<Node>> {
    let sources = match &params.sources {
        Some(given) if given.is_empty() => {
            return Err(Error::argument("sources", "empty", "name at least one"));
        }
        Some(given) => SearchSources::List(given.clone()),
        None => SearchSources::Sample {
            count: params.samples.get(),
            seed: params.seed,
        },
    };
    sources.nodes(n)
}

fn engine<'g>(
    successors: Successors<'g, Csr>,
    predecessors: Predecessors<'g, Csr>,
    sources: &[Node],
) -> BatchedBrandes<'g> {
    let (steps, simd) = (Reductions::ALL, Simd::best());
    BatchedBrandes::new(successors, predecessors, Some(sources), steps, simd)
}

/// True if the row of x has another node.
fn has_others(rows: &Csr, x: Node) -> bool {
    rows.row(x).iter().any(|&y| y != x)
}

fn error_bound(n: f64, count: f64) -> f64 {
    let unseen = 1.0 - (count - 1.0) / n;
    n / (n - 1.0) * (unseen * (2.0 * n / DELTA).ln() / (2.0 * count)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula of the head of this file, at numbers of sources where it can be done by hand.
    #[test]
    fn bounds_are_those_of_few_and_of_all_sources() {
        let of_one = (2000f64.ln() / 2.0).sqrt();
        assert!((error_bound(100.0, 1.0) / (100.0 / 99.0 * of_one) - 1.0).abs() < 1e-15);
        let of_all = (2000f64.ln() / 2.0).sqrt() / 100.0;
        assert!((error_bound(100.0, 100.0) / (100.0 / 99.0 * of_all) - 1.0).abs() < 1e-14);
    }
}
