//! Betweenness: b(x) = sum over ordered pairs y != z, both different from x, of the fraction of
//! the shortest y-z paths that pass through x.
//!
//! Pairs without a path add 0. Directed; self-loops are on no shortest path, and parallel arcs
//! count once. Counting end nodes too (`endpoints`), every reachable pair adds 1 to y and to z.
//! Normalised, b(x) is divided by the number of ordered pairs, (n-1)(n-2) or with end nodes
//! n(n-1), and lies in [0, 1].
//!
//! * [`exact`] computes it exactly for all nodes, or from the sources in a sample;
//! * [`single_source`] is the algorithm in its plain form;
//! * [`arcs`]: the same for arcs;
//! * [`mod@sampled`] estimates it from sampled paths, with a proved interval for every node.
//!
//! Freeman 1977; Brandes 2001.

pub mod arcs;
pub mod exact;
mod pairwise;
pub mod path_count;
pub mod residue;
pub mod sampled;
pub mod single_source;
pub mod ties;

use super::geometric::reachable::Reachable;
use super::geometric::{Direction, DistanceMeasure, geometric};
use crate::error::{Error, Result};
use crate::graph::{Csr, Predecessors, Successors};
use crate::parallel::simd::Simd;
use crate::progress::Progress;
use crate::reduction::Steps;
use crate::scores::{Outcome, Run, Scores};
use crate::traversal::sources::Sources;
use exact::{BatchedBrandes, Dependencies};
use ndarray::Array1;
use path_count::PathCount;
use residue::{Residue, residues};
use serde_json::{Map, json};
use ties::{Ties, unite};

/// How betweenness is counted and scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BetweennessOptions {
    /// Divide by the number of ordered pairs: (n-1)(n-2), or n(n-1) with `endpoints`.
    pub normalize: bool,
    /// Paths pass through their end nodes too.
    pub endpoints: bool,
}

impl BetweennessOptions {
    /// What a sum over pairs is multiplied by.
    pub fn scale(self, num_nodes: usize) -> f64 {
        let n = num_nodes as f64;
        let pairs = if self.endpoints {
            n * (n - 1.0)
        } else {
            (n - 1.0) * (n - 2.0)
        };
        if self.normalize && pairs > 0.0 {
            1.0 / pairs
        } else {
            1.0
        }
    }

    /// What the error bound of a sample, a share of the (n - 1)(n - 2) pairs, is multiplied by.
    fn unit(self, num_nodes: usize) -> f64 {
        let n = num_nodes as f64;
        if self.normalize {
            1.0
        } else {
            (n - 1.0) * (n - 2.0)
        }
    }

    /// The record of a run.
    pub fn run(self, method: &'static str, outcome: Outcome) -> Run {
        let mut parameters = Map::new();
        parameters.insert("normalize".into(), json!(self.normalize));
        parameters.insert("endpoints".into(), json!(self.endpoints));
        Run {
            measure: "betweenness",
            method,
            parameters,
            outcome,
        }
    }
}

/// The sources searched at a time: see benches/README.md.
const LANES: usize = 64;

/// A graph made ready for exact betweenness.
///
/// Made once, so that the time can be [estimated](Self::seconds) before it is spent.
pub struct ExactBetweenness<'g> {
    successors: Successors<'g, Csr>,
    predecessors: Predecessors<'g, Csr>,
    engine: BatchedBrandes<'g>,
}

impl<'g> ExactBetweenness<'g> {
    /// Reduces the graph; `predecessors` is the transpose of `successors`.
    pub fn new(successors: Successors<'g, Csr>, predecessors: Predecessors<'g, Csr>) -> Self {
        let (steps, simd) = (Steps::ALL, Simd::best());
        ExactBetweenness {
            successors,
            predecessors,
            engine: BatchedBrandes::new(successors, predecessors, None, steps, simd),
        }
    }

    /// Units of progress of a run: searches.
    pub fn units(&self) -> u64 {
        self.engine.searches()
    }

    /// The bytes that a run with `threads` threads takes besides the graph.
    pub fn memory(&self, threads: usize) -> u64 {
        self.engine.memory::<LANES>(threads)
    }

    /// An estimate of the seconds that a run takes with the current number of threads; expect a
    /// factor of 1.5 either way.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run.
    pub fn seconds(&self, progress: &dyn Progress) -> Result<f64> {
        self.engine.seconds::<LANES>(progress)
    }

