//! The multiplicative weighted tau: the weight of a pair is a product, so the counts of the
//! additive form do not help; the merge sort adds up weights instead.
//!
//! The merges depend only on the number of nodes, and every sum has a fixed order, so the bits do
//! not depend on the number of threads. Sums over untied pairs are computed directly, never as a
//! difference from all pairs, so that they stay accurate when nearly all pairs are tied.

use rayon::prelude::*;

use super::{RankBy, Weigher, tau};
use crate::counting::merge_sort::merge_sort;
use crate::pair::Pair;
use crate::sums::Compensated;
use webrank_base::parallel::tasks;
use webrank_scores::ranking::Ranking;

/// A node on its way from the order by (first, second) to the order by second.
#[derive(Debug, Clone, Copy, Default)]
struct Weighed {
    class: u32,
    weight: f64,
}

/// The multiplicative tau with ranks by x, and with ranks by y, if `rank_by` needs them.
pub(super) fn taus(pair: &Pair, weigher: Weigher, rank_by: RankBy) -> [Option<f64>; 2] {
    let (x, y) = (pair.x(), pair.y());
    [
        (rank_by != RankBy::Y)
            .then(|| tau_by_first(x, y, weigher))
            .flatten(),
        (rank_by != RankBy::X)
            .then(|| tau_by_first(y, x, weigher))
            .flatten(),
    ]
}

/// The tau with ranks by decreasing lexicographic order of (first, second).
fn tau_by_first(first: &Ranking, second: &Ranking, weigher: Weigher) -> Option<f64> {
    let n = first.len();
    let (first, second) = (first.classes(), second.classes());
    let key = |node: usize| (u64::from(first[node]) << 32) | u64::from(second[node]);
    let mut keys = tasks::tabulate(first.len(), key);
    keys.par_sort_unstable();

    let weight = |rank: usize| weigher.weight(rank as u32, n);
    let by_rank = |key: fn(u64) -> u64| {
        keys.iter()
            .enumerate()
            .map(move |(rank, &k)| (key(k), weight(rank)))
    };
    let untied_first = weight_across_groups(by_rank(|key| key >> 32));
    let not_tied_in_both = weight_across_groups(by_rank(|key| key));
    let mut nodes: Vec<Weighed> = (keys.iter().enumerate())
        .map(|(rank, &key)| Weighed {
            class: key as u32,
            weight: weight(rank),
        })
        .collect();
    let discordant = merge_sort(&mut nodes, &sort_short, &merge);
    let untied_second = weight_across_groups(
        nodes
            .iter()
            .map(|node| (u64::from(node.class), node.weight)),
    );
    let agreement = untied_first + untied_second - not_tied_in_both - 2.0 * discordant;
    tau([agreement, untied_first, untied_second])
}

/// The weight of all pairs with different keys, given nodes in increasing order of key.
fn weight_across_groups(nodes: impl Iterator<Item = (u64, f64)>) -> f64 {
    let (mut before, mut group, mut across) = (
        Compensated::default(),
        Compensated::default(),
        Compensated::default(),
    );
    let mut current = None;
    for (key, weight) in nodes {
        if current != Some(key) {
            across.add(before.value() * group.value());
            before.add(group.value());
            (current, group) = (Some(key), Compensated::default());
        }
        group.add(weight);
    }
    across.add(before.value() * group.value());
    across.value()
}

/// Sorts a short slice by class, stably, and returns the weight of its inversions.
fn sort_short(nodes: &mut [Weighed]) -> f64 {
    let mut inversions = 0.0;
    for i in 1..nodes.len() {
        let node = nodes[i];
        let mut hole = i;
        while hole > 0 && nodes[hole - 1].class > node.class {
            nodes[hole] = nodes[hole - 1];
            inversions += nodes[hole].weight * node.weight;
            hole -= 1;
        }
        nodes[hole] = node;
    }
    inversions
}

/// Merges and returns the weight of the inversions between the two halves.
fn merge(left: &[Weighed], right: &[Weighed], out: &mut [Weighed]) -> f64 {
    let (mut i, mut k) = (0, 0);
    let (mut passed, mut inversions) = (0.0, Compensated::default());
    for slot in out {
        if i < left.len() && (k == right.len() || left[i].class <= right[k].class) {
            inversions.add(left[i].weight * passed);
            *slot = left[i];
            i += 1;
        } else {
            passed += right[k].weight;
            *slot = right[k];
            k += 1;
        }
    }
    inversions.value()
}
