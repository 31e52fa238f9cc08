//! Scores: columns, ranks, what is proved of them, and tables.

use crate::array::Array;
use crate::names::{Names, name_of};
use crate::work::run;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::path::PathBuf;
use std::sync::Arc;
use webrank::{Graph, Node};
use webrank_distances::betweenness::arcs::RankedArcs;
use webrank_scores::Run;
use webrank_scores::manifest::Manifest;
use webrank_scores::ranked::Ranked;
use webrank_scores::report::{Report, TableRows, described_measure};
use webrank_tables::write::batches;
use webrank_walks::pagerank::inflow::{InflowArcs, Restart};

/// A ranking of the library.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Scores {
    pub ranked: Arc<Ranked>,
    pub graph: Arc<Graph>,
    command: Vec<String>,
}

impl Scores {
    pub fn new(ranked: Ranked, graph: Arc<Graph>, command: Vec<String>) -> Self {
        Scores {
            ranked: Arc::new(ranked),
            graph,
            command,
        }
    }

    fn report(&self) -> Report<'_> {
        Report {
            graph: &self.graph,
            ranked: &self.ranked,
        }
    }

    /// The manifest says what was called, not how the interpreter was started.
    fn complete(&self, manifest: Manifest) -> Manifest {
        Manifest {
            command: self.command.clone(),
            ..manifest
        }
    }
}

#[pymethods]
impl Scores {
    fn __len__(&self) -> usize {
        self.ranked.values().len()
    }

    #[getter]
    fn measure(&self) -> &str {
        self.ranked.run().measure
    }

    #[getter]
    fn method(&self) -> &str {
        self.ranked.run().method
    }

    /// The measure and its parameters.
    #[getter]
    fn described(&self) -> String {
        described_measure(self.ranked.run())
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.ranked.notes().to_vec()
    }

    #[getter]
    fn converged(&self) -> bool {
        self.ranked.check_converged().is_ok()
    }

    #[getter]
    fn error_bound(&self) -> Option<f64> {
        self.ranked.run().outcome.error_bound()
    }

    /// The outcome and the guarantee of a column, as JSON.
    fn certainty(&self, column: usize) -> PyResult<String> {
        let (_, scores) = self.column_at(column)?;
        let outcome = &scores.run.outcome;
        let guarantee = outcome.guarantee(!self.ranked.bounds().is_empty());
        let text = guarantee.text();
        let both = serde_json::json!({
            "outcome": outcome, "guarantee": guarantee, "text": text,
        });
        Ok(both.to_string())
    }

    #[getter]
    fn proved_positions(&self) -> Option<usize> {
        let certainty = self.ranked.certainty();
        certainty.map(|certainty| certainty.proved_positions())
    }

    /// The headers of the columns of scores, and those of bounds.
    #[getter]
    fn headers(&self) -> (Vec<String>, Vec<String>) {
        let scores = self.ranked.columns().iter();
        let bounds = self.ranked.bounds().into_iter();
        (
            scores.map(|(header, _)| header.clone()).collect(),
            bounds.map(|(header, _)| header).collect(),
        )
    }

    /// A column of scores by its position.
    fn column(&self, column: usize) -> PyResult<Array> {
        self.column_at(column)?;
        Ok(Array::new(self.ranked.clone(), |ranked| {
            ranked.columns()[column].1.as_slice()
        }))
    }

    /// A column of bounds by its position.
    fn bound(&self, column: usize) -> PyResult<Array> {
        if column >= self.ranked.bounds().len() {
            return Err(no_column(column));
        }
        Ok(Array::new(self.ranked.clone(), |ranked| {
            ranked.bounds()[column].1
        }))
    }

    #[getter]
    fn rank(&self) -> Array {
        Array::new(self.ranked.clone(), |ranked| ranked.ranking().ranks())
    }

    /// The first and the last rank of each node that the intervals leave open.
    #[getter]
    fn rank_ranges(&self) -> Option<(Array, Array)> {
        self.ranked.rank_ranges()?;
        let from = Array::new(self.ranked.clone(), |ranked| {
            ranked.rank_ranges().map_or(&[][..], |it| &it.from)
        });
        let to = Array::new(self.ranked.clone(), |ranked| {
            ranked.rank_ranges().map_or(&[][..], |it| &it.to)
        });
        Some((from, to))
    }

    /// The claim of the intervals of the first column, as JSON.
    #[getter]
    fn claim(&self) -> Option<String> {
        let intervals = self.ranked.intervals()?;
        Some(serde_json::json!(intervals.claim).to_string())
    }

