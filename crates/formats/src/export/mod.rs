//! Graphs in formats of other programs, written row by row.
//!
//! * `dot`, `gml`, `json`: for Graphviz, networkx, d3;
//! * `edges`: lists of arcs, as `rank import` reads them;
//! * `matrix_market`: sparse matrices as text;
//! * `metis`: the input of METIS and other partitioners: undirected graphs;
//! * `npz`: sparse matrices of scipy;
//! * `parquet`: tables of arcs;
//! * `xml`: GraphML and GEXF, for networkx, igraph and Gephi.
//!
//! Rows are read once or several times, from memory or from disk; weights are in the order of the
//! arcs: by source, then by target.

mod attributes;
mod dot;
mod edges;
mod gml;
mod json;
mod matrix_market;
mod metis;
#[cfg(feature = "npy")]
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "xml")]
mod xml;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::shown::quoted;
use webrank_graph::{Csr, Rows};
use webrank_tables::table::NamedColumn;
use webrank_tables::write::{Compression, extension};

/// Arcs of a row group of Parquet.
pub const ARCS_PER_GROUP: usize = 1 << 20;

/// A format of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// A line for each arc, with a tab between source and target.
    Tsv,
    /// Fields between commas, and names in quotation marks.
    Csv,
    /// MatrixMarket's coordinates: entry (i, j) is the arc from node i - 1 to node j - 1.
    MatrixMarket,
    /// A table with the columns source and target.
    Parquet,
    /// GraphML.
    GraphMl,
    /// GEXF, of Gephi.
    Gexf,
    /// GML.
    Gml,
    /// DOT, of Graphviz.
    Dot,
    /// JSON of nodes and links.
    Json,
    /// The neighbours of each node, from 1; for undirected graphs without self-loops.
    Metis,
    /// A matrix of scipy, in compressed rows.
    Npz,
}

/// A graph to export.
pub struct Exported<'a> {
    /// The rows of successors.
    pub rows: &'a dyn Rows,
    /// The names of the nodes.
    pub names: Option<&'a (dyn Fn(Node) -> &'a str + Sync)>,
    /// The weights of the arcs.
    pub weights: Option<&'a [f64]>,
    /// Attributes of the nodes, such as scores: the row of each node is its number. Formats with
    /// [`ExportFormat::has_attributes`] keep them; lists of arcs have a header then.
    pub columns: Vec<NamedColumn<'a>>,
    /// Receives progress, and may interrupt.
    pub progress: &'a dyn Progress,
}

impl ExportFormat {
    /// The format that the extension of `path` names, before `.gz` or `.zst`.
    pub fn of(path: &Path) -> Option<Self> {
        let inner = match Compression::of(path) {
            Compression::None => path,
            _ => Path::new(path.file_stem().unwrap_or_default()),
        };
        Some(match extension(inner).as_str() {
            "tsv" | "txt" | "edges" | "tab" => ExportFormat::Tsv,
            "csv" => ExportFormat::Csv,
            "mtx" => ExportFormat::MatrixMarket,
            "parquet" => ExportFormat::Parquet,
            "graphml" => ExportFormat::GraphMl,
            "gexf" => ExportFormat::Gexf,
            "gml" => ExportFormat::Gml,
            "dot" | "gv" => ExportFormat::Dot,
            "json" => ExportFormat::Json,
            "metis" => ExportFormat::Metis,
            "npz" => ExportFormat::Npz,
            _ => return None,
        })
    }

    /// True if the format can hold names.
    pub fn has_names(self) -> bool {
        !matches!(
            self,
            ExportFormat::MatrixMarket | ExportFormat::Metis | ExportFormat::Npz
        )
    }

    /// True if nodes can have attributes.
    pub fn has_attributes(self) -> bool {
        use ExportFormat::{Dot, Gexf, Gml, GraphMl, Json};
        matches!(self, GraphMl | Gexf | Gml | Dot | Json)
    }

    /// True for formats of text, which may be compressed.
    pub fn is_text(self) -> bool {
        !matches!(self, ExportFormat::Parquet | ExportFormat::Npz)
    }
}

/// Why a graph was not written.
enum Failure {
    /// The writer.
    Write(io::Error),
    /// The graph.
    Graph(Error),
}

impl From<io::Error> for Failure {
    fn from(problem: io::Error) -> Self {
        Failure::Write(problem)
    }
}

impl From<Error> for Failure {
    fn from(problem: Error) -> Self {
        Failure::Graph(problem)
    }
}

/// Receives a node, its successors, and the weights of those arcs.
type VisitRow<'v> = dyn FnMut(Node, &[Node], Option<&[f64]>) -> Written + 'v;

/// The result of writing.
type Written = std::result::Result<(), Failure>;

/// Nodes visited between two checks for interruption.
const NODES_PER_RANGE: usize = 1 << 14;

