//! Where single rows are in the bytes of their blocks.
//!
//! Rows of one shape that follow each other in a block make a chunk: a few of them. An [`Index`] knows
//! where each chunk starts, and what its gaps are counted from. So a row costs reading and decoding
//! some hundred bytes instead of a block, wherever it is.

use super::block::{add_gaps, unfolded};
use super::codes::{GROUP, PADDING, bytes_of_group, decode};
use super::{Buffer, CompactRows};
use crate::runs::row::Row;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::blocks::BLOCK_WEIGHT;
use webrank_base::parallel::tasks;
use xxhash_rust::xxh3::xxh3_64;

/// Rows of a chunk, at most.
const ROWS: usize = 16;

/// Numbers of a chunk at most, unless it is one row.
const NUMBERS: usize = 128;

/// Rows of one shape that follow each other in a block. 32 bytes.
struct Chunk {
    /// The first row, counted from the start of the block.
    row: u32,
    /// The first number of that row.
    number: u32,
    /// Where the bytes of the group of that number start.
    start: u32,
    /// The nodes that the first single node and the first run of that row are gaps from.
    firsts: [Node; 2],
    singles: u32,
    runs: u32,
    /// The checksum of the lengths and the bytes of its groups.
    checksum: u32,
}

/// Where all chunks start.
pub(in crate::runs) struct Index {
    /// The chunks of each block.
    chunks: Vec<Vec<Chunk>>,
}

/// The most bytes of an index. Rows that are cut into chunks take a chunk for [`ROWS`] of them or for
/// half of [`NUMBERS`]. And each shape of a block starts a chunk; there are fewer than half of L^2
/// shapes of up to L numbers, so those of a block of 2^14 numbers have more than 31 of them on average.
pub fn bytes_of_index(num_nodes: u64, num_arcs: u64) -> u64 {
    let chunks = num_nodes / ROWS as u64 + num_arcs / (NUMBERS as u64 / 2) + num_arcs / 31;
    let blocks = 2 + (num_nodes + num_arcs) / (BLOCK_WEIGHT / 4);
    size_of::<Chunk>() as u64 * chunks.min(num_nodes) + size_of::<Vec<Chunk>>() as u64 * blocks
}

impl Index {
    /// The chunks of all blocks, each of which is decoded once. Parallel.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub(in crate::runs) fn new(rows: &CompactRows) -> Result<Self> {
        let mut chunks: Vec<Vec<Chunk>> = rows.numbers.iter().map(|_| Vec::new()).collect();
        tasks::try_in_order(chunks.iter_mut().enumerate(), |buffer, (block, chunks)| {
            let Buffer { bytes, numbers } = buffer;
            let bytes = rows.store.bytes(block, bytes)?;
            let found = chunks_of(bytes, rows.numbers[block], numbers);
            *chunks = found.ok_or_else(|| rows.store.damaged())?;
            buffer.trim();
            Ok(())
        })?;
        Ok(Index { chunks })
    }

    /// The result of `work` on a row of `rows`, of which this is the index.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(in crate::runs) fn with_row<R>(
        &self,
        rows: &CompactRows,
        row: usize,
        buffer: &mut Buffer,
        work: impl FnOnce(Row) -> R,
    ) -> Result<R> {
        let block = rows.block_of(row);
        let row = row - rows.firsts[block] as usize;
        let chunks = &self.chunks[block];
        let place = chunks.partition_point(|chunk| chunk.row as usize <= row) - 1;
        let chunk = &chunks[place];
        let after = chunks.get(place + 1).map(|chunk| chunk.row as usize);
        let num_rows = rows.firsts[block + 1] - rows.firsts[block];
        let end = after.unwrap_or(num_rows as usize);
        let made = chunk
            .read(rows, block, end - chunk.row as usize, buffer)?
            .and_then(|()| chunk.row_of(row - chunk.row as usize, &mut buffer.numbers))
            .map(work);
        buffer.trim();
        made.ok_or_else(|| rows.store.damaged())
    }
}

impl Chunk {
    fn length(&self) -> usize {
        self.singles as usize + 2 * self.runs as usize
    }

    /// The groups that its numbers are in, if it has so many rows.
    fn groups(&self, rows: usize) -> Range<usize> {
        let first = self.number as usize;
        first / GROUP..(first + rows * self.length()).div_ceil(GROUP)
    }

