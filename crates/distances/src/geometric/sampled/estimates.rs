//! The estimate and the interval of a sum of terms of a node, from the draws.
//!
//! With deg the number of neighbours, G_g the sum of min(f(d), f(2)) of group g, T that of all of them:
//!
//! * the estimate is deg (f(1) - f(2)) + T N / k, within what is possible: neighbours are known, and the
//!   N - deg other nodes add at most f(2) each. Without this limit it is unbiased.
//! * the *estimated* interval is that plus or minus t s N / k, where s^2 is 16/15 of the sum of (G_g -
//!   k_g T / k)^2, and one draw of the largest term; k_g is the number of draws of group g, and t the
//!   quantile of Student's distribution with 15 degrees of freedom. (In expectation, s^2 is not below
//!   the variance of T. The distribution is an approximation.)
//! * the *proved* interval is that of [`SampleMean`] for independent draws.
//!
//! A draw that comes back to the class of its own node adds a term to all members but itself: this is taken
//! out.

use super::draws::{Draws, GROUPS};
use super::scale::Scale;
use super::sums::Sums;
use crate::sample_mean::SampleMean;
use webrank_base::Node;
use webrank_scores::intervals::Confidence;

/// With fewer draws, or where fewer of them reach a node, groups say too little, and intervals are proved ones.
pub(super) const LEAST_DRAWS: usize = 4 * GROUPS;
const LEAST_HITS: u32 = 2 * GROUPS as u32;

/// Which intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum IntervalKind {
    /// Proved with --epsilon, otherwise estimated
    #[default]
    Auto,
    /// From the differences between 16 random groups of sources: narrow, and not proved
    Estimated,
    /// From bounds that hold for any graph
    Proved,
}

/// The classes of nodes that the same draws reach.
pub(super) struct ClassesOfNodes<'a> {
    /// The class of a node.
    pub(super) class: Box<dyn Fn(usize) -> usize + Sync + 'a>,
    /// True for nodes that may be drawn.
    pub(super) is_source: Box<dyn Fn(usize) -> bool + Sync + 'a>,
}

/// The estimates of one sum.
pub(super) struct Estimates<'a> {
    pub(super) nodes: &'a ClassesOfNodes<'a>,
    pub(super) draws: &'a Draws,
    pub(super) scale: &'a Scale<'a>,
    /// The place of the sum, and the number of sums.
    pub(super) place: [usize; 2],
    pub(super) sums: &'a Sums,
    /// The drawn nodes that searches came back to, in increasing order, with draws and levels.
    pub(super) returns: &'a [(Node, usize, u32)],
    /// The number of nodes that may be drawn.
    pub(super) sources: usize,
    /// The neighbours of each node, itself not counted.
    pub(super) degrees: &'a [u32],
    /// The number of draws of each group.
    pub(super) sizes: [u32; GROUPS],
    pub(super) confidence: Confidence,
    /// The quantile of Student's distribution for that.
    pub(super) quantile: f64,
}

/// The sums at a node, as shares of the whole of the scale.
pub(super) struct Seen {
    groups: [f64; GROUPS],
    sum: f64,
    squares: f64,
}

