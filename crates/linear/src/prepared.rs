//! Matrices prepared for many multiplications, in any form of their rows.

use super::inflow::Inflow;
use super::matrix::{Matrix, rounding_of};
use super::prefixes::{PREFIX_BLOCK, Prefixes};
use super::runs::{Row, RunRows};
use crate::components::strong_components;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;

/// A matrix prepared for many multiplications.
pub enum PreparedMatrix {
    /// All entries are 1: equal rows are summed once, runs by prefix sums.
    Runs {
        /// The rows.
        rows: RunRows,
        /// Blocks of distinct rows.
        blocks: Vec<Range<usize>>,
        /// Prefix sums of the vector.
        prefixes: Prefixes,
        /// One sum for each distinct row.
        sums: Vec<f64>,
        /// Its part of a matrix whose rows it shares, if it is one.
        part: Option<MatrixPart>,
    },
    /// Entries have weights: the matrix as it is.
    Weighted {
        /// The matrix.
        matrix: Matrix,
        /// Blocks of rows.
        blocks: Vec<Range<usize>>,
    },
}

/// A part of a matrix that has no entries in the columns of other parts.
pub struct MatrixPart {
    /// Its first row.
    first: usize,
    /// A vector by the rows of the whole matrix: zero outside the part.
    vector: Vec<f64>,
}

impl MatrixPart {
    /// A vector on the whole matrix.
    fn embedded(&self, x: &[f64]) -> Vec<f64> {
        let mut whole = vec![0.0; self.vector.len()];
        whole[self.first..self.first + x.len()].copy_from_slice(x);
        whole
    }
}

/// The vector by which rows are multiplied.
fn embedded<'x>(part: &'x mut Option<MatrixPart>, x: &'x [f64]) -> &'x [f64] {
    match part {
        None => x,
        Some(MatrixPart { first, vector }) => {
            vector[*first..*first + x.len()].copy_from_slice(x);
            vector
        }
    }
}

impl PreparedMatrix {
    /// Prepares a matrix. O(n log n + m), parallel.
    pub fn new(matrix: Matrix) -> Self {
        if matrix.weights().is_some() {
            let blocks = matrix.blocks();
            return PreparedMatrix::Weighted { matrix, blocks };
        }
        Self::of_rows(RunRows::new(matrix.into_rows()))
    }

    /// Prepares rows in any form, whose entries are nodes and all 1.
    pub fn of_rows(rows: RunRows) -> Self {
        PreparedMatrix::Runs {
            blocks: rows.blocks(),
            prefixes: Prefixes::new(rows.num_nodes()),
            sums: vec![0.0; rows.num_rows()],
            rows,
            part: None,
        }
    }

