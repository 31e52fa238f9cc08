//! Sampling and HyperBall stay within the errors they promise.

use proptest::prelude::*;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::Decay;
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::hyperball::{Estimate, estimate};
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::sampled::{Precision, Sample, SampleSize, sample};
use webrank_distances::geometric::weighted_harmonic::{WeightedHarmonic, weighted_harmonic};
use webrank_distances::geometric::{Direction, DistanceMeasure, DistanceScores, geometric};
use webrank_distances::traversal::hyperball::{
    BallRows, Balls, Counters, HyperBall, SharedRows, Slicing,
};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_linear::runs::RunRows;
use webrank_scores::Outcome;
use webrank_scores::intervals::Confidence;
use webrank_scores::parameters::Variant;

const HARMONIC: Harmonic = Harmonic { normalize: false };

fn closeness(variant: Variant) -> Closeness {
    Closeness { variant }
}

/// Both directions of a graph where in- and out-distances differ, with unreachable pairs.
pub fn graph(n: u32) -> (Csr, Csr) {
    let arcs = (0..n).flat_map(|x| [(x, x / 2), (x, x * 7 % n), (x / 3, x * x % n), (x, x)]);
    let successors = Csr::from_arcs(n as usize, arcs).unwrap();
    (successors.transpose().unwrap(), successors)
}

/// A sample with this precision.
fn of(precision: Precision, seed: u64) -> Sample {
    Sample {
        size: precision.into(),
        seed,
        ..Sample::default()
    }
}

/// HyperBall's estimates, with predecessors and successors, all counters in memory.
fn estimated(
    (predecessors, successors): (&Csr, &Csr),
    direction: Direction,
    measures: &[&dyn DistanceMeasure],
    counters: Counters,
) -> Result<DistanceScores> {
    let (rows, reverse) = match direction {
        Direction::In => (predecessors, successors),
        Direction::Out => (successors, predecessors),
    };
    let rows = BallRows::Lists {
        rows,
        reverse: Some(reverse),
    };
    let slicing = Slicing::whole(counters);
    let confidence = Confidence::default();
    let asked = Estimate {
        direction,
        measures,
        counters,
        slicing,
        confidence,
    };
    estimate(rows, asked, &Silent)
}

/// HyperBall along `rows`, so many registers at a time.
fn balls(rows: &Csr, reverse: Option<&Csr>, counters: Counters, log2_width: u32) -> Balls {
    balls_along(BallRows::Lists { rows, reverse }, counters, log2_width)
}

/// The same along distinct rows.
fn shared_balls(rows: &Csr, counters: Counters, log2_width: u32) -> Balls {
    let rows = SharedRows::new(RunRows::new(rows.clone())).unwrap();
    balls_along(BallRows::Shared(&rows), counters, log2_width)
}

/// The same by lines of classes.
fn balls_by_lines(rows: &Csr, reverse: &Csr, counters: Counters, log2_width: u32) -> Balls {
    let reverse = Some(reverse);
    let slicing = Slicing::of(counters, log2_width, std::env::temp_dir()).unwrap();
    balls_with(
        BallRows::Lists { rows, reverse },
        counters,
        slicing.by_lines(),
    )
}

fn balls_along(rows: BallRows, counters: Counters, log2_width: u32) -> Balls {
    let slicing = Slicing::of(counters, log2_width, std::env::temp_dir()).unwrap();
    balls_with(rows, counters, slicing)
}

fn balls_with(rows: BallRows, counters: Counters, slicing: Slicing) -> Balls {
    let run = HyperBall {
        rows,
        counters,
        slicing,
        functions: &[&|distance| 1.0 / f64::from(distance), &|distance| {
            0.3f64.powi(distance as i32)
        }],
        progress: &Silent,
    };
    run.run().unwrap()
}

fn hyperball(rows: &Csr, reverse: Option<&Csr>, counters: Counters) -> Balls {
    balls(rows, reverse, counters, counters.log2m())
}

