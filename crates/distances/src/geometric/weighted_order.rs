//! Weighted harmonic centrality without rounding, for nodes whose scores are too close in doubles.
//!
//! A score is the sum of W(d)/d over distances d, with W(d) the weight of the nodes at distance d. Weights
//! are whole numbers of a power of two, cut into parts of so few bits that a double holds any sum of them:
//! sums of parts are exact, and as fast as those of weights. With L the least common multiple of all
//! distances, scores are whole numbers over L.

use super::harmonic::common_multiple;
use super::weighted_harmonic::enter;
use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use num_bigint::BigUint;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_graph::Csr;
use webrank_linear::exact_sum::{nearest, parts, unit_of};
use webrank_scores::Outcome;
use webrank_scores::settled::{Settled, close_rows};

/// The most bits of all scores that are held at a time: 128 MB.
const MOST_BITS: u64 = 1 << 30;

/// The bits that a number takes besides its own.
const OF_NUMBER: u64 = 384;

/// The graph and the weights of scores.
pub(super) struct Weighted<'a> {
    /// Without loops.
    pub(super) rows: &'a Csr,
    /// The transpose, with or without loops.
    pub(super) reverse: &'a Csr,
    pub(super) weights: &'a [f64],
    /// The divisor of scores.
    pub(super) scale: u64,
    /// The largest distance.
    pub(super) farthest: u32,
}

impl Weighted<'_> {
    /// By what part of a score rounding may have changed it: every weight is added once, every level
    /// divided and added, and a few operations follow. See [`crate::betweenness::ties`].
    fn rounding(&self) -> f64 {
        let roundings = self.weights.len() as f64 + 2.0 * f64::from(self.farthest) + 8.0;
        3.0 * roundings * (0.5 * f64::EPSILON)
    }

    /// Orders nodes with close scores by exact numbers, and gives them the nearest doubles; returns the
    /// numbers that order equal doubles, and what is known then. `order` is that of searches.
    ///
    /// # Errors
    /// If a score is NaN; [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the
    /// run.
    pub(super) fn settle(
        &self,
        order: &[Node],
        scores: &mut [f64],
        progress: &dyn Progress,
    ) -> Result<(Vec<u64>, Outcome)> {
        let rows = close_rows(scores, self.rounding())?;
        let unit = unit_of(self.weights.iter().copied());
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        let of_weights = (webrank_linear::wide::exponent_of(largest) - unit).max(0) as u64 + 64;
        // log2(e) times 1.04 for each distance: Rosser and Schoenfeld 1962.
        let bits = of_weights + (1.51 * f64::from(self.farthest)) as u64 + OF_NUMBER;
        let mut settled = Settled::new(scores);
        let numbers =
            rows.iter().map(|row| row.len() as u64).sum::<u64>() + u64::from(self.farthest);
        if numbers.saturating_mul(bits) > MOST_BITS {
            let rests = settled.into_rests();
            return Ok((rests, Outcome::rounded(self.rounding(), scores)));
        }
        let multiple = common_multiple(self.farthest);
        let twins = self.twins(&rows);
        let sums = self.sums(order, &twins, unit, &multiple, progress)?;
        let denominator = multiple * self.scale;
        for row in &rows {
            let keys = row.iter().map(|&node| (&sums[&twins[&node]], node));
            let compare = |a: &&BigUint, b: &&BigUint| a.cmp(b);
            let rounded = |sum: &&BigUint| {
                let score = nearest(sum, &denominator, unit.into());
                Some(score.clamp(f64::from_bits(1), f64::MAX))
            };
            settled.settle(row, keys.collect(), compare, rounded);
        }
        Ok((settled.into_rests(), Outcome::Exact))
    }

    /// For each node of these rows, one with the same score to search from: nodes that no search comes
    /// back to have the score of their row of neighbours.
    fn twins(&self, rows: &[Vec<Node>]) -> HashMap<Node, Node> {
        let mut firsts: HashMap<&[Node], Node> = HashMap::new();
        let nodes = rows.iter().flatten().copied();
        let twin = |node: Node| match self.reverse.degree(node) {
            0 => *firsts.entry(self.rows.row(node)).or_insert(node),
            _ => node,
        };
        let with_twins = nodes.clone().zip(nodes.map(twin));
        with_twins.collect()
    }

    /// The scores, as whole numbers of 2^unit over a multiple of all distances, of the nodes that stand for
    /// others.
    fn sums(
        &self,
        order: &[Node],
        twins: &HashMap<Node, Node>,
        unit: i32,
        multiple: &BigUint,
        progress: &dyn Progress,
    ) -> Result<HashMap<Node, BigUint>> {
        let stands = |node: &Node| twins.get(node) == Some(node);
        let sources: Vec<Node> = order.iter().copied().filter(stands).collect();
        let n = self.rows.num_nodes();
        let rooms = Pool::new(|| Workspace::new(n));
        let shares: Vec<BigUint> = (1..=self.farthest).map(|d| multiple / d).collect();
        progress.begin("comparing", Some(sources.len() as u64));
        let search = |sources: &[Node]| {
            progress.check()?;
            let mut sums = PartSums::new(self.weights, unit, &shares);
            rooms.with(|room| {
                enter(room, self.rows, sources);
                room.search(self.rows, &mut sums, Simd::best());
            });
            progress.advance(sources.len() as u64);
            Ok(sums.total)
        };
        let totals = tasks::try_map(sources.chunks(LANES), search)?;
        progress.end();
        let totals = totals.into_iter().flatten();
        Ok(sources.iter().copied().zip(totals).collect())
    }
}

