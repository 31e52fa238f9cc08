//! `rank lookup`, `rank neighbors` and `rank top`.

use crate::support::cli::*;
use std::fs;
use tempfile::TempDir;

#[test]
fn nodes_are_found_by_name_number_and_prefix() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.csv"),
        folder.path().join("arcs.bv"),
    );
    fs::write(&arcs, "it.a,it.b\nit.b,org.c\n\"x,y\",it.a\n").unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle)]);
    let graph = text(&bundle);
    let found = stdout(&["lookup", graph, "org.c", "x,y"]);
    assert_eq!(found, "node,name\n2,org.c\n3,\"x,y\"\n");
    assert_eq!(
        stdout(&["lookup", graph, "--node", "1", "--node", "0"]),
        "node,name\n1,it.b\n0,it.a\n"
    );
    assert_eq!(
        stdout(&["lookup", graph, "--prefix", "it."]),
        "node,name\n0,it.a\n1,it.b\n"
    );
    assert_eq!(
        stdout(&["lookup", graph, "--prefix", "it.", "--limit", "1"]),
        "node,name\n0,it.a\n"
    );
    let problem = failure(&["lookup", graph, "org.d"], 2);
    assert!(
        problem.contains("'org.d'") && problem.contains("org.c"),
        "{problem}"
    );
    let problem = failure(&["lookup", graph, "--node", "4"], 2);
    assert!(problem.contains("the graph has 4 nodes"), "{problem}");
}

#[test]
fn neighbours_of_both_directions() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    fs::write(&arcs, "a\tb\nb\tc\nc\tb\n").unwrap();
    let graph = text(&arcs);
    let all = stdout(&["neighbors", graph, "b", "-q"]);
    assert_eq!(all, "direction,node,name\nin,0,a\nin,2,c\nout,2,c\n");
    assert_eq!(
        stdout(&["neighbors", graph, "b", "--in", "-q"]),
        "direction,node,name\nin,0,a\nin,2,c\n"
    );
    assert_eq!(
        stdout(&["neighbors", graph, "b", "--out", "-q"]),
        "direction,node,name\nout,2,c\n"
    );
    let problem = failure(&["neighbors", graph, "z", "-q"], 2);
    assert!(problem.contains("'z'"), "{problem}");
}

#[test]
fn the_best_rows_of_a_table() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    fs::write(
        &table,
        "name,score,other\nit.a,1,9\norg.b,3,1\nit.c,2,1\nit.d,2,0\n",
    )
    .unwrap();
    let rows = |more: &[&str]| -> Vec<String> {
        let shown = stdout(&[&["top", text(&table)], more].concat());
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        shown.lines().skip(1).map(words).collect()
    };
    let it = rows(&["--prefix", "it."]);
    assert_eq!(
        it,
        [
            "2 2.000000e0 it.c",
            "2 2.000000e0 it.d",
            "4 1.000000e0 it.a"
        ]
    );
    assert_eq!(rows(&["--limit", "1"]), ["1 3.000000e0 org.b"]);
    let problem = failure(&["top", text(&table), "--column", "x"], 1);
    assert!(problem.contains("no such column"), "{problem}");
}
