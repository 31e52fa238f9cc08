//! Comparison of scores that are only known within certified bounds.
//!
//! Score i is known to lie in the interval [x_i - e_i, x_i + e_i]. A vector decides a pair of
//! nodes when their two intervals are disjoint: then the order is certain. It knows a pair to be
//! equal when both bounds are 0 and the scores are equal. All other pairs are undecided: the
//! scores are not precise enough to order them. Overlap of intervals is not transitive, so
//! undecided pairs form no classes and no ranking with ties. But "disjoint and above" is a strict
//! partial order (an interval order), and the coefficients need only pairs. Let s_x(i,j) in
//! {-1, 0, 1} be the certain sign of x_i - x_j, 0 when the pair is undecided or equal:
//!
//!   tau   = sum s_x s_y / sqrt(sum s_x^2 · sum s_y^2): tau-b with undecided pairs as ties,
//!   gamma = sum s_x s_y / sum |s_x s_y|: over the pairs that both vectors decide.
//!
//! Both are in -1 to 1 (the first by Cauchy and Schwarz; Daniels' general form). They equal tau-b
//! and gamma when all bounds are 0, and hold for the true scores on the pairs that they cover. They
//! are none when no pair is decided. Interval ends are rounded outwards, so rounding never decides
//! a pair.
//!
//! A pair is concordant when the lower ends of the better node are above the upper ends of the
//! other in both vectors. Counting such pairs is dominance counting in the plane: points (upper
//! ends) below queries (lower ends), by sorting and a counting merge sort. Discordant pairs are
//! counted in the same way with y upside down. O(n log n), parallel; all counts are integers, so
//! they are the same for any number of threads. 150 bytes per node.
//!
//! Daniels, "The relation between measures of correlation in the universe of sample
//! permutations", Biometrika 33, 1944; interval orders: Fishburn 1970.

use rayon::prelude::*;
use serde::Serialize;

use super::check_finite;
use super::gamma::ratio_of_decided;
use super::kendall::ratio_to_untied;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_scores::ranking::{increasing_bits, pairs_of};

mod dominance;

/// Scores within certified bounds.
#[derive(Debug, Clone, Copy)]
pub struct BoundedScores<'a>(Bounds<'a>);

#[derive(Debug, Clone, Copy)]
enum Bounds<'a> {
    /// Each true score is at most its half-width from its score.
    Around {
        scores: &'a [f64],
        half_widths: &'a [f64],
    },
    /// Each true score is between its ends.
    Between { lower: &'a [f64], upper: &'a [f64] },
}

impl<'a> BoundedScores<'a> {
    /// The true score of row i is within `bounds[i]` of `scores[i]`.
    ///
    /// # Errors
    /// [`Error::Argument`] if the lengths differ or a bound is negative, [`Error::NotFinite`] if a
    /// value is NaN or infinite; the message names the row.
    pub fn new(scores: &'a [f64], bounds: &'a [f64]) -> Result<Self> {
        check_finite("a score", scores)?;
        check_finite("an error bound", bounds)?;
        check_bounds(scores, bounds)?;
        if let Some(row) = tasks::first(bounds.len(), |row| bounds[row] < 0.0) {
            return Err(Error::argument(
                "an error bound",
                format!("{} in row {row} (counted from 0)", bounds[row]),
                "a half-width is 0 or more",
            ));
        }
        Ok(Self(Bounds::Around {
            scores,
            half_widths: bounds,
        }))
    }

    /// The true score of row i is from `lower[i]` to `upper[i]`.
    ///
    /// # Errors
    /// [`Error::Argument`] if the lengths differ or a lower end is above its upper end,
    /// [`Error::NotFinite`] if a value is NaN or infinite; the message names the row.
    pub fn between(lower: &'a [f64], upper: &'a [f64]) -> Result<Self> {
        check_finite("a lower end", lower)?;
        check_finite("an upper end", upper)?;
        check_bounds(lower, upper)?;
        if let Some(row) = tasks::first(lower.len(), |row| lower[row] > upper[row]) {
            return Err(Error::argument(
                "a lower end",
                format!("{} in row {row} (counted from 0)", lower[row]),
                format!("it must not be above the upper end, {}", upper[row]),
            ));
        }
        Ok(Self(Bounds::Between { lower, upper }))
    }

