//! Geometric measures: scores from distances, any number of measures from one traversal.
//!
//! For incoming distances, d(y, x) over the y that reach x, searches go from x along predecessors;
//! for outgoing distances, along successors. Both directions of the graph are needed in either
//! case: the other one shows which nodes are always reached together
//! ([`reduction`](crate::reduction)).
//!
//! Each measure is one file: [`closeness`], [`harmonic`], [`lin`], [`reachable`], [`eccentricity`],
//! [`decay`], [`integration`]. Their common interface is [`DistanceMeasure`].
//!
//! The engines know measures only by that interface:
//!
//! * [`exact`]: every node, exactly. Scores are correctly rounded doubles, and ranks are those of
//!   the fractions of integers behind them, even if two fractions share a double;
//! * [`best`]: the best K, exactly, with searches that are cut short;
//! * [`sampled`]: from sampled nodes, with an interval for every node;
//! * [`hyperball`]: from probabilistic counters, with a standard error.
//!
//! [`Geometric`] ranks by one or several measures; `choice` chooses the engine.
//!
//! Bits do not depend on threads, on the vector width, or on which other measures are computed too.

pub mod best;
mod checkpoint;
mod choice;
pub mod closeness;
pub mod decay;
pub mod distances;
mod distances_json;
mod distances_plan;
pub mod distributed;
pub mod eccentricity;
pub mod exact;
pub mod exact_number;
mod far_nodes;
pub mod harmonic;
pub mod hyperball;
pub mod integration;
pub mod lin;
pub mod measure;
mod one_column;
mod one_direction;
pub mod ranking;
pub mod reachable;
pub mod sampled;
mod search;
mod seconds;
pub mod terms;
pub mod weighted_harmonic;
mod weighted_order;

pub use exact::{Exact, geometric};
pub use measure::DistanceMeasure;
pub use ranking::{DistanceMethod, Geometric};

use serde_json::json;
use webrank_base::error::Result;
pub use webrank_graph::Direction;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Outcome, Run, Scores};

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
    /// One for each requested measure, in that order.
    pub scores: Vec<Scores>,
    /// For each measure, the numbers that order nodes whose scores are the same double: nodes with
    /// larger numbers come first. Empty if the scores are estimates.
    pub rests: Vec<Vec<u64>>,
    /// The reachable share of all ordered pairs of different nodes, if known; 1 exactly when the
    /// graph is strongly connected, or has fewer than two nodes.
    pub reachable_share: Option<f64>,
    /// The work done: the number of arcs followed by exact searches, where an arc counts once for
    /// all searches that follow it together.
    pub arcs: u64,
}

impl DistanceScores {
    /// The nodes ranked by one of the columns.
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

/// These pairs as a share of all ordered pairs of different nodes.
fn share_of_pairs(pairs: f64, num_nodes: usize) -> f64 {
    match num_nodes as f64 {
        n if n < 2.0 => 1.0,
        n => pairs / (n * (n - 1.0)),
    }
}
