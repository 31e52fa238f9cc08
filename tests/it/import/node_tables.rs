//! Ids that a table of nodes explains, and ids that are counted from 1.

use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Writes files and runs a command beside them: exit code, standard output, standard error.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    run_in(folder.path(), arguments)
}

const ARCS: (&str, &str) = ("arcs.csv", "7,9\n9,7\n7,30\n");
const NODES: (&str, &str) = (
    "nodes.csv",
    "Id,Label,timeset,Degree\n7,Ann,,2\n9,Bob,,1\n12,Eve,,0\n",
);

#[test]
fn labels_become_names_and_ids_without_arcs_nodes() {
    let arguments = ["indegree", "arcs.csv", "--nodes", "nodes.csv"];
    let (code, table, said) = run(&[ARCS, NODES], &arguments);
    assert_eq!(code, Some(0), "{said}");
    let expected = "node,name,score,rank\n0,30,1.0,1\n1,Ann,1.0,1\n2,Bob,1.0,1\n3,Eve,0.0,4\n";
    assert_eq!(table, expected);
    assert!(said.contains("4 nodes, 3 arcs"), "{said}");
    assert!(
        said.contains(
            "1 end of arcs is not in nodes.csv, the first is '30'; their ids are their names"
        ),
        "{said}"
    );
    let left_out = "2 columns of the table of nodes left out: 'timeset', 'Degree'";
    assert!(said.contains(left_out), "{said}");
}

#[test]
fn equal_labels_are_made_distinct_and_told() {
    let nodes = ("nodes.csv", "id,label\n7,Ann\n9,Ann\n30,\n");
    let arguments = ["indegree", "arcs.csv", "--node-table", "nodes.csv"];
    let (code, table, said) = run(&[ARCS, nodes], &arguments);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        table.contains(",Ann (7),") && table.contains(",Ann (9),"),
        "{table}"
    );
    assert!(
        said.contains("2 nodes have a label that another has, too"),
        "{said}"
    );
    assert!(said.contains("1 node has no label"), "{said}");
}

#[test]
fn a_bundle_gets_names_too() {
    let folder = TempDir::new().unwrap();
    for (name, content) in [ARCS, NODES] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let (code, _, said) = run(&[
        "import",
        "arcs.csv",
        "--nodes",
        "nodes.csv",
        "-q",
        "-o",
        "g.bv",
    ]);
    assert_eq!(code, Some(0), "{said}");
    let (_, found, _) = run(&["lookup", "g.bv", "Eve"]);
    assert_eq!(found, "node,name\n3,Eve\n");
    // The graph keeps ids, and the table names them later.
    run(&["import", "arcs.csv", "-q", "-o", "ids.bv"]);
    let (_, table, said) = run(&["indegree", "ids.bv", "--nodes", "nodes.csv", "-q"]);
    assert!(table.contains(",Bob,1.0,"), "{table}{said}");
    let (code, _, said) = run(&[
        "subgraph",
        "arcs.csv",
        "--node-table",
        "nodes.csv",
        "--nodes",
        "some.txt",
        "-o",
        "s.bv",
    ]);
    assert_eq!(code, Some(1));
    assert!(said.contains("some.txt"), "{said}");
}

#[test]
fn what_would_mix_nodes_up_is_refused() {
    let clash = ("nodes.csv", "id,label\n7,30\n9,Bob\n");
    let (code, _, said) = run(
        &[ARCS, clash],
        &["indegree", "arcs.csv", "--nodes", "nodes.csv"],
    );
    assert_eq!(code, Some(1));
    assert!(
        said.contains("arcs.csv, line 3: nodes.csv has no node '30', but it is the name"),
        "{said}"
    );
    let (code, _, said) = run(
        &[ARCS, NODES],
        &["indegree", "arcs.csv", "--ids", "--nodes", "nodes.csv"],
    );
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    let other = ("nodes.csv", "a,b,c\n1,2,3\n");
    let (code, _, said) = run(
        &[ARCS, other],
        &["indegree", "arcs.csv", "--nodes", "nodes.csv"],
    );
    assert_eq!(code, Some(1));
    assert!(
        said.contains("which column holds the ids of the nodes?"),
        "{said}"
    );
}

#[test]
fn nodes_that_occur_in_no_line_are_told() {
    let arcs = ("arcs.txt", "1 2\n2 4\n");
    let (code, table, said) = run(&[arcs], &["indegree", "arcs.txt", "--ids"]);
    assert_eq!(code, Some(0));
    assert_eq!(table.lines().count(), 6);
    let expected =
        "2 nodes occur in no line, the first is 0; if numbers start from 1, say --ids-from 1";
    assert!(said.contains(expected), "{said}");
    let (code, table, said) = run(
        &[arcs],
        &["indegree", "arcs.txt", "--ids", "--ids-from", "1"],
    );
    assert_eq!(code, Some(0));
    assert_eq!(
        table,
        "name,score,rank\n1,0.0,3\n2,1.0,1\n3,0.0,3\n4,1.0,1\n"
    );
    assert!(
        said.contains("1 node occurs in no line, the first is 3"),
        "{said}"
    );
    let zero = ("arcs.txt", "0 1\n");
    let (code, _, said) = run(
        &[zero],
        &["indegree", "arcs.txt", "--ids", "--ids-from", "1"],
    );
    assert_eq!(code, Some(1));
    assert!(
        said.contains("line 1: 0 is not the number of a node"),
        "{said}"
    );
    let whole = ("arcs.txt", "0 1\n");
    let (_, _, said) = run(&[whole], &["indegree", "arcs.txt", "--ids"]);
    assert!(!said.contains("no line"), "{said}");
    let (code, _, _) = run(&[whole], &["indegree", "arcs.txt", "--ids-from", "1"]);
    assert_eq!(code, Some(2));
}
