//! Packing the transpose of a compressed graph, range by range of nodes: rows of as many nodes as
//! there is memory for are collected in one pass over the graph. A transposition of the whole graph
//! ([`webrank_graph::transpose`]) is one pass, but holds all rows, and a count of arcs for each thread.

use super::pack::Packer;
use super::window::WINDOW_ARCS;
use crate::runs::RunRows;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::blocks::{BLOCK_WEIGHT, cut, split_mut};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Compressed, Csr, Rows};

impl RunRows {
    /// The rows of predecessors of a compressed graph, as [`Self::pack`] packs those of its
    /// transpose. `bytes` hold the rows of a range of nodes, or one row if that is longer; there is a
    /// pass over the graph for each range, and one before. 4 bytes a node more.
    ///
    /// # Errors
    /// As for [`Self::pack`].
    pub fn pack_transposed(
        graph: &Compressed,
        live: &[Node],
        room: SpillBudget,
        bytes: u64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = graph.num_nodes();
        let left: Vec<u32> = filled(0, n, "the indegrees")?;
        let left: Vec<AtomicU32> = left.into_iter().map(AtomicU32::new).collect();
        graph.scan_all("count arcs", progress, |_, row| {
            for &target in row {
                left[target as usize].fetch_add(1, Relaxed);
            }
        })?;
        let mut packer = Packer::new(n, live, room)?;
        let mut start = 0;
        while start < n {
            let (range, offsets) = next_range(&left, start, bytes / 4);
            start = range.end;
            let rows = collected(graph, range.clone(), offsets, &left, progress)?;
            let blocks = cut(rows.offsets(), WINDOW_ARCS as u64);
            progress.begin("pack", Some(range.len() as u64));
            packer.add(&rows, range.start, &blocks, progress)?;
            progress.end();
        }
        packer.finish()
    }
}

/// The nodes from `start` on whose rows have at most so many arcs, at least one node, and where the
/// rows start.
fn next_range(indegrees: &[AtomicU32], start: usize, arcs: u64) -> (Range<usize>, Vec<u64>) {
    let mut offsets = vec![0];
    let (mut end, mut total) = (start, 0);
    for indegree in &indegrees[start..] {
        let with = total + u64::from(indegree.load(Relaxed));
        if with > arcs && end > start {
            break;
        }
        total = with;
        offsets.push(total);
        end += 1;
    }
    (start..end, offsets)
}

/// The rows of predecessors of a range of nodes. `left` holds the indegrees of these nodes, and 0
/// afterwards.
fn collected(
    graph: &Compressed,
    range: Range<usize>,
    offsets: Vec<u64>,
    left: &[AtomicU32],
    progress: &dyn Progress,
) -> Result<Csr> {
    let places = offsets[range.len()] as usize;
    let nodes: Vec<Node> = filled(0, places, "rows of predecessors")?;
    let nodes: Vec<AtomicU32> = nodes.into_iter().map(AtomicU32::new).collect();
    let is_odd = AtomicBool::new(false);
    graph.scan_all("transpose", progress, |source, row| {
        let first = row.partition_point(|&target| (target as usize) < range.start);
        let targets = row[first..].iter().map(|&target| target as usize);
        for target in targets.take_while(|&target| target < range.end) {
            let taken = left[target].fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
            match taken {
                Ok(left) => {
                    let end = offsets[target - range.start] as usize + left as usize;
                    nodes[end - 1].store(source, Relaxed);
                }
                Err(_) => is_odd.store(true, Relaxed),
            }
        }
    })?;
    let is_whole = range.clone().all(|node| left[node].load(Relaxed) == 0);
    if is_odd.into_inner() || !is_whole {
        let problem = "the file has changed while it was read; run again when it stays as it is";
        return Err(Error::file(graph.path(), problem));
    }
    let mut nodes: Vec<Node> = nodes.into_iter().map(AtomicU32::into_inner).collect();
    let blocks = cut(&offsets, BLOCK_WEIGHT);
    let extent = |rows: &Range<usize>| offsets[rows.start] as usize..offsets[rows.end] as usize;
    let extents: Vec<Range<usize>> = blocks.iter().map(extent).collect();
    let parts = blocks.iter().zip(split_mut(&mut nodes, &extents));
    tasks::for_each(parts, |(rows, mut nodes)| {
        // Threads put nodes into rows as they come.
        for row in rows.clone() {
            let length = (offsets[row + 1] - offsets[row]) as usize;
            let (row, rest) = nodes.split_at_mut(length);
            row.sort_unstable();
            nodes = rest;
        }
    });
    Ok(Csr::from_checked(offsets, nodes))
}
