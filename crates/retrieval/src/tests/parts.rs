//! Indexes in parts: what is found in them is what an index in one piece finds, bit for bit.

use super::super::expression::DEEPEST_QUERY;
use super::super::matching::{Idf, Model, Scoring};
use super::super::parts::By;
use super::lists::{parsed, queries};
use super::*;
use crate::collection::ABOUT;
use proptest::prelude::*;
use webrank_base::random::SplitMix;
use webrank_testing::damage::is_refused_or_harmless;

const WAYS: [By; 2] = [By::Documents, By::Terms];

fn cutting(parts: usize, by: By, signature: u32) -> Option<Cutting> {
    Some(Cutting {
        parts,
        by,
        signature,
    })
}

/// Pages of few words, so that many have equal scores; some of them are rare, and some in one part only.
fn texts() -> impl Strategy<Value = Vec<(String, String)>> {
    let word = prop_oneof![
        8 => (0..5u32).prop_map(|i| format!("w{i}")),
        2 => prop::sample::select(vec!["w7", "w17", "common", "red"]).prop_map(str::to_owned),
    ];
    let text =
        |most| prop::collection::vec(word.clone(), 0..most).prop_map(|words| words.join(" "));
    let title = prop_oneof![Just("t1 common".to_owned()), Just("t2".to_owned()), text(3)];
    prop::collection::vec((title, prop_oneof![9 => text(12), 1 => text(400)]), 0..40)
}

fn pages(texts: &[(String, String)]) -> Vec<Text<'_>> {
    (0..)
        .zip(texts)
        .map(|(node, (title, text))| (2 * node, title.as_str(), text.as_str(), &["a link"][..]))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Hits, their order and the bits of their scores, for every model, with static scores and stopped early.
    #[test]
    fn parts_find_what_one_index_finds(
        texts in texts(),
        queries in prop::collection::vec(queries(), 8),
        parts in prop::sample::select(vec![1usize, 2, 3, 7]),
        (code, skip) in (prop::sample::select(vec![ListCode::Delta, ListCode::Golomb, ListCode::Pfor]), 0..6u32),
        signature in prop::sample::select(vec![1u32, 8]),
        tops in prop::collection::vec(0..15usize, 2),
        seed in any::<u64>(),
    ) {
        let pages = pages(&texts);
        let (_folder, one) = coded(&pages, code, skip);
        let mut random = SplitMix::new(seed);
        let statics: Vec<f64> = texts.iter().map(|_| random.below(4) as f64).collect();
        for by in WAYS {
            let (_folder, cut) = cut(&pages, code, skip, cutting(parts, by, signature));
            prop_assert_eq!((cut.len(), cut.about().words), (one.len(), one.about().words));
            for page in 0..texts.len() as u32 {
                prop_assert_eq!(cut.node(page), one.node(page));
                prop_assert_eq!(cut.named(page).unwrap(), one.named(page).unwrap());
                prop_assert_eq!(cut.page_of(2 * page).unwrap(), Some(page));
                prop_assert_eq!(cut.pages_named(&name(2 * page)).unwrap(), [page]);
            }
            for (query, model) in queries.iter().zip([Model::Bm25, Model::Tfidf, Model::Counts].into_iter().cycle()) {
                prop_assume!(query.matches('(').count() <= DEEPEST_QUERY);
                let expression = parsed(query);
                let window = expression.has_phrase().then_some(3).filter(|_| seed % 2 == 0);
                let idf = if seed % 3 == 0 { Idf::Plain } else { Idf::Positive };
                let scoring = Scoring { model, window, idf, ..Scoring::default() };
                let all = one.scored(&expression, &scoring).unwrap();
                prop_assert_eq!(&cut.scored(&expression, &scoring).unwrap(), &all, "{} {:?}", query, by);
                for &(page, _) in &all {
                    let parts = cut.parts_by(&expression, &scoring, page).unwrap();
                    prop_assert_eq!(parts, one.parts_by(&expression, &scoring, page).unwrap());
                }
                for evidence in [None, Some((&statics[..], 0.5))] {
                    for &top in &tops {
                        let best = one.best(&all, evidence, top);
                        prop_assert_eq!(&cut.best(&all, evidence, top), &best);
                        let early = cut.best_early(&expression, &scoring, evidence, top).unwrap();
                        prop_assert_eq!(&early.hits, &best, "{} {:?}", query, by);
                    }
                }
            }
        }
    }
}

/// A part is read for words that it has, and of NOT all are.
#[test]
fn only_parts_with_the_words_are_read() {
    let texts: Vec<(String, String)> = (0..40)
        .map(|i| (String::new(), format!("common of{} of{}", i / 10, i / 20)))
        .collect();
    let pages = pages(&texts);
    for (query, by_documents, by_terms) in [
        ("body:of3", 1, 1),
        ("body:of0", 2, 1),
        ("body:nothing", 0, 0),
        ("+body:common +body:of2", 1, 2),
        ("body:\"common of3\"", 1, 2),
        ("+body:common +body:nothing", 0, 0),
        ("+body:nothing body:common", 0, 0),
        ("NOT body:of3", 4, 1),
    ] {
        for (by, expected) in [(By::Documents, by_documents), (By::Terms, by_terms)] {
            // With 40 bits, no stranger is let in; in parts of words, words may share one.
            let (_folder, cut) = cut(&pages, ListCode::Delta, 4, cutting(4, by, 40));
            cut.scored(&parsed(query), &Scoring::default()).unwrap();
            let [parts, read, bytes] = cut.parts_read().unwrap();
            match by {
                By::Documents if query.starts_with("NOT") => {
                    // Pages without the word are there, and its lists are not.
                    assert_eq!((parts, read), (4, 1), "{query}");
                }
                By::Documents => assert_eq!((parts, read), (4, expected), "{query}"),
                By::Terms => assert!(read <= expected && (read > 0) == (expected > 0), "{query}"),
            }
            assert!(bytes < cut.about().bytes());
            let held = cut.bytes_to_search(Some(&parsed(query)));
            assert!(held <= cut.bytes_to_search(None) && (held > 0) == (expected > 0));
        }
    }
}

