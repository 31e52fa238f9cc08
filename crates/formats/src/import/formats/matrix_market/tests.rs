use super::super::tests::{arcs, import, problem, weights};
use crate::import::ImportOptions;

#[test]
fn entries_are_arcs() {
    let text = "%%MatrixMarket matrix coordinate real general\n% a comment\n\n4 4 3\n1 2 0.5\n  3\t1 2e1 \n4 4 1\n";
    let graph = import("m.mtx", text).unwrap();
    assert_eq!(graph.num_nodes(), 4);
    assert!(graph.names().is_none());
    assert_eq!(arcs(&graph), [(0, 1), (2, 0), (3, 3)]);
    assert_eq!(weights(&graph), Some(vec![0.5, 20.0, 1.0]));
    let text = "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n5 5 2\n2 1\n3 3\n";
    let graph = import("m", text).unwrap();
    assert_eq!(graph.num_nodes(), 5);
    assert_eq!(arcs(&graph), [(0, 1), (1, 0), (2, 2)]);
    assert_eq!(weights(&graph), None);
    let text = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n1 2 7\n";
    let graph = import("m", text).unwrap();
    assert_eq!(weights(&graph), Some(vec![7.0, 7.0]));
    let text = "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n";
    let refused = problem("m", text, &ImportOptions::default());
    assert!(refused.contains("has no arc"), "{refused}");
}

#[test]
fn skew_symmetric_matrices_have_no_weights() {
    let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n";
    let refused = problem("m.mtx", text, &ImportOptions::default());
    assert!(refused.contains("line 1: the matrix is skew"), "{refused}");
    let options = ImportOptions {
        unweighted: true,
        ..Default::default()
    };
    let graph = super::super::tests::import_with("m.mtx", text.as_bytes(), &options).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
}

#[test]
fn what_is_no_matrix_of_a_graph_is_refused_with_its_line() {
    let real = "%%MatrixMarket matrix coordinate real general\n";
    let array = "%%MatrixMarket matrix array real general\n";
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
    for (text, words) in [
        ("%%MatrixMarket matrix\n", "line 1: not a header"),
        (
            "%%MatrixMarket vector array real general\n1 1\n1\n",
            "line 1: not a header",
        ),
        (
            "%%MatrixMarket matrix array pattern general\n1 1\n1\n",
            "line 1: an array has a number for every pair",
        ),
        (
            &format!("{array}2 2 4\n"),
            "line 2: not the numbers of rows and columns",
        ),
        (
            &format!("{array}2 3\n"),
            "line 2: the matrix has 2 rows and 3",
        ),
        (
            &format!("{array}2 2\n1\n2\n3\n"),
            "line 5: the file ends before the number of row 2, column 2",
        ),
        (
            &format!("{array}2 2\n1\n2\n3\n4\n5\n"),
            "line 7: more numbers than a matrix of 2 rows has",
        ),
        (&format!("{array}1 1\nx\n"), "line 3: 'x' is not a number"),
        (
            "%%MatrixMarket matrix coordinate complex general\n",
            "line 1: entries are complex",
        ),
        (
            "%%MatrixMarket matrix coordinate real hermitian\n",
            "line 1: the matrix is hermitian",
        ),
        (real, "line 1: the file ends before"),
        (
            &format!("{real}%\n3 4 1\n1 1 1\n"),
            "line 3: the matrix has 3 rows and 4 columns",
        ),
        (&format!("{real}3 x 1\n"), "line 2: not the numbers of rows"),
        (
            &format!("{real}3 3 2\n1 2 1\n"),
            "line 3: the file ends after 1 of 2",
        ),
        (
            &format!("{real}3 3 1\n1 2 1\n1 3 1\n"),
            "line 4: more entries than the 1",
        ),
        (
            &format!("{real}3 3 1\n1 4 1\n"),
            "line 3: '4' is not a node number from 1 to 3",
        ),
        (&format!("{real}3 3 1\n0 1 1\n"), "line 3: '0' is not"),
        (&format!("{real}3 3 1\n1 1\n"), "line 3: 2 fields"),
        (
            &format!("{real}3 3 1\n1 1 x\n"),
            "line 3: 'x' is not a number",
        ),
        (
            &format!("{real}3 3 1\n1 1 -1\n"),
            "line 3: the weight -1 is negative",
        ),
        (
            &format!("{symmetric}3 3 2\n1 2 1\n2 1 1\n"),
            "line 4: this entry and earlier ones",
        ),
        (
            &format!("{real}99999999999 99999999999 0\n"),
            "line 2: the graph has 99999999999 nodes",
        ),
    ] {
        let problem = problem("m.mtx", text, &ImportOptions::default());
        assert!(
            problem.contains("m.mtx, ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn arrays_have_a_number_for_every_pair() {
    let text =
        "%%MatrixMarket matrix array real general\n% c\n3 3\n0\n2\n0\n0.5\n0\n0\n1e0\n0\n-0.0\n";
    let graph = import("m.mtx", text).unwrap();
    assert_eq!(graph.num_nodes(), 3);
    // Column by column: (2, 1), (1, 2) and (1, 3), counted from 1.
    assert_eq!(arcs(&graph), [(0, 1), (0, 2), (1, 0)]);
    assert_eq!(weights(&graph), Some(vec![0.5, 1.0, 2.0]));
    let text = "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n0\n0\n3\n0\n";
    let graph = import("m.mtx", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(weights(&graph), Some(vec![1.0, 2.0, 2.0, 3.0, 3.0]));
    let text = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n-1 0\n4\n";
    let options = ImportOptions {
        unweighted: true,
        ..Default::default()
    };
    let graph = super::super::tests::import_with("m.mtx", text.as_bytes(), &options).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 2), (2, 1)]);
    let text = "%%MatrixMarket matrix array real general\n0 0\n";
    let refused = problem("m.mtx", text, &ImportOptions::default());
    assert!(refused.contains("has no arc"), "{refused}");
}

#[test]
fn exponents_may_be_those_of_fortran() {
    let text =
        "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 1.5D0\n2 1 2d-1\n2 2 1D+02\n";
    let graph = import("m.mtx", text).unwrap();
    assert_eq!(weights(&graph), Some(vec![1.5, 0.2, 100.0]));
}

#[test]
fn one_percent_sign_begins_a_matrix_of_network_repository() {
    let text = "%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n";
    let graph = import("a.mtx", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (0, 2), (1, 0), (2, 0)]);
}
