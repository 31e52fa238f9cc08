//! Confidence intervals for the probability that a sampled path passes through a node.
//!
//! Each of T independent paths passes through x with probability b(x), so the number c of those
//! that do is binomial. A value b is rejected for x if c would be too unlikely under it:
//!
//! ```text
//!   P(Bin(T, b) >= c) < share * b      or      P(Bin(T, b) <= c) < share * b
//! ```
//!
//! and the interval consists of the values that are not rejected. The true b(x) is rejected with
//! probability at most 2 share b(x), and the sum of the b(x) over ALL x is rho, the mean number of
//! inner nodes of a path. So with share = delta / (2 rho) the intervals of all nodes hold
//! simultaneously with probability at least 1 - delta. This union bound gives each node a part of
//! delta in proportion to b(x), where a uniform one would give it 1/n. (Pellegrina and Vandin 2023
//! use the same sum to count the nodes that matter.)
//!
//! Tails are bounded from above, which rejects less and keeps the proof valid. With p = c/T, C(T,
//! c) <= exp(T H(p)) / sqrt(2 pi T p (1-p)), by Stirling (Ash 1965, lemma 4.7.1). Terms beyond c
//! fall at least as fast as the first two, so their sum is at most a geometric series. Together the
//! two facts give a bound tighter than Chernoff's by a factor near sqrt(2 pi) (deviation / standard
//! deviation), and even tighter than Bernstein's.

use std::f64::consts::TAU;

/// An allowance, in every test, for rounding in the logarithm of a tail.
const ROUNDING: f64 = 1e-6;

/// The interval of the b that a count of `count` in `samples` paths does not reject, with tests of
/// level `share * b` on either side; `share` as above.
///
/// Below the count, the bound of the tail divided by b increases in b up to (c-1)/(T-1), where it
/// is far from rejecting; above the count, the bound decreases and the level grows. So the values
/// that are not rejected form an interval. Bisection finds its ends and returns each from the
/// rejected side.
pub fn interval(count: u64, samples: u64, share: f64) -> (f64, f64) {
    let (c, t) = (count as f64, samples as f64);
    let level = |b: f64| (share * b).ln() - ROUNDING;
    let below = |b: f64| ln_upper_tail(c, t, b) < level(b);
    let above = |b: f64| ln_lower_tail(c, t, b) < level(b);
    let lower = match count {
        0 | 1 => 0.0,
        _ => bisect(0.0, (c - 1.0) / (t - 1.0), below),
    };
    let upper = if count == samples {
        1.0
    } else {
        bisect(1.0, c / t, above)
    };
    (lower, upper)
}

/// The last rejected value, on the way from `rejected` towards `kept`.
fn bisect(mut rejected: f64, mut kept: f64, rejects: impl Fn(f64) -> bool) -> f64 {
    while (kept - rejected).abs() > 1e-9 * kept.max(rejected) {
        let middle = 0.5 * (kept + rejected);
        if rejects(middle) {
            rejected = middle;
        } else {
            kept = middle;
        }
    }
    rejected
}

/// A bound on ln P(Bin(t, b) >= c), for 0 < b < (c+1)/(t+1).
fn ln_upper_tail(c: f64, t: f64, b: f64) -> f64 {
    let ratio = b * (t - c) / ((1.0 - b) * (c + 1.0));
    ln_probability(c, t, b) - (-ratio).ln_1p()
}

/// A bound on ln P(Bin(t, b) <= c), for c/(t+1) < b < 1.
fn ln_lower_tail(c: f64, t: f64, b: f64) -> f64 {
    let ratio = (1.0 - b) * c / (b * (t - c + 1.0));
    ln_probability(c, t, b) - (-ratio).ln_1p()
}

/// A bound on ln P(Bin(t, b) = c).
fn ln_probability(c: f64, t: f64, b: f64) -> f64 {
    let hit = if c > 0.0 { c * (b * t / c).ln() } else { 0.0 };
    let miss = if c < t {
        (t - c) * ((-b).ln_1p() - (-c / t).ln_1p())
    } else {
        0.0
    };
    let spread = c * (1.0 - c / t);
    hit + miss
        - if spread > 0.0 {
            0.5 * (TAU * spread).ln()
        } else {
            0.0
        }
}

