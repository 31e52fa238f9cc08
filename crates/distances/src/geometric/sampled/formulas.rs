//! Measures as formulas of the sums that draws estimate: a sum of terms alone, or two sums.
//!
//! Closeness and Lin's index are made of the number r of the nodes that reach a node and the sum S of their
//! distances. Both are estimated from one set of draws, so that a part of their errors cancels. The standard error is
//! that of the jackknife: with t_g the score without the draws of group g, and t with all,
//!
//!   s^2 = 15/16 of the sum of (t_g - t)^2, plus the squares of what one draw changes
//!
//! (for a sum of terms, this is the formula in `estimates`). Nothing is proved of S, as distances have no largest
//! value: there are no proved intervals. Where groups say too little, an interval is all that the number of neighbours
//! leaves possible.
//!
//! Wolter, "Introduction to variance estimation", 2007, chapter 4.

use super::draws::GROUPS;
use super::estimates::{Estimates, Seen};
use super::scale::Quantity;
use crate::geometric::exact_number::ExactNumber;
use crate::geometric::measure::{DistanceMeasure, Sums, Whole, is_known_from};
use webrank_base::error::{Error, Result};

/// The places of the sums of a measure.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// The sum of terms, or the number of nodes.
    pub(super) terms: usize,
    /// The sum of distances, if the measure needs it.
    pub(super) distances: Option<usize>,
}

/// The sums that measures need, and where they are.
pub(super) struct Formulas<'m> {
    pub(super) quantities: Vec<Quantity<'m>>,
    pub(super) places: Vec<Places>,
}

impl<'m> Formulas<'m> {
    /// Those of `measures`; numbers of nodes, and sums of distances, once for all.
    ///
    /// # Errors
    /// If a measure is not made of such sums.
    pub(super) fn of(measures: &[&'m dyn DistanceMeasure], num_nodes: usize) -> Result<Self> {
        let (mut quantities, mut places) = (Vec::new(), Vec::new());
        for &measure in measures {
            let needs = needs_distances(measure, num_nodes).ok_or(Error::NoMethod {
                measure: measure.name(),
                method: "sampling",
                remedy: "use the exact method",
            })?;
            let terms = measure.term().map_or(Quantity::Count, Quantity::Terms);
            places.push(Places {
                terms: place_of(terms, &mut quantities),
                distances: needs.then(|| place_of(Quantity::Distances, &mut quantities)),
            });
        }
        Ok(Formulas { quantities, places })
    }

    /// The place of the number of nodes, if it is one of the sums.
    pub(super) fn place_of_count(&self) -> Option<usize> {
        let is_count = |quantity: &Quantity| quantity.is_same(Quantity::Count);
        self.quantities.iter().position(is_count)
    }
}

/// The place of a sum among others, to which it may be added.
fn place_of<'m>(quantity: Quantity<'m>, all: &mut Vec<Quantity<'m>>) -> usize {
    let place = all.iter().position(|other| other.is_same(quantity));
    place.unwrap_or_else(|| {
        all.push(quantity);
        all.len() - 1
    })
}

/// Whether a measure needs the sum of distances beside that of terms or nodes; none if these are not enough.
fn needs_distances(measure: &dyn DistanceMeasure, num_nodes: usize) -> Option<bool> {
    let whole = Whole::of_unknown_diameter(num_nodes);
    let is_known = |distances| is_known_from(measure, &sums_of(measure, 1.0, distances), &whole);
    match measure.largest(&whole).is_some() && is_known(f64::NAN) {
        true => Some(false),
        false => is_known(1.0).then_some(true),
    }
}

/// True for measures that can be sampled, or can once the diameter is known.
pub(crate) fn may_sample(measure: &dyn DistanceMeasure, num_nodes: usize) -> bool {
    can_sample(measure, num_nodes) || measure.with_diameter(1).is_some()
}

/// Whether a measure can be sampled.
pub(crate) fn can_sample(measure: &dyn DistanceMeasure, num_nodes: usize) -> bool {
    needs_distances(measure, num_nodes).is_some()
}

/// The number of sums that measures need.
pub(super) fn num_sums(measures: &[&dyn DistanceMeasure], num_nodes: usize) -> usize {
    Formulas::of(measures, num_nodes).map_or(measures.len(), |formulas| formulas.quantities.len())
}

