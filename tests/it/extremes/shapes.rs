//! Degenerate and huge shapes, under every measure that iterates.

use super::*;
use webrank::{
    Eigenvector, Graph, Hits, Katz, LeaderRank, Limits, Measure, PageRank, Ranked, Salsa, Seeley,
};
use webrank::{Error, Result};

type Run = (&'static str, fn(&Graph, &Limits) -> Result<Ranked>);

const MEASURES: [Run; 7] = [
    ("pagerank", |graph, limits| {
        PageRank::default().run_within(graph, limits)
    }),
    ("katz", |graph, limits| {
        Katz::default().run_within(graph, limits)
    }),
    ("seeley", |graph, limits| {
        Seeley::default().run_within(graph, limits)
    }),
    ("salsa", |graph, limits| {
        Salsa::default().run_within(graph, limits)
    }),
    ("hits", |graph, limits| {
        Hits::default().run_within(graph, limits)
    }),
    ("leaderrank", |graph, limits| {
        LeaderRank::default().run_within(graph, limits)
    }),
    ("eigenvector", |graph, limits| {
        Eigenvector::default().run_within(graph, limits)
    }),
];

/// Scores are numbers, or a line says why there are none.
fn check(name: &str, n: usize, arcs: Vec<(Node, Node)>, limits: &Limits) {
    let graph = Graph::from_arcs(n, arcs).unwrap();
    for (measure, run) in MEASURES {
        match run(&graph, limits) {
            Ok(ranked) => {
                for (_, scores) in ranked.columns() {
                    assert!(are_scores(scores.as_slice()), "{measure} of {name}");
                }
            }
            Err(Error::Undefined { .. }) => {}
            Err(problem) => {
                let says = problem.to_string();
                assert!(
                    says.starts_with("not converged"),
                    "{measure} of {name}: {says}"
                );
            }
        }
    }
}

#[test]
fn degenerate_graphs_have_scores_or_a_reason_for_none() {
    for tolerance in [1e-3, 1e-9, 1e-15] {
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let limits = limits.max_iterations(500).unwrap();
        check("no nodes", 0, vec![], &limits);
        check("one node", 1, vec![], &limits);
        check("one loop", 1, vec![(0, 0)], &limits);
        check("two nodes", 2, vec![], &limits);
        check("one arc", 2, vec![(0, 1)], &limits);
        check("two arcs", 2, vec![(0, 1), (1, 0)], &limits);
        check(
            "loops alone",
            50,
            (0..50).map(|i| (i, i)).collect(),
            &limits,
        );
        let bipartite = (0..20).flat_map(|i| (20..40).flat_map(move |j| [(i, j), (j, i)]));
        check("a bipartite graph", 40, bipartite.collect(), &limits);
        check(
            "a cycle",
            60,
            (0..60).map(|i| (i, (i + 1) % 60)).collect(),
            &limits,
        );
    }
}

#[test]
fn huge_shapes_have_scores_or_a_reason_for_none() {
    let n = 100_000;
    let limits = Limits::default().max_iterations(40).unwrap();
    check(
        "a long path",
        n as usize,
        (1..n).map(|i| (i - 1, i)).collect(),
        &limits,
    );
    check(
        "a long cycle",
        n as usize,
        (0..n).map(|i| (i, (i + 1) % n)).collect(),
        &limits,
    );
    check(
        "a star inwards",
        n as usize,
        (1..n).map(|i| (i, 0)).collect(),
        &limits,
    );
    check(
        "a star outwards",
        n as usize,
        (1..n).map(|i| (0, i)).collect(),
        &limits,
    );
    // 2^200 shortest paths.
    let rung = |k: Node| {
        [
            (2 * k, 2 * k + 2),
            (2 * k, 2 * k + 3),
            (2 * k + 1, 2 * k + 2),
            (2 * k + 1, 2 * k + 3),
        ]
    };
    check("a ladder", 402, (0..200).flat_map(rung).collect(), &limits);
    let pairs = (0..n / 50).flat_map(|k| [(2 * k, 2 * k + 1), (2 * k + 1, 2 * k)]);
    check(
        "equal components",
        n as usize / 25,
        pairs.collect(),
        &limits,
    );
}