#[test]
fn sampling_keeps_its_promise_in_enough_runs() {
    let (predecessors, successors) = graph(400);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let precision = Precision::new(0.15, 0.1).unwrap();
    let measures: [(&dyn DistanceMeasure, f64); 3] = [
        (&Harmonic { normalize: true }, 1.0),
        (&Reachable, 399.0),
        (&Decay::default(), 399.0),
    ];
    for (measure, scale) in measures {
        let truth = geometric(p, s, Direction::In, &[measure], &Silent).unwrap();
        let kept = (0..200)
            .filter(|&seed| {
                let found =
                    sample(p, s, Direction::In, measure, of(precision, seed), &Silent).unwrap();
                assert_eq!(found.run.method, "sample", "the sample must be a sample");
                let off = (&found.values - &truth.scores[0].values).mapv(f64::abs);
                off.iter().all(|&off| off <= 0.15 * scale)
            })
            .count();
        assert!(kept >= 180, "{measure:?}: {kept} of 200");
    }
}

#[test]
fn a_sample_of_all_nodes_is_exact_in_both_directions() {
    let (predecessors, successors) = graph(150);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let precision = Precision::new(0.001, 0.001).unwrap();
    assert_eq!(SampleSize::from(precision).at_most(150), 150);
    let measure: &dyn DistanceMeasure = &HARMONIC;
    for direction in [Direction::In, Direction::Out] {
        let truth = geometric(p, s, direction, &[measure], &Silent).unwrap();
        let found = sample(p, s, direction, measure, of(precision, 3), &Silent).unwrap();
        for (found, truth) in found.values.iter().zip(&truth.scores[0].values) {
            assert!((found - truth).abs() <= 1e-12 * truth);
        }
    }
}

#[test]
fn samples_needed_grow_with_precision_and_stay_below_n() {
    let samples = |epsilon, n| SampleSize::from(Precision::new(epsilon, 0.1).unwrap()).at_most(n);
    assert!(samples(0.01, 100_000) < 80_000);
    assert!(samples(0.02, 100_000) < samples(0.01, 100_000));
    assert_eq!(samples(1e-9, 1000), 1000);
    assert_eq!(samples(1e-200, 1000), 1000);
    assert_eq!(samples(f64::MIN_POSITIVE, 1000), 1000);
    assert_eq!(samples(0.5, 0), 0);
    assert_eq!(samples(0.5, 1), 1);
    for bad in [0.0, 1.0, f64::NAN] {
        assert!(Precision::new(bad, 0.1).is_err());
        assert!(Precision::new(0.1, bad).is_err());
    }
}

#[test]
fn measures_without_bounded_terms_are_not_sampled() {
    let (predecessors, successors) = graph(10);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let precision = Precision::new(0.1, 0.1).unwrap();
    let measures: [&dyn DistanceMeasure; 4] = [
        &Lin,
        &Eccentricity,
        &closeness(Variant::Bavelas),
        &Integration,
    ];
    for measure in measures {
        assert!(sample(p, s, Direction::In, measure, of(precision, 0), &Silent).is_err());
    }
}

#[test]
fn hyperball_is_within_three_standard_errors() {
    let (predecessors, successors) = graph(1000);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    // Squares and quotients of two estimates have twice the error of one.
    let measures: [(&dyn DistanceMeasure, f64); 7] = [
        (&HARMONIC, 3.0),
        (&Reachable, 3.0),
        (&Decay::default(), 3.0),
        (&Integration, 3.0),
        (&closeness(Variant::Bavelas), 6.0),
        (&Lin, 6.0),
        (&closeness(Variant::WassermanFaust), 6.0),
    ];
    let (measures, errors): (Vec<_>, Vec<_>) = measures.into_iter().unzip();
    let counters = Counters::new(12, 7).unwrap();
    let error = counters.relative_standard_error();
    assert_eq!(error, 1.04 / 64.0);
    for direction in [Direction::In, Direction::Out] {
        let truth = geometric(p, s, direction, &measures, &Silent).unwrap();
        let found =
            estimated((&predecessors, &successors), direction, &measures, counters).unwrap();
        for (column, (found, truth)) in found.scores.iter().zip(&truth.scores).enumerate() {
            let (measure, errors) = (measures[column], errors[column]);
            let expected = Outcome::Estimated {
                relative_standard_error: error,
            };
            assert_eq!(found.run.outcome, expected);
            let pairs = found.values.iter().zip(&truth.values);
            let far = pairs
                .filter(|&(found, truth)| (found - truth).abs() > errors * error * truth)
                .count();
            assert!(
                far <= 10,
                "{measure:?} {direction:?}: {far} of 1000 are far off"
            );
        }
    }
    assert!(
        estimated(
            (&predecessors, &successors),
            Direction::In,
            &[&Eccentricity],
            counters
        )
        .is_err()
    );
}

