//! Shares that are whole numbers, and their sums over rows.

use super::fixed_point_kernels::{NODES, Shares};
use webrank_base::Node;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::prefix_sum::running_sums_of_parts;
use webrank_linear::prefixes::PREFIX_BLOCK;
use webrank_linear::runs::{Row, RowSum};

/// Makes of each entry but the first what all nodes before it give to each of their successors; returns
/// the mass on live nodes.
pub(super) fn sums_of_shares(
    scores: &[f64],
    outdegrees: &[u32],
    scale: f64,
    before: &mut [u64],
) -> FixedSum {
    let live = running_sums_of_parts(&mut before[1..], |range, into| {
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
    FixedSum::of(live)
}

/// The entries of sums over so many nodes that start again every [`PREFIX_BLOCK`] nodes, where no run of a
/// row goes on.
pub(super) fn len_of_sums(nodes: usize) -> usize {
    nodes + nodes.div_ceil(PREFIX_BLOCK)
}

/// Writes what the nodes before each one of its [`PREFIX_BLOCK`] give to each of their successors, and
/// what all of these give; returns the mass on live nodes.
pub(super) fn sums_in_blocks(
    scores: &[f64],
    outdegrees: &[u32],
    scale: f64,
    before: &mut [u64],
) -> FixedSum {
    let scores = scores.chunks(PREFIX_BLOCK);
    let nodes = scores.zip(outdegrees.chunks(PREFIX_BLOCK));
    let blocks = before.chunks_mut(PREFIX_BLOCK + 1).zip(nodes);
    FixedSum::of(blocks.map(|(before, (scores, outdegrees))| {
        let (first, into) = before.split_at_mut(1);
        first[0] = 0;
        let shares = Shares {
            scores,
            outdegrees,
            scale,
            into,
        };
        let live = shares.write();
        let mut sum = 0u64;
        for entry in into {
            sum = sum.wrapping_add(*entry);
            *entry = sum;
        }
        live
    }))
}

/// The sums of the shares of rows, from [`sums_in_blocks`], of which a share is a difference: so shares
/// take 8 bytes a node, not 16.
pub(super) struct SumOfShares<'a>(pub(super) &'a [u64]);

impl RowSum for SumOfShares<'_> {
    type Sum = u64;

    #[inline(always)]
    fn of(&self, row: Row) -> u64 {
        let place = |node: Node| node as usize + node as usize / PREFIX_BLOCK;
        let before = self.0;
        let mut sum = 0u64;
        for &node in row.singles {
            let at = place(node);
            sum = sum.wrapping_add(before[at + 1].wrapping_sub(before[at]));
        }
        for &[first, end] in row.runs {
            let last = before[place(end - 1) + 1];
            sum = sum.wrapping_add(last.wrapping_sub(before[place(first)]));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Sums over blocks give rows what sums over all nodes do.
        #[test]
        fn sums_in_blocks_are_those_over_all(
            nodes in prop::collection::vec((0.0..1.0f64, 0u32..4), 1..2500),
            ends in any::<[usize; 2]>(),
        ) {
            let (scores, outdegrees): (Vec<f64>, Vec<u32>) = nodes.iter().copied().unzip();
            let scale = f64::exp2(60.0);
            let mut all = vec![0; nodes.len() + 1];
            let live = sums_of_shares(&scores, &outdegrees, scale, &mut all);
            let mut before = vec![7; len_of_sums(nodes.len())];
            let found = sums_in_blocks(&scores, &outdegrees, scale, &mut before);
            prop_assert_eq!(found, live);
            let block = ends[0] % nodes.len() / PREFIX_BLOCK * PREFIX_BLOCK;
            let length = (nodes.len() - block).min(PREFIX_BLOCK);
            let [a, b] = ends.map(|end| block + end % (length + 1));
            let [first, end] = [a.min(b) as Node, a.max(b) as Node];
            if first < end {
                let row = Row { singles: &[first], runs: &[[first, end]] };
                let single = all[first as usize + 1].wrapping_sub(all[first as usize]);
                let run = all[end as usize].wrapping_sub(all[first as usize]);
                prop_assert_eq!(SumOfShares(&before).of(row), single.wrapping_add(run));
            }
        }
    }
}
