//! Integration and radiality: the mean, over the other nodes, of how much nearer they are than the
//! farthest possible.
//!
//! I(x) = sum of (D + 1 - d(y, x)) over the y != x that reach x, divided by n - 1, where D is the
//! diameter: the largest distance of any reachable pair of the graph. A node that does not reach x
//! adds 0, one at distance D adds 1, one at distance 1 adds D. With outgoing distances d(x, y) it
//! is *radiality*. Between 0 and D; 0 when no other node reaches x, and in a graph of one node.
//! Valente and Foreman, "Integration and radiality", Social Networks 20, 1998.
//!
//! I(x) equals (r (D + 1) - S) / (n - 1), with r the number of nodes that reach x and S the sum of
//! their distances: a quotient of integers, rounded once. One traversal per node, with the exact
//! engine or HyperBall. HyperBall takes as D the last step at which a counter changed: never more
//! than the diameter. It may be less where long paths end in few nodes, by an unknown number of steps,
//! and then all scores are too small: so HyperBall gives them no intervals. Searches that are cut short do
//! not know D. Before a sample, D is [found](crate::traversal::diameter): with it, I(x) is the sum of
//! D + 1 - d(y, x), and has proved intervals as decay has.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use super::terms::{LengthTerm, Term, UNIT_BITS};
use ethnum::U256;
use num_bigint::BigUint;
use serde::Serialize;
use webrank_measure::{About, Described};

/// Integration, or radiality with outgoing distances; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Integration;

impl Described for Integration {
    const ABOUT: About = About {
        name: "integration",
        definition: "sum of D + 1 - d(y, x) over the y that reach x, over n - 1; D: diameter",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Integration {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn score(&self, sums: &Sums, whole: &Whole) -> ExactNumber {
        let nearest = whole.diameter + ExactNumber::ONE;
        (sums.terms * nearest - sums.distances) / whole.others()
    }

    fn term(&self) -> Option<&dyn Term> {
        Some(&Each)
    }

    /// The error of the diameter is not known.
    fn counter_errors(&self) -> Option<f64> {
        None
    }

    fn with_diameter(&self, diameter: u32) -> Option<Box<dyn DistanceMeasure>> {
        Some(Box::new(KnownDiameter(Nearness { diameter })))
    }
}

/// Integration in a graph of known diameter D: the sum of (D + 1 - d) / D, times D / (n - 1).
#[derive(Debug)]
struct KnownDiameter(Nearness);

impl DistanceMeasure for KnownDiameter {
    fn name(&self) -> &'static str {
        Integration.name()
    }

    fn score(&self, sums: &Sums, whole: &Whole) -> ExactNumber {
        sums.terms * ExactNumber::integer(self.0.diameter.into()) / whole.others()
    }

    fn term(&self) -> Option<&dyn Term> {
        Some(&self.0)
    }

    fn largest(&self, _whole: &Whole) -> Option<f64> {
        Some(self.0.diameter.into())
    }
}

/// The term (D + 1 - d) / D, and 0 beyond D.
#[derive(Debug)]
struct Nearness {
    diameter: u32,
}

impl Nearness {
    /// The term times D.
    fn whole(&self, distance: u32) -> u32 {
        (self.diameter + 1).saturating_sub(distance)
    }
}

impl Term for Nearness {
    fn at(&self, distance: u32) -> f64 {
        f64::from(self.whole(distance)) / f64::from(self.diameter.max(1))
    }

    fn units(&self, distance: u32, _previous: U256) -> U256 {
        U256::from(self.whole(distance)) << UNIT_BITS
    }

    fn grain(&self) -> (U256, i32) {
        (U256::from(self.diameter.max(1)), 0)
    }

    fn whole_up_to(&self) -> u32 {
        u32::MAX
    }

    fn exact_bits(&self, _distance: u32) -> u64 {
        u32::BITS.into()
    }

    fn exact(&self, distance: u32) -> Vec<BigUint> {
        let terms = (1..=distance).map(|d| BigUint::from(self.whole(d)));
        terms.collect()
    }

    fn of_lengths(&self) -> LengthTerm {
        unreachable!("the diameter is counted in arcs")
    }
}

/// The term 1 for each node: r as a sum over the same steps as S. With another estimate of r, the
/// errors would not cancel against those of S, and scores might be negative.
#[derive(Debug)]
struct Each;

impl Term for Each {
    fn at(&self, _distance: u32) -> f64 {
        1.0
    }

    fn units(&self, _distance: u32, _previous: U256) -> U256 {
        U256::ONE << UNIT_BITS
    }

    fn grain(&self) -> (U256, i32) {
        (U256::ONE, 0)
    }

    fn whole_up_to(&self) -> u32 {
        u32::MAX
    }

    fn exact_bits(&self, _distance: u32) -> u64 {
        1
    }

    fn exact(&self, distance: u32) -> Vec<BigUint> {
        vec![BigUint::from(1u32); distance as usize]
    }

    fn of_lengths(&self) -> LengthTerm {
        LengthTerm::One
    }
}
