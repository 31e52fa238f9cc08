//! Huge shapes whose scores have closed forms: bounds hold, and what is certain is right.

use super::shapes::{Run, ladder, run};
use super::*;
use webrank::{
    Betweenness, Direction, Eigenvector, Error, Graph, Harmonic, Hits, Katz, LeaderRank, Limits,
    Measure, Method, PageRank, Ranked, Reachable, Result, Salsa, Seeley, Silent,
};
use webrank_distances::betweenness::BetweennessMethod;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::sampled::Precision;
use webrank_scores::Outcome;
use webrank_scores::intervals::Intervals;
use webrank_walks::katz::Attenuation;

/// PageRank's alpha, and Katz's times the spectral radius or the largest row sum.
const ALPHA: f64 = 0.85;

/// The scores of a shape, up to a factor; `None` where a measure is not defined.
struct Shape {
    name: &'static str,
    n: usize,
    arcs: Vec<(Node, Node)>,
    pagerank: Vec<f64>,
    /// Katz's alpha, and his scores for it, exactly.
    alpha: f64,
    katz: Vec<f64>,
    seeley: Vec<f64>,
    /// The scores of SALSA and HITS.
    authorities: Vec<f64>,
    hubs: Vec<f64>,
    /// The visits of walks that start at all nodes and end at the ground node, plus 1.
    leaderrank: Vec<f64>,
    eigenvector: Option<Vec<f64>>,
}

/// The entry of one node, and that of the others.
fn one(n: usize, node: usize, entry: f64, others: f64) -> Vec<f64> {
    let mut all = vec![others; n];
    all[node] = entry;
    all
}

fn path(n: usize) -> Shape {
    let nodes = 0..n as Node;
    let sums = |ratio: f64| {
        let sum = |k: Node| (1.0 - ratio.powf(f64::from(k + 1))) / (1.0 - ratio);
        nodes.clone().map(sum).collect::<Vec<f64>>()
    };
    Shape {
        name: "path",
        n,
        arcs: nodes.clone().skip(1).map(|i| (i - 1, i)).collect(),
        pagerank: sums(ALPHA),
        alpha: ALPHA,
        katz: sums(ALPHA),
        seeley: one(n, n - 1, 1.0, 0.0),
        authorities: one(n, 0, 0.0, 1.0),
        hubs: one(n, n - 1, 0.0, 1.0),
        leaderrank: sums(0.5).iter().map(|x| x + 1.0).collect(),
        eigenvector: None,
    }
}

/// A graph in which all nodes are alike, of degree 1.
fn regular(name: &'static str, arcs: Vec<(Node, Node)>) -> Shape {
    let equal = vec![1.0; arcs.len()];
    Shape {
        name,
        n: arcs.len(),
        arcs,
        pagerank: equal.clone(),
        alpha: ALPHA,
        katz: vec![1.0 / (1.0 - ALPHA); equal.len()],
        seeley: equal.clone(),
        authorities: equal.clone(),
        hubs: equal.clone(),
        leaderrank: equal.clone(),
        eigenvector: Some(equal),
    }
}

fn star_inwards(leaves: usize) -> Shape {
    let (n, l) = (leaves + 1, leaves as f64);
    Shape {
        name: "star inwards",
        n,
        arcs: (1..n as Node).map(|i| (i, 0)).collect(),
        pagerank: one(n, 0, 1.0 + ALPHA * l, 1.0),
        alpha: ALPHA / l,
        katz: one(n, 0, 1.0 + ALPHA, 1.0),
        seeley: one(n, 0, 1.0, 0.0),
        authorities: one(n, 0, 1.0, 0.0),
        hubs: one(n, 0, 0.0, 1.0),
        leaderrank: one(n, 0, 2.0 + l / 2.0, 2.0),
        eigenvector: None,
    }
}

