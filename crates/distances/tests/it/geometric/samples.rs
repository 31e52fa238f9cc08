//! Samples: how often intervals hold, what is exact, bits that depend on the seed alone.

use super::approximations::graph;
use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_distances::geometric::closeness::{Closeness, Variant};
use webrank_distances::geometric::decay::Decay;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::sampled::{IntervalKind, Sample, SampleSize, sample};
use webrank_distances::geometric::{
    Direction, DistanceMeasure, DistanceMethod, Geometric, geometric,
};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::{Csr, Graph, Predecessors, Successors};
use webrank_measure::Measure;
use webrank_scores::intervals::Holds;
use webrank_scores::{Outcome, Scores};
use webrank_testing::graphs::{mixed, shortcuts, towns};

const HARMONIC: Harmonic = Harmonic { normalize: true };

fn of(count: u64, seed: u64) -> Sample {
    Sample {
        size: SampleSize::sources(count, 0.1).unwrap(),
        seed,
        ..Sample::default()
    }
}

fn sampled(successors: &Csr, measure: &dyn DistanceMeasure, wanted: Sample) -> Scores {
    let predecessors = successors.transpose().unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(successors));
    sample(p, s, Direction::In, measure, wanted, &Silent).unwrap()
}

fn exact(successors: &Csr, measure: &dyn DistanceMeasure) -> Vec<f64> {
    let predecessors = successors.transpose().unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(successors));
    let mut found = geometric(p, s, Direction::In, &[measure], &Silent).unwrap();
    found.scores.remove(0).values.to_vec()
}

/// Mostly connected: a ring with shortcuts, a grid both ways, random arcs, towns with few arcs between them.
fn connected() -> Vec<(&'static str, Csr)> {
    let n = 1500;
    let side = 40;
    let grid = (0..side * side).flat_map(|x| {
        let right = (x % side + 1 < side).then_some([(x, x + 1), (x + 1, x)]);
        let below = (x + side < side * side).then_some([(x, x + side), (x + side, x)]);
        right.into_iter().chain(below).flatten().collect::<Vec<_>>()
    });
    let random = (0..5 * n).map(|i| (i % n, mixed(i + 77_777) % n));
    [
        ("ring", n, shortcuts(n).1),
        ("grid", side * side, grid.collect::<Vec<_>>()),
        ("random", n, random.collect()),
        ("towns", n, towns(n).1),
    ]
    .into_iter()
    .map(|(name, n, arcs)| (name, Csr::from_arcs(n as usize, arcs).unwrap()))
    .collect()
}

/// Over seeds, for nodes that are not known exactly; the errors of a seed are correlated.
#[test]
fn intervals_hold_as_often_as_they_say() {
    let decay = Decay::default();
    let closeness = [Variant::Bavelas, Variant::Nieminen, Variant::WassermanFaust];
    let [bavelas, nieminen, faust] = closeness.map(|variant| Closeness { variant });
    let sums: [&dyn DistanceMeasure; 3] = [&HARMONIC, &Reachable, &decay];
    let formulas: [&dyn DistanceMeasure; 4] = [&Lin, &bavelas, &nieminen, &faust];
    let [mut narrow, mut all] = [0.0; 2];
    for (name, successors) in connected() {
        for measure in sums.into_iter().chain(formulas) {
            let truth = exact(&successors, measure);
            let kinds = [
                (IntervalKind::Estimated, 0.93),
                (IntervalKind::Proved, 0.95),
            ];
            let is_sum = sums.iter().any(|sum| sum.name() == measure.name());
            for (intervals, least) in kinds.into_iter().take(1 + usize::from(is_sum)) {
                let (mut inside, mut wide) = (0, 0);
                for seed in 0..60 {
                    let wanted = Sample {
                        intervals,
                        ..of(128, seed)
                    };
                    let found = sampled(&successors, measure, wanted);
                    let its = found.intervals.unwrap();
                    assert_eq!(its.claim.holds, Holds::EachNode);
                    assert_eq!(its.claim.proved, intervals == IntervalKind::Proved);
                    for (x, &truth) in truth.iter().enumerate() {
                        let (lower, upper, slack) = (its.lower[x], its.upper[x], 1e-9 * truth);
                        assert!(lower <= found.values[x] && found.values[x] <= upper);
                        match lower < upper {
                            true => {
                                wide += 1;
                                let is = lower - slack <= truth && truth <= upper + slack;
                                inside += usize::from(is);
                            }
                            false => assert!((found.values[x] - truth).abs() <= slack, "{x}"),
                        }
                    }
                    let width: f64 = its.upper.iter().zip(&its.lower).map(|(u, l)| u - l).sum();
                    match intervals {
                        _ if !is_sum => {}
                        IntervalKind::Proved => all += width / truth[0],
                        _ => narrow += width / truth[0],
                    }
                }
                let share = inside as f64 / f64::from(wide.max(1));
                assert!(
                    share >= least || wide == 0,
                    "{name} {measure:?} {intervals:?}: {share} of {wide}"
                );
            }
        }
    }
    assert!(narrow < 0.7 * all, "{narrow}, {all}");
}

