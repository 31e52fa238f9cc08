//! Betweenness against its definition: every engine, every reduction.

use super::engines::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::arcs::arc_betweenness;
use webrank_distances::betweenness::path_count::Wide;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod, sampled_sources};
use webrank_distances::reduction::Reductions;
use webrank_graph::{Predecessors, Successors};
use webrank_scores::Outcome;
use webrank_testing::oracle::betweenness as oracle;

fn every_graph() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    prop_oneof![digraph(), chained(), blown_up()]
}

proptest! {
    #[test]
    fn scores_are_as_defined((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let all: Vec<Node> = (0..n as Node).collect();
        for endpoints in [false, true] {
            let params = Betweenness { endpoints, ..Betweenness::default() };
            assert_close(&scores(&graph, &params), &oracle::of_nodes(n, &arcs, &all, endpoints));
        }
    }

    #[test]
    fn one_source_at_a_time_is_as_defined((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let all: Vec<Node> = (0..n as Node).collect();
        let expected = oracle::of_nodes(n, &arcs, &all, false);
        assert_close(&one_by_one::<f64>(&graph).unwrap(), &expected);
        assert_close(&one_by_one::<Wide>(&graph).unwrap(), &expected);
    }

    #[test]
    fn no_reduction_and_no_number_of_lanes_changes_a_score((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let expected = one_by_one::<f64>(&graph).unwrap();
        for steps in all_steps() {
            assert_close(&by_engine::<1>(&graph, None, steps, Simd::Plain), &expected);
            assert_close(&by_engine::<8>(&graph, None, steps, Simd::best()), &expected);
        }
        assert_close(&by_engine::<64>(&graph, None, Reductions::ALL, Simd::best()), &expected);
    }

    #[test]
    fn paths_from_some_sources_only(
        (n, arcs) in every_graph(),
        chosen in prop::collection::vec(any::<bool>(), 20),
    ) {
        let graph = graph(n, &arcs);
        let sources: Vec<Node> = (0..n as Node).filter(|&x| chosen[x as usize]).collect();
        let expected = oracle::of_nodes(n, &arcs, &sources, false);
        for steps in [Reductions::NONE, Reductions::ALL] {
            let found = by_engine::<16>(&graph, Some(&sources), steps, Simd::best());
            assert_close(&found, &expected);
        }
    }

    #[test]
    fn arcs_are_as_defined((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let pairs = oracle::pairs(n, &arcs);
        let found = arc_betweenness(Successors(&graph), false, &Silent).unwrap();
        let mut values = found.0.iter();
        for v in 0..n {
            for &w in graph.row(v as Node) {
                let expected = oracle::of_arc(&pairs, v, w as usize);
                assert_close(&[*values.next().unwrap()], &[expected]);
            }
        }
        prop_assert!(values.next().is_none());
    }

    #[test]
    fn scores_follow_their_nodes_to_other_numbers(
        (n, arcs) in every_graph(),
        order in Just((0..20).collect::<Vec<Node>>()).prop_shuffle(),
    ) {
        // Ranks of the first n numbers of the shuffled twenty: a permutation of the nodes.
        let order: Vec<Node> = order.into_iter().filter(|&x| (x as usize) < n).collect();
        prop_assume!(order.len() == n);
        let moved: Vec<_> = arcs
            .iter()
            .map(|&(x, y)| (order[x as usize], order[y as usize]))
            .collect();
        let before = scores(&graph(n, &arcs), &Betweenness::default());
        let after = scores(&graph(n, &moved), &Betweenness::default());
        let expected: Vec<f64> = order.iter().map(|&x| after[x as usize]).collect();
        assert_close(&before, &expected);
    }

    #[test]
    fn scores_add_up_to_distances((n, arcs) in every_graph()) {
        let total: f64 = scores(&graph(n, &arcs), &Betweenness::default()).iter().sum();
        assert_close(&[total], &[oracle::total(&oracle::pairs(n, &arcs))]);
    }

    #[test]
    fn given_sources_are_searched_from_and_scaled(
        (n, arcs) in every_graph(),
        picks in prop::collection::vec(0..20 as Node, 1..8),
        endpoints in any::<bool>(),
        normalize in any::<bool>(),
    ) {
        prop_assume!(n > 0);
        // In any order, some of them twice.
        let given: Vec<Node> = picks.into_iter().map(|pick| pick % n as Node).collect();
        let mut sources = given.clone();
        sources.sort_unstable();
        sources.dedup();
        let params = Betweenness {
            method: BetweennessMethod::Sources,
            sources: Some(given),
            endpoints,
            normalize,
            ..Betweenness::default()
        };
        let graph = graph(n, &arcs);
        let predecessors = graph.transpose().unwrap();
        let (forward, backward) = (Successors(&graph), Predecessors(&predecessors));
        let found = sampled_sources::estimate(forward, backward, &params, &Silent).unwrap();
        let (k, n_) = (sources.len() as f64, n as f64);
        let pairs = if endpoints { n_ * (n_ - 1.0) } else { (n_ - 1.0) * (n_ - 2.0) };
        let scale = n_ / k / if normalize && pairs > 0.0 { pairs } else { 1.0 };
        let sums = oracle::of_nodes(n, &arcs, &sources, endpoints);
        let expected: Vec<f64> = sums.iter().map(|sum| sum * scale).collect();
        assert_close(&found.values.to_vec(), &expected);
        prop_assert_eq!(&found.run.parameters["sources"], sources.len());
        prop_assert!(!found.run.parameters.contains_key("samples"));
        let outcome = match sources.len() == n {
            true => Outcome::Exact,
            false => Outcome::FromSources { sources: sources.len() as u64 },
        };
        prop_assert_eq!(found.run.outcome, outcome);
    }

    #[test]
    fn a_sample_of_all_nodes_is_exact((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let predecessors = graph.transpose().unwrap();
        let (forward, backward) = (Successors(&graph), Predecessors(&predecessors));
        let params = Betweenness { seed: 1, ..Betweenness::default() };
        let found = sampled_sources::estimate(forward, backward, &params, &Silent).unwrap();
        prop_assert_eq!(found.values.to_vec(), scores(&graph, &params));
        prop_assert_eq!(found.run.outcome, Outcome::Exact);
    }
}

#[test]
fn many_sources_are_searched_from_in_batches() {
    // More than a batch of 512, and more than the 4096 that are counted at a time.
    let n = 5000;
    let arcs: Vec<(Node, Node)> = (0..n).map(|x| (x, (x + 1) % n)).chain([(7, 7)]).collect();
    let graph = graph(n as usize, &arcs);
    let predecessors = graph.transpose().unwrap();
    let run = |threads| {
        let params = Betweenness {
            method: BetweennessMethod::Sources,
            sources: Some((0..n - 1).rev().collect()),
            endpoints: true,
            ..Betweenness::default()
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let (forward, backward) = (Successors(&graph), Predecessors(&predecessors));
        let estimate = || sampled_sources::estimate(forward, backward, &params, &Silent);
        pool.unwrap().install(estimate).unwrap().values.to_vec()
    };
    let scores = run(1);
    assert_eq!(run(3), scores);
    // On a cycle, x is on the paths from the source y to all nodes but those between the two.
    let n_ = n as f64;
    let of_all = (n_ - 1.0) * (n_ - 2.0) / 2.0 + 2.0 * (n_ - 1.0);
    // Node n - 1 is no source: the paths from it to x and beyond are missing.
    let without = |x: Node| match x == n - 1 {
        true => of_all - (n_ - 1.0),
        false => of_all - (n_ - 1.0 - x as f64),
    };
    let expected: Vec<f64> = (0..n).map(|x| n_ / (n_ - 1.0) * without(x)).collect();
    assert_close(&scores, &expected);
}

#[test]
fn sources_without_meaning_are_refused() {
    use webrank_graph::Graph;
    use webrank_measure::Measure;
    let ranked = |method, sources: &[Node]| {
        let params = Betweenness {
            method,
            sources: Some(sources.to_vec()),
            ..Betweenness::default()
        };
        let graph = Graph::from_arcs(3, [(0, 1), (1, 2)]).unwrap();
        params.run(&graph).map(|ranked| ranked.values().to_vec())
    };
    assert_eq!(
        ranked(BetweennessMethod::Sources, &[0]).unwrap(),
        [0.0, 3.0, 0.0]
    );
    for (method, sources, words) in [
        (BetweennessMethod::Sources, &[][..], "name at least one"),
        (BetweennessMethod::Sources, &[3], "n is 3"),
        (BetweennessMethod::Exact, &[0], "use the method sources"),
        (BetweennessMethod::Auto, &[0], "use the method sources"),
        (BetweennessMethod::Approx, &[0], "use the method sources"),
    ] {
        let problem = ranked(method, sources).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    }
}