    /// Number of rows.
    fn len(&self) -> usize {
        match self.0 {
            Bounds::Around { scores, .. } => scores.len(),
            Bounds::Between { lower, .. } => lower.len(),
        }
    }

    /// The interval of a row, rounded outwards, as integers in the same order as the numbers.
    fn interval(&self, row: usize) -> Interval {
        let (lower, upper) = match self.0 {
            Bounds::Around {
                scores,
                half_widths,
            } => {
                let (score, width) = (scores[row], half_widths[row]);
                (-rounded_up(-score, width), rounded_up(score, width))
            }
            Bounds::Between { lower, upper } => (lower[row], upper[row]),
        };
        Interval {
            lower: increasing_bits(lower),
            upper: increasing_bits(upper),
        }
    }

    fn intervals(&self) -> Vec<Interval> {
        tasks::tabulate(self.len(), |row| self.interval(row))
    }
}

/// Fails unless there is one bound for each score.
fn check_bounds(scores: &[f64], bounds: &[f64]) -> Result<()> {
    if scores.len() == bounds.len() {
        return Ok(());
    }
    Err(Error::argument(
        "the number of error bounds",
        bounds.len(),
        format!("give one for each of the {} scores", scores.len()),
    ))
}

/// The rounded sum a + b, or the next number if that is below the exact sum.
fn rounded_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // TwoSum: the exact error of the addition.
    let back = sum - a;
    let error = (a - (sum - back)) + (b - back);
    if error > 0.0 { sum.next_up() } else { sum }
}

/// The ends of an interval, as order-preserving integers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    lower: u64,
    upper: u64,
}

/// How the pairs of nodes compare for certain in two vectors with error bounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CertifiedAgreement {
    /// All pairs of nodes.
    pub pairs: u64,
    /// Pairs that both vectors decide, in the same order.
    pub concordant: u64,
    /// Pairs that both vectors decide, in opposite order.
    pub discordant: u64,
    /// Pairs that x neither decides nor knows to be equal.
    pub undecided_x: u64,
    /// Pairs that y neither decides nor knows to be equal.
    pub undecided_y: u64,
    /// Pairs undecided in x or in y: those that the precision of the inputs cannot decide.
    pub undecided: u64,
    /// tau-b with undecided pairs as ties.
    pub tau_b: Option<f64>,
    /// Gamma over the pairs that both vectors decide.
    pub gamma: Option<f64>,
}

/// Compares two vectors of scores with error bounds.
///
/// # Errors
/// [`Error::Argument`] if the lengths differ.
pub fn certified(x: BoundedScores, y: BoundedScores) -> Result<CertifiedAgreement> {
    super::check_lengths(x.len(), y.len())?;
    let pairs = pairs_of(x.len() as u64);
    let (x, y) = (x.intervals(), y.intervals());
    let (decided_x, decided_y) = (decided_pairs(&x), decided_pairs(&y));
    let [concordant, discordant] = ordered_pairs(&x, &y);
    let equal_x = equal_pairs(&x, &y);
    let equal_y = equal_pairs(&y, &x);
    let settled =
        concordant + discordant + equal_x.other_decides + equal_y.other_decides + equal_x.other_too;
    Ok(CertifiedAgreement {
        pairs,
        concordant,
        discordant,
        undecided_x: pairs - decided_x - equal_x.all,
        undecided_y: pairs - decided_y - equal_y.all,
        undecided: pairs - settled,
        tau_b: ratio_to_untied(concordant, discordant, decided_x, decided_y),
        gamma: ratio_of_decided(concordant, discordant),
    })
}

