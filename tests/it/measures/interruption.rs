//! Every computation stops when it is asked to, whenever that is.

use serde::Serialize;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank::{
    Eigenvector, Error, Graph, Harmonic, Hits, KendallWei, LeaderRank, Limits, Measure, Method,
    Node, PageRank, Progress, Result, Seeley,
};
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::distances::DistanceDistribution;
use webrank_distances::geometric::sampled::Precision;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_testing::graphs::large_graph;
use webrank_walks::katz::{Katz, KatzMethod};
use webrank_walks::pagerank::trustrank::SeedCandidates;

/// Asks to stop once it was asked so many times.
struct Patience {
    asked: AtomicU64,
    limit: u64,
}

impl Patience {
    fn new(limit: u64) -> Self {
        let asked = AtomicU64::new(0);
        Patience { asked, limit }
    }
}

impl Progress for Patience {
    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Relaxed) >= self.limit
    }
}

/// Interrupts a computation at its first, its middle and its last chance.
fn is_interruptible(name: &str, compute: impl Fn(&dyn Progress) -> Result<()>) {
    let endless = Patience::new(u64::MAX);
    compute(&endless).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let chances = endless.asked.load(Relaxed);
    assert!(chances > 0, "{name} never asks");
    for limit in [0, chances / 2, chances - 1] {
        let stopped = compute(&Patience::new(limit));
        assert!(
            matches!(stopped, Err(Error::Interrupted)),
            "{name}, chance {limit} of {chances}: {stopped:?}"
        );
    }
}

fn check(graph: &Graph, measure: &(impl Measure + Serialize)) {
    let name = format!(
        "{} {measure:?}",
        measure.about().name,
        measure = serde_json::to_string(measure).unwrap()
    );
    let limits = Limits::default();
    is_interruptible(&name, |progress| {
        measure.compute(graph, &limits, progress).map(drop)
    });
}

/// The first `n` nodes of the large graph, and a cycle of one node in seven, so that it has a
/// dominating component.
pub fn graph(n: Node) -> Graph {
    let arcs = large_graph().1.into_iter();
    let cycle = (0..n)
        .step_by(7)
        .map(|x| (x, if x + 7 < n { x + 7 } else { 0 }));
    let arcs = arcs.filter(|&(i, j)| i < n && j < n).chain(cycle);
    Graph::from_arcs(n as usize, arcs).unwrap()
}

#[test]
fn sweeps_stop_when_asked() {
    let graph = graph(5_000);
    for method in [Method::Power, Method::GaussSeidel, Method::Components] {
        check(
            &graph,
            &PageRank {
                method,
                ..PageRank::default()
            },
        );
    }
    check(&graph, &SeedCandidates::default());
    check(&graph, &LeaderRank::default());
    check(&graph, &Eigenvector::default());
    for method in [
        KatzMethod::Bicgstab,
        KatzMethod::Power,
        KatzMethod::GaussSeidel,
    ] {
        check(
            &graph,
            &Katz {
                method,
                ..Katz::default()
            },
        );
    }
    check(&graph, &Seeley::default());
    check(&graph, &Hits::default());
    let players = 60;
    let pairs = (0..players).flat_map(|i| (0..i).map(move |j| (i, j)));
    let wins = pairs.map(|(i, j)| {
        if (i * j + i + j) % 3 == 0 {
            (i, j)
        } else {
            (j, i)
        }
    });
    let tournament = Graph::from_arcs(players as usize, wins).unwrap();
    check(&tournament, &KendallWei::default());
}

#[test]
fn searches_stop_when_asked() {
    let graph = graph(1_500);
    for method in [
        DistanceMethod::Auto,
        DistanceMethod::Exact,
        DistanceMethod::Sample,
        DistanceMethod::Hyperball,
    ] {
        check(&graph, &Geometric::of(Harmonic::default()).method(method));
        let asked = DistanceDistribution {
            method,
            ..DistanceDistribution::default()
        };
        is_interruptible(&format!("distances {method:?}"), |progress| {
            asked
                .compute(&graph, &Limits::default(), progress)
                .map(drop)
        });
    }
    check(&graph, &Geometric::of(Harmonic::default()).top(10));
    for method in [
        BetweennessMethod::Exact,
        BetweennessMethod::Sources,
        BetweennessMethod::Approx,
    ] {
        let measure = Betweenness {
            method,
            samples: NonZeroUsize::new(100).unwrap(),
            precision: Precision::new(0.05, 0.1).unwrap(),
            ..Betweenness::default()
        };
        check(&graph, &measure);
    }
    let from_some = Betweenness {
        method: BetweennessMethod::Sources,
        sources: Some((0..100).collect()),
        endpoints: true,
        ..Betweenness::default()
    };
    check(&graph, &from_some);
    is_interruptible("arcs", |progress| {
        let measure = ArcBetweenness { normalize: false };
        measure
            .compute(&graph, &Limits::default(), progress)
            .map(drop)
    });
}
