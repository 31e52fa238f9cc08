//! Evaluations of collections whose measures are known.

use super::super::evaluate::{Evidence, Searching, evaluate};
use super::super::fields::TextField;
use super::super::judgements;
use super::super::known_items::{KnownItems, known_items};
use super::super::significance::Resampling;
use super::*;

fn resampling() -> Resampling {
    Resampling {
        draws: 199,
        seed: 1,
    }
}

/// Ten equal pages and a query about each: without scores the page of node i is at rank i + 1.
fn equal_pages() -> (TempDir, Collection) {
    let pages: Vec<Text> = (0..10).map(|node| (node, "", "same", &[][..])).collect();
    collection(&pages)
}

fn topics(
    folder: &TempDir,
    collection: &Collection,
    queries: &str,
    qrels: &str,
) -> Result<Vec<judgements::Topic>> {
    let [q, j] = ["q.tsv", "qrels.txt"].map(|name| folder.path().join(name));
    std::fs::write(&q, queries).unwrap();
    std::fs::write(&j, qrels).unwrap();
    judgements::read(&q, &j, collection)
}

#[test]
fn measures_of_known_ranks() {
    let (folder, collection) = equal_pages();
    let queries = "a\tsame\nb\tsame\nc\tnothing\nd\tsame\n";
    let qrels = format!(
        "a 0 0 1\nb 0 {} 3\nb 0 https://away.example/ 1\nc 0 2 1\nd 0 1 0\nd 0 2 -1\n",
        name(3)
    );
    let topics = topics(&folder, &collection, queries, &qrels).unwrap();
    // The last page is lifted to the first place, then the others follow.
    let mut parts = vec![0.0; 10];
    parts[3] = 1.0;
    let evidence = [Evidence {
        label: "lift".into(),
        parts,
        weight: Some(1.0),
    }];
    let found = evaluate(
        &collection,
        &topics,
        &Searching::default(),
        &evidence,
        resampling(),
        &Silent,
    );
    let found = found.unwrap();
    assert_eq!(
        (
            found.queries,
            found.unjudged,
            found.without_hits,
            found.unknown
        ),
        (3, 1, 1, 1)
    );
    let close = |a: [f64; 5], b: [f64; 5]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let log5 = 5f64.log2();
    let ideal = 7.0 + 1.0 / 3f64.log2();
    let baseline = [
        0.2,
        1.0 + 0.125,
        1.0 + 7.0 / log5 / ideal,
        1.0 + 0.25,
        1.0 + 0.5,
    ];
    assert!(
        close(found.baseline, baseline.map(|sum| sum / 3.0)),
        "{found:?}"
    );
    let lifted = [
        0.2,
        0.5 + 0.5,
        1.0 / 3f64.log2() + 7.0 / ideal,
        0.5 + 1.0,
        1.0 + 0.5,
    ];
    let system = &found.systems[0];
    assert!(
        close(system.means, lifted.map(|sum| sum / 3.0)),
        "{found:?}"
    );
    for (place, difference) in system.differences.iter().enumerate() {
        let expected = system.means[place] - found.baseline[place];
        assert!((difference.difference - expected).abs() < 1e-12);
        assert!(difference.lower <= expected + 1e-12 && expected <= difference.upper + 1e-12);
    }
}

#[test]
fn threads_do_not_matter() {
    let (folder, collection) = equal_pages();
    let queries: String = (0..40).map(|i| format!("q{i}\tsame\n")).collect();
    let qrels: String = (0..40)
        .map(|i| format!("q{i} 0 {} 1\n", i * 7 % 10))
        .collect();
    let topics = topics(&folder, &collection, &queries, &qrels).unwrap();
    let evidence = [Evidence {
        label: "x".into(),
        parts: (0..10).map(|i| f64::from(i * 3 % 10)).collect(),
        weight: None,
    }];
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            evaluate(
                &collection,
                &topics,
                &Searching::default(),
                &evidence,
                resampling(),
                &Silent,
            )
        })
        .unwrap()
    };
    assert_eq!(run(1), run(3));
}

