//! Graphs made of arrays and tables.

use crate::errors::exception;
use crate::graph::{Graph, as_dict, import_options};
use crate::options::{Options, numbers};
use crate::work::run;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Arc, Mutex, PoisonError};
use webrank::Error;
use webrank_formats::import;
use webrank_formats::import::{GivenArcs, Problem, Receiver};
use webrank_graph::Csr;

/// A graph and what was read.
type Made<'py> = (Graph, Bound<'py, PyDict>);

/// Arrays of arcs, read in parts.
struct Parts {
    /// Called with a position: the sources, targets and weights from there on, as bytes; no bytes
    /// at the end.
    read: Py<PyAny>,
    /// The exception that reading raised.
    raised: Arc<Mutex<Option<PyErr>>>,
    num_nodes: Option<u64>,
}

/// A part of the arrays.
struct Part {
    sources: Vec<i64>,
    targets: Vec<i64>,
    weights: Option<Vec<f64>>,
}

impl Parts {
    /// A part is copied while nobody else can change the arrays, and is checked after that.
    fn part(&self, start: usize) -> webrank::Result<Part> {
        let part = Python::attach(|py| -> PyResult<Part> {
            type Bytes<'py> = (
                Bound<'py, PyBytes>,
                Bound<'py, PyBytes>,
                Option<Bound<'py, PyBytes>>,
            );
            let read = self.read.bind(py).call1((start,))?;
            let (sources, targets, weights): Bytes = read.extract()?;
            Ok(Part {
                sources: integers(sources.as_bytes()),
                targets: integers(targets.as_bytes()),
                weights: weights.map(|weights| numbers(weights.as_bytes())),
            })
        });
        part.map_err(|problem| {
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            *raised = Some(problem);
            Error::Interrupted
        })
    }

    /// Gives all arcs.
    fn give(self, to: &mut dyn Receiver) -> webrank::Result<()> {
        if let Some(last) = self.num_nodes.and_then(|nodes| nodes.checked_sub(1)) {
            to.number(last).map_err(|problem| refused("n", problem))?;
        }
        let mut start = 0;
        loop {
            let part = self.part(start)?;
            if part.sources.is_empty() {
                return Ok(());
            }
            for (place, (&source, &target)) in part.sources.iter().zip(&part.targets).enumerate() {
                let arc = start + place;
                let source = self.node("src", arc, source, to)?;
                let target = self.node("dst", arc, target, to)?;
                let weight = part.weights.as_ref().map_or(1.0, |weights| weights[place]);
                let given = to.arc(source, target, weight);
                given.map_err(|problem| refused(&format!("weights[{arc}]"), problem))?;
            }
            start += part.sources.len();
        }
    }

    fn node(
        &self,
        array: &str,
        arc: usize,
        number: i64,
        to: &mut dyn Receiver,
    ) -> webrank::Result<webrank::Node> {
        let refuse = |why: String| Error::Rows {
            problem: format!("{array}[{arc}] is {number}: {why}"),
        };
        let Ok(found) = u64::try_from(number) else {
            return Err(refuse("nodes have numbers from 0".to_owned()));
        };
        match self.num_nodes {
            Some(nodes) if found >= nodes => {
                Err(refuse(format!("the graph has n = {nodes} nodes")))
            }
            _ => to
                .number(found)
                .map_err(|problem| refused(&format!("{array}[{arc}]"), problem)),
        }
    }
}

/// The integers in the bytes of an array.
fn integers(bytes: &[u8]) -> Vec<i64> {
    let all = bytes.as_chunks().0.iter();
    all.map(|bytes| i64::from_ne_bytes(*bytes)).collect()
}

/// The error for an arc that cannot be used.
fn refused(place: &str, problem: Problem) -> Error {
    match problem {
        Problem::Record(problem) => Error::Rows {
            problem: format!("{place}: {problem}"),
        },
        Problem::Other(problem) => problem,
    }
}

/// A graph of arrays that `read` gives in parts.
#[pyfunction]
pub fn graph_of_arcs<'py>(
    py: Python<'py>,
    read: Py<PyAny>,
    num_nodes: Option<u64>,
    weighted: bool,
    options: &Bound<'py, PyDict>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Made<'py>> {
    let options = import_options(&Options::new(options))?;
    let raised = Arc::new(Mutex::new(None));
    let parts = Parts {
        read,
        raised: raised.clone(),
        num_nodes,
    };
    let made = run(py, progress, |progress| {
        let arcs = GivenArcs {
            weighted,
            numbered: true,
            give: move |to: &mut dyn Receiver| parts.give(to),
        };
        import::read_arcs(arcs, &options, progress)
    });
    let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
    match raised.take() {
        Some(problem) => Err(problem),
        None => made.and_then(|(graph, report)| Ok((graph.into(), as_dict(py, &report)?))),
    }
}

/// A graph of a table that has the method `__arrow_c_stream__`.
#[pyfunction]
pub fn graph_of_table<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Made<'py>> {
    let options = import_options(&Options::new(options))?;
    let batches = RecordBatchStreamReader::from_pyarrow_bound(table)?;
    let (graph, report) = run(py, progress, |progress| {
        import::read_batches("the table", batches, &options, progress)
    })?;
    Ok((graph.into(), as_dict(py, &report)?))
}

/// A graph of its rows of successors and their weights, as pickles hold them. Names may be `integers`.
#[pyfunction]
pub fn graph_of_rows(
    py: Python<'_>,
    offsets: &[u8],
    targets: &[u8],
    weights: Option<&[u8]>,
    names: Option<Vec<String>>,
    integers: bool,
) -> PyResult<Graph> {
    let made = || {
        let offsets = offsets.as_chunks().0.iter();
        let targets = targets.as_chunks().0.iter();
        let offsets = offsets.map(|bytes| u64::from_ne_bytes(*bytes)).collect();
        let targets = targets.map(|bytes| u32::from_ne_bytes(*bytes)).collect();
        let rows = Csr::new(offsets, targets)?;
        let mut graph = webrank::Graph::from_rows(rows);
        if let Some(names) = names {
            let names = webrank::Names::collect(names.iter().map(String::as_str))?;
            graph = graph.with_names(if integers { names } else { names.as_texts() })?;
        }
        match weights {
            Some(weights) => graph.with_arc_weights(numbers(weights)),
            None => Ok(graph),
        }
    };
    match made() {
        Ok(graph) => Ok(graph.into()),
        Err(problem) => Err(exception(py, &problem)),
    }
}
