//! Lists in codes of our own: what is found by them is what tantivy finds.

use super::super::expression::Expression;
use super::super::fields::{FieldWeights, TextField};
use super::super::lists::{List, ListCode, OfTantivy, Seeking, Sorted, conjunction};
use super::super::matching::{Idf, Model, Scoring};
use super::*;
use approx::assert_relative_eq;
use proptest::prelude::*;
use tantivy::schema::IndexRecordOption;

const CODES: [ListCode; 5] = [
    ListCode::Gamma,
    ListCode::Delta,
    ListCode::Zeta3,
    ListCode::Golomb,
    ListCode::Pfor,
];

const SEEKING: [Seeking; 3] = [Seeking::Heap, Seeking::Greedy, Seeking::Galloping];

pub fn parsed(query: &str) -> Expression {
    Expression::parse(query, &FieldWeights::default()).unwrap()
}

/// Pages whose words are often and rare, some of them very long.
fn texts(count: u32) -> Vec<(String, String)> {
    let text = |i: u32| {
        let words: Vec<String> = (0..i % 13 + u32::from(i == 7) * 900)
            .map(|j| format!("w{}", (i * 31 + j * j * 7) % (3 + (i + j) % 40)))
            .collect();
        words.join(" ")
    };
    (0..count)
        .map(|i| (format!("t{} common", i % 5), text(i)))
        .collect()
}

fn pages(texts: &[(String, String)]) -> Vec<Text<'_>> {
    let pages = (0..).zip(texts);
    pages
        .map(|(node, (title, body))| (2 * node, title.as_str(), body.as_str(), &["a link"][..]))
        .collect()
}

/// Every document, count and position.
#[test]
fn lists_are_those_of_the_index() {
    let texts = texts(150);
    let pages = pages(&texts);
    for code in CODES {
        for skip in [0, 1, 5, 128] {
            let (_folder, collection) = coded(&pages, code, skip);
            let (_, segment) = collection.of_tantivy().unwrap();
            let lists = collection.lists().unwrap();
            let mut postings = 0;
            for field in TextField::ALL {
                let inverted = segment
                    .inverted_index(collection.fields.text[field as usize])
                    .unwrap();
                let mut terms = inverted.terms().stream().unwrap();
                let mut place = 0;
                while terms.advance() {
                    let option = IndexRecordOption::WithFreqsAndPositions;
                    let theirs = inverted
                        .read_postings_from_terminfo(terms.value(), option)
                        .unwrap();
                    let mut theirs = OfTantivy(theirs);
                    let mut ours = lists.list(field as usize, place, Seeking::Greedy).unwrap();
                    assert_eq!(ours.cost(), theirs.cost());
                    let [mut at, mut other] = [Vec::new(), Vec::new()];
                    while theirs.document() < u32::MAX {
                        assert_eq!(ours.document(), theirs.document(), "{code:?} {skip}");
                        assert_eq!(ours.count(), theirs.count());
                        ours.positions(&mut at);
                        theirs.positions(&mut other);
                        assert_eq!(at, other);
                        assert!(ours.most().unwrap().0 >= ours.count());
                        ours.seek(ours.document() + 1);
                        theirs.seek(theirs.document() + 1);
                        postings += 1;
                    }
                    assert_eq!(ours.document(), u32::MAX);
                    place += 1;
                }
                assert!(lists.list(3, 1 << 40, Seeking::Greedy).is_none());
            }
            let sizes = lists.sizes();
            assert_eq!(sizes.postings, postings);
            assert_eq!(
                sizes.skips_bits == 0,
                [0, 128].contains(&skip) && sizes.skips_bits == 0
            );
            collection.lists().unwrap().damage().unwrap();
        }
    }
}

/// A set of numbers as a list.
struct Numbers(Vec<u32>, usize);

impl Sorted for Numbers {
    fn document(&self) -> u32 {
        self.0.get(self.1).copied().unwrap_or(u32::MAX)
    }

    fn seek(&mut self, target: u32) -> u32 {
        while self.document() < target {
            self.1 += 1;
        }
        self.document()
    }

    fn cost(&self) -> u64 {
        self.0.len() as u64
    }
}

