use super::super::tests::{import, named_arcs, problem, weights};
use super::*;
use crate::import::{Format, ImportOptions};

fn arcs_of(text: &str) -> Vec<String> {
    let graph = import("g.dot", text).unwrap_or_else(|problem| panic!("{problem}: {text}"));
    let arcs = named_arcs(&graph).into_iter();
    arcs.map(|(source, target)| format!("{source} {target}"))
        .collect()
}

#[test]
fn chains_and_groups_are_edges() {
    for (text, expected) in [
        ("digraph { a -> b -> c; }", &["a b", "b c"][..]),
        ("digraph g{a->b c->d,e->f}", &["a b", "c d", "e f"]),
        (
            "DiGraph \"x\" { {a b} -> {c d} }",
            &["a c", "a d", "b c", "b d"],
        ),
        (
            "digraph { subgraph s { a b -> c } -> d }",
            &["a d", "b c", "b d", "c d"],
        ),
        ("digraph { {a {b}} -> c -> {d;d} }", &["a c", "b c", "c d"]),
        (
            "digraph { subgraph s {a} subgraph s {b} -> c }",
            &["a c", "b c"],
        ),
        ("graph { a -- b }", &["a b", "b a"]),
        ("strict graph { a -- b; b -- a; a -- b }", &["a b", "b a"]),
        (
            "digraph { a:n -> b:port:sw; a:\"p\" -> c }",
            &["a b", "a c"],
        ),
        ("digraph { -1.5 -> .5; 1. -> 007 }", &["-1.5 .5", "1. 007"]),
        ("digraph { été -> _x1 }", &["été _x1"]),
    ] {
        assert_eq!(arcs_of(text), expected, "{text}");
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert!(matches!(recognise(&first), Verdict::Is(_)), "{text}");
    }
}

