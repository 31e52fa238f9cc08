//! Graphs as other programs write them: one small graph in `tests/fixtures/import`, and BVGraphs.

use std::path::PathBuf;
use webrank_base::progress::Silent;
use webrank_formats::import::{ImportFiles, ImportOptions, read};
use webrank_graph::Graph;

const NAMES: [&str; 4] = ["alpha", "bêta", "delta", "gamma"];
const ARCS: [(&str, &str, f64); 4] = [
    ("alpha", "bêta", 0.5),
    ("alpha", "gamma", 3.0),
    ("bêta", "gamma", 2.0),
    ("gamma", "alpha", 1.5),
];

fn fixtures(extensions: &[&str]) -> Vec<PathBuf> {
    let folder = PathBuf::from(webrank_testing::at!("tests/fixtures/import"))
        .read_dir()
        .unwrap();
    let files = folder.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| extensions.contains(&file.extension().unwrap().to_str().unwrap()))
        .collect();
    files.sort();
    files
}

/// The arcs by name, and their weights.
fn arcs(graph: &Graph) -> (Vec<(String, String)>, Option<Vec<f64>>) {
    let rows = graph.successors(&Silent).unwrap();
    let name = |node: u32| match graph.names() {
        Some(names) => names.get(node).to_owned(),
        None => NAMES[node as usize].to_owned(),
    };
    let nodes = 0..rows.num_nodes() as u32;
    let arcs = nodes.flat_map(|node| {
        let row = rows.row(node).to_vec();
        row.into_iter().map(move |to| (name(node), name(to)))
    });
    let weights = graph.weighted_successors(&Silent).unwrap();
    (arcs.collect(), weights.map(|(_, weights)| weights))
}

/// Compares each file with the graph, as far as its name says what it holds.
fn check(extensions: &[&str], count: usize) {
    let files = fixtures(extensions);
    assert_eq!(files.len(), count, "{files:?}");
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let has = |word: &str| name.contains(word);
        let is_table =
            ["parquet", "feather"].contains(&file.extension().unwrap().to_str().unwrap());
        let options = ImportOptions {
            ids: has("numbers_") && is_table,
            ..ImportOptions::default()
        };
        let sources = ImportFiles::new(&[file]).unwrap();
        let (graph, report) = read(&sources, &options, &Silent).unwrap();
        let nodes = if has("lonely_") { 3 } else { 4 };
        assert_eq!(graph.num_nodes(), nodes, "{name}");
        assert_eq!(report.named, !has("numbers_"), "{name}");
        assert_eq!(report.weighted, !has("plain_"), "{name}");
        let mut expected = ARCS.to_vec();
        if has("undirected_") {
            expected.pop();
            for place in 0..3 {
                let (source, target, weight) = expected[place];
                expected.push((target, source, weight));
            }
            expected.sort_by_key(|&(source, target, _)| (source, target));
        }
        let (found, weights) = arcs(&graph);
        let name_of = |node: &str| match has("ascii_") {
            true => node.replace('ê', "e"),
            false => node.to_owned(),
        };
        let ends = expected.iter().map(|&(a, b, _)| (name_of(a), name_of(b)));
        assert_eq!(found, ends.collect::<Vec<_>>(), "{name}");
        let expected = expected.iter().map(|&(.., weight)| weight).collect();
        assert_eq!(
            weights,
            Some(expected).filter(|_| report.weighted),
            "{name}"
        );
    }
}

#[test]
fn text() {
    check(&["mtx", "net", "adjlist", "edges"], 11);
}

#[test]
fn parquet() {
    check(&["parquet"], 8);
}

#[test]
fn arrow() {
    check(&["arrow", "arrows", "feather"], 13);
}

#[test]
fn npz() {
    check(&["npz"], 9);
}

#[test]
fn xml() {
    check(&["graphml", "gexf"], 8);
}

/// By `make_graph_fixtures.py`.
#[test]
fn graph_files() {
    check(&["gml"], 5);
    check(&["dot"], 2);
    check(&["json", "jsonl"], 12);
    check(&["lgl", "ncol"], 3);
    check(&["g6", "s6"], 3);
}

