//! Matrices prepared for many multiplications.

use super::matrix::Matrix;
use super::prefixes::{PREFIX_BLOCK, Prefixes};
use super::runs::PullRows;
use crate::parallel::tasks;
use std::ops::Range;

/// A matrix prepared for many multiplications.
pub enum PreparedMatrix {
    /// All entries are 1: equal rows are summed once, runs by prefix sums.
    Runs {
        /// The rows.
        rows: PullRows,
        /// Blocks of distinct rows.
        blocks: Vec<Range<usize>>,
        /// Prefix sums of the vector.
        prefixes: Prefixes,
        /// One sum for each distinct row.
        sums: Vec<f64>,
    },
    /// Entries have weights: the matrix as it is.
    Weighted {
        /// The matrix.
        matrix: Matrix,
        /// Blocks of rows.
        blocks: Vec<Range<usize>>,
    },
}

impl PreparedMatrix {
    /// Prepares a matrix. O(n log n + m), parallel.
    pub fn new(matrix: Matrix) -> Self {
        if matrix.weights().is_some() {
            let blocks = matrix.blocks();
            return PreparedMatrix::Weighted { matrix, blocks };
        }
        let n = matrix.num_nodes();
        let rows = PullRows::new(matrix.into_rows());
        PreparedMatrix::Runs {
            blocks: rows.blocks(),
            prefixes: Prefixes::new(n),
            sums: vec![0.0; rows.num_rows()],
            rows,
        }
    }

    /// y = M x, with an error of about n roundings of the largest entry of x.
    pub fn apply(&mut self, x: &[f64], y: &mut [f64]) {
        match self {
            PreparedMatrix::Weighted { matrix, blocks } => {
                matrix.multiply(blocks, x, y);
            }
            PreparedMatrix::Runs {
                rows,
                blocks,
                prefixes,
                sums,
            } => {
                let of_x = prefixes.blocks_mut().zip(x.chunks(PREFIX_BLOCK));
                tasks::for_each(of_x, |(prefixes, x)| {
                    let mut sum = 0.0;
                    prefixes[0] = sum;
                    for (prefix, x) in prefixes[1..].iter_mut().zip(x) {
                        sum += x;
                        *prefix = sum;
                    }
                });
                rows.sums(blocks, sums, |row| row.fast_sum(x, prefixes))
                    .expect("the rows are in memory");
                tasks::update(y, |node, y| *y = sums[rows.row_of(node)]);
            }
        }
    }
}
