//! Eigenvector centrality against the limit of the power method, and its bounds.

use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::{Outcome, Scores, Status};
use webrank_testing::graphs::*;
use webrank_testing::oracle::spectral::*;
use webrank_walks::eigenvector::{Dominance, Eigenvector, EigenvectorMethod, Norm, eigenvector};

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

fn dominant(graph: &Arcs) -> Result<Dominance> {
    eigenvector(
        &graph.matrix(),
        &Eigenvector::default(),
        &Limits::default(),
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
    fn the_eigenvalue_is_within_its_bounds_and_the_vector_fits(graph in periodic_or_acyclic()) {
        let a = graph.adjacency();
        let rho = radius(&a);
        match dominant(&graph) {
            Err(problem) => {
                prop_assert_eq!(rho, 0.0);
                prop_assert!(problem.to_string().contains("Katz"));
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
    fn scores_are_the_limit_of_the_power_method(graph in periodic_or_acyclic()) {
        let a = graph.adjacency();
        let rho = radius(&a);
        if let Ok(found) = dominant(&graph) {
            // With chained components of equal radius, convergence is as slow as 1/k.
            let limit = power_limit(&a, rho, 24);
            let error = l1(&found.scores.values, &limit);
            prop_assert!(error < 1e-5, "{} {} {}", error, found.scores.values, limit);
        }
    }

    #[test]
    fn components_of_equal_radius_share_as_in_the_limit(graph in chained_cycles()) {
        let found = dominant(&graph).unwrap();
        let limit = power_limit(&graph.adjacency(), 1.0, 24);
        let error = l1(&found.scores.values, &limit);
        prop_assert!(error < 1e-5, "{} {} {}", error, found.scores.values, limit);
        for (x, limit) in found.scores.values.iter().zip(&limit) {
            prop_assert_eq!(*x > 0.0, *limit > 1e-5);
        }
    }

    #[test]
    fn relabelling_nodes_relabels_scores(
        (graph, names) in periodic_or_acyclic().prop_flat_map(|graph| {
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
        let x = eigenvector(&graph.matrix(), &params, &Limits::default(), &Silent)
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
            let bits: Vec<u64> = found.scores.values.iter().map(|x| x.to_bits()).collect();
            (
                bits,
                format!("{:?}", found.scores.run.outcome),
                found.unresolved,
            )
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

fn by_powers(graph: &Arcs, max_sweeps: u32) -> Dominance {
    let params = Eigenvector {
        method: EigenvectorMethod::Power,
        ..Eigenvector::default()
    };
    let limits = Limits::default().max_iterations(max_sweeps).unwrap();
    eigenvector(&graph.matrix(), &params, &limits, &Silent).unwrap()
}

#[test]
fn the_power_method_finds_the_same_vector_and_tells_its_rate() {
    // Fibonacci's matrix: its eigenvalues are phi and -1 / phi.
    let graph = Arcs(2, vec![(0, 0), (0, 1), (1, 0)]);
    let [powers, arnoldi] = [by_powers(&graph, 1000), dominant(&graph).unwrap()];
    assert_eq!(powers.scores.run.method, "power");
    assert!(
        (&powers.scores.values - &arnoldi.scores.values)
            .mapv(f64::abs)
            .sum()
            < 1e-11
    );
    let phi = (1.0 + 5f64.sqrt()) / 2.0;
    assert!(
        (powers.rate.unwrap() - phi.powi(-2)).abs() < 1e-3,
        "{:?}",
        powers.rate
    );
    let (residual, bounds) = bounds(&powers.scores);
    assert!(residual < 1e-12 && bounds[0] <= phi && phi <= bounds[1]);
    assert_eq!(arnoldi.rate, None);
}

#[test]
fn the_power_method_has_no_limit_on_a_periodic_graph_and_says_so() {
    let star = Arcs(3, vec![(0, 1), (1, 0), (0, 2), (2, 0)]);
    let found = by_powers(&star, 50);
    assert!((found.rate.unwrap() - 1.0).abs() < 1e-9, "{:?}", found.rate);
    let Outcome::Eigen {
        status: Status::NotConverged,
        eigenvalue_bounds: Some([lower, upper]),
        ..
    } = found.scores.run.outcome
    else {
        panic!("{:?}", found.scores.run.outcome);
    };
    let radius = 2f64.sqrt();
    assert!(lower <= radius && radius <= upper, "{lower} {upper}");
}
