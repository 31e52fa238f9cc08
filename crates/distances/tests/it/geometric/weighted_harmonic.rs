//! Weighted harmonic centrality against its definition.

use super::approximations::graph;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::geometric::Direction;
use webrank_distances::geometric::weighted_harmonic::{WeightedHarmonic, weighted_harmonic};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_testing::oracle::distances as oracle;

proptest! {
    #[test]
    fn weighted_harmonic_equals_its_definition(
        (n, arcs, weights) in (0..=12u32).prop_flat_map(|n| {
            let arc = (0..n.max(1), 0..n.max(1));
            let arcs = prop::collection::vec(arc, 0..=if n == 0 { 0 } else { 3 * n as usize });
            (Just(n as usize), arcs, prop::collection::vec(0.0f64..1e6, n as usize))
        }),
    ) {
        let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        let predecessors = successors.transpose().unwrap();
        let (p, s) = (Predecessors(&predecessors), Successors(&successors));
        let distances = oracle::distances(n, &arcs);
        for (direction, outgoing) in [(Direction::In, false), (Direction::Out, true)] {
            let measure = WeightedHarmonic {
                weights: weights.clone(),
                normalize: false,
                direction,
            };
            let found = weighted_harmonic(p, s, &measure, &Silent).unwrap().scores;
            for (x, &value) in found.values.iter().enumerate() {
                let expected: f64 = (0..n)
                    .filter(|&y| y != x)
                    .map(|y| if outgoing { (y, distances[x][y]) } else { (y, distances[y][x]) })
                    .filter(|&(_, d)| d != oracle::FAR)
                    .map(|(y, d)| weights[y] / d as f64)
                    .sum();
                prop_assert!((value - expected).abs() <= 1e-12 * expected);
            }
        }
    }
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let (predecessors, successors) = graph(3);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let run = |weights: &[Node], bad: f64| {
        let mut weights: Vec<f64> = weights.iter().map(|&w| w as f64).collect();
        weights.push(bad);
        let measure = WeightedHarmonic {
            weights,
            normalize: true,
            direction: Direction::In,
        };
        weighted_harmonic(p, s, &measure, &Silent).is_ok()
    };
    assert!(run(&[1, 0], 2.0));
    assert!(!run(&[1], 2.0));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(!run(&[1, 1], bad));
    }
}