/// Weights are chosen on one half and judged on the other: a score that always helps is used by both.
#[test]
fn weights_are_chosen_by_the_other_half() {
    let (folder, collection) = equal_pages();
    let queries: String = (0..20).map(|i| format!("q{i}\tsame\n")).collect();
    let qrels: String = (0..20)
        .map(|i| format!("q{i} 0 {} 1\n", 8 + i % 2))
        .collect();
    let topics = topics(&folder, &collection, &queries, &qrels).unwrap();
    let evidence = |parts: Vec<f64>| {
        [Evidence {
            label: "x".into(),
            parts,
            weight: None,
        }]
    };
    let run = |parts| {
        let evidence = evidence(parts);
        evaluate(
            &collection,
            &topics,
            &Searching::default(),
            &evidence,
            resampling(),
            &Silent,
        )
        .unwrap()
    };
    let helps = run((0..10).map(f64::from).collect());
    assert!(helps.systems[0].weights.iter().all(|&weight| weight > 0.0));
    assert!(helps.systems[0].differences[1].lower > 0.0);
    let harms = run((0..10).rev().map(f64::from).collect());
    assert_eq!(harms.systems[0].weights, [0.0, 0.0]);
    assert_eq!(harms.systems[0].means, harms.baseline);
}

#[test]
fn wrong_judgements_are_named() {
    let (folder, collection) = equal_pages();
    let good = "a\tsame\n";
    for (queries, qrels, word) in [
        ("a same\n", "", "q.tsv, line 1: has no tab"),
        ("\tsame\n", "", "q.tsv, line 1: an identifier"),
        ("a\tx\na\ty\n", "", "q.tsv, line 2: query a"),
        (good, "b 0 0 1\n", "qrels.txt, line 1: query b"),
        (good, "a 0 0\n", "qrels.txt, line 1: has not four fields"),
        (good, "a 0 0 x\n", "qrels.txt, line 1: grade x"),
        (
            good,
            "\na 0 0 1\na 0 0 2\n",
            "qrels.txt, line 3: page 0 was judged",
        ),
    ] {
        let problem = topics(&folder, &collection, queries, qrels)
            .unwrap_err()
            .to_string();
        let plain = problem.replace(['\'', '"'], "");
        assert!(plain.contains(word), "{problem}");
    }
    let nothing = topics(&folder, &collection, good, "a 0 0 0\n").unwrap();
    let found = evaluate(
        &collection,
        &nothing,
        &Searching::default(),
        &[],
        resampling(),
        &Silent,
    );
    assert!(
        found
            .unwrap_err()
            .to_string()
            .contains("no query has a relevant page")
    );
}

#[test]
fn known_items_belong_to_one_page() {
    let pages: [Text; 4] = [
        (0, "Vec", "", &["vector", "a list", "both"]),
        (2, "vec!", "", &["both"]),
        (3, "String", "", &["text", "Text", "?"]),
        (5, "HashMap", "", &[]),
    ];
    let (_folder, collection) = collection(&pages);
    let items = |items, sample, seed| known_items(&collection, items, sample, seed).unwrap();
    let (titles, count) = items(KnownItems::Titles, 10, 0);
    let of = |topic: &judgements::Topic| {
        let pages: Vec<u32> = topic
            .grades
            .keys()
            .map(|&page| collection.node(page))
            .collect();
        (topic.text.clone(), pages[0])
    };
    // `Vec` and `vec!` are the same words.
    let found: Vec<_> = titles.iter().map(of).collect();
    assert_eq!(found, [("hashmap".into(), 5), ("string".into(), 3)]);
    assert_eq!(count, 2);
    let (anchors, _) = items(KnownItems::Anchors, 10, 0);
    let found: Vec<_> = anchors.iter().map(of).collect();
    assert_eq!(
        found,
        [
            ("a list".into(), 0),
            ("text".into(), 3),
            ("vector".into(), 0)
        ]
    );
    assert_eq!(KnownItems::Titles.field(), TextField::Title);
    // Samples depend on the seed, and each item is in some.
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let (one, count) = items(KnownItems::Anchors, 1, seed);
        assert_eq!((one.len(), count), (1, 3));
        seen.insert(one[0].text.clone());
    }
    assert_eq!(seen.len(), 3);
}
