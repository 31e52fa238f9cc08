//! Seeley's index, SALSA and weighted PageRank, which walk along arcs.

use super::*;
use num_traits::One;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Predecessors, Successors};
use webrank_linear::StopRule;
use webrank_scores::Outcome;
use webrank_scores::parameters::{Damping, Distribution};
use webrank_testing::oracle::exact::{distance, long_run, solve, sum};
use webrank_walks::pagerank::PageRank;
use webrank_walks::pagerank::methods::weighted_power::WeightedWalk;
use webrank_walks::pagerank::weighted::weighted_pagerank;
use webrank_walks::salsa::salsa;
use webrank_walks::seeley::{LongRun, Seeley, seeley};

fn run(graph: &Weighted) -> LongRun {
    let rows = graph.predecessors();
    seeley(&rows, &Seeley::default(), &Limits::default(), &Silent).unwrap()
}

fn bound(found: &LongRun) -> f64 {
    match found.scores.run.outcome {
        Outcome::Stationary { error_bound, .. } => error_bound.unwrap(),
        ref other => panic!("{other:?}"),
    }
}

/// Authorities, from the definition: degrees, and the sets of nodes that share predecessors.
fn authorities(a: &[Vec<Exact>]) -> Vec<Exact> {
    let n = a.len();
    let indegree = |j: usize| sum(&(0..n).map(|i| a[i][j].clone()).collect::<Vec<_>>());
    let degrees: Vec<Exact> = (0..n).map(indegree).collect();
    let mut linked = vec![vec![Exact::zero(); n]; n];
    for row in a {
        for i in 0..n {
            for j in 0..n {
                if !row[i].is_zero() && !row[j].is_zero() {
                    linked[i][j] = Exact::one();
                }
            }
        }
    }
    let connected = webrank_testing::oracle::exact::reaches(&linked);
    let all = degrees.iter().filter(|degree| !degree.is_zero()).count();
    let score = |x: usize| {
        let members: Vec<usize> = (0..n).filter(|&y| connected[x][y]).collect();
        let total: Vec<Exact> = members.iter().map(|&y| degrees[y].clone()).collect();
        let share = Exact::new(members.len().into(), all.into());
        share * &degrees[x] / sum(&total)
    };
    (0..n)
        .map(|x| match degrees[x].is_zero() {
            true => Exact::zero(),
            false => score(x),
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn seeley_is_within_its_bound_for_weights_of_any_size(graph in graphs()) {
        let found = run(&graph);
        let values = found.scores.as_slice();
        let truth = long_run(&graph.exact());
        prop_assert!(are_scores(values), "{values:?}");
        prop_assert!(distance(values, &truth) <= exact(bound(&found)), "{values:?}");
        prop_assert!(bound(&found) < 1e-9);
        let zeros = values.iter().filter(|&&x| x == 0.0).count();
        let true_zeros = truth.iter().filter(|x| x.is_zero()).count();
        prop_assert_eq!(zeros, true_zeros + found.num_lost);
        prop_assert_eq!(true_zeros, found.num_transient);
        for (&x, truth) in values.iter().zip(&truth) {
            // Scores below all doubles are lost; everything else is accurate to many digits.
            if x > f64::MIN_POSITIVE {
                let error = (exact(x) - truth) / truth;
                prop_assert!(error < exact(1e-11) && error > exact(-1e-11), "{values:?}");
            }
        }
    }

    #[test]
    fn salsa_is_exact_for_weights_of_any_size(graph in graphs()) {
        let found = salsa(Predecessors(&graph.predecessors())).unwrap();
        let a = graph.exact();
        let transposed: Vec<Vec<Exact>> = (0..graph.0)
            .map(|i| a.iter().map(|row| row[i].clone()).collect())
            .collect();
        for (scores, truth) in [(&found.authorities, authorities(&a)), (&found.hubs, authorities(&transposed))] {
            let values = scores.as_slice();
            prop_assert!(are_scores(values), "{values:?}");
            for (&x, truth) in values.iter().zip(&truth) {
                let error = exact(x) - truth;
                let allowed = exact(1e-14) * truth + exact(f64::MIN_POSITIVE);
                prop_assert!(error <= allowed && -error <= allowed, "{values:?}");
                prop_assert!(x > 0.0 || truth.is_zero() || found.beyond_doubles.is_some());
            }
        }
    }

    #[test]
    fn weighted_pagerank_is_within_its_bound_and_zero_means_not_reached(
        graph in graphs(),
        alpha in prop_oneof![Just(0.85), Just(0.5), 0.01..0.99f64],
        seed in 0usize..5,
    ) {
        let n = graph.0;
        let seed = seed % n;
        let mut v = vec![0.0; n];
        v[seed] = 1.0;
        let successors = graph.successors();
        let weights = successors.weights().unwrap().to_vec();
        let walk = WeightedWalk::new(Successors(successors.rows()), weights);
        let params = PageRank {
            damping: Damping::new(alpha).unwrap(),
            preference: Distribution::from_weights(v).unwrap(),
            ..PageRank::default()
        };
        let found = weighted_pagerank(&walk.unwrap(), &params, &StopRule::default(), &Silent);
        let found = found.unwrap();
        let values = found.as_slice();
        prop_assert!(are_scores(values), "{values:?}");
        let Outcome::Iterated { error_bound, .. } = found.run.outcome else { unreachable!() };
        // x (I - alpha P) = (1 - alpha) v, up to scale: what dangles goes back to v.
        let a = graph.exact();
        let normalised: Vec<Vec<Exact>> = a
            .iter()
            .map(|row| match sum(row) {
                total if total.is_zero() => row.clone(),
                total => row.iter().map(|weight| weight / &total).collect(),
            })
            .collect();
        let mut right = vec![Exact::zero(); n];
        right[seed] = Exact::one();
        let resolvent = webrank_testing::oracle::exact::resolvent(&normalised, &exact(alpha));
        let x = solve(resolvent, right);
        let total = sum(&x);
        let truth: Vec<Exact> = x.iter().map(|x| x / &total).collect();
        prop_assert!(distance(values, &truth) <= exact(error_bound), "{values:?}");
        for (&x, truth) in values.iter().zip(&truth) {
            prop_assert_eq!(x == 0.0, truth.is_zero(), "{:?}", values);
        }
    }
}

#[test]
fn a_walk_that_iteration_cannot_follow_is_eliminated() {
    // Every way of giving the six arcs one of two weights.
    let arcs = [(0, 0), (3, 0), (2, 3), (3, 2), (1, 2), (0, 3)];
    for chosen in 0..1 << arcs.len() {
        let arcs = arcs.iter().enumerate();
        let weighted = arcs.map(|(place, &(i, j))| {
            let is_large = chosen >> place & 1 == 1;
            (i, j, if is_large { 700.0 } else { 0.01 })
        });
        let along = Weighted::new(4, weighted.collect());
        let back = along.1.iter().map(|&(i, j, weight)| (j, i, weight));
        for graph in [Weighted::new(4, back.collect()), along] {
            let found = run(&graph);
            let truth = long_run(&graph.exact());
            assert!(distance(found.scores.as_slice(), &truth) <= exact(bound(&found)));
            assert!(bound(&found) < 1e-9, "{chosen}: {:e}", bound(&found));
        }
    }
}

#[test]
fn a_walk_that_returns_after_2_to_the_60_steps_is_followed() {
    // Forward with probability 1/2, otherwise back to the start: the end is reached once in 2^60.
    let n = 61;
    let arcs = (1..n as Node).flat_map(|i| [(i - 1, i, 1.0), (i - 1, 0, 1.0)]);
    let graph = Weighted::new(n, arcs.chain([(n as Node - 1, 0, 1.0)]).collect());
    let rows = Matrix::new(graph.predecessors().rows().clone());
    let found = seeley(&rows, &Seeley::default(), &Limits::default(), &Silent).unwrap();
    let truth = long_run(&graph.exact());
    assert!(distance(found.scores.as_slice(), &truth) <= exact(bound(&found)));
    assert!(bound(&found) < 1e-9, "{:e}", bound(&found));
}

#[test]
fn walks_that_return_after_1e300_steps_are_followed() {
    // A walk is at node 0 except once in 1e10 times, though it leaves it once in 1e300 steps.
    let arcs = vec![
        (0, 0, 1.0),
        (0, 1, 1e-300),
        (1, 1, 1.0),
        (1, 0, 1e-290),
        (2, 0, 1.7e308),
        (2, 1, 1.7e308),
    ];
    let found = run(&Weighted::new(3, arcs));
    let values = found.scores.as_slice();
    assert!(
        (values[0] - 1.0).abs() < 1e-9 && values[2] == 0.0,
        "{values:?}"
    );
    assert!((values[1] / 1e-10 - 1.0).abs() < 1e-9, "{values:?}");
    assert!(bound(&found) < 1e-12);
}

#[test]
fn sums_of_weights_may_overflow() {
    let arcs = vec![
        (0, 1, 1.7e308),
        (0, 2, 1.7e308),
        (3, 1, 1.7e308),
        (3, 2, 1e308),
    ];
    let found = salsa(Predecessors(&Weighted::new(4, arcs).predecessors())).unwrap();
    let [authorities, hubs] = [found.authorities.as_slice(), found.hubs.as_slice()];
    let close = |x: f64, y: f64| (x - y).abs() < 1e-15;
    assert!(close(authorities[1], 3.4 / 6.1) && close(authorities[2], 2.7 / 6.1));
    assert!(close(hubs[0], 3.4 / 6.1) && close(hubs[3], 2.7 / 6.1));
}

#[test]
fn many_small_components_are_eliminated_one_by_one() {
    let n = 100_000u32;
    let pair = |i: u32| [(i, i + 1, 1e300), (i + 1, i, 1e-300), (i, i, 1e300)];
    let arcs = (0..n).step_by(2).flat_map(pair).collect();
    let found = run(&Weighted::new(n as usize, arcs));
    let values = found.scores.as_slice();
    assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Out of node 0 at rate 1 of 2, back at once.
    let share = 2.0 / f64::from(n) / 3.0;
    assert!(
        (values[0] / share - 2.0).abs() < 1e-9,
        "{}",
        values[0] / share
    );
    assert!((values[1] / share - 1.0).abs() < 1e-9);
    assert!(bound(&found) < 1e-9, "{}", bound(&found));
}
