//! A function for every parser: whatever the bytes are, the result is sound or a clean line.
//!
//! `fuzz/` feeds them from cargo-fuzz, and `tests/it/fuzz` from the corpora and their mutants. Functions for
//! lists of nodes are in `lists`; those of crawls and of queries are in the tests of their crates.

#[path = "lists.rs"]
mod lists;

use std::path::Path;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_formats::import;
use webrank_formats::import::{Format, ImportFiles, ImportOptions, ImportReport, read_records};
use webrank_formats::wikipedia::Dump;
use webrank_graph::bvgraph::properties::Properties;
use webrank_graph::check::check;
use webrank_graph::{Csr, Graph, NameIndex, Rows, StoredGraph};
use webrank_tables::read::read_scores;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::{LineEnds, Names};
use webrank_tables::text::records::Records;
use webrank_testing::fuzz::{Target, clean, folder, split, written};

/// All targets: each has a file in `fuzz/fuzz_targets` and a folder in `fuzz/corpus`.
pub const TARGETS: &[(&str, Target)] = &[
    ("properties", properties),
    ("graph", graph),
    ("offsets", offsets),
    ("manifest", manifest),
    ("names", names),
    ("names_index", names_index),
    ("edges", edges),
    ("edges_ids", edges_ids),
    ("matrix_market", matrix_market),
    ("metis", metis),
    ("adjacency", adjacency),
    ("pajek", pajek),
    ("dl", dl),
    ("dense", dense),
    ("n_triples", n_triples),
    ("workbook", workbook),
    ("zipped", zipped),
    ("graphml", graphml),
    ("gexf", gexf),
    ("gml", gml),
    ("dot", dot),
    ("json_graph", json_graph),
    ("tgf", tgf),
    ("dimacs", dimacs),
    ("sif", sif),
    ("lgl", lgl),
    ("ncol", ncol),
    ("graph6", graph6),
    ("npz", npz),
    ("arcs_parquet", arcs_parquet),
    ("arcs_arrow", arcs_arrow),
    ("node_table", node_table),
    ("weights", lists::weights),
    ("preferences", lists::preferences),
    ("nodes", lists::nodes),
    ("table", |bytes| read_table("table.csv", bytes)),
    ("parquet", |bytes| read_table("table.parquet", bytes)),
    ("arrow", |bytes| read_table("table.arrow", bytes)),
    ("npy", |bytes| read_table("table.npy", bytes)),
    ("json_lines", |bytes| read_table("table.jsonl", bytes)),
    ("pages", pages),
    ("sql_dump", sql_dump),
];

/// Runs the target of this name, for the programs in `fuzz`.
#[allow(dead_code)]
pub fn run(name: &str, bytes: &[u8]) {
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    found.expect("a target").1(bytes);
}

fn properties(bytes: &[u8]) {
    if let Some(properties) = clean(Properties::parse(Path::new("x.properties"), bytes)) {
        assert!(properties.nodes < 1 << 32);
    }
}

/// Properties, a byte 0, and the bits of the lists.
fn graph(bytes: &[u8]) {
    let (properties, lists) = split(bytes);
    let _ = std::fs::remove_file(folder().join("g.offsets"));
    written("g.properties", properties);
    let path = written("g.graph", lists);
    read_graph(&path);
}

/// The bytes of an `.offsets` file beside a graph of four nodes.
fn offsets(bytes: &[u8]) {
    let properties = "graphclass=BVGraph\nnodes=4\narcs=5\nwindowsize=0\nminintervallength=0\n\
                      compressionflags=RESIDUALS_GAMMA\n";
    // Rows 1; 2; 0, 1; 0 in gamma code: 010 011 | 010 011 | 011 00100 1 | 010 00110.
    let lists = [0b0100_1101, 0b0011_0110, 0b0100_1010, 0b0011_0000];
    written("g.properties", properties.as_bytes());
    let path = written("g.graph", &lists);
    written("g.offsets", bytes);
    read_graph(&path);
}