    /// The part of rows that has these rows and columns. No other row may have entries in these
    /// columns. Sweeps are over the rows where they are, so they should be a good part of all.
    pub(crate) fn of_part(rows: &RunRows, range: Range<usize>) -> Self {
        let here = rows.of_nodes(range.clone());
        let mut is_here = vec![false; rows.num_rows()];
        (0..range.len()).for_each(|node| is_here[here.row_of(node)] = true);
        PreparedMatrix::Runs {
            blocks: here.live_blocks(|row| is_here[row]),
            prefixes: Prefixes::new(rows.num_nodes()),
            sums: vec![0.0; rows.num_rows()],
            part: Some(MatrixPart {
                first: range.start,
                vector: vec![0.0; rows.num_nodes()],
            }),
            rows: here,
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
    pub fn rows(&self) -> Option<&RunRows> {
        match self {
            PreparedMatrix::Weighted { .. } => None,
            PreparedMatrix::Runs { rows, .. } => Some(rows),
        }
    }

    /// The strong components.
    ///
    /// # Errors
    /// As for [`Self::has_entries`]; if the user interrupts.
    pub fn components(&self, progress: &dyn Progress) -> Result<StrongComponents> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                StrongComponents::new(matrix.rows(), progress)
            }
            PreparedMatrix::Runs { rows, .. } => strong_components(rows, progress),
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

    /// The sum of every column, and a bound on their relative errors. O(n + m).
    ///
    /// # Errors
    /// As for [`Self::has_entries`]; if there is not enough memory.
    pub fn column_sums(&self) -> Result<(Vec<f64>, f64)> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => matrix.column_sums(),
            PreparedMatrix::Runs { rows, .. } => {
                let counts = rows.counts()?;
                Ok((counts.into_iter().map(f64::from).collect(), 0.0))
            }
        }
    }

    /// For every node i, `start + sum over row i of w_ij c_j - c_i d_i` for shares c and totals d,
    /// nearly exactly, and a bound on its error: see [`Inflow`]. 32 bytes a node besides.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn imbalances(
        &self,
        start: f64,
        shares: &[f64],
        totals: &[f64],
    ) -> Result<Vec<(f64, f64)>> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => Ok(tasks::tabulate(shares.len(), |i| {
                matrix.imbalance(i as Node, start, shares, totals[i])
            })),
            PreparedMatrix::Runs {
                rows, blocks, part, ..
            } => {
                let of_part = part.as_ref().map(|part| part.embedded(shares));
                let by_entry = of_part.as_deref().unwrap_or(shares);
                let mut inflows = vec![Inflow::default(); rows.num_rows()];
                rows.sums(blocks, &mut inflows, |row| {
                    let mut inflow = Inflow::default();
                    row.nodes().for_each(|j| inflow.add(by_entry[j as usize]));
                    inflow
                })?;
                Ok(tasks::tabulate(shares.len(), |i| {
                    inflows[rows.row_of(i)].imbalance(start, shares[i], totals[i])
                }))
            }
        }
    }

    /// For every row, a bound on the relative error of [`Self::multiply`] with nonnegative entries,
    /// and a few more operations.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn roundings(&self) -> Result<Vec<f64>> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                Ok(tasks::tabulate(matrix.num_nodes(), |node| {
                    matrix.rounding(node as Node)
                }))
            }
            PreparedMatrix::Runs { rows, blocks, .. } => {
                let mut roundings = vec![0.0; rows.num_rows()];
                rows.sums(blocks, &mut roundings, |row| rounding_of(row.len() as u64))?;
                let of_node = |node: usize| roundings[rows.row_of(node)];
                Ok(tasks::tabulate(rows.num_nodes(), of_node))
            }
        }
    }

    /// y = M x, term by term: equal bits for equal rows, with the error that
    /// [`webrank_base::parallel::sums`] states.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn multiply(&mut self, x: &[f64], y: &mut [f64]) -> Result<()> {
        match self {
            PreparedMatrix::Weighted { matrix, blocks } => matrix.multiply(blocks, x, y),
            PreparedMatrix::Runs {
                rows,
                blocks,
                sums,
                part,
                ..
            } => {
                let x = embedded(part, x);
                rows.sums(blocks, sums, |row| row.exact_sum(|j| x[j as usize]))?;
                tasks::update(y, |node, y| *y = sums[rows.row_of(node)]);
            }
        }
        Ok(())
    }

    /// [`Self::multiply`] for the rows in these ranges, which increase; other entries of y are of no use.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub(crate) fn multiply_some(
        &mut self,
        ranges: &[Range<usize>],
        x: &[f64],
        y: &mut [f64],
    ) -> Result<()> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                let blocks = ranges
                    .iter()
                    .flat_map(|range| matrix.blocks_of(range.clone()));
                matrix.multiply(&blocks.collect::<Vec<_>>(), x, y);
            }
            PreparedMatrix::Runs { rows, sums, .. } => {
                let mut is_wanted = vec![false; rows.num_rows()];
                let nodes = ranges.iter().cloned().flatten();
                nodes.for_each(|node| is_wanted[rows.row_of(node)] = true);
                let blocks = rows.live_blocks(|row| is_wanted[row]);
                rows.sums(&blocks, sums, |row| row.exact_sum(|j| x[j as usize]))?;
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
                part,
            } => {
                let x = embedded(part, x);
                let of_x = prefixes.blocks_mut().zip(x.chunks(PREFIX_BLOCK));
                tasks::for_each(of_x, |(prefixes, x)| {
                    let mut sum = 0.0;
                    prefixes[0] = sum;
                    for (prefix, x) in prefixes[1..].iter_mut().zip(x) {
                        sum += x;
                        *prefix = sum;
                    }
                });
                rows.fast_sums(blocks, sums, x, prefixes)?;
                tasks::update(y, |node, y| *y = sums[rows.row_of(node)]);
            }
        }
        Ok(())
    }
}