/// By `make_matrix_fixtures.py`.
#[test]
fn matrices() {
    check(&["csv", "tsv", "txt"], 4);
}

/// By `make_matrix_fixtures.py`.
#[test]
fn workbooks_and_archives() {
    check(&["xlsx", "zip"], 2);
}

/// By `make_matrix_fixtures.py`.
#[test]
fn statements() {
    let [file] = &fixtures(&["nt"])[..] else {
        panic!("there is one file");
    };
    let options = ImportOptions::default();
    let sources = ImportFiles::new(std::slice::from_ref(file)).unwrap();
    let (graph, report) = read(&sources, &options, &Silent).unwrap();
    let bare = |name: String| name.replace("http://example.org/", "");
    let found = arcs(&graph).0.into_iter();
    let found: Vec<_> = found.map(|(a, b)| (bare(a), bare(b))).collect();
    let expected = ARCS.map(|(a, b, _)| (a.to_owned(), b.to_owned()));
    assert_eq!(found, expected);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["4 statements about literals left out", "N-Triples"]);
    assert!(!report.weighted);
}

/// A bundle of the repository.
const BUNDLE: &str = webrank_testing::at!("graphs/rust-doc.bv");

#[test]
fn bundles_keep_their_names() {
    let bundle = Graph::open(BUNDLE).unwrap();
    let options = ImportOptions {
        order: webrank_formats::import::Order::Given,
        ..ImportOptions::default()
    };
    let sources = ImportFiles::new(&[BUNDLE.into()]).unwrap();
    let (graph, report) = read(&sources, &options, &Silent).unwrap();
    assert!(report.named && !report.weighted);
    let [found, expected] = [&graph, &bundle].map(|graph| graph.successors(&Silent).unwrap());
    assert_eq!(found, expected);
    let last = bundle.num_nodes() as u32 - 1;
    assert_eq!(graph.name(last), bundle.name(last));
}

#[test]
fn bv_graphs_get_names_from_a_list() {
    let folder = tempfile::tempdir().unwrap();
    for end in ["graph", "properties"] {
        let file = format!("{BUNDLE}/graph.{end}");
        std::fs::copy(file, folder.path().join(format!("old.{end}"))).unwrap();
    }
    let bundle = Graph::open(BUNDLE).unwrap();
    let mut names = Vec::new();
    for node in 0..bundle.num_nodes() {
        names.extend_from_slice(format!("http://x.org/{node}").as_bytes());
        // e with an acute accent, in ISO-8859-1.
        names.extend_from_slice(if node == 1 { b"\xe9\n" } else { b"\n" });
    }
    let list = folder.path().join("old.urls");
    std::fs::write(&list, names).unwrap();
    let options = ImportOptions {
        names: Some(list.clone()),
        ..ImportOptions::default()
    };
    for path in ["old", "old.graph"] {
        let sources = ImportFiles::new(&[folder.path().join(path)]).unwrap();
        let (graph, report) = read(&sources, &options, &Silent).unwrap();
        assert_eq!(report.names_in_latin1, 1);
        assert_eq!(graph.name(1), "http://x.org/1é");
        let [found, expected] = [&graph, &bundle].map(|graph| graph.successors(&Silent).unwrap());
        assert_eq!(found, expected);
    }
    let sources = ImportFiles::new(&[folder.path().join("old")]).unwrap();
    let (graph, _) = read(&sources, &ImportOptions::default(), &Silent).unwrap();
    assert!(graph.names().is_none());
    std::fs::write(&list, "one\n").unwrap();
    let problem = read(&sources, &options, &Silent).err().unwrap().to_string();
    assert!(problem.contains("old.urls: only 1 names"), "{problem}");
}

#[test]
fn names_are_for_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let [arcs, names] = ["arcs", "names"].map(|name| folder.path().join(name));
    std::fs::write(&arcs, "a b\n").unwrap();
    std::fs::write(&names, "x\ny\n").unwrap();
    let options = ImportOptions {
        names: Some(names),
        ..ImportOptions::default()
    };
    let sources = ImportFiles::new(&[arcs]).unwrap();
    let problem = read(&sources, &options, &Silent).err().unwrap().to_string();
    assert!(problem.contains("nodes have names already"), "{problem}");
}
