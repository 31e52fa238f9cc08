//! Rows of predecessors cut in two directions, for sweeps whose vectors are in files.
//!
//! The nodes are cut into blocks. What a node gets is the sum of what it gets from the sources in each
//! block, so a sweep has two halves, in each of which a block of one vector is in memory
//! (as in M-Flash: Gualdron, Cordeiro, Rodrigues, Chau, Kahng and Kang, "M-Flash: fast billion-scale
//! graph computation using a bimodal block processing model", ECML PKDD 2016):
//!
//! * [`Grid::scatter`] sums the rows of all targets over a block of sources, and writes the sums to a
//!   file;
//! * [`Grid::gather`] reads them for a block of targets, and adds them up for each.
//!
//! Targets are cut into windows, none of which crosses the end of a block. Equal rows of a window over
//! the same block of sources are kept, and summed, once: what is written for them is one number, and
//! their targets are kept as if they were a row, in which neighbours are a run.
//!
//! Sums are whole numbers modulo 2^64, which are the same in any order, so they do not depend on the
//! blocks.

mod cells;

use super::pack::WINDOW_BITS;
use super::window::{BLOCK, WINDOW_ARCS};
use super::{Buffer, CompactRows};
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::linear::file_vector::FileVector;
use crate::linear::runs::row::Row;
use crate::output::{Room, TemporaryFolder};
use crate::parallel::blocks::split_mut;
use crate::parallel::tasks;
use crate::progress::Progress;
use cells::{Cell, pack_windows, within_blocks};
use std::ops::Range;
use std::sync::Arc;

/// Blocks of nodes at most: each has two open files.
pub(crate) const MAX_BLOCKS: usize = 64;

/// The bytes that say where rows are, for a graph whose larger direction has so many bytes.
pub(crate) fn bytes_of_index(nodes: u64, arcs: u64, compressed: u64) -> u64 {
    let of_bits = (compressed.saturating_mul(8).saturating_add(nodes)) / WINDOW_BITS;
    let windows = of_bits + 2 * arcs / WINDOW_ARCS as u64 + MAX_BLOCKS as u64;
    let of_cells = windows.saturating_mul(MAX_BLOCKS as u64).min(2 * arcs + 1);
    OF_PACKED * (of_cells + 2 * arcs / BLOCK as u64)
}

/// The bytes that say where the rows and the targets of a packed block are.
const OF_PACKED: u64 = 100;

/// Hands the rows of predecessors of a range of nodes to a visitor.
pub(crate) type Scan<'s> =
    dyn Fn(Range<usize>, &mut dyn FnMut(Node, &[Node]) -> Result<()>) -> Result<()> + Sync + 's;

/// Rows of predecessors, in files.
pub(crate) struct Grid {
    num_nodes: usize,
    /// Nodes in a block; fewer in the last one.
    block: usize,
    /// The first target of each window, and the number of nodes.
    windows: Vec<usize>,
    sources: Vec<Strip>,
    sums: FileVector<u64>,
}

/// The distinct rows over a block of sources, window by window.
struct Strip {
    rows: CompactRows,
    /// The targets of each row, counted from the first of its window.
    targets: CompactRows,
    /// The first row of each window, and the number of rows.
    firsts: Vec<u32>,
    num_arcs: u64,
    /// Where the sums over its rows are.
    sums_from: usize,
}

