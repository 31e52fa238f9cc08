//! Measures of distance: weights at the limit of doubles, and exact ties.

use super::*;
use webrank::internals::centrality::geometric::weighted_harmonic::{
    WeightedHarmonic, weighted_harmonic,
};
use webrank::internals::error::Result;
use webrank::internals::graph::{Direction, Predecessors, Successors};
use webrank::internals::progress::Silent;
use webrank::internals::scores::Scores;
use webrank::{Betweenness, Decay, Graph, Harmonic, Measure};

fn harmonic(arcs: &[(Node, Node)], weights: Vec<f64>) -> Result<Scores> {
    let successors = Csr::from_arcs(weights.len(), arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let measure = WeightedHarmonic {
        weights,
        normalize: false,
        direction: Direction::In,
    };
    let (backward, forward) = (Predecessors(&predecessors), Successors(&successors));
    weighted_harmonic(backward, forward, &measure, &Silent)
}

#[test]
fn weighted_scores_that_doubles_hold_are_right_and_others_are_an_error() {
    // Two nodes of weight 1.7e308 at distance 2: 1.7e308.
    let arcs = [(0, 2), (1, 2), (2, 3)];
    let problem = harmonic(&arcs, vec![1.7e308, 1.7e308, 0.0, 0.0]).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "weights is up to 1.7e308: the score of node 2 is about 3.400e308, more than a double \
         holds: divide all weights by one number"
    );
    let arcs = [(0, 2), (1, 4), (2, 3), (4, 3)];
    let found = harmonic(&arcs, vec![1.7e308, 1.7e308, 0.0, 0.0, 0.0]).unwrap();
    assert_eq!(found.as_slice(), [0.0, 0.0, 1.7e308, 1.7e308, 1.7e308]);
    let found = harmonic(&arcs, vec![1e-320, 1e-300, 0.0, 0.0, 0.0]).unwrap();
    assert!(are_scores(found.as_slice()));
}

/// Rows of nodes that are images of each other under a symmetry.
fn symmetric() -> Vec<(Graph, Vec<Vec<Node>>)> {
    let both = |arcs: Vec<(Node, Node)>| {
        let back: Vec<(Node, Node)> = arcs.iter().map(|&(i, j)| (j, i)).collect();
        [arcs, back].concat()
    };
    let n = 37;
    let path = both((0..n - 1).map(|i| (i, i + 1)).collect());
    let mirror = (0..n / 2).map(|i| vec![i, n - 1 - i]).collect();
    let cycle = (0..n).map(|i| (i, (i + 1) % n)).collect::<Vec<_>>();
    let everywhere = vec![(0..n).collect()];
    // Triangles in a chain, from the ends of which hang leaves.
    let triangle = |i: Node| [(i, i + 1), (i + 1, i + 2), (i, i + 2), (i + 2, i + 3)];
    let mut chain: Vec<(Node, Node)> = (0..30).step_by(3).flat_map(triangle).collect();
    chain.pop();
    let tops = (0..5).map(|k| vec![3 * k + 1, 28 - 3 * k]).collect();
    // Equal components.
    let copies = (0..20u32).flat_map(|k| [(3 * k, 3 * k + 1), (3 * k + 1, 3 * k + 2)]);
    let roles = (0..3)
        .map(|role| (0..20).map(|k| 3 * k + role).collect())
        .collect();
    vec![
        (Graph::from_arcs(n as usize, path).unwrap(), mirror),
        (Graph::from_arcs(n as usize, cycle).unwrap(), everywhere),
        (Graph::from_arcs(30, both(chain)).unwrap(), tops),
        (
            Graph::from_arcs(60, copies.collect::<Vec<_>>()).unwrap(),
            roles,
        ),
    ]
}

#[test]
fn mirror_images_share_their_ranks() {
    for (graph, images) in symmetric() {
        let ranked = [
            Harmonic::default().run(&graph).unwrap(),
            Decay::default().run(&graph).unwrap(),
            Betweenness::default().run(&graph).unwrap(),
        ];
        for found in ranked {
            let ranks = found.ranking().ranks();
            for class in &images {
                let first = ranks[class[0] as usize];
                let name = found.run().measure;
                assert!(
                    class.iter().all(|&x| ranks[x as usize] == first),
                    "{name} {class:?}"
                );
            }
        }
    }
}
