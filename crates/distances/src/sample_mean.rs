//! The proved interval of a sum over all nodes, from a sample.
//!
//! n numbers in [0, 1] have the mean p and the mean square q. k of them, drawn without replacement,
//! have the mean p' and the mean square q'. Three facts give the interval of the sum n p:
//!
//! * **Chernoff, Hoeffding.** For p < p' the probability of such a mean or a larger one is at most
//!   exp(-k KL(p', p)), where KL is the relative entropy of two coins (Hoeffding 1963, theorem 1); the
//!   same holds below. This is nearly exact for rare events: it is what bounds a sum of which the
//!   sample has seen little or nothing.
//! * **Bernstein.** With a variance v and no number farther than b from p on that side, it is at most
//!   exp(-k t^2 / (2 (v + b t / 3))) for t = |p' - p|. Numbers that vary little need fewer samples.
//!   v = q - p^2 is bounded from q', again by Chernoff.
//! * **Without replacement.** Hoeffding 1963, theorem 4: all such bounds hold without replacement too.
//!   The n - k numbers that are not drawn are themselves a sample, with a mean that p and p' determine.
//!   If they are fewer, the bounds are applied to them: they shrink with n - k, and vanish for k = n.
//!
//! With probability at least 1 - miss, the interval of one sum holds it: 0.45 miss for p' too large,
//! as much for p' too small, and a tenth for q'. (Bernstein costs nothing more than Chernoff: both
//! weaken one bound, Hoeffding's theorem 3 with the true v, and so reject only in one event.) Nothing
//! is asymptotic. About that share of the intervals of many sums may miss, and it depends on the sample
//! which. Normal approximations would be narrower by a third or more, and miss rare terms.
//!
//! **Independent draws** ([`SampleMean::independent`]) need not have the same distribution: one number may be
//! drawn from each of k runs, if the mean of their expectations is p. Hoeffding's theorems 1 and 3 ask
//! for independence alone. The mean variance is at most q - p^2 (Jensen), and a number is no farther than
//! 1 from its own expectation: b = 1. The third fact does not hold: what was not drawn is no sample.
//!
//! Maurer and Pontil 2009 and Bardenet and Maillard 2015 put the sample's variance into Bernstein's
//! bound in the same way, with larger constants.

use webrank_scores::intervals::Confidence;

/// The share of the probability of a miss for each side of the mean.
const OF_SIDE: f64 = 0.45;
/// That for the mean square.
const OF_SQUARES: f64 = 0.1;
/// How closely the ends are found, relative to them; the error is outwards.
const CLOSELY: f64 = 1e-6;

/// So often is the way to an end halved at most: of ends below 1e-13, which nothing may reject, it is
/// enough that they are outwards.
const HALVINGS: usize = 64;

/// A sample of so many numbers of a population.
#[derive(Debug, Clone, Copy)]
pub struct SampleMean {
    samples: f64,
    population: f64,
    /// Whether draws are independent, and have distributions of their own.
    is_independent: bool,
    /// Minus the logarithm of the probability of a miss on one side, and of one of the mean square.
    side: f64,
    squares: f64,
}

impl SampleMean {
    /// `samples` of `population` numbers, drawn without replacement: at least one, at most all.
    pub fn new(samples: usize, population: usize, confidence: Confidence) -> Self {
        SampleMean {
            samples: samples as f64,
            population: population as f64,
            is_independent: false,
            side: -(OF_SIDE * confidence.miss()).ln(),
            squares: -(OF_SQUARES * confidence.miss()).ln(),
        }
    }

    /// `samples` independent draws of `population` numbers, no more than these. Each number is drawn
    /// samples/population times in expectation.
    pub fn independent(samples: usize, population: usize, confidence: Confidence) -> Self {
        SampleMean {
            is_independent: true,
            ..Self::new(samples, population, confidence)
        }
    }

    /// Whether the bounds are for the numbers that were drawn, not for the others.
    fn is_of_drawn(&self) -> bool {
        self.is_independent || 2.0 * self.samples <= self.population
    }

