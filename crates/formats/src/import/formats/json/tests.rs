//! Graphs in JSON.
mod rows;

use super::super::tests::{problem, weights};
use super::*;
use crate::import::{ImportFiles, ImportOptions, ImportReport, read};
use webrank_base::progress::Silent;
use webrank_graph::Graph;

fn graph_of(text: &str) -> (Graph, ImportReport) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.json");
    std::fs::write(&path, text).unwrap();
    let sources = ImportFiles::new(&[path]).unwrap();
    let read = read(&sources, &ImportOptions::default(), &Silent);
    read.unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

fn arcs_of(text: &str) -> Vec<String> {
    let (graph, _) = graph_of(text);
    let arcs = super::super::tests::arcs(&graph).into_iter();
    arcs.map(|(a, b)| format!("{} {}", graph.name(a), graph.name(b)))
        .collect()
}

fn notes_of(text: &str) -> String {
    let notes = graph_of(text).1.notes;
    let notes: Vec<String> = notes.iter().map(|note| note.to_string()).collect();
    notes.join("; ")
}

#[test]
fn shapes_of_several_programs_are_read() {
    for text in [
        // networkx, new and old, keys in any order
        r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": "b", "size": 3}],
            "edges": [{"source": "a", "target": "b", "key": 0}]}"#,
        r#"{"links": [{"target": "b", "source": "a"}], "nodes": [{"id": "a", "data": NaN}, {"id": "b"}], "directed": true}"#,
        // d3: places, nodes with names only, nodes in place of ids
        r#"{"nodes": [{"name": "a", "group": 1}, {"name": "b"}], "links": [{"source": 0, "target": 1}]}"#,
        r#"{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": {"id": "a", "x": 1.5}, "target": {"id": "b"}}]}"#,
        // vis.js
        r#"{"nodes": [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}], "edges": [{"from": 1, "to": 2}]}"#,
        // graphology
        r#"{"attributes": {}, "options": {"type": "directed", "multi": false}, "nodes": [{"key": "a", "attributes": {"x": 0}},
            {"key": "b"}], "edges": [{"key": "e0", "source": "a", "target": "b", "attributes": {"color": "red"}}]}"#,
        // Cytoscape, both forms
        r#"{"data": {"name": "net"}, "elements": {"nodes": [{"data": {"id": "17", "name": "a"}}, {"data": {"id": "18", "name": "b"}}],
            "edges": [{"data": {"id": "19", "source": "17", "target": "18"}}]}}"#,
        r#"[{"data": {"id": "a"}, "position": {"x": 1}}, {"data": {"id": "b"}}, {"data": {"id": "ab", "source": "a", "target": "b"}}]"#,
        r#"{"elements": [{"group": "nodes", "data": {"id": "a"}}, {"group": "edges", "data": {"source": "a", "target": "b"}},
            {"group": "nodes", "data": {"id": "b"}}]}"#,
        // The JSON Graph Format, versions 1 and 2
        r#"{"graph": {"nodes": [{"id": "a", "label": "A"}, {"id": "b"}], "edges": [{"source": "a", "target": "b", "relation": "is"}]}}"#,
        r#"{"graph": {"directed": true, "nodes": {"a": {"label": "A"}, "b": {}}, "edges": [{"source": "a", "target": "b"}]}}"#,
        r#"{"graphs": [{"nodes": {"a": {}, "b": {}}, "edges": [{"source": "a", "target": "b"}]}]}"#,
        // networkx's adjacency_data
        r#"{"directed": true, "multigraph": false, "graph": [], "nodes": [{"id": "a"}, {"id": "b"}], "adjacency": [[{"id": "b"}], []]}"#,
        r#"{"adjacency": [[{"id": "b"}], []], "directed": true, "nodes": [{"id": "a"}, {"id": "b"}]}"#,
        r#"{"nodes": ["a", "b"], "arcs": [["a", "b"]]}"#,
        // Lists of values
        r#"{"nodes": ["a", "b"], "edges": [["a", "b"]]}"#,
        r#"{"edges": [["a", "b"]]}"#,
        // Rows
        r#"[{"source": "a", "target": "b"}]"#,
        "{\"target\": \"b\", \"source\": \"a\"}\n",
        r#"[["a", "b"]]"#,
        "[\"a\", \"b\"]\n[\"a\", \"b\"]\n",
        "{\"from\": \"a\", \"to\": \"b\", \"meta\": {\"x\": [1]}}",
        "{\"src\": \"a\", \"dst\": \"b\"}\r\n{\"dst\": \"b\", \"src\": \"a\", \"x\": 1}\r\n",
    ] {
        assert_eq!(arcs_of(text), ["a b"], "{text}");
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert!(matches!(recognise(&first), Verdict::Is(_)), "{text}");
    }
}

