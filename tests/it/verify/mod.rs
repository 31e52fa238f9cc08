//! Verification: the error that is found is the true one, whatever the scores.

mod bounds;
#[cfg(feature = "cli")]
mod command;
mod counted;
mod peers;
mod promises;

use crate::support::graphs::Arcs;
use webrank::internals::error::Result;
use webrank::internals::progress::Silent;
use webrank::internals::verify::{Finding, Parameters, Question, Verifier};
use webrank::{Graph, Measure};

fn graph_of(arcs: &Arcs) -> Graph {
    Graph::from_arcs(arcs.0, arcs.1.iter().copied()).unwrap()
}

fn ask(measure: &str, graph: &Graph, scores: &[f64], parameters: &Parameters) -> Result<Finding> {
    let question = Question {
        graph,
        scores,
        parameters,
        samples: None,
        progress: &Silent,
    };
    Verifier::of(measure).unwrap().check(&question)
}

fn check(measure: &str, graph: &Graph, scores: &[f64], parameters: &Parameters) -> Finding {
    ask(measure, graph, scores, parameters).unwrap()
}

/// The scores of a measure.
fn scores(measure: &impl Measure, graph: &Graph) -> Vec<f64> {
    measure.run(graph).unwrap().values().to_vec()
}
