//! Shares that are whole numbers, and their sums over rows.

use super::whole_kernels::{self, NODES, Shares};
use crate::parallel::fixed::FixedSum;
use crate::parallel::running::running_sums_of_parts;

/// What a node gives to each of its successors, in units of 1 / scale.
#[inline]
pub(super) fn share(score: f64, outdegree: usize, scale: f64) -> u64 {
    whole_kernels::share(score, outdegree as f64, scale)
}

/// Makes of each entry but the first what all nodes before it give to each of their successors; returns
/// the mass on dangling nodes.
pub(super) fn sums_of_shares(
    scores: &[f64],
    outdegrees: &[u32],
    scale: f64,
    before: &mut [u64],
) -> FixedSum {
    let dangling = running_sums_of_parts(&mut before[1..], |range, into| {
        let scores = scores[range.clone()].chunks(NODES);
        let nodes = scores.zip(outdegrees[range].chunks(NODES));
        let parts = nodes.zip(into.chunks_mut(NODES));
        FixedSum::of(parts.map(|((scores, outdegrees), into)| {
            let shares = Shares {
                scores,
                outdegrees,
                scale,
                into,
            };
            shares.write()
        }))
    });
    FixedSum::of(dangling)
}
