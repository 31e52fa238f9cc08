//! `rank rerun`: the same bits again, or what is different.

use crate::support::cli::*;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs `rank` in a folder: exit code, and what it said.
fn rank_in(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn every_format_gives_the_same_bits_again_and_writes_nothing() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("out")).unwrap();
    std::fs::write(at("p.csv"), "a,1\nb,3\n").unwrap();
    for (table, options) in [
        ("out/t.csv", &["pagerank", "--preference", "p.csv"][..]),
        ("out/t.csv.gz", &["hits"]),
        ("out/t.csv.zst", &["betweenness", "--arcs"]),
        ("t.parquet", &["harmonic", "--top", "2", "--sort", "score"]),
        ("c.csv", &["trustrank", "--select", "2", "--threads", "1"]),
    ] {
        let run = [&["-q"], options, &["small.bv", "-o", table]].concat();
        let (code, said) = rank_in(folder.path(), &run);
        assert_eq!(code, Some(0), "{said}");
        let before = files(folder.path());
        let manifest = format!("{table}.json");
        // From the folder of the run, and from elsewhere.
        let absolute = at(&manifest);
        for (from, manifest) in [
            (folder.path(), manifest.as_str()),
            (Path::new("/"), text(&absolute)),
        ] {
            let (code, said) = rank_in(from, &["rerun", manifest]);
            assert_eq!(code, Some(0), "{said}");
            assert!(said.contains("the same bits again"), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        assert_eq!(files(folder.path()), before);
    }
    // The whole folder may move.
    let elsewhere = TempDir::new().unwrap();
    let moved = elsewhere.path().join("moved");
    std::fs::rename(folder.path(), &moved).unwrap();
    let (code, said) = rank_in(
        Path::new("/"),
        &["rerun", text(&moved.join("out/t.csv.json"))],
    );
    assert_eq!(code, Some(0), "{said}");
    // Without the table, its manifest says enough.
    std::fs::remove_file(moved.join("out/t.csv")).unwrap();
    let (code, said) = rank_in(&moved, &["rerun", "out/t.csv.json"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_differs_is_said_in_one_line() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("p.csv"), "a,1\n").unwrap();
    let run = [
        "-q",
        "pagerank",
        "small.bv",
        "--preference",
        "p.csv",
        "-o",
        "t.csv",
    ];
    assert_eq!(rank_in(folder.path(), &run).0, Some(0));
    let table = std::fs::read_to_string(at("t.csv")).unwrap();
    let differs = |words: &str| {
        let (code, said) = rank_in(folder.path(), &["rerun", "t.csv.json"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    };
    std::fs::write(at("t.csv"), table.replace("0,a,", "0,z,")).unwrap();
    differs("the table has been changed since");
    std::fs::write(at("t.csv"), &table).unwrap();
    std::fs::write(at("p.csv"), "b,1\n").unwrap();
    differs("the bits differ");
    std::fs::write(at("edges.tsv"), "a\tb\nb\ta\n").unwrap();
    let import = ["-q", "import", "edges.tsv", "-o", "small.bv", "--force"];
    assert_eq!(rank_in(folder.path(), &import).0, Some(0));
    differs("is not the graph of");
}

#[test]
fn only_rankings_are_repeated() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    rank(&["-q", "indegree", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    let path = folder.path().join("t.csv.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let edges = folder.path().join("edges.tsv");
    for (field, value, words) in [
        (
            "command",
            serde_json::json!(["rank", "import", text(&edges), "-o", "x.bv"]),
            "no table",
        ),
        (
            "command",
            serde_json::json!(["rank", "indegree", "--nonsense"]),
            "no such command",
        ),
        (
            "command",
            serde_json::json!(["rank", "indegree", "\u{fffd}"]),
            "not UTF-8",
        ),
        ("table", serde_json::json!(null), "no checksum"),
        ("folder", serde_json::json!(""), "the folder of its run"),
        ("folder", serde_json::json!("nowhere"), "cannot enter"),
    ] {
        let mut changed = manifest.clone();
        changed[field] = value;
        std::fs::write(&path, changed.to_string()).unwrap();
        let message = failure(&["rerun", text(&path)], 1);
        assert!(message.contains(words), "{message}");
    }
    let message = failure(&["rerun", text(&table)], 1);
    assert!(message.contains("not the manifest of a table"), "{message}");
}
