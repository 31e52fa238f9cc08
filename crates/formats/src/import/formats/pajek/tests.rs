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
        ("", "line 1: the file ends before a line '*Vertices n'"),
        (
            "*vertices 5 6\n",
            "line 1: a network of two modes, with 6 of 5",
        ),
        ("*vertices 2\n*Events\n", "line 2: '*events' is not read"),
        (
            "*vertices 2\n*matrix\n0 1\n",
            "line 3: the matrix has 2 numbers, not 2 rows of 2",
        ),
        (
            "*vertices 2\n*matrix\n0 1\n1 0 1\n",
            "line 4: more numbers than 2 rows",
        ),
        (
            "*vertices 2\n*matrix\n0 1\n1 x\n",
            "line 4: 'x' is not a number",
        ),
        (
            "*vertices 1\n*matrix\n0\n*matrix\n0\n",
            "line 4: a second matrix",
        ),
        (
            "*partition p\n*vertices 1\n1\n",
            "line 3: the file ends before a line",
        ),
        (
            "*vertices 2\n*arcs\n1 2\n*Vertices 3\n",
            "line 4: a second network",
        ),
        (
            "*vertices 2\n3 \"c\"\n",
            "line 2: '3' is not a node number from 1 to 2",
        ),
        (&format!("{two}*Arcs\n1 3\n"), "line 5: '3' is not a node"),
        (&format!("{two}*Arcs\n1\n"), "line 5: a single field"),
        (&format!("{two}*Arcs\n1 2 -2\n"), "line 5: the weight -2"),
    ] {
        let options = ImportOptions {
            from: Some(crate::import::Format::Pajek),
            ..Default::default()
        };
        let problem = problem("g.net", text, &options);
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

#[test]
fn weights_may_come_after_arcs_without() {
    let text = "*Vertices 3\n*Arcslist\n1 2 3\n*Arcs\n2 3\n3 1 0.5 c Blue\n";
    let graph = import("g.net", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (0, 2), (1, 2), (2, 0)]);
    assert_eq!(weights(&graph), Some(vec![1.0, 1.0, 1.0, 0.5]));
    let options = ImportOptions {
        unweighted: true,
        ..Default::default()
    };
    let graph = import_with("g.net", text.as_bytes(), &options).unwrap();
    assert_eq!(weights(&graph), None);
}

#[test]
fn matrices_have_a_row_for_each_node() {
    let text = "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n*Matrix\n0 1 0\n0 0\n1 1 0 0\n";
    let graph = import("g.net", text).unwrap();
    let expected = [("a", "b"), ("b", "c"), ("c", "a")].map(|(a, b)| (a.into(), b.into()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), None);
    let text = "*Vertices 2\n*Matrix\n0 2.5\n0 0\n";
    assert_eq!(weights(&import("g.net", text).unwrap()), Some(vec![2.5]));
    let options = ImportOptions {
        skip_bad: 1,
        ..Default::default()
    };
    let text = b"*Vertices 3\n*Matrix\n0 x 0\n0 0 1\n1 0 0\n";
    assert_eq!(
        arcs(&import_with("g.net", text, &options).unwrap()),
        [(1, 2), (2, 0)]
    );
}

#[test]
fn two_modes_are_nodes_of_one_graph() {
    let text = "*Vertices 5 2\n1 \"ant\"\n2 \"bee\"\n3 \"x\"\n4 \"y\"\n5 \"z\"\n";
    for arcs in ["*Edges\n1 3\n2 5\n", "*Matrix\n1 0 0\n0 0 1\n"] {
        let graph = import("g.net", format!("{text}{arcs}")).unwrap();
        let expected = [("ant", "x"), ("bee", "z"), ("x", "ant"), ("z", "bee")];
        assert_eq!(
            named_arcs(&graph),
            expected.map(|(a, b)| (a.into(), b.into()))
        );
        assert_eq!(graph.num_nodes(), 5);
    }
}

#[test]
fn projects_have_a_network_among_other_things() {
    let text = "*Partition kinds\n*Vertices 2\n1\n2\n*Network n\n*Vertices 2\n*Arcs :1 \"likes\"\n\
                1 2\n*Arcs :2 \"knows\"\n2: 2 1\n*Vector v\n*Vertices 2\n0.5\n0.25\n";
    let graph = import("g.paj", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
    let (_, report) = super::super::tests::import_reporting("g.paj", text);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "2 sections of relations are read as one graph",
            "2 sections that are no network left out",
            "Pajek, directed, node 0 is 1 in the file"
        ]
    );
}

#[test]
fn texts_before_the_network_are_left_out() {
    let text = "Monks, from the files of Pajek\n\n*Vertices 2\n1 \"a\"\n2 \"b\"\n*Arcs\n1 2\n";
    let (graph, report) = super::super::tests::import_reporting("g.net", text);
    assert_eq!(named_arcs(&graph), [("a".into(), "b".into())]);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["1 line before the network left out", "Pajek, directed"]
    );
}

