//! Folding a graph: nodes that share a name, once it is shortened, become one.

use super::sources::Inputs;
use super::{Input, Problem, Receiver};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::progress::Silent;
use webrank_graph::Graph;

/// Shortens a name.
pub type Fold = Box<dyn Fn(&str) -> String + Send>;

/// The arcs of a graph between the shortened names of its nodes.
///
/// # Errors
/// If the graph has no names.
pub(super) fn open(graph: Graph, fold: Fold) -> Result<Inputs> {
    if graph.names().is_none() {
        let path = graph.path().unwrap_or("graph".as_ref());
        return Err(Error::file(
            path,
            "nodes have no names; give them with --names",
        ));
    }
    let folded = Input {
        weighted: true,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(&graph, &fold, to)),
    };
    Ok(Inputs::of(vec![folded]))
}

fn read(graph: &Graph, fold: &Fold, to: &mut dyn Receiver) -> Result<()> {
    let path = graph.path().unwrap_or("graph".as_ref()).to_owned();
    let at = |node: usize, problem: Problem| match problem {
        Problem::Record(problem) => Error::file(&path, format!("node {node}: {problem}")),
        Problem::Other(problem) => problem,
    };
    let mut numbers: Vec<Node> = Vec::new();
    for node in 0..graph.num_nodes() {
        let name = fold(&graph.name(node as Node));
        reserve(&mut numbers, 1, "the numbers of nodes")?;
        numbers.push(to.key(&name).map_err(|problem| at(node, problem))?);
    }
    let (rows, weights) = match graph.weighted_successors(&Silent)? {
        Some((rows, weights)) => (rows, Some(weights)),
        None => (graph.take_successors(&Silent)?, None),
    };
    let mut arc = 0;
    for node in 0..rows.num_nodes() {
        for &target in rows.row(node as Node) {
            let weight = weights.as_ref().map_or(1.0, |weights| weights[arc]);
            let given = to.arc(numbers[node], numbers[target as usize], weight);
            given.map_err(|problem| at(node, problem))?;
            arc += 1;
        }
    }
    Ok(())
}
