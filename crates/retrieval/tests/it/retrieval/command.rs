//! The output, files and refusals of `rank index`, `rank search` and `rank evaluate`.

use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// A bundle of pages that link in a circle and to the first, with their text.
fn bundle(folder: &Path, pages: &[(&str, &str, &[&str])]) -> PathBuf {
    let url = |i: usize| format!("https://example.org/{i:04}");
    let mut arcs = String::new();
    for i in 0..pages.len() {
        writeln!(arcs, "{}\t{}", url(i), url((i + 1) % pages.len())).unwrap();
        writeln!(arcs, "{}\t{}", url(i), url(0)).unwrap();
    }
    let list = folder.join("links.tsv");
    std::fs::write(&list, arcs).unwrap();
    let web = folder.join("web.bv");
    stdout(&["import", text(&list), "-o", text(&web), "--order", "names"]);
    let lines = pages
        .iter()
        .enumerate()
        .map(|(node, (title, text, anchors))| {
            json!({"node": node, "title": title, "text": text, "anchors": anchors}).to_string()
                + "\n"
        });
    let lines: String = lines.collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    std::fs::write(web.join("pages.jsonl.zst"), packed).unwrap();
    // It does not know the texts.
    std::fs::remove_file(web.join("manifest.json")).unwrap();
    web
}

/// Thirty pages, the text of every third of which is the same.
pub fn thirty(folder: &Path) -> PathBuf {
    let titles: Vec<String> = (0..30)
        .map(|i| format!("Page {}", ["one", "two"][i % 2]))
        .collect();
    let texts: Vec<String> = (0..30).map(|i| format!("common text{}", i % 3)).collect();
    let own: Vec<String> = (0..30).map(|i| format!("link number{i}")).collect();
    let anchors: Vec<[&str; 2]> = own.iter().map(|own| [own.as_str(), "home"]).collect();
    let pages: Vec<(&str, &str, &[&str])> = (0..30)
        .map(|i| (titles[i].as_str(), texts[i].as_str(), &anchors[i][..]))
        .collect();
    bundle(folder, &pages)
}

pub fn indexed(folder: &Path) -> String {
    let web = thirty(folder);
    let index = folder.join("web.index");
    let said = stdout(&["index", text(&web), "-o", text(&index)]);
    assert!(said.contains("30 pages of 30 nodes"), "{said}");
    assert!(
        said.contains("words: 60 title, 60 body, 90 anchors, 120 url"),
        "{said}"
    );
    text(&index).to_owned()
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

#[test]
fn a_search_writes_a_table() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let table = stdout(&["search", &index, "text1", "-n", "2", "--fields", "body"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "node,name,score,rank,title");
    // Ten of thirty pages have the word, in fields of the same length.
    let score = (1.0f64 + 20.5 / 10.5).ln();
    for (line, node) in lines[1..].iter().zip([1, 4]) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[0], node.to_string());
        assert_eq!(cells[1], format!("https://example.org/{node:04}"));
        assert!(
            (cells[2].parse::<f64>().unwrap() - score).abs() < 1e-6,
            "{line}"
        );
    }
    assert_eq!(lines.len(), 3);
    let file = folder.path().join("hits.tsv");
    stdout(&["search", &index, "text1", "-o", text(&file)]);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 11);
    assert!(folder.path().join("hits.tsv.json").is_file());
}

/// The page with the best static score is first, however many pages match.
#[test]
fn parts_of_scores_are_explained() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let table = folder.path().join("static.csv");
    std::fs::write(&table, "node,score\n27,8\n4,0\n").unwrap();
    let search = [
        "search",
        &index,
        "common link",
        "--json",
        "--explain",
        "--static",
        text(&table),
    ];
    for combine in ["log", "rank", "saturation", "sigmoid"] {
        let found = json_of(&[&search[..], &["--weight", "0.3", "--combine", combine]].concat());
        assert_eq!(found["matches"], 30);
        let hits = found["hits"].as_array().unwrap();
        assert_eq!(hits.len(), 10);
        // All scores of `log` are that of the smallest positive score, which all others have.
        if combine != "log" {
            assert_eq!(hits[0]["node"], 27, "{combine}");
        }
        for hit in hits {
            let parts = hit["parts"].as_object().unwrap().values();
            let sum: f64 = parts.map(|part| part.as_f64().unwrap()).sum();
            let score = hit["score"].as_f64().unwrap();
            assert!((sum - score).abs() < 1e-5 * score, "{hit}");
        }
    }
    let said = rank(&["search", &index, "common", "--static", text(&table)])
        .output()
        .unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("28 of 30 pages have no row, and 0 rows are about no page"),
        "{said}"
    );
}

