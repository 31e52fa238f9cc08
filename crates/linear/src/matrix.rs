//! Nonnegative sparse matrices by rows, and their products with vectors.
//!
//! Row i lists the nodes that give to node i, each with a weight, or all with weight 1, so
//!
//! ```text
//! (M x)_i = sum over j in row i of w_ij x_j.
//! ```
//!
//! With rows of predecessors, M x is x A for the adjacency matrix A: scores flow along arcs.

use super::inflow::Inflow;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::{cut, split_mut};
use webrank_base::parallel::sums::{ROUNDOFFS, gathered, ranged};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Direction, Graph};

/// Arcs plus nodes that a task multiplies at a time.
const BLOCK_WEIGHT: u64 = 1 << 14;

/// A bound on the relative error of a sum of so many products that are not negative, and of a few more
/// operations.
pub fn rounding_of(num_terms: u64) -> f64 {
    ((num_terms as f64).min(ROUNDOFFS) + 8.0) * f64::EPSILON / 2.0
}

/// Rows, with a positive weight for each entry unless all are 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: Csr,
    weights: Option<Vec<f64>>,
}

impl Matrix {
    /// The matrix of a graph whose row x holds what flows into x: its predecessors, or with
    /// [`Direction::Out`] its successors, with the weights of the arcs (1 if they have none).
    ///
    /// # Errors
    /// As for [`Graph::weighted_successors`].
    pub fn of(graph: &Graph, direction: Direction, progress: &dyn Progress) -> Result<Self> {
        match (graph.weighted_successors(progress)?, direction) {
            (None, Direction::In) => Ok(Matrix::new(graph.take_predecessors(progress)?.rows)),
            (None, Direction::Out) => Ok(Matrix::new(graph.take_successors(progress)?)),
            (Some((rows, weights)), Direction::Out) => Matrix::weighted(rows, weights),
            (Some((rows, weights)), Direction::In) => {
                let (rows, weights) = rows.transpose_weighted(&weights)?;
                Matrix::weighted(rows, weights)
            }
        }
    }

    /// The matrix whose entries are all 1.
    pub fn new(rows: Csr) -> Self {
        Matrix {
            rows,
            weights: None,
        }
    }

    /// The matrix with these weights, in the order of [`Csr::targets`].
    ///
    /// # Errors
    /// If there is not one weight for each entry, or if one is not positive and finite.
    pub fn weighted(rows: Csr, weights: Vec<f64>) -> Result<Self> {
        if weights.len() as u64 != rows.num_arcs() {
            return Err(Error::argument(
                "the number of weights",
                weights.len(),
                format!("the graph has {} arcs", rows.num_arcs()),
            ));
        }
        let is_bad = |arc: usize| !(weights[arc].is_finite() && weights[arc] > 0.0);
        if let Some(arc) = tasks::first(weights.len(), is_bad) {
            return Err(Error::argument(
                "the weight",
                format!("{} at arc {arc}", weights[arc]),
                "weights must be positive and finite",
            ));
        }
        Ok(Matrix {
            rows,
            weights: Some(weights),
        })
    }

    /// The matrix with the entries `entry(i, j, w_ij)`, which may be zero, in the same positions.
    pub fn mapped(&self, entry: impl Fn(Node, Node, f64) -> f64 + Sync) -> Self {
        let nodes = tasks::map(self.blocks(), |block| {
            let entries = block.flat_map(|node| {
                let row = self.row(node as Node);
                let entry = &entry;
                row.map(move |(j, weight)| entry(node as Node, j, weight))
            });
            entries.collect::<Vec<f64>>()
        });
        Matrix {
            rows: self.rows.clone(),
            weights: Some(nodes.concat()),
        }
    }

    /// The positions of the nonzero entries.
    pub fn rows(&self) -> &Csr {
        &self.rows
    }

    /// The rows without the weights.
    pub fn into_rows(self) -> Csr {
        self.rows
    }

    /// The weights, in the order of [`Csr::targets`], unless all are 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The number of rows.
    pub fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    /// The entries of a row.
    pub fn row(&self, node: Node) -> impl Iterator<Item = (Node, f64)> {
        let start = self.rows.offsets()[node as usize] as usize;
        let entries = self.rows.row(node).iter().enumerate();
        entries.map(move |(place, &j)| (j, self.weight(start + place)))
    }

    /// The entry of a row in a column. O(log of the row's length).
    pub fn entry(&self, node: Node, column: Node) -> f64 {
        let start = self.rows.offsets()[node as usize] as usize;
        match self.rows.row(node).binary_search(&column) {
            Ok(place) => self.weight(start + place),
            Err(_) => 0.0,
        }
    }