#[test]
fn ids_may_be_texts_joined_texts_and_html() {
    for (text, expected) in [
        (r#"digraph { "a \"b\" c" -> "x\y" }"#, r#"a "b" c x\y"#),
        (
            "digraph { \"a\" + \"b\" /* x */ + \"c\" -> \"d\\\ne\" }",
            "abc de",
        ),
        (r#"digraph { "\\" -> "node" }"#, r"\\ node"),
        ("digraph { <<b>x</b>> -> y }", "<<b>x</b>> y"),
        ("digraph { \"-> {\" -> \"// x\" }", "-> { // x"),
    ] {
        assert_eq!(arcs_of(text), [expected], "{text}");
    }
}

#[test]
fn texts_of_old_programs_are_latin_1_as_for_graphviz() {
    let text = b"digraph { charset=latin1 a -> \"Z\xfcrich\" }";
    let (graph, report) = super::super::tests::import_reporting("g.gv", text);
    assert_eq!(named_arcs(&graph), [("a".into(), "Z\u{fc}rich".into())]);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    let expected = "1 name is not UTF-8, and read as ISO-8859-1";
    assert!(notes.contains(&expected.to_owned()), "{notes:?}");
}

#[test]
fn comments_settings_and_labels_are_left_out() {
    let text = "# by a preprocessor\n/* a -> x\n */ digraph { // a -> y\n  rankdir=LR; node [shape=box]\n\
                # 3 \"file\"\n graph [label=\"a -> z\"]; a [label=\"A\", pos=\"1,2\"][color=red;];\n\
                a -> b [label=<<b>a</b> q>] edge [color=blue]\n subgraph cluster_0 { label = x; c }\n}\n";
    assert_eq!(arcs_of(text), ["a b"]);
    let graph = import("g.dot", text).unwrap();
    assert_eq!((graph.num_nodes(), weights(&graph)), (3, None));
}

#[test]
fn weights_are_those_of_edges_or_the_usual_ones() {
    for (text, expected) in [
        ("digraph { a -> b [weight=2] b -> c }", &[2.0, 1.0][..]),
        (
            "digraph { edge [weight=3]; a -> b; b -> c [weight=\"0.5\"] }",
            &[3.0, 0.5],
        ),
        ("digraph { {edge [weight=3] a -> b} b -> c }", &[3.0, 1.0]),
        (
            "digraph { edge [weight=3] {a -> b} b -> c [x=1][weight=4,y] }",
            &[3.0, 4.0],
        ),
        (
            "strict digraph { a -> b [weight=2] a -> b [weight=5] a -> b }",
            &[5.0],
        ),
        ("digraph { a -> b [weight=2] a -> b [weight=5] }", &[7.0]),
    ] {
        let graph = import("g.gv", text).unwrap();
        assert_eq!(weights(&graph).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn damage_is_refused_with_its_line() {
    for (text, words) in [
        (
            "digraph {\n a -> b\n",
            "line 3: the file ends before a closing '}'",
        ),
        ("digraph {\n a -- b }", "line 2: '--' in a directed graph"),
        (
            "graph {\n a -> b }",
            "line 2: '->' in a graph without directions",
        ),
        (
            "digraph {\n a -> ; }",
            "line 2: ';' where a node or a group",
        ),
        ("digraph { a }\ngraph { b }", "line 2: a second graph"),
        ("digraph { a } x", "line 1: 'x' where the end"),
        (
            "digraph {\n\n \"a\n }",
            "line 3: a quotation mark is never closed",
        ),
        ("digraph {\n <a\n }", "line 2: a text in angle brackets"),
        ("digraph {\n /* a\n }", "line 2: a comment '/*'"),
        (
            "digraph {\n a -> 1a }",
            "line 2: neither a number nor a word",
        ),
        (
            "digraph {\n a -> b [weight=x] }",
            "line 2: the weight 'x' is not",
        ),
        (
            "digraph {\n a -> b [weight=] }",
            "line 2: ']' where a value",
        ),
        ("digraph {\n a@b -> c }", "line 2: '@' is not part of an id"),
        ("digraph {\n strict -> c }", "line 2: the keyword 'strict'"),
        ("digraph {\n a -> b ]", "line 2: ']' where a statement"),
        ("a -> b", "line 1: the file does not start with"),
    ] {
        let options = ImportOptions {
            from: Some(Format::Dot),
            ..Default::default()
        };
        let problem = problem("g.dot", text, &options);
        assert!(
            problem.contains("g.dot, ") && problem.contains(words),
            "{problem}"
        );
    }
    let deep = format!("graph {{ {}", "{".repeat(100_000));
    let problem = problem("g.dot", deep, &ImportOptions::default());
    assert!(problem.contains("nested too deeply"), "{problem}");
}

#[test]
fn large_groups_are_refused_before_their_edges_are_made() {
    let many: Vec<String> = (0..2000).map(|node| format!("n{node}")).collect();
    let many = many.join(" ");
    let text = format!("digraph {{ {{{many}}} -> {{{many}}} }}");
    let problem = problem("g.dot", text, &ImportOptions::default());
    assert!(
        problem.contains("line 1: groups of nodes make more than"),
        "{problem}"
    );
}

#[test]
fn edges_of_a_group_that_goes_on_are_bounded_by_the_file() {
    let line = |node: u32| format!("subgraph s {{ n{node} }} -> x\n");
    let lines: String = (0..12_000).map(line).collect();
    let text = format!("digraph {{\n{lines}}}");
    let problem = problem("g.dot", text, &ImportOptions::default());
    assert!(
        problem.contains("groups of nodes make more than"),
        "{problem}"
    );
}

#[test]
fn a_group_that_goes_on_has_the_nodes_that_it_had_so_far() {
    let text = "digraph { subgraph s {a} -> subgraph s {b a} -> c; { subgraph s {d} } -> e }";
    let expected = ["a a", "a b", "a c", "a e", "b c", "b e", "d e"];
    assert_eq!(arcs_of(text), expected);
    let lines: String = (0..50_000)
        .map(|node| format!("subgraph s {{ n{node} }}\n"))
        .collect();
    let text = format!("digraph {{\n{lines} a -> b }}");
    assert_eq!(import("g.dot", text).unwrap().num_nodes(), 50_002);
}

#[test]
fn other_texts_are_not_dot() {
    for text in [
        "graph\tnode\n",
        "graph [ node [ id 1 ] ]",
        "digraph\n",
        "strict x {",
        "a -> b\n",
        "",
    ] {
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert_eq!(recognise(&first), Verdict::No, "{text}");
    }
}
