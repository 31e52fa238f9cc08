//! The intervals of estimates hold exact scores of a real graph as often as they say.

use webrank_base::Node;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::BetweennessMethod;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::Decay;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::sampled::{Precision, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::Direction;
use webrank_graph::Graph;
use webrank_measure::Measure;
use webrank_scores::intervals::{Confidence, Holds};
use webrank_scores::parameters::Variant;
use webrank_scores::ranked::Ranked;

const SEEDS: u64 = 12;

/// Every fourth package of Debian, and the arcs between them and their neighbours.
fn packages() -> Graph {
    let graph = Graph::open(webrank_testing::at!("graphs/debian.bv")).unwrap();
    let rows = graph.successors(&webrank_base::progress::Silent).unwrap();
    let n = graph.num_nodes() as Node;
    let chosen: Vec<Node> = (0..n).filter(|x| x % 4 == 1).collect();
    let mut number = vec![None; n as usize];
    let mut kept = 0;
    let mut number_of = |x: Node| {
        *number[x as usize].get_or_insert_with(|| {
            kept += 1;
            kept - 1
        })
    };
    let mut arcs = Vec::new();
    for &x in &chosen {
        for &y in rows.row(x) {
            arcs.push((number_of(x), number_of(y)));
        }
    }
    Graph::from_arcs(kept as usize, arcs).unwrap()
}

/// How many true scores, and true ranks, are inside; and of how many nodes that are not known exactly.
fn inside(found: &Ranked, truth: &Ranked) -> [usize; 3] {
    let intervals = found.intervals().expect("estimates have intervals");
    let ranges = found.rank_ranges().expect("intervals leave ranks open");
    let mut counts = [0; 3];
    for (x, &score) in truth.values().iter().enumerate() {
        let (lower, upper) = (intervals.lower[x], intervals.upper[x]);
        let estimate = found.values()[x];
        assert!(lower <= estimate && estimate <= upper, "{x}");
        let rank = found.ranking().ranks()[x];
        assert!(ranges.from[x] <= rank && rank <= ranges.to[x], "{x}");
        let slack = 1e-9 * score.abs();
        if lower == upper {
            assert!((score - lower).abs() <= slack, "{x} is not {lower}");
            continue;
        }
        let rank = truth.ranking().ranks()[x];
        counts[0] += usize::from(lower - slack <= score && score <= upper + slack);
        counts[1] += usize::from(ranges.from[x] <= rank && rank <= ranges.to[x]);
        counts[2] += 1;
    }
    counts
}

/// The shares of true scores and of true ranks inside, over all seeds.
fn shares(truth: &Ranked, run: impl Fn(u64) -> Ranked) -> [f64; 2] {
    let mut sums = [0; 3];
    for seed in 0..SEEDS {
        let counts = inside(&run(seed), truth);
        sums.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
    }
    let [scores, ranks, nodes] = sums.map(|sum| sum as f64);
    assert!(nodes > 1000.0 * SEEDS as f64, "{nodes}");
    [scores / nodes, ranks / nodes]
}

fn geometric(make: &dyn Fn() -> Geometric, graph: &Graph) -> Ranked {
    make().method(DistanceMethod::Exact).run(graph).unwrap()
}

#[test]
fn counters_hold_the_truth_as_often_as_they_say() {
    let graph = packages();
    let variant = |variant| Geometric::of(Closeness { variant });
    let measures: [(&str, &dyn Fn() -> Geometric); 6] = [
        ("harmonic", &|| Geometric::of(Harmonic { normalize: true })),
        ("reachable", &|| Geometric::of(Reachable)),
        ("decay", &|| {
            Geometric::of(Decay::default()).direction(Direction::Out)
        }),
        ("lin", &|| Geometric::of(Lin)),
        ("bavelas", &|| variant(Variant::Bavelas)),
        ("nieminen", &|| variant(Variant::Nieminen)),
    ];
    for (name, make) in measures {
        let truth = geometric(make, &graph);
        let confidences = match name {
            "harmonic" => &[(5, 0.95), (8, 0.9), (8, 0.95), (8, 0.99)][..],
            _ => &[(8, 0.95)],
        };
        for &(log2m, stated) in confidences {
            let found = shares(&truth, |seed| {
                let measure = make().method(DistanceMethod::Hyperball);
                let measure = measure.counters(Counters::new(log2m, seed).unwrap());
                let confidence = Confidence::new(stated).unwrap();
                measure.confidence(confidence).run(&graph).unwrap()
            });
            // All nodes share a hash, so 12 seeds are few.
            assert!(
                found[0] >= stated - 0.02,
                "{name}, {log2m}: {found:?} of {stated}"
            );
            assert!(
                found[1] >= stated,
                "ranks by {name}, {log2m}: {found:?} of {stated}"
            );
        }
    }
}

/// With 256 registers, two of six nodes share one with a probability of 5.7%: a count may lack a node.
#[test]
fn counts_of_few_nodes_may_lack_one() {
    let ring = Graph::from_arcs(6, (0..6).map(|x| (x, (x + 1) % 6))).unwrap();
    let holds = |seed: &u64| {
        let measure = Geometric::of(Reachable).method(DistanceMethod::Hyperball);
        let found = measure
            .counters(Counters::new(8, *seed).unwrap())
            .run(&ring)
            .unwrap();
        let intervals = found.intervals().unwrap();
        intervals.lower[0] <= 5.0 && 5.0 <= intervals.upper[0]
    };
    let held = (0..1000).filter(holds).count();
    assert!(held > 990, "{held}");
}

#[test]
fn samples_hold_the_truth_as_often_as_they_say() {
    // Most packages have a small reach, and are exact.
    let graph = Graph::open(webrank_testing::at!("graphs/rust-doc.bv")).unwrap();
    let measures: [(&str, &dyn Fn() -> Geometric); 3] = [
        ("harmonic", &|| Geometric::of(Harmonic { normalize: true })),
        ("reachable", &|| {
            Geometric::of(Reachable).direction(Direction::Out)
        }),
        ("decay", &|| Geometric::of(Decay::default())),
    ];
    let estimated = |count| SampleSize::sources(count, 0.1).unwrap();
    let sizes = [
        (estimated(512), 0.95, false),
        (estimated(2048), 0.9, false),
        (Precision::new(0.05, 0.1).unwrap().into(), 0.99, true),
    ];
    for (name, make) in measures {
        let truth = geometric(make, &graph);
        // One measure stands for how intervals depend on sizes.
        let sizes = match name {
            "harmonic" => &sizes[..],
            _ => &sizes[..1],
        };
        for &(size, stated, proved) in sizes {
            let found = shares(&truth, |seed| {
                let measure = make().method(DistanceMethod::Sample).size(size);
                let counters = Counters::new(8, seed).unwrap();
                let confidence = Confidence::new(stated).unwrap();
                let measure = measure.counters(counters).confidence(confidence);
                let found = measure.run(&graph).unwrap();
                assert_eq!(found.intervals().unwrap().claim.proved, proved);
                found
            });
            assert!(
                found[0] >= stated,
                "{name}, {size:?}: {found:?} of {stated}"
            );
            assert!(
                found[1] >= stated,
                "ranks by {name}, {size:?}: {found:?} of {stated}"
            );
        }
    }
}

#[test]
fn sampled_sources_hold_the_truth_as_often_as_they_say() {
    let graph = packages();
    for endpoints in [false, true] {
        let exact = Betweenness {
            endpoints,
            normalize: endpoints,
            ..Betweenness::default()
        };
        let truth = exact.run(&graph).unwrap();
        for stated in [0.9, 0.99] {
            let found = shares(&truth, |seed| {
                let measure = Betweenness {
                    method: BetweennessMethod::Sources,
                    seed,
                    confidence: Confidence::new(stated).unwrap(),
                    ..exact.clone()
                };
                let found = measure.run(&graph).unwrap();
                let claim = found.intervals().unwrap().claim;
                assert!(claim.proved && claim.holds == Holds::EachNode);
                found
            });
            assert!(found[0] >= stated, "{found:?} of {stated}");
            assert!(found[1] >= stated, "ranks: {found:?} of {stated}");
        }
    }
}

#[test]
fn exact_scores_have_no_intervals_and_neither_has_a_guessed_diameter() {
    let graph = packages();
    assert!(Lin.run(&graph).unwrap().intervals().is_none());
    let guessed = Geometric::of(Integration).method(DistanceMethod::Hyperball);
    let guessed = guessed.run(&graph).unwrap();
    assert!(guessed.intervals().is_none() && guessed.rank_ranges().is_none());
    let given = Betweenness {
        method: BetweennessMethod::Sources,
        sources: Some(vec![0, 7]),
        ..Betweenness::default()
    };
    assert!(given.run(&graph).unwrap().bounds().is_empty());
    let all = Geometric::named(&["harmonic", "integration", "lin"]).unwrap();
    let all = all.method(DistanceMethod::Hyperball).run(&graph).unwrap();
    let headers: Vec<String> = all.bounds().into_iter().map(|(header, _)| header).collect();
    let expected = ["harmonic_lower", "harmonic_upper", "lin_lower", "lin_upper"];
    assert_eq!(headers, expected);
}