proptest! {
    #[test]
    fn conjunctions_are_intersections(
        sets in prop::collection::vec(prop::collection::btree_set(0..40u32, 0..30), 1..5),
    ) {
        let in_all = |number: &u32| sets.iter().all(|set| set.contains(number));
        let expected: Vec<u32> = (0..40).filter(in_all).collect();
        for seeking in SEEKING {
            let numbers = |set: &std::collections::BTreeSet<u32>| Numbers(set.iter().copied().collect(), 0);
            let mut all: Vec<Numbers> = sets.iter().map(numbers).collect();
            let (mut found, mut next) = (Vec::new(), 0);
            loop {
                let document = conjunction(&mut all, next, seeking);
                if document == u32::MAX {
                    break;
                }
                found.push(document);
                next = document + 1;
            }
            prop_assert_eq!(&found, &expected, "{:?}", seeking);
        }
    }
}

/// Any query of words that some pages have.
pub fn queries() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "w0",
        "w1",
        "w2",
        "w3",
        "w17",
        "common",
        "title:t1",
        "t2",
        "nothing",
        "\"w1 w2\"",
        "\"common w0\"",
        "\"w2 w3\"~2",
        "\"t1 common\"",
        "anchors:link",
        "\"w0 w0\"",
        "w1^3",
        "+w1 -w2",
        "+w3 w0 t4",
        "\"w0 w7 w1\"",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) AND ({b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) OR ({b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ({b})")),
                inner.prop_map(|a| format!("NOT ({a})")),
            ]
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn hits_are_those_of_tantivy(
        queries in prop::collection::vec(queries(), 1..20),
        codes in prop::collection::vec(0..CODES.len(), 2),
        skips in prop::collection::vec(prop::sample::select(vec![0u32, 1, 3, 16, 128]), 2),
        count in 20..120u32,
    ) {
        let texts = texts(count);
        let pages = pages(&texts);
        let open = |place: usize| coded(&pages, CODES[codes[place]], skips[place]);
        let ((_first, one), (_second, other)) = (open(0), open(1));
        for query in &queries {
            prop_assume!(query.matches('(').count() <= crate::expression::DEEPEST_QUERY);
            let expression = parsed(query);
            let mut all = Vec::new();
            for seeking in SEEKING {
                let scoring = Scoring { seeking, ..Scoring::default() };
                all.push(one.scored(&expression, &scoring).unwrap());
                all.push(other.scored(&expression, &scoring).unwrap());
            }
            // Bits are the same, whatever the code, the skips and the way through the lists.
            prop_assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{}", query);
            for &(page, score) in &all[0] {
                let parts = one.parts_by(&expression, &Scoring::default(), page).unwrap();
                prop_assert_eq!(parts.iter().sum::<f64>(), score);
            }
            if expression.excludes_phrases() {
                continue;
            }
            let theirs = one.matches(&expression).unwrap();
            let documents: Vec<u32> = all[0].iter().map(|page| page.0).collect();
            prop_assert_eq!(documents, theirs.iter().map(|page| page.0).collect::<Vec<_>>(), "{}", query);
            for (ours, theirs) in all[0].iter().zip(&theirs) {
                assert_relative_eq!(ours.1, f64::from(theirs.1), max_relative = 1e-5, epsilon = 1e-6);
            }
        }
    }

    /// Hits and bits are those of scoring all, with lists of any kind, models and static scores.
    #[test]
    fn stopping_early_changes_no_hit(
        queries in prop::collection::vec(queries(), 1..12),
        code in 0..=CODES.len(),
        tops in prop::collection::vec(0..30usize, 3),
        weight in prop::sample::select(vec![None, Some(0.0), Some(0.3), Some(7.0)]),
        seed in any::<u64>(),
    ) {
        let texts = texts(140);
        let pages = pages(&texts);
        let (_folder, collection) = match CODES.get(code) {
            Some(&code) => coded(&pages, code, 8),
            None => collection(&pages),
        };
        let mut random = webrank_base::random::SplitMix::new(seed);
        let statics: Vec<f64> = (0..140).map(|_| random.below(1000) as f64 / 250.0 - 1.0).collect();
        let parts = weight.map(|weight| (&statics[..], weight));
        for model in [Model::Bm25, Model::Tfidf, Model::Counts] {
            for (k1, b, idf) in [(0.9, 0.4, Idf::Positive), (0.0, 0.0, Idf::Positive), (2.0, 1.0, Idf::Plain)] {
                let scoring = Scoring { model, k1, b, idf, ..Scoring::default() };
                for query in &queries {
                    prop_assume!(query.matches('(').count() <= crate::expression::DEEPEST_QUERY);
                    let expression = parsed(query);
                    let all = collection.scored(&expression, &scoring).unwrap();
                    for &top in &tops {
                        let expected = collection.best(&all, parts, top);
                        let found = collection.best_early(&expression, &scoring, parts, top).unwrap();
                        prop_assert_eq!(&found.hits, &expected, "{} {:?}", query, scoring);
                        prop_assert!(found.scored <= all.len() as u64);
                    }
                }
            }
        }
    }
}

/// Pages that have a rare word are found first: then the others, of a common one, need no score.
#[test]
fn stopping_early_scores_few_pages() {
    let texts: Vec<String> = (0..600)
        .map(|i| {
            if i % 100 == 3 {
                "rare common".into()
            } else {
                format!("common x{i}")
            }
        })
        .collect();
    let pages: Vec<Text> = (0..)
        .zip(&texts)
        .map(|(node, text)| (node, "", text.as_str(), &[][..]))
        .collect();
    let (_folder, collection) = coded(&pages, ListCode::Delta, 16);
    let best = collection
        .best_early(&parsed("rare common"), &Scoring::default(), None, 3)
        .unwrap();
    let nodes: Vec<u32> = best.hits.iter().map(|hit| hit.node).collect();
    assert_eq!(nodes, [3, 103, 203]);
    assert!(best.scored < 220, "{}", best.scored);
}

/// With lists of any kind; the first page with the phrase is not the first of all.
#[test]
fn pages_without_a_phrase_are_the_others() {
    let pages: [Text; 4] = [
        (0, "", "red", &[]),
        (1, "", "apple red", &[]),
        (2, "", "x red apple", &[]),
        (3, "", "", &[]),
    ];
    let (_folder, plain) = collection(&pages);
    let (_other, coded) = coded(&pages, ListCode::Gamma, 1);
    for collection in [&plain, &coded] {
        for (query, expected) in [
            ("NOT \"red apple\"", vec![0, 1, 3]),
            ("red -\"red apple\"", vec![0, 1]),
        ] {
            let found = collection
                .scored(&parsed(query), &Scoring::default())
                .unwrap();
            assert_eq!(
                found.iter().map(|page| page.0).collect::<Vec<_>>(),
                expected,
                "{query}"
            );
        }
    }
}

/// Words in any order within a window, by the text.
#[test]
fn windows_hold_all_words_in_any_order() {
    let pages: [Text; 5] = [
        (0, "", "red green apple", &[]),
        (1, "", "apple and then some more red", &[]),
        (2, "", "apple red", &[]),
        (3, "", "red red red", &[]),
        (4, "", "x", &["red", "apple"]),
    ];
    let windows = |collection: &Collection, query: &str, window: u32| {
        let scoring = Scoring {
            window: Some(window),
            ..Scoring::default()
        };
        let found = collection.scored(&parsed(query), &scoring).unwrap();
        found.iter().map(|page| page.0).collect::<Vec<_>>()
    };
    let (_folder, plain) = collection(&pages);
    let (_other, coded) = coded(&pages, ListCode::Zeta3, 2);
    for collection in [&plain, &coded] {
        for (width, expected) in [
            (1, vec![]),
            (2, vec![2]),
            (3, vec![0, 2]),
            (5, vec![0, 2]),
            (6, vec![0, 1, 2]),
        ] {
            assert_eq!(
                windows(collection, "body:\"red apple\"", width),
                expected,
                "{width}"
            );
            assert_eq!(windows(collection, "body:\"apple red\"", width), expected);
        }
        // A word twice is one word.
        assert_eq!(windows(collection, "\"red red\"", 1), [0, 1, 2, 3, 4]);
        assert_eq!(windows(collection, "+\"red apple\" -green", 3), [2, 4]);
    }
}

/// Lists that are cut or wrong are noticed, also if their checksum is made to fit.
#[test]
fn damaged_lists_are_one_line() {
    let texts = texts(60);
    let (folder, _) = coded(&pages(&texts), ListCode::Delta, 4);
    let index = folder.path().join("web.index");
    for name in ["lists.bits", "lists.starts", "lists.json"] {
        let path = index.join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], &[]] {
            std::fs::write(&path, damaged).unwrap();
            let problem = Collection::open(&index).err().unwrap().to_string();
            assert!(
                !problem.contains('\n') && problem.contains(name),
                "{problem}"
            );
        }
        std::fs::write(&path, &whole).unwrap();
    }
    let bits = index.join("lists.bits");
    let whole = std::fs::read(&bits).unwrap();
    std::fs::write(&bits, &whole[..whole.len() / 2 / 4 * 4]).unwrap();
    let problem = super::super::lists::Lists::open(&index)
        .err()
        .unwrap()
        .to_string();
    assert!(
        problem.contains("lists.bits: cannot read the index: it is too short"),
        "{problem}"
    );
}
