//! The parallel merge sort that counts, for every row, the rows that overtake it: Knight's method
//! (1966), with one count per row besides the total.
//!
//! Rows come in some order (by x) and are sorted stably by another key (the class in y). While
//! two halves are merged, a row of the left half that is written after k rows of the right half
//! has been overtaken by exactly k rows that came later and have a strictly smaller key. The
//! counts are integers, so they do not depend on how the work is shared. O(n log n).

use std::hint::select_unpredictable;
use std::ops::Add;

/// A row on its way from the order by x to the order by y.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CountedRow {
    /// The class in y: the key of the sort.
    pub class: u32,
    /// Where the row stood at first: its rank by (x, y), from 0.
    pub rank_xy: u32,
    /// Rows that came later and have a strictly smaller class: worse in x, better in y.
    pub overtaken: u32,
}

/// Slices up to this length are sorted by insertion.
const SHORT_ROWS: usize = 24;
/// Slices up to this length are sorted, or merged, by one thread.
const SEQUENTIAL_ROWS: usize = 1 << 15;

/// Sorts rows stably by class, counts the overtakings of each, and returns their sum.
pub(crate) fn sort_by_class(rows: &mut [CountedRow]) -> u64 {
    merge_sort(rows, &insertion_sort, &|left, right, out| {
        merge(left, right, out, 0)
    })
}

/// The skeleton of a merge sort that adds something up: `sort_short` sorts a short slice,
/// `merge(left, right, out)` merges two halves; both return what they counted. The slices depend
/// only on the length, and sums are taken in a fixed order: left half, right half, merge.
pub(crate) fn merge_sort<T, C>(
    items: &mut [T],
    sort_short: &(impl Fn(&mut [T]) -> C + Sync),
    merge: &(impl Fn(&[T], &[T], &mut [T]) -> C + Sync),
) -> C
where
    T: Copy + Default + Send + Sync,
    C: Add<Output = C> + Send,
{
    let mut buffer = vec![T::default(); items.len()];
    sort(items, &mut buffer, false, sort_short, merge)
}

/// Leaves the sorted items in `buffer` if `into_buffer`, in `items` otherwise.
fn sort<T, C>(
    items: &mut [T],
    buffer: &mut [T],
    into_buffer: bool,
    sort_short: &(impl Fn(&mut [T]) -> C + Sync),
    merge: &(impl Fn(&[T], &[T], &mut [T]) -> C + Sync),
) -> C
where
    T: Copy + Send + Sync,
    C: Add<Output = C> + Send,
{
    if items.len() <= SHORT_ROWS {
        let count = sort_short(items);
        if into_buffer {
            buffer.copy_from_slice(items);
        }
        return count;
    }
    let middle = items.len() / 2;
    let (in_left, in_right) = {
        let (left, right) = items.split_at_mut(middle);
        let (left_buffer, right_buffer) = buffer.split_at_mut(middle);
        let mut sort_left = || sort(left, left_buffer, !into_buffer, sort_short, merge);
        let mut sort_right = || sort(right, right_buffer, !into_buffer, sort_short, merge);
        if middle > SEQUENTIAL_ROWS {
            rayon::join(sort_left, sort_right)
        } else {
            (sort_left(), sort_right())
        }
    };
    let (from, to) = if into_buffer {
        (items, buffer)
    } else {
        (buffer, items)
    };
    in_left + in_right + merge(&from[..middle], &from[middle..], to)
}

fn insertion_sort(rows: &mut [CountedRow]) -> u64 {
    let mut overtakings = 0;
    for i in 1..rows.len() {
        let row = rows[i];
        let mut hole = i;
        while hole > 0 && rows[hole - 1].class > row.class {
            rows[hole] = rows[hole - 1];
            rows[hole].overtaken += 1;
            hole -= 1;
        }
        rows[hole] = row;
        overtakings += (i - hole) as u64;
    }
    overtakings
}

/// Merges two sorted slices, after `already` rows of the right one have been written.
fn merge(left: &[CountedRow], right: &[CountedRow], out: &mut [CountedRow], already: u32) -> u64 {
    if out.len() <= SEQUENTIAL_ROWS {
        return merge_sequentially(left, right, out, already);
    }
    // Cut the longer slice in the middle, and the other at the matching point of the merge.
    let (i, k) = if left.len() >= right.len() {
        let i = left.len() / 2;
        (i, right.partition_point(|row| row.class < left[i].class))
    } else {
        let k = right.len() / 2;
        (left.partition_point(|row| row.class <= right[k].class), k)
    };
    let (low_out, high_out) = out.split_at_mut(i + k);
    let (low, high) = rayon::join(
        || merge(&left[..i], &right[..k], low_out, already),
        || merge(&left[i..], &right[k..], high_out, already + k as u32),
    );
    low + high
}

