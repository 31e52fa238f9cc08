//! The rows that balls grow along: lists for each node, or distinct rows with the nodes that have them.

use crate::error::Result;
use crate::graph::{Csr, Node};
use crate::linear::runs::PullRows;
use crate::memory;
use std::ops::Range;

/// The rows that distances follow.
#[derive(Clone, Copy)]
pub enum BallRows<'g> {
    /// A list for each node.
    Lists {
        /// The lists.
        rows: &'g Csr,
        /// Their transpose. Without it, every step visits all nodes.
        reverse: Option<&'g Csr>,
    },
    /// Distinct rows, all of which every step visits.
    Shared(&'g SharedRows),
}

impl BallRows<'_> {
    /// The number of nodes.
    pub fn num_nodes(self) -> usize {
        match self {
            BallRows::Lists { rows, .. } => rows.num_nodes(),
            BallRows::Shared(rows) => rows.rows.num_nodes(),
        }
    }
}

/// Distinct rows, in memory or in a file, and the nodes that have each of them: what their balls
/// receive is joined once.
pub struct SharedRows {
    rows: PullRows,
    blocks: Vec<Range<usize>>,
    /// Where the nodes of each row start.
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl SharedRows {
    /// Groups the nodes by their rows. O(n); 12 bytes a node besides the rows.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(rows: PullRows) -> Result<Self> {
        let n = rows.num_nodes();
        let mut starts = memory::filled(0u32, rows.num_rows() + 1, "rows")?;
        (0..n).for_each(|node| starts[rows.row_of(node) + 1] += 1);
        for row in 0..rows.num_rows() {
            starts[row + 1] += starts[row];
        }
        let mut nodes = memory::filled(0, n, "nodes")?;
        // Filled from the back, starts become ends and then starts again.
        let mut next = starts[1..].to_vec();
        for node in (0..n).rev() {
            let end = &mut next[rows.row_of(node)];
            *end -= 1;
            nodes[*end as usize] = node as Node;
        }
        Ok(SharedRows {
            blocks: rows.blocks(),
            rows,
            starts,
            nodes,
        })
    }

    /// The rows.
    pub fn rows(&self) -> &PullRows {
        &self.rows
    }

    /// Blocks of rows of about equal work.
    pub(super) fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// The nodes that have a row, in increasing order.
    pub(super) fn nodes_of(&self, row: usize) -> &[Node] {
        &self.nodes[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
