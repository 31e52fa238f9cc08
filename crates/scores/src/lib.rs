//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod command;
pub mod external;
pub mod guarantee;
pub mod intervals;
pub mod manifest;
pub mod of_arcs;
pub mod of_nodes;
mod outcome;
pub mod parameters;
pub mod parts;
pub mod proved_order;
pub mod ranked;
pub mod ranked_rows;
pub mod ranking;
pub mod report;
pub mod settled;

pub use outcome::{Outcome, Status};

use intervals::Intervals;
use ndarray::Array1;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The scores of all nodes, and how they were computed.
#[derive(Debug, Clone)]
pub struct Scores {
    /// `values[x]` is the score of node `x`; larger is more important.
    pub values: Array1<f64>,
    /// The measure, the method, and the certainty.
    pub run: Run,
    /// For estimates, an interval around each score.
    pub intervals: Option<Intervals>,
}

impl Scores {
    /// Scores without intervals.
    pub fn new(values: Array1<f64>, run: Run) -> Self {
        Scores {
            values,
            run,
            intervals: None,
        }
    }

    /// The scores as a slice.
    pub fn as_slice(&self) -> &[f64] {
        self.values.as_slice().expect("one column is contiguous")
    }
}

/// How scores were computed: what a manifest says about a column.
///
/// Names are static in a run of this program, and strings (`Run<String>`) in a run read from a
/// [manifest](manifest::Manifest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run<Name = &'static str> {
    /// The measure, as the command line names it: `pagerank`, `harmonic`.
    pub measure: Name,
    /// The algorithm that computed it: `power`, `gauss-seidel`, `exact`, `hyperball`.
    pub method: Name,
    /// Every parameter that the scores depend on, by name.
    pub parameters: Map<String, Value>,
    /// How certain the scores are.
    pub outcome: Outcome,
}

impl From<&Run> for Run<String> {
    fn from(run: &Run) -> Self {
        Run {
            measure: run.measure.to_owned(),
            method: run.method.to_owned(),
            parameters: run.parameters.clone(),
            outcome: run.outcome.clone(),
        }
    }
}

impl Status {
    /// [`Status::Converged`] if so.
    pub fn of(converged: bool) -> Self {
        if converged {
            Status::Converged
        } else {
            Status::NotConverged
        }
    }
}
