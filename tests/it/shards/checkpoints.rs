//! Runs of several workers go on from their checkpoint, as any number of workers, and end with the bits of
//! a run that was never stopped.

use super::{bits, cut};
use crate::measures::checkpoints::run;
use webrank::{Eigenvector, Error, Harmonic, Hits, Katz, Measure, PageRank, StorageChoice};
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_cluster::Workers;
use webrank_distances::geometric::sampled::{IntervalKind, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::Graph;
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::Arcs;
use webrank_walks::katz::Attenuation;

/// A graph with long paths, dangling nodes and loops.
fn graph() -> Arcs {
    graph_of(400)
}

fn graph_of(n: u32) -> Arcs {
    let arcs = (0..n).flat_map(|node| {
        let row = (0..node % 4).map(move |k| (node, (node + k * k * 7 + 1) % n));
        row.chain((node % 5 == 0).then_some((node, node)))
    });
    Arcs(n as usize, arcs.collect())
}

/// Stops a run by some workers at each of its safe points, and goes on with others.
fn check<M: Measure>(measure: impl Fn(usize) -> M, shards: &Graph, limits: Limits) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let expected = measure(1).rank(shards, &limits, &Silent).unwrap();
    let is_whole = |found: Ranked| {
        assert_eq!(bits(found.values()), bits(expected.values()));
        assert_eq!(found.run(), expected.run());
    };
    for point in 1.. {
        let workers = |step: u64| 1 + ((point + step) % 5) as usize;
        let first = measure(workers(0));
        match run((&first, shards, &limits), &path, point) {
            Err(Error::Stopped { path: file }) => assert_eq!(file, path),
            ended => {
                is_whole(ended.unwrap());
                return point - 1;
            }
        }
        let second = measure(workers(2));
        is_whole(run((&second, shards, &limits), &path, u64::MAX).unwrap());
        assert!(!path.exists(), "what is done needs no checkpoint");
    }
    unreachable!("runs end")
}

#[test]
fn runs_go_on_from_every_sweep_and_step_as_other_workers() {
    let folder = tempfile::tempdir().unwrap();
    cut(&graph(), 5, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let pagerank = |workers| PageRank {
        team: Workers::of_threads(workers),
        ..PageRank::default()
    };
    let sweeps = check(pagerank, &shards, Limits::default());
    assert!(sweeps > 20, "{sweeps}");

    let harmonic = |workers| {
        Geometric::of(Harmonic::default())
            .method(DistanceMethod::Hyperball)
            .counters(Counters::new(6, 1).unwrap())
            .team(Workers::of_threads(workers))
    };
    let steps = check(harmonic, &shards, Limits::default());
    assert!(steps > 5, "{steps}");
}

#[test]
fn samples_go_on_from_every_batch() {
    let folder = tempfile::tempdir().unwrap();
    cut(&graph_of(3000), 5, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    for intervals in [IntervalKind::Estimated, IntervalKind::Proved] {
        let harmonic = |workers| {
            Geometric::of(Harmonic::default())
                .method(DistanceMethod::Sample)
                .size(SampleSize::sources(1600, 0.1).unwrap())
                .intervals(intervals)
                .team(Workers::of_threads(workers))
        };
        assert_eq!(check(harmonic, &shards, Limits::default()), 4);
    }
}

#[test]
fn powers_and_series_go_on() {
    let folder = tempfile::tempdir().unwrap();
    cut(&graph(), 5, folder.path());
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let few = Limits::default().tolerance(1e-4).unwrap();
    let few = few.max_iterations(24).unwrap();
    let hits = |workers| Hits {
        team: Workers::of_threads(workers),
        ..Hits::default()
    };
    assert!(check(hits, &shards, few) > 8);
    let eigenvector = |workers| Eigenvector {
        team: Workers::of_threads(workers),
        ..Eigenvector::default()
    };
    assert!(check(eigenvector, &shards, few) > 8);
    let katz = |workers| Katz {
        alpha: Attenuation::new(0.2).unwrap(),
        team: Workers::of_threads(workers),
        ..Katz::default()
    };
    assert!(check(katz, &shards, few) > 4);
}

/// A run that one machine has begun goes on on several.
#[test]
fn streamed_sweeps_go_on_on_shards() {
    let folder = tempfile::tempdir().unwrap();
    cut(&graph(), 3, folder.path());
    let whole = Graph::open(folder.path().join("graph.bv")).unwrap();
    let shards = Graph::open(folder.path().join("graph.shards")).unwrap();
    let (limits, path) = (Limits::default(), folder.path().join("state"));
    let streamed = PageRank::default().form(StorageChoice::Streamed);
    let expected = streamed.rank(&whole, &limits, &Silent).unwrap();
    let stopped = run((&streamed, &whole, &limits), &path, 9);
    assert!(matches!(stopped, Err(Error::Stopped { .. })));
    let among = PageRank {
        team: Workers::of_threads(3),
        ..PageRank::default()
    };
    let found = run((&among, &shards, &limits), &path, u64::MAX).unwrap();
    assert_eq!(bits(found.values()), bits(expected.values()));
}