#[test]
fn a_seed_fixes_the_bits_for_any_number_of_threads() {
    let (predecessors, successors) = graph(6000);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let measure: &dyn DistanceMeasure = &HARMONIC;
    let precision = Precision::new(0.03, 0.1).unwrap();
    let weighted = WeightedHarmonic {
        weights: (0..6000).map(|x| 1.0 / (1.0 + x as f64)).collect(),
        normalize: false,
        direction: Direction::In,
    };
    let run = |seed| -> Vec<Vec<u64>> {
        let sampled = sample(p, s, Direction::In, measure, of(precision, seed), &Silent).unwrap();
        let counters = Counters::new(6, seed).unwrap();
        let balls = estimated(
            (&predecessors, &successors),
            Direction::In,
            &[measure],
            counters,
        )
        .unwrap();
        let weighted = weighted_harmonic(p, s, &weighted, &Silent).unwrap().scores;
        [sampled, balls.scores[0].clone(), weighted]
            .iter()
            .map(|scores| scores.values.iter().map(|value| value.to_bits()).collect())
            .collect()
    };
    let expected = run(1);
    assert!(
        run(2)[..2]
            .iter()
            .zip(&expected)
            .all(|(other, one)| other != one)
    );
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(|| run(1)) == expected, "{threads} threads");
    }
}

/// Enough nodes for many blocks, and sums whose bits depend on the order of additions.
#[test]
fn hyperball_counts_pairs_with_the_same_bits_for_any_number_of_threads() {
    let (predecessors, successors) = graph(50_000);
    let counters = Counters::new(5, 3).unwrap();
    let run = || hyperball(&predecessors, Some(&successors), counters);
    let expected = run();
    assert!(expected.pairs_within.len() > 5);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        for _ in 0..3 {
            assert!(pool.install(run) == expected, "{threads} threads");
        }
    }
}

/// The count at a step is the sum of the estimates of all counters at that step, without rounding.
#[test]
fn pairs_are_the_sum_of_all_counters() {
    let (predecessors, successors) = graph(20_000);
    let counters = Counters::new(7, 11).unwrap();
    let balls = hyperball(&predecessors, Some(&successors), counters);
    let sum: f64 = balls.reached.iter().map(|&reached| reached as f64).sum();
    let pairs = balls.pairs_within[balls.steps() as usize];
    // Each count was rounded to 32 bits; pairs have more.
    assert!((pairs / sum - 1.0).abs() < 1e-7);
    assert_ne!(pairs, pairs as f32 as f64);
}

#[test]
fn counters_outside_their_range_are_refused() {
    assert!(Counters::new(3, 0).is_err());
    assert!(Counters::new(17, 0).is_err());
    assert!(Counters::new(4, 0).is_ok());
}

