//! Every coefficient of `webrank::compare` against its definition on small vectors with many
//! ties, hand-worked values, invariances and errors.

use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_compare::*;
use webrank_testing::oracle::compare as oracle;

const WEIGHERS: [Weigher; 5] = [
    Weigher::Hyperbolic,
    Weigher::Logarithmic,
    Weigher::Quadratic,
    Weigher::Linear,
    Weigher::Constant,
];

/// Two vectors of the same length with few different values.
fn tied(rows: std::ops::Range<usize>) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = || prop_oneof![-2i32..4, 0i32..2].prop_map(|v| f64::from(v) / 2.0);
    prop::collection::vec((score(), score()), rows).prop_map(|rows| rows.into_iter().unzip())
}

fn with_pair<T>(x: &[f64], y: &[f64], f: impl FnOnce(&Pair) -> T) -> T {
    let (x, y) = (Ranking::new(x).unwrap(), Ranking::new(y).unwrap());
    f(&Pair::new(&x, &y).unwrap())
}

fn close(ours: Option<f64>, truth: Option<f64>) -> bool {
    match (ours, truth) {
        (Some(ours), Some(truth)) => (ours - truth).abs() < 1e-12,
        (ours, truth) => ours == truth,
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

proptest! {
    #[test]
    fn tau_gamma_and_counts_follow_their_definitions((x, y) in tied(0..14)) {
        with_pair(&x, &y, |pair| {
            let (concordant, discordant) = oracle::concordance(&x, &y);
            let counts = pair.counts();
            prop_assert_eq!((counts.concordant, counts.discordant), (concordant, discordant));
            let untied = counts.total + counts.tied_both - counts.tied_x - counts.tied_y;
            prop_assert_eq!(concordant + discordant, untied);
            prop_assert!(close(tau_b(pair), oracle::tau_b(&x, &y)));
            let excess = concordant as f64 - discordant as f64;
            let truth = (untied > 0).then(|| excess / untied as f64);
            prop_assert!(close(gamma(pair), truth));
            Ok(())
        })?;
    }

    #[test]
    fn weighted_tau_follows_its_definition((x, y) in tied(0..14)) {
        let n = x.len();
        for weigher in WEIGHERS {
            for combine in [Combine::Additive, Combine::Multiplicative] {
                let weigh = |rank| weigher.weight(rank, n);
                let additive = combine == Combine::Additive;
                let by_x = oracle::weighted_tau(&x, &y, weigh, additive);
                let by_y = oracle::weighted_tau(&y, &x, weigh, additive);
                let both = by_x.zip(by_y).map(|(a, b)| (a + b) / 2.0);
                for (rank_by, truth) in [(RankBy::X, by_x), (RankBy::Y, by_y), (RankBy::Both, both)] {
                    let weighting = Weighting { weigher, combine, rank_by };
                    let ours = with_pair(&x, &y, |pair| weighted_tau(pair, weighting));
                    prop_assert!(close(ours, truth), "{weighting:?}: {ours:?} {truth:?}");
                }
            }
        }
    }

    #[test]
    fn rho_is_the_correlation_of_average_ranks((x, y) in tied(1..14)) {
        let truth = oracle::pearson(&oracle::mid_ranks(&x), &oracle::mid_ranks(&y));
        prop_assert!(close(with_pair(&x, &y, rho), truth));
    }

    #[test]
    fn pearson_log_leaves_out_rows_without_logarithm((x, y) in tied(1..14)) {
        let logs = x.iter().zip(&y).filter(|(a, b)| **a > 0.0 && **b > 0.0);
        let (lx, ly): (Vec<f64>, Vec<f64>) = logs.map(|(a, b)| (a.ln(), b.ln())).unzip();
        let ours = pearson_log(&x, &y).unwrap();
        prop_assert_eq!(ours.rows as usize, lx.len());
        prop_assert_eq!((ours.rows + ours.left_out) as usize, x.len());
        let truth = if lx.is_empty() { None } else { oracle::pearson(&lx, &ly) };
        prop_assert!(close(ours.correlation, truth));
    }

    #[test]
    fn ap_with_ties_in_the_estimate_is_the_mean_over_their_orders(
        truth in Just((0..6).map(f64::from).collect::<Vec<_>>()).prop_shuffle(),
        estimate in prop::collection::vec((0..3).prop_map(f64::from), 2..7),
    ) {
        let truth = &truth[..estimate.len().min(6)];
        let estimate = &estimate[..truth.len()];
        let orders = oracle::orders(estimate);
        let expected = mean(orders.iter().map(|order| oracle::tau_ap(truth, order)));
        let ahead = with_pair(truth, estimate, ap_correlation);
        prop_assert!(close(ahead.x_is_truth, Some(expected)));
        let back = with_pair(estimate, truth, ap_correlation);
        prop_assert!(close(back.y_is_truth, Some(expected)));
    }

    #[test]
    fn symmetric_ap_follows_its_definition((x, y) in tied(0..14)) {
        let ours = with_pair(&x, &y, ap_correlation);
        let (by_y, by_x) = (oracle::tau_ap_b(&x, &y), oracle::tau_ap_b(&y, &x));
        let truth = by_x.zip(by_y).map(|(a, b)| (a + b) / 2.0);
        prop_assert!(close(ours.symmetric, truth));
    }

    #[test]
    fn distances_are_those_of_the_normalised_vectors((x, y) in tied(0..14)) {
        let norm = |v: &[f64]| v.iter().map(|v| v.abs()).sum::<f64>();
        let (nx, ny) = (norm(&x), norm(&y));
        let gaps: Vec<f64> = x.iter().zip(&y).map(|(x, y)| (x / nx - y / ny).abs()).collect();
        match distances(&x, &y).unwrap() {
            None => prop_assert!(nx == 0.0 || ny == 0.0),
            Some(ours) => {
                prop_assert!((ours.l1 - gaps.iter().sum::<f64>()).abs() < 1e-12);
                let largest = gaps.iter().copied().fold(0.0, f64::max);
                prop_assert!((ours.l_infinity - largest).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn movers_are_the_largest_changes_of_average_rank((x, y) in tied(0..14), count in 0usize..6) {
        let (rank_x, rank_y) = (oracle::mid_ranks(&x), oracle::mid_ranks(&y));
        let (ranking_x, ranking_y) = (Ranking::new(&x).unwrap(), Ranking::new(&y).unwrap());
        for change in [Change::Places, Change::Ratio] {
            let gain = |from: f64, to: f64| match change {
                Change::Places => from - to,
                Change::Ratio => from / to - 1.0,
            };
            let largest = |gain: &dyn Fn(usize) -> f64| {
                let mut nodes: Vec<usize> = (0..x.len()).filter(|&v| gain(v) > 0.0).collect();
                nodes.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)).then(a.cmp(&b)));
                nodes.truncate(count);
                nodes.into_iter().map(|v| Mover {
                    node: v as u32,
                    rank_x: rank_x[v],
                    rank_y: rank_y[v],
                }).collect::<Vec<_>>()
            };
            let ours = movers(&ranking_x, &ranking_y, change, count).unwrap();
            prop_assert_eq!(ours.climbers, largest(&|v| gain(rank_x[v], rank_y[v])));
            prop_assert_eq!(ours.fallers, largest(&|v| gain(rank_y[v], rank_x[v])));
        }
    }

    #[test]
    fn relabelling_changes_nothing((x, y) in tied(2..14), seed in any::<u64>()) {
        let n = x.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&v| (v as u64 + 1).wrapping_mul(seed | 1).rotate_left(17));
        let shuffled = |v: &[f64]| order.iter().map(|&i| v[i]).collect::<Vec<_>>();
        let all = |x: &[f64], y: &[f64]| with_pair(x, y, |pair| {
            (tau_b(pair), gamma(pair), rho(pair), *pair.counts())
        });
        prop_assert_eq!(all(&x, &y), all(&shuffled(&x), &shuffled(&y)));
    }
}

/// Five nodes, the example of scipy's `weightedtau`: pairs by hand.
#[test]
fn five_nodes_by_hand() {
    let (x, y) = ([12.0, 2.0, 1.0, 12.0, 2.0], [1.0, 4.0, 7.0, 1.0, 0.0]);
    with_pair(&x, &y, |pair| {
        // Pairs: 03 tied in both, 14 in x; 01, 02, 12, 13, 23, 24 discordant; 04, 34 concordant.
        let counts = PairCounts {
            total: 10,
            concordant: 2,
            discordant: 6,
            tied_x: 2,
            tied_y: 1,
            tied_both: 1,
        };
        assert_eq!(*pair.counts(), counts);
        assert_eq!(tau_b(pair), Some(-4.0 / 72f64.sqrt()));
        assert_eq!(gamma(pair), Some(-0.5));
        // Average ranks 1.5 3.5 5 1.5 3.5 and 3.5 2 1 3.5 5, less 3: products sum to -5.
        assert!(close(rho(pair), Some(-5.0 / (9.0f64 * 9.5).sqrt())));
    });
}

#[test]
fn equal_orders_give_one_and_reversed_orders_minus_one() {
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    let reversed: Vec<f64> = x.iter().map(|v| -v).collect();
    let all = |y: &[f64]| {
        with_pair(&x, y, |pair| {
            let ap = ap_correlation(pair);
            let weighted = weighted_tau(pair, Weighting::default());
            [
                tau_b(pair),
                gamma(pair),
                rho(pair),
                weighted,
                ap.x_is_truth,
                ap.symmetric,
            ]
        })
    };
    for value in all(&x) {
        assert!(close(value, Some(1.0)), "{value:?}");
    }
    for value in all(&reversed) {
        assert!(close(value, Some(-1.0)), "{value:?}");
    }
}

#[test]
fn ties_alone_do_not_lower_a_coefficient_of_a_vector_with_itself() {
    let x = [3.0, 3.0, 3.0, 1.0, 1.0, 0.0];
    with_pair(&x, &x, |pair| {
        let weighted = weighted_tau(pair, Weighting::default());
        for value in [
            tau_b(pair),
            gamma(pair),
            rho(pair),
            weighted,
            ap_correlation(pair).symmetric,
        ] {
            assert!(close(value, Some(1.0)), "{value:?}");
        }
    });
}

#[test]
fn constant_and_short_vectors_have_no_coefficient() {
    for (x, y) in [
        (&[][..], &[][..]),
        (&[1.0], &[2.0]),
        (&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]),
        (&[1.0, 2.0], &[0.1, 0.1]),
        (&[5.0, 5.0], &[5.0, 5.0]),
    ] {
        with_pair(x, y, |pair| {
            let weighted = |combine| {
                weighted_tau(
                    pair,
                    Weighting {
                        combine,
                        ..Default::default()
                    },
                )
            };
            for value in [
                tau_b(pair),
                gamma(pair),
                rho(pair),
                weighted(Combine::Additive),
                weighted(Combine::Multiplicative),
                ap_correlation(pair).symmetric,
                pearson_log(x, y).unwrap().correlation,
            ] {
                assert_eq!(value, None, "{x:?} {y:?}");
            }
        });
    }
}

#[test]
fn two_nodes_agree_or_not() {
    for (y, sign) in [([1.0, 2.0], 1.0), ([2.0, 1.0], -1.0)] {
        with_pair(&[0.5, 0.7], &y, |pair| {
            let ap = ap_correlation(pair);
            let weighted = weighted_tau(pair, Weighting::default());
            for value in [tau_b(pair), gamma(pair), rho(pair), weighted, ap.x_is_truth] {
                assert!(close(value, Some(sign)), "{value:?}");
            }
        });
    }
}

/// All but two nodes tied, at low ranks: nothing may cancel.
#[test]
fn nearly_constant_vectors_lose_no_digits() {
    let n = 100_000;
    let mut x = vec![0.0; n];
    let mut y = vec![0.0; n];
    (x[7], x[9], y[9], y[7]) = (2.0, 1.0, 2.0, 1.0);
    let weighting = Weighting {
        rank_by: RankBy::X,
        ..Default::default()
    };
    let ours = with_pair(&x, &y, |pair| weighted_tau(pair, weighting)).unwrap();
    // One discordant pair of ranks 0 and 1; 2(n - 2) concordant pairs with the rest.
    let tail: f64 = (3..=n).rev().map(|r| 1.0 / r as f64).sum();
    let rest = (n - 2) as f64 * 1.5 + 2.0 * tail;
    assert!((ours - (rest - 1.5) / (rest + 1.5)).abs() < 1e-14, "{ours}");
}

#[test]
fn bad_input_is_an_error_that_names_the_row() {
    let good = [1.0, 2.0, 3.0, 4.0];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let x = [1.0, 2.0, bad, 4.0];
        let columns = |x| {
            [("good", &good), ("bad", x)].map(|(name, s)| NamedScores {
                name,
                scores: s,
                bounds: None,
            })
        };
        for error in [
            pearson_log(&x, &good).unwrap_err(),
            distances(&good, &x).unwrap_err(),
            BoundedScores::new(&x, &good).unwrap_err(),
            BoundedScores::new(&good, &x).unwrap_err(),
            compare_columns(&columns(&x), CompareOptions::default(), &Silent).unwrap_err(),
        ] {
            assert!(
                error.to_string().contains("row 2 (counted from 0)"),
                "{error}"
            );
        }
    }
    let error = BoundedScores::new(&good, &[0.0, -1.0, 0.0, 0.0]).unwrap_err();
    assert!(error.to_string().contains("-1 in row 1"), "{error}");
    assert!(Persistence::new(1.0).is_err() && Persistence::new(f64::NAN).is_err());
}

#[test]
fn vectors_of_different_lengths_are_an_error() {
    let (x, y) = (
        Ranking::new(&[1.0, 2.0]).unwrap(),
        Ranking::new(&[1.0]).unwrap(),
    );
    assert!(Pair::new(&x, &y).unwrap_err().to_string().contains("join"));
    assert!(pearson_log(&[1.0], &[]).is_err());
    assert!(movers(&x, &y, Change::Places, 1).is_err());
    let partial = Ranking::partial(&[Some(1.0), None]).unwrap();
    assert!(
        Pair::new(&x, &partial)
            .unwrap_err()
            .to_string()
            .contains("without a score is 1")
    );
}
