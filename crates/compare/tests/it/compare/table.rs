//! The table of all comparisons: every pair, the same bits for any number of threads, interruption.

use webrank_base::error::Error;
use webrank_base::progress::{Progress, Silent};
use webrank_compare::*;

/// Degree-like and continuous scores, long enough to share all work between threads.
fn long_columns() -> [Vec<f64>; 3] {
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let degree: Vec<f64> = (0..200_000)
        .map(|_| (0.9 / (random() + 1e-6)).floor())
        .collect();
    let rank = degree
        .iter()
        .map(|d| (d + 0.5) * (random() + 0.1))
        .collect();
    let other = degree.iter().map(|d| (d * random()).floor()).collect();
    [degree, rank, other]
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let scores = long_columns();
    let bounds: Vec<f64> = scores[1].iter().map(|s| s * 1e-3).collect();
    let columns: Vec<NamedScores> = ["degree", "rank", "other"]
        .into_iter()
        .zip(&scores)
        .map(|(name, scores)| NamedScores {
            name,
            scores,
            bounds: (name == "rank").then(|| BoundedScores::new(scores, &bounds).unwrap()),
        })
        .collect();
    let run = |threads, combine| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let options = CompareOptions {
            weighting: Weighting {
                combine,
                ..Default::default()
            },
            ..Default::default()
        };
        let table = pool
            .install(|| compare_columns(&columns, options, &Silent))
            .unwrap();
        serde_json::to_string(&table).unwrap()
    };
    for combine in [Combine::Additive, Combine::Multiplicative] {
        let one = run(1, combine);
        for threads in [2, 3, 8] {
            assert!(one == run(threads, combine), "{threads} threads");
        }
    }
}

#[test]
fn a_table_compares_every_pair_of_columns() {
    let scores = long_columns().map(|mut scores| {
        scores.truncate(1000);
        scores
    });
    let ranks: Vec<f64> = (1..=1000).map(f64::from).collect();
    let columns: Vec<NamedScores> = ["degree", "rank", "other", "position"]
        .into_iter()
        .zip(scores.iter().chain([&ranks]))
        .map(|(name, scores)| NamedScores {
            name,
            scores,
            bounds: None,
        })
        .collect();
    let options = CompareOptions {
        top: vec![5, 50],
        movers: 3,
        ..Default::default()
    };
    let table = compare_columns(&columns, options, &Silent).unwrap();
    assert_eq!(table.comparisons.len(), 6);
    assert!(table.columns[3].rank_like.is_some() && table.columns[0].rank_like.is_none());
    for a in 0..4 {
        for b in (0..4).filter(|&b| b != a) {
            let comparison = table.comparison(a, b).unwrap();
            assert_eq!((comparison.x, comparison.y), (a.min(b), a.max(b)));
            let [x, y] = [a.min(b), a.max(b)].map(|c| Ranking::new(columns[c].scores).unwrap());
            assert_eq!(comparison.tau_b, tau_b(&Pair::new(&x, &y).unwrap()));
            assert_eq!(
                comparison.top.iter().map(|top| top.k).collect::<Vec<_>>(),
                [5, 50]
            );
            assert!(comparison.movers.climbers.len() == 3 && comparison.certified.is_none());
            let names: Vec<_> = comparison
                .scalars()
                .into_iter()
                .map(|scalar| scalar.name)
                .collect();
            assert!(names.contains(&"overlap_50".to_owned()));
        }
    }
    assert!(table.comparison(2, 2).is_none());
}

#[test]
fn a_table_stops_when_asked() {
    struct Stop;
    impl Progress for Stop {
        fn interrupted(&self) -> bool {
            true
        }
    }
    let column = NamedScores {
        name: "a",
        scores: &[1.0, 2.0],
        bounds: None,
    };
    let stopped = compare_columns(&[column, column], CompareOptions::default(), &Stop);
    assert!(matches!(stopped, Err(Error::Interrupted)));
}
