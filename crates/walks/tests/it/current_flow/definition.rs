//! Current-flow betweenness, against elimination in fractions for every pair of nodes.

use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_measure::Measure;
use webrank_scores::Outcome;
use webrank_scores::ranked::Ranked;
use webrank_testing::oracle::exact::{Exact, exact, reaches, solve};
use webrank_walks::current_flow::CurrentFlow;

/// Edges once each, with their weights.
type Edges = Vec<(Node, Node, f64)>;

fn graph(n: usize, edges: &Edges) -> Graph {
    let both = edges
        .iter()
        .flat_map(|&(x, y, weight)| [((x, y), weight), ((y, x), weight)]);
    let mut arcs: Vec<_> = both.collect();
    arcs.sort_by_key(|entry| entry.0);
    arcs.dedup_by_key(|entry| entry.0);
    let graph = Graph::from_arcs(n, arcs.iter().map(|entry| entry.0)).unwrap();
    graph
        .with_arc_weights(arcs.iter().map(|entry| entry.1).collect())
        .unwrap()
}

fn run(n: usize, edges: &Edges) -> Ranked {
    CurrentFlow::default().run(&graph(n, edges)).unwrap()
}

/// Kirchhoff's equations for every pair: the potential is 0 at the exit and in other components.
fn by_pairs(n: usize, edges: &Edges) -> Vec<Exact> {
    let mut a = vec![vec![Exact::zero(); n]; n];
    for &(x, y, weight) in edges.iter().filter(|edge| edge.0 != edge.1) {
        for (x, y) in [(x as usize, y as usize), (y as usize, x as usize)] {
            a[x][y] = exact(weight);
        }
    }
    let connected = reaches(&a);
    let mut scores = vec![Exact::zero(); n];
    for entry in 0..n {
        for exit in (0..n).filter(|&exit| exit != entry && connected[entry][exit]) {
            let equation = |i: usize| {
                let of = |j: usize| match (i == exit || !connected[i][entry], i == j) {
                    (true, true) => Exact::one(),
                    (true, false) => Exact::zero(),
                    (false, true) => a[i].iter().sum(),
                    (false, false) => -a[i][j].clone(),
                };
                (0..n).map(of).collect()
            };
            let mut right = vec![Exact::zero(); n];
            right[entry] = Exact::one();
            let v = solve((0..n).map(equation).collect(), right);
            for x in (0..n).filter(|&x| x != entry && x != exit && connected[x][entry]) {
                let currents = (0..n).map(|y| (&a[x][y] * (&v[x] - &v[y])).abs());
                let through: Exact = currents.sum();
                scores[x] += through / Exact::from_integer(2.into());
            }
        }
    }
    scores
}

