//! Nodes with the same predecessors get the same bits, whatever the measure; for hubs, nodes with the
//! same successors.

use proptest::prelude::*;
use std::collections::HashMap;
use webrank::{
    Direction, Eigenvector, Error, Graph, Hits, LeaderRank, Limits, Measure, Method, Node,
    PageRank, Salsa, Seeley,
};
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::{Arcs, graphs, large_graph};
use webrank_walks::katz::{Katz, KatzMethod};

/// The graph with a twin of each node, which has the same predecessors.
fn with_twins(graph: &Arcs) -> Arcs {
    let n = graph.0 as Node;
    let arcs = graph.1.iter().flat_map(|&(i, j)| [(i, j), (i, j + n)]);
    Arcs(2 * graph.0, arcs.collect())
}

/// The graph with a cycle through all its nodes and twins of all, which have the same predecessors
/// and successors.
fn with_arcs_of_twins(graph: &Arcs) -> Arcs {
    let n = graph.0 as Node;
    let cycle = (0..n).map(|i| (i, (i + 1) % n));
    let arcs = graph.1.iter().copied().chain(cycle).collect();
    let above = |&(i, j): &(Node, Node)| [(i, j), (i + n, j)];
    let twins = with_twins(&Arcs(graph.0, arcs));
    Arcs(2 * graph.0, twins.1.iter().flat_map(above).collect())
}

fn reversed(graph: &Arcs) -> Arcs {
    Arcs(graph.0, graph.1.iter().map(|&(i, j)| (j, i)).collect())
}

/// The scores in a column, unless the measure is not defined on the graph.
fn column<M: Measure>(graph: &Arcs, measure: &M, column: usize) -> Option<Vec<f64>> {
    let graph = Graph::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let limits = Limits::default();
    match measure.compute(&graph, &limits, &webrank::Silent) {
        Ok(ranked) => Some(Ranked::columns(&ranked)[column].1.values.to_vec()),
        Err(Error::Undefined { .. }) => None,
        Err(problem) => panic!("{problem}"),
    }
}

/// Whether nodes with equal rows have equal bits.
fn tie(graph: &Arcs, scores: &[f64]) -> Result<(), String> {
    let mut rows = vec![Vec::new(); graph.0];
    for &(i, j) in &graph.1 {
        rows[j as usize].push(i);
    }
    let mut seen: HashMap<Vec<Node>, usize> = HashMap::new();
    for (node, mut row) in rows.into_iter().enumerate() {
        row.sort_unstable();
        row.dedup();
        let first = *seen.entry(row).or_insert(node);
        if scores[first].to_bits() != scores[node].to_bits() {
            return Err(format!(
                "{first}: {:e}, {node}: {:e}",
                scores[first], scores[node]
            ));
        }
    }
    Ok(())
}

fn all_tie(graph: &Arcs) -> Result<(), String> {
    fn check<M: Measure>(graph: &Arcs, place: usize, measure: M) -> Result<(), String> {
        match column(graph, &measure, place) {
            Some(scores) => {
                tie(graph, &scores).map_err(|found| format!("{} {place}: {found}", measure.name()))
            }
            None => Ok(()),
        }
    }
    for method in [Method::Power, Method::GaussSeidel, Method::Components] {
        check(
            graph,
            0,
            PageRank {
                method,
                ..PageRank::default()
            },
        )?;
    }
    for method in [
        KatzMethod::Bicgstab,
        KatzMethod::Power,
        KatzMethod::GaussSeidel,
    ] {
        check(
            graph,
            0,
            Katz {
                method,
                ..Katz::default()
            },
        )?;
    }
    check(graph, 0, Eigenvector::default())?;
    check(graph, 0, LeaderRank::default())?;
    // Walks stay at dangling nodes: their rows have more than predecessors.
    let going_on = with_arcs_of_twins(graph);
    check(&going_on, 0, Seeley::default())?;
    check(graph, 0, Hits::default())?;
    check(graph, 0, Salsa::default())?;
    // Rows of successors.
    let back = reversed(graph);
    let direction = Direction::Out;
    let out: [(Option<Vec<f64>>, &str); 4] = [
        (column(&back, &Hits::default(), 1), "hubs"),
        (column(&back, &Salsa::default(), 1), "hubs of SALSA"),
        (
            column(
                &back,
                &Katz {
                    direction,
                    ..Katz::default()
                },
                0,
            ),
            "katz",
        ),
        (
            column(
                &back,
                &Eigenvector {
                    direction,
                    ..Eigenvector::default()
                },
                0,
            ),
            "eigenvector",
        ),
    ];
    for (scores, name) in out {
        if let Some(scores) = scores {
            tie(graph, &scores).map_err(|found| format!("{name}, out: {found}"))?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn nodes_with_equal_rows_get_equal_bits(graph in graphs()) {
        for graph in [with_twins(&graph), graph] {
            let found = all_tie(&graph);
            prop_assert!(found.is_ok(), "{:?}", found);
        }
    }
}

#[test]
fn large_graphs_tie_too() {
    let found = all_tie(&with_twins(&Arcs(1_000, {
        let arcs = large_graph().1.into_iter();
        arcs.filter(|&(i, j)| i < 1_000 && j < 1_000).collect()
    })));
    assert_eq!(found, Ok(()));
}