fn read_graph(path: &Path) {
    let Some(source) = clean(StoredGraph::open(path)) else {
        return;
    };
    let (nodes, arcs) = (source.properties().nodes, source.properties().arcs);
    // Small inputs may declare large graphs; what is too large for memory is tested elsewhere.
    if nodes > 1 << 16 || arcs > 1 << 20 {
        return;
    }
    let checked = clean(check(&source, None, &Silent));
    let rows = clean(source.successors(&Silent));
    assert!(checked.is_none() || rows.is_some());
    let Some(rows) = rows else {
        return;
    };
    assert_eq!((rows.num_nodes(), rows.num_arcs()), (nodes, arcs));
    let parts = (rows.offsets().to_vec(), rows.targets().to_vec());
    assert_eq!(Csr::new(parts.0, parts.1).expect("valid rows"), rows);
    let streamed = source.streamed().expect("it was read before");
    let middle = nodes / 2;
    for range in [middle..nodes, 0..middle] {
        let same = |node: Node, row: &[Node]| assert_eq!(row, rows.row(node));
        streamed
            .for_rows(range, &mut |node, row| same(node, row))
            .expect("it was read before");
    }
    let predecessors = source.predecessors(&Silent).expect("it was read before");
    assert_eq!(predecessors.rows.transpose().expect("memory"), rows);
}

/// Lines of the texts of four nodes.
fn pages(bytes: &[u8]) {
    let bundle = folder().join("p.bv");
    std::fs::create_dir_all(&bundle).expect("a folder");
    let properties = "graphclass=BVGraph\nnodes=4\narcs=0\n";
    let lines = zstd::encode_all(bytes, 1).expect("a list in memory takes every byte");
    for (name, content) in [
        ("graph.properties", properties.as_bytes()),
        ("graph.graph", b"\xf0"),
        ("pages.jsonl.zst", &lines),
    ] {
        std::fs::write(bundle.join(name), content).expect("a file");
    }
    let source = StoredGraph::open(&bundle).expect("its graph is sound");
    let mut last = None;
    for page in clean(source.pages()).flatten().into_iter().flatten() {
        let Some(page) = clean(page) else {
            return;
        };
        assert!(page.node < 4 && last < Some(page.node));
        last = Some(page.node);
    }
}

/// The manifest of a bundle of one empty file.
fn manifest(bytes: &[u8]) {
    let bundle = folder().join("g.bv");
    std::fs::create_dir_all(&bundle).expect("a folder");
    let properties = "graphclass=BVGraph\nnodes=0\narcs=0\n";
    std::fs::write(bundle.join("graph.properties"), properties).expect("a file");
    std::fs::write(bundle.join("graph.graph"), b"").expect("a file");
    std::fs::write(bundle.join("manifest.json"), bytes).expect("a file");
    if let Some(source) = clean(StoredGraph::open(&bundle)) {
        clean(
            source
                .names()
                .and_then(|names| check(&source, names.as_ref(), &Silent)),
        )
        .expect("its files have the checksums of the manifest");
    }
}

/// A number of nodes, the way that lines end, and names.
fn names(bytes: &[u8]) {
    let [nodes, rest @ ..] = bytes else {
        return;
    };
    let line_ends = [LineEnds::Feed, LineEnds::Guess][usize::from(*nodes) % 2];
    let nodes = usize::from(*nodes / 2);
    let Some(names) = clean(Names::read(&written("names", rest), nodes, line_ends)) else {
        return;
    };
    assert_eq!(names.len(), nodes);
    for node in 0..nodes as Node {
        let name = names.get(node);
        assert!(!name.contains('\n'));
        let found = names.find(name).expect("a name is found");
        assert_eq!(names.get(found), name);
    }
}

