//! The names of nodes, as a sequence.

use crate::array::Array;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PySlice, PyString};
use std::sync::Arc;
use webrank::Graph;

/// The names of a graph's nodes, in node order.
#[pyclass(frozen, module = "webrank")]
pub struct Names {
    graph: Arc<Graph>,
}

impl Names {
    /// The names of a graph, if its nodes have names.
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

/// The name of a node, an integer if all names are; its number as text, if nodes have no names.
pub fn name_of<'py>(py: Python<'py>, graph: &Graph, node: webrank::Node) -> Bound<'py, PyAny> {
    match graph.names() {
        Some(names) => of(py, names, node),
        None => PyString::new(py, &graph.name(node)).into_any(),
    }
}

fn of<'py>(py: Python<'py>, names: &webrank::Names, node: webrank::Node) -> Bound<'py, PyAny> {
    match names.are_integers() {
        true => PyInt::new(py, names.integer(node)).into_any(),
        false => PyString::new(py, names.get(node)).into_any(),
    }
}

/// A name that somebody gives, as text.
fn text(name: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = name.extract::<String>() {
        return Ok(text);
    }
    name.extract::<i64>().map(|integer| integer.to_string())
}

#[pymethods]
impl Names {
    fn __len__(&self) -> usize {
        self.all().len()
    }

    fn __getitem__<'py>(&self, nodes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, names) = (nodes.py(), self.all());
        let name = |node: isize| of(py, names, node as webrank::Node);
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
            true => Ok(name(from_start)),
            false => Err(PyIndexError::new_err(format!(
                "node {node} of {length} nodes"
            ))),
        }
    }

    /// The first node with a name.
    fn index(&self, name: &Bound<'_, PyAny>) -> PyResult<webrank::Node> {
        let name = text(name)?;
        let found = self.all().find(&name);
        found.ok_or_else(|| PyValueError::new_err(format!("no node is called {name}")))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        text(name).is_ok_and(|name| self.all().find(&name).is_some())
    }

    /// The names as an array, if they are integers.
    #[getter]
    fn integers(&self, py: Python<'_>) -> Option<Array> {
        let names = self.all();
        let all = || (0..names.len()).map(|node| names.integer(node as webrank::Node));
        py.detach(|| {
            names
                .are_integers()
                .then(|| Array::own(all().collect::<Vec<i64>>()))
        })
    }

    fn __repr__(&self) -> String {
        let names = self.all();
        let shown = |node: usize| match names.get(node as webrank::Node) {
            name if names.are_integers() => name.to_owned(),
            name => format!("{name:?}"),
        };
        let first: Vec<String> = (0..names.len().min(3)).map(shown).collect();
        let more = if names.len() > 3 { ", ..." } else { "" };
        format!("<{} names: {}{more}>", names.len(), first.join(", "))
    }
}
