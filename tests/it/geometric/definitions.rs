//! Geometric measures against their definitions, closed forms and invariances.

use crate::oracle::distances as oracle;
use crate::support::graphs::digraphs;
use proptest::prelude::*;
use webrank::centrality::geometric::closeness::Variant;
use webrank::centrality::geometric::decay::Base;
use webrank::centrality::geometric::{Direction, Geometric, Measure, geometric};
use webrank::graph::{Csr, Node, Predecessors, Successors};
use webrank::progress::Silent;

const MEASURES: [Measure; 9] = [
    Measure::Closeness(Variant::Bavelas),
    Measure::Closeness(Variant::Lin),
    Measure::Closeness(Variant::Nieminen),
    Measure::Closeness(Variant::WassermanFaust),
    Measure::Harmonic { normalize: false },
    Measure::Harmonic { normalize: true },
    Measure::Lin,
    Measure::Reachable,
    Measure::Eccentricity,
];

fn run(
    num_nodes: usize,
    arcs: &[(Node, Node)],
    direction: Direction,
    measures: &[Measure],
) -> Geometric {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    geometric(
        Predecessors(&predecessors),
        Successors(&successors),
        direction,
        measures,
        &Silent,
    )
    .unwrap()
}

fn scores(num_nodes: usize, arcs: &[(Node, Node)], measure: Measure) -> Vec<f64> {
    let result = run(num_nodes, arcs, Direction::In, &[measure]);
    result.scores[0].values.to_vec()
}

/// A score straight from a definition and a list of distances.
fn by_definition(measure: Measure, distances: &[u32], num_nodes: usize) -> f64 {
    let r = distances.len() as f64;
    let sum: f64 = distances.iter().map(|&d| d as f64).sum();
    let harmonic: f64 = distances.iter().map(|&d| 1.0 / d as f64).sum();
    let others = (num_nodes as f64 - 1.0).max(1.0);
    match measure {
        Measure::Closeness(Variant::Bavelas) => {
            if sum == 0.0 {
                0.0
            } else {
                1.0 / sum
            }
        }
        Measure::Closeness(Variant::Lin) | Measure::Lin => {
            if sum == 0.0 {
                1.0
            } else {
                (r + 1.0) * (r + 1.0) / sum
            }
        }
        Measure::Closeness(Variant::Nieminen) => (r + 1.0) * (r + 1.0) - sum,
        Measure::Closeness(Variant::WassermanFaust) => {
            if sum == 0.0 {
                0.0
            } else {
                r / others * r / sum
            }
        }
        Measure::Harmonic { normalize: false } => harmonic,
        Measure::Harmonic { normalize: true } => harmonic / others,
        Measure::Reachable => r,
        Measure::Eccentricity => distances.iter().copied().max().unwrap_or(0) as f64,
        Measure::Decay(base) => distances.iter().map(|&d| base.get().powi(d as i32)).sum(),
    }
}

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-12 * expected.abs(),
        "{found} is not {expected}"
    );
}

proptest! {
    #[test]
    fn scores_equal_their_definitions((n, arcs) in digraphs(), base in 0.01f64..0.99) {
        let mut measures = MEASURES.to_vec();
        measures.push(Measure::Decay(Base::new(base).unwrap()));
        let distances = oracle::distances(n, &arcs);
        for (direction, outgoing) in [(Direction::In, false), (Direction::Out, true)] {
            let result = run(n, &arcs, direction, &measures);
            let mut pairs = 0;
            for x in 0..n {
                let of_node = oracle::of_node(&distances, x, outgoing);
                pairs += of_node.len() as u64;
                for (scores, &measure) in result.scores.iter().zip(&measures) {
                    assert_close(scores.values[x], by_definition(measure, &of_node, n));
                }
            }
            prop_assert_eq!(result.reachable_pairs, pairs);
        }
    }

    #[test]
    fn relabelling_relabels_the_scores(
        (n, arcs, new) in digraphs().prop_flat_map(|(n, arcs)| {
            let labels: Vec<Node> = (0..n as Node).collect();
            (Just(n), Just(arcs), Just(labels).prop_shuffle())
        }),
    ) {
        let moved: Vec<_> = arcs
            .iter()
            .map(|&(y, x)| (new[y as usize], new[x as usize]))
            .collect();
        let before = run(n, &arcs, Direction::In, &MEASURES);
        let after = run(n, &moved, Direction::In, &MEASURES);
        for (before, after) in before.scores.iter().zip(&after.scores) {
            for (x, &moved) in new.iter().enumerate() {
                let (before, after) = (before.values[x], after.values[moved as usize]);
                prop_assert_eq!(before.to_bits(), after.to_bits());
            }
        }
    }

    #[test]
    fn another_component_changes_only_what_divides_by_n((n, arcs) in digraphs()) {
        let both: Vec<_> = arcs
            .iter()
            .flat_map(|&(y, x)| [(y, x), (y + n as Node, x + n as Node)])
            .collect();
        let measures = [MEASURES[0], MEASURES[1], MEASURES[4], MEASURES[7], MEASURES[8]];
        let alone = run(n, &arcs, Direction::In, &measures);
        let together = run(2 * n, &both, Direction::In, &measures);
        for (alone, together) in alone.scores.iter().zip(&together.scores) {
            for x in 0..n {
                prop_assert_eq!(alone.values[x], together.values[x]);
                prop_assert_eq!(alone.values[x], together.values[x + n]);
            }
        }
        prop_assert_eq!(together.reachable_pairs, 2 * alone.reachable_pairs);
    }

    #[test]
    fn measures_do_not_disturb_each_other((n, arcs) in digraphs()) {
        let together = run(n, &arcs, Direction::In, &MEASURES);
        for (scores, &measure) in together.scores.iter().zip(&MEASURES) {
            let alone = run(n, &arcs, Direction::In, &[measure]);
            prop_assert_eq!(&alone.scores[0].values, &scores.values);
        }
    }
}

