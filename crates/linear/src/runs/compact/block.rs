//! A block of rows as bytes.
//!
//! The numbers of a block are the number of shapes, then the shapes, then the entries. Rows are
//! sorted by shape, so a shape is written once: the number of single nodes, of runs, and of rows.
//! Entries are gaps: from the row before to the first node of a row (and to that of its first run),
//! and from each node to the next.

use super::codes::{GROUP, decode, encode};
use crate::runs::alike::UniformRows;
use crate::runs::row::{MIN_RUN, Row};
use xxhash_rust::xxh3::xxh3_64;

/// The bytes of a block, and what its reader must know.
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// How many numbers they hold.
    pub(super) numbers: usize,
    pub(super) rows: usize,
    /// Entries: one for a single node, two for a run.
    pub(super) reads: u64,
}

/// A rule that turns differences of either sign, modulo 2^32, into small numbers.
fn folded(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32 >> 31) as u32)
}

/// The inverse of [`folded`].
#[inline]
pub(super) fn unfolded(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

impl Block {
    /// Encodes rows, which are sorted by shape.
    pub(super) fn of(rows: &[Row]) -> Self {
        let shape = |row: &Row| [row.singles.len() as u32, row.runs.len() as u32];
        let shapes = rows.chunk_by(|a, b| shape(a) == shape(b));
        let mut numbers = vec![0];
        for rows in shapes {
            let [singles, runs] = shape(&rows[0]);
            numbers.extend([singles, runs, rows.len() as u32]);
            numbers[0] += 1;
        }
        let before = numbers.len();
        let (mut last_single, mut last_run) = (0u32, 0u32);
        for row in rows {
            if let Some((&first, rest)) = row.singles.split_first() {
                numbers.push(folded(first.wrapping_sub(last_single)));
                let mut last = first;
                for &node in rest {
                    numbers.push(node - last - 1);
                    last = node;
                }
                last_single = first;
            }
            if let Some(&[first, _]) = row.runs.first() {
                numbers.push(folded(first.wrapping_sub(last_run)));
                let mut last = first;
                for (index, &[start, end]) in row.runs.iter().enumerate() {
                    if index > 0 {
                        numbers.push(start - last);
                    }
                    numbers.push(end - start - MIN_RUN as u32);
                    last = end;
                }
                last_run = first;
            }
        }
        let reads = (numbers.len() - before) as u64;
        numbers.resize(numbers.len().next_multiple_of(GROUP), 0);
        let mut bytes = Vec::new();
        encode(&numbers, &mut bytes);
        bytes.shrink_to_fit();
        Block {
            bytes,
            numbers: numbers.len(),
            rows: rows.len(),
            reads,
        }
    }

    /// Bytes that are not rows.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Self {
        Block {
            bytes,
            numbers: 0,
            rows: 0,
            reads: 0,
        }
    }

    pub(super) fn checksum(&self) -> u64 {
        xxh3_64(&self.bytes)
    }
}

/// Decodes the `count` numbers of a block into `numbers`, and hands its rows to `visit`, those of one
/// shape at once, with the number of the first of them, counted from 0. None if the bytes are not
/// those of a block.
#[inline]
pub(super) fn read(
    bytes: &[u8],
    count: usize,
    numbers: &mut Vec<u32>,
    mut visit: impl FnMut(usize, UniformRows),
) -> Option<()> {
    if numbers.len() < count {
        numbers.resize(count, 0);
    }
    let numbers = &mut numbers[..count];
    decode(bytes, numbers)?;
    let (&mut shapes, numbers) = numbers.split_first_mut()?;
    let (shapes, mut rest) = numbers.split_at_mut_checked(3 * shapes as usize)?;
    let mut firsts = [0u32; 2];
    let mut index = 0;
    for &shape in shapes.as_chunks::<3>().0 {
        let [singles, runs, count] = shape.map(|number| number as usize);
        let length = singles + 2 * runs;
        let entries;
        (entries, rest) = rest.split_at_mut_checked(length.checked_mul(count)?)?;
        if length > 0 {
            for row in entries.chunks_exact_mut(length) {
                add_gaps(row, singles, &mut firsts);
            }
        }
        let alike = UniformRows {
            entries,
            singles,
            runs,
            count,
        };
        visit(index, alike);
        index += count;
    }
    Some(())
}

/// Turns the gaps of a row into nodes, given the first single node and the first node in a run of
/// the rows before.
#[inline(always)]
pub(super) fn add_gaps(row: &mut [u32], singles: usize, [first_single, first_run]: &mut [u32; 2]) {
    let (singles, runs) = row.split_at_mut(singles);
    let (runs, _) = runs.as_chunks_mut::<2>();
    if let Some((first, rest)) = singles.split_first_mut() {
        *first_single = first_single.wrapping_add(unfolded(*first));
        let mut last = *first_single;
        *first = last;
        for node in rest {
            last = last.wrapping_add(*node).wrapping_add(1);
            *node = last;
        }
    }
    if let Some(([first, _], _)) = runs.split_first() {
        *first_run = first_run.wrapping_add(unfolded(*first));
        let mut last = *first_run;
        for (place, run) in runs.iter_mut().enumerate() {
            let start = if place == 0 {
                last
            } else {
                last.wrapping_add(run[0])
            };
            last = start.wrapping_add(run[1]).wrapping_add(MIN_RUN as u32);
            *run = [start, last];
        }
    }
}
