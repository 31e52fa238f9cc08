//! Rows in JSON, and damage.

use super::super::super::tests::{import, import_with, named_arcs, problem, weights};
use super::super::*;
use super::{graph_of, notes_of};
use crate::import::{Format, ImportOptions};

#[test]
fn columns_choose_the_fields_of_rows() {
    let with = |columns: &str, text: &str| {
        let options = ImportOptions {
            columns: Some(columns.split(',').map(str::to_owned).collect()),
            ..Default::default()
        };
        let graph = import_with("g.jsonl", text.as_bytes(), &options).unwrap();
        (named_arcs(&graph).remove(0), weights(&graph))
    };
    let text = "{\"n\": 5, \"who\": \"a\", \"what\": 7}\n{\"what\": 7, \"who\": \"a\", \"n\": 1}\n";
    assert_eq!(with("who,what", text), (("a".into(), "7".into()), None));
    assert_eq!(
        with("who,what,n", text),
        (("a".into(), "7".into()), Some(vec![6.0]))
    );
    assert_eq!(with("2,3", text), (("a".into(), "7".into()), None));
    assert_eq!(
        with("3,1", "[\"x\", 1, \"y\"]"),
        (("y".into(), "x".into()), None)
    );
    let text = "{\"since\": 5, \"source\": \"a\", \"target\": \"b\"}\n";
    assert!(
        notes_of(text).contains("fields not used: 'since'"),
        "{}",
        notes_of(text)
    );
    let refused = problem(
        "g.jsonl",
        "{\"who\": \"a\", \"whom\": \"b\"}\n",
        &ImportOptions::default(),
    );
    assert!(
        refused.ends_with("say so, as in --columns who,whom"),
        "{refused}"
    );
}

#[test]
fn rows_say_counts_and_directions() {
    let text = "{\"source\": \"a\", \"target\": \"b\", \"type\": \"Undirected\", \"n\": 3}\n\
                {\"source\": \"b\", \"target\": \"c\", \"type\": \"Directed\", \"n\": 1}\n";
    let (graph, _) = graph_of(text);
    let expected = [("a", "b"), ("b", "a"), ("b", "c")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(weights(&graph), Some(vec![3.0, 3.0, 1.0]));
    let told = notes_of(text);
    assert!(told.contains("fields source, target, n, type"), "{told}");
}

#[test]
fn rows_are_read_one_by_one() {
    let mut text = String::new();
    for row in 0..100_000 {
        text += &format!("{{\"source\": {row}, \"target\": {}}}\n", row / 2);
    }
    let (graph, _) = graph_of(&text);
    assert_eq!(graph.num_nodes(), 100_000);
}

#[test]
fn damage_is_refused_with_its_line() {
    for (text, words) in [
        (
            "{\"nodes\": [\n{\"id\": 1}",
            "line 2: not JSON: the file ends",
        ),
        (
            "{\"nodes\": [],\n\"vertices\": []}",
            "line 2: a second list of nodes",
        ),
        (
            "{\"links\": [],\n\"edges\": []}",
            "line 2: both 'links' and 'edges'",
        ),
        ("{\"nodes\": [\n[1]]}", "line 2: a node that is neither"),
        (
            "{\"nodes\": [\n{\"id\": [1]}]}",
            "line 2: the id of a node is no text",
        ),
        (
            "{\"edges\": [\n{\"source\": 1}]}",
            "line 2: an edge without 'target'",
        ),
        ("{\"edges\": [\n7]}", "line 2: an edge that is neither"),
        (
            "{\"edges\": [\n[1,2,3,4]]}",
            "line 2: an edge of more than three",
        ),
        (
            "{\"edges\": [\n{\"source\":1,\"target\":2,\"weight\":\"x\"}]}",
            "line 2: the weight 'x' is not",
        ),
        (
            "{\"nodes\": [{\"id\": 1}]}\n{}",
            "line 2: something after the end",
        ),
        ("{\"graphs\": [{},\n{}]}", "line 2: a second graph"),
        (
            "{\"graph\": {\"nodes\": {},\n\"hyperedges\": [1]}}",
            "line 2: edges of more than two nodes",
        ),
        ("{\"adjacency\": []}", "without the 'nodes'"),
        (
            "{\"name\": \"x\", \"version\": 1, \"private\": true}",
            "line 1: which values are an arc? there is an object with the fields 'name', 'version', 'private'",
        ),
        (
            "{\"name\": \"x\", \"version\": \"1\"}",
            "the fields 'name', 'version'",
        ),
        (
            "[{\"name\": \"x\", \"age\": 3}]",
            "the fields 'name', 'age'",
        ),
        ("{\"a\": [\"b\"]}", "an object that holds only lists"),
        ("[1,2,3]", "line 1: a single list of values"),
        (
            "{\"links\": [\n{\"source\":1,\"target\":2,\"weight\":NaN}]}",
            "line 2: the weight is NaN",
        ),
        ("{}", "line 1: which values are an arc?"),
        ("[]", "line 1: an empty array"),
        (
            "[[1,2,3,4]]",
            "line 1: which values are an arc? there is an array of 4",
        ),
        ("[[1,2]\n,7]", "line 2: a row that is neither"),
        ("[[1,2]]\n[", "line 2: something after the end"),
        ("[[1,2]\n,[1]]", "line 2: no value '2'"),
        (
            "{\"source\":1,\"target\":2}\n{\"source\":1}",
            "line 2: no value 'target'",
        ),
        (
            "{\"source\":1,\"target\":2}\n{\"source\":1,\"target\":[2]}",
            "line 2: the value 'target' is neither",
        ),
        (
            "{\"source\":1,\"target\":2,\"weight\":1}\n{\"source\":1,\"target\":2}",
            "line 2: the value 'weight' is not a number",
        ),
        (
            "{\"source\":1,\"target\":2}\n,",
            "line 2: not JSON: ',' stands",
        ),
        (
            "{\"a\":1,\"b\":2,\"c\":3}",
            "say so, as in --columns source,target",
        ),
    ] {
        let options = ImportOptions {
            from: Some(Format::Json),
            ..Default::default()
        };
        let problem = problem("g.json", text, &options);
        assert!(
            problem.contains("g.json") && problem.contains(words),
            "{text}: {problem}"
        );
    }
    let options = ImportOptions {
        skip_bad: 1,
        ..Default::default()
    };
    let text = "{\"source\":1,\"target\":2}\n{\"source\":1}\n{\"source\":2,\"target\":1}\n";
    let graph = import_with("g.jsonl", text.as_bytes(), &options).unwrap();
    assert_eq!(named_arcs(&graph).len(), 2);
}

#[test]
fn other_texts_are_not_json() {
    for text in [
        "{a b}\n",
        "[x] [y]\n",
        "[1]\t[2]\n",
        "[1] [2]\n",
        "{{template}}\n",
        "[section]\nkey = 1\n",
        "a b\n",
        "",
    ] {
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert_eq!(recognise(&first), Verdict::No, "{text}");
    }
    assert!(import("g.json", "{\"nodes\": [").is_err());
}
