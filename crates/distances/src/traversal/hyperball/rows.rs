//! The rows that balls grow along: lists for each node, distinct rows with the nodes that have them, or
//! those of a worker.

use super::parts::PartRows;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::parallel::tasks;
use webrank_graph::Csr;
use webrank_linear::runs::{Row, RunRows};

/// Blocks of rows that are visited at a time.
pub(super) const BLOCKS_AT_ONCE: usize = 1 << 10;

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
    /// The rows of a worker, which has the counters of its nodes.
    Parts(&'g PartRows),
}

impl BallRows<'_> {
    /// The number of nodes.
    pub fn num_nodes(self) -> usize {
        match self {
            BallRows::Lists { rows, .. } => rows.num_nodes(),
            BallRows::Shared(rows) => rows.rows.num_nodes(),
            BallRows::Parts(parts) => parts.num_nodes(),
        }
    }

    /// The number of the first node in the whole graph.
    pub(super) fn first(self) -> usize {
        match self {
            BallRows::Parts(parts) => parts.first(),
            _ => 0,
        }
    }

    /// For each node, the number of other nodes in its row.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn degrees(self) -> Result<Vec<u32>> {
        match self {
            BallRows::Lists { rows, .. } => Ok(tasks::tabulate(rows.num_nodes(), |x| {
                let row = rows.row(x as Node);
                (row.len() - usize::from(row.binary_search(&(x as Node)).is_ok())) as u32
            })),
            BallRows::Shared(rows) => rows.degrees(),
            BallRows::Parts(parts) => Ok(parts.degrees().to_vec()),
        }
    }
}

/// Distinct rows, in memory or in a file, and the nodes that have each of them: what their balls
/// receive is joined once.
pub struct SharedRows {
    rows: RunRows,
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
    pub fn new(rows: RunRows) -> Result<Self> {
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
    pub fn rows(&self) -> &RunRows {
        &self.rows
    }

    /// For each node, the number of other nodes in its row.
    pub(super) fn degrees(&self) -> Result<Vec<u32>> {
        self.counts(|x, nodes| (nodes.len() - usize::from(nodes.contains(x))) as u32)
    }

    /// For each node, a count of its row.
    pub(super) fn counts(&self, count: impl Fn(Node, &Row) -> u32 + Sync) -> Result<Vec<u32>> {
        let visit = |found: &mut Vec<(Node, u32)>, row, nodes: Row| {
            let counted = |&x: &Node| (x, count(x, &nodes));
            found.extend(self.nodes_of(row).iter().map(counted));
        };
        let mut degrees = memory::filled(0, self.nodes.len(), "degrees")?;
        for blocks in self.blocks.chunks(BLOCKS_AT_ONCE) {
            for (x, degree) in self.rows.fold(blocks, visit)?.into_iter().flatten() {
                degrees[x as usize] = degree;
            }
        }
        Ok(degrees)
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
