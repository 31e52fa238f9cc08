//! The best nodes found by cutting searches short are the best of all scores.

use proptest::prelude::*;
use std::time::Duration;
use webrank::centrality::geometric::best::{by_cutting, top};
use webrank::centrality::geometric::closeness::Variant;
use webrank::centrality::geometric::decay::Base;
use webrank::centrality::geometric::{Direction, Measure, geometric};
use webrank::graph::{Csr, Node, Predecessors, Successors};
use webrank::progress::Silent;

fn measures() -> [Measure; 10] {
    [
        Measure::Closeness(Variant::Bavelas),
        Measure::Closeness(Variant::Lin),
        Measure::Closeness(Variant::Nieminen),
        Measure::Closeness(Variant::WassermanFaust),
        Measure::Harmonic { normalize: false },
        Measure::Harmonic { normalize: true },
        Measure::Lin,
        Measure::Reachable,
        Measure::Eccentricity,
        Measure::Decay(Base::new(0.7).unwrap()),
    ]
}

/// All scores, sorted: the definition.
fn by_sorting(p: &Csr, s: &Csr, direction: Direction, measure: Measure) -> Vec<(Node, f64)> {
    let all = geometric(
        Predecessors(p),
        Successors(s),
        direction,
        &[measure],
        &Silent,
    )
    .unwrap();
    let mut nodes: Vec<_> = (0..).zip(all.scores[0].values.iter().copied()).collect();
    nodes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    nodes
}

fn check(num_nodes: usize, arcs: &[(Node, Node)], count: usize) {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    for measure in measures() {
        for direction in [Direction::In, Direction::Out] {
            let mut expected = by_sorting(&predecessors, &successors, direction, measure);
            expected.truncate(count);
            let (p, s) = (Predecessors(&predecessors), Successors(&successors));
            let found = top(p, s, direction, measure, count, &Silent).unwrap();
            assert_eq!(
                found.best, expected,
                "{measure:?} {direction:?} {}",
                found.run.method
            );
            if count > 0 {
                let (rows, reverse) = match direction {
                    Direction::In => (&predecessors, &successors),
                    Direction::Out => (&successors, &predecessors),
                };
                let patience = Duration::from_secs(3600);
                let cut = by_cutting(rows, reverse, measure, count, patience, &Silent).unwrap();
                assert_eq!(cut, Some(expected), "{measure:?} {direction:?} cut");
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

#[test]
fn searches_give_way_when_patience_runs_out() {
    let path = Csr::from_arcs(50, (1..50).flat_map(|x| [(x - 1, x), (x, x - 1)])).unwrap();
    let found = by_cutting(&path, &path, Measure::Lin, 5, Duration::ZERO, &Silent).unwrap();
    assert_eq!(found, None);
}
