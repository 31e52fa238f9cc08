//! Lengths as whole numbers of a common unit.
//!
//! A list of decimals, or of doubles, is a list of whole numbers of a power of 10, or of 2. They are divided
//! by their greatest common divisor, and held in the narrowest integers in which no path is too long: a
//! shortest path has at most n - 1 arcs. So sums of lengths are never rounded.

use super::decimal::Decimal;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::ops::Rem;
use webrank_linear::exact_sum;

/// Numbers `digits * base^exponent`.
pub(crate) struct Numbers {
    pub digits: Vec<(u64, i32)>,
    pub base: u32,
}

/// Decimals with more digits behind the point than this are taken as the doubles that they are.
const MOST_DIGITS_BEHIND: i32 = 18;

/// The most bits of a whole number: the range of doubles, and more.
pub(crate) const MOST_BITS: u64 = 1 << 13;

impl Numbers {
    pub fn of_decimals(decimals: impl Iterator<Item = Decimal>) -> Self {
        Numbers {
            digits: decimals.map(|it| (it.digits, it.exponent)).collect(),
            base: 10,
        }
    }

    /// Positive finite doubles: as the shortest decimals that are read as them, if none has more than 18
    /// digits behind the point; otherwise as the binary fractions that they are. `are_singles`: they were
    /// read from numbers of 32 bits.
    pub fn of_doubles(doubles: &[f64], are_singles: bool) -> Self {
        let decimal = |&double: &f64| match are_singles {
            true => Decimal::shortest(double as f32),
            false => Decimal::shortest(double),
        };
        let is_short = |double: &f64| decimal(double).exponent >= -MOST_DIGITS_BEHIND;
        if doubles.iter().all(is_short) {
            return Self::of_decimals(doubles.iter().map(decimal));
        }
        let parts = doubles.iter().map(|&double| {
            let (mantissa, exponent) = exact_sum::parts(double);
            let zeros = mantissa.trailing_zeros();
            (mantissa >> zeros, exponent + zeros as i32)
        });
        Numbers {
            digits: parts.collect(),
            base: 2,
        }
    }

    /// The least exponent.
    fn least(&self) -> i32 {
        self.digits.iter().map(|it| it.1).min().unwrap_or(0)
    }

    /// The numbers in units of the base to the least exponent; none if one does not fit.
    pub fn small(&self) -> impl Iterator<Item = Option<u128>> + '_ {
        let (base, least) = (u128::from(self.base), self.least());
        self.digits.iter().map(move |&(digits, exponent)| {
            let power = base.checked_pow((exponent - least) as u32)?;
            u128::from(digits).checked_mul(power)
        })
    }

    /// The numbers of [`Self::small`], of any size.
    fn large(&self) -> impl Iterator<Item = BigUint> + '_ {
        let (base, least) = (BigUint::from(self.base), self.least());
        self.digits
            .iter()
            .map(move |&(digits, exponent)| base.pow((exponent - least) as u32) * digits)
    }

    /// The unit of these.
    pub fn unit(&self) -> Unit {
        let power = BigUint::from(self.base).pow(self.least().unsigned_abs());
        match self.least() < 0 {
            true => Unit::new(BigUint::one(), power),
            false => Unit::new(power, BigUint::one()),
        }
    }

    /// The numbers as lengths in a graph of `num_nodes`; none if they are too far apart.
    pub fn whole(&self, num_nodes: usize) -> Option<(Whole, Unit)> {
        let small = Whole::of_small(|| self.small(), num_nodes);
        if let Some((whole, factor)) = small {
            return Some((whole, self.unit().times(factor)));
        }
        let most = self.digits.iter().map(|it| it.1).max().unwrap_or(0);
        let digits = f64::from(most - self.least()) * f64::from(self.base).log2();
        if digits as u64 + 64 > MOST_BITS {
            return None;
        }
        Some((Whole::Long(self.large().collect()), self.unit()))
    }
}

/// Lengths in units, one for each arc by source and target, in integers that hold the sums of paths: of
/// twice as many bits for `Narrow`.
pub(crate) enum Whole {
    Narrow(Vec<u32>),
    Middle(Vec<u64>),
    Wide(Vec<u128>),
    Long(Vec<BigUint>),
}

impl Whole {
    /// Lengths divided by their greatest common divisor, which is returned; none if a path may be too long
    /// for 128 bits.
    pub fn of_small<I: Iterator<Item = Option<u128>>>(
        lengths: impl Fn() -> I,
        num_nodes: usize,
    ) -> Option<(Self, u128)> {
        let (mut divisor, mut largest) = (0, 0);
        for length in lengths() {
            let length = length?;
            largest = largest.max(length);
            divisor = gcd(divisor, length);
        }
        let divisor = divisor.max(1);
        // One more, so that no path is as long as what stands for none.
        let longest = (largest / divisor).checked_mul(num_nodes as u128 + 1)?;
        let in_units = || lengths().flatten().map(|length| length / divisor);
        let fits_half = largest / divisor <= u128::from(u32::MAX);
        let whole = if fits_half && u64::try_from(longest).is_ok() {
            Whole::Narrow(in_units().map(|length| length as u32).collect())
        } else if u64::try_from(longest).is_ok() {
            Whole::Middle(in_units().map(|length| length as u64).collect())
        } else {
            Whole::Wide(in_units().collect())
        };
        Some((whole, divisor))
    }

    /// The longest length, if it is at most this.
    pub fn longest_within(&self, most: u32) -> Option<u32> {
        match self {
            Whole::Narrow(lengths) => lengths.iter().copied().max().filter(|&it| it <= most),
            _ => None,
        }
    }

