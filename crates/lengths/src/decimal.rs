//! Decimal numbers as they are written: 0.1 is a tenth.

use std::fmt::LowerExp;

/// `digits * 10^exponent`, without zeros at the end of the digits; 0 is `0 * 10^0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The digits.
    pub digits: u64,
    /// The exponent of the last of them.
    pub exponent: i32,
}

/// Exponents beyond this are refused: no double has them.
const MOST_EXPONENT: i32 = 2000;

impl Decimal {
    /// The shortest decimal that is read as this finite double, or single; the sign is left out.
    pub fn shortest(number: impl LowerExp) -> Self {
        let text = format!("{number:e}");
        Self::parse(text.trim_start_matches('-')).expect("a finite number has at most 17 digits")
    }

    /// Reads a number that is not negative: digits, perhaps with a point and an exponent. None if it is
    /// something else, or has more than 19 digits that count.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('+').unwrap_or(text);
        let (plain, power) = match text.split_once(['e', 'E']) {
            Some((plain, power)) => (plain, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
        let digits = || whole.bytes().chain(part.bytes());
        if digits().next().is_none() || !digits().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let behind = i32::try_from(part.len()).ok()?;
        let mut exponent = power.checked_sub(behind)?;
        // Zeros are counted until another digit follows.
        let (mut value, mut zeros) = (0u64, 0i32);
        for digit in digits() {
            if digit == b'0' {
                zeros = zeros.checked_add(1)?;
                continue;
            }
            if value > 0 {
                value = 10u64.checked_pow(zeros as u32)?.checked_mul(value)?;
            }
            value = value
                .checked_mul(10)?
                .checked_add(u64::from(digit - b'0'))?;
            zeros = 0;
        }
        if value == 0 {
            return Some(Decimal {
                digits: 0,
                exponent: 0,
            });
        }
        exponent = exponent.checked_add(zeros)?;
        (exponent.abs() <= MOST_EXPONENT).then_some(Decimal {
            digits: value,
            exponent,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(digits: u64, exponent: i32) -> Option<Decimal> {
        Some(Decimal { digits, exponent })
    }

    #[test]
    fn numbers_are_what_is_written() {
        for (text, expected) in [
            ("0.1", decimal(1, -1)),
            ("+.25", decimal(25, -2)),
            ("5.", decimal(5, 0)),
            ("00120.0300", decimal(12_003, -2)),
            ("120e-3", decimal(12, -2)),
            ("9007199254740993", decimal(9_007_199_254_740_993, 0)),
            ("18446744073709551615", decimal(u64::MAX, 0)),
            ("18446744073709551616", None),
            ("1000000000000000000000000", decimal(1, 24)),
            ("0.000", decimal(0, 0)),
            ("1E300", decimal(1, 300)),
            ("1e2001", None),
            ("1e99999999999", None),
            ("-1", None),
            ("", None),
            (".", None),
            ("1e", None),
            ("inf", None),
            ("nan", None),
            ("1.2.3", None),
            ("0x1", None),
        ] {
            assert_eq!(Decimal::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_single_is_its_own_shortest_decimal() {
        assert_eq!(Some(Decimal::shortest(0.1f32)), decimal(1, -1));
        assert_eq!(Some(Decimal::shortest(0.1f64)), decimal(1, -1));
        assert_eq!(
            Some(Decimal::shortest(f64::MAX)),
            decimal(17976931348623157, 292)
        );
        assert_eq!(Some(Decimal::shortest(f64::from_bits(1))), decimal(5, -324));
    }

    proptest! {
        #[test]
        fn the_shortest_decimal_is_read_as_the_double(bits in 0..0x7ff0_0000_0000_0000u64) {
            let double = f64::from_bits(bits);
            let Decimal { digits, exponent } = Decimal::shortest(double);
            prop_assert_eq!(format!("{digits}e{exponent}").parse::<f64>().unwrap(), double);
        }
    }
}
