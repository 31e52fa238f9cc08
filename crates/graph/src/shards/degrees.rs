//! The degrees of the nodes of a graph that is cut, one part after the other.

use super::{Part, PartPlan, Shards};
use crate::Direction;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::progress::Progress;

/// Buffers of parts of files.
const BUFFERS: u64 = 4 << 20;

impl Shards {
    /// The bytes that [`Self::degrees`] holds at most besides 8 a node.
    pub fn lists_of_part(&self) -> u64 {
        let touched = self.plan().parts.iter().map(PartPlan::num_touched);
        // The nodes, and where their lists begin.
        16 * touched.max().unwrap_or(0) + BUFFERS
    }

    /// The number of predecessors of every node, or of successors, self-loops included. O(n + m): every
    /// list is decoded once. 8 bytes a node, and 8 for each node that arcs from another part lead to.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory, or if the user interrupts.
    pub fn degrees(&self, direction: Direction, progress: &dyn Progress) -> Result<Vec<u32>> {
        let all = self.plan().range();
        let degrees = filled(0, (all.end - all.start) as usize, "the degrees")?;
        let degrees: Vec<AtomicU32> = degrees.into_iter().map(AtomicU32::new).collect();
        for part in 0..self.plan().parts.len() {
            progress.check()?;
            let part = Part::open(self, part)?;
            let first = (part.range.start - all.start) as usize;
            match direction {
                Direction::Out => {
                    part.count_successors(&degrees[first..first + part.num_nodes()])?
                }
                // Relaxed: sums of integers are the same in any order.
                Direction::In => part.for_rows(|node, row| {
                    let degree = &degrees[(node - all.start) as usize];
                    degree.fetch_add(row.len() as u32, Relaxed);
                })?,
            }
        }
        Ok(degrees.into_iter().map(AtomicU32::into_inner).collect())
    }
}

impl Part {
    /// Adds to the number of successors of each node.
    ///
    /// # Errors
    /// As for [`Self::for_rows`].
    pub fn count_successors(&self, degrees: &[AtomicU32]) -> Result<()> {
        self.for_rows(|_, row| {
            for &source in row {
                degrees[source as usize].fetch_add(1, Relaxed);
            }
        })
    }
}
