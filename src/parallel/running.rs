//! Running sums of whole numbers, modulo 2^64.

use super::sums::INDICES_PER_TASK;
use super::tasks;

/// Writes to each entry the sum of the values of all indices up to its own. `value` may note something
/// for its task; returns what each task has noted. Parallel, two passes.
pub(crate) fn running_sums<T: Default + Send>(
    sums: &mut [u64],
    value: impl Fn(usize, &mut T) -> u64 + Sync,
) -> Vec<T> {
    let chunks = sums.chunks_mut(INDICES_PER_TASK).enumerate();
    let parts = tasks::map(chunks, |(chunk, sums)| {
        let start = chunk * INDICES_PER_TASK;
        let (mut noted, mut sum) = (T::default(), 0u64);
        for (index, into) in sums.iter_mut().enumerate() {
            sum = sum.wrapping_add(value(start + index, &mut noted));
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
