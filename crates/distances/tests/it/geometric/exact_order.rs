//! Exact outcomes have the ranks and ties of exact fractions, also where doubles cannot tell scores apart.

use num_bigint::BigInt;
use num_rational::Ratio;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::weighted_harmonic::{WeightedHarmonic, weighted_harmonic};
use webrank_distances::geometric::{Direction, DistanceMeasure, DistanceScores, geometric};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Outcome;
use webrank_scores::ranking::Ranking;
use webrank_testing::oracle::distances as oracle;
use webrank_testing::oracle::exact::exact;

type Fraction = Ratio<BigInt>;

/// 1 plus the number of larger scores.
fn ranks(scores: &[Fraction]) -> Vec<u32> {
    let larger = |score: &Fraction| scores.iter().filter(|other| *other > score).count();
    scores
        .iter()
        .map(|score| larger(score) as u32 + 1)
        .collect()
}

fn run(num_nodes: usize, arcs: &[(Node, Node)], measure: &dyn DistanceMeasure) -> DistanceScores {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    geometric(p, s, Direction::In, &[measure], &Silent).unwrap()
}

fn path(n: Node) -> Vec<(Node, Node)> {
    (1..n).map(|node| (node - 1, node)).collect()
}

/// The ranks of weighted harmonic centrality, its scores, and the exact scores.
fn weighted(
    n: usize,
    arcs: &[(Node, Node)],
    weights: &[f64],
) -> (Vec<u32>, Vec<f64>, Vec<Fraction>) {
    let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let measure = WeightedHarmonic {
        weights: weights.to_vec(),
        normalize: false,
        direction: Direction::In,
    };
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let found = weighted_harmonic(p, s, &measure, &Silent).unwrap();
    assert_eq!(found.scores.run.outcome, Outcome::Exact);
    let distances = oracle::distances(n, arcs);
    let truth = (0..n).map(|x| {
        let terms = (0..n).filter(|&y| y != x && distances[y][x] != oracle::FAR);
        let term = |y: usize| exact(weights[y]) / BigInt::from(distances[y][x]);
        terms.map(term).sum::<Fraction>()
    });
    let scores = found.scores.values.to_vec();
    let ranking = Ranking::refined(&scores, |node| found.rests[node as usize]).unwrap();
    (ranking.ranks().to_vec(), scores, truth.collect())
}

proptest! {
    #[test]
    fn weighted_harmonic_has_the_ranks_of_fractions(
        (n, arcs, weights) in (2..=10u32).prop_flat_map(|n| {
            let weight = prop::sample::select(vec![0.1, 0.2, 0.3, 0.6, 0.7, 1.0 / 3.0, 1e-17, 3.0, 1e200, 1e-300]);
            let arcs = prop::collection::vec((0..n, 0..n), 0..=3 * n as usize);
            (Just(n as usize), arcs, prop::collection::vec(weight, n as usize))
        }),
    ) {
        let (found, scores, truth) = weighted(n, &arcs, &weights);
        prop_assert_eq!(found, ranks(&truth));
        for (score, truth) in scores.iter().zip(&truth) {
            let off = exact(*score) - truth;
            let allowed = truth * exact(1e-14);
            prop_assert!(off <= allowed && -off <= allowed);
            prop_assert_eq!(*score == 0.0, *truth == exact(0.0));
        }
    }
}

#[test]
fn weights_whose_sums_are_rounded_have_the_order_of_exact_sums() {
    let weights = [0.2, 0.2, 0.2, 0.2, 0.3, 0.2];
    let (found, _, truth) = weighted(6, &[(0, 4), (1, 5), (2, 0), (4, 1)], &weights);
    assert_eq!(found, ranks(&truth));
}

#[test]
fn nodes_with_equal_weights_behind_them_tie_in_bits() {
    // Nodes 6 and 7 meet the same three weights, in different orders.
    let arcs = [(0, 6), (1, 6), (2, 6), (5, 7), (4, 7), (3, 7)];
    let weights = [0.1, 0.2, 0.3, 0.1, 0.3, 0.2, 0.0, 0.0];
    let (ranks, scores, _) = weighted(8, &arcs, &weights);
    assert_eq!(ranks[6..], [1, 1]);
    assert_eq!(scores[6].to_bits(), scores[7].to_bits());
}

#[test]
fn far_nodes_have_the_order_of_exact_sums() {
    let decay = |base| Decay {
        base: Base::new(base).unwrap(),
    };
    let harmonic = Harmonic::default();
    let measures: [(Node, &dyn DistanceMeasure); 4] = [
        (40, &decay(0.001)),
        (300, &decay(0.5)),
        (1000, &decay(0.85)),
        (400, &harmonic),
    ];
    for (n, measure) in measures {
        let found = run(n as usize, &path(n), measure);
        assert_eq!(found.scores[0].run.outcome, Outcome::Exact);
        let ranking = found.ranking(0).unwrap();
        let expected: Vec<u32> = (0..n).map(|node| n - node).collect();
        assert_eq!(ranking.ranks(), expected, "{}", measure.name());
    }
}

#[test]
fn far_nodes_with_equal_sums_tie() {
    // Two paths of equal length, and one that is longer by a node.
    let n = 150;
    let arcs = path(n)
        .into_iter()
        .chain(path(n).into_iter().map(|(a, b)| (a + n, b + n)));
    let arcs: Vec<_> = arcs
        .chain(path(n + 1).into_iter().map(|(a, b)| (a + 2 * n, b + 2 * n)))
        .collect();
    let found = run(3 * n as usize + 1, &arcs, &Decay::default());
    let ranking = found.ranking(0).unwrap();
    assert_eq!(ranking.rank(3 * n), Some(1));
    for node in 0..n {
        assert_eq!(ranking.rank(node), ranking.rank(node + n));
        assert_eq!(ranking.rank(node), Some(2 + 3 * (n - 1 - node)));
    }
}

#[test]
fn what_is_too_long_for_exact_numbers_is_rounded_and_says_so() {
    let base = Base::new(0.001).unwrap();
    let found = run(4000, &path(4000), &Decay { base });
    let outcome = &found.scores[0].run.outcome;
    assert!(
        matches!(outcome, Outcome::Rounded { relative_error_bound, .. } if *relative_error_bound <= 1e-15)
    );
    assert!(outcome.hidden_order().unwrap().contains("may share a rank"));
}
