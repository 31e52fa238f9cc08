//! What eigenvector centrality and Katz's index promise on every small graph.

mod oracle;
#[path = "support/pagerank.rs"]
mod support;

use ndarray::{Array1, Array2};
use oracle::spectral::{katz as dense_katz, power_limit, radius};
use proptest::prelude::*;
use support::{Arcs, cycle, l1, large_graph};
use webrank::centrality::eigenvector::{Dominance, Eigenvector, Norm, eigenvector};
use webrank::centrality::katz::{AUTO, Attenuation, Katz, Method, katz};
use webrank::error::Result;
use webrank::graph::{Csr, Node, Predecessors};
use webrank::linear::{Matrix, Tolerance};
use webrank::progress::Silent;
use webrank::scores::{Outcome, Scores, Status};

const METHODS: [Method; 2] = [Method::Power, Method::GaussSeidel];

/// Digraphs of up to 12 nodes: self-loops, isolated nodes, several components, some without
/// cycles, some periodic.
fn graphs() -> impl Strategy<Value = Arcs> {
    (1usize..=12, 0u8..4).prop_flat_map(|(n, kind)| {
        let arc = (0..n as Node, 0..n as Node);
        prop::collection::vec(arc, 0..3 * n).prop_map(move |mut arcs| {
            match kind {
                0 => arcs.retain(|(i, j)| (i + j) % 2 == 1),
                1 => arcs.retain(|(i, j)| i < j),
                _ => {}
            }
            Arcs(n, arcs)
        })
    })
}

/// Graphs whose components all have radius 1: cycles, chained by arcs from lower to higher ones.
fn chained_cycles() -> impl Strategy<Value = Arcs> {
    let lengths = prop::collection::vec(1u32..4, 1..5);
    let links = prop::collection::vec((0u32..12, 0u32..12), 0..6);
    (lengths, links).prop_map(|(lengths, links)| {
        let (mut arcs, mut first, mut cycle_of) = (Vec::new(), 0, Vec::new());
        for (cycle, &length) in lengths.iter().enumerate() {
            arcs.extend((0..length).map(|i| (first + i, first + (i + 1) % length)));
            cycle_of.extend((0..length).map(|_| cycle));
            first += length;
        }
        let links = links.into_iter().map(|(i, j)| (i % first, j % first));
        arcs.extend(links.filter(|&(i, j)| cycle_of[i as usize] < cycle_of[j as usize]));
        Arcs(first as usize, arcs)
    })
}

fn matrix(graph: &Arcs) -> Matrix {
    let reversed = graph.1.iter().map(|&(i, j)| (j, i));
    Matrix::new(Csr::from_arcs(graph.0, reversed).unwrap())
}

fn dense(graph: &Arcs) -> Array2<f64> {
    graph.dense().mapv(|arc| if arc { 1.0 } else { 0.0 })
}

fn dominant(graph: &Arcs) -> Result<Dominance> {
    eigenvector(
        Predecessors(&matrix(graph)),
        &Eigenvector::default(),
        &Silent,
    )
}

