//! Measures of distance: weights at the limit of doubles, and exact ties.

use super::*;
use webrank::{Betweenness, Decay, Graph, Harmonic, Measure};
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_distances::geometric::weighted_harmonic::{
    WeightedHarmonic, WeightedScores, weighted_harmonic,
};
use webrank_graph::{Direction, Predecessors, Successors};
use webrank_testing::oracle::distances as oracle;
use webrank_testing::oracle::exact::sum;

fn harmonic(arcs: &[(Node, Node)], weights: Vec<f64>) -> Result<WeightedScores> {
    weighted(arcs, weights, false, Direction::In)
}

fn weighted(
    arcs: &[(Node, Node)],
    weights: Vec<f64>,
    normalize: bool,
    direction: Direction,
) -> Result<WeightedScores> {
    let successors = Csr::from_arcs(weights.len(), arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let measure = WeightedHarmonic {
        weights,
        normalize,
        direction,
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
    let scores = found.scores.as_slice();
    assert_eq!(scores, [0.0, 0.0, 1.7e308, 1.7e308, 1.7e308]);
    // Scores below the least double are the least double, as those nodes are reached, and are counted.
    let found = harmonic(&arcs, vec![5e-324, 1e-300, 0.0, 0.0, 0.0]).unwrap();
    let scores = found.scores.as_slice();
    assert_eq!(scores, [0.0, 0.0, 5e-324, 5e-301, 1e-300]);
    assert_eq!(found.num_lost, 1);
    let path: Vec<_> = (0..5).map(|i| (i, i + 1)).collect();
    let weights = vec![5e-324, 0.0, 0.0, 0.0, 0.0, 0.0];
    let found = harmonic(&path, weights).unwrap();
    assert_eq!(found.scores.as_slice()[1..], [5e-324; 5]);
    assert_eq!(found.num_lost, 5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn weighted_harmonic_is_accurate_for_weights_of_any_size(
        graph in graphs(),
        weights in prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => weight()], 5),
        normalize in any::<bool>(),
        outgoing in any::<bool>(),
    ) {
        let (n, arcs) = (graph.0, graph.1.iter().map(|&(i, j, _)| (i, j)).collect::<Vec<_>>());
        let weights = weights[..n].to_vec();
        let direction = if outgoing { Direction::Out } else { Direction::In };
        let distances = oracle::distances(n, &arcs);
        let scale = if normalize && n > 1 { n - 1 } else { 1 };
        let truth = |x: usize| {
            let others = (0..n).filter(|&y| y != x);
            let at = others.map(|y| (y, if outgoing { distances[x][y] } else { distances[y][x] }));
            let terms = at.filter(|&(_, d)| d != oracle::FAR);
            let terms = terms.map(|(y, d)| exact(weights[y]) / exact((d as usize * scale) as f64));
            sum(&terms.collect::<Vec<_>>())
        };
        let truth: Vec<Exact> = (0..n).map(truth).collect();
        match weighted(&arcs, weights.clone(), normalize, direction) {
            Ok(found) => {
                let values = found.scores.as_slice();
                prop_assert!(are_scores(values), "{values:?}");
                let is_small = |t: &&Exact| !t.is_zero() && **t < exact(f64::MIN_POSITIVE * (1.0 - 1e-13));
                prop_assert_eq!(found.num_lost, truth.iter().filter(is_small).count());
                for (&x, truth) in values.iter().zip(&truth) {
                    let error = exact(x) - truth;
                    let allowed = exact(1e-14) * truth + exact(f64::from_bits(1));
                    prop_assert!(error <= allowed && -error <= allowed, "{values:?}");
                }
            }
            Err(problem) => {
                prop_assert!(problem.to_string().contains("more than a double holds"));
                prop_assert!(truth.iter().any(|t| *t > exact(f64::MAX)));
            }
        }
    }
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
