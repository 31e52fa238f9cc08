//! Samples by passes, against exact scores.

use super::*;
use crate::geometric::closeness::{Closeness, Variant};
use crate::geometric::decay::Decay;
use crate::geometric::exact::geometric;
use crate::geometric::harmonic::Harmonic;
use crate::geometric::lin::Lin;
use crate::geometric::reachable::Reachable;
use crate::geometric::sampled::{IntervalKind, SampleSize};
use proptest::prelude::*;
use webrank_base::output::SpillBudget;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_linear::runs::compact::pack::Windows;
use webrank_testing::graphs::{mixed, shortcuts, towns};

const HARMONIC: Harmonic = Harmonic { normalize: false };

/// Scores from so many draws along `rows`, and true scores.
fn both(
    successors: &Csr,
    direction: Direction,
    sample: (u64, u64, IntervalKind),
    is_packed: bool,
) -> (DistanceScores, DistanceScores) {
    let predecessors = successors.transpose().unwrap();
    let (half, variant) = (Decay::default(), Variant::WassermanFaust);
    let faust = Closeness { variant };
    let measures: [&dyn DistanceMeasure; 5] = [&HARMONIC, &half, &Reachable, &Lin, &faust];
    // No interval of the last ones is proved.
    let is_proved = sample.2 == IntervalKind::Proved;
    let measures = &measures[..if is_proved { 3 } else { 5 }];
    let rows = match direction {
        Direction::In => &predecessors,
        Direction::Out => successors,
    };
    let budget = SpillBudget {
        bytes: u64::MAX,
        folder: None,
    };
    let rows = match is_packed {
        true => RunRows::pack_rows(rows, Windows::LARGEST, budget, &Silent).unwrap(),
        false => RunRows::new(rows.clone()),
    };
    let (sources, seed, intervals) = sample;
    let sweeping = Sweeping {
        rows: &rows,
        measures,
        direction,
        wanted: Sample {
            size: SampleSize::sources(sources, 0.1).unwrap(),
            seed,
            intervals,
            ..Sample::default()
        },
    };
    let (found, _) = sweeping.run(&Limits::default(), &Silent).unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(successors));
    let truth = geometric(p, s, direction, measures, &Silent).unwrap();
    (found, truth)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Loops, twins, equal rows, cycles, several components, nodes without arcs.
    #[test]
    fn draws_of_all_nodes_give_the_scores(
        n in 1usize..13,
        arcs in prop::collection::vec((0u32..13, 0u32..13), 0..50),
        is_out: bool,
        is_packed: bool,
        has_groups: bool,
    ) {
        let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
        let graph = Csr::from_arcs(n, arcs).unwrap();
        let direction = if is_out { Direction::Out } else { Direction::In };
        let intervals = match has_groups {
            true => IntervalKind::Auto,
            false => IntervalKind::Proved,
        };
        let (found, truth) = both(&graph, direction, (100, 0, intervals), is_packed);
        for (found, truth) in found.scores.iter().zip(&truth.scores) {
            for (found, truth) in found.values.iter().zip(&truth.values) {
                prop_assert!((found - truth).abs() <= 1e-12 * truth.max(1.0));
            }
        }
    }
}

/// More draws than a batch has, on towns with few roads between them, and on rings with shortcuts.
#[test]
fn intervals_hold_as_often_as_they_say() {
    for arcs in [shortcuts(1500), towns(1500)] {
        let graph = Csr::from_arcs(arcs.0, arcs.1).unwrap();
        for intervals in [IntervalKind::Estimated, IntervalKind::Proved] {
            let (mut inside, mut all, mut width) = (0, 0, 0.0);
            for seed in 0..8 {
                let (found, truth) = both(&graph, Direction::In, (600, seed, intervals), false);
                for (found, truth) in found.scores.iter().zip(&truth.scores) {
                    let its = found.intervals.as_ref().unwrap();
                    assert_eq!(its.claim.proved, intervals == IntervalKind::Proved);
                    for (x, truth) in truth.values.iter().enumerate() {
                        let is_inside = its.lower[x] <= *truth && *truth <= its.upper[x];
                        inside += usize::from(is_inside);
                        all += 1;
                        width += (its.upper[x] - its.lower[x]) / truth.max(1.0);
                    }
                }
            }
            let (share, width) = (inside as f64 / f64::from(all), width / f64::from(all));
            assert!(share > 0.93, "{intervals:?}: {share}, {width}");
            assert!(width < 1.0, "{intervals:?}: {width}");
        }
    }
}