    /// The betweenness of every node, up to the rounding of its sums; scores that rounding may have
    /// put in the wrong order are equal (see [`ties`]).
    ///
    /// O(n m) at worst: one search for each class of nodes with equal successor lists, in batches.
    /// The bits depend on the graph alone. Tells `progress` of [`units`](Self::units) units.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run.
    pub fn run(
        &self,
        options: BetweennessOptions,
        progress: &dyn Progress,
    ) -> Result<(Scores, Ties)> {
        progress.begin("searching", Some(self.units()));
        let Dependencies { sums, roundings } = self.engine.run::<LANES>(progress)?;
        progress.end();
        let mut residues = if residue::affordable(self.successors.0) {
            residues(self.successors.0, false, progress)?.map(|residues| residues.nodes)
        } else {
            None
        };
        let mut values = Array1::from(sums);
        if options.endpoints {
            let ends = ends(self.successors, self.predecessors, progress)?;
            for (residue, &ends) in residues.iter_mut().flatten().zip(&ends) {
                *residue = residue.plus(Residue::new(ends as u64));
            }
            values += &ends;
        }
        values *= options.scale(values.len());
        // The ends, and the scale.
        let roundings = roundings + 2;
        let slice = values.as_slice_mut().expect("one column is contiguous");
        let ties = unite(slice, roundings, residues.as_deref());
        let run = options.run("exact", Outcome::Exact);
        Ok((Scores { values, run }, ties))
    }
}

/// The betweenness of every node: see [`ExactBetweenness::run`].
///
/// `predecessors` is the transpose of `successors`.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn betweenness(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    options: BetweennessOptions,
    progress: &dyn Progress,
) -> Result<Scores> {
    let exact = ExactBetweenness::new(successors, predecessors);
    Ok(exact.run(options, progress)?.0)
}

/// The probability that the error bound of a sample fails.
const DELTA: f64 = 0.1;

/// Estimates from `count` sources drawn without replacement: n / count times the sum of their
/// dependencies, whose expectation is the betweenness. Brandes and Pich 2007.
///
/// The outcome holds a bound: the share of the n - 2 ends that a source reaches through x is in
/// [0, 1], so by Hoeffding's inequality in Serfling's form, and a union over all x, EVERY
/// normalised score (in (n-1)(n-2); ends of paths are counted exactly) is with probability 0.9
/// within epsilon = n/(n-1) sqrt((1 - (count-1)/n) ln(2 n / 0.1) / (2 count)).
/// Time and space as [`ExactBetweenness::run`], in proportion.
///
/// # Errors
/// If `count` is 0; [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn sampled(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    count: usize,
    seed: u64,
    options: BetweennessOptions,
    progress: &dyn Progress,
) -> Result<Scores> {
    if count == 0 {
        return Err(Error::argument("samples", 0, "give at least 1"));
    }
    let n = successors.0.num_nodes();
    let mut record = options.run("sources", Outcome::Exact);
    record
        .parameters
        .insert("samples".into(), json!(count.min(n)));
    record.parameters.insert("seed".into(), json!(seed));
    if count >= n {
        let values = betweenness(successors, predecessors, options, progress)?.values;
        return Ok(Scores {
            values,
            run: record,
        });
    }
    let sources = Sources::Sample { count, seed }.nodes(n)?;
    let (steps, simd) = (Steps::ALL, Simd::best());
    let engine = BatchedBrandes::new(successors, predecessors, Some(&sources), steps, simd);
    progress.begin("searching", Some(engine.searches()));
    let mut values = Array1::from(engine.run::<LANES>(progress)?.sums);
    progress.end();
    values *= n as f64 / count as f64;
    if options.endpoints {
        values += &ends(successors, predecessors, progress)?;
    }
    values *= options.scale(n);
    record.outcome = Outcome::Sampled {
        sources: count as u64,
        epsilon: error_bound(n as f64, count as f64),
        delta: DELTA,
        unit: Some(options.unit(n)),
    };
    Ok(Scores {
        values,
        run: record,
    })
}

fn error_bound(n: f64, count: f64) -> f64 {
    let unseen = 1.0 - (count - 1.0) / n;
    n / (n - 1.0) * (unseen * (2.0 * n / DELTA).ln() / (2.0 * count)).sqrt()
}

/// The number of reachable pairs that each node is an end of.
fn ends(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    progress: &dyn Progress,
) -> Result<Array1<f64>> {
    let reachable = |direction| {
        let measures: [&dyn DistanceMeasure; 1] = [&Reachable];
        let found = geometric(predecessors, successors, direction, &measures, progress)?;
        Ok::<_, Error>(found.scores.into_iter().next().expect("one was asked for"))
    };
    Ok(reachable(Direction::In)?.values + reachable(Direction::Out)?.values)
}