/// The sums of one batch, one for each lane.
struct PartSums<'a> {
    weights: &'a [f64],
    unit: i32,
    /// The share of a node at each distance.
    shares: &'a [BigUint],
    /// The bits of a part.
    bits: u32,
    /// Sums of the first, the second, ... parts of weights.
    level: Vec<[f64; LANES]>,
    total: Vec<BigUint>,
}

impl<'a> PartSums<'a> {
    fn new(weights: &'a [f64], unit: i32, shares: &'a [BigUint]) -> Self {
        PartSums {
            bits: 52 - (usize::BITS - weights.len().leading_zeros()),
            weights,
            unit,
            shares,
            level: Vec::new(),
            total: vec![BigUint::default(); LANES],
        }
    }
}

impl Tally for PartSums<'_> {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, _level: u32) {
        let weight = self.weights[node as usize];
        if weight == 0.0 {
            return;
        }
        let (mantissa, exponent) = parts(weight);
        let zeros = mantissa.trailing_zeros();
        let shift = (exponent + zeros as i32 - self.unit) as u32;
        let mut left = u128::from(mantissa >> zeros) << (shift % self.bits);
        let mut place = (shift / self.bits) as usize;
        while left > 0 {
            let part = (left & ((1 << self.bits) - 1)) as f64;
            if self.level.len() <= place {
                self.level.resize(place + 1, [0.0; LANES]);
            }
            for (&word, sums) in new.0.iter().zip(self.level[place].chunks_exact_mut(64)) {
                if word != 0 {
                    for (bit, sum) in sums.iter_mut().enumerate() {
                        *sum += if word >> bit & 1 == 1 { part } else { 0.0 };
                    }
                }
            }
            left >>= self.bits;
            place += 1;
        }
    }

    #[inline(always)]
    fn end_level(&mut self, level: u32) -> bool {
        let share = &self.shares[level as usize - 1];
        for (lane, total) in self.total.iter_mut().enumerate() {
            let mut sum = BigUint::default();
            for (place, sums) in self.level.iter_mut().enumerate() {
                let part = std::mem::take(&mut sums[lane]);
                if part > 0.0 {
                    sum += BigUint::from(part as u64) << (place as u64 * u64::from(self.bits));
                }
            }
            if sum.bits() > 0 {
                *total += sum * share;
            }
        }
        true
    }
}
