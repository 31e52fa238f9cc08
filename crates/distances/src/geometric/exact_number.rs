//! Numbers that are exact as long as their operands are: the arithmetic of formulas over distances.
//!
//! The exact engine counts nodes and adds distances in integers, so its scores are fractions: a
//! formula is evaluated in fractions of 256-bit integers and rounded once, to the nearest double.
//! Other engines estimate what they count, and the same formula is evaluated in doubles.
//!
//! A fraction is rounded to a [`Rounded`], which is wider than a double: 116 bits, of which the
//! last says whether anything was cut off. Hence equal fractions have equal bits, a larger fraction
//! never has a smaller double, and fractions that share a double are still distinguished if they
//! differ by more than 2^-114 of their size.

use ethnum::{I256, U256};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// A number in a formula.
#[derive(Debug, Clone, Copy)]
pub enum ExactNumber {
    /// A fraction.
    Exact(Fraction),
    /// An estimate as a double; NaN for a quantity that an engine does not know.
    Estimate(f64),
}

/// `numerator / denominator * 2^exponent`, not reduced; the denominator is positive.
#[derive(Debug, Clone, Copy)]
pub struct Fraction {
    numerator: I256,
    denominator: I256,
    exponent: i32,
}

impl ExactNumber {
    /// Zero.
    pub const ZERO: ExactNumber = ExactNumber::integer(0);
    /// One.
    pub const ONE: ExactNumber = ExactNumber::integer(1);
    /// A quantity that an engine does not know. A formula that uses it also has this value.
    pub const UNKNOWN: ExactNumber = ExactNumber::Estimate(f64::NAN);

    /// An integer.
    pub const fn integer(value: u64) -> Self {
        ExactNumber::Exact(Fraction {
            numerator: I256::from_words(0, value as i128),
            denominator: I256::ONE,
            exponent: 0,
        })
    }

    /// `numerator / denominator * 2^exponent`. The numerator is below 2^255, and the denominator
    /// from 1 to 2^255 - 1.
    pub fn fraction(numerator: U256, denominator: U256, exponent: i32) -> Self {
        ExactNumber::Exact(Fraction {
            numerator: numerator.as_i256(),
            denominator: denominator.as_i256(),
            exponent,
        })
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        match self {
            ExactNumber::Exact(fraction) => fraction.numerator == I256::ZERO,
            ExactNumber::Estimate(value) => value == 0.0,
        }
    }

    /// The nearest double, and the remainder.
    pub fn rounded(self) -> Rounded {
        match self {
            ExactNumber::Exact(fraction) => fraction.rounded(),
            ExactNumber::Estimate(value) => Rounded {
                value,
                rest: Rounded::NO_REST,
            },
        }
    }

    /// The nearest double.
    pub fn value(self) -> f64 {
        self.rounded().value
    }

    /// Computes in fractions as long as the operands are exact and the result fits, otherwise in
    /// doubles.
    fn either(
        self,
        other: ExactNumber,
        exact: impl Fn(Fraction, Fraction) -> Option<Fraction>,
        estimate: impl Fn(f64, f64) -> f64,
    ) -> ExactNumber {
        let in_doubles = || ExactNumber::Estimate(estimate(self.value(), other.value()));
        match (self, other) {
            (ExactNumber::Exact(one), ExactNumber::Exact(two)) => {
                exact(one, two).map_or_else(in_doubles, ExactNumber::Exact)
            }
            _ => in_doubles(),
        }
    }
}

impl Add for ExactNumber {
    type Output = ExactNumber;

    fn add(self, other: ExactNumber) -> ExactNumber {
        self.either(
            other,
            |one, two| one.combined(two, I256::checked_add),
            |one, two| one + two,
        )
    }
}

impl Sub for ExactNumber {
    type Output = ExactNumber;

    fn sub(self, other: ExactNumber) -> ExactNumber {
        self.either(
            other,
            |one, two| one.combined(two, I256::checked_sub),
            |one, two| one - two,
        )
    }
}

impl Mul for ExactNumber {
    type Output = ExactNumber;

    fn mul(self, other: ExactNumber) -> ExactNumber {
        self.either(other, Fraction::product, |one, two| one * two)
    }
}

impl Div for ExactNumber {
    type Output = ExactNumber;