impl Grid {
    /// Packs the rows of `num_nodes` nodes, in the order of `ranges`, into files. O(n + m), parallel.
    ///
    /// # Errors
    /// If rows cannot be read, if a file cannot be written, or if the user interrupts.
    pub(crate) fn pack(
        num_nodes: usize,
        block: usize,
        ranges: &[Range<usize>],
        scan: &Scan,
        folder: &Arc<TemporaryFolder>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut windows = vec![0];
        let mut sources: Vec<Strip> = (0..num_nodes.div_ceil(block))
            .map(|_| Strip::new(folder))
            .collect();
        let ranges = within_blocks(ranges, block);
        progress.begin("pack", Some(num_nodes as u64));
        for wave in ranges.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let packed = tasks::try_map(wave, |range| pack_windows(range.clone(), block, scan))?;
            for window in packed.into_iter().flatten() {
                progress.advance(window.targets.len() as u64);
                windows.push(window.targets.end);
                for (source, cell) in window.cells {
                    sources[source].push(cell)?;
                }
                sources.iter_mut().for_each(Strip::end_window);
            }
        }
        progress.end();
        let mut num_sums = 0;
        for strip in &mut sources {
            strip.sums_from = num_sums;
            num_sums += strip.rows.num_rows();
        }
        Ok(Grid {
            num_nodes,
            block,
            windows,
            sources,
            sums: FileVector::zeros(folder, num_sums)?,
        })
    }

    /// The number of nodes.
    pub(crate) fn num_nodes(&self) -> usize {
        self.num_nodes
    }

    /// The number of blocks.
    pub(crate) fn num_blocks(&self) -> usize {
        self.sources.len()
    }

    /// The nodes of a block.
    pub(crate) fn nodes(&self, block: usize) -> Range<usize> {
        let start = block * self.block;
        start..self.num_nodes.min(start + self.block)
    }

    /// The arcs from the nodes of a block.
    pub(crate) fn num_arcs_from(&self, block: usize) -> u64 {
        self.sources[block].num_arcs
    }

    /// The bytes of all rows, and the bytes of the sums over them.
    pub(crate) fn num_bytes(&self) -> [u64; 2] {
        let strips = self.sources.iter();
        let rows = strips.map(|strip| strip.rows.num_bytes() + strip.targets.num_bytes());
        [rows.sum(), 8 * self.sums.len() as u64]
    }

    /// Writes the sums of all rows over a block of sources; `sum` is given those of a row, counted from
    /// the first of the block. Parallel.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn scatter(&self, block: usize, sum: impl Fn(Row) -> u64 + Sync) -> Result<()> {
        let strip = &self.sources[block];
        tasks::try_in_order(strip.rows.blocks(), |state: &mut State, rows| {
            state.sums.clear();
            let sums = &mut state.sums;
            let visit = |_, row: Row| sums.push(sum(row));
            strip
                .rows
                .visit_rows(rows.start, &mut state.buffer, visit)?;
            self.sums.put(strip.sums_from + rows.start, sums)
        })
    }

    /// Adds up for each node of a block the sums over all blocks of sources. Parallel.
    ///
    /// # Errors
    /// If a file cannot be read, or if it has changed.
    pub(crate) fn gather(&self, block: usize, into: &mut [u64]) -> Result<()> {
        let nodes = self.nodes(block);
        let at = |node: usize| self.windows.partition_point(|&first| first < node);
        let windows = at(nodes.start)..at(nodes.end);
        let extents: Vec<Range<usize>> = windows
            .clone()
            .map(|window| {
                let [first, end] = [self.windows[window], self.windows[window + 1]];
                first - nodes.start..end - nodes.start
            })
            .collect();
        let parts = windows.zip(split_mut(into, &extents));
        tasks::try_in_order(parts, |state: &mut State, (window, into)| {
            let mut strips = self.sources.iter();
            strips.try_for_each(|strip| self.gather_from(strip, window, state, into))
        })
    }

    /// Adds to the targets of a window the sums over a block of sources.
    fn gather_from(
        &self,
        strip: &Strip,
        window: usize,
        state: &mut State,
        into: &mut [u64],
    ) -> Result<()> {
        let rows = strip.firsts[window] as usize..strip.firsts[window + 1] as usize;
        if rows.is_empty() {
            return Ok(());
        }
        let State { buffer, sums } = state;
        sums.resize(rows.len(), 0);
        self.sums.fill(strip.sums_from + rows.start, sums)?;
        let mut is_within = true;
        let mut first = rows.start;
        while first < rows.end {
            let sums = &sums[first - rows.start..];
            let (mut count, into) = (0, &mut *into);
            strip.targets.visit_rows(first, buffer, |row, targets| {
                count += 1;
                let sum = sums.get(row).copied().unwrap_or(0);
                let runs = targets.runs.iter().map(|&[first, end]| first..end);
                let singles = targets.singles.iter().map(|&node| node..node + 1);
                for targets in runs.chain(singles) {
                    match into.get_mut(targets.start as usize..targets.end as usize) {
                        Some(into) => into
                            .iter_mut()
                            .for_each(|inflow| *inflow = inflow.wrapping_add(sum)),
                        None => is_within = false,
                    }
                }
            })?;
            is_within &= count > 0;
            first += count.max(1);
        }
        match is_within {
            true => Ok(()),
            false => Err(strip.targets.store.damaged()),
        }
    }
}

