//! Seeley's index against the long-run distribution of walks on dense matrices.

use crate::pagerank::runs::{self, params, within};
use ndarray::{Array1, Array2};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::Csr;
use webrank_linear::Matrix;
use webrank_scores::{Outcome, Status};
use webrank_testing::graphs::*;
use webrank_testing::oracle::spectral::long_run;
use webrank_walks::pagerank::Method;
use webrank_walks::seeley::{LongRun, Seeley, seeley};

/// Digraphs of up to 12 nodes: with several terminal components, dangling nodes or self-loops;
/// periodic, acyclic or strongly connected; without arcs.
fn graphs() -> impl Strategy<Value = Arcs> {
    (1usize..=12, 0u8..6).prop_flat_map(|(n, kind)| {
        let arc = (0..n as Node, 0..n as Node);
        prop::collection::vec(arc, 0..3 * n).prop_map(move |mut arcs| {
            match kind {
                0 => arcs.retain(|(i, j)| (i + j) % 2 == 1),
                1 => arcs.retain(|(i, j)| i < j),
                2 => arcs.extend(cycle(n as Node).1),
                // Arcs from even nodes only lead to even nodes.
                3 => arcs.retain(|(i, j)| i % 2 == 1 || j % 2 == 0),
                _ => {}
            }
            Arcs(n, arcs)
        })
    })
}

fn weight(i: Node, j: Node) -> f64 {
    [1.0, 0.01, 3.0, 700.0][((3 * i + 5 * j) % 4) as usize]
}

/// Rows of predecessors, and of successors; plain and with weights.
fn matrices(graph: &Arcs) -> [[Matrix; 2]; 2] {
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let weights = (0..graph.0 as Node).flat_map(|i| {
        let row = successors.row(i).to_vec().into_iter();
        row.map(move |j| weight(i, j))
    });
    let weighted = Matrix::weighted(successors.clone(), weights.collect()).unwrap();
    [Matrix::new(successors), weighted].map(|out| [out.transposed().unwrap(), out])
}

/// The dense matrices.
fn dense(graph: &Arcs) -> [Array2<f64>; 2] {
    let plain = graph.dense().mapv(f64::from);
    let mut weighted = plain.clone();
    let entries = weighted.indexed_iter_mut();
    entries.for_each(|((i, j), a)| *a *= weight(i as Node, j as Node));
    [plain, weighted]
}

fn run(graph: &Arcs) -> LongRun {
    let [[predecessors, _], _] = matrices(graph);
    long_run_of(&predecessors, &Limits::default())
}

fn long_run_of(rows: &Matrix, limits: &Limits) -> LongRun {
    seeley(rows, &Seeley::default(), limits, &Silent).unwrap()
}

fn outcome(found: &LongRun) -> (Status, Option<f64>) {
    match found.scores.run.outcome {
        Outcome::Stationary {
            status,
            error_bound,
            ..
        } => (status, error_bound),
        ref other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scores_are_the_long_run_of_walks_within_the_certified_bound(
        graph in graphs(),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-11)],
    ) {
        let limits = Limits::default().tolerance(tolerance).unwrap();
        for ([predecessors, successors], weights) in matrices(&graph).iter().zip(dense(&graph)) {
            let [along, against] =
                [predecessors, successors].map(|rows| long_run_of(rows, &limits));
            for (found, weights) in [(along, weights.clone()), (against, weights.t().to_owned())] {
                let truth = long_run(&weights);
                let (status, bound) = outcome(&found);
                let error = l1(&found.scores.values, &truth);
                // The oracle rounds too.
                prop_assert!(error <= bound.unwrap() + 1e-10, "{error:e} {bound:?} {truth}");
                // Weights make walks stay for up to 10^5 steps, which multiply roundings and bounds.
                if predecessors.weights().is_none() && tolerance > 1e-10 {
                    prop_assert_eq!(status, Status::Converged, "{:?}", bound);
                    prop_assert!(bound.unwrap() <= tolerance);
                }
                prop_assert!((found.scores.values.sum() - 1.0).abs() < 1e-14);
                let zeros = found.scores.values.iter().filter(|&&x| x == 0.0).count();
                prop_assert_eq!(zeros, found.num_transient);
            }
        }
    }

    #[test]
    fn symmetric_graphs_score_by_degree(graph in graphs()) {
        let mut arcs = graph.1.clone();
        arcs.extend(graph.1.iter().map(|&(i, j)| (j, i)));
        // A hub makes it connected.
        arcs.extend((1..graph.0 as Node).flat_map(|i| [(0, i), (i, 0)]));
        let graph = Arcs(graph.0, arcs);
        let found = run(&graph);
        let degrees: Array1<f64> = graph.dense().mapv(f64::from).sum_axis(ndarray::Axis(1));
        let expected = match degrees.sum() {
            0.0 => Array1::ones(1),
            total => degrees / total,
        };
        prop_assert!(l1(&found.scores.values, &expected) < 1e-12);
    }
}

