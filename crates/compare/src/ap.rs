//! AP correlation: Kendall's tau where errors near the top of the estimate weigh more.
//!
//! With a true ranking and an estimate without ties, nodes numbered 1 to n by the estimate,
//!
//!   tau_ap = 2/(n-1) · sum over i = 2..n of U(i)/(i-1)  -  1,
//!
//! where U(i) is the number of nodes above i in the estimate that are also above i in truth. Pick a
//! random node (not the first), then a random node above it: tau_ap is the probability that they
//! are in the right order, scaled to -1 (reversed) to 1 (equal). It is not symmetric: the
//! estimate's top counts most.
//!
//! Ties, after Urbano and Marrero:
//! - tau_ap,a, for ties in the estimate only: the expectation of tau_ap when each tie is broken
//!   uniformly at random. Undefined (none) when the truth has ties.
//! - tau_ap,b, for ties in both: the average over both directions of
//!   2/(n - t) · sum over i of U(i)/(above i) - 1, where `above i` nodes are strictly above i in
//!   the direction's estimate, U(i) of them strictly above in the other vector too, and i runs
//!   over all but the t nodes tied for the top. Symmetric; 1 when the orders agree, ties
//!   included. A tie only in the other vector counts as a disagreement.
//!
//! Without ties, tau_ap,a is tau_ap, and tau_ap,b is the average of its two directions. Both are
//! undefined (none) for n < 2, tau_ap,b also when a vector is constant. O(n) on a [`Pair`].
//!
//! Yilmaz, Aslam, Robertson, "A new rank correlation coefficient for information retrieval",
//! SIGIR 2008; Urbano, Marrero, "The treatment of ties in AP correlation", ICTIR 2017.

use serde::Serialize;

use super::pair::{NodeTally, Pair};
use super::sums::{Compensated, sum_blocks};
use webrank_base::parallel::tasks;
use webrank_scores::ranking::Ranking;

/// The AP correlations of two vectors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ApCorrelation {
    /// tau_ap,a with x as truth and y as estimate; none if x has ties.
    pub x_is_truth: Option<f64>,
    /// tau_ap,a with y as truth and x as estimate; none if y has ties.
    pub y_is_truth: Option<f64>,
    /// tau_ap,b: neither vector is the truth.
    pub symmetric: Option<f64>,
}

/// The AP correlations of two vectors.
pub fn ap_correlation(pair: &Pair) -> ApCorrelation {
    let (x, y) = (pair.x(), pair.y());
    let [sum_x, sum_y] = pair.sum(|node| {
        let NodeTally {
            above_x,
            above_y,
            above_both,
            ..
        } = node;
        let share = |above: u32| f64::from(above_both) / f64::from(above.max(1));
        [share(above_x), share(above_y)]
    });
    let (by_x, by_y) = (scale(sum_x, below_top(x)), scale(sum_y, below_top(y)));
    let above_x = |node: NodeTally| node.above_x;
    let above_y = |node: NodeTally| node.above_y;
    ApCorrelation {
        x_is_truth: expected(pair, x, y, above_y, by_y),
        y_is_truth: expected(pair, y, x, above_x, by_x),
        symmetric: by_x.zip(by_y).map(|(by_x, by_y)| (by_x + by_y) / 2.0),
    }
}

/// 2 · sum / nodes - 1; none for no nodes.
fn scale(sum: f64, nodes: usize) -> Option<f64> {
    (nodes > 0).then(|| (2.0 * sum / nodes as f64 - 1.0).clamp(-1.0, 1.0))
}

/// Nodes that are not tied for the top.
fn below_top(ranking: &Ranking) -> usize {
    ranking.len()
        - if ranking.is_empty() {
            0
        } else {
            ranking.positions(0).len()
        }
}

/// tau_ap,a; `untied` is its value when the estimate has no ties.
fn expected(
    pair: &Pair,
    truth: &Ranking,
    estimate: &Ranking,
    above: impl Fn(NodeTally) -> u32 + Sync,
    untied: Option<f64>,
) -> Option<f64> {
    if truth.has_ties() || !estimate.has_ties() {
        return untied.filter(|_| !truth.has_ties());
    }
    // A node takes each place of its tie equally often: U(i) times the mean of 1/(i - 1) ...
    let inverse = mean_inverse_above(estimate);
    let [across] = pair.sum(|node| [f64::from(node.above_both) * inverse[above(node) as usize]]);
    // ... and k places below the first, k nodes of its tie precede it, half of them rightly.
    let [within] = sum_blocks(
        estimate.num_classes(),
        |classes, [sum]: &mut [Compensated; 1]| {
            for class in classes {
                let first = estimate.positions(class as u32).start;
                for k in 1..estimate.positions(class as u32).len() {
                    sum.add(0.5 * k as f64 / (f64::from(first) + k as f64));
                }
            }
        },
    );
    scale(across + within, pair.len().saturating_sub(1))
}

/// For each class, at the index of its first position: the mean over its positions of 1/position
/// (0 for the top class, which has no nodes above).
fn mean_inverse_above(estimate: &Ranking) -> Vec<f64> {
    let mean = |class: usize| {
        let positions = estimate.positions(class as u32);
        let (first, len) = (positions.start, positions.len());
        let mut sum = Compensated::default();
        for position in positions.filter(|_| first > 0) {
            sum.add(1.0 / f64::from(position));
        }
        (first as usize, sum.value() / len as f64)
    };
    let means = tasks::tabulate(estimate.num_classes(), mean);
    let mut at_first = vec![0.0; estimate.len()];
    for (first, mean) in means {
        at_first[first] = mean;
    }
    at_first
}
