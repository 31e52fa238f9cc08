//! Graphs that are read part by part: the same rows, and a clean error if the file changes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Compressed, Csr, Rows, StoredGraph};

/// Long rows and short ones, 600 kB: several parts.
fn graph() -> Csr {
    let n = 60_000u32;
    let arcs = (0..n).flat_map(|x| {
        let degree = if x % 5000 == 77 { 3000 } else { x % 13 };
        (0..degree).map(move |i| {
            (
                x,
                (x.wrapping_mul(2_654_435_761) ^ i.wrapping_mul(40_503)) % n,
            )
        })
    });
    Csr::from_arcs(n as usize, arcs).unwrap()
}

/// Writes the files of a plain graph.
fn write(folder: &Path, graph: &Csr, with_offsets: bool) -> PathBuf {
    let bundle = folder.join("g.bv");
    let compact = BundleOptions {
        compact: !with_offsets,
        ..Default::default()
    };
    write_bundle(graph, None, &bundle, compact).unwrap();
    for extension in ["graph", "properties", "offsets"] {
        let from = bundle.join("graph").with_extension(extension);
        if from.exists() {
            std::fs::rename(from, folder.join("g").with_extension(extension)).unwrap();
        }
    }
    std::fs::remove_dir_all(bundle).unwrap();
    folder.join("g")
}

fn rows(
    graph: &Compressed,
    range: std::ops::Range<usize>,
) -> webrank_base::error::Result<Vec<Vec<Node>>> {
    let mut rows = Vec::new();
    graph.for_rows(range, &mut |_, row| rows.push(row.to_vec()))?;
    Ok(rows)
}

/// The bytes behind the row are damaged: nobody may read them.
#[test]
fn a_scan_ends_when_its_visitor_fails() {
    let graph = graph();
    let n = graph.num_nodes();
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &graph, true);
    let file = path.with_extension("graph");
    let mut bytes = std::fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0);
    std::fs::write(&file, bytes).unwrap();
    let streamed = StoredGraph::open(&path).unwrap().streamed().unwrap();
    let damaged = rows(&streamed, 0..n).unwrap_err();
    assert!(matches!(damaged, Error::Damaged { .. }), "{damaged}");
    let both: [&dyn Rows; 2] = [&graph, &streamed];
    for rows in both {
        let mut visited = 0;
        let scanned = rows.try_rows(0..n, &mut |node, _| {
            visited += 1;
            match node {
                2 => Err(Error::Interrupted),
                _ => Ok(()),
            }
        });
        assert!(matches!(scanned, Err(Error::Interrupted)), "{scanned:?}");
        assert_eq!(visited, 3);
    }
}

#[test]
fn parts_of_a_file_hold_the_rows_of_the_whole() {
    let graph = graph();
    let n = graph.num_nodes();
    for with_offsets in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &graph, with_offsets);
        assert!(path.with_extension("graph").metadata().unwrap().len() > 1 << 18);
        let streamed = StoredGraph::open(&path).unwrap().streamed().unwrap();
        for range in [
            0..n,
            5..n,
            59_990..n,
            5070..5090,
            30_000..30_001,
            7..7,
            n..n,
        ] {
            let expected: Vec<&[Node]> = range.clone().map(|x| graph.row(x as Node)).collect();
            assert_eq!(rows(&streamed, range).unwrap(), expected);
        }
    }
}

/// Later than the file was written, whatever the resolution of its time.
fn touch(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(10))
        .unwrap();
}

#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let graph = graph();
    let n = graph.num_nodes();
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &graph, true);
    let file = path.with_extension("graph");
    let bytes = std::fs::read(&file).unwrap();
    let change = |what: &dyn Fn()| {
        std::fs::write(&file, &bytes).unwrap();
        let streamed = StoredGraph::open(&path).unwrap().streamed().unwrap();
        assert_eq!(
            rows(&streamed, n - 1..n).unwrap(),
            [graph.row(n as Node - 1)]
        );
        what();
        rows(&streamed, 0..n)
    };
    let truncated = |length: usize| {
        let changed = change(&|| std::fs::write(&file, &bytes[..length]).unwrap());
        let message = changed.unwrap_err().to_string();
        assert!(
            message.contains("g.graph: the file has changed"),
            "{message}"
        );
    };
    let lengths = [0, 1, 1000, bytes.len() / 2, bytes.len() - 1];
    lengths.into_iter().for_each(truncated);
    let overwritten = change(&|| {
        std::fs::write(&file, vec![0x55; bytes.len()]).unwrap();
        touch(&file);
    });
    assert!(overwritten.unwrap_err().to_string().contains("has changed"));
    // Another file in its place is not the one that is open.
    let replaced = change(&|| {
        std::fs::write(folder.path().join("other"), b"other").unwrap();
        std::fs::rename(folder.path().join("other"), &file).unwrap();
    });
    if cfg!(unix) {
        assert_eq!(replaced.unwrap().len(), n);
    }
}

#[test]
fn the_fingerprint_is_that_of_what_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        &Csr::from_arcs(3, [(0, 1), (1, 2)]).unwrap(),
        false,
    );
    let before = StoredGraph::open(&path).unwrap().fingerprint().unwrap();
    let source = StoredGraph::open(&path).unwrap();
    source.successors(&Silent).unwrap();
    let other = tempfile::tempdir().unwrap();
    let other = write(
        other.path(),
        &Csr::from_arcs(3, [(0, 2), (1, 2)]).unwrap(),
        false,
    );
    for extension in ["graph", "properties"] {
        std::fs::copy(
            other.with_extension(extension),
            path.with_extension(extension),
        )
        .unwrap();
    }
    assert_eq!(source.fingerprint().unwrap(), before);
    let message = source.successors(&Silent).unwrap_err().to_string();
    assert!(
        message.contains("g.graph: the file has changed"),
        "{message}"
    );
    assert_ne!(
        StoredGraph::open(&path).unwrap().fingerprint().unwrap(),
        before
    );
}
