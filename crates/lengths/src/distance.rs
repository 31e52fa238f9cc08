//! Integers that distances are held in.

use ethnum::U256;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt::Debug;

/// A distance in units, in an integer that holds the sum of any path.
pub(crate) trait Distance: Clone + Ord + Debug + Send + Sync + 'static {
    /// A number that holds the sum of all distances of a node.
    type Sum: Clone + Default + PartialEq + Debug + Send + Sync;

    fn zero() -> Self;

    /// The distance behind an arc.
    fn plus(&self, length: Length<Self>) -> Self;

    /// The sum of two distances, or the largest number there is.
    fn with(&self, other: &Self) -> Self;

    /// A number that no distance reaches.
    fn far(longest: &BigUint) -> Self;

    /// One more than the place of the highest bit in which two numbers differ; 0 if they are equal.
    fn differing(&self, other: &Self) -> usize;

    /// Adds so many times the distance.
    fn add_to(&self, count: u32, sum: &mut Self::Sum);

    fn of_sum(sum: &Self::Sum) -> BigUint;

    /// The sum that is this number, or the largest there is.
    fn to_sum(number: &BigUint) -> Self::Sum;

    fn big(&self) -> BigUint;

    /// The largest such number that is at most this one.
    fn at_most(bound: &BigUint) -> Self;

    /// The bits of a unit below 1/1 in which [`Self::inverse`] is given, where no path is longer than
    /// `longest`: 2^32 inverses are below 2^255. None if the inverses of long paths would be lost.
    fn bits_of_inverse(longest: &BigUint) -> Option<u32>;

    /// `2^bits / d`, rounded down, and whether that is exact.
    fn inverse(&self, bits: u32) -> (U256, bool);

    /// Scattered bits of the number, for the fingerprint of a set.
    fn scattered(&self) -> u64;
}

/// Lengths of 32 bits, or as wide as distances.
#[derive(Clone, Copy)]
pub(crate) enum ByWidth<S, L> {
    Short(S),
    Long(L),
}

/// The length of an arc.
pub(crate) type Length<'a, D> = ByWidth<u32, &'a D>;

/// The last steps of SplitMix64: Steele, Lea and Flood 2014.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Inverses of short paths: 2^127 / d is one division of the machine, and precise enough.
const FAST: u32 = 127;
/// Two divisions.
const FINE: u32 = 190;
/// The longest path for which the first are taken.
const SHORT: u64 = 40;

impl Distance for u64 {
    type Sum = u128;

    fn zero() -> Self {
        0
    }

    #[inline(always)]
    fn plus(&self, length: Length<Self>) -> Self {
        self + match length {
            ByWidth::Short(length) => Self::from(length),
            ByWidth::Long(length) => *length,
        }
    }

    fn with(&self, other: &Self) -> Self {
        self.saturating_add(*other)
    }

    fn far(_longest: &BigUint) -> Self {
        u64::MAX
    }

    #[inline(always)]
    fn differing(&self, other: &Self) -> usize {
        (u64::BITS - (self ^ other).leading_zeros()) as usize
    }

    #[inline(always)]
    fn add_to(&self, count: u32, sum: &mut u128) {
        *sum += u128::from(*self) * u128::from(count);
    }

    fn of_sum(sum: &u128) -> BigUint {
        (*sum).into()
    }

    fn to_sum(number: &BigUint) -> u128 {
        number.to_u128().unwrap_or(u128::MAX)
    }

    fn big(&self) -> BigUint {
        (*self).into()
    }

    fn at_most(bound: &BigUint) -> Self {
        bound.to_u64().unwrap_or(u64::MAX)
    }

    fn bits_of_inverse(longest: &BigUint) -> Option<u32> {
        Some(if longest.bits() <= SHORT { FAST } else { FINE })
    }

    #[inline(always)]
    fn inverse(&self, bits: u32) -> (U256, bool) {
        let divisor = u128::from(*self);
        let (first, rest) = ((1 << FAST) / divisor, (1 << FAST) % divisor);
        if bits == FAST {
            return (U256::from(first), rest == 0);
        }
        let rest = rest << (FINE - FAST);
        let value = (U256::from(first) << (FINE - FAST)) | U256::from(rest / divisor);
        (value, rest.is_multiple_of(divisor))
    }

    #[inline(always)]
    fn scattered(&self) -> u64 {
        mix(*self)
    }
}

/// The bits of inverses of long paths.
const LONG: u32 = 222;

impl Distance for u128 {
    type Sum = U256;

    fn zero() -> Self {
        0
    }

    #[inline(always)]
    fn plus(&self, length: Length<Self>) -> Self {
        self + match length {
            ByWidth::Short(length) => Self::from(length),
            ByWidth::Long(length) => *length,
        }
    }