/// The length of a file of names in two bytes, the file, and its index. The lengths and the checksum
/// in the header are made right, so that what follows is read.
fn names_index(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let (names, index) = rest.split_at(rest.len().min(u16::from_le_bytes(*length).into()));
    let mut index = index.to_owned();
    if let Some(header) = index.first_chunk::<112>() {
        let mut header = *header;
        header[24..32].copy_from_slice(&(names.len() as u64).to_le_bytes());
        header[48..56].copy_from_slice(&(index.len() as u64).to_le_bytes());
        let sum = xxhash_rust::xxh3::xxh3_64(&header[..104]);
        header[104..].copy_from_slice(&sum.to_le_bytes());
        index[..112].copy_from_slice(&header);
    }
    let path = written("names.txt.zst", names);
    written("names.index", &index);
    let Some(index) = clean(NameIndex::open(&path)) else {
        return;
    };
    let found: Vec<Option<Node>> = ["", "a", "ant", "bee", "zzz"]
        .iter()
        .filter_map(|name| clean(index.find(name)))
        .collect();
    assert!(
        found
            .iter()
            .flatten()
            .all(|&node| (node as usize) < index.len())
    );
    for found in clean(index.prefix("b")).into_iter().flatten().take(50) {
        if let Some((node, name)) = clean(found) {
            assert!((node as usize) < index.len() && name.starts_with('b'));
        }
    }
    for node in 0..index.len().min(50) as Node {
        clean(index.name(node));
    }
    if index.len() > 1 << 10 {
        return;
    }
    // An index that agrees with its names finds what they find.
    let Some(names) = clean(Names::read(&path, index.len(), LineEnds::Feed)) else {
        return;
    };
    if clean(index.verify(&names)).is_some() {
        for node in 0..names.len() as Node {
            let name = names.get(node);
            assert_eq!(index.find(name).expect("it was verified"), names.find(name));
            assert_eq!(index.name(node).expect("it was verified"), name);
        }
    }
}

fn edges(bytes: &[u8]) {
    read_edges(bytes, false);
}

fn edges_ids(bytes: &[u8]) {
    read_edges(bytes, true);
}

/// A target for a format; text ones may declare large graphs, which are refused by the memory that is
/// free: what is tested is the parser.
macro_rules! format_target {
    ($name:ident, $format:ident, $file:literal) => {
        fn $name(bytes: &[u8]) {
            read_format(bytes, Format::$format, $file);
        }
    };
}

format_target!(matrix_market, MatrixMarket, "g.mtx");
format_target!(metis, Metis, "g.metis");
format_target!(adjacency, Adjacency, "g.adjlist");
format_target!(pajek, Pajek, "g.net");
format_target!(dl, Dl, "g.dl");
format_target!(dense, Matrix, "g.csv");
format_target!(n_triples, NTriples, "g.nt");
format_target!(workbook, Xlsx, "g.xlsx");
format_target!(graphml, GraphMl, "g.graphml");
format_target!(gexf, Gexf, "g.gexf");
format_target!(gml, Gml, "g.gml");
format_target!(dot, Dot, "g.dot");
format_target!(json_graph, Json, "g.json");
format_target!(tgf, Tgf, "g.tgf");
format_target!(dimacs, Dimacs, "g.dimacs");
format_target!(sif, Sif, "g.sif");
format_target!(lgl, Lgl, "g.lgl");
format_target!(ncol, Ncol, "g.ncol");
format_target!(npz, Npz, "g.npz");
format_target!(arcs_parquet, Parquet, "g.parquet");
format_target!(arcs_arrow, Arrow, "g.arrow");

/// Graphs of more than 2^18 nodes have numbers of six bytes, and may be larger than memory.
fn graph6(bytes: &[u8]) {
    if !bytes.windows(2).any(|pair| pair == b"~~") {
        read_format(bytes, Format::Graph6, "g.g6");
    }
}

/// A table of nodes beside a list of arcs.
fn node_table(bytes: &[u8]) {
    let options = ImportOptions {
        nodes: Some(written("nodes.csv", bytes)),
        ..Default::default()
    };
    let arcs = Records::of_bytes(*b"7,9\n9,12\n");
    check_read(clean(read_records(arcs, &options, &Silent)));
}

