//! Sums of doubles in fixed point: whole numbers have the same sum in any order, however terms are
//! shared out among tasks, threads, processes or machines.

/// The terms are multiples of 2^-104 after they are cut off there.
const HALF_BITS: u32 = 52;

/// 2^52.
const HALF: f64 = (1u64 << HALF_BITS) as f64;

/// A sum of numbers from 0 to 4095, each cut to a multiple of 2^-104. It is exact below 2^24, and
/// stays there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedSum(u128);

impl FixedSum {
    /// Adds a number from 0 to 4095.
    #[inline]
    pub(crate) fn add(&mut self, value: f64) {
        debug_assert!((0.0..4096.0).contains(&value));
        let scaled = value * HALF;
        let whole = scaled as u64;
        // Exact: both are multiples of the last place of `scaled`.
        let rest = ((scaled - whole as f64) * HALF) as u64;
        let units = (u128::from(whole) << HALF_BITS) | u128::from(rest);
        self.0 = self.0.saturating_add(units);
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }

    /// The sum of all sums.
    pub(crate) fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = FixedSum::default();
        parts.into_iter().for_each(|part| all.merge(part));
        all
    }

    /// The double next to the sum.
    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / HALF / HALF
    }

    /// As two words, the lower one first.
    pub(crate) fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// From [`Self::words`].
    pub(crate) fn from_words([low, high]: [u64; 2]) -> Self {
        FixedSum(u128::from(high) << 64 | u128::from(low))
    }
}

/// Numbers that are added up side by side.
pub(crate) const LANES: usize = 8;

/// Numbers from 0 to 4095, at most 2^20 in each lane, that are added up to the same sum, by the eight: in
/// units of 2^-32, and what is left in units of 2^-68 and 2^-104.
#[derive(Default)]
pub(crate) struct Lanes([[u64; LANES]; 3]);

impl Lanes {
    /// Adds a number to each lane.
    #[inline(always)]
    pub(crate) fn add(&mut self, values: [f64; LANES]) {
        let [first, second, third] = &mut self.0;
        for (lane, value) in values.into_iter().enumerate() {
            let (whole, rest) = whole_and_rest(value * 4_294_967_296.0);
            first[lane] += whole;
            let (whole, rest) = whole_and_rest(rest * 68_719_476_736.0);
            second[lane] += whole;
            let (whole, _) = whole_and_rest(rest * 68_719_476_736.0);
            third[lane] += whole;
        }
    }

    /// The sum of all lanes.
    pub(crate) fn sum(self) -> FixedSum {
        let [first, second, third] = self.0.map(|lanes| {
            let lanes = lanes.into_iter().map(u128::from);
            lanes.sum::<u128>()
        });
        let first = first.saturating_mul(1 << 72);
        FixedSum(first.saturating_add((second << 36) + third))
    }
}

/// The whole part of a number from 0 to 2^51, and the rest. A sum with 2^52 has it in its last bits, so
/// that there is no conversion, which few vector instructions have.
#[inline(always)]
fn whole_and_rest(value: f64) -> (u64, f64) {
    let nearest = (value + HALF) - HALF;
    let whole = if nearest > value {
        nearest - 1.0
    } else {
        nearest
    };
    ((whole + HALF).to_bits() - HALF.to_bits(), value - whole)
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
        /// Lanes add up to the same, in units of any size, and stay at the largest sum.
        #[test]
        fn lanes_have_the_same_sum(
            terms in prop::collection::vec([(); LANES].map(|()| (-120i32..12, 0.0..1.0f64)), 0..100),
        ) {
            let terms = terms.into_iter().map(|lanes| lanes.map(|(exponent, digits)| digits * f64::exp2(f64::from(exponent))));
            let terms: Vec<[f64; LANES]> = terms.collect();
            let mut lanes = Lanes::default();
            terms.iter().for_each(|&values| lanes.add(values));
            prop_assert_eq!(lanes.sum(), sum(terms.as_flattened()));
        }
    }

    #[test]
    fn lanes_stay_at_the_largest_sum() {
        let (mut lanes, mut one_by_one) = (Lanes::default(), FixedSum::default());
        for _ in 0..513 {
            lanes.add([4095.75; LANES]);
            (0..LANES).for_each(|_| one_by_one.add(4095.75));
        }
        assert_eq!(lanes.sum(), one_by_one);
        assert_eq!(one_by_one, FixedSum(u128::MAX));
    }

    #[test]
    fn values_are_the_numbers_added() {
        assert_eq!(sum(&[0.1]).value(), 0.1);
        assert_eq!(sum(&[4095.5, 1e-300, 0.25]).value(), 4095.75);
    }
}
