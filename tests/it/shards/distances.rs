//! HyperBall on shards has the bits of HyperBall on the whole graph, for any number of parts and workers.

use super::{bits, cut};
use proptest::prelude::*;
use webrank::{Error, Measure};
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_cluster::Workers;
use webrank_distances::geometric::distances::DistanceDistribution;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::{Direction, Graph};
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::webs;
use webrank_testing::graphs::*;

/// All measures that counters yield.
fn measures(log2m: u32, seed: u64) -> Geometric {
    let names = [
        "harmonic",
        "closeness",
        "lin",
        "reachable",
        "decay",
        "integration",
    ];
    Geometric::named(&names)
        .unwrap()
        .method(DistanceMethod::Hyperball)
        .counters(Counters::new(log2m, seed).unwrap())
}

/// Everything that a run says of the nodes.
fn numbers(ranked: &Ranked) -> Vec<Vec<u64>> {
    let columns = ranked.columns().iter().flat_map(|(_, scores)| {
        let intervals = scores.intervals.iter();
        let ends = intervals.flat_map(|intervals| [bits(&intervals.lower), bits(&intervals.upper)]);
        [bits(scores.as_slice())].into_iter().chain(ends)
    });
    columns.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bits_are_those_of_the_whole_graph(
        graph in webs(40),
        parts in 1usize..8,
        log2m in 4u32..8,
        seed in 0u64..3,
    ) {
        let folder = tempfile::tempdir().unwrap();
        cut(&graph, parts, folder.path());
        let whole = Graph::open(folder.path().join("graph.bv")).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        let limits = Limits::default();
        let expected = measures(log2m, seed).rank(&whole, &limits, &Silent).unwrap();
        let distribution = DistanceDistribution {
            method: DistanceMethod::Hyperball,
            counters: Counters::new(log2m, seed).unwrap(),
            ..DistanceDistribution::default()
        };
        let distances = distribution.run(&whole).unwrap();
        for workers in 1..=parts {
            let measures = measures(log2m, seed).team(Workers::of_threads(workers));
            let found = measures.rank(&shards, &limits, &Silent).unwrap();
            prop_assert_eq!(numbers(&found), numbers(&expected));
            let team = Workers::of_threads(workers);
            let distribution = DistanceDistribution { team, ..distribution.clone() };
            prop_assert_eq!(&distribution.run(&shards).unwrap(), &distances);
        }
    }
}

/// Slices of registers on several workers: thousands of nodes in several tasks.
#[test]
fn slices_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let n = 3000u32;
    let arcs = (0..n).flat_map(|node| {
        let row = (0..node % 7).map(move |k| (node, (node + k * k * 37 + 1) % n));
        row.chain((node % 5 == 0).then_some((node, node * 3 % n)))
    });
    cut(&Arcs(n as usize, arcs.collect()), 5, folder.path());
    let whole = Graph::open(folder.path().join("graph.bv")).unwrap();
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let expected = measures(10, 1)
        .rank(&whole, &Limits::default(), &Silent)
        .unwrap();
    for workers in [1, 2, 5] {
        let asked = measures(10, 1).team(Workers::of_threads(workers));
        // As much as is needed and no more, so that there are slices.
        let least = asked.needs(&shards) + (1 << 20);
        let limits = Limits::default().memory(least).threads(2).unwrap();
        let found = asked.rank(&shards, &limits, &Silent).unwrap();
        assert_eq!(numbers(&found), numbers(&expected));
        let notes = found.notes().join(" ");
        assert!(notes.contains("slices"), "{notes}");
        let form = found.form().unwrap();
        assert_eq!(form["workers"], workers);
        assert_eq!(form["seconds_waited"].as_array().unwrap().len(), workers);
        assert_eq!(form["bytes_sent"].as_u64().unwrap() > 0, workers > 1);
    }
}

#[test]
fn what_shards_do_not_allow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    cut(&Arcs(3, vec![(0, 1), (1, 2)]), 2, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let refused = |asked: Geometric| match asked.run(&shards) {
        Err(Error::Argument { name, .. }) => name,
        other => panic!("{:?}", other.map(drop)),
    };
    assert_eq!(
        refused(measures(4, 0).team(Workers::of_threads(3))),
        "workers"
    );
    assert_eq!(
        refused(measures(4, 0).method(DistanceMethod::Exact)),
        "method"
    );
    assert_eq!(
        refused(measures(4, 0).direction(Direction::Out)),
        "direction"
    );
    // Counters do not yield eccentricities.
    let eccentricity = Geometric::named(&["eccentricity"]).unwrap();
    let problem = eccentricity.run(&shards).map(drop).unwrap_err();
    assert!(matches!(problem, Error::NoMethod { .. }), "{problem}");
}
