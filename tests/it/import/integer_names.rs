//! Names that are integers stay integers: their order, their type in tables, and look-ups.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_base::progress::Silent;
use webrank_testing::cli::*;

/// Ids with gaps, which differ in length and sign: 10 -> 9, 9 -> 2, 2 -> 10, -3 -> 10, 100 -> 9.
fn arcs(folder: &Path) -> PathBuf {
    let path = folder.join("arcs.csv");
    fs::write(&path, "10,9\n9,2\n2,10\n-3,10\n100,9\n").unwrap();
    path
}

const TABLE: &str = "name,score,rank\n-3,0.0,4\n2,1.0,3\n9,2.0,1\n10,2.0,1\n100,0.0,4\n";

#[test]
fn the_order_is_that_of_numbers_and_the_column_node_is_left_out() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (arcs(folder.path()), folder.path().join("g.bv"));
    let table = stdout(&["indegree", text(&arcs), "-q"]);
    assert_eq!(table, TABLE);
    stdout(&["import", text(&arcs), "-o", text(&bundle), "-q"]);
    assert_eq!(stdout(&["indegree", text(&bundle), "-q"]), TABLE);
    assert_eq!(stdout(&["check", text(&bundle), "-q"]).lines().count(), 6);
    // A number is a name, where names are numbers.
    let found = stdout(&["lookup", text(&bundle), "--", "2", "-3", "100"]);
    assert_eq!(found, "node,name\n1,2\n0,-3\n4,100\n");
    let unknown = failure(&["lookup", text(&bundle), "0"], 2);
    assert!(unknown.contains("NAME is '0'"), "{unknown}");
    let components = stdout(&["components", text(&arcs), "-q", "-o", "-"]);
    assert!(components.starts_with("name,strong,"), "{components}");
    let arcs = stdout(&["betweenness", text(&arcs), "--arcs", "-q", "-o", "-"]);
    assert!(arcs.starts_with("source,target,score\n-3,10,"), "{arcs}");
}

#[test]
fn one_name_that_is_no_integer_makes_all_of_them_texts() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("arcs.csv");
    for other in ["a", "007", "+7", "9223372036854775808"] {
        fs::write(&path, format!("10,9\n9,2\n2,{other}\n")).unwrap();
        let table = stdout(&["indegree", text(&path), "-q"]);
        let names: Vec<&str> = table.lines().skip(1).collect();
        let names: Vec<&str> = names
            .iter()
            .map(|row| row.split(',').nth(1).unwrap())
            .collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        assert_eq!(names, sorted, "{other}");
        assert!(table.starts_with("node,name,score"), "{table}");
    }
}

#[test]
fn tables_hold_them_as_numbers() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let at = |name: &str| folder.path().join(name);
    for name in ["t.parquet", "t.arrow", "t.jsonl", "t.npy", "t.csv"] {
        stdout(&["indegree", text(&arcs), "-q", "-o", text(&at(name))]);
        // By name, not by position: -3 is first.
        let top = stdout(&["top", text(&at(name)), "--limit", "2"]);
        let names: Vec<&str> = top
            .lines()
            .skip(1)
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        assert_eq!(names, ["9", "10"], "{name}\n{top}");
        let verified = stdout(&["verify", text(&at(name)), "-q"]);
        assert!(verified.contains("exact: holds"), "{name}: {verified}");
    }
    let file = fs::File::open(at("t.arrow")).unwrap();
    let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
    let schema = reader.schema();
    assert_eq!(schema.field(0).name(), "name");
    assert_eq!(format!("{:?}", schema.field(0).data_type()), "Int64");
    let lines = fs::read_to_string(at("t.jsonl")).unwrap();
    assert!(lines.starts_with("{\"name\":-3,\"score\":0.0,"), "{lines}");
    // Joined and compared by name.
    let joined = stdout(&["join", text(&at("t.parquet")), text(&at("t.csv"))]);
    assert!(
        joined.starts_with("name,") && joined.contains("\n-3,"),
        "{joined}"
    );
    let compared = stdout(&["compare", text(&at("t.npy")), text(&at("t.csv")), "-q"]);
    assert!(compared.starts_with("5 rows in common"), "{compared}");
}

#[test]
fn exported_arcs_have_them_as_numbers() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let parquet = folder.path().join("arcs.parquet");
    stdout(&["export", text(&arcs), "-q", "-o", text(&parquet)]);
    assert_eq!(stdout(&["indegree", text(&parquet), "-q"]), TABLE);
    let columns = webrank_tables::read::open_table(&parquet).unwrap();
    let read = columns.read("source").unwrap();
    let (_, target) = &read.columns[0];
    assert!(matches!(
        target.values,
        webrank_tables::read::Values::Counts(_)
    ));
}

#[test]
fn a_bundle_in_the_order_of_text_keeps_it() {
    // As earlier versions wrote it: 10 before 9.
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("old.bv");
    let rows = webrank_graph::Csr::new(vec![0, 1, 2], vec![1, 0]).unwrap();
    let graph = webrank::Graph::from_rows(rows);
    let names = webrank_tables::text::names::Names::collect(["10", "9"]).unwrap();
    let graph = graph.with_names(names).unwrap();
    webrank_graph::bundle::save(&graph, &bundle, Default::default(), &Silent).unwrap();
    let table = stdout(&["outdegree", text(&bundle), "-q"]);
    assert_eq!(table, "name,score,rank\n10,1.0,1\n9,1.0,1\n");
    assert_eq!(stdout(&["lookup", text(&bundle), "9"]), "node,name\n1,9\n");
}

#[test]
fn a_table_with_names_is_not_taken_for_numbers_of_nodes() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let at = |name: &str| folder.path().join(name);
    stdout(&["pagerank", text(&arcs), "-q", "-o", text(&at("named.csv"))]);
    stdout(&["import", text(&arcs), "-q", "-o", text(&at("named.bv"))]);
    fs::write(at("ids.csv"), "0,1\n1,2\n2,3\n3,4\n4,0\n").unwrap();
    stdout(&[
        "import",
        text(&at("ids.csv")),
        "--ids",
        "-q",
        "-o",
        text(&at("ids.bv")),
    ]);
    let problem = failure(
        &[
            "verify",
            text(&at("named.csv")),
            "--graph",
            text(&at("ids.bv")),
        ],
        1,
    );
    assert!(problem.contains("fingerprint"), "{problem}");
    fs::remove_file(at("named.csv.json")).unwrap();
    let (table, graph) = (at("named.csv"), at("ids.bv"));
    let arguments = [
        "verify",
        text(&table),
        "--graph",
        text(&graph),
        "--measure",
        "pagerank",
    ];
    let problem = failure(&arguments, 1);
    assert!(
        problem.contains("has names of nodes, but the graph has none"),
        "{problem}"
    );
}
