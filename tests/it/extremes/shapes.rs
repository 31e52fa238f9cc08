//! Degenerate and huge shapes, under every measure and its options: what comes out are numbers, or
//! a line says why there are none.

use super::*;
use std::num::NonZeroUsize;
use webrank::{
    Betweenness, Closeness, Columns, Damping, Dangling, Decay, Direction, Eccentricity,
    Eigenvector, Error, Graph, Harmonic, Hits, Indegree, Integration, Katz, KendallWei, LeaderRank,
    Limits, Lin, Measure, Method, Outdegree, PageRank, Ranked, Reachable, Result, Salsa, Seeley,
    Silent, TrustRank,
};
use webrank_distances::betweenness::BetweennessMethod;
use webrank_distances::geometric::sampled::Precision;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_scores::parameters::Variant;
use webrank_walks::katz::KatzMethod;
use webrank_walks::pagerank::trustrank::SeedCandidates;

/// A measure, ready to run.
pub type Run = Box<dyn Fn(&Graph, &Limits) -> Result<Ranked>>;

/// A measure, ready to run.
pub fn run<M: Measure + 'static>(measure: M) -> Run {
    Box::new(move |graph, limits| measure.compute(graph, limits, &Silent))
}

/// Measures whose time is linear, or that iterate.
fn swept() -> Vec<(&'static str, Run)> {
    let out = Direction::Out;
    let pagerank = |method| run(PageRank::default().method(method));
    let dangling = |dangling| run(PageRank::default().dangling(dangling));
    let columns = |columns| run(PageRank::default().columns(columns));
    let alphas = [0.0, 0.5, 0.99].map(|alpha| Damping::new(alpha).unwrap());
    let trust = TrustRank {
        seeds: vec![0],
        damping: Damping::default(),
        certify_top: Some(3),
        team: Default::default(),
    };
    vec![
        ("pagerank", pagerank(Method::Power)),
        ("pagerank, gauss-seidel", pagerank(Method::GaussSeidel)),
        ("pagerank, components", pagerank(Method::Components)),
        ("pagerank, uniform", dangling(Dangling::Uniform)),
        ("pagerank, none", dangling(Dangling::None)),
        ("pagerank, top", run(PageRank::default().certify_top(3))),
        ("pagerank, derivative", columns(Columns::Derivative)),
        (
            "pagerank, alphas",
            columns(Columns::Alphas(alphas.to_vec())),
        ),
        ("pagerank, seeds", columns(Columns::Seeds(vec![0]))),
        ("trustrank", run(trust)),
        ("inverse pagerank", run(SeedCandidates::default())),
        ("katz", run(Katz::default())),
        (
            "katz, gauss-seidel",
            run(Katz {
                method: KatzMethod::GaussSeidel,
                ..Katz::default()
            }),
        ),
        (
            "katz, out",
            run(Katz {
                direction: out,
                ..Katz::default()
            }),
        ),
        ("seeley", run(Seeley::default())),
        (
            "seeley, out",
            run(Seeley {
                direction: out,
                ..Seeley::default()
            }),
        ),
        ("salsa", run(Salsa::default())),
        ("hits", run(Hits::default())),
        ("leaderrank", run(LeaderRank::default())),
        (
            "leaderrank, out",
            run(LeaderRank {
                direction: out,
                ..LeaderRank::default()
            }),
        ),
        ("eigenvector", run(Eigenvector::default())),
        (
            "eigenvector, out",
            run(Eigenvector {
                direction: out,
                ..Eigenvector::default()
            }),
        ),
        ("kendall-wei", run(KendallWei::default())),
        ("indegree", run(Indegree::default())),
        ("outdegree", run(Outdegree::default())),
    ]
}

/// Measures that search from nodes.
fn searched() -> Vec<(&'static str, Run)> {
    let closeness = |variant| run(Closeness { variant });
    let distances = |method| run(Geometric::of(Harmonic::default()).method(method));
    let out = Geometric::of(Decay::default()).direction(Direction::Out);
    let paths = |method| Betweenness {
        method,
        samples: NonZeroUsize::new(20).unwrap(),
        precision: Precision::new(0.1, 0.1).unwrap(),
        ..Betweenness::default()
    };
    let between = |method| run(paths(method));
    let ends = Betweenness {
        normalize: true,
        endpoints: true,
        ..Betweenness::default()
    };
    vec![
        ("harmonic", run(Harmonic::default())),
        ("harmonic, normalized", run(Harmonic { normalize: true })),
        ("harmonic, sample", distances(DistanceMethod::Sample)),
        ("harmonic, hyperball", distances(DistanceMethod::Hyperball)),
        ("decay, out", run(out)),
        ("bavelas", closeness(Variant::Bavelas)),
        ("wasserman-faust", closeness(Variant::WassermanFaust)),
        ("lin", run(Lin)),
        ("reachable", run(Reachable)),
        ("eccentricity", run(Eccentricity)),
        ("integration", run(Integration)),
        ("betweenness", between(BetweennessMethod::Exact)),
        ("betweenness, with ends", run(ends)),
        ("betweenness, sources", between(BetweennessMethod::Sources)),
        ("betweenness, approx", between(BetweennessMethod::Approx)),
    ]
}

