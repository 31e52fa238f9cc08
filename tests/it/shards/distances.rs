//! HyperBall and samples on shards have the bits of those on the whole graph, for any number of parts and workers.

use super::{bits, cut};
use proptest::prelude::*;
use webrank::{Error, Measure};
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_cluster::Workers;
use webrank_distances::geometric::distances::DistanceDistribution;
use webrank_distances::geometric::sampled::SampleSize;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::{Direction, Graph};
use webrank_scores::ranked::Ranked;
use webrank_testing::cli::{rank, text};
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

/// All measures that can be sampled, from so many nodes.
fn samples(sources: u64) -> Geometric {
    let names = ["harmonic", "closeness", "lin", "reachable", "decay"];
    Geometric::named(&names)
        .unwrap()
        .method(DistanceMethod::Sample)
        .size(SampleSize::sources(sources, 0.1).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn samples_of_all_nodes_are_the_scores(graph in webs(40), parts in 1usize..8) {
        let folder = tempfile::tempdir().unwrap();
        cut(&graph, parts, folder.path());
        let whole = Graph::open(folder.path().join("graph.bv")).unwrap();
        let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
        let exact = samples(1).method(DistanceMethod::Exact).run(&whole).unwrap();
        let mut first = None;
        for workers in 1..=parts {
            let found = samples(100).team(Workers::of_threads(workers)).run(&shards).unwrap();
            for ((_, found), (_, exact)) in found.columns().iter().zip(exact.columns()) {
                let intervals = found.intervals.as_ref().unwrap();
                for (x, (found, exact)) in found.values.iter().zip(&exact.values).enumerate() {
                    prop_assert!((found - exact).abs() <= 1e-12 * exact.max(1.0), "{}: {}, {}", x, found, exact);
                    let is_inside = intervals.lower[x] <= exact + 1e-12 && exact - 1e-12 <= intervals.upper[x];
                    prop_assert!(is_inside, "{}", x);
                }
            }
            let found = numbers(&found);
            prop_assert_eq!(first.get_or_insert_with(|| found.clone()), &found);
        }
    }
}

/// Several batches of searches, on a graph in which all nodes reach each other: the whole graph is sampled by passes over
/// the rows of one direction.
#[test]
fn samples_have_the_bits_of_passes_over_the_whole_graph() {
    let folder = tempfile::tempdir().unwrap();
    let n = 60_000u32;
    let arcs = (0..n).flat_map(|node| {
        let row = (0..node % 5).map(move |k| (node, (node + k * k * 3001 + 1) % n));
        row.chain([(node, (node + 1) % n), (node, node * 7 % n)])
    });
    cut(&Arcs(n as usize, arcs.collect()), 5, folder.path());
    let table = |graph: &str, size: [&str; 2], options: &[&str]| {
        let (graph, output) = (folder.path().join(graph), folder.path().join("scores.csv"));
        let names = "harmonic,closeness,lin,reachable,decay";
        let about = [
            "geometric",
            text(&graph),
            "--measures",
            names,
            "-o",
            text(&output),
        ];
        let sample = ["--method", "sample", "--threads", "2"];
        let run = [&about[..], &sample, &size, options].concat();
        let found = rank(&run).assert().success().get_output().stderr.clone();
        let said = String::from_utf8(found).unwrap();
        (said, std::fs::read_to_string(output).unwrap())
    };
    for size in [["--sources", "1100"], ["--relative", "0.1"]] {
        let (said, expected) = table("graph.bv", size, &["--memory", "100M"]);
        assert!(
            said.contains("rows of both directions do not fit"),
            "{said}"
        );
        let pilot = |said: &str| {
            said.lines()
                .find(|it| it.contains("a pilot of 1024"))
                .map(str::to_owned)
        };
        assert_eq!(pilot(&said).is_some(), size[0] == "--relative", "{said}");
        for workers in ["1", "2", "5"] {
            let (of_shards, found) = table("graph.shards", size, &["--workers", workers]);
            assert!(
                of_shards.contains("the graph is cut into shards"),
                "{of_shards}"
            );
            assert_eq!(pilot(&of_shards), pilot(&said));
            assert!(found == expected, "{workers}");
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
    let distribution = DistanceDistribution {
        method: DistanceMethod::Sample,
        ..DistanceDistribution::default()
    };
    let problem = distribution.run(&shards).map(drop).unwrap_err();
    assert!(
        problem.to_string().contains("which allow hyperball"),
        "{problem}"
    );
    // Counters do not yield eccentricities.
    let eccentricity = Geometric::named(&["eccentricity"]).unwrap();
    let problem = eccentricity.run(&shards).map(drop).unwrap_err();
    assert!(matches!(problem, Error::NoMethod { .. }), "{problem}");
}