fn bounds(scores: &Scores) -> (f64, [f64; 2]) {
    match scores.run.outcome {
        Outcome::Eigen {
            status: Status::Converged,
            residual,
            eigenvalue_bounds: Some(eigenvalue_bounds),
            ..
        } => (residual, eigenvalue_bounds),
        ref other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_eigenvalue_is_within_its_bounds_and_the_vector_fits(graph in graphs()) {
        let a = dense(&graph);
        let rho = radius(&a);
        match dominant(&graph) {
            Err(problem) => {
                prop_assert_eq!(rho, 0.0);
                prop_assert!(problem.to_string().contains("rank katz"));
            }
            Ok(found) => {
                let (_, [lower, upper]) = bounds(&found.scores);
                prop_assert!(lower <= rho * (1.0 + 1e-13) && rho * (1.0 - 1e-13) <= upper);
                prop_assert!(upper - lower <= 1e-6 * rho, "{} {}", lower, upper);
                let x = &found.scores.values;
                prop_assert!((x.sum() - 1.0).abs() < 1e-14 && x.iter().all(|&x| x >= 0.0));
                prop_assert!(l1(&(x.dot(&a) / rho), x) < 1e-10);
            }
        }
    }

    #[test]
    fn scores_are_the_limit_of_the_power_method(graph in graphs()) {
        let a = dense(&graph);
        let rho = radius(&a);
        if let Ok(found) = dominant(&graph) {
            // Where components of equal radius are chained the limit is approached like 1/k.
            let limit = power_limit(&a, rho, 24);
            let error = l1(&found.scores.values, &limit);
            prop_assert!(error < 1e-5, "{} {} {}", error, found.scores.values, limit);
        }
    }

    #[test]
    fn components_of_equal_radius_share_as_in_the_limit(graph in chained_cycles()) {
        let found = dominant(&graph).unwrap();
        let limit = power_limit(&dense(&graph), 1.0, 24);
        let error = l1(&found.scores.values, &limit);
        prop_assert!(error < 1e-5, "{} {} {}", error, found.scores.values, limit);
        for (x, limit) in found.scores.values.iter().zip(&limit) {
            prop_assert_eq!(*x > 0.0, *limit > 1e-5);
        }
    }

    #[test]
    fn katz_is_within_its_certified_bound(
        graph in graphs(),
        share in prop_oneof![Just(0.1), Just(AUTO), Just(0.99)],
        beta in prop::collection::vec(prop_oneof![Just(0u8), 1..9u8], 12),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-12)],
    ) {
        let a = dense(&graph);
        let rho = radius(&a);
        let alpha = if rho > 0.0 { share / rho } else { 10.0 * share };
        let mut beta: Vec<f64> = beta[..graph.0].iter().map(|&b| b as f64).collect();
        beta[0] += 1.0;
        for beta in [None, Some(beta)] {
            let truth = dense_katz(&a, alpha, &beta.clone().unwrap_or(vec![1.0; graph.0]));
            for method in METHODS {
                let params = Katz {
                    alpha: Attenuation::new(alpha).unwrap(),
                    beta: beta.clone(),
                    method,
                    tolerance: Tolerance::new(tolerance).unwrap(),
                    ..Katz::default()
                };
                let scores = katz(Predecessors(&matrix(&graph)), &params, &Silent).unwrap().scores;
                let Outcome::Relative { status, error_bound, .. } = scores.run.outcome else {
                    unreachable!("Katz iterates");
                };
                let error = l1(&scores.values, &truth);
                // The oracle's own rounding is amplified too.
                let rounding = 1e-14 / (1.0 - alpha * rho) * truth.sum();
                prop_assert!(error <= error_bound + rounding, "{:e} {:e}", error, error_bound);
                if tolerance > 1e-10 {
                    prop_assert_eq!(status, Status::Converged, "{:?}", scores);
                    prop_assert!(error_bound <= 1.0001 * tolerance * truth.sum());
                }
            }
        }
    }

    #[test]
    fn katz_refuses_alphas_for_which_the_series_diverges(
        graph in graphs(),
        above in prop_oneof![Just(1.0), Just(1.001), Just(2.0)],
    ) {
        let rho = radius(&dense(&graph));
        if rho > 0.0 {
            let alpha = Attenuation::new(above / rho * (1.0 + 1e-13)).unwrap();
            let params = Katz { alpha, ..Katz::default() };
            let problem = katz(Predecessors(&matrix(&graph)), &params, &Silent).unwrap_err();
            prop_assert!(problem.to_string().contains("1/rho"), "{}", problem);
        }
    }

    #[test]
    fn relabelling_nodes_relabels_scores(
        (graph, names) in graphs().prop_flat_map(|graph| {
            let names = Just((0..graph.0 as Node).collect::<Vec<_>>()).prop_shuffle();
            (Just(graph), names)
        }),
    ) {
        let renamed = graph.relabelled(&names);
        let back = |scores: &Scores| -> ndarray::Array1<f64> {
            names.iter().map(|&name| scores.values[name as usize]).collect()
        };
        if let Ok(found) = dominant(&graph) {
            let other = dominant(&renamed).unwrap();
            prop_assert!(l1(&found.scores.values, &back(&other.scores)) < 1e-8);
        }
        let [ours, other] = [&graph, &renamed].map(|graph| {
            katz(Predecessors(&matrix(graph)), &Katz::default(), &Silent).unwrap().scores
        });
        prop_assert!(l1(&ours.values, &back(&other)) < 1e-7 * ours.values.sum());
    }
}

#[test]
fn a_cycle_gives_all_nodes_the_same() {
    let found = dominant(&cycle(50)).unwrap();
    assert!(found.scores.values.iter().all(|x| (x - 0.02).abs() < 1e-14));
    let (_, [lower, upper]) = bounds(&found.scores);
    assert!(lower <= 1.0 && 1.0 <= upper && upper - lower < 1e-12);
}

