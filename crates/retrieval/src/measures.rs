//! How good the ranking of a query is.
//!
//! Pages are ranked from 1; g is the grade of a page, 0 if it was not judged; a page with g > 0 is relevant,
//! and R is the number of those, in the ranking or not:
//!
//! * `p_10`: relevant pages among the first 10, over 10;
//! * `ap`: the sum of (relevant pages among the first r) / r over the ranks r of relevant pages, over R
//!   (its mean over queries is MAP);
//! * `ndcg_10`: the sum of (2^g - 1) / log2(1 + r) over the first 10, over that of the best order;
//! * `rr`: 1 over the first rank of a relevant page;
//! * `recall_100`: relevant pages among the first 100, over R.
//!
//! Pages that are not found add 0. Names and definitions are those of trec_eval, but for the gain
//! 2^g - 1 instead of g (Burges et al., Learning to rank using gradient descent, ICML 2005).

/// The measures, as tables name them.
pub const MEASURES: [&str; 5] = ["p_10", "ap", "ndcg_10", "rr", "recall_100"];

/// Which measure known items and weights are judged by.
pub const AP: usize = 1;

/// Larger grades count as this one, so that gains are finite.
pub const LARGEST_GRADE: u32 = 64;

/// The measures of one ranking, in the order of [`MEASURES`]: `grades` are those of the ranked pages,
/// `judged` the grades of all relevant pages of the query.
pub fn measures(grades: &[u32], judged: &[u32]) -> [f64; 5] {
    let relevant = judged.iter().filter(|&&grade| grade > 0).count() as f64;
    if relevant == 0.0 {
        return [0.0; 5];
    }
    let within = |cut: usize| grades.iter().take(cut).filter(|&&grade| grade > 0).count() as f64;
    let (mut found, mut precisions, mut first) = (0.0, 0.0, 0.0);
    for (rank, _) in (1..).zip(grades).filter(|(_, grade)| **grade > 0) {
        found += 1.0;
        precisions += found / f64::from(rank);
        if first == 0.0 {
            first = 1.0 / f64::from(rank);
        }
    }
    let mut best = judged.to_vec();
    best.sort_unstable_by(|a, b| b.cmp(a));
    [
        within(10) / 10.0,
        precisions / relevant,
        discounted(grades) / discounted(&best),
        first,
        within(100) / relevant,
    ]
}

/// Discounted cumulated gain of the first ten.
fn discounted(grades: &[u32]) -> f64 {
    let gain = |grade: u32| f64::from(grade.min(LARGEST_GRADE)).exp2() - 1.0;
    let ranked = grades.iter().take(10).zip(1..);
    ranked
        .map(|(&grade, rank)| gain(grade) / f64::from(1 + rank).log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_ranking_by_hand() {
        // Relevant at ranks 2 and 4, of three relevant pages.
        let found = measures(&[0, 1, 0, 2], &[1, 2, 1]);
        let ideal = 3.0 + 1.0 / 3f64.log2() + 0.5;
        let dcg = 1.0 / 3f64.log2() + 3.0 / 5f64.log2();
        let expected = [0.2, (0.5 + 0.5) / 3.0, dcg / ideal, 0.5, 2.0 / 3.0];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(measures(&[], &[1]), [0.0; 5]);
        assert_eq!(measures(&[0; 3], &[]), [0.0; 5]);
        assert_eq!(measures(&[1], &[1]), [0.1, 1.0, 1.0, 1.0, 1.0]);
        let huge = measures(&[u32::MAX, 1], &[u32::MAX, 1]);
        assert_eq!(huge, [0.2, 1.0, 1.0, 1.0, 1.0]);
        // Beyond the first ten.
        let mut late = vec![0; 20];
        late.push(1);
        assert_eq!(measures(&late, &[1])[0], 0.0);
        assert_eq!(measures(&late, &[1])[2], 0.0);
        assert_eq!(measures(&late, &[1])[3], 1.0 / 21.0);
    }

    proptest! {
        #[test]
        fn measures_lie_between_0_and_1_and_the_best_order_has_1(
            mut grades in prop::collection::vec(0..4u32, 1..30),
        ) {
            prop_assume!(grades.iter().any(|&grade| grade > 0));
            let found = measures(&grades, &grades);
            prop_assert!(found.iter().all(|value| (0.0..=1.0 + 1e-12).contains(value)));
            grades.sort_unstable_by(|a, b| b.cmp(a));
            let best = measures(&grades, &grades);
            for measure in [1, 2, 3] {
                prop_assert!((best[measure] - 1.0).abs() < 1e-12);
                prop_assert!(found[measure] <= best[measure] + 1e-12);
            }
        }
    }
}
