//! The intervals of sampled betweenness hold as often as promised.

use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::sampled_paths::{BoundedBetweenness, adaptive};
use webrank_distances::geometric::sampled::Precision;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::intervals::Intervals;
use webrank_testing::oracle::betweenness as oracle;

fn options(epsilon: f64, top: Option<usize>, seed: u64) -> Betweenness {
    Betweenness {
        precision: Precision::new(epsilon, 0.1).unwrap(),
        top,
        normalize: true,
        seed,
        ..Betweenness::default()
    }
}

fn run(n: usize, arcs: &[(Node, Node)], options: &Betweenness) -> BoundedBetweenness {
    let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    adaptive(forward, backward, options, &Silent).unwrap()
}

/// Normalised betweenness by its definition.
fn truth(n: usize, arcs: &[(Node, Node)]) -> Vec<f64> {
    let all: Vec<Node> = (0..n as Node).collect();
    let mut scores = oracle::of_nodes(n, arcs, &all, false);
    let pairs = (n as f64 - 1.0) * (n as f64 - 2.0);
    scores.iter_mut().for_each(|score| *score /= pairs.max(1.0));
    scores
}

fn holds(found: &BoundedBetweenness, truth: &[f64]) -> bool {
    let ends = found.intervals().lower.iter();
    let ends = ends.zip(&found.intervals().upper).zip(truth);
    ends.into_iter()
        .all(|((&lower, &upper), &t)| lower <= t + 1e-12 && t <= upper + 1e-12)
}

/// Two cliques and one arc between them: its ends have almost all betweenness.
fn cliques() -> Vec<(Node, Node)> {
    let clique = |first: Node| {
        let pairs = (0..64).map(move |i| (first + i / 8, first + i % 8));
        pairs.filter(|(x, y)| x != y)
    };
    clique(0).chain(clique(8)).chain([(0, 8)]).collect()
}

/// Uneven in- and out-degrees, self-loops, unreachable pairs.
fn uneven() -> Vec<(Node, Node)> {
    let arcs = (0..60u32).flat_map(|x| [(x, x / 2), (x, x * 7 % 60), (x / 3, x * x % 60), (x, x)]);
    arcs.collect()
}

fn cycle() -> Vec<(Node, Node)> {
    (0..30).map(|x| (x, (x + 1) % 30)).collect()
}

#[test]
fn all_intervals_hold_in_enough_runs() {
    for (n, arcs, epsilon) in [
        (16, cliques(), 0.1),
        (60, uneven(), 0.05),
        (30, cycle(), 0.1),
    ] {
        let truth = truth(n, &arcs);
        let mut kept = 0;
        for seed in 0..200 {
            let found = run(n, &arcs, &options(epsilon, None, seed));
            assert!(found.epsilon <= epsilon);
            let near = |(found, truth): (&f64, &f64)| (found - truth).abs() <= epsilon;
            let within = found.scores.values.iter().zip(&truth).all(near);
            kept += (holds(&found, &truth) && within) as u32;
        }
        assert!(kept >= 180, "{n} nodes: {kept} of 200");
    }
}

#[test]
fn intervals_of_runs_that_stop_early_hold_as_often() {
    let arcs = uneven();
    let truth = truth(60, &arcs);
    let runs = (0..200).map(|seed| run(60, &arcs, &options(0.01, Some(1), seed)));
    let kept = runs.filter(|found| holds(found, &truth)).count();
    assert!(kept >= 180, "{kept} of 200");
}

#[test]
fn the_best_are_separated_sooner_than_all_are_known() {
    // Arcs from 33 nodes into a path: its nodes have 33 * 6, 34 * 5, 35 * 4, ... pairs.
    let arcs: Vec<_> = (0..6)
        .map(|x| (x, x + 1))
        .chain((7..40).map(|x| (x, 0)))
        .collect();
    let truth = truth(40, &arcs);
    let all = run(40, &arcs, &options(0.005, None, 3));
    let best = run(40, &arcs, &options(0.005, Some(2), 3));
    assert!(
        3 * best.samples < 2 * all.samples,
        "{} {}",
        best.samples,
        all.samples
    );
    assert!(best.certainty.proved_positions() >= 2);
    assert!(best.certainty.certain()[0] && best.certainty.certain()[1]);
    assert!(holds(&best, &truth) && holds(&all, &truth));
    // Equal nodes are never separated, but the precision ends the run.
    let tied = run(30, &cycle(), &options(0.05, Some(3), 0));
    assert!(tied.certainty.proved_positions() == 0 && tied.epsilon <= 0.05);
}