/// Number of pairs of disjoint intervals: for each interval, those that end below its lower end.
fn decided_pairs(intervals: &[Interval]) -> u64 {
    let mut lowers = tasks::tabulate(intervals.len(), |row| intervals[row].lower);
    let mut uppers = tasks::tabulate(intervals.len(), |row| intervals[row].upper);
    lowers.par_sort_unstable();
    uppers.par_sort_unstable();
    let (mut below, mut pairs) = (0, 0);
    for lower in lowers {
        while below < uppers.len() && uppers[below] < lower {
            below += 1;
        }
        pairs += below as u64;
    }
    pairs
}

/// Numbers of pairs (i, j) with i certainly above j in x, and in y certainly above, or below.
fn ordered_pairs(x: &[Interval], y: &[Interval]) -> [u64; 2] {
    let upper = |row: usize| dominance::Point {
        x: x[row].upper,
        y: y[row].upper,
        y_upside_down: !y[row].lower,
    };
    let lower = |row: usize| dominance::Point {
        x: x[row].lower,
        y: y[row].lower,
        y_upside_down: !y[row].upper,
    };
    dominance::count_below(
        tasks::tabulate(x.len(), upper),
        tasks::tabulate(x.len(), lower),
    )
}

/// Pairs that one vector knows to be equal, by how they compare in the other.
struct EqualPairs {
    all: u64,
    other_decides: u64,
    other_too: u64,
}

fn equal_pairs(x: &[Interval], y: &[Interval]) -> EqualPairs {
    let exact = |i: &Interval| i.lower == i.upper;
    let known = |row: usize| exact(&x[row]).then_some((x[row], y[row]));
    let mut known = tasks::select(x.len(), known);
    known.par_sort_unstable();
    let groups: Vec<_> = known.chunk_by(|a, b| a.0 == b.0).collect();
    let counts = tasks::map(groups, |group| {
        let others: Vec<Interval> = group.iter().map(|&(_, y)| y).collect();
        let equal_too: u64 = others
            .chunk_by(|a, b| a == b && exact(a))
            .map(|tie| pairs_of(tie.len() as u64))
            .sum();
        [
            pairs_of(group.len() as u64),
            decided_pairs(&others),
            equal_too,
        ]
    });
    let zero = [0u64; 3];
    let [all, other_decides, other_too] = counts.into_iter().fold(zero, |sums, counts| {
        std::array::from_fn(|i| sums[i] + counts[i])
    });
    EqualPairs {
        all,
        other_decides,
        other_too,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Pair;
    use webrank_scores::ranking::Ranking;

    #[test]
    fn bounds_of_nothing_decide_what_scores_decide() {
        let scores = |factor: u64, classes: u64| -> Vec<f64> {
            (0..5000)
                .map(|node| (node * factor % 5003 % classes) as f64)
                .collect()
        };
        let (x, y, none) = (scores(7919, 700), scores(104_729, 900), vec![0.0; 5000]);
        let bounded = |scores| BoundedScores::new(scores, &none).unwrap();
        let found = certified(bounded(&x), bounded(&y)).unwrap();
        let (x, y) = (Ranking::new(&x).unwrap(), Ranking::new(&y).unwrap());
        let pair = Pair::new(&x, &y).unwrap();
        let counts = pair.counts();
        assert_eq!(
            (found.concordant, found.discordant),
            (counts.concordant, counts.discordant)
        );
        assert_eq!(
            [found.undecided_x, found.undecided_y, found.undecided],
            [0; 3]
        );
    }

    /// A sum that is exact, or rounded up already, is not made larger: intervals may share an end.
    #[test]
    fn sums_are_rounded_up_where_they_are_below_the_exact_one_alone() {
        let small = 2f64.powi(-60);
        for (a, b, sum) in [
            (1.0, 0.5, 1.5),
            (1.0, small, 1f64.next_up()),
            (1.0, -small, 1.0),
            (-1.0, small, (-1f64).next_up()),
            (-1.0, -small, -1.0),
            (0.1, 0.2, 0.1 + 0.2),
            (0.1, 0.7, (0.1f64 + 0.7).next_up()),
        ] {
            assert_eq!(rounded_up(a, b), sum);
            assert_eq!(rounded_up(b, a), sum);
        }
    }
}
