//! The coefficients against scipy (tests/fixtures/make_compare_fixtures.py) and against values
//! published with the papers.

use std::collections::BTreeMap;
use std::path::Path;
use webrank_compare::Combine;
use webrank_compare::Pair;
use webrank_compare::Persistence;
use webrank_compare::RankBy;
use webrank_compare::Ranking;
use webrank_compare::Weigher;
use webrank_compare::Weighting;
use webrank_compare::ap_correlation;
use webrank_compare::pearson_log;
use webrank_compare::rank_biased_overlap;
use webrank_compare::rho;
use webrank_compare::tau_b;
use webrank_compare::weighted_tau;

fn rows(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(webrank_testing::at!("tests/fixtures"))
        .join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let fields = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader
        .records()
        .map(|record| fields(record.unwrap()))
        .collect()
}

/// The score vectors of every case.
fn cases() -> BTreeMap<String, (Vec<f64>, Vec<f64>)> {
    let mut cases = BTreeMap::<_, (Vec<f64>, Vec<f64>)>::new();
    for row in rows("compare_scores.csv") {
        let (x, y) = cases.entry(row[0].clone()).or_default();
        x.push(row[1].parse().unwrap());
        y.push(row[2].parse().unwrap());
    }
    cases
}

/// Names such as "hyperbolic_additive_both".
fn weighting(name: &str) -> Weighting {
    let parts: Vec<&str> = name.split('_').collect();
    Weighting {
        weigher: match parts[0] {
            "hyperbolic" => Weigher::Hyperbolic,
            "logarithmic" => Weigher::Logarithmic,
            "quadratic" => Weigher::Quadratic,
            "constant" => Weigher::Constant,
            other => panic!("{other}"),
        },
        combine: match parts[1] {
            "additive" => Combine::Additive,
            _ => Combine::Multiplicative,
        },
        rank_by: match parts[2] {
            "both" => RankBy::Both,
            "x" => RankBy::X,
            _ => RankBy::Y,
        },
    }
}

#[test]
fn values_are_those_of_scipy() {
    let cases = cases();
    for row in rows("compare_scipy.csv") {
        let (case, coefficient, value) = (&row[0], &row[1], row[2].parse::<f64>().unwrap());
        let (x, y) = &cases[case];
        let (ranking_x, ranking_y) = (Ranking::new(x).unwrap(), Ranking::new(y).unwrap());
        let pair = Pair::new(&ranking_x, &ranking_y).unwrap();
        let ours = match coefficient.as_str() {
            "tau_b" => tau_b(&pair),
            "rho" => rho(&pair),
            "pearson_log" => pearson_log(x, y).unwrap().correlation,
            name => weighted_tau(&pair, weighting(name)),
        };
        let error = (ours.unwrap() - value).abs();
        assert!(
            error < 1e-12,
            "{case} {coefficient}: {ours:?} is not scipy's {value}"
        );
    }
}

/// The test vectors of the R package ircor 1.0, by the authors of the variants with ties: with
/// and without ties (values rounded to one decimal), and its values to four decimals.
#[test]
fn ap_correlations_are_those_of_their_authors() {
    let x = [
        [
            0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992,
        ],
        [
            0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38,
        ],
        [
            0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445,
        ],
    ];
    let y = [
        [
            0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988,
        ],
        [
            0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644,
        ],
        [
            0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25,
        ],
    ];
    let published = [
        // truth x; truth x, ties in y; symmetric; symmetric, ties in both.
        [0.8519, 0.7454, 0.8333, 0.7321],
        [0.2504, 0.2692, 0.2880, 0.297],
        [-0.6971, -0.5558, -0.668, -0.7047],
    ];
    let ranked = |scores: [f64; 10], tied: bool| {
        let round = |v: f64| {
            if tied {
                (v * 10.0).round_ties_even()
            } else {
                v
            }
        };
        Ranking::new(&scores.map(round)).unwrap()
    };
    for ((x, y), published) in x.into_iter().zip(y).zip(published) {
        let ap = |tied_x, tied_y| {
            let (x, y) = (ranked(x, tied_x), ranked(y, tied_y));
            ap_correlation(&Pair::new(&x, &y).unwrap())
        };
        let ours = [
            ap(false, false).x_is_truth,
            ap(false, true).x_is_truth,
            ap(false, false).symmetric,
            ap(true, true).symmetric,
        ];
        for (ours, published) in ours.into_iter().zip(published) {
            assert!(
                (ours.unwrap() - published).abs() < 6e-5,
                "{ours:?} {published}"
            );
        }
        // The other direction is the same with the vectors swapped.
        let (x, y) = (ranked(x, true), ranked(y, false));
        let ahead = ap_correlation(&Pair::new(&x, &y).unwrap());
        let back = ap_correlation(&Pair::new(&y, &x).unwrap());
        assert_eq!(ahead.y_is_truth, back.x_is_truth);
        assert_eq!(ahead.x_is_truth, None);
    }
}

/// Scores over nodes 0 to 23 of a ranking such as "i1 (i2 i3) i4".
fn ranking(text: &str) -> Ranking {
    let mut scores = vec![None; 24];
    let (mut score, mut tied) = (0.0, false);
    for word in text.split(' ') {
        tied |= word.starts_with('(');
        let node: usize = word.trim_matches(['(', ')', 'i']).parse().unwrap();
        scores[node] = Some(score);
        tied &= !word.ends_with(')');
        score -= if tied { 0.0 } else { 1.0 };
    }
    Ranking::partial(&scores).unwrap()
}

/// Values published with the reference code of "The treatment of ties in rank-biased overlap".
#[test]
fn rank_biased_overlaps_are_those_of_their_authors() {
    for (x, y, p, published) in [
        (
            "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
            "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
            0.958074765324023,
            [0.0816485573277354, 0.0808189832771587, 0.0813693619867344],
        ),
        (
            "(i3 i6) (i2 i7) i10",
            "(i3 i6 i7 i10) (i1 i2)",
            0.965413635276732,
            [0.946064537517568, 0.92051534467649, 0.956844651806714],
        ),
        (
            "(i3 i6 i10 i14 i15)",
            "i6 (i3 i7 i10 i14) i8 i15 (i1 i2 i4)",
            0.926466853612826,
            [0.826094305041388, 0.756260643055255, 0.828615638235269],
        ),
        (
            "(i1 i9 i15 i17) i13 i4 i3 i2",
            "(i1 i17) i15 i9 i13 i4 (i2 i3) i14",
            0.959906916802432,
            [0.966438584453973, 0.939211367148046, 0.970894528910972],
        ),
    ] {
        let (x, y) = (ranking(x), ranking(y));
        for (x, y) in [(&x, &y), (&y, &x)] {
            let rbo = rank_biased_overlap(x, y, Persistence::new(p).unwrap())
                .unwrap()
                .unwrap();
            for (ours, published) in [rbo.w, rbo.a, rbo.b].into_iter().zip(published) {
                assert!((ours - published).abs() < 1e-13, "{ours} {published}");
            }
        }
    }
}