fn star_outwards(leaves: usize) -> Shape {
    let (n, l) = (leaves + 1, leaves as f64);
    Shape {
        name: "star outwards",
        n,
        arcs: (1..n as Node).map(|i| (0, i)).collect(),
        pagerank: one(n, 0, 1.0, 1.0 + ALPHA / l),
        alpha: ALPHA,
        katz: one(n, 0, 1.0, 1.0 + ALPHA),
        seeley: one(n, 0, 0.0, 1.0),
        authorities: one(n, 0, 0.0, 1.0),
        hubs: one(n, 0, 1.0, 0.0),
        leaderrank: one(n, 0, 2.0, 2.0 + 1.0 / (l + 1.0)),
        eigenvector: None,
    }
}

fn star_both_ways(leaves: usize) -> Shape {
    let (n, l) = (leaves + 1, leaves as f64);
    // PageRank: c = 1 - a + a L x and x = 1 - a + a c / L; Katz: c = 1 + alpha L x and x = 1 + alpha c.
    let centre = (1.0 - ALPHA) * (1.0 + ALPHA * l) / (1.0 - ALPHA * ALPHA);
    let katz = (1.0 + ALPHA * l.sqrt()) / (1.0 - ALPHA * ALPHA);
    // LeaderRank: x = 1 + c / (L + 1), c = 1 + L x / 2.
    let ground = (1.0 + l / 2.0) / (1.0 - l / (2.0 * (l + 1.0)));
    Shape {
        name: "star both ways",
        n,
        arcs: (1..n as Node).flat_map(|i| [(0, i), (i, 0)]).collect(),
        pagerank: one(n, 0, centre, 1.0 - ALPHA + ALPHA * centre / l),
        alpha: ALPHA / l.sqrt(),
        katz: one(n, 0, katz, 1.0 + ALPHA * katz / l.sqrt()),
        seeley: one(n, 0, l, 1.0),
        authorities: vec![],
        hubs: vec![],
        leaderrank: one(n, 0, 1.0 + ground, 2.0 + ground / (l + 1.0)),
        eigenvector: Some(one(n, 0, l.sqrt(), 1.0)),
    }
}

/// Nearly exact.
fn sum(values: &[f64]) -> f64 {
    let add = |(sum, rest): (f64, f64), &x: &f64| {
        let total = sum + x;
        let [large, small] = if x > sum { [x, sum] } else { [sum, x] };
        (total, rest + (large - total + small))
    };
    let (sum, rest) = values.iter().fold((0.0, 0.0), add);
    sum + rest
}

/// Compares columns with the truth, scaled to the sum of the scores unless it is exact.
fn check(name: &str, found: Result<Ranked>, truths: &[&[f64]], is_scaled: bool) {
    let found = match found {
        Ok(found) => found,
        Err(Error::Undefined { .. }) if truths.is_empty() => return,
        Err(problem) => panic!("{name}: {problem}"),
    };
    for ((column, scores), truth) in found.columns().iter().zip(truths) {
        let values = scores.as_slice();
        assert!(are_scores(values), "{name}: {column}");
        let scale = if is_scaled {
            sum(values) / sum(truth)
        } else {
            1.0
        };
        let errors = values
            .iter()
            .zip(*truth)
            .map(|(x, t)| (x - scale * t).abs());
        let error = sum(&errors.collect::<Vec<f64>>());
        let bound = match scores.run.outcome {
            Outcome::Iterated { error_bound, .. } | Outcome::Relative { error_bound, .. } => {
                error_bound
            }
            Outcome::Stationary { error_bound, .. } => error_bound.unwrap_or(f64::INFINITY),
            Outcome::Eigen { .. } => 1e-9,
            _ => 0.0,
        };
        // Rounding of the truth.
        let slack = 1e-14 * sum(values);
        assert!(
            error <= bound + slack,
            "{name}, {column}: {error:e} {bound:e}"
        );
        assert!(bound <= 1e-8 * sum(values), "{name}, {column}: {bound:e}");
    }
    if let Some(certainty) = found.certainty() {
        let (ranks, truth) = (found.ranking().ranks(), truths[0]);
        let mut sorted = truth.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for node in (0..truth.len()).filter(|&node| certainty.certain()[node]) {
            let better = sorted.partition_point(|&x| x > truth[node]);
            assert_eq!(ranks[node] as usize, better + 1, "{name}: node {node}");
        }
    }
}

