//! HITS and SALSA against their definitions on dense matrices.

use ndarray::{Array1, Array2};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_linear::Matrix;
use webrank_scores::{Outcome, Status};
use webrank_testing::fixtures::weight;
use webrank_testing::graphs::*;
use webrank_walks::hits::{HubsAndAuthorities, hits};
use webrank_walks::salsa::salsa;

/// Graphs of up to 12 nodes: self-loops, isolated nodes, several parts, no nodes at all.
fn graphs() -> impl Strategy<Value = Arcs> {
    (0usize..=12).prop_flat_map(|n| {
        let nodes = 0..n.max(1) as Node;
        let arcs =
            prop::collection::vec((nodes.clone(), nodes), 0..=if n == 0 { 0 } else { 3 * n });
        arcs.prop_map(move |arcs| Arcs(n, arcs))
    })
}

fn both(graph: &Arcs) -> (Matrix, Matrix) {
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    (Matrix::new(successors), Matrix::new(predecessors))
}

fn weighted(graph: &Arcs) -> (Matrix, Matrix) {
    let (successors, _) = both(graph);
    let rows = successors.rows().clone();
    let weights = (0..graph.0 as Node).flat_map(|i| {
        let row = rows.row(i).iter();
        row.map(move |&j| weight(i, j)).collect::<Vec<_>>()
    });
    let successors = Matrix::weighted(rows.clone(), weights.collect()).unwrap();
    let predecessors = successors.transposed().unwrap();
    (successors, predecessors)
}

fn run_hits(graph: &Arcs) -> HubsAndAuthorities {
    hits_of(&both(graph))
}

fn hits_of((successors, predecessors): &(Matrix, Matrix)) -> HubsAndAuthorities {
    hits(
        Successors(successors),
        Predecessors(predecessors),
        &Limits::default(),
        &Silent,
    )
    .unwrap()
}

fn weighted_adjacency(graph: &Arcs) -> Array2<f64> {
    let mut a = graph.adjacency();
    a.indexed_iter_mut()
        .for_each(|((i, j), a)| *a *= weight(i as Node, j as Node));
    a
}

/// M^(2^30) scaled: the projector on the dominant eigenvectors. More squarings would separate equal
/// eigenvalues by their roundings.
fn limit(mut matrix: Array2<f64>) -> Array2<f64> {
    for _ in 0..30 {
        let largest = matrix.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        matrix /= largest;
        matrix = matrix.dot(&matrix);
    }
    matrix
}

fn normalised(x: Array1<f64>) -> Array1<f64> {
    let sum = x.sum();
    if sum > 0.0 { x / sum } else { x }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn hits_is_the_limit_of_kleinbergs_iteration(graph in graphs()) {
        for (a, matrices) in [
            (graph.adjacency(), both(&graph)),
            (weighted_adjacency(&graph), weighted(&graph)),
        ] {
        let product = a.t().dot(&a);
        let start = a.sum_axis(ndarray::Axis(0)).mapv(|indegree| f64::from(indegree > 0.0));
        let expected = normalised(limit(product.clone()).dot(&start));
        let found = hits_of(&matrices);
        prop_assert!(l1(&found.authorities.values, &expected) < 1e-6, "{} {expected}", found.authorities.values);
        let hubs = normalised(a.dot(&expected));
        prop_assert!(l1(&found.hubs.values, &hubs) < 1e-6, "{} {hubs}", found.hubs.values);
        if let Outcome::Eigen { status, eigenvalue, .. } = found.authorities.run.outcome {
            prop_assert_eq!(status, Status::Converged);
            let lambda = product.dot(&expected).sum();
            prop_assert!((eigenvalue - lambda).abs() <= 1e-9 * lambda);
        } else {
            prop_assert!(graph.1.is_empty());
            prop_assert_eq!(found.authorities.values.sum(), 0.0);
        }
        }
    }

    #[test]
    fn salsa_is_the_long_run_of_its_walk(graph in graphs()) {
        for (a, (_, predecessors)) in [
            (graph.adjacency(), both(&graph)),
            (weighted_adjacency(&graph), weighted(&graph)),
        ] {
        let found = salsa(Predecessors(&predecessors)).unwrap();
        for (scores, arcs) in [(&found.authorities, a.clone()), (&found.hubs, a.t().to_owned())] {
            let stochastic = |m: Array2<f64>| {
                let sums = m.sum_axis(ndarray::Axis(1));
                m / sums.mapv(|sum| if sum > 0.0 { sum } else { 1.0 }).insert_axis(ndarray::Axis(1))
            };
            // Back to a predecessor, on to a successor; lazily, since the walk has a period.
            let walk = stochastic(arcs.t().to_owned()).dot(&stochastic(arcs.clone()));
            let indegrees = arcs.sum_axis(ndarray::Axis(0));
            let start: Array1<f64> = normalised(indegrees.mapv(|indegree| f64::from(indegree > 0.0)));
            let mut lazy = (walk + Array2::<f64>::eye(graph.0)) / 2.0;
            for _ in 0..20 {
                lazy = lazy.dot(&lazy);
            }
            let expected = start.dot(&lazy);
            prop_assert!(l1(&scores.values, &expected) < 1e-9, "{} {expected}", scores.values);
        }
        }
    }
}

