//! Rows of predecessors cut in two directions, for sweeps whose vectors are in files.
//!
//! The nodes are cut into blocks. The inflow of a node is the sum of those from the sources in each
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
//! a [list](targets) says which row each target has.
//!
//! Sums are whole numbers modulo 2^64, which are the same in any order, so they do not depend on the
//! blocks.

mod cells;
mod targets;

use super::block::Block;
use super::pack::WINDOW_BITS;
use super::store::Store;
use super::window::BLOCK;
use super::{Buffer, CompactRows};
use crate::runs::alike::{RowSum, UniformRows};
use cells::{WINDOW, pack_windows, within_blocks};
use std::ops::Range;
use std::sync::Arc;
use targets::MAX_TARGETS;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::file_vector::FileVector;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Blocks of nodes at most: each has two open files.
pub const MAX_BLOCKS: usize = 64;

/// The bytes that say where rows are in so many blocks, for a graph whose larger direction has so many
/// bytes.
pub fn bytes_of_index(nodes: u64, arcs: u64, compressed: u64, blocks: u64) -> u64 {
    let of_bits = (compressed.saturating_mul(8).saturating_add(nodes)) / WINDOW_BITS;
    let of_weight = 2 * arcs / WINDOW as u64 + nodes / MAX_TARGETS as u64;
    let windows = of_bits + of_weight + blocks;
    let of_cells = windows.saturating_mul(blocks).min(2 * arcs + 1);
    OF_PACKED * (of_cells + 2 * arcs / BLOCK as u64)
}

/// The bytes that say where the rows and the targets of a packed block are.
const OF_PACKED: u64 = 100;

/// The bytes that packing takes besides: 64 for each node of a distinct row, and each row, of the window of
/// a thread.
pub fn bytes_of_windows(nodes: u64, arcs: u64) -> u64 {
    let windows = (WINDOW * rayon::current_num_threads()) as u64;
    64 * windows.min(arcs.saturating_add(nodes)) + (1 << 20)
}

/// Hands the rows of predecessors of a range of nodes to a visitor.
pub type PredecessorScan<'s> =
    dyn Fn(Range<usize>, &mut dyn FnMut(Node, &[Node]) -> Result<()>) -> Result<()> + Sync + 's;

/// Rows of predecessors, in files.
pub struct Grid {
    num_nodes: usize,
    /// Nodes in a block; fewer in the last one.
    block: usize,
    /// The first target of each window, and the number of nodes.
    windows: Vec<usize>,
    sources: Vec<Strip>,
    /// Which rows the targets have, by window, then by block of sources.
    lists: Store,
    /// The first list of each window.
    lists_of: Vec<u32>,
    sums: FileVector<u64>,
}

/// The distinct rows over a block of sources, window by window.
struct Strip {
    rows: CompactRows,
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
    pub fn pack(
        num_nodes: usize,
        block: usize,
        ranges: &[Range<usize>],
        scan: &PredecessorScan,
        folder: &Arc<TemporaryFolder>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut windows = vec![0];
        let (mut lists, mut lists_of) = (Store::new(on_disk(folder)), Vec::new());
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
                lists_of.push(lists.num_blocks() as u32);
                for (source, cell) in window.cells {
                    lists.push(Block::of_bytes(cell.list))?;
                    sources[source].push(cell.rows, cell.num_arcs)?;
                }
                sources.iter_mut().for_each(Strip::end_window);
            }
        }
        progress.end();
        let mut num_sums = 0;
        for strip in &mut sources {
            strip.rows.shrink();
            strip.sums_from = num_sums;
            num_sums += strip.rows.num_rows();
        }
        lists.shrink();
        Ok(Grid {
            num_nodes,
            block,
            windows,
            sources,
            lists,
            lists_of,
            sums: FileVector::zeros(folder, num_sums)?,
        })
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.num_nodes
    }

    /// The number of blocks.
    pub fn num_blocks(&self) -> usize {
        self.sources.len()
    }

    /// The nodes of a block.
    pub fn nodes(&self, block: usize) -> Range<usize> {
        let start = block * self.block;
        start..self.num_nodes.min(start + self.block)
    }

    /// The arcs from the nodes of a block.
    pub fn num_arcs_from(&self, block: usize) -> u64 {
        self.sources[block].num_arcs
    }

    /// The bytes of all rows, and the bytes of the sums over them.
    pub fn num_bytes(&self) -> [u64; 2] {
        let rows = self.sources.iter().map(|strip| strip.rows.num_bytes());
        let rows = rows.sum::<u64>() + self.lists.size();
        [rows, 8 * self.sums.len() as u64]
    }

    /// Writes the sums of all rows over a block of sources, whose nodes are counted from the first of the
    /// block. Parallel.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn scatter(&self, block: usize, kind: &impl RowSum<Sum = u64>) -> Result<()> {
        let strip = &self.sources[block];
        tasks::try_in_order(strip.rows.blocks(), |state: &mut State, rows| {
            let State { buffer, sums, .. } = state;
            sums.resize(sums.len().max(rows.len()), 0);
            let sums = &mut sums[..rows.len()];
            let visit = |first, alike: UniformRows| alike.sums(kind, &mut sums[first..]);
            strip.rows.visit(rows.start, buffer, visit)?;
            self.sums.put(strip.sums_from + rows.start, sums)
        })
    }

    /// Adds up for each node of a block the sums over all blocks of sources. Parallel.
    ///
    /// # Errors
    /// If a file cannot be read, or if it has changed.
    pub fn gather(&self, block: usize, into: &mut [u64]) -> Result<()> {
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
            into.fill(0);
            self.ask_for(window + rayon::current_num_threads());
            let mut list = self.lists_of[window] as usize;
            for strip in &self.sources {
                let rows = strip.rows_of(window);
                if !rows.is_empty() {
                    self.gather_from(strip, rows, list, state, into)?;
                    list += 1;
                }
            }
            Ok(())
        })
    }

    /// Asks the system to read the sums for a window.
    fn ask_for(&self, window: usize) {
        for strip in self.sources.iter().filter(|_| window < self.lists_of.len()) {
            let rows = strip.rows_of(window);
            self.sums.ask(strip.sums_from + rows.start, rows.len());
        }
    }

    /// Adds to the targets of a window the sums of these rows over a block of sources.
    fn gather_from(
        &self,
        strip: &Strip,
        rows: Range<usize>,
        list: usize,
        state: &mut State,
        into: &mut [u64],
    ) -> Result<()> {
        let State { bytes, sums, .. } = state;
        sums.resize(sums.len().max(1 + rows.len()), 0);
        let sums = &mut sums[..1 + rows.len()];
        // The sum of targets without a row.
        sums[0] = 0;
        self.sums
            .fill(strip.sums_from + rows.start, &mut sums[1..])?;
        let list = self.lists.bytes(list, bytes)?;
        targets::add(list, sums, into).ok_or_else(|| self.lists.damaged())
    }
}

