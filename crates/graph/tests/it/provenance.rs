//! The fingerprint of a graph is that of the bytes that were read.

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Csr, StoredGraph};

/// A graph `g` without a manifest.
struct Plain {
    folder: TempDir,
    path: PathBuf,
}

impl Plain {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let rows = Csr::from_arcs(4, [(0, 1), (0, 2), (0, 3), (3, 2)]).unwrap();
        let bundle = folder.path().join("g.bv");
        write_bundle(&rows, None, &bundle, BundleOptions::default()).unwrap();
        let path = folder.path().join("g");
        let plain = Plain { folder, path };
        plain.copy("graph", "g");
        plain
    }

    fn copy(&self, part: &str, to: &str) {
        let (from, to) = (Path::new("g.bv").join(part), Path::new(to));
        for extension in ["graph", "properties"] {
            let [from, to] = [&from, to].map(|path| path.with_extension(extension));
            std::fs::copy(self.folder.path().join(from), self.folder.path().join(to)).unwrap();
        }
    }

    fn open(&self) -> StoredGraph {
        StoredGraph::open(&self.path).unwrap()
    }
}

#[test]
fn a_graph_that_is_replaced_while_it_is_ranked_keeps_its_fingerprint() {
    let graph = Plain::new();
    let expected = graph.open().fingerprint().unwrap();
    let source = graph.open();
    source.successors(&Silent).unwrap();
    graph.copy("transpose", "g");
    assert_eq!(source.fingerprint().unwrap(), expected);
    // Bytes that are read later are not mixed with those before.
    let problem = source.compressed().err().unwrap().to_string();
    assert!(problem.contains("has changed since"), "{problem}");
    assert_ne!(graph.open().fingerprint().unwrap(), expected);
}

#[test]
fn scores_from_the_transpose_have_the_fingerprint_of_the_graph_beside_it() {
    let graph = Plain::new();
    graph.copy("transpose", "g-t");
    let expected = graph.open().fingerprint().unwrap();
    let source = graph.open();
    source.predecessors(&Silent).unwrap();
    graph.copy("transpose", "g");
    assert_eq!(source.fingerprint().unwrap(), expected);
}