impl Exported<'_> {
    /// Writes the graph; text is compressed as the extension of `path` says. Returns the number of
    /// nodes that the file does not hold, because they have no arcs.
    ///
    /// # Errors
    /// If the rows cannot be read, the format cannot hold the graph, or the file cannot be written.
    pub fn write(
        &self,
        format: ExportFormat,
        path: &Path,
        out: &mut (dyn Write + Send),
    ) -> Result<u64> {
        let mut cause = None;
        let mut lost = 0;
        let mut write = |out: &mut (dyn Write + Send)| {
            let nothing_lost = |()| 0;
            let written = match format {
                ExportFormat::Tsv => edges::write(self, b'\t', out).map(nothing_lost),
                ExportFormat::Csv => edges::write(self, b',', out).map(nothing_lost),
                ExportFormat::MatrixMarket => matrix_market::write(self, out).map(nothing_lost),
                ExportFormat::Metis => metis::write(self, out).map(nothing_lost),
                ExportFormat::Gml => gml::write(self, out).map(nothing_lost),
                ExportFormat::Dot => dot::write(self, out).map(nothing_lost),
                ExportFormat::Json => json::write(self, out).map(nothing_lost),
                #[cfg(feature = "npy")]
                ExportFormat::Npz => npz::write(self, out).map(nothing_lost),
                #[cfg(feature = "parquet")]
                ExportFormat::Parquet => parquet::write(self, out),
                #[cfg(feature = "xml")]
                ExportFormat::GraphMl => xml::write_graphml(self, out).map(nothing_lost),
                #[cfg(feature = "xml")]
                ExportFormat::Gexf => xml::write_gexf(self, out).map(nothing_lost),
                #[allow(unreachable_patterns)]
                _ => Err(Failure::Write(io::Error::other(
                    "this build does not write the format; build it with the feature formats",
                ))),
            };
            match written {
                Ok(without_arcs) => {
                    lost = without_arcs;
                    Ok(())
                }
                Err(Failure::Write(problem)) => Err(problem),
                Err(Failure::Graph(problem)) => {
                    cause = Some(problem);
                    Err(io::Error::other("the graph cannot be written"))
                }
            }
        };
        let written = match format.is_text() {
            true => Compression::of(path).write(out, &mut write),
            false => write(out),
        };
        match (written, cause) {
            (Ok(()), _) => Ok(lost),
            (Err(_), Some(problem)) => Err(problem),
            (Err(problem), None) => Err(Error::io(path, "cannot write", problem)),
        }
    }

    fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    /// Visits the row of each node, with the weights of its arcs.
    fn each_row(&self, visit: &mut VisitRow) -> Written {
        let n = self.num_nodes();
        let (mut arcs, mut result) = (0, Ok(()));
        let total = self.rows.num_arcs();
        for start in (0..n).step_by(NODES_PER_RANGE) {
            self.progress.check()?;
            let range = start..n.min(start + NODES_PER_RANGE);
            self.rows.for_rows(range, &mut |node, row| {
                let before = arcs as usize;
                arcs += row.len() as u64;
                if result.is_ok() && arcs <= total {
                    let weights = self.weights.map(|weights| &weights[before..arcs as usize]);
                    result = visit(node, row, weights);
                }
            })?;
            std::mem::replace(&mut result, Ok(()))?;
        }
        if arcs == total {
            return Ok(());
        }
        let problem = format!("{arcs} arcs instead of {total}: the graph is damaged");
        Err(Error::Rows { problem }.into())
    }

    /// Visits each arc and its weight.
    fn each_arc(&self, mut visit: impl FnMut(Node, Node, Option<f64>) -> Written) -> Written {
        self.each_row(&mut |source, row, weights| {
            for (i, &target) in row.iter().enumerate() {
                visit(source, target, weights.map(|weights| weights[i]))?;
            }
            Ok(())
        })
    }
}

/// The name of a node, or its number, for a text that has no byte 0.
fn label<'a>(graph: &Exported<'a>, node: Node) -> std::result::Result<Cow<'a, str>, Failure> {
    let Some(name) = graph.names else {
        return Ok(Cow::Owned(node.to_string()));
    };
    let name = name(node);
    if name.contains('\0') {
        let problem = format!(
            "the name {} of node {node} has a character that this format cannot hold; write another \
             format",
            quoted(name)
        );
        return Err(Error::Rows { problem }.into());
    }
    Ok(Cow::Borrowed(name))
}

/// Checks that a graph is undirected and without self-loops, and that so are its weights.
///
/// # Errors
/// The first arc whose reverse is not there, weighs something else, or is the arc itself.
pub fn check_undirected(rows: &Csr, weights: Option<&[f64]>) -> Result<()> {
    let refuse = |source: Node, target: Node, why: &str| {
        let problem = format!(
            "METIS files hold undirected graphs without self-loops, but the arc {source} -> {target} \
             {why}; import the graph symmetrically, or write another format"
        );
        Err(Error::Rows { problem })
    };
    let (reversed, reversed_weights) = match weights {
        None => (rows.transpose()?, None),
        Some(weights) => {
            let (rows, weights) = rows.transpose_weighted(weights)?;
            (rows, Some(weights))
        }
    };
    for node in 0..rows.num_nodes() as Node {
        let (row, back) = (rows.row(node), reversed.row(node));
        if row.binary_search(&node).is_ok() {
            return refuse(node, node, "is a self-loop");
        }
        if row != back {
            let lacking = row
                .iter()
                .find(|target| back.binary_search(target).is_err());
            let extra = back
                .iter()
                .find(|source| row.binary_search(source).is_err());
            return match (lacking, extra) {
                (Some(&target), _) => refuse(node, target, "has no reverse"),
                (None, Some(&source)) => refuse(source, node, "has no reverse"),
                (None, None) => Ok(()),
            };
        }
    }
    let pairs = weights.zip(reversed_weights.as_deref());
    let differs = pairs.and_then(|(one, other)| (0..one.len()).find(|&arc| one[arc] != other[arc]));
    match differs {
        None => Ok(()),
        Some(arc) => {
            let source = rows
                .offsets()
                .partition_point(|&start| start as usize <= arc)
                - 1;
            refuse(
                source as Node,
                rows.targets()[arc],
                "weighs something else than its reverse",
            )
        }
    }
}
