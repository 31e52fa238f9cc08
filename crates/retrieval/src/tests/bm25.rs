//! Scores against the formula of BM25, page by page.

use super::super::expression::Expression;
use super::super::fields::{FieldWeights, TextField, words};
use super::{Text, collection};
use crate::collection::Collection;
use approx::assert_relative_eq;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The length that a field of so many words counts as: 24 different ones, then floating-point numbers
/// with three bits behind the first.
fn rounded(length: usize) -> f64 {
    let decode = |id: u32| match id.checked_sub(24) {
        None => id,
        Some(rest) if rest < 8 => 24 + rest,
        Some(rest) => 24 + ((rest & 7 | 8) << ((rest >> 3) - 1)),
    };
    let fits = (0..200).map(decode).take_while(|&it| it as usize <= length);
    f64::from(fits.last().unwrap())
}

/// The score of every page for a bag of words, by the formula.
fn oracle(pages: &[Text], query: &str, weights: &FieldWeights) -> BTreeMap<u32, [f64; 4]> {
    let mut scores: BTreeMap<u32, [f64; 4]> = BTreeMap::new();
    let n = pages.len() as f64;
    for field in weights.searched() {
        let of = |page: &Text| -> Vec<String> {
            match field {
                TextField::Title => words(page.1),
                TextField::Body => words(page.2),
                TextField::Anchors => page.3.iter().flat_map(|text| words(text)).collect(),
                TextField::Url => words(&super::name(page.0)),
            }
        };
        let all: Vec<Vec<String>> = pages.iter().map(of).collect();
        let average = all.iter().map(Vec::len).sum::<usize>() as f64 / n;
        for word in words(query) {
            let frequency = |text: &Vec<String>| text.iter().filter(|it| **it == word).count();
            let with = all.iter().filter(|text| frequency(text) > 0).count() as f64;
            let idf = (1.0 + (n - with + 0.5) / (with + 0.5)).ln();
            for (page, text) in pages
                .iter()
                .zip(&all)
                .filter(|(_, text)| frequency(text) > 0)
            {
                let f = frequency(text) as f64;
                let norm = 1.2 * (0.25 + 0.75 * rounded(text.len()) / average);
                let score = f64::from(weights.of(field)) * idf * 2.2 * f / (f + norm);
                scores.entry(page.0).or_default()[field as usize] += score;
            }
        }
    }
    scores
}

/// Searches and explanations agree with the oracle.
fn check(collection: &Collection, pages: &[Text], query: &str, weights: &FieldWeights) {
    let expression = Expression::of_words(query, weights).unwrap();
    let matches = collection.matches(&expression).unwrap();
    let expected = oracle(pages, query, weights);
    let found: Vec<u32> = matches
        .iter()
        .map(|&(page, _)| collection.node(page))
        .collect();
    assert_eq!(
        found,
        expected.keys().copied().collect::<Vec<_>>(),
        "{query}"
    );
    for &(page, score) in &matches {
        let parts = collection.parts(&expression, page).unwrap();
        let wanted = expected[&collection.node(page)];
        for (part, wanted) in parts.into_iter().zip(wanted) {
            assert_relative_eq!(part, wanted, max_relative = 1e-5, epsilon = 1e-9);
        }
        assert_relative_eq!(f64::from(score), parts.iter().sum(), max_relative = 1e-5);
    }
}

/// Two pages of one and three words; the query is in one of them: ln 2 x 2.2 / (1 + norm).
#[test]
fn one_word_in_one_of_two_pages_by_hand() {
    let pages: [Text; 2] = [(0, "", "alpha", &[]), (1, "", "beta beta gamma", &[])];
    let (_folder, collection) = collection(&pages);
    let weights: FieldWeights = "body".parse().unwrap();
    let score = |query: &str| {
        let expression = Expression::of_words(query, &weights).unwrap();
        collection.matches(&expression).unwrap()
    };
    let idf = 2f64.ln();
    let alpha = idf * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 / 2.0));
    let beta = idf * 2.2 * 2.0 / (2.0 + 1.2 * (0.25 + 0.75 * 3.0 / 2.0));
    for (query, page, expected) in [
        ("Alpha", 0, alpha),
        ("beta", 1, beta),
        ("alpha alpha", 0, 2.0 * alpha),
    ] {
        let found = score(query);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, page);
        assert_relative_eq!(f64::from(found[0].1), expected, max_relative = 1e-6);
    }
    assert!(score("delta").is_empty());
    assert!(score("").is_empty());
    assert!(score("?!").is_empty());
}

