use super::super::tests::{arcs, import, import_with, named_arcs, problem, weights};
use crate::import::ImportOptions;

fn named(arcs: &[(&str, &str)]) -> Vec<(String, String)> {
    let arcs = arcs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned()));
    arcs.collect()
}

#[test]
fn entries_of_matrices_are_arcs() {
    for text in [
        "dl n=3\ndata:\n0 1 0\n0 0 2.5\n1 0 0\n",
        "DL N = 3, FORMAT = FULLMATRIX\nDATA:\n0 1\n0 0 0 2.5 1 0 0",
        "dl n 3\ndata:\n0 1 0\n0 0 2.5\n1 0 0\n",
        "dl\nn 3\nformat=fullmatrix diagonal=absent\ndata:\n1,0\n0,2.5\n1,0\n",
    ] {
        let graph = import("g.dl", text).unwrap();
        assert!(graph.names().is_none());
        assert_eq!(arcs(&graph), [(0, 1), (1, 2), (2, 0)], "{text}");
        assert_eq!(weights(&graph), Some(vec![1.0, 2.5, 1.0]), "{text}");
    }
    let graph = import("g.txt", "dl n=2\ndata:\n0 1\n0 0\n").unwrap();
    assert_eq!((arcs(&graph), weights(&graph)), (vec![(0, 1)], None));
}

#[test]
fn labels_are_given_or_embedded() {
    let expected = [("ant", "bee"), ("bee", "cat fish"), ("cat fish", "ant")];
    for text in [
        "dl n=3 labels: ant,bee,\"cat fish\" data: 0 1 0 0 0 1 1 0 0",
        "dl n=3\nformat=fullmatrix\nlabels:\nant bee\n\"cat fish\"\ndata:\n0 1 0\n0 0 1\n1 0 0\n",
        "dl n=3\nlabels embedded\ndata:\nant bee \"cat fish\"\nant 0 1 0\nbee 0 0 1\n\"cat fish\" 1 0 0\n",
        // Rows with other capitals, as in the manual of UCINET.
        "dl n=3\nlabels embedded\ndata:\nant bee \"cat fish\"\nAnt 0 1 0\nBEE 0 0 1\n\"Cat fish\" 1 0 0\n",
        "dl n=3 format=edgelist1\nlabels:\nant,bee,\"cat fish\"\nlabels embedded:\ndata:\nant bee\nbee \
         \"cat fish\"\n\"cat fish\" ant\n",
        // Rows in an order of their own.
        "dl n=3 labels embedded: data: ant bee \"cat fish\" bee 0 0 1 \"cat fish\" 1 0 0 ant 0 1 0",
        "dl n=3 col labels embedded\ndata:\nant bee \"cat fish\"\n0 1 0\n0 0 1\n1 0 0\n",
        "dl n=3 format=edgelist1\nlabels embedded\ndata:\nant bee\nbee \"cat fish\"\n\"cat fish\",ant\n",
        "dl n=3 format=edgelist1\nlabels:\nant,bee,\"cat fish\"\ndata:\n1 2\n2 3\n3 1\n",
        "dl n=3 format=nodelist1 labels embedded\ndata:\nant bee\nbee \"cat fish\"\n\"cat fish\" ant\n",
        "dl nr=3 nc=3 row labels: ant bee \"cat fish\" column labels: ant bee \"cat fish\" \
         data: 0 1 0 0 0 1 1 0 0",
    ] {
        let graph = import("g.dl", text).unwrap();
        assert_eq!(named_arcs(&graph), named(&expected), "{text}");
        assert_eq!(weights(&graph), None, "{text}");
    }
}

#[test]
fn lists_have_a_line_for_each_arc_or_node() {
    let text = "dl n=4 format=edgelist1\ndata: 1 2 0.5\n\n2 3\n";
    let graph = import("g.dl", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 2)]);
    assert_eq!(weights(&graph), Some(vec![0.5, 1.0]));
    assert_eq!(graph.num_nodes(), 4);
    let text = "dl n=4 format=nl1\ndata:\n1 2 3 4\n3\n4 1\n";
    let graph = import("g.dl", text).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (0, 2), (0, 3), (3, 0)]);
}

#[test]
fn halves_of_matrices_are_edges() {
    for text in [
        "dl n=3 format=lowerhalf diagonal=absent\ndata:\n1\n0 1\n",
        "dl n=3 format=lowerhalf\ndata:\n0\n1 0\n0 1 0\n",
        "dl n=3 format=upperhalf diagonal=present data: 0 1 0\n0 1\n0",
    ] {
        let graph = import("g.dl", text).unwrap();
        assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 2), (2, 1)], "{text}");
    }
}