/// An archive, whatever is in it.
fn zipped(bytes: &[u8]) {
    let sources = ImportFiles::new(&[written("g.zip", bytes)]).expect("a file");
    check_read(clean(import::read(
        &sources,
        &ImportOptions::default(),
        &Silent,
    )));
}

fn read_format(bytes: &[u8], format: Format, name: &str) {
    let mut runs = bytes.split(|byte| !byte.is_ascii_digit());
    if runs.any(|digits| digits.len() > 5) && bytes.is_ascii() {
        return;
    }
    let options = ImportOptions {
        from: Some(format),
        skip_bad: bytes.last().map_or(0, |&byte| (byte % 4).into()),
        ..Default::default()
    };
    let sources = ImportFiles::new(&[written(name, bytes)]).expect("a file");
    check_read(clean(import::read(&sources, &options, &Silent)));
}

fn read_edges(bytes: &[u8], ids: bool) {
    let options = ImportOptions {
        ids,
        header: bytes.first().map(|byte| byte % 2 == 1),
        skip_bad: bytes.last().map_or(0, |&byte| byte.into()),
        ..Default::default()
    };
    // Large numbers are refused by the memory that is free: what is tested is the parser.
    let large = |field: &[u8]| field.len() > 5 && field.iter().all(u8::is_ascii_digit);
    if ids && bytes.split(|byte| !byte.is_ascii_alphanumeric()).any(large) {
        return;
    }
    let parsed = read_records(Records::of_bytes(bytes), &options, &Silent);
    check_read(clean(parsed));
}

/// Checks that a graph that was read is sound.
fn check_read(read: Option<(Graph, ImportReport)>) {
    let Some((graph, report)) = read else {
        return;
    };
    let rows = graph.successors(&Silent).expect("rows are in memory");
    let parts = (rows.offsets().to_vec(), rows.targets().to_vec());
    assert_eq!(Csr::new(parts.0, parts.1).expect("valid rows"), *rows);
    assert_eq!(
        (report.nodes, report.arcs),
        (rows.num_nodes() as u64, rows.num_arcs())
    );
    if let Some((rows, weights)) = graph
        .weighted_successors(&Silent)
        .expect("they are in memory")
    {
        assert_eq!(rows.num_arcs(), weights.len() as u64);
        assert!(
            weights
                .iter()
                .all(|weight| *weight > 0.0 && weight.is_finite())
        );
    }
    if let Some(names) = graph.names() {
        let names: Vec<&str> = (0..names.len())
            .map(|node| names.get(node as Node))
            .collect();
        // Numbers are in the order of numbers.
        let numbers: Option<Vec<i64>> = names.iter().map(|name| name.parse().ok()).collect();
        let are_sorted = names.is_sorted_by(|a, b| a < b)
            || numbers.is_some_and(|numbers| numbers.is_sorted_by(|a, b| a < b));
        assert!(are_sorted, "{names:?}");
    }
}

/// A file of this name, read as a table.
fn read_table(name: &str, bytes: &[u8]) {
    if let Some(file) = clean(read_scores(&written(name, bytes), None)) {
        for (_, scores) in &file.columns {
            assert_eq!(scores.len(), file.keys.len());
            assert!(scores.iter().all(|score| score.is_finite()));
        }
    }
}

/// A table as a database dumps it.
fn sql_dump(bytes: &[u8]) {
    let path = written("table.sql", bytes);
    let Some(mut dump) = clean(Dump::open(&path, &Checksums::default())) else {
        return;
    };
    while let Some(Some(row)) = clean(dump.next_row()) {
        for column in 0..row.num_columns() {
            let text = clean(row.text(column));
            // A whole number is its own text.
            let integer = clean(row.integer(column));
            if let (Some(Some(integer)), Some(Some(text))) = (integer, text) {
                let text = std::str::from_utf8(&text).unwrap();
                assert_eq!(text.parse(), Ok(integer));
            }
        }
    }
}
