//! PageRank of weighted walks against dense solves.

use crate::pagerank::runs::*;
use ndarray::Array2;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Successors};
use webrank_scores::ranking::Ranking;
use webrank_testing::graphs::*;
use webrank_testing::oracle::pagerank_variants;
use webrank_walks::pagerank::methods::weighted_power::WeightedWalk;
use webrank_walks::pagerank::weighted::{weighted_certainty, weighted_pagerank};
use webrank_walks::pagerank::{Method, PageRank};

/// The walk in which `weight` gives the weight of each arc.
fn weighted(graph: &Arcs, weight: impl Fn(Node, Node) -> f64) -> WeightedWalk {
    let rows = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let nodes = 0..graph.0 as Node;
    let of_row = |i: Node| rows.row(i).iter().map(move |&j| (i, j));
    let weights = nodes.flat_map(of_row).map(|(i, j)| weight(i, j)).collect();
    WeightedWalk::new(Successors(&rows), weights).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn weighted_walks_are_certified(
        (graph, v, u) in problems(),
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99), 0.0..0.99f64],
        sizes in prop::collection::vec(prop_oneof![1.0..10.0f64, Just(1e-9), Just(1e300)], 12),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9)],
    ) {
        let n = graph.0;
        let (v, u) = (entries(&v), entries(&u));
        let weight = |i: Node, j: Node| sizes[(i + 5 * j) as usize % 12];
        let walk = weighted(&graph, weight);
        let mut dense = Array2::zeros((n, n));
        for &(i, j) in &graph.1 {
            // Divide by the largest weight of the row, so that the oracle's sums do not overflow.
            let row = graph.1.iter().filter(|arc| arc.0 == i);
            let largest = row.map(|&(i, j)| weight(i, j)).fold(0.0, f64::max);
            dense[[i as usize, j as usize]] = weight(i, j) / largest;
        }
        for (dangling, u) in danglings(&v, &u) {
            let params = PageRank {
                preference: weights(&v),
                dangling,
                ..params(alpha, Method::Power)
            };
            let found = weighted_pagerank(&walk, &params, &within(tolerance), &Silent).unwrap();
            let truth = pagerank_variants::weighted_pagerank(&dense, alpha, &v, &u);
            check(&found, &truth, tolerance)?;
            let ranking = Ranking::new(found.values.as_slice().unwrap()).unwrap();
            let certainty = weighted_certainty(&walk, &params, &found, &ranking).unwrap();
            for node in (0..n).filter(|&node| certainty.certain()[node]) {
                let above = truth.iter().filter(|&&score| score > truth[node] + 1e-14).count();
                prop_assert_eq!(ranking.ranks()[node] as usize, above + 1);
            }
        }
    }

    #[test]
    fn equal_weights_are_no_weights((graph, v, _) in problems(), alpha in 0.0..0.99f64) {
        let params = PageRank { preference: weights(&entries(&v)), ..params(alpha, Method::Power) };
        let plain = run(&graph, &params, &within(1e-10));
        // Only shares count: all arcs of a node have the same weight.
        let walk = weighted(&graph, |i, _| 0.1 + i as f64);
        let found = weighted_pagerank(&walk, &params, &within(1e-10), &Silent).unwrap();
        prop_assert!(l1(&found.values, &plain.values) <= outcome(&found).2 + outcome(&plain).2);
    }
}

proptest! {
    /// Two copies of a graph whose arcs have the weights of the first.
    #[test]
    fn mirrored_nodes_tie_exactly(
        graph in graphs(),
        sizes in prop::collection::vec(prop_oneof![Just(1.0), Just(3.0), 0.1..9.0f64], 12),
    ) {
        let n = graph.0;
        let copies = |&(i, j): &(Node, Node)| [(i, j), (i + n as Node, j + n as Node)];
        let both = Arcs(2 * n, graph.1.iter().flat_map(copies).collect());
        let weight = |i: Node, j: Node| sizes[((i as usize % n) + 5 * (j as usize % n)) % 12];
        let walk = weighted(&both, weight);
        let params = params(0.85, Method::Power);
        let found = weighted_pagerank(&walk, &params, &within(1e-9), &Silent).unwrap();
        let ranking = Ranking::new(found.values.as_slice().unwrap()).unwrap();
        for node in 0..n {
            prop_assert_eq!(found.values[node].to_bits(), found.values[node + n].to_bits());
            prop_assert_eq!(ranking.ranks()[node], ranking.ranks()[node + n]);
        }
    }
}

/// A cycle has one score, and a weight more breaks it: 0 -> 1 -> 2 -> 0, and 0 -> 2 with another weight.
#[test]
fn a_weighted_cycle_is_one_tie() {
    let params = params(0.85, Method::Power);
    let ranked = |arcs: &[(Node, Node)], weight: fn(Node, Node) -> f64| {
        let walk = weighted(&Arcs(3, arcs.to_vec()), weight);
        let found = weighted_pagerank(&walk, &params, &within(1e-9), &Silent).unwrap();
        let ranking = Ranking::new(found.values.as_slice().unwrap()).unwrap();
        let certainty = weighted_certainty(&walk, &params, &found, &ranking).unwrap();
        (ranking.ranks().to_vec(), certainty.proves(3))
    };
    let cycle = [(0, 1), (1, 2), (2, 0)];
    // Each node has one arc: its weight does not matter, but equal ones are seen to tie.
    assert_eq!(ranked(&cycle, |_, _| 2.0), (vec![1, 1, 1], true));
    let more = [(0, 1), (1, 2), (2, 0), (0, 2)];
    let (ranks, is_proved) = ranked(&more, |i, j| if (i, j) == (0, 2) { 3.0 } else { 1.0 });
    assert_eq!((ranks, is_proved), (vec![2, 3, 1], true));
}
