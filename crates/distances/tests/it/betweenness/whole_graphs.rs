//! Betweenness of a real graph: its sum, its bits, and samples.

use super::engines::*;
use std::num::NonZeroUsize;
use std::time::Duration;
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::limits::Limits;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::exact::betweenness;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod, sampled_sources};
use webrank_distances::geometric::distances::distances;
use webrank_distances::reduction::Reductions;
use webrank_graph::Graph;
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Predecessors, StoredGraph, Successors};
use webrank_measure::Measure;
use webrank_scores::Outcome;

fn debian() -> (Csr, Csr) {
    let source = StoredGraph::open(webrank_testing::at!("graphs/debian.bv").as_ref()).unwrap();
    source.both(&Silent).unwrap()
}

#[test]
fn scores_of_a_whole_graph_add_up_to_its_distances() {
    let (successors, predecessors) = debian();
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    let found = betweenness(forward, backward, &plain(), &Silent).unwrap();
    let pairs = distances(backward, forward, &SearchSources::All, &Silent)
        .unwrap()
        .pairs;
    let expected: f64 = pairs
        .iter()
        .enumerate()
        .map(|(i, pairs)| i as f64 * pairs)
        .sum();
    let sum: f64 = found.values.iter().sum();
    assert!(
        (sum - expected).abs() <= 1e-12 * expected,
        "{sum} is not {expected}"
    );
}

#[test]
fn bits_depend_neither_on_threads_nor_on_vectors() {
    let (successors, _) = debian();
    let sources: Vec<Node> = (0..3000).collect();
    let run = |threads, simd| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| by_engine::<64>(&successors, Some(&sources), Reductions::ALL, simd))
    };
    let expected = run(1, Simd::best());
    for threads in [2, 3, 8] {
        assert_eq!(run(threads, Simd::best()), expected, "{threads} threads");
    }
    for simd in Simd::available() {
        assert_eq!(run(2, simd), expected, "{simd:?}");
    }
}

#[test]
fn samples_are_unbiased_and_within_their_bound() {
    let (successors, predecessors) = debian();
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    let exact = betweenness(forward, backward, &normalized(), &Silent)
        .unwrap()
        .values;
    let mut mean = 0.0;
    let top = (0..exact.len())
        .max_by(|&a, &b| exact[a].total_cmp(&exact[b]))
        .unwrap();
    for seed in 0..10 {
        let params = Betweenness {
            samples: NonZeroUsize::new(300).unwrap(),
            seed,
            ..normalized()
        };
        let found = sampled_sources::estimate(forward, backward, &params, &Silent).unwrap();
        let Outcome::Sampled { epsilon, .. } = found.run.outcome else {
            panic!("{:?}", found.run.outcome);
        };
        let error = (&found.values - &exact)
            .mapv(f64::abs)
            .fold(0.0, |a: f64, &b| a.max(b));
        assert!(error <= epsilon, "{error} > {epsilon}");
        mean += found.values[top] / 10.0;
    }
    assert!(
        (mean / exact[top] - 1.0).abs() < 0.1,
        "{mean} {}",
        exact[top]
    );
}

#[test]
fn a_graph_is_ranked_by_every_method() {
    let graph = Graph::open(webrank_testing::at!("graphs/debian.bv")).unwrap();
    let exact = plain().run(&graph).unwrap();
    let limits = Limits::default().time(Duration::ZERO);
    let problem = plain().run_within(&graph, &limits).err().unwrap();
    assert!(matches!(problem, Error::TakesLonger { .. }), "{problem}");
    let first = |method| {
        let params = Betweenness { method, ..plain() };
        let ranked = params.run_within(&graph, &limits).unwrap();
        let node = ranked.ranking().order()[0];
        (node, ranked.run().method, ranked.notes().to_vec())
    };
    let best = exact.ranking().order()[0];
    assert_eq!(first(BetweennessMethod::Approx), (best, "approx", vec![]));
    assert_eq!(first(BetweennessMethod::Sources), (best, "sources", vec![]));
    let (node, method, notes) = first(BetweennessMethod::Auto);
    assert_eq!((node, method), (best, "approx"));
    assert!(notes[0].contains("these are estimates"), "{notes:?}");
}
