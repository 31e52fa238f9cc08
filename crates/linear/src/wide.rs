//! Nonnegative numbers of any size: doubles with the exponents of integers.
//!
//! Products of weights overflow or vanish where weights span hundreds of orders of magnitude. These
//! numbers do neither; each operation rounds once, like that of doubles.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul};

/// `fraction 2^exponent`, with a fraction in [1, 2), or zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExtendedFloat {
    fraction: f64,
    exponent: i64,
}

/// Terms this many powers of two smaller than a sum do not change it.
const NEGLIGIBLE: i64 = 60;

impl ExtendedFloat {
    /// 0.
    pub const ZERO: ExtendedFloat = ExtendedFloat {
        fraction: 0.0,
        exponent: 0,
    };

    /// 1.
    pub const ONE: ExtendedFloat = ExtendedFloat {
        fraction: 1.0,
        exponent: 0,
    };

    /// Exactly this double, which must be finite and not negative.
    pub fn new(value: f64) -> Self {
        debug_assert!(value.is_finite() && value >= 0.0, "{value}");
        if value == 0.0 {
            return ExtendedFloat::ZERO;
        }
        let exponent = exponent_of(value);
        // Numbers below the least normal one become normal first.
        let (value, raised) = match exponent < -1022 {
            true => (value * power_of_two(100), 100),
            false => (value, 0),
        };
        let low = exponent + raised;
        ExtendedFloat {
            fraction: f64::from_bits(value.to_bits() & ((1 << 52) - 1) | 1023 << 52),
            exponent: i64::from(low - raised),
        }
    }

    /// True for 0.
    pub fn is_zero(self) -> bool {
        self.fraction == 0.0
    }

    /// The largest integer e with `2^e <= self`, which must not be zero.
    pub fn exponent(self) -> i64 {
        self.exponent
    }

    /// The binary logarithm; self must not be zero.
    pub fn log2(self) -> f64 {
        self.exponent as f64 + self.fraction.log2()
    }

    /// `self 2^exponent`.
    pub fn scaled(self, exponent: i64) -> Self {
        match self.is_zero() {
            true => self,
            false => ExtendedFloat {
                exponent: self.exponent + exponent,
                ..self
            },
        }
    }

    /// The nearest double: infinity or 0 where there is no other.
    pub fn get(self) -> f64 {
        match self.exponent {
            1024.. => f64::INFINITY,
            e @ -1022.. => self.fraction * power_of_two(e as i32),
            e => {
                let rest = (e + 1022).max(-NEGLIGIBLE) as i32;
                self.fraction * power_of_two(-1022) * power_of_two(rest)
            }
        }
    }

    /// The nearest positive finite double; self must not be zero.
    pub fn clamped(self) -> f64 {
        self.get().clamp(f64::from_bits(1), f64::MAX)
    }
}

/// The largest integer e with `2^e <= value`, for a positive finite double.
pub fn exponent_of(value: f64) -> i32 {
    match (value.to_bits() >> 52) as i32 {
        0 => -1011 - value.to_bits().leading_zeros() as i32,
        biased => biased - 1023,
    }
}

/// `value 2^exponent`, rounded once.
pub fn times_power(value: f64, exponent: i64) -> f64 {
    ExtendedFloat::new(value).scaled(exponent).get()
}

/// `2^exponent`, a normal double.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl Add for ExtendedFloat {
    type Output = ExtendedFloat;

    fn add(self, other: ExtendedFloat) -> ExtendedFloat {
        let (large, small) = match self.partial_cmp(&other) {
            Some(Ordering::Less) => (other, self),
            _ => (self, other),
        };
        let below = large.exponent - small.exponent;
        if small.is_zero() || below > NEGLIGIBLE {
            return large;
        }
        let sum = large.fraction + small.fraction * power_of_two(-(below as i32));
        ExtendedFloat::new(sum).scaled(large.exponent)
    }
}

impl AddAssign for ExtendedFloat {
    fn add_assign(&mut self, other: ExtendedFloat) {
        *self = *self + other;
    }
}

