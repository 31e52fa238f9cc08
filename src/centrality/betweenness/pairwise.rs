//! Sums of large parts, computed in parallel and added pairwise.

use crate::error::Result;

/// The sum of the values that `part` makes of each `leaf` consecutive items, added along a tree
/// that the number of items and `leaf` determine: no bit depends on the number of threads.
pub(super) fn pairwise_sum<T: Sync, S: Send>(
    items: &[T],
    leaf: usize,
    part: &(impl Fn(&[T]) -> Result<S> + Sync),
    plus: &(impl Fn(S, S) -> S + Sync),
) -> Result<S> {
    if items.len() <= leaf {
        return part(items);
    }
    let (left, right) = items.split_at(items.len().div_ceil(leaf) / 2 * leaf);
    let (left, right) = rayon::join(
        || pairwise_sum(left, leaf, part, plus),
        || pairwise_sum(right, leaf, part, plus),
    );
    Ok(plus(left?, right?))
}

/// The element-wise sum of two vectors.
pub(super) fn added(mut left: Vec<f64>, right: Vec<f64>) -> Vec<f64> {
    left.iter_mut()
        .zip(right)
        .for_each(|(sum, more)| *sum += more);
    left
}