#[test]
fn on_a_path_distances_are_differences() {
    let arcs: Vec<_> = (1..9).map(|x| (x - 1, x)).collect();
    let harmonic = scores(9, &arcs, Measure::Harmonic { normalize: false });
    let closeness = scores(9, &arcs, Measure::Closeness(Variant::Bavelas));
    let eccentricity = scores(9, &arcs, Measure::Eccentricity);
    for x in 0..9usize {
        assert_close(harmonic[x], (1..=x).map(|d| 1.0 / d as f64).sum());
        let sum = x * (x + 1) / 2;
        assert_close(closeness[x], if x == 0 { 0.0 } else { 1.0 / sum as f64 });
        assert_eq!(eccentricity[x], x as f64);
    }
}

#[test]
fn on_a_star_the_centre_is_one_step_from_everyone() {
    let arcs: Vec<_> = (1..8).map(|x| (x, 0)).collect();
    let lin = scores(8, &arcs, Measure::Lin);
    assert_eq!(lin[0], 64.0 / 7.0);
    assert!(lin[1..].iter().all(|&score| score == 1.0));
    let normalized = scores(8, &arcs, Measure::Harmonic { normalize: true });
    assert_eq!(normalized[0], 1.0);
    let closeness = scores(8, &arcs, Measure::Closeness(Variant::WassermanFaust));
    assert_eq!(closeness[0], 1.0);
    assert_eq!(closeness[3], 0.0);
}

/// The graph of Boldi and Vigna, "Axioms for centrality", section 4: a clique of k nodes beside a
/// directed cycle of p nodes.
#[test]
fn clique_and_cycle_of_the_axioms() {
    let (k, p) = (7u32, 10u32);
    let clique = (0..k).flat_map(|y| (0..k).filter(move |&x| x != y).map(move |x| (y, x)));
    let cycle = (0..p).map(|i| (k + i, k + (i + 1) % p));
    let arcs: Vec<_> = clique.chain(cycle).collect();
    let n = (k + p) as usize;
    let (in_clique, in_cycle) = (3usize, (k + 4) as usize);
    let (k, p) = (k as f64, p as f64);

    let closeness = scores(n, &arcs, Measure::Closeness(Variant::Bavelas));
    assert_close(closeness[in_clique], 1.0 / (k - 1.0));
    assert_close(closeness[in_cycle], 2.0 / (p * (p - 1.0)));
    let lin = scores(n, &arcs, Measure::Lin);
    assert_close(lin[in_clique], k * k / (k - 1.0));
    assert_close(lin[in_cycle], 2.0 * p / (p - 1.0));
    let harmonic = scores(n, &arcs, Measure::Harmonic { normalize: false });
    assert_close(harmonic[in_clique], k - 1.0);
    assert_close(harmonic[in_cycle], (1..10).map(|d| 1.0 / d as f64).sum());
}

#[test]
fn reachable_share_is_one_only_when_strongly_connected() {
    let cycle = [(0, 1), (1, 2), (2, 0)];
    assert_eq!(run(3, &cycle, Direction::In, &[]).reachable_share(3), 1.0);
    assert_eq!(
        run(3, &cycle[..2], Direction::Out, &[]).reachable_share(3),
        0.5
    );
    assert_eq!(
        run(1, &[(0, 0)], Direction::In, &[]).reachable_share(1),
        1.0
    );
    assert_eq!(run(0, &[], Direction::In, &[]).reachable_share(0), 1.0);
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let arcs: Vec<_> = (0..3000u32)
        .flat_map(|x| [(x, x * 7 % 3000), (x, x * x % 3000), (x, (x + 1) % 2999)])
        .collect();
    let bits = || -> Vec<u64> {
        let result = run(3000, &arcs, Direction::In, &MEASURES);
        let values = result.scores.iter().flat_map(|scores| scores.values.iter());
        values.map(|value| value.to_bits()).collect()
    };
    let expected = bits();
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(bits) == expected, "{threads} threads");
    }
}

#[test]
fn bases_outside_the_open_unit_interval_are_refused() {
    for base in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        assert!(Base::new(base).is_err(), "{base}");
    }
}
