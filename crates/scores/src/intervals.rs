//! Confidence intervals of scores, and the ranks that they leave open.
//!
//! An interval is an estimate's own statement of its error: from `lower` to `upper`. A [`Claim`] says
//! how often such intervals hold the true score, whether that is counted for each node by itself or
//! for all nodes at once, and whether it is proved.
//!
//! From the intervals follow ranks. The rank of v is 1 plus the number of nodes with a larger score.
//! If every interval holds its true score, then
//!
//! ```text
//!   rank_from(v) = 1 + the number of u with lower(u) > upper(v)         u is surely better
//!   rank_to(v)   = 1 + the number of u other than v with upper(u) > lower(v)       u may be better
//! ```
//!
//! enclose the true rank, and no narrower range does. Nodes whose intervals are the same single
//! number tie, as ranks do. If the claim is about each node by itself, some intervals miss, and a true
//! rank may lie outside by as many places as there are intervals that miss; `docs/src/measurements/estimates.md` has
//! how often it does.

use super::ranking::increasing_bits;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use special::Error as _;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};
use std::fmt;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;

/// How often an interval holds the truth: from 0.5 to 0.999999.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(f64);

impl Default for Confidence {
    /// 0.95.
    fn default() -> Self {
        Confidence(0.95)
    }
}

impl Confidence {
    /// Checks a confidence.
    ///
    /// # Errors
    /// If it is not from 0.5 to 0.999999.
    pub fn new(confidence: f64) -> Result<Self> {
        if (0.5..=0.999_999).contains(&confidence) {
            Ok(Confidence(confidence))
        } else {
            let remedy = "give a number from 0.5 to 0.999999, such as 0.95";
            Err(Error::argument("confidence", confidence, remedy))
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The probability of a miss.
    pub fn miss(self) -> f64 {
        1.0 - self.0
    }

    /// How many standard deviations on either side of the mean of a normal distribution have this
    /// probability: 1.96 for 0.95.
    pub fn deviations(self) -> f64 {
        SQRT_2 * self.0.inv_error()
    }

    /// [`Self::deviations`] for Student's distribution with 15 degrees of freedom: 2.13 for 0.95.
    pub fn quantile_of_t15(self) -> f64 {
        // Abramowitz and Stegun 26.7.3: the probability within t, with the angle arctan(t / sqrt(15)).
        let within = |angle: f64| {
            let square = angle.cos().powi(2);
            let series = (1..=6).rev().fold(1.0, |sum, i| {
                sum * (2 * i) as f64 / (2 * i + 1) as f64 * square + 1.0
            });
            2.0 / PI * (angle + angle.sin() * angle.cos() * series)
        };
        let (mut low, mut high) = (0.0, FRAC_PI_2);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match within(middle) < self.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        15f64.sqrt() * high.tan()
    }
}

/// The claim of intervals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The probability that the truth is inside.
    pub confidence: f64,
    /// Whose truth.
    pub holds: Holds,
    /// True if the probability is proved. If not, it rests on the normal distribution of errors, or on Student's.
    pub proved: bool,
}

/// Whose truth is inside with the stated probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// The truth of any one node, chosen beforehand. Some intervals of many nodes miss.
    EachNode,
    /// The truths of all nodes at once.
    AllNodes,
}

/// As a clause: `each holds the truth with probability 0.95, proved`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match self.holds {
            Holds::EachNode => "each by itself holds the truth",
            Holds::AllNodes => "all at once hold the truth",
        };
        let proof = match self.proved {
            true => "proved",
            false => "estimated, not proved",
        };
        write!(f, "{whose} with probability {}, {proof}", self.confidence)
    }
}

/// An interval for the score of every node.
#[derive(Debug, Clone, PartialEq)]
pub struct Intervals {
    /// The lower ends, none above the score.
    pub lower: Vec<f64>,
    /// The upper ends, none below the score.
    pub upper: Vec<f64>,
    /// Their claim.
    pub claim: Claim,
}

impl Intervals {
    /// The intervals `ends(x)` of the nodes x, widened to their scores, in parallel.
    pub fn around(scores: &[f64], claim: Claim, ends: impl Fn(usize) -> (f64, f64) + Sync) -> Self {
        let [mut lower, mut upper] = [scores, scores].map(<[f64]>::to_vec);
        let ranges: Vec<_> = tasks::ranges(scores.len()).collect();
        let parts = split_mut(&mut lower, &ranges)
            .into_iter()
            .zip(split_mut(&mut upper, &ranges));
        tasks::for_each(
            parts.zip(ranges.iter().cloned()),
            |((lower, upper), nodes)| {
                for (x, (lower, upper)) in nodes.zip(lower.iter_mut().zip(upper)) {
                    let (least, most) = ends(x);
                    (*lower, *upper) = (least.min(*lower), most.max(*upper));
                }
            },
        );
        Intervals {
            lower,
            upper,
            claim,
        }
    }

    /// The ranks that these intervals leave open. O(n log n), parallel; 16 bytes a node besides the
    /// result.
    pub fn ranks(&self) -> RankRanges {
        RankRanges::new(&self.lower, &self.upper)
    }
}

/// The ranks that intervals leave open: see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankRanges {
    /// The best rank of each node.
    pub from: Vec<u32>,
    /// The worst rank of each node.
    pub to: Vec<u32>,
}

