//! Reduced rank extrapolation of scores whose norms are sums in fixed point: the same bits in whatever
//! order they are added, for workers that each have some of the nodes.
//!
//! The changes of the last sweeps are kept, in single precision: they are the residuals that
//! are combined, and a combination of iterates is the current one without parts of the changes that led
//! to it. 24 bytes a node, in memory or in files that are read from front to back, three times every
//! seven sweeps.
//!
//! Scalar products are sums of whole numbers, in units in which they stay below 2^63. (With weights, those
//! of residuals that differ by orders of magnitude in shape may not: then the combination is no better,
//! and rejected.)

mod in_pieces;

use super::FLOOR;
pub(in crate::pagerank) use super::changes::BYTES_OF_NODE;
use super::changes::ChangeHistory;
use super::combined::{ApplyExtrapolation, Combined};
use super::cycle::ExtrapolationSchedule;
use super::least_squares::{PAIRS, RESIDUALS, RIDGE, least_squares};
use super::whole_products::Products;
use std::array;
use std::collections::VecDeque;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_cluster::{DistributedVisitor, Exchange, State};

/// The scores of the last sweeps, and when to combine them.
pub(in super::super) struct Extrapolation {
    /// The nodes of all workers whose scores change.
    num_nodes: usize,
    changes: ChangeHistory,
    /// The norms of these changes, over the nodes of all workers.
    norms: VecDeque<Norms>,
    cycle: ExtrapolationSchedule,
    /// Whether changes come piece by piece; otherwise `moved` is that of the last sweep, before it is kept.
    is_in_pieces: bool,
    pub(in super::super) moved: Vec<f32>,
}

/// The norms of a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Norms {
    /// The sum of the sizes of its entries.
    pub(in super::super) sum: f64,
    /// The largest of them.
    pub(in super::super) largest: f64,
}

