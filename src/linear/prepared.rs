//! Matrices prepared for many multiplications, in any form of their rows.

use super::matrix::Matrix;
use super::prefixes::{PREFIX_BLOCK, Prefixes};
use super::runs::{PullRows, Row};
use crate::error::Result;
use crate::graph::Node;
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
        Self::of_rows(PullRows::new(matrix.into_rows()))
    }

    /// Prepares rows in any form, whose entries are nodes and all 1.
    pub fn of_rows(rows: PullRows) -> Self {
        PreparedMatrix::Runs {
            blocks: rows.blocks(),
            prefixes: Prefixes::new(rows.num_nodes()),
            sums: vec![0.0; rows.num_rows()],
            rows,
        }
    }

    /// The number of rows.
    pub fn num_nodes(&self) -> usize {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => matrix.num_nodes(),
            PreparedMatrix::Runs { rows, .. } => rows.num_nodes(),
        }
    }

    /// The number of entries.
    pub fn num_arcs(&self) -> u64 {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => matrix.rows().num_arcs(),
            PreparedMatrix::Runs { rows, .. } => rows.num_arcs(),
        }
    }

    /// The matrix, if its entries have weights.
    pub fn weighted(&self) -> Option<&Matrix> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => Some(matrix),
            PreparedMatrix::Runs { .. } => None,
        }
    }

    /// The rows, if all entries are 1.
    pub fn rows(&self) -> Option<&PullRows> {
        match self {
            PreparedMatrix::Weighted { .. } => None,
            PreparedMatrix::Runs { rows, .. } => Some(rows),
        }
    }

    /// Whether each row has entries.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn has_entries(&self) -> Result<Vec<bool>> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                let has = |node: usize| matrix.rows().degree(node as Node) > 0;
                Ok(tasks::tabulate(matrix.num_nodes(), has))
            }
            PreparedMatrix::Runs { rows, blocks, .. } => {
                let mut has = vec![false; rows.num_rows()];
                rows.sums(blocks, &mut has, |row: Row| !row.is_empty())?;
                let of_node = |node: usize| has[rows.row_of(node)];
                Ok(tasks::tabulate(rows.num_nodes(), of_node))
            }
        }
    }

    /// y = M x, term by term: equal bits for equal rows, with the error that
    /// [`crate::parallel::sums`] states.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn multiply(&mut self, x: &[f64], y: &mut [f64]) -> Result<()> {
        match self {
            PreparedMatrix::Weighted { matrix, blocks } => matrix.multiply(blocks, x, y),
            PreparedMatrix::Runs {
                rows, blocks, sums, ..
            } => {
                rows.sums(blocks, sums, |row| row.exact_sum(|j| x[j as usize]))?;
                tasks::update(y, |node, y| *y = sums[rows.row_of(node)]);
            }
        }
        Ok(())
    }

    /// y = M x, with an error of about n roundings of the largest entry of x.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<()> {
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
                rows.sums(blocks, sums, |row| row.fast_sum(x, prefixes))?;
                tasks::update(y, |node, y| *y = sums[rows.row_of(node)]);
            }
        }
        Ok(())
    }
}
