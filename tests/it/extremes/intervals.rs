//! Intervals of samples hold the truth as often as promised, on shapes chosen to strain them.

use super::shapes::ladder;
use super::*;
use std::num::NonZeroUsize;
use webrank::{
    Betweenness, Decay, Direction, Graph, Guarantee, Harmonic, Measure, Ranked, Reachable,
};
use webrank_base::progress::Silent;
use webrank_distances::betweenness::BetweennessMethod;
use webrank_distances::geometric::sampled::{Precision, Sample, sample};
use webrank_distances::geometric::{DistanceMeasure, geometric};
use webrank_graph::{Predecessors, Successors};
use webrank_scores::intervals::{Holds, Intervals};

const SEEDS: u32 = 200;

/// The probability that a sample is further off.
const DELTA: f64 = 0.1;

/// The number of failures that no more than 1 in 1000 sets of runs exceeds.
fn most_failures(probability: f64) -> u32 {
    let (mut term, mut below) = ((1.0 - probability).powi(SEEDS as i32), 0.0);
    for failures in 0..=SEEDS {
        below += term;
        if below >= 0.999 {
            return failures;
        }
        let odds = probability / (1.0 - probability);
        term *= odds * f64::from(SEEDS - failures) / f64::from(failures + 1);
    }
    SEEDS
}

type Arcs = Vec<(Node, Node)>;

/// Few paths through many nodes, many through few, equal ones, long ones, none.
fn shapes() -> Vec<(&'static str, usize, Arcs)> {
    let path = (0..39).map(|i| (i, i + 1));
    let star = (1..40).flat_map(|i| [(0, i), (i, 0)]);
    let pairs = (0..20).flat_map(|k| [(2 * k, 2 * k + 1), (2 * k + 1, 2 * k)]);
    let bipartite = (0..20).flat_map(|i| (20..40).map(move |j| (i, j)));
    vec![
        ("path", 40, path.clone().collect()),
        (
            "path both ways",
            40,
            path.flat_map(|(i, j)| [(i, j), (j, i)]).collect(),
        ),
        ("star", 40, star.collect()),
        ("ladder", 40, ladder(40)),
        ("equal components", 40, pairs.collect()),
        ("bipartite", 40, bipartite.collect()),
        ("loops", 40, (0..40).map(|i| (i, i)).collect()),
        ("two nodes", 2, vec![(0, 1)]),
    ]
}

/// Whether all true scores are within the guarantee.
fn holds(found: &Ranked, truth: &[f64]) -> bool {
    let slack = 1e-9 * truth.iter().fold(1.0, |a: f64, &b| a.max(b));
    let values = found.values().iter().zip(truth);
    // Intervals of single nodes promise nothing of all.
    let of_all = |it: &&Intervals| it.claim.holds == Holds::AllNodes;
    let intervals = found.intervals().filter(of_all);
    let has_ends = intervals.is_some();
    let is_inside = |it: &Intervals| {
        let mut ends = it.lower.iter().zip(&it.upper).zip(truth);
        ends.all(|((lower, upper), t)| lower - slack <= *t && *t <= upper + slack)
    };
    if !intervals.is_none_or(is_inside) {
        return false;
    }
    match found.run().outcome.guarantee(has_ends) {
        Guarantee::Exact => values.into_iter().all(|(x, t)| (x - t).abs() <= slack),
        Guarantee::Within { half_width, .. } => values
            .into_iter()
            .all(|(x, t)| (x - t).abs() <= half_width + slack),
        Guarantee::Between { .. } => has_ends,
        Guarantee::None { why } => panic!("{why}"),
    }
}

#[test]
fn betweenness_is_within_its_intervals_as_often_as_promised() {
    for (name, n, arcs) in shapes() {
        let graph = Graph::from_arcs(n, arcs).unwrap();
        for normalize in [false, true] {
            let exact = Betweenness {
                normalize,
                ..Betweenness::default()
            };
            let truth = exact.run(&graph).unwrap();
            for (method, top) in [
                (BetweennessMethod::Approx, None),
                (BetweennessMethod::Approx, Some(2)),
                (BetweennessMethod::Sources, None),
            ] {
                let mut failures = 0;
                for seed in 0..SEEDS {
                    let sampled = Betweenness {
                        method,
                        top,
                        samples: NonZeroUsize::new(n / 4 + 1).unwrap(),
                        precision: Precision::new(0.1, DELTA).unwrap(),
                        seed: seed.into(),
                        ..exact.clone()
                    };
                    let found = sampled.run(&graph).unwrap();
                    assert!(are_scores(found.values()), "{name}");
                    failures += u32::from(!holds(&found, truth.values()));
                    // An interval that fails may prove a wrong rank; others may not.
                    if let Some(certainty) =
                        found.certainty().filter(|_| holds(&found, truth.values()))
                    {
                        let ranks = [found.ranking().ranks(), truth.ranking().ranks()];
                        for node in (0..n).filter(|&node| certainty.certain()[node]) {
                            assert_eq!(
                                ranks[0][node], ranks[1][node],
                                "{name}, seed {seed}: {node}"
                            );
                        }
                    }
                }
                let most = most_failures(DELTA);
                assert!(failures <= most, "{name} {method:?}: {failures} of {SEEDS}");
            }
        }
    }
}

#[test]
fn sums_of_distances_are_as_near_as_promised() {
    for (name, n, arcs) in shapes() {
        let successors = Csr::from_arcs(n, arcs).unwrap();
        let predecessors = successors.transpose().unwrap();
        let (p, s) = (Predecessors(&predecessors), Successors(&successors));
        let precision = Precision::new(0.3, DELTA).unwrap();
        let measures: [&dyn DistanceMeasure; 3] =
            [&Harmonic { normalize: true }, &Reachable, &Decay::default()];
        for direction in [Direction::In, Direction::Out] {
            let truth = geometric(p, s, direction, &measures, &Silent).unwrap();
            for (measure, truth) in measures.into_iter().zip(&truth.scores) {
                let failures = (0..SEEDS).filter(|&seed| {
                    let wanted = Sample {
                        size: precision.into(),
                        seed: seed.into(),
                        ..Sample::default()
                    };
                    let found = sample(p, s, direction, measure, wanted, &Silent);
                    let found = found.unwrap();
                    assert!(are_scores(found.as_slice()));
                    let half_width = match found.run.outcome.guarantee(false) {
                        Guarantee::Exact => 1e-9 * n as f64,
                        Guarantee::Within {
                            half_width,
                            probability,
                        } => {
                            assert!((probability.unwrap() - 1.0 + DELTA).abs() < 1e-12);
                            half_width + 1e-9 * n as f64
                        }
                        other => panic!("{other:?}"),
                    };
                    let mut pairs = found.as_slice().iter().zip(truth.as_slice());
                    pairs.any(|(x, t)| (x - t).abs() > half_width)
                });
                let (failures, most) = (failures.count() as u32, most_failures(DELTA));
                assert!(
                    failures <= most,
                    "{name} {measure:?} {direction:?}: {failures}"
                );
            }
        }
    }
}
