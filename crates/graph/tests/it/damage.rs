//! Damaged and mismatched files: one line that names the file, never a panic or a wrong graph.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Csr, StoredGraph};

/// A graph with runs, copied lists, self-loops and dangling nodes.
fn graph() -> Csr {
    let n = 90u32;
    let arcs = (0..n).flat_map(|node| {
        let menu = (node / 10 * 10)..(node / 10 * 10 + 7);
        let others = [node * 37 % n, node * node % n, node];
        let row: Vec<Node> = match node % 9 {
            8 => vec![],
            5 => others.to_vec(),
            _ => menu.chain(others).collect(),
        };
        row.into_iter().map(move |target| (node, target))
    });
    Csr::from_arcs(n as usize, arcs).unwrap()
}

/// Writes a bundle with names.
fn bundle(folder: &Path) -> PathBuf {
    let graph = graph();
    let names: Vec<Box<str>> = (0..graph.num_nodes())
        .map(|i| format!("page {i:02}").into())
        .collect();
    let path = folder.join("g.bv");
    write_bundle(&graph, Some(&names), &path, BundleOptions::default()).unwrap();
    path
}

/// Everything that a run reads, or the error message.
fn read(path: &Path, case: &str) -> Result<(Csr, Csr), String> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let source = StoredGraph::open(path)?;
        source.names()?;
        let backward = source.predecessors(&Silent)?;
        Ok((source.successors(&Silent)?, backward.rows))
    }));
    let result: webrank_base::error::Result<_> =
        result.unwrap_or_else(|_| panic!("panic at {case}"));
    result.map_err(|problem| {
        let message = problem.to_string();
        assert!(!message.contains('\n'), "{case}: {message}");
        message
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    files
}

/// A BVGraph without a manifest and without its transpose, named `g`.
fn raw(folder: &Path, with_offsets: bool) -> PathBuf {
    let bundle = bundle(folder);
    for extension in ["graph", "properties", "offsets"] {
        if extension != "offsets" || with_offsets {
            let from = bundle.join("graph").with_extension(extension);
            std::fs::copy(from, folder.join("g").with_extension(extension)).unwrap();
        }
    }
    std::fs::remove_dir_all(bundle).unwrap();
    folder.join("g")
}

#[test]
fn every_flipped_bit_in_a_bundle_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path());
    assert_eq!(read(&bundle, "as it was").unwrap().0, graph());
    for file in files(&bundle) {
        let bytes = std::fs::read(&file).unwrap();
        let step = (8 * bytes.len() / 300).max(1);
        for bit in (0..8 * bytes.len()).step_by(step) {
            let case = format!("bit {bit} of {}", file.display());
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&file, &damaged).unwrap();
            let message = read(&bundle, &case).expect_err(&case);
            assert!(message.contains("g.bv/"), "{case}: {message}");
        }
        for length in (0..bytes.len()).step_by((bytes.len() / 20).max(1)) {
            let case = format!("{} cut to {length}", file.display());
            std::fs::write(&file, &bytes[..length]).unwrap();
            read(&bundle, &case).expect_err(&case);
        }
        std::fs::write(&file, &bytes).unwrap();
    }
    assert_eq!(read(&bundle, "mended").unwrap().0, graph());
}

#[test]
fn missing_and_added_files_of_a_bundle_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path());
    for file in files(&bundle) {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "manifest.json" {
            continue;
        }
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let message = read(&bundle, &name).expect_err(&name);
        assert!(message.contains("g.bv"), "{message}");
        std::fs::write(&file, bytes).unwrap();
    }
}

