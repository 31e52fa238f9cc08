//! Scores other than the usual ones, by their formulas and in their limits.

use super::super::evaluate::Searching;
use super::super::expression::Expression;
use super::super::fields::FieldWeights;
use super::super::judgements;
use super::super::matching::{Idf, Model, Scoring};
use super::super::significance::Resampling;
use super::super::tune::tune;
use super::*;
use approx::assert_relative_eq;

const PAGES: [Text; 4] = [
    (0, "", "alpha alpha alpha beta", &[]),
    (1, "", "alpha beta", &[]),
    (
        2,
        "",
        "alpha gamma gamma gamma gamma gamma gamma gamma",
        &[],
    ),
    (3, "", "delta delta", &[]),
];

fn scores(collection: &Collection, query: &str, scoring: Scoring) -> Vec<(u32, f64)> {
    let weights: FieldWeights = "body".parse().unwrap();
    let expression = Expression::of_words(query, &weights).unwrap();
    collection
        .scored(&expression, &scoring.checked().unwrap())
        .unwrap()
}

fn check(scoring: Scoring, query: &str, expected: &[(u32, f64)]) {
    let (_folder, plain) = collection(&PAGES);
    let (_other, coded) = coded(&PAGES, ListCode::Golomb, 2);
    for collection in [&plain, &coded] {
        let found = scores(collection, query, scoring);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            assert_relative_eq!(found.1, expected.1, max_relative = 1e-14);
        }
    }
}

#[test]
fn counts_and_tf_idf_by_hand() {
    let of = |model| Scoring {
        model,
        ..Scoring::default()
    };
    check(
        of(Model::Counts),
        "alpha beta",
        &[(0, 4.0), (1, 2.0), (2, 1.0)],
    );
    check(of(Model::Counts), "gamma gamma", &[(2, 14.0)]);
    let [alpha, beta] = [(4.0f64 / 3.0).ln(), 2f64.ln()];
    let expected = [(0, 3.0 * alpha + beta), (1, alpha + beta), (2, alpha)];
    check(of(Model::Tfidf), "alpha beta", &expected);
}

/// Without k1, a page has the weights of its words, however often they are there and however long it is.
#[test]
fn bm25_without_k1_is_the_weight_of_words() {
    let alpha = (1.0f64 + 1.5 / 3.5).ln();
    let beta = 2f64.ln();
    let scoring = Scoring {
        k1: 0.0,
        ..Scoring::default()
    };
    check(
        scoring,
        "alpha beta",
        &[(0, alpha + beta), (1, alpha + beta), (2, alpha)],
    );
}

/// Without b, lengths do not matter: f (k1 + 1) / (f + k1).
#[test]
fn bm25_without_b_does_not_know_lengths() {
    let alpha = (1.0f64 + 1.5 / 3.5).ln();
    let scoring = Scoring {
        k1: 2.0,
        b: 0.0,
        ..Scoring::default()
    };
    check(
        scoring,
        "alpha",
        &[(0, alpha * 9.0 / 5.0), (1, alpha), (2, alpha)],
    );
    // With b = 1, k1 counts as often as the page is longer than the mean of 4.
    let scoring = Scoring {
        k1: 2.0,
        b: 1.0,
        ..Scoring::default()
    };
    let of = |f: f64, length: f64| alpha * 3.0 * f / (f + 2.0 * length / 4.0);
    check(
        scoring,
        "alpha",
        &[(0, of(3.0, 4.0)), (1, of(1.0, 2.0)), (2, of(1.0, 8.0))],
    );
}

/// The weight of the paper is negative for a word of three of four pages, and 0 for one of two.
#[test]
fn plain_weights_of_words_may_be_negative() {
    let scoring = Scoring {
        idf: Idf::Plain,
        k1: 0.0,
        ..Scoring::default()
    };
    let alpha = (1.5f64 / 3.5).ln();
    check(scoring, "alpha", &[(0, alpha), (1, alpha), (2, alpha)]);
    check(scoring, "beta", &[(0, 0.0), (1, 0.0)]);
    check(scoring, "gamma", &[(2, (3.5f64 / 1.5).ln())]);
}

#[test]
fn parameters_are_checked() {
    let usual = Scoring::default();
    assert!(usual.checked().is_ok() && usual.is_usual());
    for wrong in [
        Scoring { k1: -0.1, ..usual },
        Scoring {
            k1: f64::NAN,
            ..usual
        },
        Scoring {
            k1: f64::INFINITY,
            ..usual
        },
        Scoring { b: 1.1, ..usual },
        Scoring {
            b: f64::NAN,
            ..usual
        },
        Scoring {
            window: Some(0),
            ..usual
        },
    ] {
        assert!(wrong.checked().is_err() && !wrong.is_usual(), "{wrong:?}");
    }
}

/// The answer is the page where the word is once among many: only b = 0 with a small k1 ranks by nodes.
#[test]
fn k1_and_b_are_chosen_on_other_queries() {
    let long = format!("answer {}", "other ".repeat(200));
    let pages: Vec<Text> = (0..20)
        .map(|node| {
            (
                node,
                "",
                if node == 0 {
                    long.as_str()
                } else {
                    "answer here"
                },
                &[][..],
            )
        })
        .collect();
    let (folder, collection) = collection(&pages);
    let (queries, qrels) = (folder.path().join("q.tsv"), folder.path().join("qrels.txt"));
    let lines = |line: &dyn Fn(u32) -> String| (0..12).map(line).collect::<String>();
    std::fs::write(&queries, lines(&|i| format!("q{i}\tanswer\n"))).unwrap();
    std::fs::write(&qrels, lines(&|i| format!("q{i} 0 0 1\n"))).unwrap();
    let topics = judgements::read(&queries, &qrels, &collection).unwrap();
    let searching = Searching {
        weights: "body".parse().unwrap(),
        ..Searching::default()
    };
    let resampling = Resampling {
        draws: 99,
        ..Resampling::default()
    };
    let found = tune(&collection, &topics, &searching, resampling, &Silent).unwrap();
    assert_relative_eq!(found.baseline[3], 1.0 / 20.0);
    // k1 = 0 is the first of those that ignore lengths.
    let [same, other] = &found.systems[..] else {
        panic!()
    };
    assert_eq!(same.label, "best of the same queries: k1=0 b=0");
    assert_eq!(other.label, "best of the other half: k1=0 b=0, k1=0 b=0");
    assert_eq!(same.means[3], 1.0);
    assert_eq!(same.means, other.means);
    assert!(other.differences[3].lower > 0.0);
    // Queries whose answers differ: what is best for all flatters, what is chosen elsewhere does not.
    std::fs::write(
        &qrels,
        lines(&|i| format!("q{i} 0 {} 1\n", if i % 2 == 0 { 0 } else { 1 })),
    )
    .unwrap();
    let topics = judgements::read(&queries, &qrels, &collection).unwrap();
    let found = tune(&collection, &topics, &searching, resampling, &Silent).unwrap();
    let [same, other] = &found.systems[..] else {
        panic!()
    };
    assert!(same.means[1] >= other.means[1] && same.means[1] >= found.baseline[1]);
}
