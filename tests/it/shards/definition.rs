//! PageRank of shards has the bits of the streamed form, for any number of parts and workers.

use super::{bits, cut};
use crate::pagerank::streamed::webs;
use crate::support::graphs::*;
use proptest::prelude::*;
use webrank::internals::centrality::pagerank::{
    Dangling, Distribution, PageRank, pagerank_streamed,
};
use webrank::internals::cluster::Team;
use webrank::internals::graph::Graph;
use webrank::internals::limits::Limits;
use webrank::internals::linear::StopRule;
use webrank::internals::progress::Silent;
use webrank::{Error, Measure};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bits_are_those_of_the_streamed_form(
        graph in webs(40),
        parts in 1usize..8,
        dangling in 0..4usize,
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (source, plan) = cut(&graph, parts, folder.path());
        prop_assert_eq!((plan.nodes, plan.arcs), (graph.0 as u64, source.properties().arcs));
        prop_assert_eq!(plan.parts.len(), parts);
        let n = graph.0;
        let slope = |_| Distribution::from_weights((0..n).map(|node| 1.0 + node as f64).collect()).unwrap();
        let mut params = PageRank::default().alpha(alpha).unwrap();
        params.dangling = match dangling {
            0 => Dangling::Preference,
            1 => Dangling::Uniform,
            2 => Dangling::None,
            _ => Dangling::Vector(slope(())),
        };
        if dangling % 2 == 1 {
            params.preference = slope(());
        }
        let stop = StopRule::new(&Limits::default(), 1e-9);
        let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        for workers in 1..=parts {
            params.team = Team::of_threads(workers);
            let ranked = params.rank(&shards, &Limits::default(), &Silent).unwrap();
            prop_assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
            prop_assert_eq!(&ranked.run().outcome, &streamed.run.outcome);
        }
    }
}

/// Threads do not matter either, with thousands of nodes in several tasks.
#[test]
fn larger_graphs_have_the_same_bits_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let n = 30_000u32;
    let arcs = (0..n).flat_map(|node| {
        let row = (0..node % 7).map(move |k| (node, (node + k * k * 37 + 1) % n));
        row.chain((node % 5 == 0).then_some((node, node * 3 % n)))
    });
    let graph = Arcs(n as usize, arcs.collect());
    let (source, _) = cut(&graph, 5, folder.path());
    let params = PageRank::default();
    let stop = StopRule::new(&Limits::default(), 1e-9);
    let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    for (workers, threads) in [(1, 1), (1, 3), (2, 2), (5, 3)] {
        let params = PageRank {
            team: Team::of_threads(workers),
            ..params.clone()
        };
        let limits = Limits::default().threads(threads).unwrap();
        let ranked = params.rank(&shards, &limits, &Silent).unwrap();
        assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
    }
}

#[test]
fn graphs_without_nodes_or_arcs_are_cut() {
    for (n, arcs) in [(0, vec![]), (1, vec![]), (3, vec![]), (2, vec![(0, 1)])] {
        let folder = tempfile::tempdir().unwrap();
        let (source, plan) = cut(&Arcs(n, arcs), 4, folder.path());
        assert_eq!(plan.nodes, n as u64);
        let stop = StopRule::new(&Limits::default(), 1e-9);
        let params = PageRank {
            team: Team::of_threads(4),
            ..PageRank::default()
        };
        let streamed =
            pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        let ranked = params.rank(&shards, &Limits::default(), &Silent).unwrap();
        assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
    }
}

#[test]
fn what_shards_do_not_allow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    cut(&Arcs(3, vec![(0, 1), (1, 2)]), 2, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let refused = |params: PageRank| match params.run(&shards) {
        Err(Error::Argument { name, .. }) => name,
        other => panic!("{:?}", other.map(drop)),
    };
    let three = PageRank {
        team: Team::of_threads(3),
        ..PageRank::default()
    };
    assert_eq!(refused(three), "workers");
    assert_eq!(refused(PageRank::default().certify_top(1)), "certify_top");
    let zero = Distribution::from_weights(vec![1.0, 0.0, 1.0]).unwrap();
    assert_eq!(refused(PageRank::default().preference(zero)), "preference");
    // Other measures need the whole graph.
    let problem = webrank::Katz::default().run(&shards).map(drop).unwrap_err();
    assert!(problem.to_string().contains("only pagerank"), "{problem}");
}
