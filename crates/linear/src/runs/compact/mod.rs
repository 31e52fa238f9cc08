//! Distinct rows as bytes: about one byte for each value that a sweep reads, instead of four, in
//! memory or in a file.
//!
//! Rows are [packed](pack) window by window, while the compressed transpose is decoded once, so they are
//! never in memory all at once; without a transpose, the graph is [transposed](transpose) range by
//! range. Equal rows of a window are kept once; equal rows of different windows
//! are found by their hashes and compared, so that [`row_of`](super::RunRows::row_of) says the same
//! as for flat rows.
//!
//! Blocks of rows are decoded in every sweep, to the same single nodes and runs that flat rows have.
//! So all sums have the same bits, and a sweep costs the decoding besides: about a nanosecond for
//! each value.

mod block;
pub mod blocked;
mod chunks;
mod codes;
mod dedup;
pub mod pack;
mod store;
mod transpose;
mod window;

use super::alike::UniformRows;
use super::row::Row;
use block::{Block, read};
pub(super) use chunks::Index;
pub use chunks::bytes_of_index;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use store::Store;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::blocks::BLOCK_WEIGHT;

/// Distinct rows as bytes.
pub struct CompactRows {
    store: Store,
    /// The first row of each block, and the number of rows.
    firsts: Vec<u32>,
    /// How many numbers each block holds.
    numbers: Vec<usize>,
    num_reads: u64,
    /// Blocks that were decoded for single rows.
    recent: Mutex<HashMap<usize, Arc<Decoded>>>,
}

/// The buffers of a thread that decodes blocks.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    numbers: Vec<u32>,
}

impl Buffer {
    /// Gives back the room for a block of one long row.
    fn trim(&mut self) {
        if self.numbers.len() > KEPT {
            *self = Buffer::default();
        }
    }
}

/// Numbers in a buffer that is kept for the next block.
const KEPT: usize = 1 << 18;

/// Blocks that are kept for single rows.
const RECENT: usize = 256;

/// The most bytes of blocks that are kept for single rows: 4 an entry and 16 a row.
pub fn bytes_of_recent(num_nodes: u64, num_arcs: u64) -> u64 {
    let all = num_arcs.saturating_mul(4).saturating_add(20 * num_nodes);
    all.min(RECENT as u64 * BLOCK_WEIGHT / 2 * 16)
}

/// A decoded block.
#[derive(Default)]
struct Decoded {
    entries: Vec<Node>,
    /// Where each row starts, and how many single nodes it has.
    rows: Vec<[usize; 2]>,
}

impl Decoded {
    fn push(&mut self, row: Row) {
        self.rows.push([self.entries.len(), row.singles.len()]);
        self.entries.extend_from_slice(row.singles);
        self.entries.extend_from_slice(row.runs.as_flattened());
    }

    fn row(&self, index: usize) -> Row<'_> {
        let [start, singles] = self.rows[index];
        let end = self
            .rows
            .get(index + 1)
            .map_or(self.entries.len(), |next| next[0]);
        let (singles, runs) = self.entries[start..end].split_at(singles);
        Row {
            singles,
            runs: runs.as_chunks().0,
        }
    }
}

impl CompactRows {
    /// No rows yet.
    fn none(room: SpillBudget) -> Self {
        CompactRows {
            store: Store::new(room),
            firsts: vec![0],
            numbers: Vec::new(),
            num_reads: 0,
            recent: Mutex::default(),
        }
    }

    pub(super) fn num_rows(&self) -> usize {
        self.firsts.last().map_or(0, |&rows| rows as usize)
    }

    pub(super) fn num_reads(&self) -> u64 {
        self.num_reads
    }

    /// The bytes of all rows.
    pub fn num_bytes(&self) -> u64 {
        self.store.size()
    }

    /// The room that these rows leave for others.
    pub(super) fn rest_of_room(&self) -> SpillBudget {
        self.store.rest_of_room()
    }

    /// Whether the bytes are in a file.
    pub fn is_on_disk(&self) -> bool {
        self.store.is_on_disk()
    }

    pub(super) fn blocks(&self) -> Vec<Range<usize>> {
        let bounds = self.firsts.array_windows();
        let range = |&[start, end]: &[u32; 2]| start as usize..end as usize;
        bounds.map(range).collect()
    }

    pub(super) fn live_blocks(&self, live: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut blocks = self.blocks();
        blocks.retain(|block| block.clone().any(&live));
        blocks
    }

    /// Adds the next block.
    ///
    /// # Errors
    /// If there is no room for it, or if it cannot be written.
    fn push(&mut self, block: Block) -> Result<()> {
        self.firsts.push((self.num_rows() + block.rows) as u32);
        self.numbers.push(block.numbers);
        self.num_reads += block.reads;
        self.store.push(block)
    }

    /// Gives back the room for more blocks.
    fn shrink(&mut self) {
        self.firsts.shrink_to_fit();
        self.numbers.shrink_to_fit();
        self.store.shrink();
    }

    /// The block of a row.
    fn block_of(&self, row: usize) -> usize {
        self.firsts.partition_point(|&first| first as usize <= row) - 1
    }

    /// Hands the rows of the block that starts with this row to `visit`, those of one shape at once,
    /// with the number of the first of them, counted from the start of the block.
    ///
    /// # Errors
    /// If the block cannot be read.
    pub(super) fn visit(
        &self,
        first: usize,
        buffer: &mut Buffer,
        visit: impl FnMut(usize, UniformRows),
    ) -> Result<()> {
        let block = self.block_of(first);
        let bytes = self.store.bytes(block, &mut buffer.bytes)?;
        let found = read(bytes, self.numbers[block], &mut buffer.numbers, visit);
        buffer.trim();
        found.ok_or_else(|| self.store.damaged())
    }

    /// [`Self::visit`], row by row.
    ///
    /// # Errors
    /// As for [`Self::visit`].
    fn visit_rows(
        &self,
        first: usize,
        buffer: &mut Buffer,
        mut visit: impl FnMut(usize, Row),
    ) -> Result<()> {
        self.visit(first, buffer, |first, alike| {
            let rows = alike.rows().enumerate();
            rows.for_each(|(place, row)| visit(first + place, row));
        })
    }

    /// The result of `work` on a row.
    ///
    /// # Errors
    /// If its block cannot be read.
    pub(super) fn with_row<R>(&self, row: usize, work: impl FnOnce(Row) -> R) -> Result<R> {
        let block = self.block_of(row);
        let first = self.firsts[block] as usize;
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let known = recent().get(&block).cloned();
        let decoded = match known {
            Some(decoded) => decoded,
            None => {
                let decoded = Arc::new(self.decoded(block)?);
                let mut recent = recent();
                if recent.len() >= RECENT {
                    recent.clear();
                }
                recent.insert(block, decoded.clone());
                decoded
            }
        };
        Ok(work(decoded.row(row - first)))
    }

    /// A block, decoded.
    fn decoded(&self, block: usize) -> Result<Decoded> {
        let mut decoded = Decoded::default();
        let first = self.firsts[block] as usize;
        self.visit_rows(first, &mut Buffer::default(), |_, row| decoded.push(row))?;
        Ok(decoded)
    }
}
