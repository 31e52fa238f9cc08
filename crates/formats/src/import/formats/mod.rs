//! A reader for each format. It opens a file far enough to know whether arcs have weights and
//! directions and whether nodes have numbers, and then gives nodes and arcs to a
//! [`Receiver`](super::Receiver).
//!
//! Text, from pipes too:
//!
//! * [`edge_list`]: tables of arcs;
//! * [`matrix_market`], [`metis`], [`pajek`], [`adjacency`], [`n_triples`], [`dimacs`], [`sif`];
//! * [`lgl`] (and NCOL), [`graph6`] (and sparse6, digraph6), rows of [`json`];
//! * [`gml`], [`dot`], [`tgf`], graphs of [`json`], which are [`held`] before they are given;
//! * [`dl`]: UCINET; [`dense`]: adjacency matrices as tables;
//! * `xml`: GraphML and GEXF (feature `xml`).
//!
//! They share names for nodes that have labels (`unique_names`), a decoder of labels (`latin1`), and a
//! first reading that looks for weights (`weight_finder`).
//!
//! Binary files, with the features `arrow`, `npy`, `parquet` and `zip`:
//!
//! * `columnar`: Parquet and Arrow;
//! * `npz`: sparse matrices of scipy;
//! * `workbook`: sheets of Excel;
//! * [`bv_graph`]: graphs in WebGraph's format.

pub(super) mod adjacency;
pub(super) mod bv_graph;
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) mod columnar;
pub(super) mod dense;
pub(super) mod dimacs;
pub(super) mod dl;
pub(super) mod dot;
pub(super) mod edge_list;
pub(super) mod gml;
pub(super) mod graph6;
mod held;
pub(super) mod json;
mod latin1;
pub(super) mod lgl;
pub(super) mod matrix_market;
pub(super) mod metis;
pub(super) mod n_triples;
#[cfg(feature = "npy")]
pub(super) mod npz;
pub(super) mod pajek;
pub(super) mod sif;
pub(super) mod tgf;
mod unique_names;
mod weight_finder;
#[cfg(all(feature = "xml", feature = "zip"))]
pub(super) mod workbook;
#[cfg(feature = "xml")]
pub(super) mod xml;

use super::notes::Note;
use super::receiver::{Problem, Receiver};
use webrank_base::Node;
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;
use webrank_tables::text::records::Record;

/// The problem of a text in another encoding.
const NOT_UTF_8: &str = "is not UTF-8; --encoding says what it is, as in --encoding windows-1252";

/// A field as text.
fn text<'a>(record: &Record<'a>, field: usize) -> Result<&'a str, Problem> {
    let text = std::str::from_utf8(record.bytes(field));
    text.map_err(|_| NOT_UTF_8.to_owned().into())
}

/// The number from 0 of a node that a text counts from 1.
fn counted_from_1(text: &str, nodes: u64) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(number) if (1..=nodes).contains(&number) => Ok(number - 1),
        _ => Err(format!(
            "{} is not a node number from 1 to {nodes}",
            quoted(text)
        )),
    }
}

/// Checks that nodes, which are counted from 1, have different names: two with one name would be one
/// node.
fn check_distinct(nodes: &[Node]) -> Result<(), Problem> {
    let mut sorted = Vec::new();
    reserve(&mut sorted, nodes.len(), "nodes")?;
    sorted.extend_from_slice(nodes);
    sorted.sort_unstable();
    let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
        return Ok(());
    };
    let mut places = (1..).zip(nodes).filter(|(_, node)| **node == pair[0]);
    let [first, second] = [places.next(), places.next()];
    let [first, second] = [first, second].map(|place| place.map_or(0, |(number, _)| number));
    let problem =
        format!("nodes {first} and {second} have the same name; give them different ones");
    Err(problem.into())
}

/// Says something that applies to `count` things, if it applies to any.
fn note(to: &mut dyn Receiver, count: u64, note: Note) {
    if count > 0 {
        to.note(Note { count, ..note });
    }
}

/// A weight.
fn weight(text: &str) -> Result<f64, String> {
    let parsed = text.trim().parse();
    parsed.map_err(|_| format!("{} is not a number", quoted(text)))
}

#[cfg(test)]
pub(super) mod tests {
    //! The helpers of the tests of all formats.

    use crate::import::{ImportFiles, ImportOptions, ImportReport, read};
    use webrank_base::Node;
    use webrank_base::error::Result;
    use webrank_base::progress::Silent;
    use webrank_graph::Graph;

    pub(in crate::import) fn import(name: &str, text: impl AsRef<[u8]>) -> Result<Graph> {
        import_with(name, text.as_ref(), &ImportOptions::default())
    }

    /// The graph in a file of this name with this content.
    pub(in crate::import) fn import_with(
        name: &str,
        bytes: &[u8],
        options: &ImportOptions,
    ) -> Result<Graph> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let (graph, _) = read(&ImportFiles::new(&[path]).unwrap(), options, &Silent)?;
        Ok(graph)
    }

    /// [`import`] with the report.
    pub(in crate::import) fn import_reporting(
        name: &str,
        text: impl AsRef<[u8]>,
    ) -> (Graph, ImportReport) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let sources = ImportFiles::new(&[path]).unwrap();
        read(&sources, &ImportOptions::default(), &Silent).unwrap()
    }

    /// Why a file is refused.
    pub(in crate::import) fn problem(
        name: &str,
        text: impl AsRef<[u8]>,
        options: &ImportOptions,
    ) -> String {
        let refused = import_with(name, text.as_ref(), options);
        refused.err().expect("it is refused").to_string()
    }

    pub(in crate::import) fn arcs(graph: &Graph) -> Vec<(Node, Node)> {
        let rows = graph.successors(&Silent).unwrap();
        let row = |node: Node| rows.row(node).iter().map(move |&to| (node, to));
        (0..rows.num_nodes() as Node).flat_map(row).collect()
    }

    pub(in crate::import) fn named_arcs(graph: &Graph) -> Vec<(String, String)> {
        assert!(graph.names().is_some());
        let name = |node: Node| graph.name(node).into_owned();
        let arcs = arcs(graph).into_iter();
        arcs.map(|(source, target)| (name(source), name(target)))
            .collect()
    }

    pub(in crate::import) fn weights(graph: &Graph) -> Option<Vec<f64>> {
        let weighted = graph.weighted_successors(&Silent).unwrap();
        weighted.map(|(_, weights)| weights)
    }
}
