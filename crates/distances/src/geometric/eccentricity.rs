//! Eccentricity: the largest d(y, x) over the y that reach x (for outgoing distances, d(x, y)).
//!
//! Unreachable nodes are left out, and a node that no other reaches has eccentricity 0. A large
//! value means that x is far from some node: this is the only measure here where small is central.
//! The maximum over all nodes is the diameter, in either direction. Scores are exact integers, from
//! the exact engine only. One traversal per node.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use serde::Serialize;
use webrank_measure::{About, Described};

/// The largest distance; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Eccentricity;

impl Described for Eccentricity {
    const ABOUT: About = About {
        name: "eccentricity",
        definition: "the largest d(y, x) over the y that reach x",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact",
    };
}

impl DistanceMeasure for Eccentricity {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> ExactNumber {
        sums.eccentricity
    }
}