/// Errors of 256 draws are several times smaller than those of Hoeffding's bound.
#[test]
fn scores_are_near() {
    for (name, successors) in connected() {
        let truth = exact(&successors, &HARMONIC);
        let (mut squares, mut count) = (0.0, 0);
        for seed in 0..10 {
            let found = sampled(&successors, &HARMONIC, of(256, seed));
            let Outcome::Sampled {
                sources, epsilon, ..
            } = found.run.outcome
            else {
                panic!("{name}: {:?}", found.run.outcome);
            };
            assert_eq!(sources, 256);
            // sqrt(ln(2 n / 0.1) / (2 k)) / 2
            assert!((0.06..0.08).contains(&epsilon), "{name}: {epsilon}");
            for (found, truth) in found.values.iter().zip(&truth) {
                assert!((found - truth).abs() <= epsilon);
                if *truth > 0.0 {
                    squares += (found / truth - 1.0).powi(2);
                    count += 1;
                }
            }
        }
        let error = (squares / f64::from(count)).sqrt();
        assert!(error < 0.05, "{name}: {error}");
    }
}

/// Nodes of small reach beside a large component, nodes without arcs, twins, equal rows on cycles.
fn mixture() -> Csr {
    let large = (0..800u32).flat_map(|x| [(x, (x + 1) % 800), (x, mixed(x) % 800)]);
    let small = (800..1000).flat_map(|x| [(x, x / 5 * 5), (x / 5 * 5, x)]);
    let path = (1000..1050).map(|x| (x, x + 1));
    let out = (1100..1200).map(|x| (mixed(x) % 800, x));
    let into = (1200..1300).map(|x| (x, mixed(x) % 800));
    let all = large.chain(small).chain(path).chain(out).chain(into);
    Csr::from_arcs(1350, all.filter(|(x, y)| x != y)).unwrap()
}

#[test]
fn small_reach_is_exact() {
    let successors = mixture();
    for measure in [&HARMONIC as &dyn DistanceMeasure, &Reachable] {
        let truth = exact(&successors, measure);
        let found = sampled(&successors, measure, of(200, 4));
        assert_eq!(found.run.method, "sample");
        let its = found.intervals.unwrap();
        for x in (800..1100).chain(1200..1350) {
            assert_eq!(found.values[x].to_bits(), truth[x].to_bits(), "{x}");
            assert_eq!([its.lower[x], its.upper[x]], [truth[x]; 2], "{x}");
        }
        let wide = (0..800).filter(|&x| its.lower[x] < its.upper[x]).count();
        assert_eq!(wide, 800);
    }
}

#[test]
fn the_seed_alone_fixes_the_bits() {
    let graph = {
        let rows = mixture();
        let arcs = (0..1350).flat_map(|x| rows.row(x).iter().map(move |&y| (x, y)));
        Graph::from_arcs(1350, arcs.collect::<Vec<_>>()).unwrap()
    };
    let run = |seed, sources| {
        let measures = Geometric::named(&["harmonic", "decay", "reachable"]).unwrap();
        let measures = measures.method(DistanceMethod::Sample);
        let measures = measures.size(SampleSize::sources(sources, 0.1).unwrap());
        let measures = measures.counters(Counters::new(8, seed).unwrap());
        let found = measures.run(&graph).unwrap();
        let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        let columns = found.columns().iter().map(|(_, scores)| {
            let its = scores.intervals.as_ref().unwrap();
            [scores.as_slice(), &its.lower, &its.upper].map(bits)
        });
        columns.collect::<Vec<_>>()
    };
    for sources in [100, 300] {
        let expected = run(1, sources);
        assert!(run(2, sources) != expected);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let found = pool.build().unwrap().install(|| run(1, sources));
            assert!(found == expected, "{sources}, {threads} threads");
        }
    }
    // A measure has the bits that it has alone.
    let alone = Geometric::of(Reachable).method(DistanceMethod::Sample);
    let alone = alone.size(SampleSize::sources(100, 0.1).unwrap());
    let alone = alone
        .counters(Counters::new(8, 1).unwrap())
        .run(&graph)
        .unwrap();
    let values: Vec<u64> = alone.values().iter().map(|it| it.to_bits()).collect();
    assert_eq!(values, run(1, 100)[2][0]);
}

#[test]
fn a_relative_error_fixes_the_number_of_sources() {
    let (_, successors) = graph(30_000);
    let count = |error| {
        let wanted = Sample {
            size: SampleSize::relative(error, 0.1).unwrap(),
            ..Sample::default()
        };
        let found = sampled(&successors, &HARMONIC, wanted);
        match found.run.outcome {
            Outcome::Sampled { sources, .. } => sources,
            Outcome::Exact => u64::MAX,
            other => panic!("{other:?}"),
        }
    };
    let [coarse, fine] = [0.01, 0.004].map(count);
    assert!(
        coarse.is_multiple_of(512) && coarse < fine,
        "{coarse}, {fine}"
    );
    assert_eq!(count(1e-9), u64::MAX);
}

proptest! {
    /// Few nodes are all of small reach; a few draws more than there are nodes, and none at all.
    #[test]
    fn samples_of_small_graphs_are_exact(
        n in 0usize..13,
        arcs in prop::collection::vec((0u32..13, 0u32..13), 0..50),
        count in 1u64..15,
        seed in 0u64..10,
    ) {
        let arcs = arcs.into_iter().filter(|&(x, y)| x.max(y) < n as u32);
        let successors = Csr::from_arcs(n, arcs).unwrap();
        for measure in [&HARMONIC as &dyn DistanceMeasure, &Reachable, &Decay::default()] {
            let truth = exact(&successors, measure);
            let found = sampled(&successors, measure, of(count, seed));
            prop_assert_eq!(found.values.to_vec(), truth);
        }
    }
}
