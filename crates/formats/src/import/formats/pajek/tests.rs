use super::super::tests::{arcs, import, import_with, named_arcs, problem, weights};
use crate::import::ImportOptions;

#[test]
fn labels_are_names() {
    let text = "%a comment\n*Vertices 4\n1 \"New York\" 0.5 0.5 ellipse\n2 Boston\n4 \"x\"\n\n*Arcs\n1 2 3\n\
                *Edges\n 1 3 0.5 c Red\n4 4\n";
    let graph = import("g.net", text).unwrap();
    let expected = [
        ("3", "New York"),
        ("New York", "3"),
        ("New York", "Boston"),
        ("x", "x"),
    ];
    let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), Some(vec![0.5, 0.5, 3.0, 1.0]));
}

#[test]
fn nodes_without_labels_have_numbers() {
    let text = "*Network x\n*vertices 5\n1\n2\n*Arcslist :1 \"cites\"\n1 2 3\n*edgeslist\n4 1\n";
    let graph = import("g", text).unwrap();
    assert!(graph.names().is_none());
    assert_eq!(graph.num_nodes(), 5);
    assert_eq!(arcs(&graph), [(0, 1), (0, 2), (0, 3), (3, 0)]);
    assert_eq!(weights(&graph), None);
    let options = ImportOptions {
        allow_empty: true,
        ..Default::default()
    };
    let graph = import_with("g", b"*Vertices 3\n", &options).unwrap();
    assert_eq!(graph.num_nodes(), 3);
}

#[test]
fn edges_are_not_added_twice_if_the_graph_is_made_symmetric() {
    let options = ImportOptions {
        symmetric: true,
        ..Default::default()
    };
    let text = b"*Vertices 2\n*Edges\n1 2 3\n";
    let graph = import_with("g.net", text, &options).unwrap();
    assert_eq!(weights(&graph), Some(vec![3.0, 3.0]));
}

#[test]
fn what_is_no_network_is_refused_with_its_line() {
    let two = "*Vertices 2\n1 \"a\"\n2 \"b\"\n";
    for (text, words) in [
        ("*Network\n1 2\n", "line 2: there is no line '*Vertices n'"),
        ("*vertices x\n", "line 1: not '*Vertices n'"),
        ("*vertices 5 2\n", "line 1: a network of two modes, 2 of 5"),
        ("*vertices 2\n*Matrix\n", "line 2: '*matrix' is not read"),
        (
            "*vertices 2\n*arcs\n1 2\n*Vertices 3\n",
            "line 4: a second network",
        ),
        (
            "*vertices 2\n3 \"c\"\n",
            "line 2: '3' is not a node number from 1 to 2",
        ),
        (
            "*vertices 2\n2 \"c\"\n1 \"d\"\n",
            "line 3: node 1 is not after node 2",
        ),
        (
            "*vertices 2\n1 \"a\"\n2 \"a\"\n",
            "line 1: nodes 1 and 2 have the same name",
        ),
        (&format!("{two}*Arcs\n1 3\n"), "line 5: '3' is not a node"),
        (&format!("{two}*Arcs\n1\n"), "line 5: a single field"),
        (
            &format!("{two}*Arcs\n1 2\n1 1 2\n"),
            "line 6: a weight, but",
        ),
        (&format!("{two}*Arcs\n1 2 -2\n"), "line 5: the weight -2"),
    ] {
        let problem = problem("g.net", text, &ImportOptions::default());
        assert!(
            problem.contains("g.net, line ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn more_nodes_than_a_graph_has_are_refused_at_once() {
    let text = "*vertices 12433333333\n1 \"a\"\n3 c\n*arcs\n1 3\n";
    let problem = problem("g.net", text, &ImportOptions::default());
    assert!(
        problem.contains("g.net, line 1: 12433333333 nodes"),
        "{problem}"
    );
}

#[test]
fn a_damaged_number_of_nodes_takes_no_memory() {
    let text = "*vertices 40000000\n1 \"a\"\n3 c\n*arcs\n1 3\n";
    let problem = problem("g.net", text, &ImportOptions::default());
    assert!(
        problem.contains("g.net, line 1: 40000000 nodes, of which only 2 have a label"),
        "{problem}"
    );
}
