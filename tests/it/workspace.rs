//! Each crate of the workspace builds on lower ones only, and what checks shares no code with what computes.

use std::fs::read_to_string;

/// The crates, from the ground up.
const LAYERS: [&str; 17] = [
    "base",
    "tables",
    "graph",
    "formats",
    "linear",
    "scores",
    "terminal",
    "cluster",
    "measure",
    "walks",
    "distances",
    "lengths",
    "verify",
    "compare",
    "codelab",
    "crawl",
    "retrieval",
];

/// The crates of the workspace that a crate is built from, tests aside.
fn dependencies(name: &str) -> Vec<String> {
    let text = read_to_string(format!("crates/{name}/Cargo.toml")).unwrap();
    let (_, rest) = text.split_once("\n[dependencies]\n").unwrap();
    let end = rest.find("\n[").unwrap_or(rest.len());
    let lines = rest[..end].lines();
    let names = lines.filter_map(|line| line.strip_prefix("webrank-"));
    let until = |name: &str| name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap();
    names.map(|name| name[..until(name)].to_owned()).collect()
}

#[test]
fn every_crate_builds_on_lower_ones_only() {
    let mut there: Vec<String> = std::fs::read_dir("crates")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let mut expected: Vec<_> = LAYERS.iter().chain(&["testing"]).collect();
    expected.sort();
    assert!(there.iter().eq(expected), "{there:?}");
    for (height, name) in LAYERS.iter().enumerate() {
        for below in dependencies(name) {
            let found = LAYERS.iter().position(|layer| *layer == below);
            assert!(found.is_some_and(|found| found < height), "{name}: {below}");
        }
    }
}

#[test]
fn no_verifier_can_call_a_kernel() {
    let allowed = ["base", "tables", "graph", "linear", "scores"];
    let found = dependencies("verify");
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|name| allowed.contains(&&**name)),
        "{found:?}"
    );
}
