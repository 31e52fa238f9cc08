//! Sums over many rows: the same bits for any number of threads, and accurate to the last digits.
//!
//! Rows are cut into blocks of fixed length. Each block is summed by Neumaier's compensated
//! summation (1974), and the block sums are added in block order, also compensated. The error is
//! about one rounding of the result plus n·2^-106 of the sum of absolute values.

use std::ops::Range;

use webrank_base::parallel::tasks;

pub(super) use webrank_base::parallel::sums::Compensated;

/// Rows in one block: long enough to hide the cost of a task.
const BLOCK_ROWS: usize = 1 << 14;

/// The sums over rows `0..rows` of the `K` terms that `add_block` adds for a range of rows.
pub(super) fn sum_blocks<const K: usize>(
    rows: usize,
    add_block: impl Fn(Range<usize>, &mut [Compensated; K]) + Sync,
) -> [f64; K] {
    let blocks = tasks::map((0..rows).step_by(BLOCK_ROWS), |start| {
        let mut sums = [Compensated::default(); K];
        add_block(start..rows.min(start + BLOCK_ROWS), &mut sums);
        sums
    });
    let mut totals = [Compensated::default(); K];
    for sums in blocks {
        for (total, sum) in totals.iter_mut().zip(sums) {
            total.merge(sum);
        }
    }
    totals.map(|total| total.value())
}

/// The sums over rows `0..rows` of the `K` terms of each row.
pub(super) fn sum_rows<const K: usize>(
    rows: usize,
    terms: impl Fn(usize) -> [f64; K] + Sync,
) -> [f64; K] {
    sum_blocks(rows, |range, sums| {
        for row in range {
            for (sum, term) in sums.iter_mut().zip(terms(row)) {
                sum.add(term);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_loses_nothing() {
        let terms = [1e16, 1.0, -1e16, 1e-3];
        let [sum] = sum_rows(4, |row| [terms[row]]);
        assert_eq!(sum, 1.001);
    }

    #[test]
    fn sums_span_blocks() {
        let rows = 3 * BLOCK_ROWS + 5;
        let [sum, count] = sum_rows(rows, |row| [row as f64, 1.0]);
        assert_eq!(sum, (rows * (rows - 1) / 2) as f64);
        assert_eq!(count, rows as f64);
    }
}
