//! Reachable: the number of other nodes that reach x (for outgoing distances: that x reaches).
//!
//! The node itself is not counted. Scores are exact integers. One traversal per node.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use serde::Serialize;
use webrank_measure::{About, Described};

/// The number of nodes at any distance; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Reachable;

impl Described for Reachable {
    const ABOUT: About = About {
        name: "reachable",
        definition: "the number of y that reach x",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; samples: every score within epsilon; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Reachable {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> ExactNumber {
        sums.reached
    }

    fn largest(&self, whole: &Whole) -> Option<f64> {
        Some(whole.others().value())
    }
}
