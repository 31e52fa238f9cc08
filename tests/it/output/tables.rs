//! Tables of scores as commands write them: rows, columns, compression, manifests.

use tempfile::TempDir;
use webrank_testing::cli::*;

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

/// Every format of tables of scores by node.
const FORMATS: [&str; 10] = [
    "t.csv",
    "t.csv.gz",
    "t.tsv",
    "t.tsv.zst",
    "t.jsonl",
    "t.jsonl.gz",
    "t.ndjson.zst",
    "t.parquet",
    "t.arrow",
    "t.npy",
];

#[test]
fn every_format_is_read_by_every_command_that_reads_tables() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    let first = at("first.csv");
    let write = |path: &std::path::Path| {
        rank(&["-q", "pagerank", text(&graph), "-o", text(path)])
            .assert()
            .success();
    };
    write(&first);
    for name in FORMATS {
        let path = at(name);
        write(&path);
        let compared = stdout(&[
            "compare",
            text(&first),
            text(&path),
            "--respect-bounds",
            "--json",
        ]);
        let compared: serde_json::Value = serde_json::from_str(&compared).unwrap();
        assert_eq!(compared["table"]["rows"], 4, "{name}");
        assert_eq!(compared["table"]["comparisons"][0]["tau_b"], 1.0, "{name}");
        assert_eq!(
            compared["table"]["comparisons"][0]["distances"]["l1"], 0.0,
            "{name}: {compared}"
        );
        let explained = stdout(&["explain", text(&graph), "b", text(&path), "--json"]);
        let explained: serde_json::Value = serde_json::from_str(&explained).unwrap();
        assert_eq!(explained["tables"][0]["measure"], "pagerank", "{name}");
        assert_eq!(explained["tables"][0]["rank"], 1, "{name}");
        let verified = stdout(&["verify", text(&path)]);
        assert!(verified.contains("pagerank"), "{name}: {verified}");
        let again = stdout(&["rerun", text(&at(&format!("{name}.json")))]);
        assert!(again.contains("the same bits again"), "{name}");
    }
}

#[test]
fn extensions_of_other_formats_are_refused_before_any_work() {
    let folder = TempDir::new().unwrap();
    for (name, options, words) in [
        ("t.json", &[][..], "write .jsonl"),
        ("t.parquet.gz", &[], "ends in .parquet"),
        ("t.npz", &[], "write .npy"),
        ("t.npy", &["--top", "3"], "leave out --top and --sort"),
        ("t.npy", &["--sort", "score"], "leave out --top and --sort"),
    ] {
        let path = folder.path().join(name);
        let arguments = [&["pagerank", "no such graph", "-o", text(&path)], options].concat();
        let message = failure(&arguments, 1);
        assert!(message.contains(words), "{message}");
    }
    let path = folder.path().join("t.npy");
    let arguments = ["betweenness", "--arcs", "no such graph", "-o", text(&path)];
    assert!(failure(&arguments, 1).contains("these are others"));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn parquet_and_arrow_hold_what_the_manifest_says_of_the_scores() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    let mut texts = Vec::new();
    for (name, threads) in [("t.parquet", "1"), ("t.arrow", "1"), ("u.arrow", "2")] {
        let path = at(name);
        let arguments = [
            "-q",
            "pagerank",
            text(&graph),
            "--threads",
            threads,
            "-o",
            text(&path),
        ];
        rank(&arguments).assert().success();
        let file = std::fs::File::open(&path).unwrap();
        texts.push(if name.ends_with("parquet") {
            use parquet::file::reader::{FileReader, SerializedFileReader};
            let reader = SerializedFileReader::new(file).unwrap();
            let metadata = reader.metadata().file_metadata().key_value_metadata();
            let entry = metadata
                .unwrap()
                .iter()
                .find(|entry| entry.key == "webrank");
            entry.unwrap().value.clone().unwrap()
        } else {
            let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
            reader.schema().metadata()["webrank"].clone()
        });
    }
    assert!(texts.iter().all(|text| *text == texts[0]));
    let manifest = std::fs::read(at("t.arrow.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let inside: serde_json::Value = serde_json::from_str(&texts[0]).unwrap();
    for field in ["version", "graph", "columns", "proved_positions", "rank"] {
        assert_eq!(inside[field], manifest[field], "{field}");
    }
    assert!(inside.get("table").is_none());
    let bytes = ["t.arrow", "u.arrow"].map(|name| std::fs::read(at(name)).unwrap());
    assert!(bytes[0] == bytes[1], "the bytes depend on threads");
}
