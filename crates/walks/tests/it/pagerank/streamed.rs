//! PageRank of graphs that stay compressed: the certified bound, the bits, and refused options.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use std::path::Path;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Compressed, Csr, StoredGraph};
use webrank_linear::StopRule;
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_scores::{Scores, Status};
use webrank_testing::graphs::*;
use webrank_testing::oracle;
use webrank_walks::pagerank::{Method, PageRank, pagerank_streamed};

/// Ranks a graph from a separate compressed file.
fn streamed(
    graph: &Arcs,
    params: &PageRank,
    stop: &StopRule,
) -> webrank_base::error::Result<Scores> {
    let folder = tempfile::tempdir().unwrap();
    pagerank_streamed(&on_disk(graph, folder.path()), params, stop, &Silent)
}

/// The graph, compressed in a folder.
fn on_disk(graph: &Arcs, folder: &Path) -> Compressed {
    let path = folder.join("graph.bv");
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    write_bundle(&successors, None, &path, BundleOptions::default()).unwrap();
    StoredGraph::open(&path).unwrap().streamed().unwrap()
}

/// Positive weights from 1 to 1e-300.
fn adversarial(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 10f64.powi(-((i * 7919 % 301) as i32)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_certified_bound_holds(
        graph in webs(12),
        alpha in prop_oneof![Just(0.0), Just(0.5), Just(0.85), Just(0.99)],
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-12)],
    ) {
        let n = graph.0;
        let even = vec![1.0 / n as f64; n];
        let Distribution::Dense(v) = weights(&adversarial(n)) else { unreachable!() };
        let variants = [
            (Distribution::Uniform, Dangling::Preference, &even[..], &even[..]),
            (weights(&v), Dangling::Preference, &v, &v),
            (weights(&v), Dangling::Uniform, &v, &even),
            (weights(&v), Dangling::None, &v, &vec![0.0; n]),
        ];
        for (preference, dangling, v, u) in variants {
            let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, v, u);
            let params = PageRank { preference, dangling, ..params(alpha, Method::Power) };
            let scores = streamed(&graph, &params, &within(tolerance)).unwrap();
            let (status, _, bound) = outcome(&scores);
            let error = l1(&scores.values, &truth);
            prop_assert!(error <= bound, "{error:e} > {bound:e}");
            prop_assert_eq!(status, Status::Converged);
            prop_assert!(bound <= tolerance);
        }
    }

    #[test]
    fn forms_agree_and_threads_do_not_matter(graph in webs(400)) {
        let params = params(0.85, Method::Power);
        let in_memory = run(&graph, &params, &within(1e-10));
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| streamed(&graph, &params, &within(1e-10)).unwrap())
        };
        let scores = with_threads(1);
        prop_assert!(l1(&scores.values, &in_memory.values) <= outcome(&scores).2 + outcome(&in_memory).2);
        for threads in [2, 3] {
            prop_assert_eq!(bits(&with_threads(threads)), bits(&scores));
        }
    }
}

/// A graph large enough for several tasks, whose running sums of differences carry over.
#[test]
fn long_runs_cross_tasks() {
    let n = 40_000;
    let to_all = |source: Node| {
        (0..n)
            .step_by(1 + source as usize % 3)
            .map(move |to| (source, to))
    };
    let arcs: Vec<_> = (0..40).flat_map(|place| to_all(place * 997)).collect();
    let graph = Arcs(n as usize, arcs);
    let params = params(0.85, Method::Power);
    let [streamed, in_memory] = [
        streamed(&graph, &params, &within(1e-11)).unwrap(),
        run(&graph, &params, &within(1e-11)),
    ];
    assert!(l1(&streamed.values, &in_memory.values) <= 2e-11);
    assert_eq!(outcome(&streamed).0, Status::Converged);
}