#[test]
fn known_items_are_evaluated_without_their_field() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let [run, qrels] = ["run.txt", "qrels.txt"].map(|name| folder.path().join(name));
    let from = [
        "evaluate",
        &index,
        "--known-items",
        "anchors",
        "--draws",
        "99",
    ];
    let files = ["--run", text(&run), "--qrels", text(&qrels), "--json"];
    let found = json_of(&[&from[..], &files].concat());
    let source = found["source"].as_str().unwrap();
    assert_eq!(
        source,
        "30 of 30 known items; field anchors is not searched"
    );
    // Only `link number7` has these words: without anchors no query finds anything.
    assert_eq!(found["queries_without_hits"], 30);
    assert_eq!(found["measures"][1]["mean"], 0.0);
    assert_eq!(std::fs::read_to_string(&run).unwrap(), "");
    let judged = std::fs::read_to_string(&qrels).unwrap();
    assert!(
        judged.starts_with("anchor1 0 https://example.org/0000 1\n"),
        "{judged}"
    );
    // Titles are shared by pages.
    let problem = failure(&["evaluate", &index, "--known-items", "titles"], 1);
    assert!(
        problem.contains("no title belongs to exactly one page"),
        "{problem}"
    );
}

/// Page 29 is the answer of every query; a static score that knows it helps, and another harms.
#[test]
fn static_scores_are_compared() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (queries, qrels) = (at("q.tsv"), at("qrels.txt"));
    let lines = |line: &dyn Fn(usize) -> String| (0..12).map(line).collect::<String>();
    std::fs::write(&queries, lines(&|i| format!("q{i}\tcommon\n"))).unwrap();
    std::fs::write(
        &qrels,
        lines(&|i| format!("q{i} 0 https://example.org/0029 1\n")),
    )
    .unwrap();
    let [good, bad] = [at("good.csv"), at("bad.csv")];
    std::fs::write(&good, "node,score\n29,2\n0,1\n").unwrap();
    std::fs::write(&bad, "node,score\n28,2\n0,1\n").unwrap();
    let run = at("run.txt");
    let from = [
        "evaluate",
        &index,
        "--queries",
        &queries,
        "--judgements",
        &qrels,
        "--draws",
        "999",
    ];
    let table = stdout(&[&from[..], &["--static", &good, "--static", &bad]].concat());
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(
        rows[0],
        [
            "static",
            "measure",
            "mean",
            "difference",
            "lower",
            "upper",
            "p"
        ]
    );
    assert_eq!(rows.len(), 16);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    // Reciprocal ranks: 30th of equal pages; first; behind page 28 still last.
    assert_eq!(rows[4][1], "rr");
    assert!((number(4, 2) - 1.0 / 30.0).abs() < 1e-12);
    assert_eq!((number(9, 2), rows[9][1]), (1.0, "rr"));
    assert!(number(9, 6) <= 0.01, "12 equal differences");
    assert_eq!((number(14, 3), number(14, 6)), (0.0, 1.0));
    assert_eq!(rows[4][3..], ["", "", "", ""]);
    // Tuned weights are chosen and judged on different halves.
    let tuned = json_of(&[&from[..], &["--static", &good, "--tune", "--json"]].concat());
    assert_eq!(tuned["measures"][8]["mean"], 1.0);
    assert!(tuned["measures"][8]["weights"][0].as_f64().unwrap() > 0.0);
    stdout(&[&from[..], &["--static", &good, "--run", &run]].concat());
    let found = std::fs::read_to_string(&run).unwrap();
    assert!(
        found.starts_with("q0 Q0 https://example.org/0029 1 1000 rank\n"),
        "{found}"
    );
    assert_eq!(found.lines().count(), 12 * 30);
}

#[test]
fn threads_and_memory_do_not_matter() {
    let folder = TempDir::new().unwrap();
    let web = thirty(folder.path());
    let mut all = Vec::new();
    for (place, options) in [["--threads", "1"], ["--threads", "3"], ["--memory", "300M"]]
        .iter()
        .enumerate()
    {
        let index = folder.path().join(format!("{place}.index"));
        stdout(&[&["index", text(&web), "-o", text(&index)], &options[..]].concat());
        let search = [
            "search",
            text(&index),
            "common \"page one\" -text2",
            "--explain",
        ];
        let evaluate = [
            "evaluate",
            text(&index),
            "--known-items",
            "anchors",
            "--draws",
            "99",
        ];
        let found = [&search[..], &evaluate].map(|words| stdout(&[words, &options[..]].concat()));
        all.push(found);
    }
    assert!(all.iter().all(|found| *found == all[0]), "{all:?}");
}

