//! Verification: the error that is found is the true one, whatever the scores.

mod bounds;
mod counted;
mod lengths;
mod peers;
mod promises;
mod recorded;

use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_measure::Measure;
use webrank_testing::graphs::Arcs;
use webrank_verify::{Finding, Parameters, Question, Verifier};

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
