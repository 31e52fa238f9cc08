//! Geometric measures: scores by distances, any number of them from one traversal.
//!
//! For incoming distances, d(y, x) over the y that reach x, the searches go from x along
//! predecessors; for outgoing ones, along successors. Either way both directions of the graph are
//! needed: the other one shows which nodes are always reached together
//! ([`reduction`](crate::reduction)).
//!
//! Scores are exact: integer counts at each distance, and one formula over them. The bits do not
//! depend on threads, vector width, or which other measures are computed along.

pub mod best;
pub mod closeness;
pub mod decay;
pub mod distances;
pub mod eccentricity;
pub mod harmonic;
pub mod hyperball;
pub mod lin;
pub mod reachable;
pub mod sampled;
pub mod weighted_harmonic;

use crate::error::Result;
pub use crate::graph::Direction;
use crate::graph::{Csr, Node, Predecessors, Successors};
use crate::progress::Progress;
use crate::reduction::{Reduced, Steps};
use crate::scores::{Outcome, Run, Scores};
use crate::traversal::histogram::Histogram;
use crate::traversal::histograms::{self, Engine};
use closeness::Variant;
use decay::Base;
use ndarray::Array1;
use serde_json::{Map, json};

/// A geometric measure with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// See [`closeness`].
    Closeness(Variant),
    /// See [`harmonic`].
    Harmonic {
        /// Divide by n - 1.
        normalize: bool,
    },
    /// See [`lin`].
    Lin,
    /// See [`reachable`].
    Reachable,
    /// See [`eccentricity`].
    Eccentricity,
    /// See [`decay`].
    Decay(Base),
}

impl Measure {
    /// The name of the measure, of its subcommand and of its column.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Closeness(_) => "closeness",
            Measure::Harmonic { .. } => "harmonic",
            Measure::Lin => "lin",
            Measure::Reachable => "reachable",
            Measure::Eccentricity => "eccentricity",
            Measure::Decay(_) => "decay",
        }
    }

    /// The score of a node of a graph of `num_nodes` from the number of nodes at each distance.
    pub fn score(self, histogram: Histogram, num_nodes: usize) -> f64 {
        match self {
            Measure::Closeness(variant) => closeness::score(variant, histogram, num_nodes),
            Measure::Harmonic { normalize } => harmonic::score(histogram, normalize, num_nodes),
            Measure::Lin => lin::score(histogram),
            Measure::Reachable => reachable::score(histogram),
            Measure::Eccentricity => eccentricity::score(histogram),
            Measure::Decay(base) => decay::score(histogram, base),
        }
    }

    /// The run, for the manifest.
    pub(crate) fn run(self, direction: Direction, method: &'static str, outcome: Outcome) -> Run {
        let mut parameters = Map::new();
        parameters.insert("direction".into(), json!(direction.name()));
        match self {
            Measure::Closeness(variant) => {
                parameters.insert("variant".into(), json!(variant.name()));
            }
            Measure::Harmonic { normalize } => {
                parameters.insert("normalize".into(), json!(normalize));
            }
            Measure::Decay(base) => {
                parameters.insert("base".into(), json!(base.get()));
            }
            Measure::Lin | Measure::Reachable | Measure::Eccentricity => {}
        }
        Run {
            measure: self.name(),
            method,
            parameters,
            outcome,
        }
    }
}

/// The result of one traversal.
#[derive(Debug, Clone)]
pub struct Geometric {
    /// One for each measure asked for, in that order.
    pub scores: Vec<Scores>,
    /// How many ordered pairs of different nodes have a path from the first to the second.
    pub reachable_pairs: u64,
}

impl Geometric {
    /// The reachable share of all ordered pairs of different nodes; 1 exactly when the graph is
    /// strongly connected. Below 1, Bavelas's closeness is not to be read as importance.
    pub fn reachable_share(&self, num_nodes: usize) -> f64 {
        match num_nodes as u64 {
            0 | 1 => 1.0,
            n => self.reachable_pairs as f64 / (n as f64 * (n - 1) as f64),
        }
    }
}

/// A graph made ready for exact geometric measures in one direction.
///
/// Made once, so that the time can be [estimated](Self::seconds) before it is spent.
#[derive(Debug)]
pub struct Exact<'g> {
    direction: Direction,
    graph: Reduced<'g>,
}

impl<'g> Exact<'g> {
    /// Reduces the graph; `successors` is the transpose of `predecessors`.
    /// See [`Reduced::new`] for time and space.
    pub fn new(
        predecessors: Predecessors<'g, Csr>,
        successors: Successors<'g, Csr>,
        direction: Direction,
    ) -> Self {
        let (rows, reverse) = direction.rows(predecessors, successors);
        Exact {
            direction,
            graph: Reduced::new(rows, reverse, Steps::ALL),
        }
    }

    /// Units of progress of a run: sources searched.
    pub fn units(&self) -> u64 {
        self.graph.leaders().len() as u64
    }

    /// The bytes that a run with `threads` threads takes besides the graph: see
    /// [`histograms::memory`].
    pub fn memory(&self, threads: usize, num_measures: usize) -> u64 {
        let results = self.graph.num_nodes() as u64 * (4 + 16 * num_measures as u64);
        histograms::memory(&self.graph, threads) + results
    }

    /// An estimate of the seconds that a run takes with the current number of threads: see
    /// [`histograms::seconds`].
    ///
    /// # Errors
    /// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
    pub fn seconds(&self, progress: &dyn Progress) -> Result<f64> {
        histograms::seconds(&self.graph, Engine::default(), progress)
    }

    /// The scores of every node by each of `measures`.
    ///
    /// O(m) for each 512 searches at worst, about one search for each class of nodes with equal
    /// lists. Tells `progress` of [`units`](Self::units) units.
    ///
    /// # Errors
    /// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
    pub fn run(&self, measures: &[Measure], progress: &dyn Progress) -> Result<Geometric> {
        let n = self.graph.num_nodes();
        progress.begin("searching", Some(self.units()));
        let parts = histograms::histograms(
            &self.graph,
            self.graph.leaders(),
            Engine::default(),
            Part::default,
            |part, node, histogram| {
                part.nodes.push(node);
                part.reached += histogram.reached();
                let scores = measures.iter().map(|measure| measure.score(histogram, n));
                part.values.extend(scores);
            },
            progress,
        )?;
        progress.end();
        let mut values = vec![Array1::zeros(n); measures.len()];
        for part in &parts {
            let rows = part.values.chunks_exact(measures.len().max(1));
            for (&node, row) in part.nodes.iter().zip(rows) {
                for (values, &value) in values.iter_mut().zip(row) {
                    values[node as usize] = value;
                }
            }
        }
        let run = |&measure: &Measure| measure.run(self.direction, "exact", Outcome::Exact);
        Ok(Geometric {
            scores: values
                .into_iter()
                .zip(measures.iter().map(run))
                .map(|(values, run)| Scores { values, run })
                .collect(),
            reachable_pairs: parts.iter().map(|part| part.reached).sum(),
        })
    }
}

/// The scores of the nodes of one batch.
#[derive(Default)]
struct Part {
    nodes: Vec<Node>,
    /// One row for each node, one column for each measure.
    values: Vec<f64>,
    reached: u64,
}

/// The exact scores of every node by each of `measures`, from one traversal.
///
/// `successors` is the transpose of `predecessors`. See [`Exact`] for the steps.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn geometric(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measures: &[Measure],
    progress: &dyn Progress,
) -> Result<Geometric> {
    Exact::new(predecessors, successors, direction).run(measures, progress)
}
