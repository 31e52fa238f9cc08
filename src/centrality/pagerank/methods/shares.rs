//! Shares that are whole numbers, and their sums over rows.

use crate::graph::Node;
use crate::linear::runs::Row;
use crate::parallel::fixed::FixedSum;
use crate::parallel::running::running_sums;

/// What a node gives to each of its successors, in units of 1 / scale.
#[inline]
pub(super) fn share(score: f64, outdegree: usize, scale: f64) -> u64 {
    (score / outdegree as f64 * scale + 0.5) as u64
}

/// Makes of each entry but the first what all nodes before it give to each of their successors; returns
/// the mass on dangling nodes.
pub(super) fn sums_of_shares(
    scores: &[f64],
    outdegrees: &[u32],
    scale: f64,
    before: &mut [u64],
) -> FixedSum {
    let give = |node: usize, dangling: &mut FixedSum| match outdegrees[node] {
        0 => {
            dangling.add(scores[node]);
            0
        }
        outdegree => share(scores[node], outdegree as usize, scale),
    };
    FixedSum::of(running_sums(&mut before[1..], give))
}

/// The sum of the shares of a row, from the sums over all nodes before one, of which a share is a
/// difference: so shares take 8 bytes a node, not 16.
#[inline]
pub(super) fn sum_of_shares(before: &[u64], row: Row) -> u64 {
    let between = |first: usize, end: usize| before[end].wrapping_sub(before[first]);
    let single = |&node: &Node| between(node as usize, node as usize + 1);
    let runs = row.runs.iter();
    let runs = runs.map(|&[first, end]| between(first as usize, end as usize));
    row.singles
        .iter()
        .map(single)
        .chain(runs)
        .fold(0, u64::wrapping_add)
}
