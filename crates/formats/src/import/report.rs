//! The report on a graph that was read.

use super::{Duplicates, Note};
use serde::Serialize;
use webrank_graph::bundle::Repeats;

/// The size of a graph that was read, and its notes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ImportReport {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// True if nodes have names.
    pub named: bool,
    /// True if arcs have weights.
    pub weighted: bool,
    /// Arcs that were given again.
    pub duplicates: u64,
    /// The treatment of these.
    pub duplicates_were: Duplicates,
    /// Arcs from a node to itself that were given.
    pub loops: u64,
    /// Records that were left out.
    pub skipped: u64,
    /// The problems of the first of them.
    pub first_skipped: Vec<String>,
    /// Notes on assumptions and omissions.
    pub notes: Vec<Note>,
    /// Names in a list that were not UTF-8, and were read as ISO-8859-1.
    pub names_in_latin1: u64,
    /// Nodes whose name another node has, too, in a bundle.
    pub repeated_names: u64,
    /// The first such name.
    pub first_repeated_name: Option<String>,
    /// The bits of the rows of successors, in a bundle.
    pub bits: Option<u64>,
    /// The bits of the rows of predecessors.
    pub transpose_bits: Option<u64>,
    /// The bits of the rows of successors with the usual codes, if the codes were chosen by the
    /// numbers.
    pub unchosen_bits: Option<u64>,
    /// These bits with nodes in the order of names or numbers, if the order depends on the arcs.
    pub bits_by_name: Option<u64>,
}

impl ImportReport {
    /// The report once names are written.
    pub(super) fn of_names(self, repeats: Repeats) -> Self {
        ImportReport {
            repeated_names: repeats.nodes,
            first_repeated_name: repeats.first,
            ..self
        }
    }
}
