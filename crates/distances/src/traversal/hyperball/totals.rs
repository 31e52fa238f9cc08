//! The estimates of all registers together for every node, and sums over distances.

use super::Balls;
use super::counters::{Counters, Tally};
use super::rows::BallRows;
use super::slice::{Changes, NODES_PER_BLOCK};
use webrank_base::error::Result;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_cluster::{DistributedVisitor, Exchange, State};

/// The estimates of all nodes after some steps, and the sums up to there.
pub(super) struct Totals {
    counters: Counters,
    tallies: Vec<Tally>,
    estimates: Vec<f64>,
    /// The sum of all estimates, now and after each step, in units of 2^-32, so that the order of
    /// additions does not matter.
    pairs: i128,
    pairs_after: Vec<i128>,
    /// Sums over the nodes reached: of their distances, and of functions of them.
    sums: Vec<Vec<f32>>,
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
    pub(super) fn new(rows: BallRows, counters: Counters, num_functions: usize) -> Self {
        let (num_nodes, number) = (rows.num_nodes(), rows.first());
        let mut tallies = vec![Tally::default(); num_nodes];
        let blocks = tallies.chunks_mut(NODES_PER_BLOCK).enumerate();
        tasks::for_each(blocks, |(block, tallies)| {
            for (node, tally) in (block * NODES_PER_BLOCK..).zip(tallies) {
                *tally = Tally::of_node(counters, number + node);
            }
        });
        let estimates = tasks::tabulate(num_nodes, |node| counters.estimate(tallies[node]));
        Totals {
            counters,
            pairs: estimates.iter().map(|&estimate| in_units(estimate)).sum(),
            tallies,
            estimates,
            pairs_after: Vec::new(),
            sums: vec![vec![0.0; num_nodes]; 1 + num_functions],
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
        self.pairs_after.push(self.pairs);
    }

    /// The number of steps that have ended.
    pub(super) fn num_steps(&self) -> u32 {
        self.pairs_after.len() as u32
    }

    /// Takes up tallies, and the pairs after each step, which are only wanted as sums over all workers.
    fn resume(&mut self, steps: &[[u64; 2]], tallies: impl Iterator<Item = Tally>, is_first: bool) {
        for (node, tally) in tallies.enumerate() {
            self.tallies[node] = tally;
            self.estimates[node] = self.counters.estimate(tally);
        }
        let estimates = self.estimates.iter();
        self.pairs = estimates.map(|&estimate| in_units(estimate)).sum();
        let pairs = steps.iter();
        let pairs = pairs.map(|&step| if is_first { number(step) } else { 0 });
        self.pairs_after = pairs.collect();
    }

    /// The findings: of the nodes of this worker, and of the pairs of all.
    ///
    /// # Errors
    /// If another worker fails.
    pub(super) fn balls(self, exchange: &mut Exchange) -> Result<Balls> {
        let pairs_within = self.pairs_within(exchange)?;
        let mut sums = self.sums.into_iter().map(Vec::into_boxed_slice);
        Ok(Balls {
            reached: self.estimates.iter().map(|&count| count as f32).collect(),
            sum_of_distances: sums.next().expect("the first sum is that of distances"),
            sums: sums.collect(),
            pairs_within,
        })
    }

    /// The pairs of all workers within each distance.
    fn pairs_within(&self, exchange: &mut Exchange) -> Result<Vec<f64>> {
        let nodes = exchange.gather([self.tallies.len() as u64])?;
        let nodes: u64 = nodes.into_iter().map(|[nodes]| nodes).sum();
        let mut within = vec![nodes as f64];
        for pairs in self.pairs_of_all(exchange)? {
            // Only errors of estimates can make it smaller than the one before.
            let before = within[within.len() - 1];
            within.push((pairs as f64 / UNITS).max(before));
        }
        Ok(within)
    }

    /// The pairs of all workers after each step.
    fn pairs_of_all(&self, exchange: &mut Exchange) -> Result<Vec<i128>> {
        let own: Vec<u64> = self.pairs_after.iter().copied().flat_map(words).collect();
        let mut pairs = vec![0i128; self.pairs_after.len()];
        for (worker, part) in exchange.gather_lists(&own)?.into_iter().enumerate() {
            if part.len() != own.len() {
                return Err(exchange.not_planned(worker));
            }
            for (sum, &words) in pairs.iter_mut().zip(part.as_chunks().0) {
                *sum += number(words);
            }
        }
        Ok(pairs)
    }
}

/// The state between two steps. Estimates follow from tallies; the pairs of the nodes of each worker from
/// these.
impl State for Totals {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut before = Vec::new();
        if !visitor.is_restoring() {
            let pairs = self.pairs_of_all(visitor.exchange)?;
            before = pairs.into_iter().flat_map(words).collect();
        }
        visitor.list(&mut before)?;
        let (steps, rest) = before.as_chunks();
        visitor.check(rest.is_empty())?;
        let mut of_tallies: Vec<u64> = self.tallies.iter().map(|tally| tally.sum).collect();
        visitor.of_nodes(&mut of_tallies)?;
        let mut zeros: Vec<u32> = self.tallies.iter().map(|tally| tally.zeros).collect();
        visitor.of_nodes(&mut zeros)?;
        for sums in &mut self.sums {
            visitor.of_nodes(sums)?;
        }
        if visitor.is_restoring() {
            let tallies = of_tallies.into_iter().zip(zeros);
            let tallies = tallies.map(|(sum, zeros)| Tally { sum, zeros });
            self.resume(steps, tallies, visitor.exchange.index() == 0);
        }
        Ok(())
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

/// A number as words that can be sent and kept.
fn words(number: i128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// The number of such words.
fn number([low, high]: [u64; 2]) -> i128 {
    (u128::from(high) << 64 | u128::from(low)) as i128
}

fn in_units(estimate: f64) -> i128 {
    (estimate * UNITS) as i128
}