/// Compares all measures that are quick on this shape; `by_component` are those that iterate on
/// one strong component after the other.
fn compare(shape: &Shape, by_component: bool) {
    let graph = Graph::from_arcs(shape.n, shape.arcs.iter().copied()).unwrap();
    let found = |measure: Run| measure(&graph, &Limits::default());
    let name = |measure: &str| format!("{measure} of {}", shape.name);
    for method in [Method::Power, Method::GaussSeidel, Method::Components] {
        let pagerank = found(run(PageRank::default().method(method)));
        check(&name(method.name()), pagerank, &[&shape.pagerank], true);
    }
    let leaderrank = found(run(LeaderRank::default()));
    check(&name("leaderrank"), leaderrank, &[&shape.leaderrank], true);
    let truths = [&shape.authorities[..], &shape.hubs];
    if !shape.authorities.is_empty() {
        check(&name("salsa"), found(run(Salsa::default())), &truths, true);
        check(&name("hits"), found(run(Hits::default())), &truths, true);
    }
    if !by_component {
        return;
    }
    let katz = Katz {
        alpha: Attenuation::new(shape.alpha).unwrap(),
        ..Katz::default()
    };
    let katz = found(run(katz));
    check(&name("katz"), katz, &[&shape.katz], false);
    // Iteration does not get around a long cycle.
    if shape.name != "cycle" {
        let seeley = found(run(Seeley::default()));
        check(&name("seeley"), seeley, &[&shape.seeley], true);
    }
    let truths: Vec<&[f64]> = shape.eigenvector.iter().map(|x| &x[..]).collect();
    let eigenvector = found(run(Eigenvector::default()));
    check(&name("eigenvector"), eigenvector, &truths, true);
}

#[test]
fn scores_of_long_paths_and_cycles_are_those_of_their_formulas() {
    let n = 100_000 as Node;
    compare(&path(n as usize), true);
    let cycle = (0..n).map(|i| (i, (i + 1) % n));
    compare(&regular("cycle", cycle.collect()), true);
}

#[test]
fn scores_of_many_equal_components_are_those_of_their_formulas() {
    let pairs = |n: Node| {
        let pairs = (0..n).flat_map(|k| [(2 * k, 2 * k + 1), (2 * k + 1, 2 * k)]);
        regular("equal components", pairs.collect())
    };
    compare(&pairs(100_000), false);
    compare(&pairs(5_000), true);
}

#[test]
fn scores_of_huge_stars_are_those_of_their_formulas() {
    let leaves = 1_000_000;
    compare(&star_inwards(leaves), true);
    compare(&star_outwards(leaves), true);
    compare(&star_both_ways(leaves / 4), true);
}

#[test]
fn searches_of_huge_stars_are_exact() {
    let leaves = 1_000_000u32;
    let n = leaves as usize + 1;
    let l = f64::from(leaves);
    let star = |both: bool| {
        let arcs = (1..=leaves).flat_map(|i| [(i, 0), if both { (0, i) } else { (i, 0) }]);
        Graph::from_arcs(n, arcs).unwrap()
    };
    let (inwards, both) = (star(false), star(true));
    let harmonic = Harmonic::default();
    assert_eq!(harmonic.run(&inwards).unwrap().values(), one(n, 0, l, 0.0));
    let leaf = 1.0 + (l - 1.0) / 2.0;
    assert_eq!(harmonic.run(&both).unwrap().values(), one(n, 0, l, leaf));
    assert_eq!(Reachable.run(&both).unwrap().values(), vec![l; n]);
    let between = Betweenness::default();
    assert_eq!(between.run(&inwards).unwrap().values(), vec![0.0; n]);
    let expected = one(n, 0, l * (l - 1.0), 0.0);
    assert_eq!(between.run(&both).unwrap().values(), expected);
}