#[test]
fn graphs_without_inner_nodes_have_scores_of_zero() {
    let star: Vec<_> = (1..9).map(|x| (x, 0)).collect();
    for (n, arcs) in [
        (0, vec![]),
        (1, vec![(0, 0)]),
        (2, vec![(0, 1), (1, 0)]),
        (9, star),
    ] {
        for normalize in [false, true] {
            let options = Betweenness {
                normalize,
                ..options(0.1, None, 0)
            };
            let found = run(n, &arcs, &options);
            assert_eq!(found.samples, 0);
            assert_eq!(found.scores.values.to_vec(), vec![0.0; n]);
            let ends = [&found.intervals().lower, &found.intervals().upper];
            assert_eq!(ends, [&vec![0.0; n]; 2]);
        }
    }
}

#[test]
fn scales_differ_by_the_number_of_pairs() {
    let arcs = cliques();
    let normal = run(16, &arcs, &options(0.1, None, 1));
    let plain = Betweenness {
        normalize: false,
        ..options(0.1, None, 1)
    };
    let plain = run(16, &arcs, &plain);
    let same = |a: f64, b: f64| (a - 210.0 * b).abs() < 1e-9;
    let (wide, narrow) = (plain.intervals(), normal.intervals());
    for x in 0..16 {
        assert!(same(plain.scores.values[x], normal.scores.values[x]));
        assert!(same(wide.lower[x], narrow.lower[x]) && same(wide.upper[x], narrow.upper[x]));
    }
}

#[test]
fn a_seed_fixes_the_bits_for_any_number_of_threads() {
    let arcs = uneven();
    let bits = |seed| {
        let found = run(60, &arcs, &options(0.02, Some(2), seed));
        let Intervals { lower, upper, .. } = found.intervals().clone();
        let columns = [found.scores.values.to_vec(), lower, upper];
        columns.map(|column| column.into_iter().map(f64::to_bits).collect::<Vec<_>>())
    };
    let expected = bits(1);
    assert!(bits(2) != expected);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        assert!(pool.install(|| bits(1)) == expected, "{threads} threads");
    }
}

#[test]
fn a_precision_beyond_all_sampling_is_an_error() {
    let successors = Csr::from_arcs(16, cliques()).unwrap();
    let predecessors = successors.transpose().unwrap();
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    for epsilon in [1e-5, 1e-9, 1e-200, 1e-300, f64::MIN_POSITIVE] {
        let problem = adaptive(forward, backward, &options(epsilon, None, 0), &Silent);
        let text = problem.unwrap_err().to_string();
        assert!(text.contains("epsilon is "), "{text}");
        assert!(text.contains("compute exactly"), "{text}");
    }
}

#[test]
fn an_order_is_proved_whatever_the_precision() {
    let arcs: Vec<_> = (0..3)
        .map(|x| (x, x + 1))
        .chain((4..40).map(|x| (x, 0)))
        .collect();
    let found = run(40, &arcs, &options(1e-300, Some(1), 0));
    assert!(found.certainty.proved_positions() >= 1 && found.certainty.certain()[1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // With delta 0.001 and 64 cases, a failure is a fault.
    #[test]
    fn intervals_hold_the_definition(
        (n, arcs) in (0..=12u32).prop_flat_map(|n| {
            let arc = (0..n.max(1), 0..n.max(1));
            let arcs = prop::collection::vec(arc, 0..=if n == 0 { 0 } else { 3 * n as usize });
            (Just(n as usize), arcs)
        }),
        seed in any::<u64>(),
    ) {
        let options = Betweenness {
            precision: Precision::new(0.1, 0.001).unwrap(),
            ..options(0.1, None, seed)
        };
        let found = run(n, &arcs, &options);
        prop_assert!(holds(&found, &truth(n, &arcs)));
        let Intervals { lower, upper, .. } = found.intervals();
        let inside = (0..n).all(|x| {
            let score = found.scores.values[x];
            0.0 <= lower[x] && lower[x] <= score && score <= upper[x] && upper[x] <= 1.0
        });
        prop_assert!(inside);
    }
}