/// What a thread works with.
#[derive(Default)]
struct State {
    buffer: Buffer,
    sums: Vec<u64>,
}

impl Strip {
    fn new(folder: &Arc<TemporaryFolder>) -> Self {
        let on_disk = || Room {
            bytes: 0,
            folder: Some(folder.clone()),
        };
        Strip {
            rows: CompactRows::none(on_disk()),
            targets: CompactRows::none(on_disk()),
            firsts: vec![0],
            num_arcs: 0,
            sums_from: 0,
        }
    }

    fn push(&mut self, cell: Cell) -> Result<()> {
        self.num_arcs += cell.num_arcs;
        let mut blocks = cell.rows.into_iter();
        blocks.try_for_each(|block| self.rows.push(block))?;
        let mut blocks = cell.targets.into_iter();
        blocks.try_for_each(|block| self.targets.push(block))
    }

    fn end_window(&mut self) {
        self.firsts.push(self.rows.num_rows() as u32);
    }
}

/// The error of rows that are not those of the graph with these outdegrees.
pub(crate) fn not_the_transpose(block: Range<usize>) -> Error {
    let problem = format!(
        "the rows of predecessors have more or fewer arcs from the nodes {} to {} than the graph: graph \
         and transpose do not belong together; import the graph again",
        block.start,
        block.end.saturating_sub(1)
    );
    Error::Rows { problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Blocks and windows of any size add up to the sums over whole rows.
        #[test]
        fn sums_are_those_over_whole_rows(
            mut rows in prop::collection::vec(prop::collection::btree_set(0u32..60, 0..50), 1..60),
            copies in prop::collection::vec((0usize..60, 0usize..60), 0..40),
            block in 1usize..70,
            range in 1usize..30,
        ) {
            let n = rows.len();
            rows.iter_mut().for_each(|row| row.retain(|&node| (node as usize) < n));
            for (from, to) in copies {
                rows[to % n] = rows[from % n].clone();
            }
            let rows: Vec<Vec<Node>> = rows.into_iter().map(|row: BTreeSet<_>| row.into_iter().collect()).collect();
            let ranges: Vec<_> = (0..n).step_by(range).map(|start| start..n.min(start + range)).collect();
            let scan: &Scan = &|range, visit| {
                range.into_iter().try_for_each(|node| visit(node as Node, &rows[node]))
            };
            let folder = tempfile::tempdir().unwrap();
            let folder = Arc::new(TemporaryFolder::create(folder.path()).unwrap());
            let grid = Grid::pack(n, block, &ranges, scan, &folder, &Silent).unwrap();
            let value = |node: usize| (node as u64 + 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut arcs = 0;
            // The second time, sums are written over.
            for turn in 0..2 {
                for block in 0..grid.num_blocks() {
                    let first = grid.nodes(block).start;
                    let value = |node: Node| value(first + node as usize + turn);
                    let sum = |row: Row| row.nodes().map(value).fold(0, u64::wrapping_add);
                    grid.scatter(block, sum).unwrap();
                    arcs += grid.num_arcs_from(block);
                }
                for block in 0..grid.num_blocks() {
                    let nodes = grid.nodes(block);
                    let mut found = vec![0; nodes.len()];
                    grid.gather(block, &mut found).unwrap();
                    for (node, found) in nodes.zip(found) {
                        let row = rows[node].iter().map(|&source| value(source as usize + turn));
                        prop_assert_eq!(found, row.fold(0, u64::wrapping_add));
                    }
                }
            }
            prop_assert_eq!(arcs, 2 * rows.iter().map(Vec::len).sum::<usize>() as u64);
        }
    }
}
