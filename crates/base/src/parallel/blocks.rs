//! Blocks of rows with about equal arcs, fixed by the graph alone.
//!
//! Parallel work is cut into these blocks and block results are combined in block order, so a
//! result depends on the graph and never on the number of threads.

use std::ops::Range;

/// Arcs (plus nodes) in one block: large enough to hide the cost of a task, small enough to
/// balance, and its targets (128 kB) fit in a level-2 cache.
pub const BLOCK_WEIGHT: u64 = 1 << 15;

/// Cuts the rows delimited by `offsets` (n + 1 nondecreasing cumulated degrees) into consecutive
/// blocks that each weigh about `weight`, where a row of degree d weighs d + 1.
///
/// Every row is in exactly one block; no block is empty. O(blocks log n).
pub fn cut(offsets: &[u64], weight: u64) -> Vec<Range<usize>> {
    let n = offsets.len().saturating_sub(1);
    cut_by(n, weight, |row| offsets[row] + row as u64)
}

/// Cuts `n` rows into consecutive blocks that each weigh about `weight`, given the strictly
/// increasing weight of all rows before a row.
pub fn cut_by(n: usize, weight: u64, before: impl Fn(usize) -> u64) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    while start < n {
        let goal = before(start) + weight.max(1);
        // The first row that ends at or beyond the goal closes the block.
        let (mut low, mut high) = (start + 1, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle) < goal {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        blocks.push(start..low);
        start = low;
    }
    blocks
}

/// The disjoint parts of `slice`, one entry a row, that `blocks` delimit.
///
/// # Panics
/// If the blocks reach beyond the slice or do not increase.
pub fn split_mut<'a, T>(mut slice: &'a mut [T], blocks: &[Range<usize>]) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(blocks.len());
    let mut start = 0;
    for block in blocks {
        let (_, from_block) = slice.split_at_mut(block.start - start);
        let (part, rest) = from_block.split_at_mut(block.len());
        parts.push(part);
        (slice, start) = (rest, block.end);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_partition_the_rows(
            degrees in prop::collection::vec(0u64..50, 0..200),
            weight in 1u64..100,
        ) {
            let mut offsets = vec![0u64];
            for degree in &degrees {
                offsets.push(offsets.last().unwrap() + degree);
            }
            let blocks = cut(&offsets, weight);
            let mut next = 0;
            for (i, block) in blocks.iter().enumerate() {
                prop_assert_eq!(block.start, next);
                prop_assert!(!block.is_empty());
                next = block.end;
                let weigh = |r: Range<usize>| offsets[r.end] - offsets[r.start] + r.len() as u64;
                if i + 1 < blocks.len() {
                    prop_assert!(weigh(block.clone()) >= weight);
                }
                prop_assert!(weigh(block.start..block.end - 1) < weight);
            }
            prop_assert_eq!(next, degrees.len());
        }
    }
}
