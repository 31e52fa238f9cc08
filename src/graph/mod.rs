//! Graphs as every algorithm receives them: rows of successors or predecessors.
//!
//! * [`Rows`]: rows scanned by ranges, what a sweep needs; object safe, so kernels compile once;
//! * [`Csr`]: the in-memory form, random access, what a traversal needs;
//! * [`Successors`] and [`Predecessors`]: direction is a type, so nobody passes the wrong graph.

pub mod bundle;
pub mod bvgraph;
pub mod check;
pub mod components;
pub mod csr;
pub mod direction;
pub mod import;
pub mod info;
pub mod memory;
pub mod source;
pub mod text;
mod transpose;

use crate::error::Result;
use std::ops::Range;

pub use bvgraph::compressed::Compressed;
pub use csr::Csr;
pub use direction::{Predecessors, Successors};
pub use source::{Backward, Source};
pub use text::names::Names;

/// The index of a node, from 0 to the number of nodes minus 1. Graphs of 2^32 nodes or more are
/// refused when they are opened.
pub type Node = u32;

/// The rows of a graph: for each node, the strictly increasing list of its neighbours in one
/// direction.
pub trait Rows: Send + Sync {
    /// The number of nodes.
    fn num_nodes(&self) -> usize;

    /// The number of arcs, self-loops included.
    fn num_arcs(&self) -> u64;

    /// Calls `visit(node, row)` for every node of `range`, in increasing order.
    ///
    /// # Errors
    /// Only forms that decode as they go can fail, when the file they read is damaged; the rows
    /// visited until then are right.
    fn for_rows(&self, range: Range<usize>, visit: &mut dyn FnMut(Node, &[Node])) -> Result<()>;
}
