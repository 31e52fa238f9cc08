//! Sums of large parts, computed in parallel and added pairwise.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use webrank_base::checkpoint::{Stage, StateVisitor};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

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

/// Sums over consecutive leaves, by the first and by the one after the last.
pub(super) type Parts<S> = BTreeMap<(usize, usize), S>;

/// [`pairwise_sum`], which goes on from `known` parts of an earlier run. `save` writes the parts so far;
/// it is told the number of leaves.
pub(super) fn pairwise_sum_kept<T: Sync, S: Send>(
    items: &[T],
    leaf: usize,
    part: &(impl Fn(&[T]) -> Result<S> + Sync),
    plus: &(impl Fn(S, S) -> S + Sync),
    known: Parts<S>,
    keeping: &Stage,
    save: &(impl Fn(&mut Parts<S>, usize) -> Result<()> + Sync),
) -> Result<S> {
    let count = items.len().div_ceil(leaf).max(1);
    let is_known = |at: usize| {
        let mut ranges = known.keys();
        ranges.any(|&(first, end)| (first..end).contains(&at))
    };
    let open: Vec<usize> = (0..count).filter(|&at| !is_known(at)).collect();
    let parts = Mutex::new(known);
    let ended = tasks::try_in_order(open, |(), at: usize| {
        if keeping.is_asked_to_stop() {
            return Err(Error::Interrupted);
        }
        let sum = part(&items[at * leaf..items.len().min((at + 1) * leaf)])?;
        let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
        insert(&mut parts, count, at, sum, plus);
        if keeping.is_due() && !keeping.is_asked_to_stop() {
            save(&mut parts, count)?;
        }
        Ok(())
    });
    let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    match ended {
        Ok(()) | Err(Error::Interrupted) if keeping.is_asked_to_stop() => save(&mut parts, count)?,
        _ => {}
    }
    ended?;
    // All leaves are in, unless parts were made up.
    parts.remove(&(0, count)).ok_or_else(|| keeping.damaged())
}

/// Adds a leaf to those that stand beside it in the tree of [`pairwise_sum`], and so on upwards.
fn insert<S>(parts: &mut Parts<S>, count: usize, at: usize, mut sum: S, plus: &impl Fn(S, S) -> S) {
    // From the root to the leaf.
    let mut path = vec![(0, count)];
    while let Some(&(first, end)) = path.last()
        && end - first > 1
    {
        let middle = first + (end - first) / 2;
        path.push(match at < middle {
            true => (first, middle),
            false => (middle, end),
        });
    }
    let mut own = (at, at + 1);
    for &(first, end) in path.iter().rev().skip(1) {
        let middle = first + (end - first) / 2;
        let is_left = own.0 == first;
        let other = if is_left {
            (middle, end)
        } else {
            (first, middle)
        };
        let Some(theirs) = parts.remove(&other) else {
            break;
        };
        sum = match is_left {
            true => plus(sum, theirs),
            false => plus(theirs, sum),
        };
        own = (first, end);
    }
    parts.insert(own, sum);
}

/// Visits the sums of parts of `count` leaves.
///
/// # Errors
/// If the file cannot be read or written, or contradicts itself; those of `visit_part`.
pub(super) fn visit_parts<S>(
    mut visitor: StateVisitor,
    parts: &mut Parts<S>,
    count: usize,
    none: impl Fn() -> S,
    visit_part: impl Fn(&mut S, &mut StateVisitor) -> Result<()>,
) -> Result<()> {
    let mut ranges: Vec<(u32, u32)> = parts.keys().map(|&(a, b)| (a as u32, b as u32)).collect();
    visitor.first_column(&mut ranges, count, |range| &mut range.0)?;
    visitor.column(&mut ranges, |range| &mut range.1)?;
    for (first, end) in ranges {
        visitor.check(first < end && end as usize <= count)?;
        let part = parts.entry((first as usize, end as usize));
        visit_part(part.or_insert_with(&none), &mut visitor)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_in_any_order_are_added_along_one_tree() {
        let plus = |a: String, b: String| format!("({a}{b})");
        let part = |items: &[usize]| Ok(format!("{items:?}"));
        for (items, leaf) in [(0, 1), (1, 3), (7, 1), (20, 3), (256, 1), (257, 2)] {
            let items: Vec<usize> = (0..items).collect();
            let expected = pairwise_sum(&items, leaf, &part, &plus).unwrap();
            let count = items.len().div_ceil(leaf).max(1);
            for step in [1, 5, 101] {
                let mut parts = Parts::new();
                // 5 and 101 have no factor in common with the counts.
                for at in (0..count).map(|at| at * step % count) {
                    let items = &items[at * leaf..items.len().min((at + 1) * leaf)];
                    insert(&mut parts, count, at, part(items).unwrap(), &plus);
                }
                assert_eq!(parts, Parts::from([((0, count), expected.clone())]));
            }
        }
    }
}
