use super::super::tests::{arcs, import, import_with, problem};
use crate::import::ImportOptions;

fn arcs_of(file: &str, text: &str) -> Vec<(u32, u32)> {
    let graph = import(file, text).unwrap_or_else(|problem| panic!("{problem}: {text}"));
    assert!(graph.names().is_none());
    arcs(&graph)
}

fn both(edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut all: Vec<_> = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn the_examples_of_the_definition_are_read() {
    let edges = both(&[(0, 2), (0, 4), (1, 3), (3, 4)]);
    for text in ["DQc\n", ">>graph6<<DQc", "DQc\r\n\r\n"] {
        assert_eq!(arcs_of("g.g6", text), edges, "{text}");
    }
    let edges = both(&[(0, 1), (0, 2), (1, 2), (5, 6)]);
    for text in [":Fa@x^\n", ">>sparse6<<:Fa@x^"] {
        assert_eq!(arcs_of("g.s6", text), edges, "{text}");
        assert_eq!(import("g.s6", text).unwrap().num_nodes(), 7);
    }
    let expected = [(0, 2), (0, 4), (3, 1), (3, 4)];
    for text in ["&DI?AO?\n", ">>digraph6<<&DI?AO?"] {
        assert_eq!(arcs_of("g.d6", text), expected, "{text}");
    }
}

#[test]
fn headers_show_the_format_whatever_the_name() {
    assert_eq!(arcs_of("g.txt", ">>graph6<<A_\n"), [(0, 1), (1, 0)]);
    assert_eq!(arcs_of("g", ">>sparse6<<:An\n"), both(&[(0, 1)]));
}

#[test]
fn small_and_large_numbers_of_nodes_are_read() {
    let options = ImportOptions {
        allow_empty: true,
        ..Default::default()
    };
    let import = |name, text: &str| import_with(name, text.as_bytes(), &options);
    assert_eq!(import("g.g6", "?\n").unwrap().num_nodes(), 0);
    assert_eq!(import("g.g6", "@\n").unwrap().num_nodes(), 1);
    let bits = 63 * 62 / 2;
    let text = format!("~??~{}", "?".repeat(usize::div_ceil(bits, 6)));
    assert_eq!(import("g.g6", &text).unwrap().num_nodes(), 63);
    assert_eq!(import("g.s6", ":~?@c\n").unwrap().num_nodes(), 100);
}

#[test]
fn damage_is_refused_in_a_line() {
    for (file, text, words) in [
        ("g.g6", "DQ\n", "line 1: the line ends before its graph"),
        ("g.g6", "", "line 1: the line ends before its graph"),
        ("g.g6", "DQcc\n", "line 1: the line is longer"),
        ("g.g6", "D c\n", "line 1: a byte that is not one"),
        ("g.g6", "DQc\nDQc\n\nDQc", "3 graphs, one in each line"),
        ("g.s6", ";Fa@x^\n", "line 1: incremental sparse6"),
        (
            "g.s6",
            ">>graph6<<:Fa@x^\n",
            "line 1: the header is not >>sparse6<<",
        ),
        (
            "g.g6",
            ">>graph7<<DQc\n",
            "line 1: the header is not >>graph6<<",
        ),
        ("g.s6", ":F~a@x^\n", "line 1: node 7 of 7"),
        (
            "g.s6",
            ":~~~~~~~~\n",
            "line 1: the graph has 68719476735 nodes",
        ),
    ] {
        let problem = problem(file, text, &ImportOptions::default());
        assert!(
            problem.contains(file) && problem.contains(words),
            "{text}: {problem}"
        );
    }
}
