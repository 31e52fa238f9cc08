//! Memory: what a computation needs, what there is, and lists that grow only into free memory.
//!
//! Every command knows before its work begins how many bytes it will hold at once at most, from the
//! numbers of nodes and arcs alone, and [refuses](crate::Limits::admit) what does not fit. A system
//! that promises more memory than it has would end the process halfway.

mod free;
mod lists;

pub use free::{allow, allowed_memory, free_memory, peak_memory, resident_memory};
pub(crate) use lists::{filled, reserve, reserve_text};

use crate::graph::{Graph, Names, Source};

/// Code and buffers of a process, without its threads.
pub const PROCESS: u64 = 16 << 20;

/// The stack of a thread that works, and the blocks that it decodes.
pub const THREAD: u64 = 1 << 20;

/// Up to this many threads have blocks at the same time.
const BUSY_THREADS: u64 = 64;

/// The stack of a thread that has little to do.
const STACK: u64 = 128 << 10;

/// The bytes that a process with the current number of threads takes, whatever it computes.
pub fn of_process() -> u64 {
    let threads = rayon::current_num_threads() as u64;
    PROCESS + threads.min(BUSY_THREADS) * THREAD + threads * STACK
}

/// The size of a graph, from which needs are computed. Sums and products stop at the largest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// The bytes of the graph as it is: those of its larger compressed direction, or of its rows.
    pub held: u64,
    /// True if arcs have weights.
    pub weights: bool,
}

impl Size {
    /// The graph as it is, so many bytes a node, and so many an arc.
    pub fn bytes(self, of_node: u64, of_arc: u64) -> u64 {
        let nodes = of_node.saturating_mul(self.nodes);
        let arcs = of_arc.saturating_mul(self.arcs);
        self.held.saturating_add(nodes).saturating_add(arcs)
    }

    /// The same, and what a list of weights and its permutation take.
    pub fn weighted_bytes(self, of_node: u64, of_arc: u64) -> u64 {
        let of_arc = if self.weights { of_arc + 20 } else { of_arc };
        self.bytes(of_node, of_arc)
    }
}

impl Source {
    /// Its size in numbers and in bytes.
    pub fn size(&self) -> Size {
        Size {
            nodes: self.properties().nodes as u64,
            arcs: self.properties().arcs,
            held: self.largest_graph(),
            weights: false,
        }
    }
}

impl Graph {
    /// Its size in numbers and in bytes.
    pub fn size(&self) -> Size {
        let rows = 8 * (self.num_nodes() as u64 + 1) + 4 * self.num_arcs();
        let in_memory = Size {
            nodes: self.num_nodes() as u64,
            arcs: self.num_arcs(),
            held: rows,
            weights: false,
        };
        Size {
            weights: self.has_weights(),
            ..self.source().map_or(in_memory, Source::size)
        }
    }

    /// The bytes that every computation on this graph takes: the process and the names.
    pub fn memory(&self) -> u64 {
        of_process() + self.names().map_or(0, Names::memory)
    }
}
