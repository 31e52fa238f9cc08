//! Geometric measures: scores by distances, any number of them from one traversal.
//!
//! For incoming distances, d(y, x) over the y that reach x, the searches go from x along
//! predecessors; for outgoing ones, along successors. Either way both directions of the graph are
//! needed: the other one shows which nodes are always reached together
//! ([`reduction`](crate::reduction)).
//!
//! Measures, one file each: [`closeness`], [`harmonic`], [`lin`], [`reachable`], [`eccentricity`],
//! [`decay`], [`integration`]. What they have in common is a [`DistanceMeasure`].
//!
//! Engines, which know nothing of any measure but that:
//!
//! * [`exact`]: every node, exactly. Scores are correctly rounded doubles, and ranks are those of
//!   the fractions of integers behind them, whether or not these share a double;
//! * [`best`]: the best K, exactly, by searches that are cut short;
//! * [`sampled`]: from sampled nodes, with a proved error;
//! * [`hyperball`]: from probabilistic counters, with a standard error.
//!
//! [`Geometric`] ranks by one or several measures, and chooses the engine.
//!
//! Bits do not depend on threads, vector width, or which other measures are computed along.

pub mod best;
pub mod closeness;
pub mod decay;
pub mod distances;
pub mod eccentricity;
pub mod exact;
pub mod harmonic;
pub mod hyperball;
pub mod integration;
pub mod lin;
pub mod measure;
pub mod number;
pub mod ranking;
pub mod reachable;
pub mod sampled;
pub mod terms;
pub mod weighted_harmonic;

pub use exact::{Exact, geometric};
pub use measure::DistanceMeasure;
pub use ranking::{DistanceMethod, Geometric};

use crate::error::Result;
pub use crate::graph::Direction;
use crate::scores::ranking::Ranking;
use crate::scores::{Outcome, Run, Scores};
use serde_json::json;

/// Every distance measure, with its default parameters.
pub fn all_measures() -> Vec<Box<dyn DistanceMeasure>> {
    vec![
        Box::new(closeness::Closeness::default()),
        Box::new(harmonic::Harmonic::default()),
        Box::new(lin::Lin),
        Box::new(reachable::Reachable),
        Box::new(eccentricity::Eccentricity),
        Box::new(decay::Decay::default()),
        Box::new(integration::Integration),
    ]
}

/// The run, for the manifest.
fn run_of(
    measure: &dyn DistanceMeasure,
    direction: Direction,
    method: &'static str,
    outcome: Outcome,
) -> Run {
    let mut parameters = measure.parameters();
    parameters.insert("direction".into(), json!(direction.name()));
    Run {
        measure: measure.name(),
        method,
        parameters,
        outcome,
    }
}

/// Scores by several measures.
#[derive(Debug, Clone)]
pub struct DistanceScores {
    /// One for each measure asked for, in that order.
    pub scores: Vec<Scores>,
    /// For each of them what orders nodes whose scores are the same double: nodes with larger
    /// numbers come first. Empty if the scores are estimates.
    pub rests: Vec<Vec<u64>>,
    /// The reachable share of all ordered pairs of different nodes, where it is known; 1 exactly
    /// when the graph is strongly connected, or has fewer than two nodes.
    pub reachable_share: Option<f64>,
    /// How much work it was: arcs followed by exact searches, each once for all searches that do so
    /// together.
    pub arcs: u64,
}

impl DistanceScores {
    /// The nodes in the order of one of the columns.
    ///
    /// # Errors
    /// If a score is NaN.
    pub fn ranking(&self, column: usize) -> Result<Ranking> {
        let scores = self.scores[column].as_slice();
        match self.rests.get(column) {
            Some(rests) => Ranking::refined(scores, |node| rests[node as usize]),
            None => Ranking::new(scores),
        }
    }
}

/// The share of all ordered pairs of different nodes that these are.
fn share_of_pairs(pairs: f64, num_nodes: usize) -> f64 {
    match num_nodes as f64 {
        n if n < 2.0 => 1.0,
        n => pairs / (n * (n - 1.0)),
    }
}
