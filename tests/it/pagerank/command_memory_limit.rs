//! A graph whose rows would take eight times the memory that the process may have.

use std::path::Path;
use std::process::{Command, Output};
use webrank_base::Node;
use webrank_graph::Csr;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_testing::cli::*;

const NODES: Node = 80_000;

const OUTDEGREE: Node = 1_100;

/// Every node points to a run of nodes elsewhere.
fn wide_rows(path: &Path) -> u64 {
    let offsets = (0..=NODES as u64)
        .map(|row| row * OUTDEGREE as u64)
        .collect();
    let first = |row: Node| (row as u64 * 40_503 % (NODES - OUTDEGREE) as u64) as Node;
    let targets = (0..NODES).flat_map(|row| first(row)..first(row) + OUTDEGREE);
    let graph = Csr::new(offsets, targets.collect()).unwrap();
    let compact = BundleOptions {
        compact: true,
        ..BundleOptions::default()
    };
    write_bundle(&graph, None, path, compact).unwrap();
    4 * graph.num_arcs() + 8 * NODES as u64
}

/// Runs `rank` with a limit on private memory in bytes: data, heap and stacks.
fn limited(bytes: u64, arguments: &[&str]) -> Output {
    let rank = assert_cmd::cargo::cargo_bin("rank");
    Command::new("sh")
        .args(["-c", "ulimit -d $0 && exec \"$@\""])
        .arg((bytes / 1024).to_string())
        .arg(rank)
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn a_graph_of_eight_times_the_memory_is_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("wide.bv");
    let allowed = wide_rows(&graph) / 8;
    let scores = folder.path().join("scores.csv");
    let arguments = [
        "pagerank",
        text(&graph),
        "-o",
        text(&scores),
        "--threads",
        "2",
    ];
    let refused = limited(allowed, &[&arguments[..], &["--form", "runs"]].concat());
    assert!(!refused.status.success(), "the limit limits nothing");
    let memory = allowed.to_string();
    let ranked = limited(allowed, &[&arguments[..], &["--memory", &memory]].concat());
    let said = String::from_utf8_lossy(&ranked.stderr);
    assert!(ranked.status.success(), "{said}");
    assert!(said.contains("decoded in every sweep"), "{said}");
    let streamed = std::fs::read_to_string(&scores).unwrap();
    stdout(&arguments);
    let in_memory = std::fs::read_to_string(&scores).unwrap();
    let column = |table: &str| -> Vec<f64> {
        let rows = table.lines().skip(1);
        rows.map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
            .collect()
    };
    let differences = column(&streamed).into_iter().zip(column(&in_memory));
    let distance: f64 = differences.map(|(a, b)| (a - b).abs()).sum();
    assert!(distance <= 2e-9, "{distance}");
}
