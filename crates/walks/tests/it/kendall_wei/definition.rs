//! The Kendall-Wei ranking of tournaments.

use ndarray::{Array1, Array2};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::Csr;
use webrank_linear::Matrix;
use webrank_testing::oracle::spectral::{power_limit, radius};
use webrank_walks::kendall_wei::{Group, KendallWei, Pairs, Tournament, kendall_wei};

fn rank(players: usize, wins: &[(Node, Node)]) -> Result<Tournament> {
    let rows = Csr::from_arcs(players, wins.iter().copied()).unwrap();
    kendall_wei(
        &Matrix::new(rows),
        &KendallWei::default(),
        &Limits::default(),
        &Silent,
    )
}

/// Who wins each pair: the first if true.
fn tournaments() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (3usize..=9).prop_flat_map(|n| {
        let wins = prop::collection::vec(prop::bool::weighted(0.6), n * (n - 1) / 2);
        wins.prop_map(move |wins| {
            let pairs = (0..n as Node).flat_map(|i| (0..i).map(move |j| (i, j)));
            let arc = |((i, j), first)| if first { (i, j) } else { (j, i) };
            (n, pairs.zip(wins).map(arc).collect())
        })
    })
}

proptest! {
    #[test]
    fn scores_are_the_limit_of_counting_wins_of_the_beaten((n, wins) in tournaments()) {
        let mut a = Array2::<f64>::zeros((n, n));
        wins.iter().for_each(|&(i, j)| a[[i as usize, j as usize]] = 1.0);
        let rho = radius(&a);
        let Ok(found) = rank(n, &wins) else {
            prop_assert_eq!(rho, 0.0);
            return Ok(());
        };
        let expected = power_limit(&a.t().to_owned(), rho, 24);
        let scores = &found.dominance.scores.values;
        prop_assert!((scores - &expected).mapv(f64::abs).sum() < 1e-5);
        let pairs = (n * (n - 1) / 2) as u64;
        prop_assert_eq!(found.pairs, Pairs { all: pairs, never_met: 0, both_ways: 0 });
        // Whoever is in an earlier group beat everybody in later ones.
        let beaten = |player: Node| a.row(player as usize).sum();
        let later = |place: usize| found.groups[place..].iter().map(|group| group.nodes).sum::<usize>();
        for (place, group) in found.groups.iter().enumerate() {
            prop_assert!(beaten(group.first) >= later(place + 1) as f64);
            prop_assert!(beaten(group.first) < later(place) as f64);
        }
    }
}

#[test]
fn three_who_beat_each_other_in_turn_are_equal() {
    let found = rank(3, &[(0, 1), (1, 2), (2, 0)]).unwrap();
    let third = Array1::from_elem(3, 1.0 / 3.0);
    assert!(
        (&found.dominance.scores.values - &third)
            .mapv(f64::abs)
            .sum()
            < 1e-14
    );
    assert_eq!(found.groups, [Group { first: 0, nodes: 3 }]);
    assert_eq!(found.dominance.scores.run.measure, "kendall-wei");
}

#[test]
fn players_below_the_group_that_dominates_have_no_score() {
    // 4 beats all; 0, 1, 2 beat each other in turn, and 3.
    let wins = [
        (0, 1),
        (1, 2),
        (2, 0),
        (0, 3),
        (1, 3),
        (2, 3),
        (4, 0),
        (4, 1),
        (4, 2),
        (4, 3),
    ];
    let found = rank(5, &wins).unwrap();
    let groups: Vec<(Node, usize)> = found.groups.iter().map(|g| (g.first, g.nodes)).collect();
    assert_eq!(groups, [(4, 1), (0, 3), (3, 1)]);
    // x_4 = 3 x_0.
    let expected = [1.0, 1.0, 1.0, 0.0, 3.0].map(|x| x / 6.0);
    for (score, expected) in found.dominance.scores.values.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-12);
    }
    assert_eq!(found.dominance.positive, 4);
}

#[test]
fn pairs_are_counted_and_players_meet_others() {
    let found = rank(4, &[(0, 1), (1, 0), (1, 2), (2, 0)]).unwrap();
    let expected = Pairs {
        all: 6,
        never_met: 3,
        both_ways: 1,
    };
    assert_eq!(found.pairs, expected);
    let message = rank(2, &[(0, 1), (1, 1)]).unwrap_err().to_string();
    assert!(message.contains("node 1"), "{message}");
    for wins in [&[(0, 1), (0, 2), (1, 2)][..], &[]] {
        let message = rank(3, wins).unwrap_err().to_string();
        assert!(message.contains("outdegree"), "{message}");
    }
    assert!(rank(0, &[]).is_err());
}
