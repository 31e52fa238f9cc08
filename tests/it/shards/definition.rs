//! PageRank of shards has the bits of the streamed form, for any number of parts and workers.

use super::{bits, cut};
use proptest::prelude::*;
use std::collections::BTreeSet;
use webrank::{Error, Indegree, Measure, Outdegree, TrustRank};
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_cluster::{Division, Workers};
use webrank_graph::Graph;
use webrank_graph::shards::Plan;
use webrank_linear::StopRule;
use webrank_measure::machines::Machines;
use webrank_scores::Outcome;
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_testing::graphs::webs;
use webrank_testing::graphs::*;
use webrank_walks::distributed::{Distributed, WorkerResult};
use webrank_walks::pagerank::trustrank::trust_in;
use webrank_walks::pagerank::{Columns, PageRank, pagerank_external, pagerank_streamed};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bits_are_those_of_the_streamed_form(
        graph in webs(40),
        parts in 1usize..8,
        dangling in 0..5usize,
        seeds in prop::option::of((0..40usize, 0..40usize)),
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99)],
        // Walks get further than the few sweeps of a large tolerance.
        tolerance in prop_oneof![Just(1e-9), Just(0.1), Just(0.5)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (source, plan) = cut(&graph, parts, folder.path());
        prop_assert_eq!((plan.nodes, plan.arcs), (graph.0 as u64, source.properties().arcs));
        prop_assert_eq!(plan.parts.len(), parts);
        let n = graph.0;
        let slope = |_| Distribution::from_weights((0..n).map(|node| 1.0 + node as f64).collect()).unwrap();
        let only = |a: usize, b: usize| {
            let weight = |node| f64::from(u8::from(node == a % n) + u8::from(node == b % n));
            Distribution::from_weights((0..n).map(weight).collect()).unwrap()
        };
        let mut params = PageRank::default().alpha(alpha).unwrap();
        params.dangling = match dangling {
            0 => Dangling::Preference,
            1 => Dangling::Uniform,
            2 => Dangling::None,
            3 if n > 0 => Dangling::Vector(only(7, 12)),
            _ => Dangling::Vector(slope(())),
        };
        params.preference = match seeds {
            Some((a, b)) if n > 0 => only(a, b),
            _ if dangling % 2 == 1 => slope(()),
            _ => Distribution::Uniform,
        };
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let stop = StopRule::new(&limits, 1e-9);
        let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        for workers in 1..=parts {
            params.team = Workers::of_threads(workers);
            let ranked = params.rank(&shards, &limits, &Silent).unwrap();
            prop_assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
            prop_assert_eq!(&ranked.run().outcome, &streamed.run.outcome);
        }
    }

    /// However many nodes are dangling, and whatever they give: all, most, some, or none.
    #[test]
    fn three_forms_have_the_same_bits(
        (n, arcs) in (0usize..60).prop_flat_map(|n| {
            let arc = (0..n.max(1) as u32, 0..n.max(1) as u32);
            (Just(n), prop::collection::vec(arc, if n == 0 { 0..1 } else { 0..300 }))
        }),
        // Nodes from here on are dangling.
        live in prop_oneof![Just(0u32), 0..8u32, 0..60u32, Just(60)],
        no_dangling in any::<bool>(),
        dangling in prop_oneof![Just(Dangling::Preference), Just(Dangling::Uniform), Just(Dangling::None)],
        parts in 1usize..6,
        block in 1usize..80,
        tolerance in prop_oneof![Just(1e-10), Just(1e-14), Just(0.2)],
    ) {
        let mut arcs: Vec<(u32, u32)> = arcs.into_iter().filter(|&(source, _)| source < live).collect();
        if no_dangling {
            arcs.extend((0..n as u32).map(|node| (node, node * 7 % n as u32)));
        }
        let folder = tempfile::tempdir().unwrap();
        let (source, _) = cut(&Arcs(n, arcs), parts, folder.path());
        let params = PageRank::default().dangling(dangling);
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let stop = StopRule::new(&limits, 1e-9);
        let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
        let block = block.max(n.div_ceil(64));
        let external = pagerank_external(&source, &params, block, folder.path(), &stop, &Silent).unwrap();
        prop_assert_eq!(bits(external.as_slice()), bits(streamed.as_slice()));
        prop_assert_eq!(&external.run.outcome, &streamed.run.outcome);
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        for workers in 1..=parts {
            let params = PageRank { team: Workers::of_threads(workers), ..params.clone() };
            let ranked = params.rank(&shards, &limits, &Silent).unwrap();
            prop_assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
            prop_assert_eq!(&ranked.run().outcome, &streamed.run.outcome);
        }
    }

    #[test]
    fn degrees_are_those_of_the_whole_graph(graph in webs(40), parts in 1usize..8) {
        let folder = tempfile::tempdir().unwrap();
        cut(&graph, parts, folder.path());
        let whole = Graph::open(folder.path().join("graph.bv")).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        let mut expected = vec![[0.0; 2]; graph.0];
        for (from, to) in BTreeSet::from_iter(graph.1.iter().copied()) {
            expected[to as usize][0] += 1.0;
            expected[from as usize][1] += 1.0;
        }
        let expected = |direction: usize| expected.iter().map(|of| of[direction]).collect::<Vec<_>>();
        for graph in [&whole, &shards] {
            let indegree = Indegree::default().run(graph).unwrap();
            prop_assert_eq!(indegree.values(), expected(0));
            let outdegree = Outdegree::default().run(graph).unwrap();
            prop_assert_eq!(outdegree.values(), expected(1));
        }
    }
}

