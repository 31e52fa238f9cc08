//! LeaderRank against exact fractions, and closed forms.

use ndarray::Array1;
use num_bigint::BigInt;
use num_traits::{Float, Signed, Zero};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Direction, Graph};
use webrank_linear::Matrix;
use webrank_measure::Measure;
use webrank_scores::{Scores, Status};
use webrank_testing::fixtures::weight;
use webrank_testing::graphs::*;
use webrank_testing::oracle::leaderrank::{Fraction, leaderrank as exact};
use webrank_testing::outcomes::{Relative, relative};
use webrank_walks::leaderrank::{LeaderRank, leaderrank};

/// The matrix of predecessors with the weights of the fixtures.
fn weighted(graph: &Arcs) -> Matrix {
    let rows = graph.matrix().rows().clone();
    let weights = (0..graph.0 as Node).flat_map(|j| {
        let row = rows.row(j).to_vec().into_iter();
        row.map(move |i| weight(i, j))
    });
    Matrix::weighted(rows.clone(), weights.collect()).unwrap()
}

fn run(matrix: Matrix, limits: &Limits) -> Scores {
    leaderrank(matrix, &LeaderRank::default(), limits, &Silent).unwrap()
}

fn plain(graph: &Arcs) -> Scores {
    run(graph.matrix(), &Limits::default())
}

fn fraction(x: f64) -> Fraction {
    let (mantissa, exponent, sign) = Float::integer_decode(x);
    let power = BigInt::from(2).pow(u32::from(exponent.unsigned_abs()));
    let size = Fraction::from(BigInt::from(mantissa) * sign);
    if exponent < 0 {
        size / power
    } else {
        size * power
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn scores_are_within_the_certified_bound_of_exact_ones(
        graph in graphs(),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-13)],
        sweeps in prop_oneof![Just(1), Just(4), Just(10_000)],
    ) {
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let limits = limits.max_iterations(sweeps).unwrap();
        let dense = graph.dense();
        let weights = |of: &dyn Fn(Node, Node) -> f64| -> Vec<Vec<u32>> {
            let n = graph.0;
            let arc = |i: usize, j: usize| {
                if dense[[i, j]] { of(i as Node, j as Node) as u32 } else { 0 }
            };
            (0..n).map(|i| (0..n).map(|j| arc(i, j)).collect()).collect()
        };
        for (matrix, weights) in [
            (graph.matrix(), weights(&|_, _| 1.0)),
            (weighted(&graph), weights(&weight)),
        ] {
            let truth = exact(&weights);
            let scores = run(matrix, &limits);
            let Relative { status, error_bound: bound, relative_error_bound: relative, .. } = relative(&scores);
            let errors = scores.values.iter().zip(&truth);
            let errors = errors.map(|(score, truth)| (fraction(*score) - truth).abs());
            let total = errors.fold(Fraction::zero(), |sum, error| sum + error);
            prop_assert!(!bound.is_finite() || total <= fraction(bound));
            if sweeps == 10_000 {
                prop_assert_eq!(status, Status::Converged);
                prop_assert!(relative <= tolerance && bound <= tolerance * graph.0 as f64);
            }
        }
    }

    #[test]
    fn where_arcs_come_in_pairs_scores_are_degrees_and_two(graph in graphs()) {
        let reversed = graph.1.iter().map(|&(i, j)| (j, i));
        let arcs = graph.1.iter().copied().chain(reversed);
        let graph = Arcs(graph.0, arcs.collect());
        let degrees: Array1<f64> = graph.adjacency().sum_axis(ndarray::Axis(1));
        let expected = degrees + 2.0;
        let scale = graph.0 as f64 / expected.sum();
        prop_assert!(l1(&plain(&graph).values, &(expected * scale)) < 1e-8);
    }

    #[test]
    fn relabelling_nodes_relabels_scores(
        (graph, names) in graphs().prop_flat_map(|graph| {
            let names = Just((0..graph.0 as Node).collect::<Vec<_>>()).prop_shuffle();
            (Just(graph), names)
        }),
    ) {
        let other = plain(&graph.relabelled(&names));
        let back: Array1<f64> = names.iter().map(|&name| other.values[name as usize]).collect();
        prop_assert!(l1(&plain(&graph).values, &back) < 1e-7);
    }
}

#[test]
fn a_hub_that_leads_nowhere() {
    // Each leaf and the hub is visited once from g; the hub also gets half of the visits of leaves.
    let leaves = 40;
    let star = Arcs(leaves + 1, (1..=leaves as Node).map(|i| (i, 0)).collect());
    let (leaf, hub) = (2.0, 2.0 + leaves as f64 / 2.0);
    let scale = (leaves + 1) as f64 / (hub + leaves as f64 * leaf);
    let scores = plain(&star).values;
    assert!((scores[0] - scale * hub).abs() < 1e-8);
    assert!((scores[1] - scale * leaf).abs() < 1e-8);
}

#[test]
fn without_arcs_and_on_a_cycle_all_scores_are_one() {
    for n in [0, 1, 5] {
        for graph in [Arcs(n, Vec::new()), cycle(n as Node)] {
            let scores = plain(&graph);
            assert!(scores.values.iter().all(|x| (x - 1.0).abs() < 1e-9));
            assert_eq!(relative(&scores).status, Status::Converged);
        }
    }
}

#[test]
fn walks_against_arcs_are_walks_on_the_reversed_graph() -> Result<()> {
    let arcs = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2)];
    let graph = Graph::from_arcs(4, arcs)?;
    let reversed = Graph::from_arcs(4, arcs.map(|(i, j)| (j, i)))?;
    let out = LeaderRank {
        direction: Direction::Out,
        ..LeaderRank::default()
    };
    let scores = out.run(&graph)?;
    assert_eq!(
        scores.values(),
        LeaderRank::default().run(&reversed)?.values()
    );
    assert_eq!(scores.run().parameters["direction"], "out");
    Ok(())
}

#[test]
fn a_score_too_large_for_its_own_certificate_has_another() {
    // All nodes lead to node 0, whose visits carry a rounding error above the tolerance, in units
    // of the other scores.
    let n = 100_000;
    let arcs = (1..n).flat_map(|i| [(i, 0), (i, i * 7919 % n), (i * 31 % n, i)]);
    let rows = Csr::from_arcs(n as usize, arcs.map(|(i, j)| (j, i))).unwrap();
    let limits = Limits::default().tolerance(1e-13).unwrap();
    let scores = run(Matrix::new(rows), &limits);
    let Relative {
        status,
        relative_error_bound: relative,
        ..
    } = relative(&scores);
    assert_eq!(status, Status::Converged, "{relative:e}");
    assert!((scores.values.sum() - f64::from(n)).abs() < 1e-8);
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let graph = large_graph();
    let runs = [1, 2, 3, 8].map(|threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let scores = pool.install(|| plain(&graph));
        let bits: Vec<u64> = scores.values.iter().map(|x| x.to_bits()).collect();
        (bits, format!("{:?}", scores.run.outcome))
    });
    assert!(runs[0].1.contains("Converged"), "{}", runs[0].1);
    assert!(runs.iter().all(|run| run == &runs[0]));
}
