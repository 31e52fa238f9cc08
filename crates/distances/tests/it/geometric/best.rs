//! The best nodes, found by cutting searches short, are the best of all scores.

use crate::distance_measures as definitions;
use crate::webgen;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::geometric::best::{Top, Way};
use webrank_distances::geometric::exact_number::Rounded;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::{Direction, DistanceMeasure, Exact};
use webrank_graph::{Csr, Predecessors, StoredGraph, Successors};

/// All scores, sorted: the definition.
fn by_sorting(exact: &Exact, measure: &dyn DistanceMeasure) -> Vec<(Node, Rounded)> {
    let all = exact.run(&[measure], &Silent).unwrap();
    let scores = all.scores[0].values.iter().zip(&all.rests[0]);
    let scores = scores.map(|(&value, &rest)| Rounded { value, rest });
    let mut nodes: Vec<_> = (0..).zip(scores).collect();
    nodes.sort_by(|a, b| b.1.compared_to(&a.1).then(a.0.cmp(&b.0)));
    nodes
}

fn best(exact: &Exact, measure: &dyn DistanceMeasure, count: usize, way: Way) -> Top {
    exact.best(measure, count, way, &Silent).unwrap()
}

fn check(num_nodes: usize, arcs: &[(Node, Node)], count: usize) {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    for direction in [Direction::In, Direction::Out] {
        let (p, s) = (Predecessors(&predecessors), Successors(&successors));
        let exact = Exact::new(p, s, direction);
        for defined in definitions::all() {
            let measure = &*defined.measure;
            let mut expected = by_sorting(&exact, measure);
            expected.truncate(count);
            for way in [Way::Cheaper, Way::Cutting, Way::All] {
                let found = best(&exact, measure, count, way).best;
                assert_eq!(found, expected, "{measure:?} {direction:?} {way:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn the_best_are_those_of_all_scores(
        (n, arcs) in (0..=12u32).prop_flat_map(|n| {
            let arc = (0..n.max(1), 0..n.max(1));
            (Just(n as usize), prop::collection::vec(arc, 0..=if n == 0 { 0 } else { 3 * n as usize }))
        }),
        count in 0usize..15,
    ) {
        check(n, &arcs, count);
    }
}

#[test]
fn the_best_of_a_larger_graph_are_found_by_any_number_of_threads() {
    let n = 1500u32;
    let arcs: Vec<_> = (0..n)
        .flat_map(|x| {
            [
                (x, x / 2),
                (x, x * x % (x + 3) % n),
                (x, x),
                (x / 5, x * 13 % n),
            ]
        })
        .collect();
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| check(n as usize, &arcs, 10));
    }
}

/// Both directions of a graph in `graphs/`.
fn real(graph: &str) -> (Csr, Csr) {
    StoredGraph::open(graph.as_ref())
        .unwrap()
        .both(&Silent)
        .unwrap()
}

#[test]
fn the_best_cost_little_more_than_all_scores() {
    // Where a few levels reach everything, and where most searches end soon.
    for graph in [
        webrank_testing::at!("graphs/debian.bv"),
        webrank_testing::at!("graphs/rust-doc.bv"),
    ] {
        let (successors, predecessors) = real(graph);
        for direction in [Direction::In, Direction::Out] {
            let (p, s) = (Predecessors(&predecessors), Successors(&successors));
            let exact = Exact::new(p, s, direction);
            let measures: [&dyn DistanceMeasure; 2] = [&Harmonic::default(), &Lin];
            for measure in measures {
                let all = exact.run(&[measure], &Silent).unwrap().arcs;
                let chosen = best(&exact, measure, 10, Way::Cheaper);
                eprintln!(
                    "{graph} {direction:?} {measure:?}: {} arcs, {all} for all",
                    chosen.arcs
                );
                assert!(
                    chosen.arcs as f64 <= 1.06 * all as f64,
                    "{graph} {direction:?} {measure:?}: {} arcs, {all} for all",
                    chosen.arcs
                );
            }
        }
    }
}

#[test]
fn every_way_finds_the_same_on_a_real_graph() {
    let (successors, predecessors) = real(webrank_testing::at!("graphs/debian.bv"));
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let exact = Exact::new(p, s, Direction::In);
    let all = best(&exact, &Lin, 20, Way::All);
    assert_eq!(best(&exact, &Lin, 20, Way::Cheaper).best, all.best);
    assert_eq!(best(&exact, &Lin, 20, Way::Cutting).best, all.best);
}

/// When cutting is given up, a search that others share may stand for nodes that are decided.
#[test]
fn the_best_are_found_once_when_cutting_is_given_up() {
    let successors = webgen::hosts(30_000);
    let predecessors = successors.transpose().unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(&successors));
    let exact = Exact::new(p, s, Direction::In);
    for count in [100, 1000] {
        let found = best(&exact, &Harmonic::default(), count, Way::Cheaper);
        assert_eq!(found.run.method, "exact", "cutting was not given up");
        let mut expected = by_sorting(&exact, &Harmonic::default());
        expected.truncate(count);
        assert_eq!(found.best, expected, "{count}");
    }
}
