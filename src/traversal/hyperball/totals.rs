//! What all registers together say of every node: estimates, and sums over distances.

use super::Balls;
use super::counters::{Counters, Tally};
use super::slice::{Changes, NODES_PER_BLOCK};
use crate::checkpoint::{Found, Saving};
use crate::error::Result;
use crate::parallel::blocks::split_mut;
use crate::parallel::tasks;

/// The estimates of all nodes after some steps, and the sums up to there.
pub(super) struct Totals {
    counters: Counters,
    tallies: Vec<Tally>,
    estimates: Vec<f64>,
    /// The sum of all estimates in units of 2^-32, so that the order of additions does not matter.
    pairs: i128,
    /// Sums over the nodes reached: of their distances, and of functions of them.
    sums: Vec<Vec<f32>>,
    pairs_within: Vec<f64>,
}

/// The entries of some consecutive nodes.
struct Place<'a> {
    tallies: &'a mut [Tally],
    estimates: &'a mut [f64],
    sums: Vec<&'a mut [f32]>,
}

impl Totals {
    /// The bytes of a node, with so many functions of distances.
    pub(super) const fn bytes_of_node(num_functions: u64) -> u64 {
        16 + 8 + 4 * (1 + num_functions)
    }

    /// Every node has reached itself.
    pub(super) fn new(num_nodes: usize, counters: Counters, num_functions: usize) -> Self {
        let mut tallies = vec![Tally::default(); num_nodes];
        let blocks = tallies.chunks_mut(NODES_PER_BLOCK).enumerate();
        tasks::for_each(blocks, |(block, tallies)| {
            for (node, tally) in (block * NODES_PER_BLOCK..).zip(tallies) {
                *tally = Tally::of_node(counters, node);
            }
        });
        let estimates = tasks::tabulate(num_nodes, |node| counters.estimate(tallies[node]));
        Totals {
            counters,
            pairs: estimates.iter().map(|&estimate| in_units(estimate)).sum(),
            tallies,
            estimates,
            sums: vec![vec![0.0; num_nodes]; 1 + num_functions],
            pairs_within: vec![num_nodes as f64],
        }
    }

    /// Counts what changes in a part of a step. Each sum of a node grows by the number of newly
    /// reached nodes times its factor. Blocks are in increasing order; none is empty.
    pub(super) fn count(&mut self, blocks: &[Changes], factors: &[f64]) {
        let counters = self.counters;
        let extents: Vec<_> = blocks.iter().map(Changes::extent).collect();
        let mut sums: Vec<Vec<&mut [f32]>> = extents.iter().map(|_| Vec::new()).collect();
        for all in &mut self.sums {
            let parts = sums.iter_mut().zip(split_mut(all, &extents));
            parts.for_each(|(sums, part)| sums.push(part));
        }
        let places = split_mut(&mut self.tallies, &extents)
            .into_iter()
            .zip(split_mut(&mut self.estimates, &extents))
            .zip(sums)
            .map(|((tallies, estimates), sums)| Place {
                tallies,
                estimates,
                sums,
            });
        let increases = tasks::map(places.zip(blocks), |(place, changes)| {
            place.count(changes, counters, factors)
        });
        self.pairs += increases.into_iter().sum::<i128>();
    }

    /// Ends a step.
    pub(super) fn end_step(&mut self) {
        let before = self.pairs_within[self.pairs_within.len() - 1];
        // Only errors of estimates can make it smaller than the one before.
        let pairs = self.pairs as f64 / UNITS;
        self.pairs_within.push(pairs.max(before));
    }

    /// The number of steps that have ended.
    pub(super) fn num_steps(&self) -> u32 {
        self.pairs_within.len() as u32 - 1
    }

    /// Writes the state between two steps. Estimates follow from tallies.
    pub(super) fn save(&self, to: &mut Saving) -> Result<()> {
        let n = self.tallies.len();
        to.numbers(&[self.pairs as u64, (self.pairs >> 64) as u64])?;
        to.numbers(&self.pairs_within)?;
        to.list(n, self.tallies.iter().map(|tally| tally.sum))?;
        to.list(n, self.tallies.iter().map(|tally| tally.zeros))?;
        self.sums.iter().try_for_each(|sums| to.numbers(sums))
    }

    /// Takes up a state that was saved.
    pub(super) fn restore(&mut self, from: &mut Found) -> Result<()> {
        let mut pairs = [0u64; 2];
        from.fill(&mut pairs)?;
        self.pairs = (u128::from(pairs[1]) << 64 | u128::from(pairs[0])) as i128;
        self.pairs_within = from.list(u32::MAX as usize)?;
        if self.pairs_within.is_empty() {
            return Err(from.damaged());
        }
        let n = self.tallies.len();
        let sums: Vec<u64> = from.list(n)?;
        let zeros: Vec<u32> = from.list(n)?;
        if (sums.len(), zeros.len()) != (n, n) {
            return Err(from.damaged());
        }
        let (counters, sums) = (self.counters, sums.into_iter().zip(zeros));
        for (node, (sum, zeros)) in sums.enumerate() {
            self.tallies[node] = Tally { sum, zeros };
            self.estimates[node] = counters.estimate(self.tallies[node]);
        }
        self.sums.iter_mut().try_for_each(|sums| from.fill(sums))
    }

    /// What was found.
    pub(super) fn balls(self) -> Balls {
        let mut sums = self.sums.into_iter().map(Vec::into_boxed_slice);
        Balls {
            reached: self.estimates.iter().map(|&count| count as f32).collect(),
            sum_of_distances: sums.next().expect("the first sum is that of distances"),
            sums: sums.collect(),
            pairs_within: self.pairs_within,
        }
    }
}

impl Place<'_> {
    /// Counts the changes of its nodes; returns the increase of the pairs.
    fn count(mut self, changes: &Changes, counters: Counters, factors: &[f64]) -> i128 {
        let first = changes.nodes[0];
        let mut pairs = 0;
        for (&node, &fall) in changes.nodes.iter().zip(&changes.falls) {
            let x = (node - first) as usize;
            self.tallies[x] = self.tallies[x].minus(fall);
            let now = counters.estimate(self.tallies[x]);
            let before = std::mem::replace(&mut self.estimates[x], now);
            pairs += in_units(now) - in_units(before);
            let new = now - before;
            if new > 0.0 {
                for (sums, factor) in self.sums.iter_mut().zip(factors) {
                    sums[x] = (f64::from(sums[x]) + new * factor) as f32;
                }
            }
        }
        pairs
    }
}

/// Units per pair of nodes.
const UNITS: f64 = (1u64 << 32) as f64;

fn in_units(estimate: f64) -> i128 {
    (estimate * UNITS) as i128
}
