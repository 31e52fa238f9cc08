//! Betweenness against its definition: every engine, every reduction.

use super::engines::*;
use crate::oracle::betweenness as oracle;
use proptest::prelude::*;
use webrank::internals::centrality::betweenness::arcs::arc_betweenness;
use webrank::internals::centrality::betweenness::path_count::Wide;
use webrank::internals::centrality::betweenness::{Betweenness, sampled_sources};
use webrank::internals::graph::{Node, Predecessors, Successors};
use webrank::internals::parallel::simd::Simd;
use webrank::internals::progress::Silent;
use webrank::internals::reduction::Steps;

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
        assert_close(&by_engine::<64>(&graph, None, Steps::ALL, Simd::best()), &expected);
    }

    #[test]
    fn paths_from_some_sources_only(
        (n, arcs) in every_graph(),
        chosen in prop::collection::vec(any::<bool>(), 20),
    ) {
        let graph = graph(n, &arcs);
        let sources: Vec<Node> = (0..n as Node).filter(|&x| chosen[x as usize]).collect();
        let expected = oracle::of_nodes(n, &arcs, &sources, false);
        for steps in [Steps::NONE, Steps::ALL] {
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
    fn a_sample_of_all_nodes_is_exact((n, arcs) in every_graph()) {
        let graph = graph(n, &arcs);
        let predecessors = graph.transpose().unwrap();
        let (forward, backward) = (Successors(&graph), Predecessors(&predecessors));
        let params = Betweenness { seed: 1, ..Betweenness::default() };
        let found = sampled_sources::estimate(forward, backward, &params, &Silent).unwrap();
        prop_assert_eq!(found.values.to_vec(), scores(&graph, &params));
        prop_assert_eq!(found.run.outcome, webrank::internals::scores::Outcome::Exact);
    }
}