impl Estimates<'_> {
    /// The draws of earlier searches that came back, for [`Self::returns`].
    pub(super) fn returns(draws: &Draws, returned: &[u32]) -> Vec<(Node, usize, u32)> {
        let all = returned.iter().enumerate().filter(|&(_, &level)| level > 0);
        let mut returns: Vec<_> = all.map(|(i, &level)| (draws.nodes[i], i, level)).collect();
        returns.sort_unstable();
        returns
    }

    pub(super) fn seen(&self, x: usize) -> Seen {
        let [place, of] = self.place;
        let row = (self.nodes.class)(x) * of + place;
        let mut groups = self.sums.of(row);
        let first = self
            .returns
            .partition_point(|&(node, ..)| (node as usize) < x);
        let own = self.returns[first..].iter();
        for &(_, draw, level) in own.take_while(|&&(node, ..)| node as usize == x) {
            let group = if self.sums.has_groups() {
                self.draws.group(draw)
            } else {
                0
            };
            groups[group] -= self.scale.units(level);
        }
        let groups = groups.map(|sum| sum as f64 * self.scale.unit());
        Seen {
            groups,
            sum: groups.iter().sum(),
            squares: self.sums.squares[row] as f64 * self.scale.square_unit(),
        }
    }

    /// The terms that a draw stands for.
    pub(super) fn weight(&self) -> f64 {
        self.sources as f64 / self.draws.len() as f64 * self.scale.whole
    }

    /// The least and the largest sum of terms that is possible.
    pub(super) fn possible(&self, x: usize) -> [f64; 2] {
        let degree = self.degrees[x] as usize;
        let is_source = usize::from((self.nodes.is_source)(x));
        let near = degree as f64 * self.scale.near;
        let far = match degree {
            0 => 0,
            _ => self.sources - degree - is_source,
        };
        [near, near + far as f64 * self.scale.second]
    }

    /// The excess of neighbours over the terms that are sampled.
    fn excess(&self, x: usize) -> f64 {
        f64::from(self.degrees[x]) * (self.scale.near - self.scale.second)
    }

    /// The estimate from all draws, or without those of a group, without a limit.
    pub(super) fn estimate(&self, x: usize, seen: &Seen, without: Option<usize>) -> f64 {
        let (sum, draws) = match without {
            None => (seen.sum, self.draws.len() as u32),
            Some(group) => (
                seen.sum - seen.groups[group],
                self.draws.len() as u32 - self.sizes[group],
            ),
        };
        self.excess(x)
            + sum * (f64::from(self.sources as u32) / f64::from(draws) * self.scale.whole)
    }

    /// The estimate without a limit.
    pub(super) fn unlimited(&self, x: usize) -> f64 {
        self.estimate(x, &self.seen(x), None)
    }

    /// The estimate of the sum of terms of a node.
    pub(super) fn sum(&self, x: usize) -> f64 {
        let [least, most] = self.possible(x);
        self.unlimited(x).clamp(least, most)
    }

    /// True if enough draws reach the node, and are in groups.
    pub(super) fn are_groups_enough(&self, x: usize) -> bool {
        self.draws.len() >= LEAST_DRAWS
            && self.sums.hits[(self.nodes.class)(x)] >= LEAST_HITS
            && self.sums.has_groups()
    }

    /// Its standard error, from the groups; none if too few draws reach the node.
    pub(super) fn standard_error(&self, x: usize) -> Option<f64> {
        self.are_groups_enough(x).then(|| {
            let seen = self.seen(x);
            let mean = seen.sum / self.draws.len() as f64;
            let groups = seen.groups.iter().zip(self.sizes);
            let squares = groups.map(|(sum, size)| (sum - f64::from(size) * mean).powi(2));
            let of_groups = squares.sum::<f64>() * GROUPS as f64 / (GROUPS - 1) as f64;
            // Where all groups agree, one draw might still have differed.
            (of_groups + 1.0).sqrt() * self.weight()
        })
    }

    /// The interval of the sum of terms of a node; proved where groups say too little, or if `proved` is given.
    pub(super) fn interval(&self, x: usize, proved: bool) -> (f64, f64) {
        let [least, most] = self.possible(x);
        let error = self.standard_error(x).filter(|_| !proved);
        let sum = self.unlimited(x);
        let half = error.map(|error| self.quantile * error);
        // Outside of what is possible, it has missed.
        let (lower, upper) = match half.filter(|half| sum - half < most && least < sum + half) {
            Some(half) => (sum - half, sum + half),
            None => self.proved(x),
        };
        // Each term is off by half a unit at most, and sums of doubles by their last bits.
        let off = 0.5 * self.sources as f64 * self.scale.whole * self.scale.unit();
        let rounding = 32.0 * f64::EPSILON;
        let lower = (lower - off) * (1.0 - rounding);
        let upper = (upper + off) * (1.0 + rounding);
        match lower < most && least < upper {
            true => (lower.max(least), upper.min(most)),
            false => (least, most),
        }
    }

    /// The proved interval, whether it is possible or not.
    fn proved(&self, x: usize) -> (f64, f64) {
        let seen = self.seen(x);
        let sample = SampleMean::independent(self.draws.len(), self.sources, self.confidence);
        let (lower, upper) = sample.interval(seen.sum, Some(seen.squares));
        let end = |end: f64| self.excess(x) + end * self.scale.whole;
        (end(lower), end(upper))
    }
}
