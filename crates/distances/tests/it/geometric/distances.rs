//! The distance distribution and its statistics.

use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::geometric::distances::{Distances, diameter, distances, estimate};
use webrank_distances::traversal::hyperball::{Counters, Slicing};
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Outcome;
use webrank_testing::graphs::digraphs;
use webrank_testing::oracle::distances as oracle;

fn with<R>(
    num_nodes: usize,
    arcs: &[(Node, Node)],
    run: impl Fn(Predecessors<Csr>, Successors<Csr>) -> R,
) -> R {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    run(Predecessors(&predecessors), Successors(&successors))
}

fn exact(num_nodes: usize, arcs: &[(Node, Node)]) -> Distances {
    with(num_nodes, arcs, |p, s| {
        distances(p, s, &SearchSources::All, &Silent).unwrap()
    })
}

proptest! {
    #[test]
    fn every_pair_is_counted_at_its_distance((n, arcs) in digraphs()) {
        let mut pairs = vec![0.0; n];
        for (y, row) in oracle::distances(n, &arcs).iter().enumerate() {
            for (x, &d) in row.iter().enumerate() {
                if x != y && d != oracle::FAR {
                    pairs[d as usize - 1] += 1.0;
                }
            }
        }
        while pairs.last() == Some(&0.0) {
            pairs.pop();
        }
        let found = exact(n, &arcs);
        prop_assert_eq!(&found.pairs, &pairs);
        prop_assert_eq!(found.diameter, Some(pairs.len() as u32));
        prop_assert_eq!(found.outcome, Outcome::Exact);
        let longest = with(n, &arcs, |p, s| diameter(p, s, &Silent).unwrap());
        prop_assert_eq!(longest, pairs.len() as u32);
    }

    #[test]
    fn sampled_pairs_add_up_to_all(n in 1usize..10, seed: u64, count in 1usize..10) {
        // On a cycle every source has the same distances, so any sample is exact.
        let arcs: Vec<_> = (0..n as Node).map(|x| (x, (x + 1) % n as Node)).collect();
        let sample = SearchSources::Sample { count, seed };
        let found = with(n, &arcs, |p, s| distances(p, s, &sample, &Silent).unwrap());
        for &pairs in &found.pairs {
            prop_assert!((pairs - n as f64).abs() < 1e-9);
        }
        prop_assert_eq!(found.diameter.is_some(), count >= n);
    }
}

/// Some need few searches, others so many that every node is searched from.
#[test]
fn diameters_of_unlike_graphs_are_the_largest_distances() {
    let mixed = |x: Node| x.wrapping_mul(0x9E37_79B1) >> 7;
    let random = |n: Node, first: Node| -> Vec<(Node, Node)> {
        let ends = (0..3 * n).map(|i| (i % n, mixed(i + first) % n));
        ends.map(|(x, y)| (first + x, first + y)).collect()
    };
    let side = 40;
    let grid = (0..side * side).flat_map(|x| {
        let right = (x % side + 1 < side).then_some((x, x + 1));
        let down = (x + side < side * side).then_some((x, x + side));
        let both = right.into_iter().chain(down);
        both.flat_map(|(x, y)| [(x, y), (y, x)])
    });
    let path = (0..3000).map(|x: Node| (x, x + 1));
    let cited = (1..3000).flat_map(|x| (0..3).map(move |i| (x, mixed(3 * x + i) % x)));
    let joined = [random(900, 0), random(700, 900), vec![(5, 907)]].concat();
    let tail = (0..300).map(|x| (2000 + x, if x == 0 { 17 } else { 1999 + x }));
    let tailed = random(2000, 0).into_iter().chain(tail).chain([(8, 2300)]);
    for (name, n, arcs) in [
        ("random", 2500, random(2500, 0)),
        ("grid", 1600, grid.collect()),
        ("path", 3001, path.clone().collect()),
        ("cycle", 3001, path.chain([(3000, 0)]).collect()),
        ("citations", 3000, cited.collect()),
        ("two components", 1600, joined),
        ("a tail", 2301, tailed.collect()),
    ] {
        let truth = exact(n, &arcs).diameter;
        let found = with(n, &arcs, |p, s| diameter(p, s, &Silent).unwrap());
        assert_eq!(Some(found), truth, "{name}");
    }
}

#[test]
fn figures_of_a_directed_cycle() {
    // n pairs at each distance from 1 to n - 1.
    let found = exact(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    assert_eq!(found.pairs, [5.0; 4]);
    assert_eq!(found.reachable_share(), 1.0);
    assert_eq!(found.average_distance(), Some(2.5));
    // 18 of 20 pairs: 15 within 3, and 3 of the 5 at distance 4.
    assert!((found.effective_diameter(0.9).unwrap() - 3.6).abs() < 1e-12);
    let harmonic = 1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0;
    assert!((found.harmonic_diameter() - 4.0 / harmonic).abs() < 1e-12);
    // Variance of 1, 2, 3, 4 is 1.25.
    assert!((found.spid().unwrap() - 0.5).abs() < 1e-12);
}

#[test]
fn an_empty_sample_is_refused() {
    let sources = SearchSources::Sample { count: 0, seed: 0 };
    let found = with(3, &[(0, 1)], |backward, forward| {
        distances(backward, forward, &sources, &Silent)
    });
    assert!(found.unwrap_err().to_string().contains("samples is 0"));
}

#[test]
fn a_graph_without_arcs_has_no_average() {
    for n in [0, 1, 3] {
        let found = exact(n, &[]);
        assert_eq!(found.average_distance(), None);
        assert_eq!(found.effective_diameter(0.9), None);
        assert_eq!(found.spid(), None);
        assert_eq!(found.harmonic_diameter(), f64::INFINITY);
        assert_eq!(found.diameter, Some(0));
        assert!(found.reachable_pairs().is_sign_positive());
    }
}

#[test]
fn hyperball_finds_the_distribution_within_three_standard_errors() {
    let n = 2000u32;
    let arcs: Vec<_> = (0..n)
        .flat_map(|x| [(x, x * 13 % n), (x, (x * x + 7) % n), (x, (x + 1) % n)])
        .collect();
    let truth = exact(n as usize, &arcs);
    let counters = Counters::new(12, 1).unwrap();
    let found = with(n as usize, &arcs, |p, s| {
        estimate(p, s, counters, Slicing::whole(counters), &Silent).unwrap()
    });
    let tolerance = 3.0 * counters.relative_standard_error();
    let close = |found: f64, truth: f64| (found / truth - 1.0).abs() < tolerance;
    assert!(close(found.reachable_pairs(), truth.reachable_pairs()));
    assert!(close(
        found.average_distance().unwrap(),
        truth.average_distance().unwrap()
    ));
    assert!(close(found.harmonic_diameter(), truth.harmonic_diameter()));
}
