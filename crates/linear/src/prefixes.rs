//! Prefix sums: the sum of a run of consecutive entries of a vector in two reads.
//!
//! # Rounding errors of runs
//!
//! Let u be the unit roundoff and P_k the sum of the first k nonnegative entries of a block. The
//! error of a computed prefix sum is at most k u P_k if terms are added in order
//! (`pagerank::methods::power` of `webrank-walks`), and at most 2 u P_k with compensation
//! ([`Prefixes::of`]). A run that ends after k entries is the difference of two prefix sums,
//! rounded once, so its error is at most (2 k + 1) u P_k or 5 u P_k. That is relative to the block,
//! not to the vector: where a vector of norm 1 is spread evenly over 10^8 nodes, a block of
//! [`PREFIX_BLOCK`] nodes holds 10^-5, and a run is off by at most 10^-5 * 2049 u, about 2e-18, or
//! 6e-21 with compensation. The worst case is a block that holds everything: 5 u = 6e-16 with
//! compensation.

use num_traits::Float;
use webrank_base::Node;
use webrank_base::parallel::sums::Compensated;
use webrank_base::parallel::tasks;

/// Prefix sums restart at multiples of this.
pub const PREFIX_BLOCK: usize = 1 << 10;

/// Prefix sums of a vector, restarting every [`PREFIX_BLOCK`] entries.
pub struct Prefixes<T = f64>(Vec<T>);

impl<T: Float + Send> Prefixes<T> {
    /// Zeros for a vector of `n` entries.
    pub fn new(n: usize) -> Self {
        Prefixes(vec![T::zero(); n + n.div_ceil(PREFIX_BLOCK)])
    }

    /// The parts for consecutive blocks of [`PREFIX_BLOCK`] entries. Each has one place more than
    /// its block has entries: the sum of the first k entries goes to place k.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        self.0.chunks_mut(PREFIX_BLOCK + 1)
    }
}

impl Prefixes {
    /// The prefix sums of `values`, with compensation.
    pub fn of(values: &[f64]) -> Self {
        let mut prefixes = Prefixes::new(values.len());
        let blocks = prefixes.blocks_mut().zip(values.chunks(PREFIX_BLOCK));
        tasks::for_each(blocks, |(prefixes, values)| {
            let mut sum = Compensated::default();
            for (prefix, &value) in prefixes[1..].iter_mut().zip(values) {
                sum.add(value);
                *prefix = sum.value();
            }
        });
        prefixes
    }
}

impl<T: Float> Prefixes<T> {
    /// Sum of the entries from `first` to before `end`, all in one block.
    #[inline]
    pub fn between(&self, first: Node, end: Node) -> T {
        let place = |j: usize| j + j / PREFIX_BLOCK;
        self.0[place(end as usize - 1) + 1] - self.0[place(first as usize)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::Range;

    /// Nonnegative numbers from 1 to 1e-300, in any order.
    fn adversarial() -> impl Strategy<Value = Vec<f64>> {
        let value = (0i32..=300, 1.0..10.0f64).prop_map(|(k, digits)| digits * 10f64.powi(-k));
        prop::collection::vec(prop_oneof![Just(0.0), value], 1..2 * PREFIX_BLOCK)
    }

    proptest! {
        #[test]
        fn runs_lose_what_is_stated(values in adversarial(), run in any::<[usize; 2]>()) {
            let block = run[0] % values.len() / PREFIX_BLOCK * PREFIX_BLOCK;
            let length = (values.len() - block).min(PREFIX_BLOCK);
            let [first, end] = [run[0] % length, run[1] % length + 1];
            let (first, end) = (block + first.min(end - 1), block + end);
            // Exact up to two roundings: increasing terms, with compensation.
            let exact = |range: Range<usize>| {
                let mut terms = values[range].to_vec();
                terms.sort_by(f64::total_cmp);
                terms.iter().fold(Compensated::default(), |mut sum, &term| {
                    sum.add(term);
                    sum
                }).value()
            };
            let (sum, before_end) = (exact(first..end), exact(block..end));
            let run = Prefixes::of(&values).between(first as Node, end as Node);
            let roundoff = f64::EPSILON / 2.0;
            prop_assert!((run - sum).abs() <= 7.0 * roundoff * before_end);
            if values[first..end].iter().all(|&value| value == 0.0) {
                prop_assert_eq!(run, 0.0);
            }
        }
    }
}