impl RankRanges {
    /// The ranks of nodes whose scores are between these ends, which are numbers, and no lower one
    /// above its upper one.
    pub fn new(lower: &[f64], upper: &[f64]) -> Self {
        let sorted = |ends: &[f64]| {
            let mut bits = tasks::tabulate(ends.len(), |x| increasing_bits(ends[x]));
            bits.par_sort_unstable();
            bits
        };
        // How many of the sorted ends are above one of them.
        let above = |sorted: &[u64], end: f64| {
            let end = increasing_bits(end);
            (sorted.len() - sorted.partition_point(|&other| other <= end)) as u32
        };
        let lowers = sorted(lower);
        let from = tasks::tabulate(upper.len(), |x| 1 + above(&lowers, upper[x]));
        drop(lowers);
        let uppers = sorted(upper);
        let to = tasks::tabulate(lower.len(), |x| {
            let itself = u32::from(increasing_bits(upper[x]) > increasing_bits(lower[x]));
            1 + above(&uppers, lower[x]) - itself
        });
        RankRanges { from, to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::Ranking;
    use proptest::prelude::*;

    #[test]
    fn a_confidence_and_its_miss_are_one() {
        let confidence = Confidence::new(0.75).unwrap();
        assert_eq!([confidence.get(), confidence.miss()], [0.75, 0.25]);
        assert!(Confidence::new(0.5).is_ok() && Confidence::new(0.999_999).is_ok());
        assert!(Confidence::new(0.49).is_err() && Confidence::new(1.0).is_err());
    }

    /// The definition, pair by pair.
    fn naive(lower: &[f64], upper: &[f64]) -> RankRanges {
        let n = lower.len();
        let count = |is: &dyn Fn(usize) -> bool| 1 + (0..n).filter(|&u| is(u)).count() as u32;
        RankRanges {
            from: (0..n).map(|v| count(&|u| lower[u] > upper[v])).collect(),
            to: (0..n)
                .map(|v| count(&|u| u != v && upper[u] > lower[v]))
                .collect(),
        }
    }

    proptest! {
        /// Few different numbers, so that ends tie everywhere; n is 0, 1 and 2 often.
        #[test]
        fn rank_ranges_are_those_of_all_pairs(
            ends in prop_oneof![
                prop::collection::vec((-2i8..3, 0i8..3), 0..3),
                prop::collection::vec((-3i8..4, 0i8..4), 0..40),
            ],
        ) {
            let lower: Vec<f64> = ends.iter().map(|&(end, _)| f64::from(end)).collect();
            let upper: Vec<f64> = ends.iter().map(|&(end, width)| f64::from(end + width)).collect();
            prop_assert_eq!(RankRanges::new(&lower, &upper), naive(&lower, &upper));
        }

        /// Whatever the true scores in the intervals are, their ranks are in the ranges, and some
        /// true scores give the ends.
        #[test]
        fn rank_ranges_hold_all_ranks_that_are_possible_and_no_others(
            ends in prop::collection::vec((0u8..6, 0u8..4, 0.0..=1.0), 1..12),
        ) {
            let lower: Vec<f64> = ends.iter().map(|it| f64::from(it.0)).collect();
            let upper: Vec<f64> = ends.iter().map(|it| f64::from(it.0 + it.1)).collect();
            let truth: Vec<f64> = ends
                .iter()
                .map(|&(end, width, at)| f64::from(end) + at * f64::from(width))
                .collect();
            let ranges = RankRanges::new(&lower, &upper);
            let ranks = Ranking::new(&truth).unwrap().ranks().to_vec();
            for (v, rank) in ranks.into_iter().enumerate() {
                prop_assert!(ranges.from[v] <= rank && rank <= ranges.to[v]);
                let (mut best, mut worst) = (lower.clone(), upper.clone());
                (best[v], worst[v]) = (upper[v], lower[v]);
                let rank = |scores: &[f64]| Ranking::new(scores).unwrap().ranks()[v];
                prop_assert_eq!((rank(&best), rank(&worst)), (ranges.from[v], ranges.to[v]));
            }
        }
    }

    #[test]
    fn single_numbers_have_the_ranks_of_their_scores() {
        for scores in [
            &[][..],
            &[7.0],
            &[1.0, 1.0],
            &[2.0, 1.0],
            &[0.0, -0.0, 3.0, 3.0, 1.0],
        ] {
            let ranges = RankRanges::new(scores, scores);
            let ranking = Ranking::new(scores).unwrap();
            assert_eq!(ranges.from, ranking.ranks());
            assert_eq!(ranges.to, ranking.ranks());
        }
    }

    #[test]
    fn deviations_are_those_of_tables() {
        for (confidence, deviations) in [
            (0.5, 0.674_489_750_196_082),
            (0.9, 1.644_853_626_951_472),
            (0.95, 1.959_963_984_540_054),
            (0.99, 2.575_829_303_548_901),
            (0.999_999, 4.891_638_475_699_059),
        ] {
            let found = Confidence::new(confidence).unwrap().deviations();
            assert!((found - deviations).abs() < 1e-8, "{confidence}: {found}");
        }
    }

    /// The quantiles of tables of Student's distribution.
    #[test]
    fn quantiles_of_student_are_those_of_tables() {
        for (confidence, quantile) in [
            (0.5, 0.691_197),
            (0.9, 1.753_050),
            (0.95, 2.131_450),
            (0.99, 2.946_713),
            (0.999, 4.072_765),
        ] {
            let found = Confidence::new(confidence).unwrap().quantile_of_t15();
            assert!((found - quantile).abs() < 1e-6, "{confidence}: {found}");
        }
    }

    #[test]
    fn a_confidence_is_neither_a_coin_nor_a_certainty() {
        for bad in [0.0, 0.49, 0.9999999, 1.0, 95.0, -0.5, f64::NAN] {
            let problem = Confidence::new(bad).unwrap_err().to_string();
            assert!(problem.contains("from 0.5 to 0.999999"), "{problem}");
        }
    }
}
