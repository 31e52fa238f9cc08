//! Graphs, opened and read.

use crate::array::Array;
use crate::errors::{exception, in_python};
use crate::names::{Names, name_of};
use crate::options::{Options, text_of};
use crate::work::{refuse_fork, run};
use pyo3::exceptions::{PyFileNotFoundError, PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank::{Error, Node};
use webrank_base::memory::{admit, allowed_memory, allowing};
use webrank_distances::traversal::paths::ShortestPaths;
use webrank_distances::traversal::single::SingleSearch;
use webrank_formats::import;
use webrank_formats::import::{ImportOptions, ImportReport, Note, NoteKind, open};
use webrank_graph::bundle::{BundleOptions, save};
use webrank_graph::subgraph::{Subgraph, with_neighbours};
use webrank_graph::{Csr, Direction};
use webrank_lengths::node_distances::NodeDistances;
use webrank_scores::report::described_graph;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::missing::nothing_at;
use webrank_tables::text::separator::Separator;

/// The length of paths, their number, and some of them.
type Paths = (Option<u32>, Option<u128>, Vec<Vec<Node>>);

/// A graph of the library.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Graph {
    pub graph: Arc<webrank::Graph>,
    /// This graph without weights, if they do not count.
    unweighted: OnceLock<Arc<webrank::Graph>>,
}

impl From<webrank::Graph> for Graph {
    fn from(graph: webrank::Graph) -> Self {
        Graph {
            graph: Arc::new(graph),
            unweighted: OnceLock::new(),
        }
    }
}

impl Graph {
    /// The graph whose arcs all weigh 1; it keeps its own rows.
    pub fn without_weights(&self) -> Arc<webrank::Graph> {
        let without = || Arc::new(webrank::Graph::clone(&self.graph).without_weights());
        match self.graph.has_weights() {
            true => self.unweighted.get_or_init(without).clone(),
            false => self.graph.clone(),
        }
    }
}

/// How files are read.
pub fn import_options(options: &Options) -> PyResult<ImportOptions> {
    let default = ImportOptions::default();
    Ok(ImportOptions {
        from: options.optional_choice("format")?,
        ids: options.optional("ids")?.unwrap_or(false),
        columns: options.optional("columns")?,
        header: options.optional("header")?,
        predicates: options.optional("predicates")?.unwrap_or_default(),
        unweighted: options.optional("unweighted")?.unwrap_or(false),
        separator: separator(options)?,
        encoding: options.optional("encoding")?,
        negative: options.optional_choice("negative")?.unwrap_or_default(),
        allow_empty: options.optional("allow_empty")?.unwrap_or(false),
        duplicates: options.optional_choice("duplicates")?,
        symmetric: options.optional("symmetric")?.unwrap_or(false),
        ids_from: options.optional("ids_from")?.unwrap_or(0),
        nodes: options.path("nodes")?,
        drop_loops: options.optional("drop_loops")?.unwrap_or(false),
        skip_bad: options.optional("skip_bad")?.unwrap_or(0),
        names: options.path("names")?,
        order: options.optional_choice("order")?.unwrap_or(default.order),
        ..default
    })
}

/// The separator of the fields of a list.
fn separator(options: &Options) -> PyResult<Option<Separator>> {
    let Some(text) = options.optional::<String>("separator")? else {
        return Ok(None);
    };
    let found = import::separator(&text).map_err(|remedy| Error::Argument {
        name: "separator",
        value: text,
        remedy,
    });
    options.checked(found).map(Some)
}

/// The report on a file or table that was read, as a dictionary.
pub fn as_dict<'py>(py: Python<'py>, report: &ImportReport) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("nodes", report.nodes)?;
    facts.set_item("arcs", report.arcs)?;
    facts.set_item("weighted", report.weighted)?;
    facts.set_item("duplicates", report.duplicates)?;
    facts.set_item("skipped", report.skipped)?;
    facts.set_item("first_skipped", report.first_skipped.clone())?;
    let is_doubtful = |note: &&Note| note.kind != NoteKind::Understood;
    let notes = report.notes.iter().filter(is_doubtful);
    let notes: Vec<String> = notes.map(|note| in_python(&note.to_string())).collect();
    facts.set_item("notes", notes)?;
    Ok(facts)
}