/// An upper bound on a mean of values in [0, range], wrong with probability at most `delta`, from
/// the `sum` and the sum of squares of `samples` of them: the empirical Bernstein bound of Maurer
/// and Pontil 2009, theorem 4.
pub fn mean_at_most(sum: u64, squares: u128, samples: u64, range: f64, delta: f64) -> f64 {
    if samples < 2 {
        return range;
    }
    let (sum, squares, t) = (sum as f64, squares as f64, samples as f64);
    let variance = ((squares - sum * sum / t) / (t - 1.0)).max(0.0);
    let log = (2.0 / delta).ln();
    let off = (2.0 * variance * log / t).sqrt() + 7.0 * range * log / (3.0 * (t - 1.0));
    (sum / t + off).min(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(Bin(t, b) = k) for every k.
    fn binomial(t: usize, b: f64) -> Vec<f64> {
        let mut row = vec![1.0];
        for _ in 0..t {
            let mut next = vec![0.0; row.len() + 1];
            for (k, p) in row.iter().enumerate() {
                next[k] += p * (1.0 - b);
                next[k + 1] += p * b;
            }
            row = next;
        }
        row
    }

    #[test]
    fn tails_are_bounded_from_above_and_closely() {
        for t in [2, 7, 60] {
            for b in [0.01, 0.2, 0.5, 0.9] {
                let exact = binomial(t, b);
                for c in 0..=t {
                    let bound = |ln: f64| ln.exp() * (1.0 + 1e-9);
                    let (c_f, t_f, p) = (c as f64, t as f64, c as f64 / t as f64);
                    if p > b {
                        let tail: f64 = exact[c..].iter().sum();
                        let found = bound(ln_upper_tail(c_f, t_f, b));
                        assert!(found >= tail && (found < 2.0 * tail || p < b + 0.2));
                    }
                    if p < b {
                        let tail: f64 = exact[..=c].iter().sum();
                        let found = bound(ln_lower_tail(c_f, t_f, b));
                        assert!(found >= tail && (found < 2.0 * tail || p > b - 0.2));
                    }
                }
            }
        }
    }

    #[test]
    fn a_true_value_is_missed_no_more_often_than_allowed() {
        let (t, share) = (200, 0.3);
        let intervals: Vec<_> = (0..=t).map(|c| interval(c, t, share)).collect();
        for b in (1..100).map(|k| k as f64 / 100.0) {
            let missed: f64 = binomial(t as usize, b)
                .iter()
                .zip(&intervals)
                .filter(|(_, ends)| b < ends.0 || ends.1 < b)
                .map(|(p, _)| p)
                .sum();
            assert!(missed <= 2.0 * share * b, "{b}: {missed}");
        }
    }

    #[test]
    fn ends_grow_with_the_count_and_hold_its_share() {
        let ends: Vec<_> = (0..=500).map(|c| interval(c, 500, 0.01)).collect();
        for (c, pair) in ends.windows(2).enumerate() {
            assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1, "{c}");
        }
        for (c, (lower, upper)) in ends.into_iter().enumerate() {
            let p = c as f64 / 500.0;
            assert!(
                0.0 <= lower && lower <= p && p <= upper && upper <= 1.0,
                "{c}"
            );
        }
        assert_eq!(interval(1, 10, 0.1).0, 0.0);
        assert_eq!(interval(10, 10, 0.1).1, 1.0);
    }

    #[test]
    fn a_mean_is_bounded_by_its_range_and_from_its_samples() {
        assert_eq!(mean_at_most(3, 9, 1, 5.0, 0.1), 5.0);
        let many = mean_at_most(2_000_000, 5_000_000, 1_000_000, 10.0, 0.1);
        assert!(2.0 < many && many < 2.01);
    }
}