    fn div(self, other: ExactNumber) -> ExactNumber {
        let inverse = |two: Fraction| match two.numerator.cmp(&I256::ZERO) {
            Ordering::Greater => Some((two.denominator, two.numerator)),
            Ordering::Less => Some((-two.denominator, -two.numerator)),
            Ordering::Equal => None,
        };
        let exact = |one: Fraction, two: Fraction| {
            let (numerator, denominator) = inverse(two)?;
            one.product(Fraction {
                numerator,
                denominator,
                exponent: two.exponent.checked_neg()?,
            })
        };
        self.either(other, exact, |one, two| one / two)
    }
}

impl Fraction {
    fn product(self, other: Fraction) -> Option<Fraction> {
        Some(Fraction {
            numerator: self.numerator.checked_mul(other.numerator)?,
            denominator: self.denominator.checked_mul(other.denominator)?,
            exponent: self.exponent.checked_add(other.exponent)?,
        })
    }

    /// A sum or difference; none for fractions with different exponents.
    fn combined(
        self,
        other: Fraction,
        combine: impl Fn(I256, I256) -> Option<I256>,
    ) -> Option<Fraction> {
        if self.exponent != other.exponent {
            return None;
        }
        let (one, two, denominator) = if self.denominator == other.denominator {
            (self.numerator, other.numerator, self.denominator)
        } else {
            (
                self.numerator.checked_mul(other.denominator)?,
                other.numerator.checked_mul(self.denominator)?,
                self.denominator.checked_mul(other.denominator)?,
            )
        };
        Some(Fraction {
            numerator: combine(one, two)?,
            denominator,
            exponent: self.exponent,
        })
    }

    fn rounded(self) -> Rounded {
        let size = self.numerator.unsigned_abs();
        if size == U256::ZERO {
            return Rounded {
                value: 0.0,
                rest: Rounded::NO_REST,
            };
        }
        let (digits, below, exponent) = leading_bits(size, self.denominator.as_u256());
        let rounded = Rounded::from_bits(digits, below, exponent + self.exponent);
        if self.numerator < I256::ZERO {
            rounded.negated()
        } else {
            rounded
        }
    }
}

/// The number of bits kept of a quotient: those of a double, and 62 more.
const KEPT: u32 = 53 + DROPPED;
const DROPPED: u32 = 62;

/// The first [`KEPT`] bits of a quotient of positive numbers, whether any later bit is set, and the
/// exponent of the last bit.
fn leading_bits(numerator: U256, denominator: U256) -> (u128, bool, i32) {
    let length = |value: U256| 256 - value.leading_zeros();
    let (mut quotient, mut rest) = div_rem(numerator, denominator);
    let mut exponent = 0;
    // Long division, as many bits at a time as fit.
    while length(quotient) < KEPT {
        let missing = if quotient == U256::ZERO {
            // The first bit of the quotient comes after this many bits, or one fewer.
            length(denominator) - length(rest) + KEPT
        } else {
            KEPT - length(quotient)
        };
        let step = missing.min(rest.leading_zeros()).min(KEPT);
        if rest == U256::ZERO {
            quotient <<= missing;
            exponent -= missing as i32;
            break;
        }
        let (more, left) = div_rem(rest << step, denominator);
        quotient = (quotient << step) | more;
        rest = left;
        exponent -= step as i32;
    }
    let excess = length(quotient) - KEPT;
    let digits = quotient >> excess;
    let below = rest != U256::ZERO || digits << excess != quotient;
    (digits.as_u128(), below, exponent + excess as i32)
}

fn div_rem(numerator: U256, denominator: U256) -> (U256, U256) {
    let quotient = numerator / denominator;
    (quotient, numerator - quotient * denominator)
}

/// The double nearest to an exact number, and the position of the number relative to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounded {
    /// The double.
    pub value: f64,
    /// Orders numbers with the same double: larger numbers have a larger rest.
    pub rest: u64,
}

impl Rounded {
    /// The rest of a number that is exactly a double.
    pub const NO_REST: u64 = 1 << 63;

    /// `digits * 2^exponent`, and slightly more if `below`. `digits` has [`KEPT`] bits.
    fn from_bits(digits: u128, below: bool, exponent: i32) -> Self {
        let low = digits & ((1 << DROPPED) - 1);
        let half = 1 << (DROPPED - 1);
        let mut mantissa = (digits >> DROPPED) as u64;
        mantissa += match low.cmp(&half) {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => (below || mantissa % 2 == 1) as u64,
        };
        let exponent = exponent + DROPPED as i32;
        // Scaling in two steps stays within the range of doubles.
        let value = mantissa as f64 * two_to(exponent / 2) * two_to(exponent - exponent / 2);
        let rest = if value < f64::MIN_POSITIVE {
            // Such doubles have fewer bits, and numbers that share one are not distinguished.
            Rounded::NO_REST
        } else {
            // From -2^61 to 2^61, and a bit for what is below.
            let beside = digits as i128 - ((mantissa as i128) << DROPPED);
            (Rounded::NO_REST as i128 + 2 * beside) as u64 | below as u64
        };
        Rounded { value, rest }
    }

