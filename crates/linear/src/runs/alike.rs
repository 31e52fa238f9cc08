//! Consecutive rows of one shape, and their sums.
//!
//! Where the compiler knows how many single nodes and runs a row has, its sum needs no loops, whose
//! ends the processor has to guess, and so few instructions that the values of many rows are on
//! their way from memory at once.

use super::row::Row;
use crate::prefixes::Prefixes;
use num_traits::Float;
use webrank_base::Node;

/// Consecutive rows with as many single nodes each, and as many runs.
#[derive(Clone, Copy)]
pub(super) struct UniformRows<'a> {
    /// Row after row: its single nodes, then its runs.
    pub(super) entries: &'a [Node],
    /// Single nodes of each row.
    pub(super) singles: usize,
    /// Runs of each row.
    pub(super) runs: usize,
    /// The number of rows.
    pub(super) count: usize,
}

impl<'a> UniformRows<'a> {
    /// The rows.
    #[inline]
    pub(super) fn rows(self) -> impl Iterator<Item = Row<'a>> {
        let length = self.singles + 2 * self.runs;
        let row = move |row| &self.entries[row * length..][..length];
        (0..self.count).map(move |at| row_of(row(at), self.singles))
    }

    /// Writes [`Row::fast_sum`] of each row to its place.
    pub(super) fn fast_sums<T: Float + Sync>(
        self,
        values: &[T],
        prefixes: &Prefixes<T>,
        sums: &mut [T],
    ) {
        self.sums(&Fast { values, prefixes }, sums);
    }

    /// Writes [`Row::whole_sum`] of each row to its place.
    pub(super) fn whole_sums(self, before: &[u64], sums: &mut [u64]) {
        self.sums(&Whole { before }, sums);
    }

    /// Writes the sum of each row to its place.
    #[inline(always)]
    pub(super) fn sums<S: RowSum>(self, kind: &S, sums: &mut [S::Sum]) {
        /// The frequent shapes.
        macro_rules! of_shape {
            ($(($singles:literal, $runs:literal))*) => {
                match (self.singles, self.runs) {
                    $(($singles, $runs) => {
                        let rows = self.entries.as_chunks::<{ $singles + 2 * $runs }>().0;
                        for (sum, row) in sums.iter_mut().zip(rows) {
                            *sum = kind.of(row_of(row, $singles));
                        }
                    })*
                    _ => {
                        for (sum, row) in sums.iter_mut().zip(self.rows()) {
                            *sum = kind.of(row);
                        }
                    }
                }
            };
        }
        of_shape!(
            (1, 0)(2, 0)(3, 0)(4, 0)(5, 0)(6, 0)(7, 0)(8, 0)(0, 1)(1, 1)(2, 1)(3, 1)(4, 1)(5, 1)(
                6, 1
            )(7, 1)(8, 1)(0, 2)(1, 2)(2, 2)(3, 2)(4, 2)(5, 2)(6, 2)(7, 2)(8, 2)
        );
    }
}

/// A kind of sums over rows. A closure would be a call for every row: `of` must be `#[inline(always)]`.
pub trait RowSum: Sync {
    /// The type of a sum.
    type Sum;

    /// The sum over a row.
    fn of(&self, row: Row) -> Self::Sum;
}

/// [`Row::fast_sum`].
struct Fast<'a, T> {
    values: &'a [T],
    prefixes: &'a Prefixes<T>,
}

impl<T: Float + Sync> RowSum for Fast<'_, T> {
    type Sum = T;

    #[inline(always)]
    fn of(&self, row: Row) -> T {
        row.fast_sum(self.values, self.prefixes)
    }
}

/// [`Row::whole_sum`].
struct Whole<'a> {
    before: &'a [u64],
}

impl RowSum for Whole<'_> {
    type Sum = u64;

    #[inline(always)]
    fn of(&self, row: Row) -> u64 {
        row.whole_sum(self.before)
    }
}

/// The row whose entries these are.
#[inline(always)]
fn row_of(entries: &[Node], singles: usize) -> Row<'_> {
    let (singles, runs) = entries.split_at(singles);
    Row {
        singles,
        runs: runs.as_chunks().0,
    }
}
