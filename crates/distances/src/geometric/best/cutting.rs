//! A search that is cut short as soon as its node cannot be among the best.

use super::super::exact_number::ExactNumber;
use super::super::measure::{DistanceMeasure, Sums, Whole};
use super::Contest;
use crate::traversal::single::SingleSearch;
use webrank_base::Node;

/// The sums that an unfinished search knows.
pub(super) const FROM_SEARCH: Sums = Sums {
    reached: ExactNumber::ONE,
    distances: ExactNumber::ONE,
    terms: ExactNumber::ONE,
    eccentricity: ExactNumber::UNKNOWN,
};

/// The limits of all searches of a round.
pub(super) struct RoundLimits {
    /// A search ends when its score is known to be lower.
    pub(super) to_beat: f64,
    /// The number of arcs that one search may follow.
    pub(super) arcs_of_one: f64,
    /// The number of arcs that all searches so far may have followed.
    pub(super) arcs_of_all: f64,
}

/// How a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It has reached all that it can reach.
    Complete,
    /// Its score is known to be too low.
    TooLow,
    /// It would follow too many arcs.
    TooLong,
}

/// Sums over the levels of an unfinished search, in doubles.
#[derive(Clone, Copy, Default)]
pub(super) struct Partial {
    reached: f64,
    distances: f64,
    terms: f64,
}

impl Partial {
    pub(super) fn add(&mut self, measure: &dyn DistanceMeasure, distance: u32, nodes: f64) {
        self.reached += nodes;
        self.distances += distance as f64 * nodes;
        if let Some(term) = measure.term() {
            self.terms += term.at(distance) * nodes;
        }
    }

    pub(super) fn score(&self, measure: &dyn DistanceMeasure, whole: &Whole) -> f64 {
        let sums = Sums {
            reached: ExactNumber::Estimate(self.reached),
            distances: ExactNumber::Estimate(self.distances),
            terms: ExactNumber::Estimate(self.terms),
            eccentricity: ExactNumber::UNKNOWN,
        };
        measure.score(&sums, whole).value()
    }
}

impl Contest<'_> {
    /// Searches from `source`. If the search is complete, `counts` holds the number of nodes at each
    /// distance, farthest first.
    pub(super) fn search_one(
        &self,
        search: &mut SingleSearch,
        counts: &mut Vec<u32>,
        source: Node,
        limits: &RoundLimits,
    ) -> End {
        let rows = self.exact.graph.rows();
        counts.clear();
        let mut partial = Partial::default();
        let mut arcs = 0;
        let mut end = End::Complete;
        search.by_level(rows, source, |distance, nodes| {
            if distance > 0 {
                counts.push(nodes.len() as u32);
                partial.add(self.measure, distance, nodes.len() as f64);
            }
            let next: u64 = nodes.iter().map(|&y| rows.degree(y)).sum();
            let bound = self.bound(&partial, distance, next as f64);
            arcs += next;
            // A margin, as the bound and the score are rounded differently.
            if bound + bound.abs() * 1e-9 < limits.to_beat {
                end = End::TooLow;
            } else if arcs as f64 > limits.arcs_of_one {
                end = End::TooLong;
            }
            end == End::Complete
        });
        counts.reverse();
        end
    }

    /// The highest score that a search can end with, when level `distance` is done and at most
    /// `next` nodes follow at the next level.
    fn bound(&self, partial: &Partial, distance: u32, next: f64) -> f64 {
        let left = (self.reachable as f64 - partial.reached).max(0.0);
        let near = left.min(next);
        // Without a next level there are no later ones.
        let far = if next == 0.0 { 0.0 } else { left - near };
        let with = |near: f64, far: f64| {
            let mut end = *partial;
            end.add(self.measure, distance + 1, near);
            end.add(self.measure, distance + 2, far);
            end.score(self.measure, &self.whole)
        };
        let ends = [(0.0, 0.0), (near.min(1.0), 0.0), (near, 0.0), (near, far)];
        ends.map(|(near, far)| with(near, far))
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