    fn negated(self) -> Self {
        Rounded {
            value: -self.value,
            rest: self.rest.wrapping_neg(),
        }
    }

    /// The order of the numbers, as far as they are distinguished.
    pub fn compared_to(&self, other: &Rounded) -> Ordering {
        let by_value = self.value.total_cmp(&other.value);
        by_value.then(self.rest.cmp(&other.rest))
    }
}

/// A power of two, or the nearest double.
fn two_to(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(numerator: i64, denominator: u64) -> ExactNumber {
        let size = ExactNumber::integer(numerator.unsigned_abs());
        let signed = if numerator < 0 {
            ExactNumber::ZERO - size
        } else {
            size
        };
        signed / ExactNumber::integer(denominator)
    }

    proptest! {
        #[test]
        fn quotients_of_doubles_are_rounded_as_the_machine_does(
            a in 0u64..1 << 53,
            b in 1u64..1 << 53,
            small in 1u64..1000,
        ) {
            for (a, b) in [(a, b), (a % 1000, b), (a, small), (a % 1000, small)] {
                prop_assert_eq!(number(a as i64, b).value(), a as f64 / b as f64);
                prop_assert_eq!(number(-(a as i64), b).value(), -(a as f64) / b as f64);
            }
        }

        #[test]
        fn order_is_that_of_cross_products(
            a in -1000i64..1000, b in 1u64..1000, c in -1000i64..1000, d in 1u64..1000,
            scale in 1u64..1 << 40,
        ) {
            // Also numbers with the same double: a/b and a/b + 1/(2^40 scale b).
            let far = ExactNumber::integer(1 << 40) * ExactNumber::integer(scale);
            let near = number(a, b) + ExactNumber::ONE / (far * ExactNumber::integer(b));
            prop_assert_eq!(near.rounded().compared_to(&number(a, b).rounded()), Ordering::Greater);
            let expected = (a * d as i64).cmp(&(c * b as i64));
            prop_assert_eq!(number(a, b).rounded().compared_to(&number(c, d).rounded()), expected);
        }

        #[test]
        fn bits_do_not_depend_on_how_a_fraction_is_written(
            a in 0u64..1 << 40, b in 1u64..1 << 40, factor in 1u64..1 << 60, more in 1u64..1 << 60,
        ) {
            let factor = ExactNumber::integer(factor) * ExactNumber::integer(more);
            let written = (ExactNumber::integer(a) * factor) / (ExactNumber::integer(b) * factor);
            let plain = ExactNumber::integer(a) / ExactNumber::integer(b);
            prop_assert_eq!(written.rounded(), plain.rounded());
        }
    }

    #[test]
    fn halves_are_rounded_to_even() {
        let third = ExactNumber::ONE / ExactNumber::integer(3);
        for (whole, nearest) in [(1, 0), (3, 4), (5, 4), (7, 8)] {
            let number = ExactNumber::integer((1 << 53) + whole);
            let expected = ((1u64 << 53) + nearest) as f64;
            assert_eq!(number.value(), expected);
            assert_eq!((number + third).value(), ((1u64 << 53) + whole + 1) as f64);
        }
    }

    #[test]
    fn tiny_numbers_are_rounded_without_overflow() {
        let tiny = ExactNumber::fraction(U256::new(3), U256::ONE, -1074);
        assert_eq!(tiny.value(), 3.0 * f64::from_bits(1));
        let nothing = ExactNumber::fraction(U256::ONE, U256::ONE, -2000);
        assert_eq!(nothing.value(), 0.0);
    }

    #[test]
    fn estimates_spread() {
        let sum = ExactNumber::ONE + ExactNumber::Estimate(0.5);
        assert_eq!(sum.value(), 1.5);
        assert!((ExactNumber::UNKNOWN * ExactNumber::ZERO).value().is_nan());
        assert!((ExactNumber::ONE / ExactNumber::ZERO).value().is_infinite());
    }
}
