//! Indexes on disk: the same results whatever the memory; damage; static scores.

use super::super::expression::Expression;
use super::super::fields::FieldWeights;
use super::super::search::Hit;
use super::super::static_rank::{StaticScores, Transform, TransformParams};
use super::*;
use webrank_testing::damage::is_refused_or_harmless;

fn texts(count: u32) -> Vec<(u32, String, String)> {
    let text = |i: u32| {
        format!(
            "common w{} w{} {}",
            i % 7,
            i % 11,
            "x ".repeat(i as usize % 5)
        )
    };
    (0..count)
        .map(|i| (i, format!("page {}", i % 3), text(i)))
        .collect()
}

fn pages(texts: &[(u32, String, String)]) -> Vec<Text<'_>> {
    texts
        .iter()
        .map(|(node, title, text)| (*node, title.as_str(), text.as_str(), &[][..]))
        .collect()
}

fn best(collection: &Collection, query: &str, count: usize) -> Vec<Hit> {
    let expression = Expression::parse(query, &FieldWeights::default()).unwrap();
    collection.best(&collection.matches(&expression).unwrap(), None, count)
}

/// However often the memory is full.
#[test]
fn segments_become_one_with_the_same_scores() {
    let texts = texts(200);
    let (folder, bundle) = bundle(&pages(&texts));
    let open = |flush: Option<u64>, name: &str| {
        let output = folder.path().join(name);
        let built = index(&bundle, &output, flush).unwrap();
        assert_eq!((built.pages, built.nodes), (200, 200));
        Collection::open(&output).unwrap()
    };
    let (one, many) = (open(None, "one"), open(Some(13), "many"));
    for query in ["common", "w3 page", "\"page 1\"", "w1 w2 x -w5"] {
        let hits = best(&one, query, 1000);
        assert!(!hits.is_empty());
        assert_eq!(hits, best(&many, query, 1000), "{query}");
    }
}

/// All pages are equal: they come in the order of nodes, and the first are the first of all.
#[test]
fn ties_are_in_the_order_of_nodes() {
    let pages: Vec<Text> = (0..50).map(|node| (node, "", "same", &[][..])).collect();
    let (_folder, collection) = collection(&pages);
    for count in [0, 1, 7, 50, 100] {
        let nodes: Vec<u32> = best(&collection, "same", count)
            .iter()
            .map(|hit| hit.node)
            .collect();
        assert_eq!(nodes, (0..50.min(count as u32)).collect::<Vec<_>>());
    }
}

#[test]
fn a_collection_without_pages_finds_nothing() {
    let (_folder, collection) = collection(&[]);
    assert!(collection.is_empty());
    assert!(best(&collection, "a", 10).is_empty());
    assert!(collection.page_of(0).unwrap().is_none());
}

/// Every byte that is flipped, and every file that is cut or missing, is noticed.
#[test]
fn damage_is_one_line() {
    let texts = texts(20);
    let (folder, bundle) = bundle(&pages(&texts));
    let output = folder.path().join("web.index");
    index(&bundle, &output, None).unwrap();
    let problem = |what: &str| {
        let problem = Collection::open(&output)
            .err()
            .map(|problem| problem.to_string());
        let problem = problem.unwrap_or_else(|| panic!("{what} is not noticed"));
        assert!(
            !problem.contains('\n') && problem.contains("web.index"),
            "{problem}"
        );
    };
    let files: Vec<_> = output
        .read_dir()
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert!(files.len() > 5);
    for file in &files {
        let whole = std::fs::read(file).unwrap();
        // A lock of tantivy's, on a busy machine.
        if whole.is_empty() {
            continue;
        }
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], &[]] {
            std::fs::write(file, damaged).unwrap();
            problem(&format!("{}", file.display()));
        }
        std::fs::remove_file(file).unwrap();
        problem("a missing file");
        std::fs::write(file, &whole).unwrap();
    }
    Collection::open(&output).unwrap();
    assert!(
        index(&bundle, &output, None).is_err(),
        "it is there already"
    );
    let missing = Collection::open(&folder.path().join("other"))
        .err()
        .unwrap();
    assert!(missing.to_string().contains("cannot open"), "{missing}");
    let other = Collection::open(&bundle).err().unwrap();
    assert!(other.to_string().contains("is no index"), "{other}");
}

