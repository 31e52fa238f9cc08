//! SALSA with weights has the ranks and ties of exact fractions.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_graph::{Csr, Predecessors};
use webrank_linear::Matrix;
use webrank_scores::Outcome;
use webrank_scores::ranking::Ranking;
use webrank_testing::oracle::exact::exact;
use webrank_walks::hits::HubsAndAuthorities;
use webrank_walks::salsa::salsa;

type Fraction = Ratio<BigInt>;

/// Arcs from hubs to authorities, with weights.
type WeightedArcs = [(Node, Node, f64)];

fn run(n: usize, arcs: &WeightedArcs) -> HubsAndAuthorities {
    let reversed = arcs.iter().map(|&(from, to, _)| (to, from));
    let rows = Csr::from_arcs(n, reversed).unwrap();
    let weight = |to: Node, from: Node, _: f64| {
        let found = arcs.iter().find(|arc| (arc.0, arc.1) == (from, to));
        found.unwrap().2
    };
    salsa(Predecessors(&Matrix::new(rows).mapped(weight))).unwrap()
}

/// `|C| d / (|A| w(C))` for all nodes, by joining groups until nothing changes.
fn truth(n: usize, arcs: &WeightedArcs) -> Vec<Fraction> {
    let mut group: Vec<usize> = (0..n).collect();
    loop {
        let before = group.clone();
        for a in arcs {
            for b in arcs.iter().filter(|b| b.0 == a.0) {
                let (one, two) = (group[a.1 as usize], group[b.1 as usize]);
                group
                    .iter_mut()
                    .filter(|g| **g == one.max(two))
                    .for_each(|g| *g = one.min(two));
            }
        }
        if group == before {
            break;
        }
    }
    let degree = |node: usize| {
        let entering = arcs.iter().filter(|arc| arc.1 as usize == node);
        entering.map(|arc| exact(arc.2)).sum::<Fraction>()
    };
    let degrees: Vec<Fraction> = (0..n).map(degree).collect();
    let authorities: Vec<usize> = (0..n).filter(|&node| !degrees[node].is_zero()).collect();
    let score = |node: usize| {
        let members = authorities
            .iter()
            .filter(|&&other| group[other] == group[node]);
        let weight: Fraction = members.clone().map(|&other| degrees[other].clone()).sum();
        let share = Fraction::new(members.count().into(), authorities.len().into());
        share * &degrees[node] / weight
    };
    (0..n)
        .map(|node| {
            if degrees[node].is_zero() {
                Fraction::zero()
            } else {
                score(node)
            }
        })
        .collect()
}

proptest! {
    #[test]
    fn authorities_have_the_ranks_of_fractions(
        (n, arcs) in (2..=9u32).prop_flat_map(|n| {
            let weight = prop::sample::select(vec![0.1, 0.2, 0.3, 0.6, 0.7, 1.0 / 3.0, 1e-17, 3.0]);
            (Just(n as usize), prop::collection::vec((0..n, 0..n, weight), 1..=2 * n as usize))
        }),
    ) {
        let mut arcs = arcs;
        arcs.sort_by_key(|arc| (arc.0, arc.1));
        arcs.dedup_by_key(|arc| (arc.0, arc.1));
        let found = run(n, &arcs);
        prop_assert_eq!(&found.authorities.run.outcome, &Outcome::Exact);
        let truth = truth(n, &arcs);
        let scores = found.authorities.as_slice();
        let rests = found.rests.as_deref().unwrap();
        let ranking = Ranking::refined(scores, |node| rests[node as usize]).unwrap();
        for (node, score) in truth.iter().enumerate() {
            let larger = truth.iter().filter(|other| *other > score).count();
            prop_assert_eq!(ranking.ranks()[node] as usize, larger + 1);
            for (other, _) in truth.iter().enumerate().filter(|(_, other)| *other == score) {
                prop_assert_eq!(scores[node].to_bits(), scores[other].to_bits());
            }
        }
    }
}

#[test]
fn nodes_alone_in_their_groups_have_scores_without_weights() {
    let found = run(3, &[(0, 1, 0.1), (1, 2, 0.2), (2, 0, 0.3)]);
    assert_eq!(found.authorities.as_slice(), [1.0 / 3.0; 3]);
    assert_eq!(found.hubs.as_slice(), [1.0 / 3.0; 3]);
}