#[test]
fn pagerank_tends_to_it() {
    // 1 leads to the cycle of 0 and 2, and to the loop 3.
    let graph = Arcs(4, vec![(1, 2), (2, 0), (0, 2), (1, 3), (3, 3)]);
    let found = run(&graph);
    for (alpha, near) in [(0.99, 1e-2), (0.999, 1e-3)] {
        let scores = runs::run(&graph, &params(alpha, Method::GaussSeidel), &within(1e-9));
        assert!(l1(&scores.values, &found.scores.values) < near);
    }
}

#[test]
fn terminal_components_have_the_probability_of_ending_there() {
    // 0 goes to the loop 1, or to the cycle of 2 and 3 twice as often; 4 is alone.
    let graph = Arcs(
        6,
        vec![(0, 1), (0, 2), (0, 3), (1, 1), (2, 3), (3, 2), (5, 5)],
    );
    let found = run(&graph);
    let sixth = 1.0 / 6.0;
    let expected = [0.0, 4.0 / 3.0, 4.0 / 3.0, 4.0 / 3.0, 1.0, 1.0].map(|x| x * sixth);
    assert!(l1(&found.scores.values, &Array1::from(expected.to_vec())) < 1e-14);
    assert_eq!((found.num_components, found.num_terminal), (5, 4));
    assert_eq!((found.num_single, found.num_transient), (3, 1));
    let first = found.first.unwrap();
    assert_eq!((first.first, first.nodes), (2, 2));
    assert!((first.mass - 2.0 * 4.0 / 3.0 * sixth).abs() < 1e-14);
}

#[test]
fn single_nodes_need_no_iteration() {
    for graph in [Arcs(1, vec![]), Arcs(1, vec![(0, 0)])] {
        let found = run(&graph);
        assert_eq!(found.scores.values.to_vec(), [1.0]);
        let Outcome::Stationary { iterations, .. } = found.scores.run.outcome else {
            unreachable!("Seeley's index is stationary");
        };
        assert_eq!(iterations, 0);
    }
    let none = run(&Arcs(0, vec![]));
    assert!(none.scores.values.is_empty() && none.first.is_none());
    let three = run(&Arcs(3, vec![]));
    assert!(
        three
            .scores
            .values
            .iter()
            .all(|x| (x - 1.0 / 3.0).abs() < 1e-15)
    );
}

#[test]
fn slow_walks_are_certified_or_said_not_to_be() {
    // Two cliques of 30 nodes with one arc each way between.
    let clique = |first: Node| {
        let nodes = first..first + 30;
        nodes
            .clone()
            .flat_map(move |i| nodes.clone().map(move |j| (i, j)))
    };
    let mut arcs: Vec<_> = clique(0)
        .chain(clique(30))
        .filter(|(i, j)| i != j)
        .collect();
    arcs.extend([(0, 30), (31, 1)]);
    let graph = Arcs(60, arcs);
    let found = run(&graph);
    let (status, bound) = outcome(&found);
    assert_eq!(status, Status::Converged);
    let truth = long_run(&graph.dense().mapv(f64::from));
    assert!(l1(&found.scores.values, &truth) <= bound.unwrap() + 1e-10);
    let [[predecessors, _], _] = matrices(&graph);
    let limits = Limits::default().max_iterations(2).unwrap();
    let hasty = long_run_of(&predecessors, &limits);
    assert_eq!(outcome(&hasty), (Status::NotConverged, None));
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let graph = large_graph();
    let runs = [1, 2, 3, 8].map(|threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool.install(|| run(&graph));
        let scores: Vec<u64> = found.scores.values.iter().map(|x| x.to_bits()).collect();
        (scores, format!("{:?}", found.scores.run.outcome))
    });
    assert!(runs[0].1.contains("Converged"), "{}", runs[0].1);
    for run in &runs[1..] {
        assert!(run == &runs[0]);
    }
}