fn networks() -> impl Strategy<Value = (usize, Edges)> {
    (1usize..=7).prop_flat_map(|n| {
        let edge = (
            0..n as Node,
            0..n as Node,
            prop::sample::select(vec![1.0, 1.0, 0.3, 2.5, 1e-3, 40.0]),
        );
        let edges = prop::collection::vec(edge, 0..14);
        edges.prop_map(move |mut edges: Edges| {
            edges.iter_mut().for_each(|edge| {
                if edge.0 > edge.1 {
                    *edge = (edge.1, edge.0, edge.2)
                }
            });
            edges.sort_by_key(|edge| (edge.0, edge.1));
            edges.dedup_by_key(|edge| (edge.0, edge.1));
            (n, edges)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn scores_are_within_their_bound_of_kirchhoffs_equations((n, edges) in networks()) {
        let ranked = run(n, &edges);
        let Outcome::Rounded { relative_error_bound, .. } = ranked.run().outcome else {
            panic!("{:?}", ranked.run().outcome);
        };
        prop_assert!(relative_error_bound < 1e-7, "{relative_error_bound}");
        let bound = exact(relative_error_bound);
        for (&found, truth) in ranked.values().iter().zip(by_pairs(n, &edges)) {
            prop_assert!((exact(found) - &truth).abs() <= &truth * &bound, "{found} {truth}");
        }
    }
}

fn unweighted(edges: impl IntoIterator<Item = (Node, Node)>) -> Edges {
    edges.into_iter().map(|(x, y)| (x, y, 1.0)).collect()
}

fn assert_near(found: f64, truth: f64) {
    assert!((found - truth).abs() <= 1e-12 * truth, "{found} {truth}");
}

#[test]
fn on_trees_it_is_betweenness() {
    let n = 200;
    let path = run(n, &unweighted((1..n as Node).map(|x| (x - 1, x))));
    for (place, &score) in path.values().iter().enumerate() {
        assert_near(score, (2 * place * (n - 1 - place)) as f64);
    }
    let star = run(n, &unweighted((1..n as Node).map(|x| (0, x))));
    assert_near(star.values()[0], ((n - 1) * (n - 2)) as f64);
    assert!(star.values()[1..].iter().all(|&leaf| leaf == 0.0));
}

#[test]
fn closed_forms_of_complete_graphs_and_cycles() {
    for n in [3, 4, 9, 130] {
        let pairs = (0..n as Node).flat_map(|x| (0..x).map(move |y| (y, x)));
        let complete = run(n, &unweighted(pairs));
        // Each third node passes on 1/n of each pair's current.
        let truth = (n - 1) as f64 * (n - 2) as f64 / n as f64;
        complete
            .values()
            .iter()
            .for_each(|&score| assert_near(score, truth));
        assert!(
            complete.ranking().ranks().iter().all(|&rank| rank == 1),
            "all tie"
        );
        let cycle = run(
            n,
            &unweighted((0..n as Node).map(|x| (x, (x + 1) % n as Node))),
        );
        // Ends at distances a and b from x on either side: those with x on a way of d = a + b get 1 - d/n.
        let ways = (1..n).flat_map(|a| (1..n - a).map(move |b| (a + b) as f64 / n as f64));
        let truth: f64 = ways.map(|way| 2.0 * (1.0 - way)).sum();
        cycle
            .values()
            .iter()
            .for_each(|&score| assert_near(score, truth));
        assert!(
            cycle.ranking().ranks().iter().all(|&rank| rank == 1),
            "all tie"
        );
    }
}

#[test]
fn long_thin_graphs_keep_their_digits() {
    // A ladder: potentials are hundreds of times as large as currents.
    let n = 1200 as Node;
    let rungs = (0..n / 2).map(|x| (2 * x, 2 * x + 1));
    let rails = (0..n - 2).map(|x| (x, x + 2));
    let ladder = run(n as usize, &unweighted(rungs.chain(rails)));
    let Outcome::Rounded {
        relative_error_bound,
        ..
    } = ladder.run().outcome
    else {
        panic!("{:?}", ladder.run().outcome);
    };
    assert!(relative_error_bound < 1e-9, "{relative_error_bound}");
    let values = ladder.values();
    (0..n as usize).for_each(|x| assert_near(values[x], values[n as usize - 1 - x]));
}

#[test]
fn normalised_scores_count_all_nodes() {
    let edges = unweighted([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)]);
    let graph = graph(7, &edges);
    let [plain, shares] =
        [false, true].map(|normalize| CurrentFlow { normalize }.run(&graph).unwrap());
    for (plain, share) in plain.values().iter().zip(shares.values()) {
        assert_eq!(plain / 30.0, *share);
    }
}

#[test]
fn arcs_of_one_direction_or_of_two_weights_are_refused() {
    let graph = Graph::from_arcs(3, [(0, 1), (1, 0), (1, 2)]).unwrap();
    let problem = CurrentFlow::default()
        .run(&graph)
        .err()
        .unwrap()
        .to_string();
    assert!(
        problem.contains("from node 1 to node 2 and none back; --symmetric"),
        "{problem}"
    );
    let graph = Graph::from_arcs(3, [(0, 1), (1, 0)]).unwrap();
    let graph = graph.with_arc_weights(vec![1.0, 2.0]).unwrap();
    let problem = CurrentFlow::default()
        .run(&graph)
        .err()
        .unwrap()
        .to_string();
    assert!(problem.contains("different weights"), "{problem}");
}

#[test]
fn conductances_that_are_too_different_are_refused() {
    for least in [1e-300, 1e-18] {
        let graph = graph(3, &vec![(0, 1, 1.0), (1, 2, least), (0, 2, 1.0)]);
        let problem = CurrentFlow::default()
            .run(&graph)
            .err()
            .unwrap()
            .to_string();
        assert!(problem.contains("too different"), "{problem}");
    }
    // Their scale does not matter.
    let of = |unit: f64| {
        run(
            4,
            &vec![(0, 1, unit), (1, 2, 2.0 * unit), (2, 0, unit), (2, 3, unit)],
        )
    };
    assert_eq!(of(1.0).values(), of(2f64.powi(-900)).values());
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let edges =
        (0..900 as Node).flat_map(|x| [(x, (x * 7 + 1) % 300), (x % 300, (x * x + 3) % 300)]);
    let mut edges: Vec<_> = edges
        .map(|(x, y)| (x.min(y) % 300, x.max(y) % 300))
        .collect();
    edges
        .iter_mut()
        .for_each(|edge| *edge = (edge.0.min(edge.1), edge.0.max(edge.1)));
    edges.sort_unstable();
    edges.dedup();
    let graph = graph(300, &unweighted(edges));
    let run = |threads| {
        let limits = Limits::default().threads(threads).unwrap();
        CurrentFlow::default()
            .rank(&graph, &limits, &Silent)
            .unwrap()
            .values()
            .to_vec()
    };
    assert_eq!(run(1), run(3));
}
