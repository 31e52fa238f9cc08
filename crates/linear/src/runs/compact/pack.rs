//! Packing: from a compressed graph to compact rows, window by window.

pub use super::window::NOWHERE;
use super::window::{Places, WINDOW_ARCS, Window};
use super::{CompactRows, dedup};
use crate::runs::{Distinct, RunRows};
use std::ops::Range;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Compressed, Rows, StoredGraph};

/// Bits (plus nodes) of a window.
pub const WINDOW_BITS: u64 = if cfg!(test) { 1 << 8 } else { 1 << 21 };

/// The bytes that packing takes for each thread: nodes, entries, numbers, bytes, hashes.
const BYTES_PER_THREAD: u64 = 32 << 20;

/// The bytes of a distinct row while its window is packed: ends, hashes, places, a table with room for twice
/// as many.
const BYTES_PER_ROW: u64 = 128;

/// The bytes of an entry, in lists that double and in packed blocks.
const BYTES_PER_ENTRY: u64 = 24;

/// The sizes of windows: each holds half of what the one before it does.
const SIZES: u32 = 5;

/// How much is packed at a time.
#[derive(Debug, Clone, Copy)]
pub struct Windows(u32);

impl Windows {
    /// The largest.
    pub const LARGEST: Self = Windows(0);
    /// The smallest.
    pub const SMALLEST: Self = Windows(SIZES - 1);

    /// The largest that take so many bytes at most, or the smallest.
    pub fn within(bytes: u64) -> Self {
        let fits = |windows: &Windows| windows.bytes() <= bytes;
        let mut sizes = (0..SIZES).map(Windows);
        sizes.find(fits).unwrap_or(Self::SMALLEST)
    }

    /// The bytes for the windows of all threads.
    pub fn bytes(self) -> u64 {
        (BYTES_PER_THREAD >> self.0) * rayon::current_num_threads() as u64
    }
}

/// The bytes that packing takes besides those of nodes. Windows hold no more than the graph.
pub fn bytes_of_windows(num_nodes: u64, num_arcs: u64) -> u64 {
    bytes_of(Windows::LARGEST, num_nodes, num_arcs)
}

/// [`bytes_of_windows`] for the smallest windows.
pub fn bytes_of_smallest_windows(num_nodes: u64, num_arcs: u64) -> u64 {
    bytes_of(Windows::SMALLEST, num_nodes, num_arcs)
}

fn bytes_of(windows: Windows, num_nodes: u64, num_arcs: u64) -> u64 {
    let rows = num_nodes.saturating_mul(BYTES_PER_ROW);
    let entries = num_arcs.saturating_mul(BYTES_PER_ENTRY);
    let whole = rows.saturating_add(entries).saturating_add(1 << 20);
    windows.bytes().min(whole)
}

/// Rows that are transposed at a time, so that there are few passes over a graph.
const RANGE: u64 = 256 << 20;

/// The least bytes for the rows of predecessors of a graph: none with a transpose beside it, otherwise
/// those of some rows, which are transposed at a time.
pub fn transposing(source: &StoredGraph, num_arcs: u64) -> u64 {
    match source.has_transpose() {
        true => 0,
        false => RANGE.min(4 * num_arcs),
    }
}

impl RunRows {
    /// The rows of a compressed graph, all of whose entries must be in `live`, an increasing list of
    /// nodes; as many bytes in memory as there is room for, or all in a file. Entries become places in
    /// `live`. O(n log n + m), parallel; 36 bytes a node besides, and
    /// [`bytes_of_windows`].
    ///
    /// # Errors
    /// If the graph is damaged; if a row has other nodes; if there is no room, or a file cannot be
    /// written; if the user interrupts.
    pub fn pack(
        rows: &Compressed,
        live: &[Node],
        room: SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let places = Some(places_of(rows.num_nodes(), live)?);
        let packer = Packer::with_places(rows.num_nodes(), places, room);
        Self::pack_in(rows, rows.num_nodes(), packer, progress)
    }

    /// [`Self::pack`] for rows of the first nodes, where those of all others are empty, and entries keep their
    /// numbers, in windows of some size. 28 bytes a node besides.
    ///
    /// # Errors
    /// As for [`Self::pack`].
    pub fn pack_all(
        rows: &Compressed,
        num_nodes: usize,
        windows: Windows,
        room: SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let packer = Packer {
            windows,
            ..Packer::with_places(num_nodes, None, room)
        };
        Self::pack_in(rows, num_nodes, packer, progress)
    }

