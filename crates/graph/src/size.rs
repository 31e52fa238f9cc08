//! The size of a graph, from which the memory of computations is reckoned.

use crate::{Graph, StoredGraph};
use webrank_base::memory::{busy_threads, of_process};
use webrank_tables::text::names::Names;

/// The lists in which a thread decodes, encodes and sorts blocks of rows, which stay with it, and those of
/// an arc or a node of a small graph.
const BLOCKS: u64 = 4 << 20;
const OF_ENTRY: u64 = 12;

/// The size of a graph, from which needs are computed. Sums and products stop at the largest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// True if arcs have weights.
    pub weights: bool,
    /// The bytes of every computation on the graph: the process and the names of the nodes.
    pub base: u64,
    /// The graph as it is: its larger compressed direction, or its rows.
    pub graph: u64,
}

impl Size {
    /// The size of a graph with its names and weights.
    pub fn of(graph: &Graph) -> Self {
        let rows = 8 * (graph.num_nodes() as u64 + 1) + 4 * graph.num_arcs();
        Size {
            nodes: graph.num_nodes() as u64,
            arcs: graph.num_arcs(),
            weights: graph.has_weights(),
            base: of_process() + graph.names().map_or(0, Names::memory),
            graph: graph.source().map_or(rows, StoredGraph::largest_graph),
        }
    }

    /// The size of a graph on disk with these names.
    pub fn on_disk(source: &StoredGraph, names: Option<&Names>) -> Self {
        Size {
            nodes: source.properties().nodes as u64,
            arcs: source.properties().arcs,
            weights: false,
            base: of_process() + names.map_or(0, Names::memory),
            graph: source.largest_graph(),
        }
    }

    /// The base, the graph as it is, so many bytes a node, and so many an arc.
    pub fn bytes(self, of_node: u64, of_arc: u64) -> u64 {
        let arcs = of_arc.saturating_mul(self.arcs);
        let rows = self.graph.saturating_add(arcs);
        self.bytes_without_rows(of_node).saturating_add(rows)
    }

    /// [`Self::bytes`], and what a list of weights and its permutation take.
    pub fn weighted_bytes(self, of_node: u64, of_arc: u64) -> u64 {
        let of_arc = if self.weights { of_arc + 20 } else { of_arc };
        self.bytes(of_node, of_arc)
    }

    /// The base, so many bytes a node, and what threads hold that go through the rows.
    pub fn of_passes(self, of_node: u64) -> u64 {
        let threads = busy_threads();
        let entries = self.nodes.saturating_add(self.arcs);
        let blocks = (threads * BLOCKS).min(entries.saturating_mul(OF_ENTRY));
        self.bytes_without_rows(of_node).saturating_add(blocks)
    }

    /// While rows are decoded into memory: the graph, its offsets, the rows, and the blocks in progress, a
    /// sixteenth of the graph in lists that double.
    pub fn while_decoding(self) -> u64 {
        let blocks = self.arcs.div_ceil(2);
        self.bytes(10, 4)
            .saturating_add(blocks)
            .saturating_add(self.of_long_row(26))
    }

    /// So many bytes for each entry of a row that holds every node. Where it is decoded, it is in several
    /// lists at once, some of which stay with the thread. Graphs without long rows take none of this.
    pub fn of_long_row(self, of_entry: u64) -> u64 {
        of_entry.saturating_mul(self.nodes.min(self.arcs))
    }

    /// The base, and so many bytes a node and an arc, after rows were decoded.
    pub fn once_decoded(self, of_node: u64, of_arc: u64) -> u64 {
        self.of_passes(of_node)
            .saturating_add(of_arc.saturating_mul(self.arcs))
            .saturating_add(self.of_long_row(24))
    }

    /// The base, and so many bytes a node and an arc, long after rows were decoded: later lists are where
    /// theirs were.
    pub fn once_flat(self, of_node: u64, of_arc: u64) -> u64 {
        let arcs = of_arc.saturating_mul(self.arcs);
        self.of_passes(of_node).saturating_add(arcs)
    }

    /// The base, and so many bytes a node.
    pub fn bytes_without_rows(self, of_node: u64) -> u64 {
        let nodes = of_node.saturating_mul(self.nodes);
        self.base.saturating_add(nodes)
    }
}