    #[getter]
    fn order(&self) -> Array {
        Array::new(self.ranked.clone(), |ranked| ranked.ranking().order())
    }

    #[getter]
    fn certain(&self) -> Option<Array> {
        self.ranked.certainty()?;
        Some(Array::new(self.ranked.clone(), |ranked| {
            ranked.certainty().map_or(&[][..], |it| it.certain())
        }))
    }

    #[getter]
    fn names(&self) -> Option<Names> {
        Names::of(&self.graph)
    }

    #[getter]
    fn graph(&self) -> crate::graph::Graph {
        Graph::clone(&self.graph).into()
    }

    /// The lines of the summary.
    #[getter]
    fn account(&self) -> Vec<(&'static str, String)> {
        self.report().account(true)
    }

    /// The parts of the PageRank of a node in a column, as JSON; nothing for other measures.
    fn inflow(
        &self,
        py: Python<'_>,
        column: usize,
        node: Node,
        top: usize,
    ) -> PyResult<Option<String>> {
        let (_, scores) = self.column_at(column)?;
        let Some(restart) = Restart::of(&Run::from(&scores.run)) else {
            return Ok(None);
        };
        let values = scores.as_slice();
        let found = run(py, None, |progress| {
            let (successors, predecessors) = self.graph.both(progress)?;
            let weighted = match restart.is_weighted {
                true => self.graph.weighted_successors(progress)?,
                false => None,
            };
            let arcs = InflowArcs {
                successors: &successors,
                predecessors: &predecessors,
                weights: weighted.as_ref().map(|(_, weights)| &**weights),
            };
            let score = |node: Node| values.get(node as usize).copied();
            Ok(restart.parts(arcs, node, top, score, |_| None))
        })?;
        Ok(found.map(|found| serde_json::json!(found).to_string()))
    }

    /// The manifest, as JSON.
    fn manifest(&self, py: Python<'_>) -> PyResult<String> {
        let manifest = run(py, None, |_| self.report().manifest(self.ranked.phases()))?;
        Ok(self.complete(manifest).text())
    }

    /// Writes the table and its manifest.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        top: Option<usize>,
        best_first: bool,
    ) -> PyResult<()> {
        let rows = TableRows { top, best_first };
        // Which rows were saved is part of how the table was made.
        let top = top.map(|top| format!("save.top={top}"));
        let sort = best_first.then(|| "save.sort=score".to_owned());
        let saved: Vec<String> = top.into_iter().chain(sort).collect();
        let complete = |manifest| {
            let mut manifest = self.complete(manifest);
            manifest.command.extend_from_slice(&saved);
            manifest
        };
        run(py, None, |_| self.report().save(rows, &path, complete))
    }

    /// The table as an Arrow stream.
    fn arrow<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Producers may ignore what schema is requested.
        let _ = requested_schema;
        let reader = run(py, None, |_| {
            let manifest = self.report().manifest(self.ranked.phases())?;
            let manifest = self.complete(manifest).of_scores();
            batches(
                &self.report().columns(TableRows::default()),
                Some(&manifest),
            )
        })?;
        stream(py, Box::new(reader))
    }
}

/// A capsule of a stream.
pub fn stream<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(reader);
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

impl Scores {
    fn column_at(&self, column: usize) -> PyResult<&(String, webrank::Scores)> {
        let columns = self.ranked.columns();
        columns.get(column).ok_or_else(|| no_column(column))
    }
}

fn no_column(column: usize) -> PyErr {
    PyKeyError::new_err(format!("no column {column}"))
}

/// Arcs with their scores.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct ArcScores {
    ranked: Arc<RankedArcs>,
    graph: Arc<Graph>,
}

impl ArcScores {
    pub fn new(ranked: RankedArcs, graph: Arc<Graph>) -> Self {
        ArcScores {
            ranked: Arc::new(ranked),
            graph,
        }
    }
}

#[pymethods]
impl ArcScores {
    /// The score of every arc, in the order of sources and targets.
    #[getter]
    fn values(&self) -> Array {
        Array::new(self.ranked.clone(), |ranked| ranked.values())
    }

    /// The best arcs: names or numbers of source and target, and the score.
    fn top<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>, f64)> {
        let order = self.ranked.order().iter().take(count);
        let of_arc = |&arc: &usize| {
            let (source, target) = self.ranked.ends(arc);
            let name = |node: Node| name_of(py, &self.graph, node);
            (name(source), name(target), self.ranked.values()[arc])
        };
        order.map(of_arc).collect()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.ranked.notes().to_vec()
    }

    #[getter]
    fn described(&self) -> String {
        described_measure(self.ranked.run())
    }
}