#[test]
fn flipped_bits_without_a_manifest_never_panic_and_never_lose_an_arc() {
    for with_offsets in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let basename = raw(folder.path(), with_offsets);
        let file = basename.with_extension("graph");
        let bytes = std::fs::read(&file).unwrap();
        let whole = graph();
        let mut unnoticed = 0;
        for bit in 0..8 * bytes.len() {
            let case = format!("bit {bit}, offsets {with_offsets}");
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&file, &damaged).unwrap();
            match read(&basename, &case) {
                Err(message) => {
                    assert!(message.contains("g.graph"), "{case}: {message}");
                }
                // Another well-formed graph: only a checksum could detect it.
                Ok((successors, predecessors)) => {
                    unnoticed += 1;
                    assert_eq!(successors.num_arcs(), whole.num_arcs(), "{case}");
                    assert_eq!(predecessors, successors.transpose().unwrap(), "{case}");
                }
            }
        }
        // About a fifth, 24% here: for example bits of a target, whose change keeps the number of arcs.
        let share = unnoticed as f64 / (8 * bytes.len()) as f64;
        assert!(
            (0.15..0.25).contains(&share),
            "{unnoticed} of {} bits",
            8 * bytes.len()
        );
    }
}

#[test]
fn truncated_graphs_are_refused() {
    for with_offsets in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let basename = raw(folder.path(), with_offsets);
        let file = basename.with_extension("graph");
        let bytes = std::fs::read(&file).unwrap();
        // The compressor pads to words of 8 bytes.
        for length in 0..bytes.len() - 8 {
            std::fs::write(&file, &bytes[..length]).unwrap();
            let message = read(&basename, &format!("{length} bytes")).unwrap_err();
            assert!(
                message.starts_with(folder.path().to_str().unwrap()),
                "{message}"
            );
        }
    }
}

#[test]
fn damage_is_placed_by_node_and_bit() {
    let folder = tempfile::tempdir().unwrap();
    let basename = raw(folder.path(), false);
    let file = basename.with_extension("graph");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes.truncate(middle);
    std::fs::write(&file, bytes).unwrap();
    let message = read(&basename, "half").unwrap_err();
    assert!(
        message.contains("g.graph: node ") && message.contains(", bit "),
        "{message}"
    );
}

#[test]
fn properties_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let basename = raw(folder.path(), false);
    let file = basename.with_extension("properties");
    let text = std::fs::read_to_string(&file).unwrap();
    let (n, m) = (graph().num_nodes(), graph().num_arcs());
    for (key, value) in [("nodes", n as u64), ("arcs", m)] {
        let others = [
            0,
            1,
            value - 1,
            value + 1,
            2 * value,
            1 << 31,
            u32::MAX as u64,
            1 << 60,
            u64::MAX,
        ];
        let texts = others.map(|other| other.to_string());
        for other in texts
            .iter()
            .map(String::as_str)
            .chain(["-1", "many", "", "1e3"])
        {
            let case = format!("{key}={other}");
            let changed = text.replace(&format!("{key}={value}"), &case);
            assert_ne!(changed, text);
            std::fs::write(&file, changed).unwrap();
            let message = read(&basename, &case).expect_err(&case);
            assert!(message.contains("/g."), "{case}: {message}");
        }
    }
    std::fs::write(&file, "").unwrap();
    read(&basename, "no properties").unwrap_err();
}

#[test]
fn offsets_of_another_graph_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let basename = raw(folder.path(), true);
    let file = basename.with_extension("offsets");
    let bytes = std::fs::read(&file).unwrap();
    for place in 0..bytes.len() {
        let mut stale = bytes.clone();
        stale[place] ^= 0x55;
        std::fs::write(&file, &stale).unwrap();
        if let Ok((successors, _)) = read(&basename, &format!("offsets byte {place}")) {
            // Padding after the last offset.
            assert_eq!(successors, graph());
            assert!(place + 16 > bytes.len());
        }
    }
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let message = read(&basename, "half the offsets").unwrap_err();
    assert!(
        message.contains("g.offsets") && message.contains("delete it"),
        "{message}"
    );
}

#[test]
fn a_manifest_of_another_bundle_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path());
    let other = folder.path().join("other.bv");
    let small = Csr::from_arcs(2, [(0, 1)]).unwrap();
    write_bundle(&small, None, &other, BundleOptions::default()).unwrap();
    std::fs::copy(other.join("manifest.json"), bundle.join("manifest.json")).unwrap();
    read(&bundle, "another manifest").unwrap_err();
}
