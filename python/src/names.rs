//! The names of nodes, as a sequence.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyString};
use std::sync::Arc;
use webrank::Graph;

/// The names of a graph's nodes, in node order.
#[pyclass(frozen, module = "webrank")]
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

    fn __getitem__<'py>(&self, nodes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, names) = (nodes.py(), self.all());
        let name = |node: isize| names.get(node as webrank::Node);
        if let Ok(slice) = nodes.cast::<PySlice>() {
            let chosen = slice.indices(names.len() as isize)?;
            let place = |i: usize| chosen.start + i as isize * chosen.step;
            let list = (0..chosen.slicelength).map(|i| name(place(i)));
            return Ok(PyList::new(py, list)?.into_any());
        }
        let node: isize = nodes.extract()?;
        let length = names.len() as isize;
        let from_start = if node < 0 { node + length } else { node };
        match (0..length).contains(&from_start) {
            true => Ok(PyString::new(py, name(from_start)).into_any()),
            false => Err(PyIndexError::new_err(format!(
                "node {node} of {length} nodes"
            ))),
        }
    }

    /// The first node with a name.
    fn index(&self, name: &str) -> PyResult<webrank::Node> {
        let found = self.all().find(name);
        found.ok_or_else(|| PyValueError::new_err(format!("no node is called {name}")))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>();
        name.is_ok_and(|name| self.all().find(&name).is_some())
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