/// The buffers of a thread.
#[derive(Default)]
struct State {
    buffer: Buffer,
    bytes: Vec<u8>,
    sums: Vec<u64>,
}

fn on_disk(folder: &Arc<TemporaryFolder>) -> SpillBudget {
    SpillBudget {
        bytes: 0,
        folder: Some(folder.clone()),
    }
}

impl Strip {
    fn new(folder: &Arc<TemporaryFolder>) -> Self {
        Strip {
            rows: CompactRows::none(on_disk(folder)),
            firsts: vec![0],
            num_arcs: 0,
            sums_from: 0,
        }
    }

    fn push(&mut self, rows: Vec<Block>, num_arcs: u64) -> Result<()> {
        self.num_arcs += num_arcs;
        let mut blocks = rows.into_iter();
        blocks.try_for_each(|block| self.rows.push(block))
    }

    fn end_window(&mut self) {
        self.firsts.push(self.rows.num_rows() as u32);
    }

    /// The rows of a window.
    fn rows_of(&self, window: usize) -> Range<usize> {
        self.firsts[window] as usize..self.firsts[window + 1] as usize
    }
}

/// The error of rows that are not those of the graph with these outdegrees.
pub fn not_the_transpose(block: Range<usize>) -> Error {
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
    use crate::runs::row::Row;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use webrank_base::progress::Silent;

    fn value(node: usize) -> u64 {
        (node as u64 + 3).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The sums of the values of nodes so many places after those of a row.
    struct OfValues(usize);

    impl RowSum for OfValues {
        type Sum = u64;

        #[inline(always)]
        fn of(&self, row: Row) -> u64 {
            let values = row.nodes().map(|node| value(self.0 + node as usize));
            values.fold(0, u64::wrapping_add)
        }
    }

    proptest! {
        /// Blocks and windows of any size add up to the sums over whole rows.
        #[test]
        fn sums_are_those_over_whole_rows(
            mut rows in prop::collection::vec(prop::collection::btree_set(0u32..60, 0..50), 1..60),
            copies in prop::collection::vec((0usize..60, 0usize..60), 0..40),
            // No arcs from these nodes, nor to them: blocks and cells may be empty.
            without in prop_oneof![Just([0, 0]), [0usize..60, 0..60]],
            block in 1usize..70,
            range in 1usize..30,
        ) {
            let n = rows.len();
            rows.iter_mut().for_each(|row| row.retain(|&node| (node as usize) < n));
            for (from, to) in copies {
                rows[to % n] = rows[from % n].clone();
            }
            let empty = without[0].min(without[1])..without[0].max(without[1]);
            for (node, row) in rows.iter_mut().enumerate() {
                row.retain(|&source| !empty.contains(&node) && !empty.contains(&(source as usize)));
            }
            let rows: Vec<Vec<Node>> = rows.into_iter().map(|row: BTreeSet<_>| row.into_iter().collect()).collect();
            let ranges: Vec<_> = (0..n).step_by(range).map(|start| start..n.min(start + range)).collect();
            let scan: &PredecessorScan = &|range, visit| {
                range.into_iter().try_for_each(|node| visit(node as Node, &rows[node]))
            };
            let folder = tempfile::tempdir().unwrap();
            let folder = Arc::new(TemporaryFolder::create(folder.path()).unwrap());
            let grid = Grid::pack(n, block, &ranges, scan, &folder, &Silent).unwrap();
            let mut arcs = 0;
            // The second time, sums are written over.
            for turn in 0..2 {
                for block in 0..grid.num_blocks() {
                    let first = grid.nodes(block).start;
                    grid.scatter(block, &OfValues(first + turn)).unwrap();
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
