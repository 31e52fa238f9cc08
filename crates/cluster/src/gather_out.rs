//! Sums over the successors of nodes, whichever worker has these: [`super::pull`] against the arcs.
//!
//! A worker has all arcs from its nodes, as rows of the nodes that they lead to. So each worker sends the
//! values of its nodes to those whose arcs lead there, 8 bytes for each, and everybody adds up the
//! values of successors by a multiplication by the transposes of its rows. Whole numbers have the same
//! sum in any order, so threads may add to the same node.

use super::Exchange;
use super::pieces::{LocalPartition, Piece};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::prefix_sum::running_sums;
use webrank_base::parallel::tasks;
use webrank_linear::runs::RunRows;

/// Where sums of values are made: the difference of the sum of each node of a worker and that of the node
/// before it, so that a run of nodes takes two additions. 8 bytes a node.
pub struct Steps(Vec<AtomicU64>);

impl Steps {
    /// # Errors
    /// If there is not enough memory.
    pub fn new(num_nodes: usize) -> Result<Self> {
        let mut steps = Vec::new();
        let bytes = 8 * (num_nodes as u64 + 1);
        let too_large = |_| webrank_base::error::Error::memory("sums over successors", bytes);
        steps.try_reserve_exact(num_nodes + 1).map_err(too_large)?;
        steps.resize_with(num_nodes + 1, AtomicU64::default);
        Ok(Steps(steps))
    }

    fn add(&self, first: usize, end: usize, value: u64) {
        // Relaxed: sums of integers are the same in any order.
        self.0[first].fetch_add(value, Relaxed);
        self.0[end].fetch_sub(value, Relaxed);
    }

    /// Adds the value of each distinct row to all nodes in it, which are counted from `first` on.
    fn add_rows(&self, rows: &RunRows, values: &[u64], first: usize) -> Result<()> {
        rows.fold(&rows.blocks(), |_: &mut (), row, nodes| {
            let value = values[row];
            if value == 0 {
                return;
            }
            for &node in nodes.singles {
                let node = first + node as usize;
                self.add(node, node + 1, value);
            }
            for &[start, end] in nodes.runs {
                self.add(first + start as usize, first + end as usize, value);
            }
        })?;
        Ok(())
    }
}

impl LocalPartition {
    /// Writes to `into`, which has an entry for each node of this worker, the sum of the values of its
    /// successors, modulo 2^64, from the sums of the values of all nodes before one and before the end.
    /// All workers must call this, and gather something before they exchange anything else.
    ///
    /// # Errors
    /// If rows in a file cannot be read, if there is not enough memory, or if another worker fails.
    pub fn pull_back(
        &self,
        exchange: &mut Exchange,
        before: &[u64],
        steps: &Steps,
        into: &mut [u64],
    ) -> Result<()> {
        let value = |node: usize| before[node + 1].wrapping_sub(before[node]);
        self.send_to_touching(exchange, value)?;
        tasks::for_each(steps.0.chunks(1 << 16), |steps| {
            steps.iter().for_each(|step| step.store(0, Relaxed));
        });
        for piece in &self.pieces {
            let first = piece.nodes.start;
            let values = values_of_rows(&piece.own, |node| value(first + node))?;
            steps.add_rows(&piece.own, &values, first)?;
        }
        let touched = self.values_of_touched(exchange, value)?;
        for (piece, touched) in self.pieces.iter().zip(touched) {
            let values = values_of_rows(&piece.away, |row| touched[row])?;
            drop(touched);
            steps.add_rows(&piece.away, &values, piece.nodes.start)?;
        }
        running_sums(into, |node| steps.0[node].load(Relaxed));
        Ok(())
    }

    /// Sends the values of nodes to the workers whose arcs lead to them.
    ///
    /// # Errors
    /// If another worker fails.
    pub(super) fn send_to_touching(
        &self,
        exchange: &mut Exchange,
        value: impl Fn(usize) -> u64,
    ) -> Result<()> {
        let expected = self.expected.iter().enumerate();
        for (to, nodes) in expected.filter(|(_, nodes)| !nodes.is_empty()) {
            let values = nodes.iter().map(|&node| value(node as usize));
            exchange.send(to, values.collect())?;
        }
        Ok(())
    }

    /// For each part, the values of the nodes elsewhere that its arcs lead to, which other workers send.
    ///
    /// # Errors
    /// If another worker fails, or sends others than planned.
    pub(super) fn values_of_touched(
        &self,
        exchange: &mut Exchange,
        value: impl Fn(usize) -> u64,
    ) -> Result<Vec<Vec<u64>>> {
        let me = exchange.index();
        let mut touched = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let mut values = filled(0, piece.num_touched(), "the values of other parts")?;
            for (row, &node) in piece.rows_for[me].clone().zip(&piece.inside) {
                values[row] = value(node as usize);
            }
            touched.push(values);
        }
        let counts = (0..exchange.workers()).map(|from| {
            let of_piece = |piece: &Piece| piece.rows_for[from].len();
            self.pieces.iter().map(of_piece).sum::<usize>()
        });
        let mut counts: Vec<usize> = counts.collect();
        counts[me] = 0;
        let mut missing = counts.iter().filter(|&&count| count > 0).count();
        while missing > 0 {
            let (from, words) = exchange.receive()?;
            if words.len() != counts[from] || words.is_empty() {
                return Err(exchange.not_planned(from));
            }
            let mut words = words.into_iter();
            for (piece, values) in self.pieces.iter().zip(&mut touched) {
                let rows = values[piece.rows_for[from].clone()].iter_mut();
                rows.zip(&mut words).for_each(|(into, word)| *into = word);
            }
            counts[from] = 0;
            missing -= 1;
        }
        Ok(touched)
    }
}

/// For each distinct row, the sum of the values of the nodes that have it.
fn values_of_rows(rows: &RunRows, value: impl Fn(usize) -> u64 + Sync) -> Result<Vec<u64>> {
    let sums: Vec<u64> = filled(0, rows.num_rows(), "sums over rows")?;
    let sums: Vec<AtomicU64> = sums.into_iter().map(AtomicU64::new).collect();
    tasks::for_each(tasks::ranges(rows.num_nodes()), |nodes| {
        for node in nodes {
            sums[rows.row_of(node)].fetch_add(value(node), Relaxed);
        }
    });
    Ok(sums.into_iter().map(AtomicU64::into_inner).collect())
}