    /// The interval of the sum of all numbers, from the sum of those in the sample and the sum of
    /// their squares, if it is known. About 100 logarithms.
    pub fn interval(&self, sum: f64, squares: Option<f64>) -> (f64, f64) {
        let (k, n) = (self.samples, self.population);
        if k >= n {
            return (sum, sum);
        }
        let mean = (sum / k).clamp(0.0, 1.0);
        let (least, most) = self.chernoff(mean);
        let (least, most) = match squares {
            Some(squares) => self.bernstein(mean, squares / k, least, most),
            None => (least, most),
        };
        if self.is_independent {
            return (n * least, n * most);
        }
        // Numbers that were not drawn are between 0 and 1 each.
        ((n * least).max(sum), (n * most).min(sum + (n - k)))
    }

    /// The means that Chernoff's bound does not reject, on either side.
    fn chernoff(&self, mean: f64) -> (f64, f64) {
        let rejects = |p: f64| self.rejects(mean, p, self.side);
        (bisect(0.0, mean, rejects), bisect(1.0, mean, rejects))
    }

    /// True if a population of mean p has a sample of this mean, or a farther one, with a probability
    /// below exp(-level). It grows with the distance of p.
    fn rejects(&self, mean: f64, p: f64, level: f64) -> bool {
        let (k, n) = (self.samples, self.population);
        let (size, seen) = match self.is_of_drawn() {
            true => (k, mean),
            false => (n - k, p + (p - mean) * k / (n - k)),
        };
        !(0.0..=1.0).contains(&seen) || size * relative_entropy(seen, p) > level
    }

    /// The means among these that Bernstein's bound does not reject, either.
    fn bernstein(&self, mean: f64, square: f64, least: f64, most: f64) -> (f64, f64) {
        let (k, n) = (self.samples, self.population);
        let square = square.clamp(0.0, 1.0);
        let q = bisect(1.0, square, |q| self.rejects(square, q, self.squares));
        // The distance from p to the sample's mean: the other numbers' mean is farther away, by a
        // factor.
        let (size, factor) = match self.is_of_drawn() {
            true => (k, 1.0),
            false => (n - k, k / (n - k)),
        };
        let distance = |p: f64, farthest: f64| {
            let variance = (q - p * p).max(0.0);
            let part = farthest * self.side / (3.0 * size);
            (part + (part * part + 2.0 * variance * self.side / size).sqrt()) / factor
        };
        // No number is farther from p, on the side of the mean that is looked at, than p or 1 - p.
        let (below_most, above_least) = match self.is_of_drawn() {
            true if self.is_independent => (1.0, 1.0),
            true => (most, 1.0 - least),
            false => (1.0 - mean, mean),
        };
        let upper = most.min(mean + distance(mean, below_most));
        let lower = least.max(mean - distance(least, above_least));
        // Now that p is known to be larger, the variance is smaller.
        let lower = lower.max(mean - distance(lower, above_least));
        (lower, upper)
    }
}

/// The relative entropy of coins that show heads with probabilities a and b.
fn relative_entropy(a: f64, b: f64) -> f64 {
    let heads = if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    let tails = if a < 1.0 {
        (1.0 - a) * ((b - a) / (1.0 - b)).ln_1p()
    } else {
        0.0
    };
    heads + tails
}

