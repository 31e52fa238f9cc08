//! Each crate of the workspace builds on lower ones only, what checks shares no code with what computes, and a public
//! name means one thing.

use crate::portability::for_sources;
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

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

#[test]
fn no_public_type_is_declared_twice() {
    let mut declared = BTreeMap::<String, Vec<String>>::new();
    let mut visit = |path: &Path, text: &str| {
        for line in text.lines() {
            let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
            let found = kinds
                .iter()
                .find_map(|kind| line.trim_start().strip_prefix(kind));
            let Some(rest) = found else { continue };
            let end = rest
                .find(|c: char| !c.is_alphanumeric())
                .unwrap_or(rest.len());
            let places = declared.entry(rest[..end].to_owned()).or_default();
            places.push(path.display().to_string());
        }
    };
    for_sources(Path::new("src"), &mut visit);
    for name in LAYERS {
        for_sources(&Path::new("crates").join(name).join("src"), &mut visit);
    }
    // The options of a command.
    declared.remove("Args");
    assert!(declared.len() > 500, "{}", declared.len());
    declared.retain(|_, places| places.len() > 1);
    assert!(declared.is_empty(), "{declared:#?}");
}
