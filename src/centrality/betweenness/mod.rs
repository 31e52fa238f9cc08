//! Betweenness: b(x) = sum over ordered pairs y != z, both different from x, of the fraction of
//! the shortest y-z paths that pass through x.
//!
//! Pairs without a path add 0. Directed; self-loops are on no shortest path, and parallel arcs
//! count once. Counting end nodes too (`endpoints`), every reachable pair adds 1 to y and to z.
//! Normalised, b(x) is divided by the number of ordered pairs, (n-1)(n-2) or with end nodes
//! n(n-1), and lies in [0, 1].
//!
//! * [`exact`] computes it exactly for all nodes, or from the sources in a sample;
//! * [`single`] is the algorithm in its plain form;
//! * [`arcs`]: the same for arcs;
//! * [`mod@sampled`] estimates it from sampled paths, with a proved interval for every node.
//!
//! Freeman 1977; Brandes 2001.

pub mod arcs;
pub mod count;
pub mod exact;
pub mod sampled;
pub mod single;

use super::geometric::{Direction, Measure, geometric};
use crate::error::{Error, Result};
use crate::graph::{Csr, Predecessors, Successors};
use crate::parallel::simd::Simd;
use crate::progress::Progress;
use crate::reduction::Steps;
use crate::scores::{Outcome, Run, Scores};
use crate::traversal::sources::Sources;
use exact::Engine;
use ndarray::Array1;
use serde_json::{Map, json};

/// How betweenness is counted and scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Divide by the number of ordered pairs: (n-1)(n-2), or n(n-1) with `endpoints`.
    pub normalize: bool,
    /// Paths pass through their end nodes too.
    pub endpoints: bool,
}

impl Options {
    /// What a sum over pairs is multiplied by.
    pub fn scale(self, num_nodes: usize) -> f64 {
        let n = num_nodes as f64;
        let pairs = match self.endpoints {
            true => n * (n - 1.0),
            false => (n - 1.0) * (n - 2.0),
        };
        match self.normalize && pairs > 0.0 {
            true => 1.0 / pairs,
            false => 1.0,
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

    /// The run, for the manifest.
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
pub struct Exact<'g> {
    successors: Successors<'g, Csr>,
    predecessors: Predecessors<'g, Csr>,
    engine: Engine<'g>,
}

impl<'g> Exact<'g> {
    /// Reduces the graph; `predecessors` is the transpose of `successors`.
    pub fn new(successors: Successors<'g, Csr>, predecessors: Predecessors<'g, Csr>) -> Self {
        let (steps, simd) = (Steps::ALL, Simd::best());
        Exact {
            successors,
            predecessors,
            engine: Engine::new(successors, predecessors, None, steps, simd),
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

    /// The betweenness of every node, up to the rounding of its sums.
    ///
    /// O(n m) at worst: one search for each class of nodes with equal successor lists, in batches.
    /// The bits depend on the graph alone. Tells `progress` of [`units`](Self::units) units.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run.
    pub fn run(&self, options: Options, progress: &dyn Progress) -> Result<Scores> {
        progress.begin("searching", Some(self.units()));
        let mut values = Array1::from(self.engine.run::<LANES>(progress)?);
        progress.end();
        if options.endpoints {
            values += &ends(self.successors, self.predecessors, progress)?;
        }
        values *= options.scale(values.len());
        Ok(Scores {
            values,
            run: options.run("exact", Outcome::Exact),
        })
    }
}

/// The betweenness of every node: see [`Exact::run`].
///
/// `predecessors` is the transpose of `successors`.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn betweenness(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    options: Options,
    progress: &dyn Progress,
) -> Result<Scores> {
    Exact::new(successors, predecessors).run(options, progress)
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
/// Time and space as [`Exact::run`], in proportion.
///
/// # Errors
/// If `count` is 0; [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn sampled(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    count: usize,
    seed: u64,
    options: Options,
    progress: &dyn Progress,
) -> Result<Scores> {
    if count == 0 {
        return Err(Error::argument("--samples", 0, "give at least 1"));
    }
    let n = successors.0.num_nodes();
    let sources = Sources::Sample { count, seed }.nodes(n)?;
    let (steps, simd) = (Steps::ALL, Simd::best());
    let engine = Engine::new(successors, predecessors, Some(&sources), steps, simd);
    progress.begin("searching", Some(engine.searches()));
    let mut values = Array1::from(engine.run::<LANES>(progress)?);
    progress.end();
    values *= n as f64 / sources.len().max(1) as f64;
    if options.endpoints {
        values += &ends(successors, predecessors, progress)?;
    }
    values *= options.scale(n);
    let outcome = match sources.len() == n {
        true => Outcome::Exact,
        false => Outcome::Sampled {
            sources: count as u64,
            epsilon: error_bound(n as f64, count as f64),
            delta: DELTA,
            unit: Some(options.unit(n)),
        },
    };
    let mut run = options.run("sources", outcome);
    run.parameters
        .insert("samples".into(), json!(sources.len()));
    run.parameters.insert("seed".into(), json!(seed));
    Ok(Scores { values, run })
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
        let measures = [Measure::Reachable];
        let found = geometric(predecessors, successors, direction, &measures, progress)?;
        Ok::<_, Error>(found.scores.into_iter().next().expect("one was asked for"))
    };
    Ok(reachable(Direction::In)?.values + reachable(Direction::Out)?.values)
}
