//! Betweenness against networkx and igraph: see `fixtures/make_betweenness_fixtures.py`.

use super::engines::*;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_distances::betweenness::Betweenness;

/// The rows of a table of numbers.
fn fixture(name: &str) -> Vec<Vec<f64>> {
    let text =
        std::fs::read_to_string(PathBuf::from(webrank_testing::at!("tests/fixtures")).join(name))
            .unwrap();
    let rows = text.lines().skip(2);
    rows.map(|row| row.split(',').map(|value| value.parse().unwrap()).collect())
        .collect()
}

#[test]
fn scores_equal_networkx_and_igraph() {
    for name in ["debian", "rust-doc"] {
        let nodes = fixture(&format!("{name}.betweenness.csv"));
        let arcs = fixture(&format!("{name}.arc_betweenness.csv"));
        let ends: Vec<_> = arcs
            .iter()
            .map(|row| (row[0] as Node, row[1] as Node))
            .collect();
        let graph = graph(nodes.len(), &ends);
        let column =
            |rows: &[Vec<f64>], i: usize| rows.iter().map(|row| row[i]).collect::<Vec<_>>();
        let with_ends = Betweenness {
            endpoints: true,
            ..plain()
        };
        assert_close(&scores(&graph, &plain()), &column(&nodes, 1));
        assert_close(&scores(&graph, &with_ends), &column(&nodes, 2));
        assert_close(&scores(&graph, &normalized()), &column(&nodes, 3));
        assert_close(&scores(&graph, &plain()), &column(&nodes, 4));
        assert_close(&arc_scores(&graph), &column(&arcs, 2));
        assert_close(&arc_scores(&graph), &column(&arcs, 3));
    }
}