/// Merges from both ends at once: two chains of dependent comparisons that do not wait for each
/// other. It takes as many steps as the shorter slice is long, so no slice runs out at either end.
fn merge_sequentially(
    left: &[CountedRow],
    right: &[CountedRow],
    out: &mut [CountedRow],
    already: u32,
) -> u64 {
    let steps = left.len().min(right.len());
    let (mut i, mut k) = (0, 0);
    let (mut i_end, mut k_end) = (left.len(), right.len());
    let mut overtakings = 0;
    for _ in 0..steps {
        let (l, r) = (left[i], right[k]);
        let left_first = l.class <= r.class;
        let passed = select_unpredictable(left_first, already + k as u32, 0);
        out[i + k] = select_row(left_first, l, r).overtaken_by(passed);
        overtakings += u64::from(passed);
        i += usize::from(left_first);
        k += usize::from(!left_first);

        let (l, r) = (left[i_end - 1], right[k_end - 1]);
        let left_last = l.class > r.class;
        let passed = select_unpredictable(left_last, already + k_end as u32, 0);
        out[i_end + k_end - 1] = select_row(left_last, l, r).overtaken_by(passed);
        overtakings += u64::from(passed);
        i_end -= usize::from(left_last);
        k_end -= usize::from(!left_last);
    }
    // Merge what remains in the middle when one slice is longer.
    while i < i_end && k < k_end {
        let (l, r) = (left[i], right[k]);
        let left_first = l.class <= r.class;
        let passed = select_unpredictable(left_first, already + k as u32, 0);
        out[i + k] = select_row(left_first, l, r).overtaken_by(passed);
        overtakings += u64::from(passed);
        i += usize::from(left_first);
        k += usize::from(!left_first);
    }
    let passed = already + k as u32;
    overtakings += (i_end - i) as u64 * u64::from(passed);
    let late = left[i..i_end].iter().map(|row| row.overtaken_by(passed));
    let rest = late.chain(right[k..k_end].iter().copied());
    for (slot, row) in out[i + k..i_end + k_end].iter_mut().zip(rest) {
        *slot = row;
    }
    overtakings
}

/// Selects without a branch, since which side is next cannot be predicted.
fn select_row(left: bool, l: CountedRow, r: CountedRow) -> CountedRow {
    CountedRow {
        class: select_unpredictable(left, l.class, r.class),
        rank_xy: select_unpredictable(left, l.rank_xy, r.rank_xy),
        overtaken: select_unpredictable(left, l.overtaken, r.overtaken),
    }
}

impl CountedRow {
    fn overtaken_by(mut self, rows: u32) -> Self {
        self.overtaken += rows;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(classes: &[u32]) -> Result<(), TestCaseError> {
        let mut rows: Vec<CountedRow> = (classes.iter().enumerate())
            .map(|(i, &class)| CountedRow {
                class,
                rank_xy: i as u32,
                overtaken: 0,
            })
            .collect();
        let total = sort_by_class(&mut rows);
        prop_assert_eq!(
            total,
            rows.iter().map(|row| u64::from(row.overtaken)).sum::<u64>()
        );
        prop_assert!(rows.is_sorted_by_key(|row| (row.class, row.rank_xy)));
        for row in rows.iter().step_by(1 + rows.len() / 50) {
            let later = &classes[row.rank_xy as usize + 1..];
            let overtaken = later.iter().filter(|&&class| class < row.class).count();
            prop_assert_eq!(row.overtaken as usize, overtaken);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn short_slices(classes in prop::collection::vec(0u32..20, 0..300)) {
            check(&classes)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4))]
        #[test]
        fn slices_that_are_merged_in_parallel(
            seed in any::<u32>(),
            classes in prop::sample::select(vec![1u32, 3, 1000, u32::MAX]),
        ) {
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                (state >> 8).wrapping_mul(2654435761) % classes
            };
            check(&(0..5 * SEQUENTIAL_ROWS).map(|_| random()).collect::<Vec<_>>())?;
        }
    }
}
