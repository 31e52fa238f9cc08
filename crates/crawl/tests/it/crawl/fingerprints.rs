//! Fingerprints in bundles.

use std::path::Path;
use tempfile::TempDir;
use webrank_graph::bundle::{BundleOptions, Nodes, write_nodes};
use webrank_graph::{Csr, StoredGraph};

/// A bundle of four pages with these fingerprints: a -> b -> c -> a, a -> d, d -> d.
pub fn write(output: &Path, fingerprints: &[u64], weights: Option<&[f64]>) {
    let rows = Csr::from_arcs(4, [(0, 1), (0, 3), (1, 2), (2, 0), (3, 3)]).unwrap();
    let names = ["a", "b", "c", "d"].map(Box::from);
    let nodes = Nodes {
        names: Some(&names),
        fingerprints: Some(fingerprints),
    };
    write_nodes(&rows, weights, nodes, output, BundleOptions::default()).unwrap();
}

pub const FOUR: [u64; 4] = [0xff, 0x1234_5678_9abc_def0, 0, u64::MAX];

#[test]
fn a_bundle_keeps_the_fingerprints_of_its_nodes() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("pages.bv");
    write(&bundle, &FOUR, None);
    let source = StoredGraph::open(&bundle).unwrap();
    assert_eq!(source.fingerprints().unwrap().unwrap(), FOUR);
    let files = source.files();
    let has = |name: &str| {
        files
            .iter()
            .any(|(path, bytes)| path.ends_with(name) && *bytes == 32)
    };
    assert!(has("fingerprints.u64"));
    let other = StoredGraph::open(webrank_testing::at!("graphs/debian.bv").as_ref()).unwrap();
    assert!(other.fingerprints().unwrap().is_none());
}

#[test]
fn damaged_fingerprints_are_an_error_that_names_the_file() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("pages.bv");
    let file = bundle.join("fingerprints.u64");
    let problem = || StoredGraph::open(&bundle).err().unwrap().to_string();
    write(&bundle, &FOUR, None);
    let whole = std::fs::read(&file).unwrap();
    for damage in [
        whole[..31].to_vec(),
        [&whole[..], b"x"].concat(),
        [&[whole[0] ^ 4], &whole[1..]].concat(),
    ] {
        std::fs::write(&file, damage).unwrap();
        let problem = problem();
        assert!(problem.contains("fingerprints.u64"), "{problem}");
    }
    std::fs::remove_file(&file).unwrap();
    assert!(problem().contains("fingerprints.u64"), "{}", problem());
}

#[test]
fn fingerprints_that_the_manifest_does_not_list_are_refused() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("pages.bv");
    let rows = Csr::from_arcs(2, [(0, 1)]).unwrap();
    let nodes = Nodes::default();
    write_nodes(&rows, None, nodes, &bundle, BundleOptions::default()).unwrap();
    std::fs::write(bundle.join("fingerprints.u64"), [0; 16]).unwrap();
    let problem = StoredGraph::open(&bundle).err().unwrap().to_string();
    assert!(
        problem.contains("is not in the bundle's manifest"),
        "{problem}"
    );
}

#[test]
fn fingerprints_of_another_number_of_nodes_are_refused() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("pages.bv");
    write(&bundle, &FOUR[..3], None);
    let source = StoredGraph::open(&bundle).unwrap();
    let problem = source.fingerprints().err().unwrap().to_string();
    assert!(problem.contains("has 24 bytes, but 4 nodes"), "{problem}");
}