    fn pack_in(
        rows: &Compressed,
        n: usize,
        mut packer: Packer,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin("pack", Some(n as u64));
        let mut blocks = rows.blocks(WINDOW_BITS >> packer.windows.0);
        blocks.retain(|block| block.start < n);
        if let Some(last) = blocks.last_mut() {
            last.end = last.end.min(n);
        }
        packer.add(rows, 0, &blocks, progress)?;
        rows.check_count(packer.num_arcs)?;
        progress.end();
        packer.finish()
    }
}

/// Rows that a task packs again.
const ROWS_PER_TASK: usize = 1 << 14;

impl RunRows {
    /// Packs rows of any form in windows of some size.
    ///
    /// # Errors
    /// As for [`Self::pack`].
    pub fn pack_rows(
        rows: &dyn Rows,
        windows: Windows,
        room: SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = rows.num_nodes();
        let mut packer = Packer {
            windows,
            ..Packer::with_places(n, None, room)
        };
        let at_once = ROWS_PER_TASK >> windows.0;
        let starts = (0..n).step_by(at_once);
        let blocks: Vec<_> = starts.map(|start| start..n.min(start + at_once)).collect();
        progress.begin("pack", Some(n as u64));
        packer.add(rows, 0, &blocks, progress)?;
        progress.end();
        packer.finish()
    }
}

/// The place of each of these of `n` nodes, and [`NOWHERE`] for others.
///
/// # Errors
/// If there is not enough memory.
pub fn places_of(n: usize, live: &[Node]) -> Result<Vec<u32>> {
    let mut place_of = filled(NOWHERE, n, "the places of nodes")?;
    for (place, &node) in live.iter().enumerate() {
        place_of[node as usize] = place as u32;
    }
    Ok(place_of)
}

/// Packs the rows of all nodes, in their order.
pub(super) struct Packer {
    windows: Windows,
    place_of: Option<Vec<u32>>,
    packed: CompactRows,
    row_of: Vec<u32>,
    /// A hash of each distinct row.
    hashes: Vec<u64>,
    num_arcs: u64,
}

impl Packer {
    /// For the rows of `n` nodes, all of whose entries are in `live`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(n: usize, live: &[Node], room: SpillBudget) -> Result<Self> {
        Ok(Self::with_places(n, Some(places_of(n, live)?), room))
    }

    fn with_places(n: usize, place_of: Option<Vec<u32>>, room: SpillBudget) -> Self {
        Packer {
            windows: Windows::LARGEST,
            place_of,
            packed: CompactRows::none(room),
            row_of: Vec::with_capacity(n),
            hashes: Vec::new(),
            num_arcs: 0,
        }
    }

    /// Packs the rows of the next nodes: those of `rows`, whose first row is that of node `first`, in
    /// these blocks.
    ///
    /// # Errors
    /// If rows cannot be read, or have nodes that are not live; if there is no room, or a file cannot
    /// be written; if the user interrupts.
    pub(super) fn add(
        &mut self,
        rows: &dyn Rows,
        first: usize,
        blocks: &[Range<usize>],
        progress: &dyn Progress,
    ) -> Result<()> {
        let most = WINDOW_ARCS >> self.windows.0;
        for wave in blocks.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let windows = tasks::try_map(wave, |range| {
                let mut window = Window::new(Places::from(self.place_of.as_deref()), most);
                rows.try_rows(range.clone(), &mut |row, nodes| {
                    window.add((first + row as usize) as Node, nodes)
                })?;
                Ok::<_, Error>(window.done())
            })?;
            for window in windows {
                let before = self.packed.num_rows() as u32;
                progress.advance(window.row_of.len() as u64);
                self.num_arcs += window.num_arcs;
                self.row_of
                    .extend(window.row_of.iter().map(|row| before + row));
                self.hashes.extend(window.hashes);
                for block in window.blocks {
                    self.packed.push(block)?;
                }
            }
        }
        Ok(())
    }

    /// The rows, once all are added.
    ///
    /// # Errors
    /// If rows cannot be read back.
    pub(super) fn finish(mut self) -> Result<RunRows> {
        drop(self.place_of);
        let first_same = dedup::first_same(&self.packed, self.hashes)?;
        tasks::update(&mut self.row_of, |_, row| {
            if let Ok(at) = first_same.binary_search_by_key(row, |&[later, _]| later) {
                *row = first_same[at][1];
            }
        });
        Ok(RunRows {
            num_arcs: self.num_arcs,
            row_of: self.row_of,
            distinct: Arc::new(Distinct::Compact(Box::new(self.packed))),
        })
    }
}