/// Scores are numbers, or a line says why there are none.
fn check(
    measures: &[(&'static str, Run)],
    name: &str,
    n: usize,
    arcs: Vec<(Node, Node)>,
    limits: &Limits,
) {
    let graph = Graph::from_arcs(n, arcs).unwrap();
    for (measure, run) in measures {
        match run(&graph, limits) {
            Ok(ranked) => {
                for (column, scores) in ranked.columns() {
                    let values = scores.as_slice();
                    let is_good = match column.as_str() {
                        "derivative" => values
                            .iter()
                            .all(|x| x.is_finite() && x.to_bits() != 1 << 63),
                        _ => are_scores(values),
                    };
                    assert!(is_good, "{measure} of {name}: {column}");
                }
                for (end, values) in ranked.bounds() {
                    assert!(are_scores(values), "{measure} of {name}: {end}");
                }
                assert_eq!(ranked.values().len(), n, "{measure} of {name}");
            }
            Err(Error::Undefined { .. }) => {}
            Err(problem) => {
                let text = problem.to_string();
                let is_seed = n == 0 && text.starts_with("the seed is 0");
                assert!(is_seed, "{measure} of {name}: {text}");
            }
        }
    }
}

#[test]
fn degenerate_graphs_have_scores_or_a_reason_for_none() {
    let measures: Vec<_> = swept().into_iter().chain(searched()).collect();
    for tolerance in [1e-3, 1e-9, 1e-15] {
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let limits = limits.max_iterations(500).unwrap();
        let check = |name: &str, n: usize, arcs| check(&measures, name, n, arcs, &limits);
        check("no nodes", 0, vec![]);
        check("one node", 1, vec![]);
        check("one loop", 1, vec![(0, 0)]);
        check("two nodes", 2, vec![]);
        check("one arc", 2, vec![(0, 1)]);
        check("two arcs", 2, vec![(0, 1), (1, 0)]);
        check("all arcs", 2, vec![(0, 0), (0, 1), (1, 0), (1, 1)]);
        check("loops alone", 50, (0..50).map(|i| (i, i)).collect());
        let bipartite = (0..20).flat_map(|i| (20..40).flat_map(move |j| [(i, j), (j, i)]));
        check("a bipartite graph", 40, bipartite.collect());
        check("a cycle", 60, (0..60).map(|i| (i, (i + 1) % 60)).collect());
        // A cycle of period 3, with a tail into it and one out of it.
        let tailed = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 0), (2, 5), (5, 6)];
        check("a cycle with tails", 7, tailed.to_vec());
    }
}

#[test]
fn huge_shapes_have_scores_or_a_reason_for_none() {
    let limits = Limits::default().max_iterations(40).unwrap();
    let (swept, searched) = (swept(), searched());
    let check = |name: &str, sizes: [Node; 2], arcs: &dyn Fn(Node) -> Vec<(Node, Node)>| {
        for (measures, n) in [&swept, &searched].into_iter().zip(sizes) {
            check(measures, name, n as usize, arcs(n), &limits);
        }
    };
    let n = 100_000;
    check("a long path", [n, 1000], &|n| {
        (1..n).map(|i| (i - 1, i)).collect()
    });
    check("a long cycle", [20_000, 1000], &|n| {
        (0..n).map(|i| (i, (i + 1) % n)).collect()
    });
    check("a star inwards", [5_000, 3_000], &|n| {
        (1..n).map(|i| (i, 0)).collect()
    });
    check("a star outwards", [5_000, 3_000], &|n| {
        (1..n).map(|i| (0, i)).collect()
    });
    check("a star both ways", [5_000, 3_000], &|n| {
        (1..n).flat_map(|i| [(0, i), (i, 0)]).collect()
    });
    check("a ladder", [2402, 802], &|n| ladder(n));
    check("equal components", [4000, 5_000], &|n| {
        (0..n / 2)
            .flat_map(|k| [(2 * k, 2 * k + 1), (2 * k + 1, 2 * k)])
            .collect()
    });
}

/// Both nodes of each level have arcs to both of the next: a path of k arcs has 2^(k - 1) companions.
pub fn ladder(n: Node) -> Vec<(Node, Node)> {
    let rung = |k: Node| {
        let (here, next) = (2 * k, 2 * k + 2);
        [
            (here, next),
            (here, next + 1),
            (here + 1, next),
            (here + 1, next + 1),
        ]
    };
    (0..n / 2 - 1).flat_map(rung).collect()
}
