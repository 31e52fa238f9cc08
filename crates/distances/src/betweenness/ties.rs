//! Scores that rounding may have separated are made equal again, so that no order is wrong.
//!
//! Betweenness is a sum of products and quotients of positive numbers. With u = 2^-53, each
//! operation multiplies the exact result by a factor between 1/(1 + u) and 1 + u; so a score with
//! at most k operations between any input and itself is off by a factor of at most (1 + u)^k
//! (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 3). Searches count
//! these *roundings*. Two scores that are further apart than both errors are in the right order.
//! The order of other scores is unknown: they get equal bits, and so share a rank.
//!
//! Nothing is lost by underflow: a node with a positive score is one of at most n nodes between
//! some predecessor and some successor, so its score is at least 1/n.
//!
//! If they cost little, [residues](super::modular) decide whether such scores are truly equal.

use super::modular::Residue;
use rayon::prelude::*;
use webrank_scores::Outcome;

/// The ties of scores with equal bits, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RoundingTies {
    /// The number of scores above 0 that have the same bits as others but are not all equal: some
    /// of their residues differ. 0 if no residues were computed.
    pub different: usize,
    /// The number of scores that were made equal to others without a proof, as no residues were
    /// computed.
    pub unproved: usize,
    /// The number of scores above 0 with the bits of others of which that is not proved to be right: those
    /// made equal, and those that were.
    pub unknown: usize,
    /// The relative difference up to which neighbours are made equal.
    pub bound: f64,
}

impl RoundingTies {
    /// A sentence on scores of `what` whose ties are not proved.
    pub fn note(&self, what: &str) -> Option<String> {
        let RoundingTies {
            different,
            unproved,
            unknown,
            bound,
        } = *self;
        if different > 0 {
            Some(format!(
                "{different} {what} share a rank although not all their scores are equal: \
                 neighbours differ by a relative {bound:.0e} at most, which rounding hides"
            ))
        } else if unproved > 0 {
            Some(format!(
                "{unproved} {what} are tied within rounding: neighbouring scores differ by a \
                 relative {bound:.0e} at most"
            ))
        } else if unknown > 0 {
            Some(format!(
                "{unknown} {what} have the same score as others to a relative {bound:.0e}, which is no proof \
                 that they are equal"
            ))
        } else {
            None
        }
    }

    /// The outcome of these scores.
    pub fn outcome(&self, scores: &[f64]) -> Outcome {
        match self.different + self.unknown {
            0 => Outcome::Exact,
            _ => Outcome::rounded(self.bound, scores),
        }
    }
}

/// The largest k for which errors are bounded here; searches of 2^32 nodes count fewer roundings.
const MOST_ROUNDINGS: u64 = 1 << 46;

/// How much a score with `roundings` may exceed another that is truly at least as large, relative
/// to the latter: 3 k u is more than (1 + u)^(2k) - 1 while k u is below 1/100.
fn relative_bound(roundings: u64) -> f64 {
    3.0 * roundings.min(MOST_ROUNDINGS) as f64 * (0.5 * f64::EPSILON)
}

/// Gives equal bits to nonnegative scores whose order `roundings` may have changed: to each maximal
/// sequence of scores, sorted by size, in which every score is within the bound of the next.
/// `residues`, if given, decide whether they are truly equal. O(n log n), parallel.
pub fn unite(scores: &mut [f64], roundings: u64, residues: Option<&[Residue]>) -> RoundingTies {
    let bound = relative_bound(roundings);
    let mut order: Vec<usize> = (0..scores.len()).filter(|&x| scores[x] > 0.0).collect();
    order.par_sort_unstable_by(|&x, &y| scores[y].total_cmp(&scores[x]).then(x.cmp(&y)));
    let sorted: Vec<f64> = order.iter().map(|&x| scores[x]).collect();
    let mut ties = RoundingTies {
        bound,
        ..RoundingTies::default()
    };
    let mut start = 0;
    for row in sorted.chunk_by(|larger, smaller| *larger <= smaller + bound * smaller) {
        let tied = &order[start..start + row.len()];
        start += row.len();
        let is_apart = row[0] != row[row.len() - 1];
        // The middle of the sequence, so that no score moves far.
        let middle = row[row.len() / 2];
        tied.iter().for_each(|&x| scores[x] = middle);
        match residues {
            Some(residues)
                if tied
                    .windows(2)
                    .any(|two| residues[two[0]] != residues[two[1]]) =>
            {
                ties.different += tied.len();
            }
            None if tied.len() > 1 => {
                ties.unknown += tied.len();
                if is_apart {
                    ties.unproved += tied.len();
                }
            }
            _ => {}
        }
    }
    ties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_within_rounding_become_equal_and_others_stay() {
        let up = |x: f64, ulps: u64| f64::from_bits(x.to_bits() + ulps);
        let mut scores = [0.0, 7.0, up(7.0, 2), 3.0, up(3.0, 40), 0.0, up(7.0, 1)];
        let ties = unite(&mut scores, 1, None);
        let seven = up(7.0, 1);
        assert_eq!(scores, [0.0, seven, seven, 3.0, up(3.0, 40), 0.0, seven]);
        assert_eq!((ties.unproved, ties.different), (3, 0));
        let note = ties.note("nodes").unwrap();
        assert!(
            note.starts_with("3 nodes are tied within rounding"),
            "{note}"
        );
    }

    #[test]
    fn residues_tell_equal_scores_from_close_ones() {
        let close = 5.0 + 4.0 * f64::EPSILON;
        let residues = [1, 1, 2, 2].map(Residue::new);
        let mut equal = [close, 5.0, 9.0, 9.0];
        let ties = unite(&mut equal, 10, Some(&residues));
        assert_eq!((ties.unproved, ties.different), (0, 0));
        assert!(equal[0] == equal[1] && ties.note("nodes").is_none());
        let mut different = [9.0, close, 5.0, 9.0];
        let ties = unite(&mut different, 10, Some(&residues));
        assert_eq!((ties.unproved, ties.different), (0, 4));
        assert!(
            ties.note("nodes")
                .unwrap()
                .starts_with("4 nodes share a rank")
        );
    }

    #[test]
    fn no_scores() {
        assert_eq!(unite(&mut [], 5, None), unite(&mut [0.0, 0.0], 5, None));
    }
}
