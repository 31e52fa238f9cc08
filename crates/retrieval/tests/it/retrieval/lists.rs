//! `rank index --codes`, and what is searched by its lists.

use super::command::{indexed, thirty};
use serde_json::Value;
use tempfile::TempDir;
use webrank_testing::cli::*;

const QUERIES: [&str; 6] = [
    "common text1",
    "+common -text2",
    "\"page one\" OR anchors:number7",
    "\"common text1\" home",
    "NOT \"common text1\"",
    "+common +home +text0",
];

fn hits(index: &str, query: &str, options: &[&str]) -> Vec<(u64, f64)> {
    let from = ["search", index, query, "--json", "-n", "30"];
    let found: Value = serde_json::from_str(&stdout(&[&from[..], options].concat())).unwrap();
    let hits = found["hits"].as_array().unwrap().iter();
    hits.map(|hit| {
        (
            hit["node"].as_u64().unwrap(),
            hit["score"].as_f64().unwrap(),
        )
    })
    .collect()
}

/// Pages are those of the index, and bits the same, for every code, skip and way through the lists.
#[test]
fn every_code_finds_the_same() {
    let folder = TempDir::new().unwrap();
    let plain = indexed(folder.path());
    let web = folder.path().join("web.bv");
    let expected = QUERIES.map(|query| hits(&plain, query, &[]));
    let mut all = Vec::new();
    for (code, skip) in [
        ("gamma", "0"),
        ("delta", "1"),
        ("zeta3", "128"),
        ("golomb", "4"),
        ("pfor", "7"),
    ] {
        let index = folder.path().join(format!("{code}.index"));
        let index = text(&index);
        let said = stdout(&[
            "index",
            text(&web),
            "-o",
            index,
            "--codes",
            code,
            "--skip",
            skip,
        ]);
        assert!(
            said.contains("lists: 330 postings, 330 positions; bits per posting: documents "),
            "{said}"
        );
        let found = QUERIES.map(|query| hits(index, query, &[]));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.0, expected.0);
                assert!(
                    (found.1 - expected.1).abs() < 1e-5,
                    "{found:?} {expected:?}"
                );
            }
        }
        for options in [
            &["--conjunctions", "heap"][..],
            &["--conjunctions", "greedy", "--threads", "1"],
            &["--early"],
        ] {
            assert_eq!(
                QUERIES.map(|query| hits(index, query, options)),
                found,
                "{code} {options:?}"
            );
        }
        // Parts sum to the score.
        let explained = stdout(&["search", index, "common text1", "--explain", "-n", "3"]);
        assert_eq!(explained.lines().count(), 4);
        all.push(found);
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn scores_windows_and_early_stops_are_options() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    // Each of ten pages has the word once: its field has the weight 1.
    let found = hits(&index, "body:text1", &["--model", "counts"]);
    assert_eq!(found, (0..10).map(|i| (3 * i + 1, 1.0)).collect::<Vec<_>>());
    let found = hits(&index, "body:text1", &["--model", "tfidf"]);
    assert!((found[0].1 - 3f64.ln()).abs() < 1e-12);
    let found = hits(
        &index,
        "body:text1",
        &["--k1", "0", "--b", "0", "--idf", "plain"],
    );
    assert!((found[0].1 - (20.5f64 / 10.5).ln()).abs() < 1e-12);
    assert_eq!(hits(&index, "body:\"text1 common\"", &[]), []);
    assert_eq!(
        hits(&index, "body:\"text1 common\"", &["--window", "2"]).len(),
        10
    );
    let early = stdout(&["search", &index, "text1", "--early", "--json", "-n", "2"]);
    let early: Value = serde_json::from_str(&early).unwrap();
    assert!(
        early["matches"].is_null() && early["scored"].as_u64().unwrap() <= 10,
        "{early}"
    );
    for (options, word) in [
        (&["--k1=-1"][..], "--k1 is -1"),
        (&["--b", "2"], "--b is 2"),
        (&["--window", "0"], "--window is 0"),
        (
            &["--model", "counts", "--k1", "1"],
            "--k1 is given: it is a parameter of BM25",
        ),
        (&["--model", "tfidf", "--idf", "plain"], "--idf is given"),
        (&["--k1", "-1"], "--k1 is -1: it cannot be negative"),
        (&["--b", "-0.5"], "--b is -0.5: give a number from 0 to 1"),
        // Without effect.
        (&["--window", "3"], "--window is given: QUERY has no phrase"),
        (
            &["--conjunctions", "heap"],
            "--conjunctions is given: the index has no lists",
        ),
        (&["--weight", "2"], "--weight is given: it is about static"),
        (&["--combine", "rank"], "--combine is given"),
        (
            &["--static", "s.csv", "--k", "2"],
            "--k is given: it is of --combine saturation and sigmoid",
        ),
        (
            &["--static", "s.csv", "--combine", "saturation", "--a", "2"],
            "--a is given: it is of --combine sigmoid",
        ),
    ] {
        let problem = failure(&[&["search", &index, "text1"], options].concat(), 2);
        assert!(problem.contains(word), "{problem}");
    }
    let web = folder.path().join("web.bv");
    let other = folder.path().join("other.index");
    let problem = failure(&["index", text(&web), "-o", text(&other), "--skip", "4"], 2);
    assert!(problem.contains("--codes"), "{problem}");
}

/// k1 and b are chosen by judgements, and a second line does not flatter.
#[test]
fn parameters_are_tuned() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let [queries, qrels] = ["q.tsv", "qrels.txt"].map(|name| folder.path().join(name));
    let lines = |line: &dyn Fn(usize) -> String| (0..12).map(line).collect::<String>();
    std::fs::write(
        &queries,
        lines(&|i| format!("q{i}\tcommon text{}\n", i % 3)),
    )
    .unwrap();
    std::fs::write(&qrels, lines(&|i| format!("q{i} 0 {} 1\n", i % 3))).unwrap();
    let from = [
        "evaluate",
        &index,
        "--queries",
        text(&queries),
        "--judgements",
        text(&qrels),
        "--draws",
        "99",
    ];
    let table = stdout(&[&from[..], &["--tune"]].concat());
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 16);
    assert!(
        rows[6].starts_with("best of the same queries: k1="),
        "{table}"
    );
    assert!(
        rows[11].starts_with("\"best of the other half: k1="),
        "{table}"
    );
    let problem = failure(&[&from[..], &["--tune", "--model", "counts"]].concat(), 2);
    assert!(problem.contains("--model"), "{problem}");
    assert_eq!(
        stdout(&[&from[..], &["--tune", "--threads", "1"]].concat()),
        table
    );
}

#[test]
fn too_little_memory_for_lists_is_one_line() {
    let folder = TempDir::new().unwrap();
    let web = thirty(folder.path());
    let index = folder.path().join("i.index");
    stdout(&["index", text(&web), "-o", text(&index), "--codes", "delta"]);
    let problem = failure(&["search", text(&index), "common", "--memory", "1M"], 1);
    assert!(problem.contains("--memory"), "{problem}");
}