impl Extrapolation {
    /// For the scores of some of the nodes. There is memory for `room`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(in super::super) fn new(
        num_nodes: usize,
        count: usize,
        room: &SpillBudget,
    ) -> Result<Self> {
        Ok(Extrapolation {
            num_nodes,
            changes: ChangeHistory::new(count, room),
            norms: VecDeque::new(),
            cycle: ExtrapolationSchedule::new(),
            is_in_pieces: false,
            moved: filled(0.0, count, "an extrapolation")?,
        })
    }

    /// Tells how many nodes there are whose scores change.
    pub(in super::super) fn count_nodes(&mut self, num_nodes: usize) {
        self.num_nodes = num_nodes;
    }

    /// Keeps the change of a sweep, which is in `moved` or was written in pieces.
    ///
    /// # Errors
    /// If there is not enough memory, or if a file cannot be written.
    pub(in super::super) fn keep(&mut self, norms: Norms) -> Result<()> {
        match self.is_in_pieces {
            true => self.changes.keep_begun(),
            false => self.changes.keep(&mut self.moved)?,
        }
        if self.norms.len() == RESIDUALS {
            self.norms.pop_front();
        }
        self.norms.push_back(norms);
        self.cycle.count();
        Ok(())
    }

    fn clear(&mut self) {
        self.changes.clear();
        self.norms.clear();
    }

    /// Replaces the scores by the best combination of the last ones, if it is due and better. `error`
    /// bounds what roundings add to the change of a sweep. Returns the l1 norm of the difference, over
    /// the nodes of all workers, which take this step together.
    ///
    /// # Errors
    /// If a file cannot be read, or another worker fails.
    pub(in super::super) fn apply(
        &mut self,
        scores: &mut [f64],
        error: f64,
        exchange: &mut Exchange,
    ) -> Result<f64> {
        let Some((back, moved)) = self.combination(error, exchange)? else {
            return Ok(0.0);
        };
        let parts = scores.chunks_mut(INDICES_PER_TASK);
        self.changes
            .map(parts, |scores, changes| go_back(scores, back, changes))?;
        self.clear();
        Ok(moved)
    }

    /// How much of each change the best combination lacks, if it is due and better, and the l1 norm of
    /// the difference to the scores.
    fn combination(
        &mut self,
        error: f64,
        exchange: &mut Exchange,
    ) -> Result<Option<([f64; RESIDUALS], f64)>> {
        if !self.cycle.is_due() || self.changes.len() < RESIDUALS {
            return Ok(None);
        }
        let Some(weights) = self.weights(exchange)? else {
            self.clear();
            self.cycle.fail();
            return Ok(None);
        };
        // A newer iterate lacks none of the changes before it.
        let mut sum = 0.0;
        let back: [f64; RESIDUALS] = array::from_fn(|at| {
            let older = sum;
            sum += weights[at];
            older
        });
        let [left, moved] = self.combined([&weights, &back], exchange)?;
        let rounding = weights
            .iter()
            .zip(&self.norms)
            .map(|(weight, norms)| weight.abs() * (f64::from(f32::EPSILON) * norms.sum + error));
        if left + rounding.sum::<f64>() >= self.norms[RESIDUALS - 1].sum {
            if !self.cycle.reject() {
                self.clear();
            }
            return Ok(None);
        }
        self.cycle.accept();
        Ok(Some((back, moved)))
    }

    /// The l1 norms of these combinations of changes.
    fn combined(
        &self,
        weights: [&[f64; RESIDUALS]; 2],
        exchange: &mut Exchange,
    ) -> Result<[f64; 2]> {
        let ranges = self.changes.ranges();
        let parts = self.changes.map(ranges, |range, changes| {
            debug_assert!(range.len() <= INDICES_PER_TASK);
            Simd::best().run(Combined { changes, weights })
        })?;
        let sum = |at: usize| FixedSum::of(parts.iter().map(|part| part[at]));
        let [[a, b], [c, d]] = [sum(0).words(), sum(1).words()];
        let words = exchange.gather([a, b, c, d])?;
        let sum = |at: usize| {
            let parts = words.iter();
            let parts = parts.map(|words| FixedSum::from_words([words[at], words[at + 1]]));
            FixedSum::of(parts).value()
        };
        Ok([sum(0), sum(2)])
    }

    /// The best weights of the changes, in the norm that is due.
    fn weights(&self, exchange: &mut Exchange) -> Result<Option<[f64; RESIDUALS]>> {
        let is_weighted = self.cycle.is_weighted();
        // In these units, the sums of squares are at most 2^60, or about 2^54 in the other norm.
        let scales: [f64; RESIDUALS] = array::from_fn(|at| {
            let Norms { sum, largest } = self.norms[at];
            match is_weighted {
                true => f64::exp2(54.0) / sum,
                false => f64::exp2(30.0) / (sum * largest).sqrt(),
            }
        });
        if !scales.iter().all(|scale| scale.is_normal()) {
            return Ok(None);
        }
        let last = RESIDUALS - 1;
        let mean = scales[last] * self.norms[last].sum / self.num_nodes as f64;
        let floor = is_weighted.then_some(FLOOR * mean);
        let ranges = self.changes.ranges();
        let parts = self.changes.map(ranges, |_, changes| {
            Simd::best().run(Products {
                changes,
                scales,
                floor,
            })
        })?;
        let sums = exchange.gather(added(parts.into_iter()))?;
        let sums = added(sums.into_iter());
        let mut sums = sums.iter().map(|&sum| sum as i64 as f64);
        let mut scaled = [0.0; PAIRS];
        let pairs = (0..RESIDUALS).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for (product, (i, j)) in scaled.iter_mut().zip(pairs) {
            *product = sums.next().unwrap_or(0.0) / scales[i] / scales[j];
        }
        // A sum of n rounded terms is off by less than n, and equal terms are rounded alike. The rest
        // of a square when others are subtracted is off by some times that.
        let least = (0..RESIDUALS).map(|i| scaled[i * (i + 3) / 2] * scales[i] * scales[i]);
        let least = least.fold(f64::INFINITY, f64::min);
        let ridge = RIDGE + 8.0 * self.num_nodes as f64 / least;
        Ok(least_squares(&scaled, ridge))
    }
}

impl State for Extrapolation {
    /// One list of entries at a time is in memory, or a piece of it.
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let (mut place, mut count) = (self.cycle.place(), [self.changes.len() as u32]);
        visitor.same(&mut place)?;
        visitor.same(&mut count)?;
        let [count] = count.map(|count| count as usize);
        visitor.check(self.cycle.resume(place) && count <= RESIDUALS)?;
        let norms = self.norms.iter();
        let mut norms: Vec<f64> = norms.flat_map(|norms| [norms.sum, norms.largest]).collect();
        norms.resize(2 * count, 0.0);
        visitor.same(&mut norms)?;
        if visitor.is_restoring() {
            self.clear();
            let norms = norms.as_chunks().0.iter();
            let norms = norms.map(|&[sum, largest]| Norms { sum, largest });
            self.norms = norms.collect();
        }
        for place in 0..count {
            if self.is_in_pieces {
                self.changes.visit(place, &mut visitor.file)?;
                continue;
            }
            if !visitor.is_restoring() {
                self.changes.copy(place, &mut self.moved)?;
            }
            let is_whole = visitor.of_nodes(&mut self.moved)?;
            visitor.check(is_whole)?;
            if visitor.is_restoring() {
                self.changes.keep(&mut self.moved)?;
            }
        }
        Ok(())
    }
}

