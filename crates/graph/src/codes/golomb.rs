//! The best modulus of a Golomb code.
//!
//! A Golomb code writes x as the quotient by b in unary and the remainder in minimal binary. With
//! s = floor(log2 b) and y = x - 2^(s+1), its code word has s + 3 + floor(y / b) bits. Within an
//! octave, 2^s <= b < 2^(s+1), floor(y / b) decreases as b grows where y >= 0, and increases where
//! y < 0. So the moduli from b to c together cost at least the terms y >= 0 at c and the terms y < 0
//! at b, and branch and bound finds the best one without trying them all.

use super::histogram::NumberDistribution;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Moduli, or intervals of them, that are tried at most: enough for a proof on every graph that was
/// tried. Beyond, the modulus is the best of those tried.
const TRIALS: usize = 20_000;

/// The modulus that takes the fewest bits, and these bits.
pub fn best_golomb(numbers: &NumberDistribution) -> (u64, u128) {
    let costs = Costs::new(numbers);
    let mut best = (u128::MAX, 1);
    let mut open = BinaryHeap::new();
    for octave in 0..=numbers.max().saturating_add(1).ilog2() {
        let interval = (1u64 << octave, (1u64 << octave) * 2 - 1);
        open.push(Reverse((costs.bound(interval), interval)));
    }
    for _ in 0..TRIALS {
        let Some(Reverse((bound, (low, high)))) = open.pop() else {
            break;
        };
        if bound >= best.0 {
            break;
        }
        if low == high {
            best = best.min((bound, low));
            continue;
        }
        let middle = low + (high - low) / 2;
        best = best.min((costs.bound((middle, middle)), middle));
        for half in [(low, middle), (middle + 1, high)] {
            open.push(Reverse((costs.bound(half), half)));
        }
    }
    (best.1, best.0)
}

struct Costs<'d> {
    counts: &'d [(u64, u64)],
    /// How many numbers there are from each of the counts on; 0 after the last.
    from: Vec<u64>,
    max: u64,
}

impl<'d> Costs<'d> {
    fn new(numbers: &'d NumberDistribution) -> Self {
        let counts = numbers.counts();
        let mut from = vec![0; counts.len() + 1];
        for (place, &(_, count)) in counts.iter().enumerate().rev() {
            from[place] = from[place + 1] + count;
        }
        Costs {
            counts,
            from,
            max: numbers.max(),
        }
    }

    /// How many numbers are at least `least`.
    fn at_least(&self, least: u64) -> u64 {
        self.from[self.counts.partition_point(|&(number, _)| number < least)]
    }

    /// A lower bound of the cost of all moduli from `low` to `high`, in one octave; the cost, if
    /// they are equal.
    fn bound(&self, (low, high): (u64, u64)) -> u128 {
        let octave = low.ilog2();
        let turn = 2u64 << octave;
        let all = u128::from(self.from[0]);
        let below = |end: u64| all - u128::from(self.at_least(end));
        let fixed = all * u128::from(octave + 3) - below(turn) - below(turn - low);
        fixed + self.quotients(turn, high)
    }

    /// The sum of floor((x - turn) / modulus) over the numbers x from `turn` on.
    fn quotients(&self, turn: u64, modulus: u64) -> u128 {
        let steps = self.max.saturating_sub(turn) / modulus;
        if steps <= self.counts.len() as u64 / 16 {
            let step = |j| u128::from(self.at_least(turn + j * modulus));
            return (1..=steps).map(step).sum();
        }
        let first = self.counts.partition_point(|&(number, _)| number < turn);
        let counts = self.counts[first..].iter();
        counts
            .map(|&(number, count)| u128::from((number - turn) / modulus) * u128::from(count))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvgraph::properties::Code;
    use crate::codes::LabCode;
    use dsi_bitstream::dispatch::Codes;
    use proptest::prelude::*;

    fn cost(numbers: &NumberDistribution, modulus: u64) -> u128 {
        let code = LabCode::Instantaneous(Code::Standard(Codes::Golomb(modulus)));
        numbers.bits(|number| code.length(number))
    }

    proptest! {
        #[test]
        fn no_modulus_is_better(
            small in prop::collection::vec(0..40u64, 0..30),
            large in prop::collection::vec(0..3000u64, 0..30),
            one in 0..200u64,
        ) {
            let numbers = small.into_iter().chain(large).chain([one]);
            let numbers = NumberDistribution::of(numbers).unwrap();
            let (modulus, bits) = best_golomb(&numbers);
            prop_assert_eq!(bits, cost(&numbers, modulus));
            let least = (1..=numbers.max() + 2).map(|modulus| cost(&numbers, modulus)).min();
            prop_assert_eq!(Some(bits), least);
        }
    }

    /// The best modulus of a geometric distribution with ratio r is about -1 / log2 r.
    #[test]
    fn a_geometric_distribution_has_its_own_modulus() {
        for (ratio, modulus) in [(0.5f64, 1), (0.9, 7), (0.99, 69), (0.999, 693)] {
            let mut numbers = super::super::histogram::NumberHistogram::default();
            for number in 0..20_000 {
                numbers.add_many(number, (1e12 * ratio.powi(number as i32)) as u64);
            }
            let found = best_golomb(&numbers.finish().unwrap()).0;
            assert!(found.abs_diff(modulus) <= 1, "{ratio}: {found}");
        }
    }
}
