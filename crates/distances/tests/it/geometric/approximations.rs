//! Sampling and HyperBall stay within the errors they promise.

use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::Decay;
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::hyperball::{HyperballEstimate, estimate};
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::sampled::{Precision, Sample, SampleSize, sample};
use webrank_distances::geometric::weighted_harmonic::{WeightedHarmonic, weighted_harmonic};
use webrank_distances::geometric::{
    Direction, DistanceMeasure, DistanceMethod, DistanceScores, Geometric, geometric,
};
use webrank_distances::traversal::hyperball::{BallRows, Counters, Slicing};
use webrank_graph::{Csr, Graph, Predecessors, Successors};
use webrank_measure::Measure;
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
    let asked = HyperballEstimate {
        direction,
        measures,
        counters,
        slicing,
        confidence,
    };
    estimate(rows, asked, &Silent)
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
fn integration_is_sampled_with_the_diameter() {
    let (_, successors) = graph(400);
    let arcs = (0..400).flat_map(|x| successors.row(x).iter().map(move |&y| (x, y)));
    let graph = Graph::from_arcs(400, arcs).unwrap();
    let integration = || Geometric::of(Integration).direction(Direction::Out);
    let truth = integration().method(DistanceMethod::Exact);
    let truth = truth.run(&graph).unwrap();
    let eccentricities = Geometric::of(Eccentricity).run(&graph).unwrap();
    let diameter = eccentricities.values().iter().copied().fold(0.0, f64::max);
    let sampled = integration().method(DistanceMethod::Sample);
    let precision = Precision::new(0.15, 0.1).unwrap();
    let sampled = sampled.precision(precision);
    let (mut kept, mut inside) = (0, 0);
    for seed in 0..50 {
        let counters = Counters::new(8, seed).unwrap();
        let found = sampled.clone().counters(counters).run(&graph).unwrap();
        assert_eq!(found.columns()[0].1.run.method, "sample");
        let off = found.values().iter().zip(truth.values());
        // The diameter would be the score of a node at distance 1 of all others.
        let off = off.map(|(found, truth)| (found - truth).abs());
        kept += usize::from(off.fold(0.0, f64::max) <= 0.15 * diameter);
        let intervals = found.intervals().unwrap();
        let ends = intervals
            .lower
            .iter()
            .zip(&intervals.upper)
            .zip(truth.values());
        inside += ends
            .filter(|((lower, upper), truth)| lower <= truth && truth <= upper)
            .count();
    }
    assert!(kept >= 45, "{kept} of 50");
    assert!(inside as f64 >= 0.95 * 50.0 * 400.0, "{inside}");
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
