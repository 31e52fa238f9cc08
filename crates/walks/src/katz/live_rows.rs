//! The rows of a matrix whose entries are all 1, in any form, restricted to live nodes: those that
//! others depend on.

use num_traits::Float;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_graph::Csr;
use webrank_linear::matrix::{Matrix, rounding_of};
use webrank_linear::prefixes::Prefixes;
use webrank_linear::runs::{Row, RunRows};

/// Rows whose entries are places among the live nodes.
pub struct LiveRows {
    rows: RunRows,
    live: Vec<Node>,
    /// The distinct row of each live node.
    row_of: Vec<u32>,
    /// Blocks of the rows of live nodes.
    live_blocks: Vec<Range<usize>>,
    /// Blocks of all rows.
    blocks: Vec<Range<usize>>,
    /// The length of each distinct row.
    lengths: Vec<u32>,
}

impl LiveRows {
    /// Splits rows into runs. O(n log n + m), parallel.
    ///
    /// # Errors
    /// None: the rows are in memory.
    pub fn new(rows: Csr) -> Result<Self> {
        let mut is_live = vec![false; rows.num_nodes()];
        for &j in rows.targets() {
            is_live[j as usize] = true;
        }
        let live = |node: usize| is_live[node].then_some(node as Node);
        let live = tasks::select(rows.num_nodes(), live);
        Self::of_rows(RunRows::of_live(rows, &live), live)
    }

    /// Rows in any form, whose entries are places in `live`.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn of_rows(rows: RunRows, live: Vec<Node>) -> Result<Self> {
        let row_of = |place: usize| rows.row_of(live[place] as usize) as u32;
        let row_of = tasks::tabulate(live.len(), row_of);
        let mut of_live = vec![false; rows.num_rows()];
        row_of.iter().for_each(|&row| of_live[row as usize] = true);
        let blocks = rows.blocks();
        let mut lengths = vec![0; rows.num_rows()];
        rows.sums(&blocks, &mut lengths, |row: Row| row.len() as u32)?;
        Ok(LiveRows {
            live_blocks: rows.live_blocks(|row| of_live[row]),
            blocks,
            lengths,
            rows,
            row_of,
            live,
        })
    }

    /// The rows of all nodes.
    pub fn rows(&self) -> &RunRows {
        &self.rows
    }

    /// The live nodes, increasing.
    pub fn live(&self) -> &[Node] {
        &self.live
    }

    /// The rows of the live nodes alone: a square matrix over their places.
    pub fn square(&self) -> RunRows {
        self.rows
            .of_nodes(self.live.iter().map(|&node| node as usize))
    }

    /// The number of distinct rows.
    pub fn num_rows(&self) -> usize {
        self.lengths.len()
    }

    /// The distinct row of a live node.
    #[inline]
    pub fn row_of(&self, place: usize) -> usize {
        self.row_of[place] as usize
    }

    /// The length of the longest row.
    pub fn longest(&self) -> f64 {
        self.lengths.iter().copied().max().map_or(0.0, f64::from)
    }

    /// See [`Matrix::rounding`].
    pub fn rounding(&self, node: usize) -> f64 {
        rounding_of(self.lengths[self.rows.row_of(node)].into())
    }

    /// The entries of live nodes.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        tasks::tabulate(self.live.len(), |place| x[self.live[place] as usize])
    }

    /// These entries of live nodes among those of all nodes; 0 for others.
    pub fn scattered(&self, x: impl IntoIterator<Item = f64>, num_nodes: usize) -> Vec<f64> {
        let mut all = vec![0.0; num_nodes];
        for (&node, value) in self.live.iter().zip(x) {
            all[node as usize] = value;
        }
        all
    }

    /// The sums of x, by places, over the rows of live nodes, with prefix sums.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn sums<T: Float + Send + Sync>(
        &self,
        x: &[T],
        prefixes: &Prefixes<T>,
        sums: &mut [T],
    ) -> Result<()> {
        self.rows.fast_sums(&self.live_blocks, sums, x, prefixes)
    }

    /// The product with a vector on all nodes, term by term.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn multiply(&self, x: &[f64]) -> Result<Vec<f64>> {
        let values = self.values(x);
        let mut sums = vec![0.0; self.num_rows()];
        let sum = |row: Row| row.exact_sum(|place| values[place as usize]);
        self.rows.sums(&self.blocks, &mut sums, sum)?;
        Ok(tasks::tabulate(x.len(), |node| {
            sums[self.rows.row_of(node)]
        }))
    }

    /// Calls `add` for the entries of the row of a node.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn entries(&self, node: Node, mut add: impl FnMut(Node)) -> Result<()> {
        self.rows.with_row(self.rows.row_of(node as usize), |row| {
            row.nodes().for_each(|place| add(self.live[place as usize]));
        })
    }

    /// The matrix, if its rows are in memory.
    ///
    /// # Errors
    /// If they are not.
    pub fn matrix(&self) -> Result<Matrix> {
        let Some(rows) = self.rows.flat() else {
            let remedy = "some scores are outside the range of doubles, which needs --form runs: \
                          allow more memory";
            return Err(Error::argument("form", "compact or disk", remedy));
        };
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        for node in 0..self.rows.num_nodes() {
            let start = targets.len();
            let places = rows.row(self.rows.row_of(node)).nodes();
            targets.extend(places.map(|place| self.live[place as usize]));
            targets[start..].sort_unstable();
            offsets.push(targets.len() as u64);
        }
        Ok(Matrix::new(Csr::from_checked(offsets, targets)))
    }
}
