//! Indexes of small collections, against formulas.

mod bm25;
mod evaluation;
mod files;
mod lists;
mod parts;
mod scores;

use super::build::{Built, IndexOptions, build, names};
use super::collection::Collection;
use super::lists::{ListCode, ListCoding};
use super::parts::Cutting;
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, Nodes, PAGES, write_nodes};

/// A page: node, title, text, anchors.
pub type Text<'a> = (u32, &'a str, &'a str, &'a [&'a str]);

/// A folder with a bundle whose pages have these texts; the name of node i is `https://h.example/i`.
pub fn bundle(pages: &[Text]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web.bv");
    let n = pages.last().map_or(1, |page| page.0 + 1);
    let names: Vec<Box<str>> = (0..n).map(|i| name(i).into()).collect();
    let graph = Graph::from_arcs(n as usize, [(0, 0)]).unwrap();
    let rows = graph.successors(&Silent).unwrap();
    let nodes = Nodes {
        names: Some(&names),
        fingerprints: None,
    };
    write_nodes(&rows, None, nodes, &path, BundleOptions::default()).unwrap();
    let lines = pages.iter().map(|(node, title, text, anchors)| {
        let page = json!({"node": node, "title": title, "text": text, "anchors": anchors});
        format!("{page}\n")
    });
    let lines: String = lines.collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    std::fs::write(path.join(PAGES), packed).unwrap();
    // It does not know the texts.
    std::fs::remove_file(path.join("manifest.json")).unwrap();
    (folder, path)
}

pub fn name(node: u32) -> String {
    format!("https://h.example/{node}")
}

/// Makes an index with the least memory.
pub fn index(bundle: &Path, output: &Path, flush: Option<u64>) -> Result<Built> {
    let options = IndexOptions {
        flush,
        ..IndexOptions::within(0)
    };
    build(bundle, &names(bundle)?, output, options, &Silent)
}

/// An open index of these pages, with lists in a code.
pub fn coded(pages: &[Text], code: ListCode, skip: u32) -> (TempDir, Collection) {
    cut(pages, code, skip, None)
}

/// As [`coded`], in parts.
pub fn cut(
    pages: &[Text],
    code: ListCode,
    skip: u32,
    parts: Option<Cutting>,
) -> (TempDir, Collection) {
    let (folder, bundle) = bundle(pages);
    let output = folder.path().join("web.index");
    let coding = ListCoding {
        code,
        skip,
        memory: 1 << 20,
        parts,
    };
    let options = IndexOptions {
        coding: Some(coding),
        ..IndexOptions::within(0)
    };
    build(&bundle, &names(&bundle).unwrap(), &output, options, &Silent).unwrap();
    let collection = Collection::open(&output).unwrap();
    (folder, collection)
}

/// An open index of these pages.
pub fn collection(pages: &[Text]) -> (TempDir, Collection) {
    let (folder, bundle) = bundle(pages);
    let output = folder.path().join("web.index");
    index(&bundle, &output, None).unwrap();
    let collection = Collection::open(&output).unwrap();
    (folder, collection)
}
