//! Graphs that WebGraph for Java wrote, by `tests/fixtures/make_java_fixtures.py`.

use std::path::Path;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, StoredGraph};
use webrank_testing::cli::*;

const NODES: Node = 1200;

fn rows(path: &Path) -> Csr {
    let source = StoredGraph::open(path).unwrap();
    source.successors(&Silent).unwrap()
}

/// The first nodes of the Rust documentation and the arcs between them.
fn expected() -> Csr {
    let whole = rows(Path::new(webrank_testing::at!("graphs/rust-doc.bv")));
    let arcs = (0..NODES).flat_map(|node| {
        let targets = whole.row(node).iter().copied();
        targets
            .filter(|&target| target < NODES)
            .map(move |target| (node, target))
    });
    Csr::from_arcs(NODES as usize, arcs.collect::<Vec<_>>()).unwrap()
}

#[test]
fn files_of_java_are_read() {
    let expected = expected();
    assert_eq!(expected.num_arcs(), 39_483);
    for name in ["plain", "lists", "codes", "golomb"] {
        let path = Path::new(webrank_testing::at!("tests/fixtures/java")).join(name);
        assert!(rows(&path) == expected, "{name}");
    }
}

#[test]
fn offsets_and_statistics_of_java_are_those_of_the_lists() {
    for name in ["plain", "lists", "codes", "golomb"] {
        let path = format!("tests/fixtures/java/{name}");
        let said = stdout(&["check", &path]);
        assert!(
            said.contains("every list starts where the offsets say"),
            "{said}"
        );
        assert!(
            said.contains("ok: 8 statistics of the properties"),
            "{said}"
        );
    }
}