    /// The shortest length, and the longest; none without arcs.
    pub fn range(&self) -> Option<[BigUint; 2]> {
        fn of<T: Clone + Ord + Into<BigUint>>(lengths: &[T]) -> Option<[BigUint; 2]> {
            let (least, most) = (lengths.iter().min()?, lengths.iter().max()?);
            Some([least, most].map(|length| length.clone().into()))
        }
        match self {
            Whole::Narrow(lengths) => of(lengths),
            Whole::Middle(lengths) => of(lengths),
            Whole::Wide(lengths) => of(lengths),
            Whole::Long(lengths) => of(lengths),
        }
    }

    /// The bits of an integer that holds the length of a path; the bytes of a distance, those of an arc.
    pub fn sizes(&self) -> [u64; 2] {
        match self {
            Whole::Narrow(_) => [8, 8],
            Whole::Middle(_) => [8, 16],
            Whole::Wide(_) => [16, 32],
            Whole::Long(lengths) => {
                let bits = lengths.iter().map(BigUint::bits).max().unwrap_or(0);
                [64 + bits / 8, 72 + bits / 8]
            }
        }
    }
}

/// The greatest common divisor; of 0 and a number, the number.
pub(crate) fn gcd<T: Clone + Zero + Rem<Output = T>>(a: T, b: T) -> T {
    let (mut a, mut b) = (a, b);
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// A positive fraction in lowest terms: what the whole number 1 means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The numerator.
    pub numerator: BigUint,
    /// The denominator.
    pub denominator: BigUint,
}

impl Unit {
    /// The quotient of two positive numbers.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Self {
        let divisor = gcd(numerator.clone(), denominator.clone());
        Unit {
            numerator: numerator / &divisor,
            denominator: denominator / divisor,
        }
    }

    /// So many of these.
    pub fn times(self, factor: impl Into<BigUint>) -> Self {
        Self::new(self.numerator * factor.into(), self.denominator)
    }

    /// How many of these are within a number `digits * base^exponent`.
    pub fn within(&self, (digits, exponent): (u64, i32), base: u32) -> BigUint {
        let power = BigUint::from(base).pow(exponent.unsigned_abs());
        let (top, bottom) = (&self.denominator * digits, &self.numerator);
        match exponent < 0 {
            true => top / (bottom * power),
            false => top * power / bottom,
        }
    }

    /// Whether all multiples are whole numbers.
    pub fn is_whole(&self) -> bool {
        self.denominator.is_one()
    }

    /// The nearest double to a part of a multiple.
    pub fn mean(&self, sum: &BigUint, count: u64) -> f64 {
        Self::new(self.numerator.clone(), &self.denominator * count).double(sum)
    }

    /// The nearest double to a multiple.
    pub fn double(&self, count: &BigUint) -> f64 {
        match count.is_zero() {
            true => 0.0,
            false => exact_sum::nearest(&(count * &self.numerator), &self.denominator, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(doubles: &[f64], num_nodes: usize) -> (Whole, Unit) {
        Numbers::of_doubles(doubles, false)
            .whole(num_nodes)
            .unwrap()
    }

    fn unit(numerator: u64, denominator: u64) -> Unit {
        Unit::new(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_whole_numbers_of_their_common_divisor() {
        let (lengths, of) = whole(&[0.1, 0.2, 0.3], 10);
        assert!(matches!(lengths, Whole::Narrow(lengths) if lengths == [1, 2, 3]));
        assert_eq!(of, unit(1, 10));
        let (lengths, of) = whole(&[1.5, 3.0, 1e18], 1);
        assert!(
            matches!(lengths, Whole::Middle(lengths) if lengths == [1, 2, 666_666_666_666_666_666] || lengths == [3, 6, 2_000_000_000_000_000_000])
        );
        assert!(of == unit(3, 2) || of == unit(1, 2));
    }

    #[test]
    fn the_number_of_nodes_decides_on_the_width() {
        assert!(matches!(whole(&[1e18, 1.0], 3).0, Whole::Middle(_)));
        assert!(matches!(whole(&[1e18, 1.0], 100_000).0, Whole::Wide(_)));
        assert!(matches!(whole(&[1e18, 1e18], 100_000).0, Whole::Narrow(_)));
        let (lengths, of) = whole(&[1e300, 1e-300], 3);
        let Whole::Long(lengths) = lengths else {
            panic!("they are far apart")
        };
        // Doubles: neither is a power of ten.
        assert_eq!(of.double(&lengths[0]), 1e300);
        assert_eq!(of.double(&lengths[1]), 1e-300);
        assert_eq!(of.numerator, BigUint::one());
    }

    #[test]
    fn doubles_with_many_digits_are_binary_fractions() {
        let tiny = f64::exp2(-70.0);
        let (lengths, of) = whole(&[tiny, 3.0 * tiny, 1.0], 3);
        assert!(matches!(lengths, Whole::Wide(lengths) if lengths == [1, 3, 1 << 70]));
        assert_eq!(of, Unit::new(BigUint::one(), BigUint::one() << 70u32));
        assert_eq!(of.within((1, 0), 2), BigUint::one() << 70u32);
    }

    #[test]
    fn what_is_within_a_bound_is_counted_exactly() {
        assert_eq!(unit(1, 10).within((3, -1), 10), BigUint::from(3u32));
        assert_eq!(unit(2, 10).within((3, -1), 10), BigUint::from(1u32));
        assert_eq!(unit(7, 1).within((1, 2), 10), BigUint::from(14u32));
    }
}
