//! Products of vectors by the adjacency matrix, and what workers know together of their vectors.
//!
//! Values are whole numbers, so products are exact, and the same for any number of workers. Sums of other
//! numbers are made in fixed point, and maxima are exact: no result depends on who computes what.

use super::Exchange;
use super::fixed_point::FixedPointVector;
use super::gather_out::Steps;
use super::pieces::LocalPartition;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::prefix_sum::running_sums;
use webrank_base::parallel::tasks;
use webrank_graph::Direction;

/// 2^64: terms of [`Products::totals`] are cut to multiples of its inverse.
const UNITS: f64 = 18_446_744_073_709_551_616.0;

/// The adjacency matrix A as a worker has it: the arcs from its nodes, and the other workers.
pub struct Products<'a, 't> {
    /// The other workers.
    pub exchange: &'a mut Exchange<'t>,
    pub(crate) pieces: &'a LocalPartition,
    /// The sums of the values of all nodes before one.
    before: Vec<u64>,
    steps: Option<Steps>,
}

impl<'a, 't> Products<'a, 't> {
    /// 8 bytes a node; 8 more once values of successors are added up.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(pieces: &'a LocalPartition, exchange: &'a mut Exchange<'t>) -> Result<Self> {
        let before = filled(0, pieces.outdegrees.len() + 1, "the sums of values")?;
        Ok(Products {
            exchange,
            pieces,
            before,
            steps: None,
        })
    }

    /// The number of nodes of this worker.
    pub fn num_nodes(&self) -> usize {
        self.pieces.outdegrees.len()
    }

    /// `into = x A`, or for [`Direction::Out`] `A x`: exact. Returns the largest entry of all workers.
    ///
    /// # Errors
    /// If rows in a file cannot be read, if there is not enough memory, or if another worker fails.
    pub fn multiply(
        &mut self,
        direction: Direction,
        x: &FixedPointVector,
        into: &mut FixedPointVector,
    ) -> Result<f64> {
        into.exponent = x.exponent;
        self.sums(direction, |node| x.units[node], &mut into.units)?;
        self.largest(|node| into.at(node))
    }

    /// The sums of the values of predecessors, or of successors. All workers must gather something before
    /// the next product.
    fn sums(
        &mut self,
        direction: Direction,
        value: impl Fn(usize) -> u64 + Sync,
        into: &mut [u64],
    ) -> Result<()> {
        running_sums(&mut self.before[1..], value);
        if direction == Direction::In {
            return self.pieces.pull_sums(self.exchange, &self.before, into);
        }
        let steps = match self.steps.take() {
            Some(steps) => steps,
            None => Steps::new(into.len())?,
        };
        self.pieces
            .pull_back(self.exchange, &self.before, &steps, into)?;
        self.steps = Some(steps);
        Ok(())
    }

    /// The number of predecessors, or of successors, of each node of this worker.
    ///
    /// # Errors
    /// As for [`Self::multiply`].
    pub fn degrees(&mut self, direction: Direction) -> Result<Vec<u64>> {
        let mut degrees = filled(0, self.num_nodes(), "the degrees")?;
        match direction {
            Direction::In => self.sums(direction, |_| 1, &mut degrees)?,
            Direction::Out => {
                let outdegrees = &self.pieces.outdegrees;
                tasks::update_with(&mut degrees, outdegrees, |degree, &out| {
                    *degree = out.into()
                });
            }
        }
        self.exchange.gather([])?;
        Ok(degrees)
    }

    /// The largest value of a node of any worker, or 0 if none is larger; NaN does not count.
    ///
    /// # Errors
    /// If another worker fails.
    pub fn largest(&mut self, value: impl Fn(usize) -> f64 + Sync) -> Result<f64> {
        let own = tasks::largest(self.num_nodes(), value);
        Ok(self.largest_of([own])?[0])
    }

    /// The largest of the numbers that each worker gives, which are not negative.
    ///
    /// # Errors
    /// If another worker fails.
    pub(crate) fn largest_of<const N: usize>(&mut self, own: [f64; N]) -> Result<[f64; N]> {
        let all = self.exchange.gather(own.map(f64::to_bits))?;
        let joined = all.into_iter().fold([0.0; N], |largest, other| {
            std::array::from_fn(|place| f64::max(largest[place], f64::from_bits(other[place])))
        });
        Ok(joined)
    }

    /// The number of nodes of all workers of which `holds`.
    ///
    /// # Errors
    /// If another worker fails.
    pub fn count(&mut self, holds: impl Fn(usize) -> bool + Sync) -> Result<u64> {
        let own = tasks::count(self.num_nodes(), holds) as u64;
        Ok(self
            .exchange
            .gather([own])?
            .iter()
            .map(|[count]| count)
            .sum())
    }

    /// The exact sum of whole numbers of all workers.
    ///
    /// # Errors
    /// If another worker fails.
    pub fn sum(&mut self, numbers: &[u64]) -> Result<u128> {
        let part = |range: std::ops::Range<usize>| {
            numbers[range]
                .iter()
                .map(|&unit| u128::from(unit))
                .sum::<u128>()
        };
        let own: u128 = tasks::reduce(numbers.len(), 0, part, |a, b| a + b);
        let all = self.exchange.gather([own as u64, (own >> 64) as u64])?;
        let of_words = |[low, high]: [u64; 2]| u128::from(high) << 64 | u128::from(low);
        Ok(all.into_iter().map(of_words).sum())
    }

    /// The sum of a vector over the nodes of all workers, rounded once.
    ///
    /// # Errors
    /// If another worker fails.
    pub fn total(&mut self, x: &FixedPointVector) -> Result<f64> {
        Ok(self.sum(&x.units)? as f64 * x.unit())
    }

    /// The sums over the nodes of all workers of terms that are not negative and at most as large as
    /// `most`, each cut to a multiple of `most 2^-64`.
    ///
    /// # Errors
    /// If another worker fails.
    pub fn totals<const N: usize>(
        &mut self,
        most: [f64; N],
        terms: impl Fn(usize) -> [f64; N] + Sync,
    ) -> Result<[f64; N]> {
        let cut = |term: f64, most: f64| match term > 0.0 {
            true => (term / most * UNITS) as u128,
            false => 0,
        };
        let add = |a: [u128; N], b: [u128; N]| std::array::from_fn(|place| a[place] + b[place]);
        let part = |range: std::ops::Range<usize>| {
            let terms = range.map(&terms);
            let units = terms.map(|terms| std::array::from_fn(|at| cut(terms[at], most[at])));
            units.fold([0; N], add)
        };
        let own = tasks::reduce(self.num_nodes(), [0; N], part, add);
        let words: Vec<u64> = own
            .into_iter()
            .flat_map(|sum: u128| [sum as u64, (sum >> 64) as u64])
            .collect();
        let mut all = [0u128; N];
        for (worker, words) in self.exchange.gather_lists(&words)?.iter().enumerate() {
            let (pairs, _) = words.as_chunks::<2>();
            if pairs.len() != N {
                return Err(self.exchange.not_planned(worker));
            }
            for (sum, &[low, high]) in all.iter_mut().zip(pairs) {
                *sum += u128::from(high) << 64 | u128::from(low);
            }
        }
        Ok(std::array::from_fn(|at| all[at] as f64 / UNITS * most[at]))
    }
}