/// Lengths are rounded down from 41 words on.
#[test]
fn long_fields_are_scored_by_their_rounded_length() {
    let texts: Vec<String> = [1, 24, 25, 39, 40, 41, 42, 43, 55, 59, 100, 1000, 5001]
        .map(|length| "word ".repeat(length))
        .into();
    let pages = texts.iter().zip(0..);
    let pages: Vec<Text> = pages
        .map(|(text, node)| (node, "", text.as_str(), &[][..]))
        .collect();
    let (_folder, collection) = collection(&pages);
    check(&collection, &pages, "word", &FieldWeights::default());
}

const WORDS: [&str; 5] = ["a", "b", "c", "example", "d"];

fn text() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(0..WORDS.len(), 0..12);
    words.prop_map(|words| {
        words
            .iter()
            .map(|&i| WORDS[i])
            .collect::<Vec<_>>()
            .join(" ")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn scores_are_those_of_the_formula(
        pages in prop::collection::vec((text(), text(), prop::collection::vec(text(), 0..3)), 1..8),
        query in text(),
        weights in prop::collection::vec(0..4u8, 4),
    ) {
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let weights = format!(
            "title={},body={},anchors={},url={}",
            weights[0], weights[1], weights[2], weights[3]
        );
        let anchors: Vec<Vec<&str>> =
            pages.iter().map(|page| page.2.iter().map(String::as_str).collect()).collect();
        // Every second node has text.
        let pages: Vec<Text> = (pages.iter().zip(&anchors).zip(0u32..))
            .map(|((page, anchors), i)| (2 * i, page.0.as_str(), page.1.as_str(), &anchors[..]))
            .collect();
        let (_folder, collection) = collection(&pages);
        check(&collection, &pages, &query, &weights.parse().unwrap());
    }
}

/// The nodes that a query finds, best first.
fn nodes(collection: &Collection, query: &str) -> Vec<u32> {
    let expression = Expression::parse(query, &FieldWeights::default()).unwrap();
    let matches = collection.matches(&expression).unwrap();
    for &(page, score) in &matches {
        let parts = collection.parts(&expression, page).unwrap();
        assert_relative_eq!(f64::from(score), parts.iter().sum(), max_relative = 1e-5);
    }
    let hits = collection.best(&matches, None, 100);
    hits.iter().map(|hit| hit.node).collect()
}

#[test]
fn queries_mean_what_they_say() {
    let pages: [Text; 4] = [
        (0, "red apple", "a fruit", &[]),
        (1, "green apple", "red on one side", &[]),
        (2, "tomato", "red fruit, apple red", &["vegetable"]),
        (3, "push_str", "", &[]),
    ];
    let (_folder, collection) = collection(&pages);
    for (query, mut expected) in [
        ("\"red apple\"", vec![0]),
        ("\"apple red\"", vec![2]),
        ("\"red apple\"~1", vec![0, 2]),
        ("red AND apple", vec![0, 1, 2]),
        ("+fruit -tomato", vec![0]),
        ("apple NOT green", vec![0, 2]),
        ("title:red", vec![0]),
        ("title:apple OR anchors:vegetable", vec![0, 1, 2]),
        ("+(green tomato) +apple", vec![1, 2]),
        ("push_str", vec![3]),
        ("vegetable^3", vec![2]),
        ("nothing", vec![]),
        ("-red", vec![3]),
        ("NOT red", vec![3]),
        ("red AND NOT green", vec![0, 2]),
        ("green OR (NOT apple)", vec![1, 3]),
        ("apple AND(NOT(green OR fruit))", vec![]),
        ("NOT(fruit)AND NOT title:red", vec![1, 3]),
        ("NOT NOT tomato", vec![2]),
        ("NOT \"red apple\"", vec![1, 2, 3]),
        ("NOT anchors:vegetable", vec![0, 1, 3]),
        ("NOT nothing", vec![0, 1, 2, 3]),
        ("\"a NOT(b\"", vec![]),
        ("\"?!\"", vec![]),
        ("+\"?!\" red", vec![]),
    ] {
        let mut found = nodes(&collection, query);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
    // Titles weigh three times as much.
    assert_eq!(nodes(&collection, "red")[0], 0);
    assert_eq!(nodes(&collection, "body:red^99 title:green")[0], 2);
}

/// A formula as a user writes it, and the set of pages (a bit each) that it means.
fn formulas() -> impl Strategy<Value = (String, u8)> {
    // The pages of the test below that have a word, in any field and in some.
    let leaf = prop::sample::select(vec![
        ("red", 0b0111),
        ("apple", 0b0111),
        ("green", 0b0010),
        ("fruit", 0b0101),
        ("title:red", 0b0001),
        ("body:red", 0b0110),
        ("anchors:vegetable", 0b0100),
        ("nothing", 0),
        ("\"red apple\"", 0b0001),
    ]);
    let leaf = leaf.prop_map(|(text, pages)| (text.to_owned(), pages));
    leaf.prop_recursive(5, 24, 3, |inner| {
        let one = inner.clone();
        prop_oneof![
            one.prop_map(|(text, pages)| (format!("NOT ({text})"), !pages & 0b1111)),
            (inner.clone(), inner.clone())
                .prop_map(|((a, in_a), (b, in_b))| { (format!("({a}) AND ({b})"), in_a & in_b) }),
            (inner.clone(), inner)
                .prop_map(|((a, in_a), (b, in_b))| { (format!("({a}) OR ({b})"), in_a | in_b) }),
        ]
    })
}

proptest! {
    /// AND, OR and NOT are intersection, union and complement, however they are nested.
    #[test]
    fn formulas_are_sets((query, expected) in formulas()) {
        // A group is nested once more for each operator.
        prop_assume!(query.matches('(').count() <= crate::expression::DEEPEST_QUERY);
        let pages: [Text; 4] = [
            (0, "red apple", "a fruit", &[]),
            (1, "green apple", "red on one side", &[]),
            (2, "tomato", "red fruit, apple red", &["vegetable"]),
            (3, "push_str", "", &[]),
        ];
        let (_folder, collection) = collection(&pages);
        let found = nodes(&collection, &query).iter().fold(0, |set, node| set | 1 << node);
        prop_assert_eq!(found, expected, "{}", query);
    }
}

#[test]
fn wrong_queries_are_one_line() {
    for query in [
        "\"open",
        "(open",
        "title:",
        "author:x",
        "[a TO b]",
        "x AND",
        "body:/x.*/",
        "*",
        "IN [a b]",
        "\"begin\"*",
        "a^-1",
        "a^1e30",
        &"(".repeat(100_000),
        &"x".repeat(70_000),
        &format!("{}a{}", "(".repeat(17), ")".repeat(17)),
    ] {
        if let Err(problem) = Expression::parse(query, &FieldWeights::default()) {
            let line = problem.to_string();
            assert!(line.starts_with("QUERY is '") && line.len() < 400, "{line}");
            assert!(!line.contains('\n'), "{line}");
        } else {
            assert!(
                ["title:", "a^-1", "IN [a b]", "x AND"].contains(&query),
                "{query}"
            );
        }
    }
}

#[test]
fn long_and_nested_queries_end() {
    let pages: [Text; 1] = [(0, "a", "word1 word2", &[])];
    let (_folder, collection) = collection(&pages);
    let many: Vec<String> = (0..6000).map(|i| format!("word{i}")).collect();
    assert_eq!(nodes(&collection, &many.join(" ")), [0]);
    assert_eq!(nodes(&collection, &"a ".repeat(10_000)), [0]);
    let words = Expression::of_words(&"a ".repeat(10_000), &FieldWeights::default()).unwrap();
    assert_eq!(collection.matches(&words).unwrap().len(), 1);
    let nested = format!("{}a{}", "(".repeat(16), ")".repeat(16));
    assert_eq!(nodes(&collection, &nested), [0]);
    for strange in [
        "NOT ", "-", "+", "a AND ", "a^2", "\"a\"", ")", "(a)", "title:",
    ] {
        let _ = Expression::parse(&strange.repeat(1000), &FieldWeights::default());
    }
}