#[test]
fn an_output_is_whole_or_absent() {
    let (folder, bundle) = bundle(&[(0, "a", "b", &[])]);
    let line = "{\"node\":0,\"title\":\"\",\"text\":\"b\",\"anchors\":[]}\n";
    let packed = zstd::encode_all(line.repeat(2).as_bytes(), 1).unwrap();
    std::fs::write(bundle.join(PAGES), &packed).unwrap();
    let output = folder.path().join("web.index");
    let problem = index(&bundle, &output, None).unwrap_err().to_string();
    assert!(
        problem.contains("line 2: node 0 is out of order"),
        "{problem}"
    );
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    std::fs::write(bundle.join(PAGES), &packed[..packed.len() - 3]).unwrap();
    let problem = index(&bundle, &output, None).unwrap_err().to_string();
    assert!(problem.contains("cannot read"), "{problem}");
    std::fs::remove_file(bundle.join(PAGES)).unwrap();
    let problem = index(&bundle, &output, None).unwrap_err().to_string();
    assert!(problem.contains("rank ingest --text"), "{problem}");
}

/// The last of fifty equal pages is first, if its static score is the largest.
#[test]
fn static_scores_reach_every_match() {
    let pages: Vec<Text> = (0..50)
        .map(|node| (2 * node, "", "same", &[][..]))
        .collect();
    let (folder, collection) = collection(&pages);
    let table = folder.path().join("scores.csv");
    let by_name = format!(
        "name,score\n{},3\nelsewhere,9\n{},1e-300\n",
        name(98),
        name(4)
    );
    let by_node = "node,score\n98,3\n1,9\n4,1e-300\n";
    for text in [by_name.as_str(), by_node] {
        std::fs::write(&table, text).unwrap();
        let scores = StaticScores::read(&table, None, &collection).unwrap();
        assert_eq!((scores.missing, scores.elsewhere), (48, 1));
        for combine in [
            Transform::Log,
            Transform::Rank,
            Transform::Saturation,
            Transform::Sigmoid,
        ] {
            let how = TransformParams {
                combine,
                ..TransformParams::default()
            };
            let parts = scores.parts(&how).unwrap();
            let expression = Expression::parse("same", &FieldWeights::default()).unwrap();
            let matches = collection.matches(&expression).unwrap();
            let hits = collection.best(&matches, Some((&parts, 0.5)), 3);
            assert_eq!(hits[0].node, 98, "{combine:?}");
            let bm25 = f64::from(matches[49].1);
            assert_eq!(hits[0].score, bm25 + 0.5 * parts[49]);
        }
    }
    for (text, word) in [
        ("name,score\nx,1\n", "has no row for any page"),
        (
            "page,score\nx,1\n",
            "has neither a column 'name' nor 'node'",
        ),
        ("node,score\n4,nan\n", "line 2"),
        ("node,score\n4,\n", "line 2"),
    ] {
        std::fs::write(&table, text).unwrap();
        let problem = StaticScores::read(&table, None, &collection)
            .unwrap_err()
            .to_string();
        assert!(problem.contains(word), "{problem}");
    }
    std::fs::write(&table, "node,pagerank,lin\n98,1,-1\n").unwrap();
    let lin = StaticScores::read(&table, Some("lin"), &collection).unwrap();
    assert!(
        lin.parts(&TransformParams::default()).is_err(),
        "it is negative"
    );
    let problem = StaticScores::read(&table, Some("x"), &collection)
        .unwrap_err()
        .to_string();
    assert!(problem.contains("there are pagerank, lin"), "{problem}");
}

#[test]
fn random_damage_is_one_line_or_changes_no_hit() {
    let texts = texts(20);
    let (folder, bundle) = bundle(&pages(&texts));
    let output = folder.path().join("web.index");
    index(&bundle, &output, None).unwrap();
    let refused = is_refused_or_harmless(&output, 12, || {
        let collection = Collection::open(&output)?;
        let found = ["common", "w3 page", "\"page 1\""].map(|query| {
            let expression = Expression::parse(query, &FieldWeights::default())?;
            Ok(collection.best(&collection.matches(&expression)?, None, 100))
        });
        found.into_iter().collect::<Result<Vec<_>>>()
    });
    assert!(refused > 50, "{refused}");
}