/// Takes parts of the changes back.
fn go_back(scores: &mut [f64], back: [f64; RESIDUALS], changes: [&[f32]; RESIDUALS]) {
    Simd::best().run(ApplyExtrapolation {
        scores,
        back,
        changes,
    });
}

/// The sums of whole numbers, modulo 2^64.
fn added(parts: impl Iterator<Item = [u64; PAIRS]>) -> [u64; PAIRS] {
    parts.fold([0; PAIRS], |sums, part| {
        array::from_fn(|pair| sums[pair].wrapping_add(part[pair]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;
    use std::sync::Arc;
    use webrank_base::output::TemporaryFolder;

    /// Scores are changed in the same way wherever changes are kept, however nodes are shared out.
    #[test]
    fn files_and_memory_have_the_same_bits() {
        let (n, parts) = (20_000, [0..20_000, 0..7_000, 7_000..20_000]);
        let folder = tempfile::tempdir().unwrap();
        let file = SpillBudget {
            bytes: 0,
            folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
        };
        let change = |sweep: i32, node: usize| {
            let slow = 0.9f64.powi(sweep) * (node % 7) as f64;
            let fast = 0.1f64.powi(sweep) * (node % 11) as f64;
            (slow - fast) / n as f64
        };
        let norms = |sweep| {
            let sizes = (0..n).map(|node| change(sweep, node).abs());
            let (sum, largest) = sizes.fold((0.0, 0.0f64), |(a, b), size| (a + size, b.max(size)));
            Norms { sum, largest }
        };
        let run = |room: &SpillBudget, nodes: Range<usize>, exchange: &mut Exchange| -> Result<_> {
            let mut extrapolation = Extrapolation::new(n, nodes.len(), room)?;
            for sweep in 0..7 {
                let moved = extrapolation.moved.iter_mut().zip(nodes.clone());
                moved.for_each(|(moved, node)| *moved = change(sweep, node) as f32);
                extrapolation.keep(norms(sweep))?;
            }
            let mut scores: Vec<f64> = nodes.map(|node| 50.0 + node as f64).collect();
            let moved = extrapolation.apply(&mut scores, 0.0, exchange)?;
            Ok((scores, moved))
        };
        let [all, first, second] = parts;
        let (scores, moved) = run(&SpillBudget::in_memory(), all, &mut Exchange::alone()).unwrap();
        assert!(moved > 0.0, "nothing was extrapolated");
        let [one, other]: [_; 2] = webrank_cluster::threads(2).try_into().ok().unwrap();
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut exchange = Exchange::new(other);
                let done = run(&file, second, &mut exchange);
                exchange.end(done)
            });
            let mut exchange = Exchange::new(one);
            let done = run(&SpillBudget::in_memory(), first, &mut exchange);
            (exchange.end(done).unwrap(), other.join().unwrap().unwrap())
        });
        assert_eq!([one.1, other.1], [moved, moved]);
        assert_eq!([one.0, other.0].concat(), scores);
    }

    #[test]
    fn a_file_that_has_changed_is_told() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Arc::new(TemporaryFolder::create(parent.path()).unwrap());
        let path = folder.path().join("0");
        let room = SpillBudget {
            bytes: 0,
            folder: Some(folder),
        };
        let mut changes = ChangeHistory::new(100, &room);
        for _ in 0..RESIDUALS {
            changes.keep(&mut vec![0.5; 100]).unwrap();
        }
        assert_eq!(
            changes.map([7], |x, of| (x, of[5][99])).unwrap(),
            [(7, 0.5)]
        );
        std::fs::write(path, [0u8; 400]).unwrap();
        let problem = changes.map([()], |_, _| ()).unwrap_err().to_string();
        assert!(problem.contains("has changed"), "{problem}");
    }
}
