//! The names of nodes, as a sequence.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::Arc;
use webrank::Graph;

/// The names of a graph's nodes, in node order.
#[pyclass(frozen, sequence, module = "webrank")]
pub struct Names {
    graph: Arc<Graph>,
}

impl Names {
    /// Those of a graph, if its nodes have names.
    pub fn of(graph: &Arc<Graph>) -> Option<Self> {
        graph.names()?;
        Some(Names {
            graph: graph.clone(),
        })
    }

    fn all(&self) -> &webrank::Names {
        self.graph.names().expect("the graph has names")
    }
}

#[pymethods]
impl Names {
    fn __len__(&self) -> usize {
        self.all().len()
    }

    fn __getitem__(&self, node: isize) -> PyResult<&str> {
        let names = self.all();
        let from_start = if node < 0 {
            node.checked_add_unsigned(names.len()).unwrap_or(-1)
        } else {
            node
        };
        match usize::try_from(from_start) {
            Ok(place) if place < names.len() => Ok(names.get(place as webrank::Node)),
            _ => Err(PyIndexError::new_err(format!(
                "node {node} of {} nodes",
                names.len()
            ))),
        }
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>();
        name.is_ok_and(|name| self.all().find(&name).is_some())
    }

    /// The names of these nodes.
    fn of_nodes(&self, nodes: Vec<webrank::Node>) -> PyResult<Vec<&str>> {
        let names = self.all();
        match nodes.iter().find(|&&node| node as usize >= names.len()) {
            Some(node) => Err(PyIndexError::new_err(format!("no node {node}"))),
            None => Ok(nodes.into_iter().map(|node| names.get(node)).collect()),
        }
    }

    fn __repr__(&self) -> String {
        let names = self.all();
        let first: Vec<String> = (0..names.len().min(3))
            .map(|node| format!("{:?}", names.get(node as webrank::Node)))
            .collect();
        let more = if names.len() > 3 { ", ..." } else { "" };
        format!("<{} names: {}{more}>", names.len(), first.join(", "))
    }
}
