//! Harmonic centrality: H(x) = sum of 1/d(y, x) over the y != x that reach x.
//!
//! Unreachable nodes add 0, so no component needs special care; for outgoing distances read d(x,
//! y). Normalised, it is divided by n - 1, its largest possible value, and lies in [0, 1]. One
//! traversal per node. Marchiori and Latora 2000; Boldi and Vigna 2014.
//!
//! Sums are integers over the least common multiple L of 1, ..., 100. If no node is farther than
//! 100, they are exact: nodes with equal scores tie, however their fractions are composed, and
//! others do not. Sums over farther nodes are rounded to a multiple of 1/L, about 2^-136; nodes whose
//! scores are then close are searched from again, and ordered by fractions over the least common
//! multiple of all distances. If that would take too long, the outcome is not `exact` but `rounded`.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use super::terms::{LengthTerm, Term, UNIT_BITS};
use ethnum::{U256, uint};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Map, Value};
use webrank_measure::{About, Described, parameters};

/// Harmonic centrality; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Harmonic {
    /// Divide by n - 1.
    pub normalize: bool,
}

impl Described for Harmonic {
    const ABOUT: About = About {
        name: "harmonic",
        definition: "sum of 1/d(y, x) over the y that reach x",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; samples: every score within epsilon; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Harmonic {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn parameters(&self) -> Map<String, Value> {
        parameters(self)
    }

    fn score(&self, sums: &Sums, whole: &Whole) -> ExactNumber {
        if self.normalize {
            sums.terms / whole.others()
        } else {
            sums.terms
        }
    }

    fn term(&self) -> Option<&dyn Term> {
        Some(&Reciprocal)
    }

    fn largest(&self, whole: &Whole) -> Option<f64> {
        Some(if self.normalize {
            1.0
        } else {
            whole.others().value()
        })
    }

    fn can_cut(&self) -> bool {
        true
    }
}

/// 1/d.
#[derive(Debug)]
struct Reciprocal;

/// The least common multiple of 1, ..., d.
pub(super) fn common_multiple(d: u32) -> BigUint {
    let mut multiple = BigUint::from(1u32);
    for prime in (2..=d).filter(|&p| (2..).take_while(|q| q * q <= p).all(|q| p % q != 0)) {
        // The largest power of the prime that is at most d.
        let mut power = prime;
        while power <= d / prime {
            power *= prime;
        }
        multiple *= power;
    }
    multiple
}

/// The least common multiple of 1, ..., 100: the denominator of a grain.
const COMMON_MULTIPLE: U256 = uint!("69720375229712477164533808935312303556800");

impl Term for Reciprocal {
    fn at(&self, distance: u32) -> f64 {
        1.0 / distance as f64
    }

    fn units(&self, distance: u32, _previous: U256) -> U256 {
        (COMMON_MULTIPLE << UNIT_BITS) / U256::from(distance)
    }

    fn grain(&self) -> (U256, i32) {
        (COMMON_MULTIPLE, 0)
    }

    fn whole_up_to(&self) -> u32 {
        100
    }

    fn exact_bits(&self, distance: u32) -> u64 {
        // The least common multiple of 1, ..., d is below e^(1.04 d): Rosser and Schoenfeld 1962.
        (1.51 * f64::from(distance)) as u64 + 1
    }

    fn exact(&self, distance: u32) -> Vec<BigUint> {
        let multiple = common_multiple(distance);
        (1..=distance).map(|d| &multiple / d).collect()
    }

    fn of_lengths(&self) -> LengthTerm {
        LengthTerm::Inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hundred_reciprocals_are_whole_grains() {
        for d in 1..=100u32 {
            assert_eq!(COMMON_MULTIPLE % U256::from(d), U256::ZERO, "{d}");
        }
        assert_eq!(256 - COMMON_MULTIPLE.leading_zeros(), 136);
        assert_eq!(
            common_multiple(100).to_string(),
            COMMON_MULTIPLE.to_string()
        );
        assert_eq!(common_multiple(10), BigUint::from(2520u32));
        assert!(
            [1, 2, 100, 113, 5000]
                .iter()
                .all(|&d| common_multiple(d).bits() <= Reciprocal.exact_bits(d))
        );
    }
}
