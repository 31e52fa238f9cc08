//! Decay centrality: the sum of base^d(y, x) over the y != x that reach x, for 0 < base < 1.
//!
//! Unreachable nodes add 0; for outgoing distances read d(x, y). A base near 0 ranks by indegree, a
//! base near 1 by the number of nodes that reach x. One traversal per node. Jackson 2008, section
//! 2.2.
//!
//! Sums are multiples of 2^-128 times the power of two above the base. A base p/2^q in lowest terms
//! (0.5 is 1/2, 0.75 is 3/4) has sums that are exact as long as no node is farther than 128/q:
//! nodes with equal scores tie, and others do not. If p is 2^32 or more, as for most decimal bases,
//! scores of nodes with different numbers of nodes at some distance are never equal. Sums over
//! farther nodes are rounded, with an error before rounding below n e 2^-192 times that power,
//! where e is the eccentricity; nodes whose scores are then close are searched from again, and ordered
//! by whole numbers of 2^(-q e). If that would take too long, the outcome is not `exact` but `rounded`.

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use super::terms::{LengthTerm, Term, UNIT_BITS};
use ethnum::U256;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Map, Value};
use webrank_base::error::{Error, Result};
use webrank_measure::{About, Described, parameters};

/// Decay centrality; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Decay {
    /// The factor per step of distance.
    pub base: Base,
}

/// A base between 0 and 1, both excluded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Base(f64);

impl Base {
    /// Checks a base.
    ///
    /// # Errors
    /// If it is not above 0 and below 1.
    pub fn new(base: f64) -> Result<Self> {
        if base > 0.0 && base < 1.0 {
            Ok(Base(base))
        } else {
            let remedy = "give a number above 0 and below 1";
            Err(Error::argument("base", base, remedy))
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The base as `mantissa * 2^exponent`, where the mantissa has 64 bits, the first of them set.
    fn parts(self) -> (u64, i32) {
        let bits = self.0.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
        let (mantissa, exponent) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let shift = mantissa.leading_zeros();
        (mantissa << shift, exponent - shift as i32)
    }

    /// The base as `p / 2^q` in lowest terms. As it is below 1, q is at least 1.
    fn lowest_terms(self) -> (u64, u32) {
        let (mantissa, exponent) = self.parts();
        let zeros = mantissa.trailing_zeros();
        (mantissa >> zeros, (exponent + zeros as i32).unsigned_abs())
    }
}

impl Default for Base {
    fn default() -> Self {
        Base(0.5)
    }
}

impl Described for Decay {
    const ABOUT: About = About {
        name: "decay",
        definition: "sum of base^d(y, x) over the y that reach x",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; samples: every score within epsilon; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Decay {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn parameters(&self) -> Map<String, Value> {
        parameters(self)
    }

    fn score(&self, sums: &Sums, _whole: &Whole) -> ExactNumber {
        sums.terms
    }

    fn term(&self) -> Option<&dyn Term> {
        Some(&self.base)
    }

    fn largest(&self, whole: &Whole) -> Option<f64> {
        Some(whole.others().value())
    }

    fn can_cut(&self) -> bool {
        true
    }
}

/// Bits of a grain below the power of two above the base.
const GRAIN_BITS: u32 = 128;

impl Term for Base {
    fn at(&self, distance: u32) -> f64 {
        self.0.powi(distance as i32)
    }

    fn units(&self, distance: u32, previous: U256) -> U256 {
        let (mantissa, exponent) = self.parts();
        match distance {
            1 => U256::from(mantissa) << (GRAIN_BITS + UNIT_BITS - 64),
            // The previous power is below 2^192.
            _ => match exponent + 64 {
                0 => (previous * U256::from(mantissa)) >> 64u32,
                below => ((previous * U256::from(mantissa)) >> 64u32)
                    .checked_shr(below.unsigned_abs())
                    .unwrap_or(U256::ZERO),
            },
        }
    }

    fn grain(&self) -> (U256, i32) {
        let (_, exponent) = self.parts();
        (U256::ONE << GRAIN_BITS, exponent + 64)
    }

    fn whole_up_to(&self) -> u32 {
        // base^d is a multiple of 2^(-q d), and grains are 2^(exponent + 64 - 128).
        let (_, exponent) = self.parts();
        let (_, bits) = self.lowest_terms();
        (GRAIN_BITS as i32 - exponent - 64).unsigned_abs() / bits
    }

    fn exact_bits(&self, distance: u32) -> u64 {
        u64::from(self.lowest_terms().1) * u64::from(distance)
    }

    fn exact(&self, distance: u32) -> Vec<BigUint> {
        let (numerator, bits) = self.lowest_terms();
        let mut power = BigUint::from(1u32);
        let powers = (1..=distance).map(|d| {
            power *= numerator;
            &power << (u64::from(bits) * u64::from(distance - d))
        });
        powers.collect()
    }

    fn of_lengths(&self) -> LengthTerm {
        LengthTerm::Power(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_a_half_are_exact() {
        let half = Base::default();
        let mut units = U256::ZERO;
        for distance in 1..=GRAIN_BITS {
            units = half.units(distance, units);
            let (denominator, exponent) = half.grain();
            let number = ExactNumber::fraction(units >> UNIT_BITS, denominator, exponent);
            assert_eq!(number.value(), half.at(distance));
        }
    }

    #[test]
    fn exact_powers_are_those_of_the_fraction() {
        for (base, up_to) in [(0.5, 128), (0.75, 64), (0.1, 2), (0.001, 2)] {
            let base = Base::new(base).unwrap();
            assert_eq!(base.whole_up_to(), up_to);
            let powers = base.exact(3);
            assert!(powers[0].bits() <= base.exact_bits(3));
            assert_eq!(&powers[0] * &powers[1], &powers[2] << base.exact_bits(3));
        }
    }

    #[test]
    fn the_smallest_base_is_its_own_first_power() {
        for base in [f64::from_bits(1), 1e-310, 1e-300, 0.1, 1.0 - f64::EPSILON] {
            let base = Base::new(base).unwrap();
            let (denominator, exponent) = base.grain();
            let grains = base.units(1, U256::ZERO) >> UNIT_BITS;
            let number = ExactNumber::fraction(grains, denominator, exponent);
            assert_eq!(number.value(), base.get());
        }
    }
}
