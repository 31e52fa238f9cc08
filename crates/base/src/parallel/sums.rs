//! Sums of doubles with a small error that does not depend on the number of threads.
//!
//! Writing u for the unit roundoff (2^-53 for `f64`, 2^-24 for `f32`), a sum of terms of one sign,
//! computed by [`gathered`], [`ranged`], [`chained`] or [`compensated`], has a relative error below
//! [`ROUNDOFFS`] u at any length: pieces of 256 terms are added in four independent chains of 64
//! (at most 65 roundings each), and pieces are added with Neumaier's compensation (two roundings).

use super::tasks;
use crate::Node;
use num_traits::Float;
use std::ops::Range;

/// The relative error of a sum of terms of one sign is below this many units of roundoff.
pub const ROUNDOFFS: f64 = 70.0;

const PIECE: usize = 256;

/// Sum of `value(index)` over the indices of `row`. The order of additions depends on the length
/// of the row alone, so equal rows have sums with equal bits.
#[inline]
pub fn gathered<T: Float>(row: &[Node], value: impl Fn(Node) -> T + Copy) -> T {
    if row.len() <= PIECE {
        return gathered_piece(row, value);
    }
    let mut sum = Compensated::default();
    for piece in row.chunks(PIECE) {
        sum.add(gathered_piece(piece, value));
    }
    sum.value()
}

#[inline]
fn gathered_piece<T: Float>(row: &[Node], value: impl Fn(Node) -> T) -> T {
    let mut chains = [T::zero(); 4];
    let mut quads = row.chunks_exact(4);
    for quad in &mut quads {
        for (chain, &index) in chains.iter_mut().zip(quad) {
            *chain = *chain + value(index);
        }
    }
    for (chain, &index) in chains.iter_mut().zip(quads.remainder()) {
        *chain = *chain + value(index);
    }
    (chains[0] + chains[1]) + (chains[2] + chains[3])
}

/// Sum of `value(index)` over a range of indices, in the order of [`gathered`].
#[inline]
pub fn ranged<T: Float>(range: Range<Node>, value: impl Fn(Node) -> T + Copy) -> T {
    let piece = |start: Node| {
        let end = range.end.min(start.saturating_add(PIECE as Node));
        let quads = start..end - (end - start) % 4;
        let mut chains = [T::zero(); 4];
        for quad in quads.clone().step_by(4) {
            for (chain, index) in chains.iter_mut().zip(quad..) {
                *chain = *chain + value(index);
            }
        }
        for (chain, index) in chains.iter_mut().zip(quads.end..end) {
            *chain = *chain + value(index);
        }
        (chains[0] + chains[1]) + (chains[2] + chains[3])
    };
    if range.len() <= PIECE {
        return piece(range.start);
    }
    compensated(range.clone().step_by(PIECE).map(piece))
}

/// Sum of `values`, in the order of [`gathered`].
#[inline]
pub fn chained<T: Float>(mut values: impl Iterator<Item = T>) -> T {
    let mut sum = Compensated::default();
    loop {
        let mut chains = [T::zero(); 4];
        for place in 0..PIECE {
            let Some(value) = values.next() else {
                sum.add((chains[0] + chains[1]) + (chains[2] + chains[3]));
                return sum.value();
            };
            chains[place % 4] = chains[place % 4] + value;
        }
        sum.add((chains[0] + chains[1]) + (chains[2] + chains[3]));
    }
}

/// Sum of `values`.
pub fn compensated<T: Float>(values: impl Iterator<Item = T>) -> T {
    let mut sum = Compensated::default();
    for value in values {
        sum.add(value);
    }
    sum.value()
}

/// Entries or terms that a task handles, whatever the number of threads.
pub const INDICES_PER_TASK: usize = 1 << 13;

/// The sum of `sum(range)` over the ranges of `0..count` that tasks take, which do not depend on
/// the number of threads.
pub fn sum_of_tasks(count: usize, sum: impl Fn(Range<usize>) -> f64 + Sync) -> f64 {
    if count <= INDICES_PER_TASK {
        return sum(0..count);
    }
    compensated(tasks::map(tasks::ranges(count), sum).into_iter())
}

/// The sum of all entries.
pub fn total(x: &[f64]) -> f64 {
    sum_of_tasks(x.len(), |range| compensated(x[range].iter().copied()))
}

/// A running sum that carries its rounding error along (Neumaier, "Rundungsfehleranalyse einiger
/// Verfahren zur Summation endlicher Summen", ZAMM 54, 1974).
#[derive(Debug, Clone, Copy)]
pub struct Compensated<T = f64> {
    sum: T,
    error: T,
}

impl<T: Float> Default for Compensated<T> {
    fn default() -> Self {
        Compensated {
            sum: T::zero(),
            error: T::zero(),
        }
    }
}

impl<T: Float> Compensated<T> {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: T) {
        let sum = self.sum + term;
        let lost = if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.error = self.error + lost;
        self.sum = sum;
    }

    /// Adds the terms of another sum.
    #[inline]
    pub fn merge(&mut self, other: Self) {
        self.add(other.sum);
        self.error = self.error + other.error;
    }

    /// The sum.
    #[inline]
    pub fn value(&self) -> T {
        self.sum + self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum of integers below 2^52 times 2^-52, exactly.
    fn exact(terms: &[u64]) -> f64 {
        let sum: u128 = terms.iter().map(|&term| term as u128).sum();
        sum as f64 / (1u64 << 52) as f64
    }

    proptest! {
        #[test]
        fn sums_are_within_the_stated_error(
            terms in prop::collection::vec(0u64..1 << 52, 1..2000),
        ) {
            let values: Vec<f64> = terms.iter().map(|&t| t as f64 / (1u64 << 52) as f64).collect();
            let row: Vec<Node> = (0..terms.len() as Node).collect();
            let allowed = ROUNDOFFS * (f64::EPSILON / 2.0) * exact(&terms);
            prop_assert!((gathered(&row, |index| values[index as usize]) - exact(&terms)).abs() <= allowed);
            prop_assert_eq!(
                ranged(0..terms.len() as Node, |index| values[index as usize]),
                gathered(&row, |index| values[index as usize])
            );
            prop_assert_eq!(
                chained(values.iter().copied()),
                gathered(&row, |index| values[index as usize])
            );
            prop_assert!((compensated(values.into_iter()) - exact(&terms)).abs() <= allowed);
        }
    }

    #[test]
    fn compensation_survives_cancellation() {
        assert_eq!(compensated([1.0, 1e100, 1.0, -1e100].into_iter()), 2.0);
    }
}