/// Walks that start at the ends of paths through all parts get on, step by step, after the last sweep.
#[test]
fn walks_go_on_from_part_to_part() {
    let folder = tempfile::tempdir().unwrap();
    let n = 3000u32;
    // Steps of 7 and 11, over and over through all ranges, and a loop; some nodes cannot be reached.
    let arcs = (0..n).flat_map(|node| {
        let next = (node * 7 + 11) % n;
        let row = [(node, next), (node, (next + 1) % n)];
        let ends = node % 13 == 5;
        row.into_iter().take(if ends {
            0
        } else {
            1 + (node % 3 == 0) as usize
        })
    });
    let path = (0..n / 2).map(|node| (2 * node, (2 * node + 2) % n));
    for (index, arcs) in [arcs.collect::<Vec<_>>(), path.collect()]
        .into_iter()
        .enumerate()
    {
        let folder = folder.path().join(index.to_string());
        std::fs::create_dir(&folder).unwrap();
        let (source, _) = cut(&Arcs(n as usize, arcs), 6, &folder);
        let shards = Graph::open(folder.join("graph.shards")).unwrap();
        let weights = (0..n).map(|node| f64::from(u8::from(node == 4)));
        let v = Distribution::from_weights(weights.collect()).unwrap();
        let limits = Limits::default().tolerance(0.3).unwrap();
        let stop = StopRule::new(&limits, 1e-9);
        for dangling in [Dangling::Preference, Dangling::None, Dangling::Uniform] {
            let params = PageRank::default().preference(v.clone()).dangling(dangling);
            let streamed =
                pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
            for workers in [1, 4, 6] {
                let params = PageRank {
                    team: Workers::of_threads(workers),
                    ..params.clone()
                };
                let ranked = params.rank(&shards, &limits, &Silent).unwrap();
                assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
            }
            let reached = streamed
                .as_slice()
                .iter()
                .filter(|&&score| score > 0.0)
                .count();
            assert!(reached > 60, "{reached}");
            if index == 1 && params.dangling == Dangling::Preference {
                assert_eq!(reached, 1500);
            }
        }
    }
}