/// The sums of a node: of terms, or else the number of nodes; and of distances.
pub(super) fn sums_of(measure: &dyn DistanceMeasure, terms: f64, distances: f64) -> Sums {
    let sums = Sums {
        distances: ExactNumber::Estimate(distances),
        ..Sums::UNKNOWN
    };
    let terms = ExactNumber::Estimate(terms);
    match measure.term() {
        Some(_) => Sums { terms, ..sums },
        None => Sums {
            reached: terms,
            ..sums
        },
    }
}

/// The estimates of a measure that is made of two sums.
pub(super) struct Formula<'a> {
    pub(super) measure: &'a dyn DistanceMeasure,
    pub(super) whole: &'a Whole,
    pub(super) nodes: Estimates<'a>,
    pub(super) distances: Estimates<'a>,
}

impl Formula<'_> {
    fn score(&self, [nodes, distances]: [f64; 2]) -> f64 {
        let sums = sums_of(self.measure, nodes, distances);
        self.measure.score(&sums, self.whole).value()
    }

    /// The number of nodes and the sum of distances, from all draws or without a group.
    fn sums(&self, x: usize, [nodes, distances]: &[Seen; 2], without: Option<usize>) -> [f64; 2] {
        let [least, most] = self.nodes.possible(x);
        let nodes = self.nodes.estimate(x, nodes, without).clamp(least, most);
        let distances = self.distances.estimate(x, distances, without);
        let [nearest, farthest] = extremes(least, nodes);
        [nodes, distances.clamp(nearest, farthest)]
    }

    fn seen(&self, x: usize) -> [Seen; 2] {
        [self.nodes.seen(x), self.distances.seen(x)]
    }

    /// The estimate of the score of a node.
    pub(super) fn value(&self, x: usize) -> f64 {
        self.score(self.sums(x, &self.seen(x), None))
    }

    /// Its standard error; none if too few draws reach the node.
    pub(super) fn standard_error(&self, x: usize) -> Option<f64> {
        self.nodes.are_groups_enough(x).then(|| {
            let seen = self.seen(x);
            let [nodes, distances] = self.sums(x, &seen, None);
            let score = self.score([nodes, distances]);
            let change = |sums| (self.score(sums) - score).powi(2);
            let of_groups = (0..GROUPS).map(|group| change(self.sums(x, &seen, Some(group))));
            let of_groups = of_groups.sum::<f64>() * (GROUPS - 1) as f64 / GROUPS as f64;
            // One draw that is a step farther, and one that is not there.
            let draw = self.nodes.weight();
            let farther = change([nodes, distances + draw]);
            let left = (nodes - draw).max(self.nodes.possible(x)[0]);
            let fewer = change([left, distances * left / nodes]);
            (of_groups + farther + fewer).sqrt()
        })
    }

    /// The interval of a node.
    pub(super) fn interval(&self, x: usize) -> (f64, f64) {
        let (least, most) = self.possible(x);
        let value = self.value(x);
        let half = self
            .standard_error(x)
            .map_or(f64::INFINITY, |error| self.nodes.quantile * error);
        ((value - half).max(least), (value + half).min(most))
    }

    /// The least and the largest score that is possible: scores fall with distances, and are extreme where no, one or
    /// all nodes beside neighbours reach the node.
    fn possible(&self, x: usize) -> (f64, f64) {
        let [least, most] = self.nodes.possible(x);
        let counts = [least, (least + 1.0).min(most), most];
        let scores = counts.into_iter().flat_map(|count| {
            extremes(least, count).map(|distances| self.score([count, distances]))
        });
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        scores.fold(none, |(least, most), score| {
            (least.min(score), most.max(score))
        })
    }
}

/// The least and the largest sum of the distances of so many nodes, some of which are neighbours: the others are all
/// at distance 2, or one after the other. Estimates may have a part of a node.
fn extremes(neighbours: f64, nodes: f64) -> [f64; 2] {
    let others = nodes - neighbours;
    let nearest = 2.0 * others;
    let farthest = nearest.max(others * (others + 3.0) / 2.0);
    [neighbours + nearest, neighbours + farthest]
}