#[test]
fn a_self_loop_dominates_what_it_reaches() {
    // 0 has a loop and points to 1; 2 points to 0.
    let found = dominant(&Arcs(4, vec![(0, 0), (0, 1), (2, 0)])).unwrap();
    assert_eq!(found.scores.values.to_vec(), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!((found.positive, found.unresolved), (2, 0));
    assert_eq!(found.dominant.len(), 1);
}

#[test]
fn the_component_of_the_largest_radius_dominates_not_the_largest() {
    // A cycle of ten nodes, and a clique of four with radius 3.
    let mut arcs = cycle(10).1;
    let clique = (10..14).flat_map(|i| (10..14).map(move |j| (i, j)));
    arcs.extend(clique.filter(|(i, j)| i != j));
    arcs.push((0, 10));
    let found = dominant(&Arcs(14, arcs)).unwrap();
    assert_eq!(found.dominant.len(), 1);
    assert_eq!((found.dominant[0].first, found.dominant[0].nodes), (10, 4));
    assert!(found.scores.values.iter().take(10).all(|&x| x == 0.0));
    assert!(
        found
            .scores
            .values
            .iter()
            .skip(10)
            .all(|x| (x - 0.25).abs() < 1e-14)
    );
}

#[test]
fn norms_are_one() {
    let graph = Arcs(3, vec![(0, 1), (1, 0), (1, 2), (2, 2), (2, 0)]);
    for norm in [Norm::L1, Norm::L2, Norm::Max] {
        let params = Eigenvector {
            norm,
            ..Eigenvector::default()
        };
        let x = eigenvector(Predecessors(&matrix(&graph)), &params, &Silent)
            .unwrap()
            .scores
            .values;
        let length = match norm {
            Norm::L1 => x.sum(),
            Norm::L2 => x.dot(&x).sqrt(),
            Norm::Max => x.iter().copied().fold(0.0, f64::max),
        };
        assert!((length - 1.0).abs() < 1e-14);
    }
}

#[test]
fn graphs_without_arcs_or_nodes() {
    for n in [0, 1, 5] {
        let graph = Arcs(n, Vec::new());
        assert!(
            dominant(&graph)
                .unwrap_err()
                .to_string()
                .contains("no cycle")
        );
        let found = katz(Predecessors(&matrix(&graph)), &Katz::default(), &Silent).unwrap();
        assert_eq!(found.scores.values.to_vec(), vec![1.0; n]);
    }
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let graph = large_graph();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let found = dominant(&graph).unwrap();
            let mut results = vec![(found.scores, found.unresolved)];
            for method in METHODS {
                let params = Katz {
                    method,
                    ..Katz::default()
                };
                let found = katz(Predecessors(&matrix(&graph)), &params, &Silent).unwrap();
                results.push((found.scores, 0));
            }
            let bits = |scores: &Scores| -> Vec<u64> {
                scores.values.iter().map(|x| x.to_bits()).collect()
            };
            let outcome = |scores: &Scores| format!("{:?}", scores.run.outcome);
            results
                .iter()
                .map(|(s, u)| (bits(s), outcome(s), *u))
                .collect::<Vec<_>>()
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn chains_of_self_loops_are_certified_to_the_default_tolerance() {
    // x_0 = 1 / (1 - a), x_k = (1 + a x_(k-1)) / (1 - a): scores span many orders of magnitude.
    let n = 12;
    let loops = (0..n).map(|k| (k, k));
    let chain = Arcs(
        n as usize,
        loops.chain((1..n).map(|k| (k - 1, k))).collect(),
    );
    let a = 0.85;
    let params = Katz {
        alpha: Attenuation::new(a).unwrap(),
        ..Katz::default()
    };
    let found = katz(Predecessors(&matrix(&chain)), &params, &Silent).unwrap();
    let Outcome::Relative {
        status,
        error_bound,
        ..
    } = found.scores.run.outcome
    else {
        unreachable!("Katz iterates");
    };
    assert_eq!(status, Status::Converged);
    let mut expected = vec![1.0 / (1.0 - a)];
    for k in 1..n as usize {
        expected.push((1.0 + a * expected[k - 1]) / (1.0 - a));
    }
    let expected = Array1::from(expected);
    assert!(l1(&found.scores.values, &expected) <= error_bound + 1e-13 * expected.sum());
}
