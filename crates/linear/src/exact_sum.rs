//! Sums of nonnegative doubles without rounding, and the double nearest to a fraction of such sums.
//!
//! A finite double is a whole number of 2^-1074, so a sum of doubles is one, too. Sums are held as whole
//! numbers of a unit 2^e that divides all terms ([`unit_of`]): if terms are about equally large, these are
//! small numbers.

use super::wide::ExtendedFloat;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The exponent of the largest power of two that divides all of these numbers; 0 if none is positive.
pub fn unit_of(values: impl IntoIterator<Item = f64>) -> i32 {
    let exponents = values.into_iter().filter(|&value| value > 0.0);
    let exponent = |value: f64| {
        let (mantissa, exponent) = parts(value);
        exponent + mantissa.trailing_zeros() as i32
    };
    exponents.map(exponent).min().unwrap_or(0)
}

/// A positive finite double as `mantissa * 2^exponent`.
#[inline]
pub fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52 & 0x7ff) as i32 {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    }
}

/// A sum of doubles, as a whole number of units.
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    limbs: Vec<u64>,
}

impl ExactSum {
    /// Adds a nonnegative finite double, which 2^unit divides.
    #[inline]
    pub fn add(&mut self, value: f64, unit: i32) {
        if value <= 0.0 {
            return;
        }
        let (mantissa, exponent) = parts(value);
        match exponent - unit {
            // The last bits are zeros.
            below if below < 0 => self.add_at(u128::from(mantissa >> -below), 0),
            shift => {
                let shifted = u128::from(mantissa) << (shift % 64);
                self.add_at(shifted, shift as usize / 64);
            }
        }
    }

    /// Adds the product of nonnegative finite doubles, which 2^unit divides, without rounding it.
    pub fn add_product(&mut self, one: f64, other: f64, unit: i32) {
        if one <= 0.0 || other <= 0.0 {
            return;
        }
        let ((a, of_a), (b, of_b)) = (parts(one), parts(other));
        let product = u128::from(a) * u128::from(b);
        match of_a + of_b - unit {
            below if below < 0 => self.add_at(product >> -below, 0),
            shift => {
                let (first, bits) = (shift as usize / 64, shift % 64);
                self.add_at(u128::from(product as u64) << bits, first);
                self.add_at((product >> 64) << bits, first + 1);
            }
        }
    }

    fn add_at(&mut self, value: u128, first: usize) {
        if self.limbs.len() < first + 3 {
            self.limbs.resize(first + 3, 0);
        }
        let mut carry = value;
        let mut place = first;
        while carry > 0 {
            if place == self.limbs.len() {
                self.limbs.push(0);
            }
            let sum = u128::from(self.limbs[place]) + u128::from(carry as u64);
            self.limbs[place] = sum as u64;
            carry = (carry >> 64) + (sum >> 64);
            place += 1;
        }
    }

    /// Whether nothing positive was added.
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }

    /// Back to zero, with the room that it has.
    pub fn clear(&mut self) {
        self.limbs.fill(0);
    }

    /// The whole number.
    pub fn whole(&self) -> BigUint {
        let words = self.limbs.iter();
        let words = words.flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
        BigUint::from_slice(&words.collect::<Vec<u32>>())
    }
}

/// `numerator / denominator * 2^exponent`, rounded once to the nearest double if that is a normal one. The
/// denominator is not 0.
pub fn nearest(numerator: &BigUint, denominator: &BigUint, exponent: i64) -> f64 {
    // At least 66 bits of the quotient, the last of which says whether any follow.
    let shift = 66 + denominator.bits() as i64 - numerator.bits() as i64;
    let (numerator, denominator) = match shift > 0 {
        true => (numerator << shift as u64, denominator.clone()),
        false => (numerator.clone(), denominator << shift.unsigned_abs()),
    };
    let mut quotient = &numerator / &denominator;
    if &quotient * &denominator != numerator {
        quotient |= BigUint::from(1u32);
    }
    let rounded = quotient.to_f64().unwrap_or(f64::INFINITY);
    ExtendedFloat::new(rounded).scaled(exponent - shift).get()
}

#[cfg(test)]
mod tests {
    use super::super::wide::times_power;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_products_are_exact(
            pairs in prop::collection::vec((0.0..1e3, 0.0..1e-9), 0..20), low in 0..70i64,
        ) {
            // As fractions: whole numbers of 2^-2148.
            let whole = |value: f64| {
                let (mantissa, exponent) = parts(value);
                BigUint::from(mantissa) << (exponent + 1074) as u64
            };
            let pairs: Vec<(f64, f64)> =
                pairs.iter().map(|&(a, b): &(f64, f64)| (a, times_power(b, -low))).collect();
            let one = unit_of(pairs.iter().map(|pair| pair.0));
            let other = unit_of(pairs.iter().map(|pair| pair.1));
            let mut sum = ExactSum::default();
            pairs.iter().for_each(|&(a, b)| sum.add_product(a, b, one + other));
            let truth: BigUint = pairs.iter().filter(|pair| pair.0 > 0.0 && pair.1 > 0.0)
                .map(|&(a, b)| whole(a) * whole(b)).sum();
            prop_assert_eq!(sum.whole() << (one + other + 2148) as u64, truth);
        }

        #[test]
        fn sums_of_whole_numbers_are_exact(
            terms in prop::collection::vec((0..u64::MAX >> 12, 0..200i64), 0..40),
        ) {
            let values = terms.iter().map(|&(number, exponent)| times_power(number as f64, exponent - 100));
            let values: Vec<f64> = values.collect();
            let unit = unit_of(values.iter().copied());
            let mut sum = ExactSum::default();
            values.iter().for_each(|&value| sum.add(value, unit));
            let whole: BigUint = terms
                .iter()
                .map(|&(number, exponent)| BigUint::from(number) << exponent as u64)
                .sum();
            prop_assert_eq!(sum.whole() << (unit + 100) as u64, whole);
        }

        #[test]
        fn quotients_are_the_nearest_doubles(a in 0..1u64 << 53, b in 1..1u64 << 53) {
            let factor = BigUint::from(3u32).pow(200);
            let [top, bottom] = [a, b].map(|number| BigUint::from(number) * &factor);
            prop_assert_eq!(nearest(&top, &bottom, 0), a as f64 / b as f64);
            prop_assert_eq!(nearest(&top, &bottom, -7), a as f64 / b as f64 / 128.0);
        }
    }

    #[test]
    fn the_smallest_and_the_largest_double_add_up() {
        let values = [f64::from_bits(1), f64::MAX, 0.0];
        let unit = unit_of(values);
        assert_eq!(unit, -1074);
        let mut sum = ExactSum::default();
        assert!(sum.is_zero());
        values.iter().for_each(|&value| sum.add(value, unit));
        let one = BigUint::from(1u32);
        assert_eq!(sum.whole(), (((&one << 53) - &one) << (971 + 1074)) + &one);
        assert_eq!(nearest(&sum.whole(), &one, unit.into()), f64::MAX);
        sum.clear();
        assert!(sum.is_zero());
    }
}