#[test]
fn two_kinds_of_nodes_are_those_of_one_graph() {
    let graph = import("g.dl", "dl nr=2 nc=3\ndata:\n1 0 0\n0 0 2\n").unwrap();
    assert_eq!(graph.num_nodes(), 5);
    assert_eq!(arcs(&graph), [(0, 2), (1, 4), (2, 0), (4, 1)]);
    let expected = [
        ("club", "eve"),
        ("eve", "club"),
        ("eve", "eve (column)"),
        ("eve (column)", "eve"),
    ];
    for text in [
        "dl nr=1 nc=2 format=edgelist2 labels embedded\ndata:\neve club\neve eve\n",
        "dl nr=1,nc=2 format=nodelist2\nlabels embedded\ndata:\neve club eve\n",
        "dl nr=1 nc=2 row labels embedded col labels embedded\ndata:\nclub eve\neve 1 1\n",
    ] {
        let graph = import("g.dl", text).unwrap();
        let mut found = named_arcs(&graph);
        // Which of two nodes with one label is met first depends on the format.
        found.sort();
        let columns: Vec<_> = found
            .iter()
            .filter(|(a, b)| a == "club" || b == "club")
            .collect();
        assert_eq!(
            (found.len(), columns.len(), graph.num_nodes()),
            (expected.len(), 2, 3),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_file_of_ucinet_is_refused_with_its_line() {
    let embedded = "dl n=2 format=edgelist1 labels embedded\ndata:\n";
    for (text, words) in [
        ("dl n=3\n0 1 0\n", "line 2: '0' is not read before 'data:'"),
        (
            "dl n=3 format=edgelist1\n",
            "line 1: the file ends before 'data:'",
        ),
        ("dl n=x\ndata:\n", "line 1: 'x' is not a number of nodes"),
        (
            "dl n=99999999999\ndata:\n",
            "line 1: '99999999999' is not a number",
        ),
        ("dl n=3 nm=2\ndata:\n", "line 1: several matrices"),
        (
            "dl n=3 format=edgearray1\ndata:\n",
            "line 1: the format 'edgearray1' is not read",
        ),
        (
            "dl n=3 labels:\na b\n",
            "line 2: the file ends after 2 of 3 labels",
        ),
        (
            "dl n=3 labels data:\n",
            "line 1: after 'labels', there is neither",
        ),
        (
            "dl format=fullmatrix\ndata:\n",
            "line 2: the number of nodes is missing",
        ),
        (
            "dl n=2\ndata:\n0 1\n0\n",
            "line 4: the file ends before the number of row 2, column 2",
        ),
        (
            "dl n=2\ndata:\n0 1\n0 0\n1\n",
            "line 5: more numbers than 2 rows of 2",
        ),
        ("dl n=2\ndata:\n0 x\n0 0\n", "line 3: 'x' is not a number"),
        (
            "dl n=2 format=el1\ndata:\n1 3\n",
            "line 3: '3' is not a node number from 1 to 2",
        ),
        (
            "dl n=2 format=el1\ndata:\n1 a\n",
            "'labels embedded' says that lines have labels",
        ),
        ("dl n=2 format=el1\ndata:\n1\n", "line 3: a single field"),
        (
            "dl n=2 format=el1\ndata:\n1 2 3 4\n",
            "line 3: more than three fields",
        ),
        (
            "dl n=2 row labels embedded\ndata:\na 0 1\nb 0 0\n",
            "line 2: labels are embedded in rows alone",
        ),
        (
            &format!("{embedded}a b\nb c\n"),
            "line 4: the label 'c' is one more than the 2 nodes",
        ),
    ] {
        let problem = problem("g.dl", text, &ImportOptions::default());
        assert!(
            problem.contains("g.dl, line ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn lines_that_cannot_be_used_may_be_left_out() {
    let options = ImportOptions {
        skip_bad: 2,
        ..Default::default()
    };
    let text = b"dl n=3 format=el1\ndata:\n1 2\n1 9\n2 x\n2 3\n";
    assert_eq!(
        arcs(&import_with("g.dl", text, &options).unwrap()),
        [(0, 1), (1, 2)]
    );
}

#[test]
fn nodes_without_a_label_are_nodes() {
    let text = "dl n=3 format=edgelist1 labels embedded\ndata:\na 3\n";
    let graph = import("g.dl", text).unwrap();
    assert_eq!(graph.num_nodes(), 3);
    let names: Vec<_> = (0..3).map(|node| graph.name(node).into_owned()).collect();
    assert_eq!(names, ["3", "3 (without a label)", "a"]);
}

#[test]
fn labels_may_be_latin1() {
    let graph = import(
        "g.dl",
        b"dl n=2 format=el1 labels embedded\ndata:\nZ\xfcrich Bern\n",
    )
    .unwrap();
    assert_eq!(named_arcs(&graph), named(&[("Zürich", "Bern")]));
}

#[test]
fn capital_letters_of_labels_do_not_matter() {
    let text = "dl n=3 format=edgelist1\nlabels embedded\ndata:\nAnt bee\nANT cat\nbee ant\n";
    let graph = import("g.dl", text).unwrap();
    let expected = [("Ant", "bee"), ("Ant", "cat"), ("bee", "Ant")];
    assert_eq!(named_arcs(&graph), named(&expected));
    // igraph takes them for two nodes, and so does n.
    let text = text.replace("n=3", "n=4");
    let problem = problem("g.dl", text, &ImportOptions::default());
    let words = "there are 4 nodes, but only 3 labels differ in more than capital letters";
    assert!(problem.contains(words), "{problem}");
    // Given labels are different nodes.
    let text = "dl n=2\nlabels:\nann,ANN\ndata:\n0 1\n0 0\n";
    assert_eq!(
        named_arcs(&import("g.dl", text).unwrap()),
        named(&[("ann", "ANN")])
    );
}

#[test]
fn missing_values_are_no_arcs_and_told() {
    let text = "dl n=3\ndata:\n0 1 na\nNA 0 1\n0 0 0\n";
    let (graph, report) = super::super::tests::import_reporting("g.dl", text);
    assert_eq!(
        (arcs(&graph), weights(&graph)),
        (vec![(0, 1), (1, 2)], None)
    );
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes.contains(&"2 missing values (na) left out".to_owned()),
        "{notes:?}"
    );
}

#[test]
fn missing_values_of_lists_are_left_out() {
    let text = "dl n=3 format=edgelist1\ndata:\n1 2 2\n2 3 na\n3 1 NA\n";
    let (graph, report) = super::super::tests::import_reporting("g.dl", text);
    assert_eq!(arcs(&graph), [(0, 1)]);
    let told: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert!(
        told.contains(&"2 missing values (na) left out".to_owned()),
        "{told:?}"
    );
}
