//! Graphs and measures in words.

use serde_json::{Map, Value};
use webrank::Graph;
use webrank::internals::scores::Run;

/// A graph and its size.
pub fn graph(graph: &Graph) -> String {
    let (n, m) = (graph.num_nodes(), graph.num_arcs());
    let weights = if graph.has_weights() {
        " with weights"
    } else {
        ""
    };
    match graph.path() {
        Some(path) => format!("{}: {n} nodes, {m} arcs{weights}", path.display()),
        None => format!("{n} nodes, {m} arcs{weights}"),
    }
}

/// A measure and its parameters.
pub fn measure(run: &Run) -> String {
    described(run.measure, &run.parameters)
}

/// The name of a measure and its parameters.
pub fn described(measure: &str, parameters: &Map<String, Value>) -> String {
    let set = parameters.iter().filter(|(_, value)| !value.is_null());
    let parameters: Vec<String> = set
        .map(|(name, value)| match value.as_str() {
            Some(text) => format!("{name} {text}"),
            None => format!("{name} {value}"),
        })
        .collect();
    if parameters.is_empty() {
        return measure.to_owned();
    }
    format!("{measure} ({})", parameters.join(", "))
}
