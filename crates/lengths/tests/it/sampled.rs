//! Betweenness from sampled paths against exact fractions.

use super::oracle::*;
use proptest::prelude::*;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::sampled::Precision;
use webrank_lengths::{Cutoff, LengthBetweenness};
use webrank_measure::Measure;
use webrank_scores::ranked::Ranked;

fn sampled(case: &Case, epsilon: f64, cutoff: Option<f64>) -> Ranked {
    let measure = LengthBetweenness {
        of: Betweenness {
            method: BetweennessMethod::Approx,
            precision: Precision::new(epsilon, 1e-6).unwrap(),
            ..Betweenness::default()
        },
        lengths: case.source(),
        cutoff: cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap()),
    };
    measure.run(&case.graph()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn intervals_hold_exact_fractions(case in cases(), cut in 0..4usize) {
        let cutoff = match cut {
            0 => None,
            place => case.lengths.get(place).map(|length| 2.0 * length),
        };
        let (nodes, _) = case.betweenness_oracle(false, cutoff);
        let ranked = sampled(&case, 0.04, cutoff);
        let intervals = ranked.columns()[0].1.intervals.as_ref().unwrap();
        for (node, exact) in nodes.iter().map(double).enumerate() {
            let (lower, upper) = (intervals.lower[node], intervals.upper[node]);
            prop_assert!(
                lower <= exact * (1.0 + 1e-12) && exact <= upper * (1.0 + 1e-12),
                "node {}: {} is not from {} to {}", node, exact, lower, upper
            );
        }
    }
}

/// A chain of diamonds whose ways tie, and 2^300 paths from one end to the other.
#[test]
fn ways_that_tie_are_drawn_alike() {
    let mut arcs = Vec::new();
    for a in (0..300).map(|square| 3 * square) {
        arcs.extend([
            (a, a + 1, 0.1),
            (a, a + 2, 0.2),
            (a + 1, a + 3, 0.2),
            (a + 2, a + 3, 0.1),
        ]);
    }
    let case = Case::new(901, arcs);
    let [sampled, exact] = [sampled(&case, 0.02, None), case.betweenness(false, None)];
    let intervals = sampled.columns()[0].1.intervals.as_ref().unwrap();
    for (node, &score) in exact.values().iter().enumerate() {
        let (lower, upper) = (intervals.lower[node], intervals.upper[node]);
        assert!(
            lower <= score && score <= upper,
            "{node}: {lower} {score} {upper}"
        );
        let pairs = 900.0 * 899.0;
        assert!(upper - lower <= 0.04 * pairs, "{node}");
    }
}