#[test]
fn ladders_have_more_shortest_paths_than_doubles_count() {
    // 2^200 and 2^1100 paths from end to end. All k levels before a node and all after it.
    for levels in [201, 1101u32] {
        let n = 2 * levels;
        let graph = Graph::from_arcs(n as usize, ladder(n)).unwrap();
        let through = |x: Node| f64::from(2 * (x / 2)) * f64::from(levels - 1 - x / 2);
        let expected: Vec<f64> = (0..n).map(through).collect();
        let found = Betweenness::default().run(&graph).unwrap();
        let ranks = found.ranking().ranks();
        for x in 0..n as usize {
            let (value, expected) = (found.values()[x], expected[x]);
            assert!(
                (value - expected).abs() <= 1e-11 * expected,
                "{x}: {value} {expected}"
            );
            assert_eq!(ranks[x], ranks[n as usize - 1 - x], "{x}");
        }
        // With ends: every node is the end of as many pairs as it reaches, and is reached by.
        let ends = Betweenness {
            endpoints: true,
            ..Betweenness::default()
        };
        let found = ends.run(&graph).unwrap();
        for x in 0..n {
            let expected = expected[x as usize] + f64::from(2 * (levels - 1));
            let value = found.values()[x as usize];
            assert!(
                (value - expected).abs() <= 1e-11 * expected,
                "{x}: {value} {expected}"
            );
        }
        let arcs = ArcBetweenness { normalize: false };
        let found = arcs.compute(&graph, &Limits::default(), &Silent).unwrap();
        for (arc, value) in found.values().iter().enumerate() {
            let before = found.ends(arc).0 / 2 + 1;
            let expected = f64::from(before) * f64::from(levels - before);
            assert!(
                (value - expected).abs() <= 1e-11 * expected,
                "arc {arc}: {value} {expected}"
            );
        }
        // Sampled paths go through every level.
        let sampled = Betweenness {
            method: BetweennessMethod::Approx,
            precision: Precision::new(0.05, 1e-6).unwrap(),
            ..Betweenness::default()
        };
        let found = sampled.run(&graph).unwrap();
        let Intervals { lower, upper, .. } = found.intervals().expect("approx has intervals");
        for x in 0..n as usize {
            let slack = 1e-9 * (1.0 + expected[x]);
            let inside = lower[x] <= expected[x] + slack && expected[x] <= upper[x] + slack;
            assert!(inside, "{x}: {} {} {}", lower[x], expected[x], upper[x]);
        }
    }
}

#[test]
fn directions_mirror_each_other() {
    // Equal bits on a graph and on its transpose.
    let arcs: Vec<(Node, Node)> = (0..40)
        .flat_map(|i| [(i, i * 7 % 40), (i, i / 2), (i / 3, i)])
        .collect();
    let back = arcs.iter().map(|&(i, j)| (j, i)).collect::<Vec<_>>();
    let [graph, mirror] = [arcs, back].map(|arcs| Graph::from_arcs(40, arcs).unwrap());
    let out = Direction::Out;
    let limits = Limits::default();
    for (one, other) in [
        (
            run(Katz::default()),
            run(Katz {
                direction: out,
                ..Katz::default()
            }),
        ),
        (
            run(Seeley::default()),
            run(Seeley {
                direction: out,
                ..Seeley::default()
            }),
        ),
        (
            run(LeaderRank::default()),
            run(LeaderRank {
                direction: out,
                ..LeaderRank::default()
            }),
        ),
        (
            run(Eigenvector::default()),
            run(Eigenvector {
                direction: out,
                ..Eigenvector::default()
            }),
        ),
    ] {
        let (here, there) = (
            one(&graph, &limits).unwrap(),
            other(&mirror, &limits).unwrap(),
        );
        assert_eq!(here.values(), there.values(), "{}", here.run().measure);
    }
}
