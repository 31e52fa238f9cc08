//! Sampling and HyperBall keep the errors they promise.

use webrank::centrality::geometric::closeness::Variant;
use webrank::centrality::geometric::decay::Base;
use webrank::centrality::geometric::hyperball::estimate;
use webrank::centrality::geometric::sampled::{Precision, sample};
use webrank::centrality::geometric::weighted_harmonic::weighted_harmonic;
use webrank::centrality::geometric::{Direction, Measure, geometric};
use webrank::graph::{Csr, Predecessors, Successors};
use webrank::progress::Silent;
use webrank::scores::Outcome;
use webrank::traversal::hyperball::Counters;

/// Both directions of a graph where in- and out-distances differ, with unreachable pairs.
pub fn graph(n: u32) -> (Csr, Csr) {
    let arcs = (0..n).flat_map(|x| [(x, x / 2), (x, x * 7 % n), (x / 3, x * x % n), (x, x)]);
    let successors = Csr::from_arcs(n as usize, arcs).unwrap();
    (successors.transpose().unwrap(), successors)
}

#[test]
fn sampling_keeps_its_promise_in_enough_runs() {
    let (predecessors, successors) = graph(400);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let precision = Precision::new(0.15, 0.1).unwrap();
    assert!(precision.samples(400) < 300, "the sample must be a sample");
    for (measure, scale) in [
        (Measure::Harmonic { normalize: true }, 1.0),
        (Measure::Reachable, 399.0),
        (Measure::Decay(Base::default()), 399.0),
    ] {
        let truth = geometric(p, s, Direction::In, &[measure], &Silent).unwrap();
        let kept = (0..200)
            .filter(|&seed| {
                let found = sample(p, s, Direction::In, measure, precision, seed, &Silent).unwrap();
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
    assert_eq!(precision.samples(150), 150);
    let measure = Measure::Harmonic { normalize: false };
    for direction in [Direction::In, Direction::Out] {
        let truth = geometric(p, s, direction, &[measure], &Silent).unwrap();
        let found = sample(p, s, direction, measure, precision, 3, &Silent).unwrap();
        for (found, truth) in found.values.iter().zip(&truth.scores[0].values) {
            assert!((found - truth).abs() <= 1e-12 * truth);
        }
    }
}

#[test]
fn samples_needed_grow_with_precision_and_stay_below_n() {
    let samples = |epsilon, n| Precision::new(epsilon, 0.1).unwrap().samples(n);
    assert!(samples(0.01, 100_000) < 50_000);
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
    for measure in [
        Measure::Lin,
        Measure::Eccentricity,
        Measure::Closeness(Variant::Bavelas),
    ] {
        assert!(sample(p, s, Direction::In, measure, precision, 0, &Silent).is_err());
    }
}

#[test]
fn hyperball_is_within_three_standard_errors() {
    let (predecessors, successors) = graph(1000);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let measures = [
        Measure::Harmonic { normalize: false },
        Measure::Reachable,
        Measure::Decay(Base::default()),
        Measure::Closeness(Variant::Bavelas),
        Measure::Lin,
        Measure::Closeness(Variant::WassermanFaust),
    ];
    let counters = Counters::new(12, 7).unwrap();
    let error = counters.relative_standard_error();
    assert_eq!(error, 1.04 / 64.0);
    for direction in [Direction::In, Direction::Out] {
        let truth = geometric(p, s, direction, &measures, &Silent).unwrap();
        let found = estimate(p, s, direction, &measures, counters, &Silent).unwrap();
        for ((found, truth), measure) in found.scores.iter().zip(&truth.scores).zip(measures) {
            let expected = Outcome::Estimated {
                relative_standard_error: error,
            };
            assert_eq!(found.run.outcome, expected);
            // Squares and quotients of two estimates have twice the error of one.
            let errors = match measure {
                Measure::Lin | Measure::Closeness(_) => 6.0,
                _ => 3.0,
            };
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
        estimate(
            p,
            s,
            Direction::In,
            &[Measure::Eccentricity],
            counters,
            &Silent
        )
        .is_err()
    );
}

#[test]
fn a_seed_fixes_the_bits_for_any_number_of_threads() {
    let (predecessors, successors) = graph(6000);
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let measure = Measure::Harmonic { normalize: false };
    let precision = Precision::new(0.03, 0.1).unwrap();
    let weights: Vec<f64> = (0..6000).map(|x| 1.0 / (1.0 + x as f64)).collect();
    let run = |seed| -> Vec<Vec<u64>> {
        let sampled = sample(p, s, Direction::In, measure, precision, seed, &Silent).unwrap();
        let counters = Counters::new(6, seed).unwrap();
        let balls = estimate(p, s, Direction::In, &[measure], counters, &Silent).unwrap();
        let weighted = weighted_harmonic(p, s, Direction::In, &weights, false, &Silent).unwrap();
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

#[test]
fn counters_outside_their_range_are_refused() {
    assert!(Counters::new(3, 0).is_err());
    assert!(Counters::new(17, 0).is_err());
    assert!(Counters::new(4, 0).is_ok());
}
