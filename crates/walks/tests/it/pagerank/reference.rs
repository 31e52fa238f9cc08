//! The fast methods against the plain one.

use crate::pagerank::runs::*;
use ndarray::Array1;
use proptest::prelude::*;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Graph, StoredGraph, Successors};
use webrank_measure::Measure;
use webrank_testing::graphs::*;
use webrank_walks::pagerank::PageRank;
use webrank_walks::pagerank::methods::reference::reference;

/// So many iterations that the remaining error, 2 alpha^k, is below the rounding of doubles.
fn sweeps(alpha: f64) -> u32 {
    if alpha == 0.0 {
        return 1;
    }
    ((1e-17f64).ln() / alpha.ln()).ceil().min(1e6) as u32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_method_finds_what_the_plain_one_finds(
        (graph, v, u) in problems(), alpha in 0.0..0.95f64,
    ) {
        let (v, u) = (entries(&v), entries(&u));
        let rows = Csr::from_arcs(graph.0, graph.1.clone()).unwrap();
        for (dangling, _) in danglings(&v, &u) {
            for method in METHODS {
                let params = PageRank {
                    preference: weights(&v),
                    dangling: dangling.clone(),
                    ..params(alpha, method)
                };
                let plain = reference(Successors(&rows), &params, sweeps(alpha));
                let scores = run(&graph, &params, &within(1e-12));
                let error = l1(&scores.values, &Array1::from_vec(plain));
                prop_assert!(error <= 1e-12 + 1e-13 / (1.0 - alpha), "{method:?}: {error:e}");
            }
        }
    }
}

#[test]
fn a_real_graph_has_the_scores_of_the_plain_method() {
    let path = webrank_testing::at!("graphs/rust-doc.bv");
    let rows = StoredGraph::open(path.as_ref())
        .unwrap()
        .successors(&Silent)
        .unwrap();
    let plain = reference(Successors(&rows), &PageRank::default(), sweeps(0.85));
    let limits = Limits::default().tolerance(1e-12).unwrap();
    let ranked = PageRank::default()
        .run_within(&Graph::open(path).unwrap(), &limits)
        .unwrap();
    let errors = plain
        .iter()
        .zip(ranked.values())
        .map(|(a, b)| (a - b).abs());
    assert!(errors.sum::<f64>() < 2e-12);
}