#[test]
fn trust_is_that_of_the_streamed_form() {
    let folder = tempfile::tempdir().unwrap();
    let n = 500u32;
    let arcs = (0..n).flat_map(|node| (0..node % 4).map(move |k| (node, (node * 3 + k * 50) % n)));
    let (source, _) = cut(&Arcs(n as usize, arcs.collect()), 5, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let params = trust_in(&[3, 70, 200], Damping::default(), n as usize).unwrap();
    let stop = StopRule::new(&Limits::default(), 1e-9);
    let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
    for workers in [1, 3, 5] {
        let trust = TrustRank {
            seeds: vec![3, 70, 200],
            damping: Damping::default(),
            certify_top: None,
            team: Workers::of_threads(workers),
        };
        let ranked = trust.run(&shards).unwrap();
        assert_eq!(bits(ranked.values()), bits(streamed.as_slice()));
        assert_eq!(ranked.run().measure, "trustrank");
        assert_eq!(ranked.run().parameters["seeds"], 3);
        assert!(ranked.run().parameters.get("preference").is_none());
        let form = ranked.form().unwrap();
        assert_eq!(
            (&form["name"], &form["workers"]),
            (&"shards".into(), &workers.into())
        );
    }
}

/// The sums for live nodes that workers with so many parts of a plan send each other in a sweep: one for
/// each part and node of another worker that arcs from the part lead to.
fn live_sums(arcs: &[(u32, u32)], plan: &Plan, workers: usize) -> u64 {
    let division = Division::new(plan, &vec![1; workers]);
    let part_of = |node: u32| {
        let ends = plan.parts.iter().map(|part| part.first + part.nodes);
        ends.take_while(|&end| end <= u64::from(node)).count()
    };
    let worker_of = |node: u32| {
        let has = |&worker: &usize| division.parts(worker).contains(&part_of(node));
        (0..workers).find(has).unwrap()
    };
    let live: BTreeSet<u32> = arcs.iter().map(|&(source, _)| source).collect();
    let away = arcs.iter().filter(|&&(source, target)| {
        worker_of(source) != worker_of(target) && live.contains(&target)
    });
    let sums: BTreeSet<(usize, u32)> = away
        .map(|&(source, target)| (part_of(source), target))
        .collect();
    sums.len() as u64
}

/// A sweep sends the sums for live nodes of other workers, and 9 words of norms from every worker to every
/// other; an extrapolation, of which there is one, 21 scalar products and 4 words of norms.
#[test]
fn sweeps_send_sums_for_live_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let n = 2000u32;
    let arcs =
        (0..n).flat_map(|node| (0..node % 5).map(move |k| (node, (node * 11 + k * 301) % n)));
    let arcs: Vec<(u32, u32)> = arcs.collect();
    let (_, plan) = cut(&Arcs(n as usize, arcs.clone()), 6, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    for workers in [1, 2, 4, 6] {
        let params = PageRank {
            team: Workers::of_threads(workers),
            ..PageRank::default()
        };
        let run = |sweeps: u32| {
            let limits = Limits::default().tolerance(1e-12).unwrap();
            let limits = limits.max_iterations(sweeps).unwrap();
            params
                .compute_distributed(&shards, &limits, &Silent)
                .unwrap()
        };
        let (few, many) = (run(4), run(9));
        let sent = many.account.bytes_sent - few.account.bytes_sent;
        let sweeps = |worked: &WorkerResult| match worked.outcomes[0] {
            Outcome::Iterated { iterations, .. } => u64::from(iterations),
            _ => unreachable!("PageRank iterates"),
        };
        let sweeps = sweeps(&many) - sweeps(&few);
        assert_eq!(sweeps, 5);
        let all = 8 * (workers * (workers - 1)) as u64;
        let of_live = 8 * live_sums(&arcs, &plan, workers);
        let planned = Machines::new(&plan, workers, 1, 1e9).unwrap();
        assert_eq!(planned.sweep(&plan).bytes, of_live);
        assert_eq!(sent, sweeps * (of_live + 9 * all) + (21 + 4) * all);
        let ranked = params.rank(&shards, &Limits::default(), &Silent).unwrap();
        let form = ranked.form().unwrap();
        assert_eq!(form["bytes_a_sweep"], of_live);
        assert_eq!(form["seconds_waited"].as_array().unwrap().len(), workers);
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
            team: Workers::of_threads(workers),
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
            team: Workers::of_threads(4),
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
        team: Workers::of_threads(3),
        ..PageRank::default()
    };
    assert_eq!(refused(three), "workers");
    assert_eq!(refused(PageRank::default().certify_top(1)), "certify_top");
    let derivative = PageRank::default().columns(Columns::Derivative);
    assert_eq!(refused(derivative), "derivative");
    // Other measures need the whole graph.
    let problem = webrank::Seeley::default()
        .run(&shards)
        .map(drop)
        .unwrap_err();
    assert!(problem.to_string().contains("only pagerank"), "{problem}");
}