#[test]
fn weights_are_weight_or_else_value() {
    for (text, expected) in [
        (
            r#"{"links": [{"source": "a", "target": "b", "value": 3}]}"#,
            3.0,
        ),
        (
            r#"{"links": [{"source": "a", "target": "b", "weight": 2, "value": 3}]}"#,
            2.0,
        ),
        (
            r#"{"edges": [{"source": "a", "target": "b", "attributes": {"weight": 2.5}}]}"#,
            2.5,
        ),
        (
            r#"{"edges": [{"source": "a", "target": "b", "metadata": {"weight": "4"}}]}"#,
            4.0,
        ),
        (r#"{"edges": [["a", "b", 5]]}"#, 5.0),
        (r#"[{"source": "a", "target": "b", "weight": 6}]"#, 6.0),
        ("[[\"a\", \"b\", 7e0]]", 7.0),
        (
            r#"{"nodes": [{"id": 1}, {"id": 2}], "directed": true, "adjacency": [[{"id": 2, "weight": 8}], []]}"#,
            8.0,
        ),
    ] {
        assert_eq!(weights(&graph_of(text).0), Some(vec![expected]), "{text}");
    }
    let text = r#"{"links": [{"source": "a", "target": "b", "value": "much", "weight": null}]}"#;
    assert_eq!(weights(&graph_of(text).0), None);
    let text = r#"{"links": [{"source": "a", "target": "b", "weight": 2}, {"source": "b", "target": "a"}]}"#;
    assert_eq!(weights(&graph_of(text).0), Some(vec![2.0, 1.0]));
    assert!(
        notes_of(text).contains("1 edge has no weight"),
        "{}",
        notes_of(text)
    );
}

#[test]
fn directions_are_those_of_the_file_or_told() {
    let text = |start: &str, edge: &str| {
        format!(r#"{{{start} "edges": [{{"source": "a", "target": "b" {edge}}}]}}"#)
    };
    for (start, edge, expected) in [
        (r#""directed": false,"#, "", 2),
        (r#""directed": true,"#, "", 1),
        (r#""directed": true,"#, r#", "directed": false"#, 2),
        (r#""options": {"type": "undirected"},"#, "", 2),
        (
            r#""options": {"type": "mixed"},"#,
            r#", "undirected": true"#,
            2,
        ),
        (r#""options": {"type": "mixed"},"#, "", 1),
        (r#""directed": false,"#, r#", "type": "Directed""#, 1),
    ] {
        let text = text(start, edge);
        assert_eq!(arcs_of(&text).len(), expected, "{text}");
        assert!(!notes_of(&text).contains("directions"), "{text}");
    }
    assert!(notes_of(&text("", "")).contains("does not say whether edges have directions"));
}

#[test]
fn ends_are_ids_or_places_as_the_file_shows() {
    let nodes = |ids: &str| format!(r#"{{"directed": true, "nodes": [{ids}], "links": "#);
    for (ids, links, expected, told) in [
        // Ids that are numbers, in the order of places, and with a gap.
        (
            r#"{"id": 0}, {"id": 1}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "0 1",
            "",
        ),
        (
            r#"{"id": 5}, {"id": 6}"#,
            r#"[{"source": 6, "target": 5}]"#,
            "6 5",
            "",
        ),
        // Ids win, and it is told.
        (
            r#"{"id": 1}, {"id": 0}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "0 1",
            "are ids of nodes; as places",
        ),
        // Only places find nodes.
        (
            r#"{"id": 1}, {"id": 2}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "1 2",
            "are the places",
        ),
        (
            r#"{"id": "x"}, {"id": "y"}"#,
            r#"[{"source": 1, "target": 0}]"#,
            "y x",
            "are the places",
        ),
        (
            r#"{"name": "x"}, {"name": "y"}"#,
            r#"[{"source": "y", "target": "x"}]"#,
            "y x",
            "",
        ),
        // Texts are ids.
        (
            r#"{"id": "1"}, {"id": "0"}"#,
            r#"[{"source": "0", "target": "1"}]"#,
            "0 1",
            "",
        ),
        (
            r#"{"id": "1"}, {"id": "2"}"#,
            r#"[{"source": 1, "target": 2}]"#,
            "1 2",
            "",
        ),
        (
            r#"{"id": 1.0}, {"id": 2}"#,
            r#"[{"source": 1, "target": 2.0}]"#,
            "1 2",
            "",
        ),
    ] {
        let text = nodes(ids) + links + "}";
        assert_eq!(arcs_of(&text), [expected], "{text}");
        let notes = notes_of(&text);
        assert_eq!(
            notes.contains("the ends of links"),
            !told.is_empty(),
            "{text}: {notes}"
        );
        assert!(notes.contains(told), "{text}: {notes}");
    }
    for (ids, links, words) in [
        (
            r#"{"id": "1"}, {"id": "0"}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "may be names of nodes or their places",
        ),
        (
            r#"{"name": "1"}, {"name": "0"}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "may be names of nodes or their places",
        ),
        (
            r#"{"id": 1}, {"id": 2}"#,
            r#"[{"source": 7, "target": 1}]"#,
            "no node has the id '7'",
        ),
        (
            r#"{"name": "x"}, {"name": "y"}"#,
            r#"[{"source": 2, "target": 1}]"#,
            "'2' is not the place of a node",
        ),
        (
            r#"{"name": "x"}, {"name": "x"}"#,
            r#"[{"source": "x", "target": "x"}]"#,
            "nodes have no ids, and two nodes have the label 'x'",
        ),
        (
            r#"{"id": "x"}, {"name": "y"}"#,
            r#"[{"source": 0, "target": 1}]"#,
            "some nodes have an id",
        ),
        (
            r#"{"id": "1"}, {"id": 1}"#,
            "[]",
            "a second node with the id '1'",
        ),
    ] {
        let text = nodes(ids) + links + "}";
        let problem = problem("g.json", &text, &ImportOptions::default());
        assert!(
            problem.contains("g.json, line 1: ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn nodes_without_ids_and_names_have_numbers() {
    let text =
        r#"{"nodes": [{"group": 1}, {"group": 2}, {}], "links": [{"source": 2, "target": 0}]}"#;
    let (graph, _) = graph_of(text);
    assert!(graph.names().is_none());
    assert_eq!(super::super::tests::arcs(&graph), [(2, 0)]);
    let text =
        r#"{"nodes": [{"name": "x"}, {"name": "x"}], "links": [{"source": 0, "target": 1}]}"#;
    let (graph, report) = graph_of(text);
    assert!(graph.names().is_none() && graph.num_nodes() == 2);
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.to_string().contains("two nodes have the label 'x'"))
    );
}

#[test]
fn undirected_lists_of_neighbours_are_symmetric() {
    let text = |lists: &str| {
        format!(
            r#"{{"directed": false, "nodes": [{{"id": "a"}}, {{"id": "b"}}], "adjacency": {lists}}}"#
        )
    };
    let both = text(
        r#"[[{"id": "b", "weight": 2}, {"id": "a", "weight": 3}], [{"id": "a", "weight": 2}]]"#,
    );
    assert_eq!(arcs_of(&both), ["a a", "a b", "b a"]);
    assert_eq!(weights(&graph_of(&both).0), Some(vec![3.0, 2.0, 2.0]));
    for (lists, words) in [
        (
            r#"[[{"id": "b"}], []]"#,
            "stand in the list of one end only",
        ),
        (
            r#"[[], [], [{"id": "b"}]]"#,
            "more lists of neighbours than nodes",
        ),
        (r#"[[{"id": "c"}], []]"#, "no node has the id 'c'"),
        (r#"[[{"x": "c"}], []]"#, "a neighbour without 'id'"),
        (r#"[{"id": "b"}]"#, "neighbours that are no array"),
    ] {
        let problem = problem("g.json", text(lists), &ImportOptions::default());
        assert!(
            problem.contains("g.json, line 1: ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn lists_of_ids_are_successors_if_they_name_each_other() {
    let (graph, report) = graph_of(r#"{"a": ["b", "c"], "b": [], "c": ["a"]}"#);
    assert_eq!((graph.num_nodes(), graph.num_arcs()), (3, 3));
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert!(notes.concat().contains("successors of a node"), "{notes:?}");
    assert_eq!(arcs_of(r#"{"1": [2], "2": [1]}"#), ["1 2", "2 1"]);
    for text in [
        r#"{"title": ["b"], "tags": ["x", "y"]}"#,
        r#"{"a": ["b"], "b": ["a"], "size": 3}"#,
        r#"{"a": ["b"], "b": [["a", [1]], 2]}"#,
    ] {
        let problem = super::super::tests::problem("g.json", text, &Default::default());
        assert!(problem.contains("which values are an arc?"), "{problem}");
    }
}
