//! Graphs, measures and outcomes in words.

use serde_json::{Map, Value};
use webrank::Graph;
use webrank::graph::{Names, Node, Source};
use webrank::scores::{Outcome, Run, Status};

/// A graph and its size.
pub fn graph(graph: &Graph) -> String {
    let (n, m) = (graph.num_nodes(), graph.num_arcs());
    match graph.source() {
        Some(source) => format!("{}: {n} nodes, {m} arcs", source.path().display()),
        None => format!("{n} nodes, {m} arcs"),
    }
}

/// A graph on disk and its size.
pub fn graph_on_disk(source: &Source) -> String {
    let properties = source.properties();
    format!(
        "{}: {} nodes, {} arcs",
        source.path().display(),
        properties.nodes,
        properties.arcs
    )
}

/// The name of a node, or its number.
pub fn node_name(names: Option<&Names>, node: Node) -> String {
    match names {
        Some(names) => names.get(node).to_owned(),
        None => format!("node {node}"),
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
    match parameters.is_empty() {
        true => measure.to_owned(),
        false => format!("{measure} ({})", parameters.join(", ")),
    }
}

/// How sure scores are.
pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exact => "exact".into(),
        Outcome::Sampled {
            sources,
            epsilon,
            delta,
        } => format!(
            "{sources} sampled sources, error below {epsilon} with probability {}",
            1.0 - delta
        ),
        Outcome::SampledPaths {
            paths,
            epsilon,
            delta,
            ..
        } => format!(
            "{paths} sampled paths, normalised error at most {epsilon:.2e} with probability {}",
            1.0 - delta
        ),
        Outcome::Estimated {
            relative_standard_error,
        } => {
            format!(
                "relative standard error {:.2}%",
                100.0 * relative_standard_error
            )
        }
        Outcome::Iterated {
            status,
            iterations,
            error_bound,
        } => {
            let status = unless_converged(*status);
            format!("{iterations} sweeps, certified l1 error at most {error_bound:.2e}{status}")
        }
        Outcome::Relative {
            status,
            iterations,
            error_bound,
            relative_error_bound,
        } => format!(
            "{iterations} sweeps, certified l1 error at most {error_bound:.2e}, which is \
             {relative_error_bound:.2e} of the sum of scores{}",
            unless_converged(*status)
        ),
        Outcome::Stationary {
            status,
            iterations,
            residual,
            error_bound,
        } => {
            let bound = match error_bound {
                Some(bound) => format!("certified l1 error at most {bound:.2e}"),
                None => "error NOT CERTIFIED".into(),
            };
            let status = unless_converged(*status);
            format!("{iterations} sweeps, residual {residual:.1e}, {bound}{status}")
        }
        Outcome::Eigen {
            status,
            iterations,
            residual,
            eigenvalue,
            eigenvalue_bounds,
            gap,
        } => {
            let status = unless_converged(*status);
            let proved = eigenvalue_bounds.map_or(String::new(), |[lower, upper]| {
                let within = (upper - eigenvalue).max(eigenvalue - lower);
                format!(", proved to be within {within:.1e}")
            });
            format!(
                "{iterations} sweeps, residual {residual:.1e}, eigenvalue {eigenvalue}{proved}, gap \
                 about {gap:.2}{status}"
            )
        }
        _ => String::new(),
    }
}

fn unless_converged(status: Status) -> &'static str {
    match status {
        Status::Converged => "",
        Status::NotConverged => ", NOT CONVERGED",
    }
}
