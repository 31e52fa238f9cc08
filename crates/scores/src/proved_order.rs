//! How far down the order of a ranking is proved.
//!
//! If the l1 distance between scores z and the true scores is at most B, then for any two nodes
//! the sum of their two errors is at most B. So nodes whose scores differ by more than B are
//! certainly in the right order. (The error of a single node is at most B; if both vectors sum to
//! one, errors add up to zero and it is at most B / 2.)
//!
//! Exact ties, of nodes that a measure knows to have equal true scores, count as proved too.

use super::ranking::Ranking;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::parallel::tasks;

/// The order of a node and the one above it, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Before {
    /// Their true scores are equal.
    Tied,
    /// Their order is proved.
    Apart,
    /// Neither.
    #[default]
    Close,
}

/// Whether the larger of two scores is truly the larger, if their l1 error is at most `bound`.
fn is_apart(larger: f64, smaller: f64, bound: f64) -> bool {
    // The difference carries one rounding.
    (larger - smaller) * (1.0 - f64::EPSILON) > bound
}

/// Finds which positions are proved, one after the other.
pub(crate) struct Proof {
    bound: f64,
    /// Positions so far.
    count: usize,
    /// The first of them that is not proved.
    unproved: Option<usize>,
    /// Whether the next one is below all of them for certain.
    separated: bool,
}

impl Proof {
    /// For scores whose l1 error is at most `bound`.
    pub(crate) fn within(bound: f64) -> Self {
        Proof {
            bound,
            count: 0,
            unproved: None,
            separated: true,
        }
    }

    /// Whether the next `count` positions are proved, whose nodes are known to tie: those with the
    /// score `last`, which the score `next` follows.
    pub(crate) fn take(&mut self, count: usize, last: f64, next: Option<f64>) -> bool {
        let separated_below = next.is_none_or(|next| is_apart(last, next, self.bound));
        let is_proved = self.separated && separated_below;
        if !is_proved {
            self.unproved.get_or_insert(self.count);
        }
        self.count += count;
        self.separated = separated_below;
        is_proved
    }

    /// How many positions from the first on are proved.
    pub(crate) fn proved(&self) -> usize {
        self.unproved.unwrap_or(self.count)
    }
}

/// Which positions of a ranking are proved.
#[derive(Debug, Clone)]
pub struct Certainty {
    proved: usize,
    /// Whether the rank of each node is proved.
    certain: Vec<bool>,
}

impl Certainty {
    /// Compares neighbours in the ranking of `scores`, whose l1 error is at most `bound`;
    /// `tied(a, b)` says whether nodes with bit-equal scores have equal true scores, and ties with
    /// all that those tie with. O(n) calls, parallel.
    pub fn new(
        ranking: &Ranking,
        scores: &[f64],
        bound: f64,
        tied: impl Fn(Node, Node) -> bool + Sync,
    ) -> Self {
        let order = ranking.order();
        let before = tasks::tabulate(order.len(), |place| {
            let Some(above) = place.checked_sub(1) else {
                return Before::Apart;
            };
            let [above, node] = [order[above], order[place]];
            let [higher, score] = [scores[above as usize], scores[node as usize]];
            match () {
                () if higher == score && tied(above, node) => Before::Tied,
                () if is_apart(higher, score, bound) => Before::Apart,
                () => Before::Close,
            }
        });
        let mut proved = None;
        let mut certain = vec![false; order.len()];
        let mut start = 0;
        while start < order.len() {
            let rest = &before[start + 1..];
            let tied = rest.iter().take_while(|&&before| before == Before::Tied);
            let end = start + 1 + tied.count();
            let is_apart = before
                .get(end)
                .is_none_or(|&before| before == Before::Apart);
            if before[start] == Before::Apart && is_apart {
                certain[start..end].fill(true);
            } else {
                proved.get_or_insert(start);
            }
            start = end;
        }
        // Every node is written once: relaxed stores are plain stores, without a race.
        let of_nodes: Vec<AtomicBool> = order.iter().map(|_| AtomicBool::new(false)).collect();
        tasks::for_each(tasks::ranges(order.len()), |places| {
            for place in places {
                of_nodes[order[place] as usize].store(certain[place], Relaxed);
            }
        });
        Certainty {
            proved: proved.unwrap_or(order.len()),
            certain: of_nodes.into_iter().map(AtomicBool::into_inner).collect(),
        }
    }

