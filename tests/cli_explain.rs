//! `rank explain`.

#[path = "support/cli.rs"]
mod cli;

use cli::{failure, rank, small, stdout, text};
use tempfile::TempDir;

/// a -> b -> c -> a, c -> b, d -> a.
fn explained(folder: &TempDir, node: &str) -> serde_json::Value {
    let graph = small(folder.path());
    let table = folder.path().join("pagerank.csv");
    rank(&["-q", "pagerank", text(&graph), "-o", text(&table)])
        .assert()
        .success();
    let json = stdout(&["explain", text(&graph), node, text(&table), "--json"]);
    serde_json::from_str(&json).unwrap()
}

#[test]
fn a_pagerank_is_the_sum_of_what_is_given() {
    let folder = TempDir::new().unwrap();
    let found = explained(&folder, "a");
    assert_eq!(found["indegree"], 2);
    assert_eq!(found["outdegree"], 1);
    let table = &found["tables"][0];
    let inflow = &table["inflow"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let givers = inflow["first"].as_array().unwrap();
    let names: Vec<_> = givers
        .iter()
        .map(|giver| giver["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["c", "d"]);
    // d gets a walk's start only, a quarter of 0.15, and hands on 0.85 of it.
    assert!((number(&givers[1]["gives"]) - 0.85 * 0.15 / 4.0).abs() < 1e-9);
    assert!((number(&inflow["restarts"]) - 0.15 / 4.0).abs() < 1e-9);
    let sum: f64 = givers.iter().map(|giver| number(&giver["gives"])).sum();
    assert!((sum + number(&inflow["restarts"]) - number(&table["score"])).abs() < 1e-15);
}

#[test]
fn distances_count_nodes() {
    let folder = TempDir::new().unwrap();
    let found = explained(&folder, "d");
    assert_eq!(found["distances_to_it"], serde_json::json!([1]));
    assert_eq!(found["distances_from_it"], serde_json::json!([1, 1, 1, 1]));
    assert_eq!(found["tables"][0]["rank"], 4);
}

#[test]
fn what_is_not_in_the_graph_is_an_error() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let message = failure(&["explain", text(&graph), "nobody"], 2);
    assert!(message.contains("'nobody'"), "{message}");
    let other = folder.path().join("other.csv");
    std::fs::write(&other, "name,score\nx,1\n").unwrap();
    let message = failure(&["explain", text(&graph), "a", text(&other)], 1);
    assert!(
        message.contains("other.csv") && message.contains("'a'"),
        "{message}"
    );
}