    fn weight(&self, arc: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[arc])
    }

    /// The sum of `w_ij value(j)` over row i, term by term, with the error stated in
    /// [`webrank_base::parallel::sums`], plus one rounding per term for the weights.
    #[inline]
    pub fn dot(&self, node: Node, value: impl Fn(Node) -> f64 + Copy) -> f64 {
        let row = self.rows.row(node);
        match &self.weights {
            None => gathered(row, value),
            Some(weights) => {
                let weights = &weights[self.rows.offsets()[node as usize] as usize..];
                ranged(0..row.len() as Node, |place| {
                    weights[place as usize] * value(row[place as usize])
                })
            }
        }
    }

    /// `start + sum over row i of w_ij c_j - c_i d` for shares c, nearly exactly ([`Inflow`]), and a
    /// bound on its error.
    pub fn imbalance(&self, node: Node, start: f64, shares: &[f64], d: f64) -> (f64, f64) {
        let mut inflow = Inflow::default();
        match &self.weights {
            None => {
                let row = self.rows.row(node).iter();
                row.for_each(|&j| inflow.add(shares[j as usize]));
            }
            Some(_) => {
                let row = self.row(node);
                row.for_each(|(j, weight)| inflow.add_weighted(weight, shares[j as usize]));
            }
        }
        inflow.imbalance(start, shares[node as usize], d)
    }

    /// A bound on the relative error of a [`Self::dot`] with nonnegative values and a few more
    /// operations.
    pub fn rounding(&self, node: Node) -> f64 {
        rounding_of(self.rows.degree(node))
    }

    /// Blocks of rows of about equal work, whatever the number of threads.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        self.rows.blocks(BLOCK_WEIGHT)
    }

    /// [`Self::blocks`] of the rows in `rows`.
    pub fn blocks_of(&self, rows: Range<usize>) -> Vec<Range<usize>> {
        let offsets = &self.rows.offsets()[rows.start..=rows.end];
        let blocks = cut(offsets, BLOCK_WEIGHT).into_iter();
        let shifted = |block: Range<usize>| block.start + rows.start..block.end + rows.start;
        blocks.map(shifted).collect()
    }

    /// The rows of y = M x in these blocks, term by term, in parallel.
    pub fn multiply(&self, blocks: &[Range<usize>], x: &[f64], y: &mut [f64]) {
        let parts = blocks.iter().zip(split_mut(y, blocks));
        tasks::for_each(parts, |(block, y)| {
            for (y, node) in y.iter_mut().zip(block.clone()) {
                *y = self.dot(node as Node, |j| x[j as usize]);
            }
        });
    }

    /// The matrix with rows and columns exchanged. O(n + m).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn transposed(&self) -> Result<Self> {
        Ok(match &self.weights {
            None => Matrix::new(self.rows.transpose()?),
            Some(weights) => {
                let (rows, weights) = self.rows.transpose_weighted(weights)?;
                Matrix::from_parts(rows, Some(weights))
            }
        })
    }

    /// The sum of every column, and a bound on their relative errors. O(n + m).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn column_sums(&self) -> Result<(Vec<f64>, f64)> {
        if self.weights.is_none() {
            let mut counts = vec![0.0; self.num_nodes()];
            let targets = self.rows.targets().iter();
            targets.for_each(|&j| counts[j as usize] += 1.0);
            return Ok((counts, 0.0));
        }
        let columns = self.transposed()?;
        let n = self.num_nodes();
        let roundings = tasks::tabulate(n, |node| columns.rounding(node as Node));
        let rounding = roundings.into_iter().fold(0.0, f64::max);
        let sums = tasks::tabulate(n, |node| columns.dot(node as Node, |_| 1.0));
        Ok((sums, rounding))
    }

    /// Wraps rows and weights whose invariants the caller has established.
    pub fn from_parts(rows: Csr, weights: Option<Vec<f64>>) -> Self {
        Matrix { rows, weights }
    }

    /// The matrix of the rows and columns in `range`. These rows must have no entries elsewhere.
    pub(crate) fn diagonal_block(&self, range: Range<usize>) -> Matrix {
        let offsets = &self.rows.offsets()[range.start..=range.end];
        let first = offsets[0];
        let arcs = first as usize..offsets[range.len()] as usize;
        let targets = self.rows.targets()[arcs.clone()].iter();
        Matrix {
            rows: Csr::from_checked(
                offsets.iter().map(|offset| offset - first).collect(),
                targets.map(|&j| j - range.start as Node).collect(),
            ),
            weights: self.weights.as_ref().map(|weights| weights[arcs].to_vec()),
        }
    }
}