    /// So many positions are proved, of a ranking whose table is elsewhere.
    pub fn of_positions(proved: usize) -> Self {
        let certain = Vec::new();
        Certainty { proved, certain }
    }

    /// Compares intervals `lower[x]` to `upper[x]` that hold the true scores of all nodes: the rank
    /// of a node is proved if its interval is disjoint from all others.
    pub fn of_intervals(ranking: &Ranking, lower: &[f64], upper: &[f64]) -> Self {
        let order = ranking.order();
        let mut certain = vec![true; order.len()];
        let mut least = f64::INFINITY;
        for x in order.iter().map(|&node| node as usize) {
            certain[x] &= upper[x] < least;
            least = least.min(lower[x]);
        }
        let mut most = f64::NEG_INFINITY;
        for x in order.iter().rev().map(|&node| node as usize) {
            certain[x] &= lower[x] > most;
            most = most.max(upper[x]);
        }
        let proved = order.iter().take_while(|&&node| certain[node as usize]);
        Certainty {
            proved: proved.count(),
            certain,
        }
    }

    /// How many positions from the first on are proved.
    pub fn proved_positions(&self) -> usize {
        self.proved
    }

    /// For every node, whether its rank is proved.
    pub fn certain(&self) -> &[bool] {
        &self.certain
    }

    /// True if the first `k` positions, or all there are, are proved.
    pub fn proves(&self, k: usize) -> bool {
        self.proved >= k.min(self.certain.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certainty(
        scores: &[f64],
        bound: f64,
        tied: impl Fn(Node, Node) -> bool + Sync,
    ) -> Certainty {
        Certainty::new(&Ranking::new(scores).unwrap(), scores, bound, tied)
    }

    #[test]
    fn gaps_above_the_bound_prove_the_order() {
        let scores = [0.1, 0.5, 0.3, 0.09];
        let certainty = certainty(&scores, 0.05, |_, _| false);
        assert_eq!(certainty.proved_positions(), 2);
        assert_eq!(certainty.certain(), [false, true, true, false]);
        assert!(certainty.proves(2) && !certainty.proves(3));
    }

    #[test]
    fn known_ties_are_proved_and_others_are_not() {
        let scores = [0.5, 0.3, 0.3, 0.1];
        assert!(certainty(&scores, 0.05, |_, _| true).proves(100));
        assert_eq!(certainty(&scores, 0.05, |_, _| false).proved_positions(), 1);
    }

    #[test]
    fn intervals_apart_from_all_others_prove_ranks() {
        let ranking = Ranking::new(&[0.5, 0.9, 0.4, 0.1]).unwrap();
        let (lower, upper) = ([0.45, 0.8, 0.38, 0.0], [0.55, 1.0, 0.47, 0.2]);
        let certainty = Certainty::of_intervals(&ranking, &lower, &upper);
        assert_eq!(certainty.certain(), [false, true, false, true]);
        assert_eq!(certainty.proved_positions(), 1);
        let ranking = Ranking::new(&[0.5, 0.9]).unwrap();
        let touching = Certainty::of_intervals(&ranking, &[0.4, 0.6], &[0.6, 1.0]);
        assert_eq!(touching.certain(), [false; 2]);
    }

    #[test]
    fn a_difference_of_just_the_bound_proves_nothing() {
        assert!(!is_apart(1.0, 1.0, 0.0));
        assert!(!is_apart(3.0, 1.0, 2.0 * (1.0 - f64::EPSILON)));
    }

    #[test]
    fn no_nodes() {
        assert!(certainty(&[], 0.1, |_, _| false).proves(3));
    }
}
