//! Tables of scores as commands write them: rows, columns, compression, manifests.

use crate::support::cli::*;
use tempfile::TempDir;

#[test]
fn a_pipe_gets_the_whole_table() {
    let table = stdout(&["pagerank", DEBIAN]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("node,name,score,rank,certain"));
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 63_436);
    assert!(rows[0].starts_with("0,0ad,"));
    assert!(
        rows.iter()
            .any(|row| row.starts_with("16807,libc6,0.175") && row.ends_with(",1,true"))
    );
}

#[test]
fn the_table_has_the_same_bytes_for_any_number_of_threads() {
    for measure in [
        &["pagerank"][..],
        &["pagerank", "--method", "gauss-seidel"],
        &["harmonic"],
        &["closeness", "--direction", "out"],
    ] {
        let tables = ["1", "2", "3", "8"].map(|threads| {
            stdout(&[measure, &["graphs/rust-doc.bv", "--threads", threads]].concat())
        });
        assert!(
            tables.iter().all(|table| *table == tables[0]),
            "{measure:?}"
        );
    }
}

#[test]
fn top_and_sort_choose_the_rows() {
    let best = stdout(&["pagerank", DEBIAN, "--top", "3", "--sort", "score"]);
    let names: Vec<&str> = best
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap())
        .collect();
    assert_eq!(names, ["libc6", "libgcc-s1", "libidn2-0"]);
    let by_node = stdout(&["pagerank", DEBIAN, "--top", "3"]);
    let nodes: Vec<u32> = by_node
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(nodes.is_sorted());
    assert_eq!(nodes.len(), 3);
}

#[test]
fn a_file_comes_with_the_manifest_of_its_run() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    rank(&["-q", "pagerank", DEBIAN, "-o", text(&table)])
        .assert()
        .success();
    assert_eq!(files(folder.path()), ["scores.csv", "scores.csv.json"]);
    let manifest = std::fs::read(folder.path().join("scores.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let run = &manifest["columns"]["score"];
    assert_eq!(run["measure"], "pagerank");
    assert_eq!(run["parameters"]["alpha"], 0.85);
    assert!(run["outcome"]["error_bound"].as_f64().unwrap() <= 1e-9);
    assert_eq!(manifest["graph"]["nodes"], 63_436);
    assert_eq!(
        std::fs::read_to_string(&table).unwrap(),
        stdout(&["pagerank", DEBIAN])
    );
}

#[test]
fn extensions_compress() {
    let folder = TempDir::new().unwrap();
    let plain = stdout(&["indegree", DEBIAN]);
    for name in ["scores.csv.zst", "scores.csv.gz"] {
        let path = folder.path().join(name);
        rank(&["-q", "indegree", DEBIAN, "-o", text(&path)])
            .assert()
            .success();
        let file = std::fs::File::open(&path).unwrap();
        let read = match name.ends_with("gz") {
            true => std::io::read_to_string(flate2::read::GzDecoder::new(file)),
            false => std::io::read_to_string(zstd::Decoder::new(file).unwrap()),
        };
        assert_eq!(read.unwrap(), plain);
    }
}

#[test]
fn graphs_without_names_have_no_column_of_names() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.txt");
    std::fs::write(&edges, "0 1\n1 2\n").unwrap();
    let bundle = folder.path().join("ids.bv");
    stdout(&["import", text(&edges), "--ids", "-o", text(&bundle)]);
    let table = stdout(&["outdegree", text(&bundle)]);
    assert_eq!(table, "node,score,rank\n0,1.0,1\n1,1.0,1\n2,0.0,3\n");
    let names = folder.path().join("names.txt");
    std::fs::write(&names, "x\ny\nz\n").unwrap();
    let table = stdout(&["outdegree", text(&bundle), "--names", text(&names)]);
    assert!(table.starts_with("node,name,score,rank\n0,x,1.0,1\n"));
}