proptest! {
    /// However few registers are held at a time, whether steps visit all nodes, those beside changed
    /// ones, or distinct rows.
    #[test]
    fn slices_of_counters_give_the_same_bits(
        n in 1usize..60,
        arcs in prop::collection::vec((0u32..60, 0u32..60), 0..200),
        seed in 0u64..4,
    ) {
        let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
        let rows = Csr::from_arcs(n, arcs).unwrap();
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(7, seed).unwrap();
        let expected = hyperball(&rows, Some(&reverse), counters);
        for log2_width in 4..=7 {
            prop_assert_eq!(&balls(&rows, Some(&reverse), counters, log2_width), &expected);
            prop_assert_eq!(&balls(&rows, None, counters, log2_width), &expected);
            prop_assert_eq!(&shared_balls(&rows, counters, log2_width), &expected);
        }
    }

    /// Nodes that share a counter, some of them their own successors, have the bits of their own.
    #[test]
    fn lines_of_classes_give_the_same_bits(
        n in 1usize..200,
        rows in 1u32..40,
        arcs in prop::collection::vec((0u32..200, 0u32..200), 0..200),
        twins in prop::collection::vec((0u32..200, 0u32..200), 0..6),
        seed in 0u64..4,
        log2m in 6u32..9,
    ) {
        let n = n as u32;
        let arcs = arcs.into_iter().map(|(x, y)| (x % n, y % n));
        let equal = |(x, y)| (0..n).filter(move |z| z % rows == x % rows).map(move |z| (z, y));
        let clique = |(x, y): (u32, u32)| {
            let all = x % n..n.min(x % n + y % 8);
            all.clone().flat_map(move |z| all.clone().map(move |y| (z, y)))
        };
        let arcs = arcs.flat_map(equal).chain(twins.into_iter().flat_map(clique));
        let rows = Csr::from_arcs(n as usize, arcs).unwrap();
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(log2m, seed).unwrap();
        for (rows, reverse) in [(&rows, &reverse), (&reverse, &rows)] {
            let expected = hyperball(rows, Some(reverse), counters);
            for log2_width in 6..=log2m {
                prop_assert_eq!(&balls_by_lines(rows, reverse, counters, log2_width), &expected);
            }
        }
    }
}

/// Many blocks and batches, in several threads; and shapes at the limits.
#[test]
fn slices_of_large_graphs_give_the_same_bits() {
    let path = Csr::from_arcs(3000, (1..3000).map(|x| (x, x - 1))).unwrap();
    let alone = Csr::from_arcs(100_000, []).unwrap();
    let none = Csr::from_arcs(0, []).unwrap();
    let one = Csr::from_arcs(1, [(0, 0)]).unwrap();
    let ring = Csr::from_arcs(2, [(0, 1), (1, 0)]).unwrap();
    let star = Csr::from_arcs(40_000, (1..40_000).map(|x| (x, 0))).unwrap();
    let rays = star.transpose().unwrap();
    for rows in [graph(30_000).0, path, alone, none, one, ring, star, rays] {
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(6, 5).unwrap();
        let expected = hyperball(&rows, Some(&reverse), counters);
        let nodes = rows.num_nodes();
        assert!(
            hyperball(&rows, None, counters) == expected,
            "{nodes} nodes"
        );
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let run = || balls(&rows, Some(&reverse), counters, 4);
            let pool = pool.build().unwrap();
            let found = pool.install(run);
            assert!(found == expected, "{nodes} nodes, {threads} threads");
            let found = pool.install(|| shared_balls(&rows, counters, 5));
            assert!(
                found == expected,
                "{nodes} nodes, {threads} threads, shared"
            );
        }
        for (log2m, threads) in [(6, 1), (6, 2), (7, 3), (7, 8)] {
            let counters = Counters::new(log2m, 5).unwrap();
            let expected = hyperball(&rows, Some(&reverse), counters);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let run = || balls_by_lines(&rows, &reverse, counters, 6);
            let found = pool.build().unwrap().install(run);
            assert!(found == expected, "{nodes} nodes, {threads} threads, lines");
        }
    }
}

#[test]
fn slices_are_as_wide_as_memory_allows() {
    let counters = Counters::new(10, 0).unwrap();
    let count = |bytes| Slicing::within(counters, 1_000_000, bytes, "".into()).count(counters);
    assert_eq!(count(u64::MAX), 1);
    assert_eq!(count(counters.memory(1_000_000)), 1);
    assert_eq!(count(counters.memory(1_000_000) - 1), 2);
    assert_eq!(count(200_000_000), 16);
    assert_eq!(count(0), 64);
    assert!(Slicing::of(counters, 3, "".into()).is_err());
    assert_eq!(
        Slicing::of(counters, 12, "".into())
            .unwrap()
            .count(counters),
        1
    );
    // By lines, if 64 registers fit.
    let of_lines = |bytes| {
        let size = (1_000_000, 4_000_000);
        Slicing::by_lines_within(counters, size, bytes, "".into()).count(counters)
    };
    let whole = counters.memory_in(1_000_000, 4_000_000);
    assert!(whole < counters.memory(1_000_000));
    assert_eq!([of_lines(whole), of_lines(whole - 1)], [1, 2]);
    assert_eq!([of_lines(350_000_000), of_lines(0)], [16, 64]);
}
