//! Sums of doubles in fixed point: whole numbers have the same sum in any order, however terms are
//! shared out among tasks, threads, processes or machines.

/// The terms are multiples of 2^-104 after they are cut off there.
const HALF_BITS: u32 = 52;

/// 2^52.
const HALF: f64 = (1u64 << HALF_BITS) as f64;

/// A sum of numbers from 0 to 4095, each cut to a multiple of 2^-104. It is exact below 2^24, and
/// stays there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixedSum(u128);

impl FixedSum {
    /// Adds a number from 0 to 4095.
    #[inline]
    pub fn add(&mut self, value: f64) {
        debug_assert!((0.0..4096.0).contains(&value));
        let scaled = value * HALF;
        let whole = scaled as u64;
        // Exact: both are multiples of the last place of `scaled`.
        let rest = ((scaled - whole as f64) * HALF) as u64;
        let units = (u128::from(whole) << HALF_BITS) | u128::from(rest);
        self.0 = self.0.saturating_add(units);
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }

    /// The sum of all sums.
    pub fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = FixedSum::default();
        parts.into_iter().for_each(|part| all.merge(part));
        all
    }

    /// The double next to the difference from another sum.
    pub fn distance(self, other: Self) -> f64 {
        FixedSum(self.0.abs_diff(other.0)).value()
    }

    /// The double next to the sum.
    pub fn value(self) -> f64 {
        self.0 as f64 / HALF / HALF
    }

    /// As two words, the lower one first.
    pub fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// From [`Self::words`].
    pub fn from_words([low, high]: [u64; 2]) -> Self {
        FixedSum(u128::from(high) << 64 | u128::from(low))
    }
}

/// Numbers that [`FixedLanes`] adds side by side, whatever the width of vectors.
pub const LANES: usize = 8;

/// Factors that turn a number, and what is left of it, into the next of its three digits.
const OF_DIGITS: [f64; 3] = [
    (1u64 << 31) as f64,
    (1u64 << 43) as f64,
    (1u64 << 30) as f64,
];

/// The sum of up to 1024 numbers from 0 to 4095 in each lane: the same as [`FixedSum::add`] makes, by
/// vector instructions.
///
/// The digits of a number are whole and below 2^43, so that doubles hold their sums.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedLanes([[f64; LANES]; OF_DIGITS.len()]);

impl FixedLanes {
    /// Adds a number to each lane.
    #[inline(always)]
    pub fn add(&mut self, values: [f64; LANES]) {
        let mut rest = values;
        for (sums, factor) in self.0.iter_mut().zip(OF_DIGITS) {
            for lane in 0..LANES {
                // Exact: `digit` is the whole part.
                let scaled = rest[lane] * factor;
                let digit = scaled.floor();
                sums[lane] += digit;
                rest[lane] = scaled - digit;
            }
        }
    }

    /// The sum of all lanes.
    pub fn sum(self) -> FixedSum {
        let sums = self.0.into_iter().zip(OF_DIGITS);
        FixedSum(sums.fold(0u128, |all, (sums, factor)| {
            let digits = sums.iter().map(|&sum| u128::from(sum as u64));
            let all = all.saturating_mul(factor as u128);
            all.saturating_add(digits.sum())
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(terms: &[f64]) -> FixedSum {
        let mut sum = FixedSum::default();
        terms.iter().for_each(|&term| sum.add(term));
        sum
    }

    proptest! {
        /// In units of 2^-104, doubles from 2^-52 to 1 are whole numbers.
        #[test]
        fn sums_are_exact_in_any_order(
            terms in prop::collection::vec((0i32..52, 0..1u64 << 53), 0..100),
            cut in 0usize..100,
        ) {
            let units = terms.iter().map(|&(shift, digits)| u128::from(digits) << (51 - shift));
            let doubles = terms.iter().map(|&(shift, digits)| digits as f64 * f64::exp2(f64::from(-53 - shift)));
            let mut doubles: Vec<f64> = doubles.collect();
            let exact = FixedSum(units.sum::<u128>());
            prop_assert_eq!(sum(&doubles), exact);
            doubles.reverse();
            let (one, other) = doubles.split_at(cut.min(doubles.len()));
            prop_assert_eq!(FixedSum::of([sum(other), sum(one)]), exact);
            prop_assert_eq!(FixedSum::from_words(exact.words()), exact);
        }
    }

    proptest! {
        #[test]
        fn lanes_have_the_same_sum(terms in prop::collection::vec((-110i32..12, 1.0..2.0f64), 0..100)) {
            let terms: Vec<f64> = terms.iter().map(|&(exponent, digits)| digits * f64::exp2(f64::from(exponent))).collect();
            let terms: Vec<f64> = terms.into_iter().map(|term| term.min(4095.0)).collect();
            let mut lanes = FixedLanes::default();
            for terms in terms.chunks(LANES) {
                lanes.add(std::array::from_fn(|lane| terms.get(lane).copied().unwrap_or(0.0)));
            }
            prop_assert_eq!(lanes.sum(), sum(&terms));
        }
    }

    #[test]
    fn lanes_hold_as_many_numbers_as_a_task() {
        let count = crate::parallel::sums::INDICES_PER_TASK / LANES;
        for most in [2_047.999_999_999_999, 4_095.999_999_999_999] {
            let mut lanes = FixedLanes::default();
            (0..count).for_each(|_| lanes.add([most; LANES]));
            assert_eq!(lanes.sum(), sum(&vec![most; count * LANES]));
        }
    }

    #[test]
    fn values_are_the_numbers_added() {
        assert_eq!(sum(&[0.1]).value(), 0.1);
        assert_eq!(sum(&[4095.5, 1e-300, 0.25]).value(), 4095.75);
        let (one, other) = (sum(&[0.5, f64::EPSILON]), sum(&[0.5]));
        assert_eq!(one.distance(other), f64::EPSILON);
        assert_eq!(other.distance(one), f64::EPSILON);
    }
}