impl Sum for ExtendedFloat {
    fn sum<I: Iterator<Item = ExtendedFloat>>(terms: I) -> ExtendedFloat {
        terms.fold(ExtendedFloat::ZERO, ExtendedFloat::add)
    }
}

impl Mul for ExtendedFloat {
    type Output = ExtendedFloat;

    fn mul(self, other: ExtendedFloat) -> ExtendedFloat {
        ExtendedFloat::new(self.fraction * other.fraction).scaled(self.exponent + other.exponent)
    }
}

impl Div for ExtendedFloat {
    type Output = ExtendedFloat;

    /// By a number that is not zero.
    fn div(self, other: ExtendedFloat) -> ExtendedFloat {
        ExtendedFloat::new(self.fraction / other.fraction).scaled(self.exponent - other.exponent)
    }
}

impl PartialOrd for ExtendedFloat {
    fn partial_cmp(&self, other: &ExtendedFloat) -> Option<Ordering> {
        match (self.is_zero(), other.is_zero()) {
            (false, false) => match self.exponent.cmp(&other.exponent) {
                Ordering::Equal => self.fraction.partial_cmp(&other.fraction),
                order => Some(order),
            },
            (zero, other_zero) => Some(other_zero.cmp(&zero)),
        }
    }
}

/// With six decimals, or with an exponent unless the number is of ordinary size.
impl fmt::Display for ExtendedFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.get();
        if value == 0.0 && self.is_zero() {
            return write!(f, "0");
        }
        if (1e-4..1e15).contains(&value) {
            return write!(f, "{value:.6}");
        }
        if value.is_finite() && value >= f64::MIN_POSITIVE {
            return write!(f, "{value:.6e}");
        }
        let log10 = self.log2() * std::f64::consts::LOG10_2;
        write!(
            f,
            "{:.3}e{}",
            10f64.powf(log10 - log10.floor()),
            log10.floor()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_of_any_size_survive() {
        for value in [
            0.0,
            1.0,
            1.5,
            3.0,
            5e-324,
            1e-320,
            2.2250738585072014e-308,
            1e-300,
            1.7e308,
            f64::MAX,
        ] {
            assert_eq!(ExtendedFloat::new(value).get(), value);
            assert_eq!(times_power(value, 0), value);
        }
        assert_eq!(exponent_of(5e-324), -1074);
        assert_eq!(exponent_of(1.0), 0);
        assert_eq!(exponent_of(f64::MIN_POSITIVE), -1022);
        assert_eq!(exponent_of(f64::MAX), 1023);
        assert_eq!(times_power(1.0, -1080), 0.0);
        assert_eq!(times_power(1.0, 1024), f64::INFINITY);
        assert_eq!(times_power(5e-324, 1074), 1.0);
    }

    #[test]
    fn arithmetic_is_that_of_doubles_without_their_limits() {
        let [a, b] = [1e-300, 3e299].map(ExtendedFloat::new);
        assert_eq!((a * b).get(), 1e-300 * 3e299);
        let small = ExtendedFloat::new(1.5).scaled(-1000);
        let large = ExtendedFloat::new(1.25).scaled(1000);
        assert_eq!((small * small * large * large).get(), 1.875 * 1.875);
        let unit = ExtendedFloat::ONE.scaled(2000);
        assert_eq!((small / unit / small * unit).get(), 1.0);
        assert_eq!((a + b).get(), 3e299);
        assert_eq!(
            (ExtendedFloat::new(0.1) + ExtendedFloat::new(0.2)).get(),
            0.1 + 0.2
        );
        assert!(a < b && ExtendedFloat::ZERO < a && a <= a);
        assert_eq!((b * b).to_string(), "9.000e598");
        assert_eq!(ExtendedFloat::new(0.25).to_string(), "0.250000");
        assert_eq!(a.to_string(), "1.000000e-300");
        let terms = [1.0, 2.0, 3.0].map(ExtendedFloat::new);
        assert_eq!(terms.into_iter().sum::<ExtendedFloat>().get(), 6.0);
    }
}