/// Chains of 100 nodes that begin with a cycle, some nodes with loops, some rows equal.
#[test]
fn nodes_that_few_reach_are_exact() {
    let n = 3000;
    let inside = (0..n).filter(|x| x % 100 != 99);
    let chains = inside.flat_map(|x| [(x, x + 1), (x, if x % 7 == 0 { x } else { x + 1 })]);
    let cycles = (0..n)
        .step_by(100)
        .flat_map(|x| [(x + 2, x), (x + 50, x + 52)]);
    let graph = Csr::from_arcs(n as usize, chains.chain(cycles)).unwrap();
    for is_packed in [false, true] {
        let sample = (64, 5, IntervalKind::Auto);
        let (found, truth) = both(&graph, Direction::In, sample, is_packed);
        let reached = &truth.scores[2].values;
        let few = reached.iter().filter(|&&count| count <= 64.0);
        assert_eq!(few.count(), 30 * 65);
        for (found, truth) in found.scores.iter().zip(&truth.scores) {
            let its = found.intervals.as_ref().unwrap();
            for (x, &reached) in reached.iter().enumerate() {
                let is_exact = its.lower[x] == its.upper[x];
                assert!(is_exact || reached > 64.0, "{x}");
                assert!(!is_exact || reached < 68.0, "{x}");
                if is_exact {
                    assert_eq!(found.values[x].to_bits(), truth.values[x].to_bits(), "{x}");
                }
            }
        }
    }
}

/// Islands of 300 nodes, each of which few of the draws reach; and a chain with more levels than there are
/// passes.
#[test]
fn nodes_that_hundreds_reach_are_exact_if_these_are_near() {
    let (n, chain) = (12_000u32, 200);
    let islands = (chain..n).flat_map(|x| {
        let start = x - (x - chain) % 300;
        let size = (n - start).min(300);
        [17, 18].map(|salt| (start + mixed(x * salt) % size, x))
    });
    let arcs = (1..chain).map(|x| (x - 1, x)).chain(islands);
    let graph = Csr::from_arcs(n as usize, arcs).unwrap();
    let (found, truth) = both(&graph, Direction::In, (64, 5, IntervalKind::Auto), true);
    let reached = &truth.scores[2].values;
    let mut exact = [0, 0];
    for (found, truth) in found.scores.iter().zip(&truth.scores) {
        let its = found.intervals.as_ref().unwrap();
        for (x, truth) in truth.values.iter().enumerate() {
            if its.lower[x] == its.upper[x] {
                assert_eq!(found.values[x].to_bits(), truth.to_bits(), "{x}");
                exact[usize::from(reached[x] > 64.0)] += 1;
            }
            if x < chain as usize {
                assert_eq!(its.lower[x] == its.upper[x], x < 66, "{x}");
            }
        }
    }
    assert!(exact[1] > 20_000, "{exact:?}");
}

#[test]
fn few_draws_are_more_than_a_small_set_has() {
    assert_eq!(few(1024, 20_000_000, 1025), 2);
    assert_eq!(few(1024, 2_000_000, 1025), 5);
    assert_eq!(few(1024, 1 << 32, 65), 1);
    assert_eq!(few(1024, 1024, 65), FEW);
}

#[test]
fn threads_change_no_bit() {
    let n = 2000;
    let arcs = (0..4 * n).map(|i| (mixed(i) % n, mixed(i + 77_777) % n / 3));
    let graph = Csr::from_arcs(n as usize, arcs).unwrap();
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let (found, _) =
            pool.install(|| both(&graph, Direction::In, (700, 3, IntervalKind::Auto), true));
        let all = found.scores.into_iter().flat_map(|scores| {
            let its = scores.intervals.unwrap();
            [scores.values.to_vec(), its.lower, its.upper].concat()
        });
        all.map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(1), bits(3));
}