#[test]
fn weighted_parts_whose_norms_agree_up_to_rounding_share_their_scores() {
    let arcs = [
        (11, 5),
        (8, 2),
        (1, 4),
        (8, 3),
        (6, 5),
        (0, 6),
        (0, 4),
        (7, 7),
        (2, 0),
    ];
    let graph = Arcs(12, arcs.to_vec());
    let a = weighted_adjacency(&graph);
    let start = a
        .sum_axis(ndarray::Axis(0))
        .mapv(|sum| f64::from(sum > 0.0));
    let expected = normalised(limit(a.t().dot(&a)).dot(&start));
    let found = hits_of(&weighted(&graph)).authorities.values;
    assert!(l1(&found, &expected) < 1e-6, "{found} {expected}");
}

#[test]
fn a_star_has_one_authority() {
    let star = Arcs(6, (1..6).map(|leaf| (leaf, 0)).collect());
    let hits = run_hits(&star);
    let (_, predecessors) = both(&star);
    let salsa = salsa(Predecessors(&predecessors)).unwrap();
    for (authorities, hubs) in [
        (hits.authorities, hits.hubs),
        (salsa.authorities, salsa.hubs),
    ] {
        assert_eq!(authorities.values[0], 1.0);
        assert!(
            hubs.values
                .iter()
                .skip(1)
                .all(|hub| (hub - 0.2).abs() < 1e-15)
        );
        assert_eq!(hubs.values[0], 0.0);
    }
}

#[test]
fn hits_leaves_the_smaller_part_nothing_and_salsa_its_share() {
    // Three hubs point to one authority; elsewhere there is one arc.
    let graph = Arcs(6, vec![(0, 3), (1, 3), (2, 3), (4, 5)]);
    let hits = run_hits(&graph);
    assert_eq!(hits.authorities.values[5], 0.0);
    assert_eq!(hits.unresolved, 1);
    let (_, predecessors) = both(&graph);
    let salsa = salsa(Predecessors(&predecessors)).unwrap();
    assert_eq!(salsa.authorities.values[3], 0.5);
    assert_eq!(salsa.authorities.values[5], 0.5);
    assert_eq!(salsa.hubs.values[4], 0.25);
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let arcs =
        (0..3000u32).flat_map(|i| [(i, i * 7919 % 3000), (i, i / 2), (i * 31 % 3000, i % 50)]);
    let graph = Arcs(3000, arcs.collect());
    let runs = [1, 2, 3, 8].map(|threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool.install(|| run_hits(&graph));
        [found.authorities.values, found.hubs.values]
    });
    for run in &runs[1..] {
        assert_eq!(run, &runs[0]);
    }
}