#[test]
fn too_little_memory_is_one_line() {
    let folder = TempDir::new().unwrap();
    let web = thirty(folder.path());
    let output = folder.path().join("web.index");
    let problem = failure(
        &["index", text(&web), "-o", text(&output), "--memory", "30M"],
        1,
    );
    assert!(problem.contains("--memory"), "{problem}");
    assert!(!output.exists());
    let index = folder.path().join("i.index");
    stdout(&["index", text(&web), "-o", text(&index)]);
    let problem = failure(&["search", text(&index), "common", "--memory", "1M"], 1);
    assert!(problem.contains("--memory"), "{problem}");
    let known = [
        "evaluate",
        text(&index),
        "--known-items",
        "anchors",
        "--memory",
        "1M",
    ];
    assert!(failure(&known, 1).contains("--memory"));
}

/// The words of a page cannot act on a terminal.
#[test]
fn control_characters_are_escaped() {
    let folder = TempDir::new().unwrap();
    let web = bundle(folder.path(), &[("\u{1b}[31mred\u{7}", "words", &[])]);
    let index = folder.path().join("web.index");
    stdout(&["index", text(&web), "-o", text(&index)]);
    let found = stdout(&["search", text(&index), "words", "--json"]);
    assert!(found.contains("red") && !found.contains('\u{1b}') && !found.contains('\u{7}'));
}

#[test]
fn wrong_input_is_one_line() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let many = vec!["word"; 10_000].join(" ");
    assert_eq!(stdout(&["search", &index, &many]).lines().count(), 1);
    for (query, word) in [
        ("", "QUERY is without words"),
        ("?!", "QUERY is without words"),
        ("\"open", "not closed"),
        ("author:me", "title, body, anchors or url"),
        (&many.repeat(2), "at most 65536 bytes"),
    ] {
        let problem = failure(&["search", &index, "--", query], 2);
        assert!(problem.contains(word), "{problem}");
    }
    let web = at("web.bv");
    for (arguments, word) in [
        (
            vec!["search", &web, "x"],
            "is no index; 'rank index' makes one",
        ),
        (
            vec!["search", &index, "x", "--fields", "author"],
            "--fields is author",
        ),
        (
            vec!["search", &index, "x", "--fields", "body=0"],
            "a field that is searched",
        ),
        (
            vec!["search", &index, "x", "--weight", "nan"],
            "--weight is NaN",
        ),
        (vec!["search", &index, "x", "--k", "0"], "--k is 0"),
        (
            vec!["search", &index, "x", "-o", "x.npy"],
            "write .parquet or .arrow",
        ),
        (vec!["index", &web, "-o", &index], "already exists"),
        (vec!["index", &web, "-o", &web, "--force"], "web.bv"),
        (
            vec![
                "evaluate",
                &index,
                "--known-items",
                "titles",
                "--fields",
                "title",
            ],
            "is searched",
        ),
    ] {
        // A wrong file has code 1, a wrong argument code 2.
        let code = if arguments
            .iter()
            .any(|it| it.starts_with("--") && *it != "--force")
        {
            2
        } else {
            1
        };
        let problem = failure(&arguments, code);
        assert!(problem.contains(word), "{problem}");
    }
    std::fs::remove_file(folder.path().join("web.bv/pages.jsonl.zst")).unwrap();
    let problem = failure(&["index", &web, "-o", &at("other.index")], 1);
    assert!(
        problem.contains("has no text of pages, which 'rank ingest --text' keeps"),
        "{problem}"
    );
}

#[test]
fn archives_and_judgements_of_other_pages_are_refused() {
    let folder = TempDir::new().unwrap();
    let index = indexed(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [queries, qrels, archive, made] = ["q.tsv", "qrels.txt", "a.warc", "made"].map(at);
    std::fs::write(&queries, "q\tcommon\n").unwrap();
    std::fs::write(&qrels, "q 0 https://example.org/none 1\nq 0 9999 2\n").unwrap();
    let files = ["--queries", &queries, "--judgements", &qrels];
    let message = failure(&[&["evaluate", &index], &files[..]].concat(), 1);
    assert!(message.contains("none of the 2 relevant pages is in the index"));
    std::fs::write(&archive, "WARC/1.0\r\n").unwrap();
    assert!(failure(&["index", &archive, "-o", &made], 1).contains("with --text one for"));
    assert!(failure(&["pagerank", &archive], 1).contains("'rank ingest' makes a graph"));
}