/// Opens a graph of any format; returns what was read of a file that is no BVGraph, too.
#[pyfunction]
pub fn open_graph<'py>(
    py: Python<'py>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Graph, Option<Bound<'py, PyDict>>)> {
    let options = Options::new(options);
    let memory = options.memory()?;
    let options = import_options(&options)?;
    let opened = run(py, progress, |progress| {
        let read = || open(&path, &options, progress);
        let opened = match memory {
            Some(bytes) => allowing(bytes, read),
            None => read(),
        };
        opened.map_err(|problem| missing(&path, problem))
    });
    let is_missing = path.as_os_str() != "-" && !path.exists();
    let (graph, report) = match opened {
        Err(problem) if is_missing && problem.is_instance_of::<PyFileNotFoundError>(py) => {
            let text = nothing_at(&path).to_string();
            let named = format!("{}: ", path.display());
            let text = text.strip_prefix(&named).unwrap_or(&text).to_owned();
            return Err(PyFileNotFoundError::new_err((
                2,
                text,
                path.into_os_string(),
            )));
        }
        opened => opened?,
    };
    let lacks_manifest = graph.source().is_some_and(|source| source.lacks_manifest());
    if lacks_manifest {
        let text = format!(
            "{}: the bundle has no manifest.json, so damage may go unnoticed; make it again",
            path.display()
        );
        warn(py, &text)?;
    }
    let report = report.map(|report| as_dict(py, &report)).transpose()?;
    Ok((graph.into(), report))
}

/// Warns the user.
pub fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let class = py.import("webrank.errors")?.getattr("WebrankWarning")?;
    let warnings = py.import("warnings")?;
    // The caller of the package's function that called this one.
    warnings.call_method1("warn", (text, class, 3))?;
    Ok(())
}

/// The system's error if there is nothing at a path at all.
fn missing(path: &Path, problem: Error) -> Error {
    match problem {
        Error::File { problem, .. } if !path.exists() && path.as_os_str() != "-" => Error::Io {
            path: path.to_owned(),
            action: "there is no graph",
            source: std::io::Error::new(std::io::ErrorKind::NotFound, problem),
        },
        other => other,
    }
}

#[pymethods]
impl Graph {
    #[getter]
    fn num_nodes(&self) -> usize {
        self.graph.num_nodes()
    }

    #[getter]
    fn num_arcs(&self) -> u64 {
        self.graph.num_arcs()
    }

    #[getter]
    fn has_weights(&self) -> bool {
        self.graph.has_weights()
    }

    #[getter]
    fn names(&self) -> Option<Names> {
        Names::of(&self.graph)
    }

    #[getter]
    fn path(&self) -> Option<String> {
        self.graph.path().map(text_of)
    }

    /// Where the graph is, if it is read from disk when its arcs are needed: its path, the file of
    /// its names, whether weights were left out.
    #[getter]
    fn origin(&self) -> Option<(String, Option<String>, bool)> {
        let source = self.graph.source()?;
        let unweighted = source.weights().is_some() && !self.graph.has_weights();
        let names = source.names_path().map(text_of);
        Some((text_of(source.path()), names, unweighted))
    }

    /// This graph with arcs that all weigh 1.
    fn unweighted(&self) -> Graph {
        Graph {
            graph: self.without_weights(),
            unweighted: OnceLock::new(),
        }
    }

