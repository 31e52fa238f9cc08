//! Lin's index: (number of nodes that reach x)^2 / (sum of their distances to x).
//!
//! x itself counts as a node that reaches x, at distance 0; unreachable nodes are left out. A node
//! that no other reaches scores 1, as Boldi and Vigna define it ("Axioms for centrality", 2014); a
//! node that some other reaches scores more than 1. For outgoing distances read d(x, y). The score
//! is a quotient of integers, rounded once. One traversal per node. Lin 1976.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use serde::Serialize;
use webrank_measure::{About, Described};

/// Lin's index; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Lin;

impl Described for Lin {
    const ABOUT: About = About {
        name: "lin",
        definition: "(r + 1)^2 / sum of d(y, x) over the r nodes y that reach x",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; samples: an estimated interval; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Lin {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> ExactNumber {
        if sums.distances.is_zero() {
            return ExactNumber::ONE;
        }
        let count = sums.reached + ExactNumber::ONE;
        count * count / sums.distances
    }

    fn counter_errors(&self) -> Option<f64> {
        Some(2.0)
    }

    fn can_cut(&self) -> bool {
        true
    }
}
