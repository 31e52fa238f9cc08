//! Running sums of whole numbers, modulo 2^64.

use super::sums::INDICES_PER_TASK;
use super::tasks;
use std::ops::Range;

/// Writes to each entry the sum of the values of all indices up to its own. Parallel, two passes.
pub fn running_sums(sums: &mut [u64], value: impl Fn(usize) -> u64 + Sync) {
    running_sums_of_parts(sums, |range, part| {
        for (index, into) in range.zip(part) {
            *into = value(index);
        }
    });
}

/// [`running_sums`] where `write` writes the values of a range of indices. Returns its results.
pub fn running_sums_of_parts<T: Send>(
    sums: &mut [u64],
    write: impl Fn(Range<usize>, &mut [u64]) -> T + Sync,
) -> Vec<T> {
    let chunks = sums.chunks_mut(INDICES_PER_TASK).enumerate();
    let parts = tasks::map(chunks, |(chunk, sums)| {
        let start = chunk * INDICES_PER_TASK;
        let noted = write(start..start + sums.len(), sums);
        let mut sum = 0u64;
        for into in sums {
            sum = sum.wrapping_add(*into);
            *into = sum;
        }
        (noted, sum)
    });
    let earlier = parts.iter().scan(0u64, |before, &(_, sum)| {
        let this = *before;
        *before = before.wrapping_add(sum);
        Some(this)
    });
    let chunks = sums.chunks_mut(INDICES_PER_TASK).zip(earlier);
    tasks::for_each(chunks, |(sums, earlier)| {
        for sum in sums {
            *sum = sum.wrapping_add(earlier);
        }
    });
    parts.into_iter().map(|(noted, _)| noted).collect()
}