    fn with(&self, other: &Self) -> Self {
        self.saturating_add(*other)
    }

    fn far(_longest: &BigUint) -> Self {
        u128::MAX
    }

    fn differing(&self, other: &Self) -> usize {
        (u128::BITS - (self ^ other).leading_zeros()) as usize
    }

    fn add_to(&self, count: u32, sum: &mut U256) {
        *sum += U256::from(*self) * U256::from(count);
    }

    fn of_sum(sum: &U256) -> BigUint {
        let (high, low) = sum.into_words();
        (BigUint::from(high) << 128u32) + low
    }

    fn to_sum(number: &BigUint) -> U256 {
        small(number).unwrap_or(U256::MAX)
    }

    fn big(&self) -> BigUint {
        (*self).into()
    }

    fn at_most(bound: &BigUint) -> Self {
        bound.to_u128().unwrap_or(u128::MAX)
    }

    fn bits_of_inverse(_longest: &BigUint) -> Option<u32> {
        Some(LONG)
    }

    fn inverse(&self, bits: u32) -> (U256, bool) {
        let (one, divisor) = (U256::ONE << bits, U256::from(*self));
        let quotient = one / divisor;
        (quotient, quotient * divisor == one)
    }

    fn scattered(&self) -> u64 {
        mix(*self as u64 ^ mix((*self >> 64) as u64))
    }
}

impl Distance for BigUint {
    type Sum = BigUint;

    fn zero() -> Self {
        Zero::zero()
    }

    fn plus(&self, length: Length<Self>) -> Self {
        match length {
            ByWidth::Short(length) => self + length,
            ByWidth::Long(length) => self + length,
        }
    }

    fn with(&self, other: &Self) -> Self {
        self + other
    }

    fn far(longest: &BigUint) -> Self {
        longest + 1u32
    }

    fn differing(&self, other: &Self) -> usize {
        (self ^ other).bits() as usize
    }

    fn add_to(&self, count: u32, sum: &mut BigUint) {
        *sum += self * count;
    }

    fn of_sum(sum: &BigUint) -> BigUint {
        sum.clone()
    }

    fn to_sum(number: &BigUint) -> BigUint {
        number.clone()
    }

    fn big(&self) -> BigUint {
        self.clone()
    }

    fn at_most(bound: &BigUint) -> Self {
        bound.clone()
    }

    fn bits_of_inverse(_longest: &BigUint) -> Option<u32> {
        None
    }

    fn inverse(&self, bits: u32) -> (U256, bool) {
        let one = BigUint::one() << bits;
        let quotient = &one / self;
        (
            small(&quotient).unwrap_or(U256::MAX),
            &quotient * self == one,
        )
    }

    fn scattered(&self) -> u64 {
        let digits = self.iter_u64_digits();
        digits.fold(self.bits(), |hash, digit| mix(hash ^ digit))
    }
}

/// A number below 2^255.
pub(crate) fn small(number: &BigUint) -> Option<U256> {
    if number.bits() > 255 {
        return None;
    }
    let mut digits = number.iter_u64_digits().map(u128::from);
    let mut word = || {
        let low = digits.next().unwrap_or(0);
        low | digits.next().unwrap_or(0) << 64
    };
    let low = word();
    Some(U256::from_words(word(), low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_rounded_down() {
        for distance in [1u64, 2, 3, 7, 1 << 39, (1 << 40) - 1] {
            for bits in [FAST, FINE] {
                let (value, is_exact) = distance.inverse(bits);
                let expected = (U256::ONE << bits) / U256::from(distance);
                assert_eq!(value, expected);
                assert_eq!(is_exact, distance.is_power_of_two());
                assert_eq!(u128::from(distance).inverse(bits), (value, is_exact));
                assert_eq!(BigUint::from(distance).inverse(bits), (value, is_exact));
            }
        }
        assert!(!u64::MAX.inverse(FINE).1);
    }

    #[test]
    fn numbers_of_any_width_differ_in_the_same_place() {
        for (a, b) in [(0u64, 0), (5, 5), (4, 5), (1, 1 << 40), (u64::MAX, 0)] {
            let place = a.differing(&b);
            assert_eq!(u128::from(a).differing(&u128::from(b)), place);
            assert_eq!(BigUint::from(a).differing(&BigUint::from(b)), place);
        }
        let number = (BigUint::one() << 200u32) + 77u32;
        assert_eq!(small(&number), Some((U256::ONE << 200) + U256::from(77u32)));
        assert_eq!(small(&(BigUint::one() << 255u32)), None);
    }
}