    /// Decodes all groups of numbers into the buffer; none if their bytes have changed.
    ///
    /// # Errors
    /// If they cannot be read.
    fn read(
        &self,
        rows: &CompactRows,
        block: usize,
        count: usize,
        buffer: &mut Buffer,
    ) -> Result<Option<()>> {
        let Buffer { bytes, numbers } = buffer;
        let groups = self.groups(count);
        bytes.clear();
        rows.store.read_part(block, groups.clone(), bytes)?;
        let length = bytes.iter().map(|&lengths| bytes_of_group(lengths)).sum();
        let start = rows.numbers[block] / GROUP + self.start as usize;
        let data = start..start.saturating_add(length);
        rows.store.read_part(block, data, bytes)?;
        if xxh3_64(bytes) as u32 != self.checksum {
            return Ok(None);
        }
        bytes.extend([0; PADDING]);
        let count = GROUP * groups.len();
        if numbers.len() < count {
            numbers.resize(count, 0);
        }
        Ok(decode(bytes, &mut numbers[..count]))
    }

    /// A row of the chunk, whose numbers are given; none if there are too few.
    fn row_of<'n>(&self, row: usize, numbers: &'n mut [u32]) -> Option<Row<'n>> {
        let (_, numbers) = numbers.split_at_mut_checked(self.number as usize % GROUP)?;
        let (length, singles) = (self.length(), self.singles as usize);
        let (before, rest) = numbers.split_at_mut_checked(row * length)?;
        let (row, _) = rest.split_at_mut_checked(length)?;
        let mut firsts = self.firsts;
        if length > 0 {
            let rows = before.chunks_exact(length);
            rows.for_each(|row| advance(&mut firsts, row, singles));
        }
        add_gaps(row, singles, &mut firsts);
        let (singles, runs) = row.split_at(singles);
        let runs = runs.as_chunks().0;
        Some(Row { singles, runs })
    }
}

/// Goes on from the first single node, and the first node in a run, of the row before to those of a row.
#[inline]
fn advance([first_single, first_run]: &mut [Node; 2], row: &[u32], singles: usize) {
    let (singles, runs) = row.split_at(singles);
    for (first, gaps) in [(first_single, singles), (first_run, runs)] {
        if let Some(&gap) = gaps.first() {
            *first = first.wrapping_add(unfolded(gap));
        }
    }
}

/// The chunks of a block with so many numbers; none if the bytes are not those of a block.
fn chunks_of(bytes: &[u8], count: usize, numbers: &mut Vec<u32>) -> Option<Vec<Chunk>> {
    if numbers.len() < count {
        numbers.resize(count, 0);
    }
    let numbers = &mut numbers[..count];
    decode(bytes, numbers)?;
    let (lengths, data) = bytes.split_at_checked(count / GROUP)?;
    let num_shapes = *numbers.first()? as usize;
    let shapes = numbers.get(1..)?.get(..num_shapes.checked_mul(3)?)?;
    let mut chunks = Vec::new();
    let mut both = Vec::new();
    let (mut row, mut number, mut firsts) = (0, 1 + shapes.len(), [0; 2]);
    // A group, and where its bytes start.
    let (mut group, mut start) = (0, 0);
    for &[singles, runs, of_shape] in shapes.as_chunks::<3>().0 {
        let length = singles as usize + 2 * runs as usize;
        let most = (NUMBERS / length.max(1)).clamp(1, ROWS);
        let mut left = of_shape as usize;
        while left > 0 {
            // Empty rows take no numbers.
            let rows = if length == 0 { left } else { left.min(most) };
            let mut chunk = Chunk {
                row: row as u32,
                number: u32::try_from(number).ok()?,
                start: 0,
                firsts,
                singles,
                runs,
                checksum: 0,
            };
            let groups = chunk.groups(rows);
            let bytes_of =
                |groups: &[u8]| groups.iter().copied().map(bytes_of_group).sum::<usize>();
            start += bytes_of(lengths.get(group..groups.start)?);
            group = groups.start;
            chunk.start = u32::try_from(start).ok()?;
            let lengths = lengths.get(groups)?;
            both.clear();
            both.extend_from_slice(lengths);
            both.extend_from_slice(data.get(start..)?.get(..bytes_of(lengths))?);
            chunk.checksum = xxh3_64(&both) as u32;
            let entries = numbers.get(number..)?.get(..rows * length)?;
            if length > 0 {
                let rows = entries.chunks_exact(length);
                rows.for_each(|row| advance(&mut firsts, row, singles as usize));
            }
            number += entries.len();
            row += rows;
            left -= rows;
            chunks.push(chunk);
        }
    }
    chunks.shrink_to_fit();
    Some(chunks)
}
