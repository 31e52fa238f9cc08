//! Tables by lengths, verified, repeated, planned and explained.

use super::lengths::{output, roads};
use crate::verify::command::verified;
use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn manifests_tell_and_runs_are_repeated_and_verified() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    let table = folder.path().join("table.csv");
    let lengths = folder.path().join("lengths.csv");
    fs::write(&lengths, "a,b,1\na,c,2\na,d,3\nb,d,2\nc,d,1\n").unwrap();
    for (command, options) in [
        ("harmonic", vec!["--lengths", "weights", "--cutoff", "0.25"]),
        ("betweenness", vec!["--lengths", text(&lengths)]),
        ("betweenness", vec!["--lengths", "inverse", "--arcs"]),
        (
            "betweenness",
            vec![
                "--lengths",
                "weights",
                "--method",
                "sources",
                "--sources",
                "a,b",
            ],
        ),
        ("decay", vec!["--lengths", "weights"]),
    ] {
        let run = [&[command, &roads, "-q", "-o", text(&table)], &options[..]].concat();
        rank(&run).assert().success();
        let manifest = fs::read_to_string(folder.path().join("table.csv.json")).unwrap();
        assert!(manifest.contains("\"lengths\": \""), "{manifest}");
        assert_eq!(
            manifest.contains("\"cutoff\": 0.25"),
            command == "harmonic",
            "{manifest}"
        );
        let again = output(&["rerun", &format!("{}.json", text(&table))]);
        assert!(again.contains("the same bits again"), "{again}");
        let report = verified(&[text(&table)]);
        let column = &report["columns"][0];
        assert_eq!(column["promised"]["holds"], true, "{command} {column:#}");
    }
    let manifest = fs::read_to_string(folder.path().join("table.csv.json")).unwrap();
    assert!(manifest.contains("\"kind\": \"rounded\""), "{manifest}");
}

#[test]
fn tables_of_other_programs_are_verified_by_lengths() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    let table = folder.path().join("bare.csv");
    fs::write(&table, "name,score\na,0\nb,1\nc,1\nd,0\n").unwrap();
    let of = [
        "verify",
        "-q",
        text(&table),
        "--graph",
        &roads,
        "--measure",
        "betweenness",
        "--tolerance",
        "1e-9",
    ];
    // Without the direct arc, each of two paths is half of all.
    let twice = folder.path().join("twice.csv");
    fs::write(&twice, "a,b,1\na,c,2\na,d,4\nb,d,2\nc,d,1\n").unwrap();
    let scaled = rank(&[&of[..], &["--lengths", text(&twice)]].concat())
        .assert()
        .success();
    let said = String::from_utf8(scaled.get_output().stdout.clone()).unwrap();
    assert!(said.contains("lengths file"), "{said}");
    let one = folder.path().join("one.csv");
    fs::write(&one, "a,b,1\na,c,3\na,d,4\nb,d,2\nc,d,1\n").unwrap();
    // Without one of them, and without paths from end to end.
    let wrong: [&[&str]; 2] = [
        &["--lengths", text(&one)],
        &["--lengths", text(&twice), "--cutoff", "2.9"],
    ];
    for options in wrong {
        let found = rank(&[&of[..], options].concat()).output().unwrap();
        let problem = String::from_utf8(found.stderr).unwrap();
        assert_eq!(found.status.code(), Some(1), "{problem}");
        assert!(problem.contains("above the tolerance"), "{problem}");
    }
    let problem = failure(
        &[
            "verify",
            "-q",
            text(&table),
            "--graph",
            &roads,
            "--measure",
            "pagerank",
            "--cutoff",
            "1",
        ],
        2,
    );
    assert!(
        problem.contains("pagerank has no such parameter"),
        "{problem}"
    );
}

#[test]
fn a_node_is_explained_by_lengths() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    let said = stdout(&["explain", &roads, "d", "--lengths", "weights"]);
    let to_it = "lengths   to it: 3 nodes at 0.1 to 0.3, 0.2 on average\n";
    assert!(
        said.contains(to_it) && said.contains("from it: no node"),
        "{said}"
    );
    let said = stdout(&[
        "explain",
        &roads,
        "d",
        "--lengths",
        "weights",
        "--cutoff",
        "0.25",
    ]);
    assert!(said.contains("2 nodes at 0.1 to 0.2, 0.15 on"), "{said}");
    let json = stdout(&["explain", &roads, "a", "--json", "--cutoff", "1"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!({"nodes": 3, "nearest": 1.0, "mean": 1.0, "farthest": 1.0});
    assert_eq!(json["lengths_from_it"], expected);
}

#[test]
fn plans_and_explanations_know_of_lengths() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    for command in [
        "harmonic",
        "closeness",
        "lin",
        "reachable",
        "eccentricity",
        "decay",
        "integration",
        "betweenness",
        "betweenness --arcs",
        "betweenness --method sources --sources a",
        "geometric --measures harmonic,decay",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        for options in [&["--lengths", "weights"][..], &["--cutoff", "1"]] {
            let plan = output(&[&["plan"], &words[..], &[roads.as_str()], options].concat());
            assert!(plan.contains(", about "), "{command}: {plan}");
            let table = folder.path().join("table.csv");
            let run = [
                &words[..],
                &[roads.as_str(), "-q", "-o", text(&table)],
                options,
            ]
            .concat();
            rank(&run).assert().success();
            let again = output(&["rerun", &format!("{}.json", text(&table))]);
            assert!(again.contains("the same bits again"), "{command}: {again}");
            let report = verified(&[text(&table)]);
            for column in report["columns"].as_array().unwrap() {
                assert_eq!(column["promised"]["holds"], true, "{command} {column:#}");
            }
            if !command.contains("--arcs") {
                let explained = output(&["explain", &roads, "d", text(&table)]);
                let word = options.join(" ").replace("--", "");
                assert!(explained.contains(&word), "{command}: {explained}");
            }
        }
    }
}