    fn described(&self) -> String {
        described_graph(&self.graph)
    }

    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        run(py, None, |_| self.graph.fingerprint())
    }

    /// The node that a key means.
    fn node(&self, py: Python<'_>, key: &str) -> PyResult<Node> {
        refuse_fork(py)?;
        let keys = NodeKeys::new(self.graph.num_nodes(), self.graph.names());
        py.detach(|| keys.find(key)).ok_or_else(|| {
            let why = py.detach(|| keys.why_unknown(key));
            PyKeyError::new_err(format!("{key}: {why}"))
        })
    }

    /// The name of a node, or its number.
    fn name<'py>(&self, py: Python<'py>, node: Node) -> PyResult<Bound<'py, PyAny>> {
        if node as usize >= self.graph.num_nodes() {
            let text = format!("node {node} of {} nodes", self.graph.num_nodes());
            return Err(PyIndexError::new_err(text));
        }
        Ok(name_of(py, &self.graph, node))
    }

    /// The rows of successors, or of predecessors: offsets and targets.
    fn rows(
        &self,
        py: Python<'_>,
        incoming: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Array, Array)> {
        let rows = run(py, progress, |progress| match incoming {
            true => self.graph.predecessors(progress),
            false => self.graph.successors(progress),
        })?;
        let offsets = Array::new(rows.clone(), |rows| rows.offsets());
        Ok((offsets, Array::new(rows, |rows| rows.targets())))
    }

    /// The weights of the arcs in the order of the rows of successors, if they have any.
    fn weights(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Array>> {
        let found = run(py, progress, |progress| {
            self.graph.weighted_successors(progress)
        })?;
        Ok(found.map(|(_, weights)| Array::own(weights)))
    }

    /// Writes a bundle.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        replace: bool,
        compact: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let options = BundleOptions { replace, compact };
        run(py, progress, |progress| {
            save(&self.graph, &path, options, progress)
        })
    }

    /// How many nodes reach a node, and how many it reaches, in 0, 1, 2, ... steps.
    fn distances(&self, py: Python<'_>, node: Node) -> PyResult<(Vec<u64>, Vec<u64>)> {
        run(py, None, |progress| {
            let (successors, predecessors) = self.graph.both(progress)?;
            let mut search = SingleSearch::new(self.graph.num_nodes());
            let mut counts = |rows| {
                let mut counts = Vec::new();
                search.by_level(rows, node, |_, nodes| {
                    counts.push(nodes.len() as u64);
                    true
                });
                counts
            };
            Ok((counts(&predecessors), counts(&successors)))
        })
    }

    /// The distances to a node and from it that are sums of lengths, as JSON.
    fn lengths(
        &self,
        py: Python<'_>,
        node: Node,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<String>> {
        let given = Options::new(options).lengths()?;
        let (lengths, cutoff) = given.unwrap_or_default();
        run(py, None, |progress| {
            let given = (&lengths, cutoff);
            let of = |direction| NodeDistances::of(&self.graph, node, direction, given, progress);
            let both = [of(Direction::In)?, of(Direction::Out)?];
            Ok(both
                .map(|found| serde_json::json!(found).to_string())
                .into())
        })
    }

    /// The length of the shortest paths between two nodes, how many there are, and the first of them.
    fn paths(&self, py: Python<'_>, ends: [Node; 2], limit: usize) -> PyResult<Paths> {
        run(py, None, |progress| {
            let rows = self.graph.successors(progress)?;
            let admitted = |bytes| admit("paths", bytes, allowed_memory());
            let paths = ShortestPaths::new(&rows, ends, &admitted)?;
            let mut first = Vec::new();
            paths.visit(limit, &mut |path| {
                progress.check()?;
                first.push(path.to_vec());
                Ok::<_, Error>(())
            })?;
            let count = Some(paths.count()).filter(|&count| count < u128::MAX);
            Ok((paths.length(), count, first))
        })
    }

    /// The arcs between some nodes, perhaps with all nodes next to one of them.
    fn subgraph(
        &self,
        py: Python<'_>,
        mut nodes: Vec<Node>,
        neighbours: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Graph> {
        let graph = &self.graph;
        nodes.sort_unstable();
        nodes.dedup();
        let made = run(py, progress, |progress| {
            let weighted = graph.weighted_successors(progress)?;
            let part = |rows: &Csr, weights: Option<&[f64]>| {
                if neighbours {
                    nodes = with_neighbours(&nodes, rows)?;
                }
                Subgraph::induced(nodes, rows, weights)
            };
            let small = match weighted {
                Some((rows, weights)) => part(&rows, Some(&weights))?,
                None => part(&*graph.successors(progress)?, None)?,
            };
            let names: Vec<_> = small.nodes.iter().map(|&node| graph.name(node)).collect();
            let names = webrank::Names::collect(names.iter().map(|name| &**name))?;
            // Some names may be integers where not all are.
            let are_texts = graph.names().is_some_and(|names| !names.are_integers());
            let names = if are_texts { names.as_texts() } else { names };
            let made = webrank::Graph::from_rows(small.successors).with_names(names)?;
            match small.weights {
                Some(weights) => made.with_arc_weights(weights),
                None => Ok(made),
            }
        })?;
        Ok(made.into())
    }

    /// This graph with these names of its nodes, which may be `integers`.
    fn with_names(&self, py: Python<'_>, names: Vec<String>, integers: bool) -> PyResult<Graph> {
        let made = py.detach(|| {
            let names = webrank::Names::collect(names.iter().map(String::as_str))?;
            let names = if integers { names } else { names.as_texts() };
            webrank::Graph::clone(&self.graph).with_names(names)
        });
        match made {
            Ok(graph) => Ok(graph.into()),
            Err(problem) => Err(exception(py, &problem)),
        }
    }
}