#[test]
fn comments_are_skipped() {
    let text = "/* made\n1 by hand\n*/\n% x\n*Network\n/* a line */\n*Vertices 2\n% y\n1 \"a\"\n/* z\n\
                2 \"b\"\n*Arcs\n/* w */\n1 2\n";
    let graph = import("g.net", text).unwrap();
    assert_eq!(named_arcs(&graph), [("a".to_owned(), "b".to_owned())]);
}

#[test]
fn labels_may_be_repeated_and_in_latin1() {
    let text = b"*Vertices 3\n1 \"M\xfcller\" 0.1 0.2\n2 \"M\xfcller\"\n3 Mayer\n*Arcs\n1 2\n2 3\n";
    let graph = import("g.net", text).unwrap();
    let expected = [("Müller", "Müller (2)"), ("Müller (2)", "Mayer")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    let text = "*Vertices 3\n1 \"a\"\n2 \"a (3)\"\n3 \"a\"\n";
    let problem = problem("g.net", text, &ImportOptions::default());
    assert!(
        problem.contains("node 3: two nodes have the label 'a', and another"),
        "{problem}"
    );
}

#[test]
fn the_number_of_nodes_may_be_missing() {
    let text = "# of Infomap\n*Vertices\n# id name\n1 \"a\"\n3 \"c\"\n*Arcs\n1 3 2\n";
    for name in ["g.net", "g.txt"] {
        let graph = import(name, text).unwrap();
        assert_eq!(graph.num_nodes(), 3);
        let expected = [("a".to_owned(), "c".to_owned())];
        assert_eq!(named_arcs(&graph), expected);
    }
    let problem = problem(
        "g.net",
        "*Vertices\n1\n*Arcs\n1 2\n",
        &ImportOptions::default(),
    );
    assert!(
        problem.contains("line 4: '2' is not a node number from 1 to 1"),
        "{problem}"
    );
}

#[test]
fn links_of_infomap_are_arcs_and_its_states_are_refused() {
    let text = "# of Infomap\n*Vertices\n1 \"a\"\n2 \"b\"\n*Links\n1 2 0.5\n2 1\n";
    let (graph, report) = super::super::tests::import_reporting("g.net", text);
    let expected = [("a", "b"), ("b", "a")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(weights(&graph), Some(vec![0.5, 1.0]));
    let is_told = |note: &crate::import::Note| note.text.contains("'*Links' does not say whether");
    assert!(report.notes.iter().any(is_told), "{:?}", report.notes);
    for section in [
        "*States",
        "*Intra",
        "*Multilayer 3",
        "*Context",
        "*Paths",
        "*Bipartite 3",
    ] {
        let text = format!("*Vertices 2\n{section}\n1 1 2 1\n");
        let problem = problem("g.net", text, &ImportOptions::default());
        assert!(
            problem.contains("line 2: '*") && problem.contains("of Infomap, whose states"),
            "{problem}"
        );
    }
}

#[test]
fn vertices_stand_in_any_order_and_marks_in_labels_are_escaped() {
    let text = "*Vertices 3\n3 \"say \\\"hi\\\"\" 0.1\n1 \"C:\\\"\n2 b\n*Arcs\n1 3\n3 2\n";
    let graph = import("g.net", text).unwrap();
    let expected = [("C:\\", "say \"hi\""), ("say \"hi\"", "b")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    let text = "*Vertices 3\n1 \"a\"\n2 \"b\"\n1 \"c\"\n*Arcs\n1 2\n";
    let problem = problem("g.net", text, &ImportOptions::default());
    assert!(
        problem.contains("line 1: node 1 has two lines with labels"),
        "{problem}"
    );
}

#[test]
fn arcs_without_vertices_are_between_numbers() {
    for text in [
        "*Links\n1 2 3\n2 4000000000 1\n",
        "# x\n*Arcs\n1 2 3\n2 4000000000 1\n",
    ] {
        let graph = import("g", text).unwrap();
        let expected = [("1", "2"), ("2", "4000000000")];
        let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(
            (graph.num_nodes(), named_arcs(&graph)),
            (3, expected.to_vec())
        );
        assert_eq!(weights(&graph), Some(vec![3.0, 1.0]));
    }
    let refused = |text| problem("g", text, &ImportOptions::default());
    let problem = refused("*Edges\n1 2\n*Vertices 2\n");
    assert!(problem.contains("line 3: vertices below arcs"), "{problem}");
}

#[test]
fn partitions_are_refused_by_their_name() {
    let text = "*Vertices 3\n1\n1\n2\n";
    let problem = problem("g.clu", text, &ImportOptions::default());
    assert!(problem.contains("holds the modules of nodes"), "{problem}");
}