#[test]
fn random_damage_of_parts_is_one_line_or_changes_no_hit() {
    let texts: Vec<(String, String)> = (0..12)
        .map(|i| ("title".into(), format!("common word{i}")))
        .collect();
    for by in WAYS {
        let (_folder, cut) = cut(&pages(&texts), ListCode::Gamma, 2, cutting(2, by, 8));
        let refused = is_refused_or_harmless(cut.path(), 4, || {
            let query = parsed("common word1 word7 word8 NOT word3");
            let found = Collection::open(cut.path())?.scored(&query, &Scoring::default())?;
            Ok(format!("{found:?}"))
        });
        assert!(refused > 20, "{refused}");
    }
}

/// Every file of a part and beside it: damaged, cut, gone, or of another index.
#[test]
fn damage_of_a_part_is_one_line() {
    let texts: Vec<(String, String)> = (0..12)
        .map(|i| ("title".into(), format!("common word{i}")))
        .collect();
    let pages = pages(&texts);
    for by in WAYS {
        let (_folder, cut) = cut(&pages, ListCode::Gamma, 2, cutting(2, by, 8));
        let index = cut.path().to_owned();
        let search = || -> Result<usize> {
            let collection = Collection::open(&index)?;
            let found = collection.scored(
                &parsed("common word1 word7 word8 NOT word3"),
                &Scoring::default(),
            )?;
            collection.named(0)?;
            Ok(found.len())
        };
        let expected = search().unwrap();
        let mut files = Vec::new();
        for folder in [
            index.clone(),
            index.join("part-00000"),
            index.join("part-00001"),
        ] {
            let entries = folder
                .read_dir()
                .unwrap()
                .map(|entry| entry.unwrap().path());
            files.extend(entries.filter(|path| {
                path.is_file()
                    && path.extension().is_none_or(|it| it != "lock")
                    && !path.ends_with(ABOUT)
            }));
        }
        assert!(files.len() > 15);
        for path in files {
            let bytes = std::fs::read(&path).unwrap();
            let mut flipped = bytes.clone();
            flipped[bytes.len() / 2] ^= 4;
            for damaged in [Some(&flipped[..]), Some(&bytes[1..]), None] {
                match damaged {
                    Some(damaged) => std::fs::write(&path, damaged).unwrap(),
                    None => std::fs::remove_file(&path).unwrap(),
                }
                let problem = search().err().map(|it| it.to_string());
                let problem = problem.unwrap_or_else(|| panic!("{}", path.display()));
                let file = path.file_name().unwrap().to_str().unwrap();
                assert!(
                    !problem.contains('\n') && (problem.contains(file) || damaged.is_none()),
                    "{problem}"
                );
            }
            std::fs::write(&path, bytes).unwrap();
        }
        assert_eq!(search().unwrap(), expected);
        let away = index.join("away");
        std::fs::rename(index.join("part-00000"), &away).unwrap();
        let problem = search().unwrap_err().to_string();
        assert!(problem.contains("part-00000"), "{problem}");
        // In the place of each other.
        std::fs::rename(index.join("part-00001"), index.join("part-00000")).unwrap();
        std::fs::rename(away, index.join("part-00001")).unwrap();
        let problem = search().unwrap_err().to_string();
        assert!(problem.contains("differs from its checksum"), "{problem}");
    }
}

/// Strangers are let in with probability 2^-r, and a word takes r + 1.23 bits, and a count of 32 for 256 of 1.23.
#[test]
fn filters_take_few_bits() {
    let text: Vec<String> = (0..6000).map(|i| format!("w{i}")).collect();
    let texts = [(String::new(), text.join(" "))];
    let (folder, bundle) = bundle(&pages(&texts));
    for signature in [3, 10] {
        let options = IndexOptions {
            replace: true,
            coding: Some(ListCoding {
                code: ListCode::Delta,
                skip: 0,
                memory: 16 << 20,
                parts: cutting(2, By::Terms, signature),
            }),
            ..IndexOptions::within(0)
        };
        let output = folder.path().join("web.index");
        let built = build(&bundle, &names(&bundle).unwrap(), &output, options, &Silent).unwrap();
        let shape = built.shape.unwrap();
        let words: u64 = shape.terms.iter().sum();
        let bits = shape.filter_bits as f64 / words as f64;
        let formula = f64::from(signature) + 1.23 * (1.0 + 32.0 / 256.0);
        assert!((bits / formula - 1.0).abs() < 0.01, "{bits} {formula}");
        let cut = Collection::open(&output).unwrap();
        let strangers =
            (0..20_000).filter(|i| cut.bytes_to_search(Some(&parsed(&format!("body:s{i}")))) > 0);
        let (taken, expected) = (
            strangers.count() as f64,
            20_000.0 * 0.5f64.powi(signature as i32),
        );
        assert!(
            (taken - expected).abs() < 5.0 * expected.sqrt(),
            "{taken} {expected}"
        );
    }
}
