//! Comparison within certified bounds against its definition over all pairs.

use proptest::prelude::*;
use webrank_compare::*;
use webrank_testing::oracle::compare as oracle;

/// Two vectors of the same length with few different values, all multiples of one half.
fn tied(rows: std::ops::Range<usize>) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = || (-2i32..4).prop_map(|v| f64::from(v) / 2.0);
    prop::collection::vec((score(), score()), rows).prop_map(|rows| rows.into_iter().unzip())
}

proptest! {
    #[test]
    fn certified_counts_follow_their_definition(
        (x, y) in tied(0..12),
        bounds in prop::collection::vec((0i32..4, 0i32..4), 12),
    ) {
        let n = x.len();
        let bound = |b: i32| f64::from(b.max(1) - 1) / 4.0;
        let (ex, ey): (Vec<f64>, Vec<f64>) =
            bounds[..n].iter().map(|&(a, b)| (bound(a), bound(b))).unzip();
        // Bounds are multiples of a quarter, so the interval ends are exact.
        let certain = |v: &[f64], e: &[f64], i: usize, j: usize| {
            if (v[i] - v[j]).abs() > e[i] + e[j] { oracle::sign(v[i], v[j]) } else { 0.0 }
        };
        let undecided = |v: &[f64], e: &[f64], i: usize, j: usize| {
            certain(v, e, i, j) == 0.0 && (v[i] != v[j] || e[i] + e[j] > 0.0)
        };
        let (mut concordant, mut discordant, mut counts) = (0, 0, [0u64; 3]);
        for i in 0..n {
            for j in 0..i {
                let product = certain(&x, &ex, i, j) * certain(&y, &ey, i, j);
                concordant += u64::from(product > 0.0);
                discordant += u64::from(product < 0.0);
                let [ux, uy] = [undecided(&x, &ex, i, j), undecided(&y, &ey, i, j)];
                counts = [counts[0] + ux as u64, counts[1] + uy as u64, counts[2] + (ux || uy) as u64];
            }
        }
        let bounded = |v, e| BoundedScores::new(v, e).unwrap();
        let ours = certified(bounded(&x, &ex), bounded(&y, &ey)).unwrap();
        prop_assert_eq!((ours.concordant, ours.discordant), (concordant, discordant));
        prop_assert_eq!([ours.undecided_x, ours.undecided_y, ours.undecided], counts);
        let sx = |i, j| certain(&x, &ex, i, j);
        let sy = |i, j| certain(&y, &ey, i, j);
        let truth = oracle::general_tau(n, |_, _| 1.0, sx, sy);
        prop_assert_eq!(ours.tau_b.is_some(), truth.is_some());
        prop_assert!(ours.tau_b.zip(truth).is_none_or(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn exact_scores_leave_nothing_undecided((x, y) in tied(0..12)) {
        let zeros = vec![0.0; x.len()];
        let bounded = |v| BoundedScores::new(v, &zeros).unwrap();
        let ours = certified(bounded(&x), bounded(&y)).unwrap();
        prop_assert_eq!([ours.undecided_x, ours.undecided_y, ours.undecided], [0; 3]);
        let (x, y) = (Ranking::new(&x).unwrap(), Ranking::new(&y).unwrap());
        let pair = Pair::new(&x, &y).unwrap();
        prop_assert_eq!((ours.tau_b, ours.gamma), (tau_b(&pair), gamma(&pair)));
    }

    #[test]
    fn certain_order_holds_for_every_truth_within_the_bounds(
        rows in prop::collection::vec((-1e3..1e3f64, 0.0..1.0f64, -1.0..1.0f64), 2..20),
    ) {
        // Rounding of score plus bound must never decide a pair. Compare a vector with itself,
        // shifted within the bounds; no certain pair may be reversed.
        let scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let bounds: Vec<f64> = rows.iter().map(|row| row.1 * row.0.abs()).collect();
        let truth: Vec<f64> = rows.iter().map(|row| row.0 + row.1 * row.2 * row.0.abs()).collect();
        let zeros = vec![0.0; rows.len()];
        let shown = BoundedScores::new(&scores, &bounds).unwrap();
        let ours = certified(shown, BoundedScores::new(&truth, &zeros).unwrap()).unwrap();
        prop_assert_eq!(ours.discordant, 0);
    }
}