/// A dangling node gets a tenth of the mass or more, and each live node thousands of times less: sums for it need
/// larger numbers than sweeps over live nodes.
#[test]
fn a_dangling_node_may_get_most() {
    let n = 20_000;
    let arcs = (1..n).flat_map(|node| [(node, node % (n - 1) + 1), (node, 0)]);
    let graph = Arcs(n as usize, arcs.collect());
    for dangling in [Dangling::Uniform, Dangling::None] {
        let params = PageRank {
            dangling,
            ..params(0.85, Method::Power)
        };
        let [streamed, in_memory] = [
            streamed(&graph, &params, &within(1e-12)).unwrap(),
            run(&graph, &params, &within(1e-12)),
        ];
        assert!(streamed.values[0] > 0.1, "{}", streamed.values[0]);
        assert!(l1(&streamed.values, &in_memory.values) <= 2e-12);
        assert_eq!(outcome(&streamed).0, Status::Converged);
    }
}

#[test]
fn nodes_with_equal_predecessors_get_equal_bits() {
    let arcs = (0..300).flat_map(|i| [(i, 299 - i), (i, 300), (i, 301), (i, i / 7)]);
    let graph = Arcs(302, arcs.collect());
    let scores = streamed(&graph, &params(0.85, Method::Power), &within(1e-9)).unwrap();
    assert_eq!(scores.values[300].to_bits(), scores.values[301].to_bits());
}

#[test]
fn certificates_may_come_right_before_an_extrapolation() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(&Arcs(3, vec![(1, 2)]), folder.path());
    let stop = StopRule {
        max_iterations: 300,
        ..within(1e-15)
    };
    for weight in [9569760.687482165, 1e3, 1e5, 1e9, 1e12] {
        let start = weights(&[1.0, weight, 0.0]);
        for dangling in [
            Dangling::Preference,
            Dangling::Uniform,
            Dangling::None,
            Dangling::Vector(weights(&[1.0, 0.0, 0.0])),
        ] {
            let params = PageRank {
                preference: start.clone(),
                dangling,
                ..params(0.85, Method::Power)
            };
            let scores = pagerank_streamed(&graph, &params, &stop, &Silent).unwrap();
            assert!(outcome(&scores).2 < 1e-13);
        }
    }
}

#[test]
fn what_needs_rows_in_memory_is_refused() {
    let graph = Arcs(2, vec![(0, 1)]);
    let refused = |params: &PageRank, stop: &StopRule| {
        streamed(&graph, params, stop).unwrap_err().to_string()
    };
    let problem = refused(&params(0.85, Method::GaussSeidel), &within(1e-9));
    assert!(problem.contains("method is gauss-seidel"), "{problem}");
    let top = StopRule {
        certify_top: Some(1),
        ..within(1e-9)
    };
    let problem = refused(&params(0.85, Method::Power), &top);
    assert!(problem.contains("certify_top is 1"), "{problem}");
}

#[test]
fn a_file_with_another_number_of_arcs_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.bv");
    let graph = Csr::from_arcs(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    write_bundle(&graph, None, &path, BundleOptions::default()).unwrap();
    std::fs::remove_file(path.join("manifest.json")).unwrap();
    for properties in ["graph.properties", "transpose.properties"] {
        let file = path.join(properties);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("arcs=3", "arcs=4")).unwrap();
    }
    let graph = StoredGraph::open(&path).unwrap().streamed().unwrap();
    let scores = pagerank_streamed(&graph, &PageRank::default(), &within(1e-9), &Silent);
    let problem = scores.unwrap_err().to_string();
    assert!(problem.contains("fewer arcs than the 4"), "{problem}");
}

#[test]
fn graphs_without_nodes_or_arcs() {
    let empty = streamed(&Arcs(0, vec![]), &PageRank::default(), &within(1e-9)).unwrap();
    assert_eq!(empty.values.len(), 0);
    let one = streamed(&Arcs(1, vec![]), &PageRank::default(), &within(1e-9)).unwrap();
    assert_eq!(one.values[0], 1.0);
}