/// The last rejected value on the way from `outer` to `kept`, which is not rejected; `outer` if none
/// is.
fn bisect(outer: f64, kept: f64, rejects: impl Fn(f64) -> bool) -> f64 {
    if outer == kept || !rejects(outer) {
        return outer;
    }
    let (mut rejected, mut kept) = (outer, kept);
    for _ in 0..HALVINGS {
        if (kept - rejected).abs() <= CLOSELY * kept.max(rejected) {
            break;
        }
        let middle = 0.5 * (kept + rejected);
        if rejects(middle) {
            rejected = middle;
        } else {
            kept = middle;
        }
    }
    rejected
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_graph::sources::SearchSources;

    fn of(samples: usize, population: usize, confidence: f64) -> SampleMean {
        SampleMean::new(samples, population, Confidence::new(confidence).unwrap())
    }

    /// The lower end is 0 for means so small that nothing but 0 is rejected.
    #[test]
    fn the_least_means_have_ends() {
        for sum in [1e-9, 1e-100, 1e-308, 5e-324] {
            for (samples, population) in [(300, 60_000), (50_000, 60_000)] {
                let sample = of(samples, population, 0.95);
                for squares in [None, Some(sum)] {
                    let (lower, upper) = sample.interval(sum, squares);
                    assert!(lower == sum && sum < upper, "{sum}: {lower}, {upper}");
                    assert!(upper < 0.05 * population as f64, "{sum}: {upper}");
                }
            }
        }
    }

    /// ln C(n, k).
    fn ln_choose(n: usize, k: usize) -> f64 {
        (1..=k)
            .map(|i| ((n - k + i) as f64).ln() - (i as f64).ln())
            .sum()
    }

    /// The probability of a miss, exactly: a count in a sample is hypergeometric.
    #[test]
    fn counts_are_missed_no_more_often_than_allowed() {
        let n = 60;
        for samples in [1, 2, 7, 29, 30, 31, 45, 58, 59, 60] {
            for confidence in [0.5, 0.9, 0.95, 0.99] {
                let sample = of(samples, n, confidence);
                let ends: Vec<_> = (0..=samples)
                    .map(|c| sample.interval(c as f64, Some(c as f64)))
                    .collect();
                for ones in 0..=n {
                    let possible = samples.saturating_sub(n - ones)..=ones.min(samples);
                    let missed: f64 = possible
                        .filter(|&c| (ones as f64) < ends[c].0 || ends[c].1 < ones as f64)
                        .map(|c| {
                            let ways = ln_choose(ones, c) + ln_choose(n - ones, samples - c);
                            (ways - ln_choose(n, samples)).exp()
                        })
                        .sum();
                    assert!(missed <= 1.0 - confidence, "{samples} {ones}: {missed}");
                }
            }
        }
    }

    /// Inverse distances as in a graph: few ones, many thirds and quarters, some zeros.
    fn population() -> Vec<f64> {
        let value = |i: usize| match i % 20 {
            0 => 1.0,
            1..5 => 0.5,
            5..11 => 1.0 / 3.0,
            11..16 => 0.25,
            _ => 0.0,
        };
        (0..10_000).map(value).collect()
    }

    #[test]
    fn squares_make_intervals_narrower_and_they_still_hold() {
        let all = population();
        let truth: f64 = all.iter().sum();
        for count in [50, 3000, 4999, 5001, 7000, 9990] {
            let sample = of(count, all.len(), 0.9);
            let mut held = 0;
            for seed in 0..200 {
                let nodes = SearchSources::Sample { count, seed }
                    .nodes(all.len())
                    .unwrap();
                let drawn = nodes.iter().map(|&node| all[node as usize]);
                let (sum, squares) =
                    drawn.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
                let (lower, upper) = sample.interval(sum, Some(squares));
                let (outer, above) = sample.interval(sum, None);
                assert!(outer <= lower && upper <= above, "{count} {seed}");
                if (3000..=7000).contains(&count) {
                    assert!(upper - lower < 0.7 * (above - outer), "{count} {seed}");
                }
                let score = sum * all.len() as f64 / count as f64;
                assert!(lower <= score && score <= upper);
                held += u32::from(lower <= truth && truth <= upper);
            }
            assert!(held >= 190, "{count}: {held} of 200");
        }
    }

    #[test]
    fn what_was_seen_is_there_and_what_was_not_drawn_is_at_most_one_each() {
        assert_eq!(of(10, 10, 0.9).interval(3.7, Some(2.0)), (3.7, 3.7));
        let (lower, upper) = of(9, 10, 0.9).interval(4.0, Some(4.0));
        assert_eq!((lower, upper), (4.0, 5.0));
        let (lower, upper) = of(1000, 1_000_000, 0.95).interval(0.0, Some(0.0));
        // ln(1 / 0.0225) = 3.8 would have been seen.
        assert_eq!(lower, 0.0);
        assert!((3700.0..3900.0).contains(&upper), "{upper}");
        let (lower, upper) = of(1000, 1_000_000, 0.95).interval(1000.0, Some(1000.0));
        assert_eq!(upper, 1e6);
        assert!((996_100.0..996_300.0).contains(&lower), "{lower}");
    }

    #[test]
    fn ends_grow_with_the_sum() {
        for sample in [of(100, 5000, 0.95), of(4000, 5000, 0.95)] {
            let samples = sample.samples as usize;
            let ends = (0..=samples).map(|sum| sample.interval(sum as f64, None));
            let ends: Vec<_> = ends.collect();
            for pair in ends.windows(2) {
                assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
            }
        }
    }
}
