//! Counts over all rows: in how many rows each node is, and hashes.

use super::RunRows;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_graph::{ArcHash, Direction};

impl RunRows {
    /// The number of nodes in whose rows each node is, if entries are nodes. O(n) and a sweep; 8 bytes
    /// a node besides.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub(crate) fn counts(&self) -> Result<Vec<u32>> {
        let mut nodes_with = vec![0u32; self.num_rows()];
        self.row_of
            .iter()
            .for_each(|&row| nodes_with[row as usize] += 1);
        // Runs change the count at their ends; sums wrap on the way, but integers forget that.
        let changes: Vec<AtomicU32> = (0..=self.num_nodes()).map(|_| AtomicU32::new(0)).collect();
        self.fold(&self.blocks(), |_: &mut (), row, nodes| {
            let with = nodes_with[row];
            let singles = nodes.singles.iter().map(|&node| [node, node + 1]);
            for [first, end] in singles.chain(nodes.runs.iter().copied()) {
                changes[first as usize].fetch_add(with, Relaxed);
                changes[end as usize].fetch_sub(with, Relaxed);
            }
        })?;
        let changes = changes[..self.num_nodes()].iter();
        Ok(changes
            .scan(0u32, |count, change| {
                *count = count.wrapping_add(change.load(Relaxed));
                Some(*count)
            })
            .collect())
    }

    /// For every row, the wrapping sum of the hashes of its nodes. 8 bytes a node besides.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn hashes(&self, hashes: &[u64]) -> Result<Vec<u64>> {
        let mut before = vec![0u64; hashes.len() + 1];
        for (node, hash) in hashes.iter().enumerate() {
            before[node + 1] = before[node].wrapping_add(*hash);
        }
        let mut sums = vec![0; self.num_rows()];
        self.whole_sums(&self.blocks(), &before, &mut sums)?;
        Ok(sums)
    }

    /// The hash of the arcs, for rows of successors or of predecessors whose entries are nodes. 16
    /// bytes a node besides.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn arc_hash(&self, direction: Direction) -> Result<ArcHash> {
        let nodes = 0..self.num_nodes() as Node;
        let entries: Vec<u64> = nodes.map(|node| ArcHash::entry(node, direction)).collect();
        let sums = self.hashes(&entries)?;
        let rows = self.row_of.iter().enumerate();
        Ok(rows.fold(ArcHash::none(), |hash, (node, &row)| {
            hash.with_sum(node as Node, sums[row as usize], direction)
        }))
    }
}
