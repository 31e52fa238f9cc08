//! Numbers of walks, against counting in whole numbers of any size.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Direction, Graph};
use webrank_linear::Matrix;
use webrank_measure::Measure;
use webrank_scores::Outcome;
use webrank_testing::graphs::{Arcs, cycle, digraphs, graphs, large_graph};
use webrank_testing::oracle::exact::{Exact, exact};
use webrank_walks::walk_counts::{Walks, count};

/// Each walk goes on by each arc.
fn counted(Arcs(n, arcs): &Arcs, weights: &[u32], length: u32) -> Vec<BigUint> {
    let mut counts = vec![BigUint::one(); *n];
    for _ in 0..length {
        let mut longer = vec![BigUint::zero(); *n];
        for (&(source, target), &weight) in arcs.iter().zip(weights) {
            longer[target as usize] += &counts[source as usize] * weight;
        }
        counts = longer;
    }
    counts
}

/// Arcs once each, by source and target.
fn once(Arcs(n, mut arcs): Arcs) -> Arcs {
    arcs.sort_unstable();
    arcs.dedup();
    Arcs(n, arcs)
}

fn whole(count: &BigUint) -> Exact {
    Exact::from_integer(count.clone().into())
}

proptest! {
    #[test]
    fn walks_are_counted_exactly_while_numbers_are_doubles(graph in graphs(), length in 0u32..14) {
        let graph = once(graph);
        let found = count(&graph.matrix(), length, &Silent).unwrap();
        prop_assert_eq!(found.rounded, 0);
        let truth = counted(&graph, &vec![1; graph.1.len()], length);
        for (&found, truth) in found.values.iter().zip(&truth) {
            prop_assert_eq!(exact(found), whole(truth));
        }
    }

    #[test]
    fn larger_numbers_are_within_their_bound((n, arcs) in digraphs(), length in 0u32..250, scale in 1u32..1000) {
        let graph = once(Arcs(n, arcs));
        // Weights that arcs into a node share, so that rows are easily made.
        let weights: Vec<u32> = graph.1.iter().map(|arc| 1 + arc.1 * scale % 7).collect();
        let rows = graph.matrix().into_rows();
        let of_rows = (0..n as Node).flat_map(|x| vec![f64::from(1 + x * scale % 7); rows.row(x).len()]);
        let matrix = Matrix::weighted(rows.clone(), of_rows.collect()).unwrap();
        let truth = counted(&graph, &weights, length);
        let found = match count(&matrix, length, &Silent) {
            Ok(found) => found,
            Err(_) => {
                let largest = truth.iter().map(BigUint::bits).max();
                prop_assert!(largest.is_some_and(|bits| bits > 1000));
                return Ok(());
            }
        };
        let bound = exact(f64::from(found.rounded) * f64::EPSILON);
        for (&found, truth) in found.values.iter().zip(&truth) {
            let (found, truth) = (exact(found), whole(truth));
            let error = if found > truth { &found - &truth } else { &truth - &found };
            prop_assert!(error <= &truth * &bound);
        }
    }
}

fn run(graph: &Arcs, length: u32, direction: Direction) -> webrank_scores::ranked::Ranked {
    let graph = Graph::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let mut walks = Walks::new(length).unwrap();
    walks.direction = direction;
    walks.run(&graph).unwrap()
}

#[test]
fn closed_forms_of_a_cycle_a_path_and_a_complete_graph() {
    let around = run(&cycle(5), 1_000_000, Direction::In);
    assert_eq!(around.values(), [1.0; 5]);
    assert_eq!(around.run().outcome, Outcome::Exact);
    let path = Arcs(4, vec![(0, 1), (1, 2), (2, 3)]);
    assert_eq!(run(&path, 2, Direction::In).values(), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(run(&path, 2, Direction::Out).values(), [1.0, 1.0, 0.0, 0.0]);
    let none = run(&path, 9, Direction::In);
    assert_eq!(none.values(), [0.0; 4]);
    assert_eq!(
        none.notes(),
        ["no walk has 4 arcs or more: all scores are 0"]
    );
    let pairs = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
    let complete = Arcs(4, pairs.filter(|(i, j)| i != j).collect());
    // 3^k; from 3^34 > 2^53 on, rounded.
    let last = run(&complete, 33, Direction::In);
    assert_eq!(last.values(), [3f64.powi(33); 4]);
    assert_eq!(last.run().outcome, Outcome::Exact);
    let first = run(&complete, 34, Direction::In);
    assert!(matches!(first.run().outcome, Outcome::Rounded { .. }));
    assert!((first.values()[0] / 3f64.powi(34) - 1.0).abs() <= 2.0 * f64::EPSILON);
}

#[test]
fn numbers_beyond_doubles_are_an_error_that_names_the_longest_length() {
    let pairs = (0..11).flat_map(|i| (0..11).map(move |j| (i, j)));
    let graph = Graph::from_arcs(11, pairs).unwrap();
    let problem = Walks::new(400).unwrap().run(&graph).err().unwrap();
    // 11^296 < 1.8e308 < 11^297, but the sum of eleven such numbers counts, too.
    assert!(
        problem.to_string().contains("give at most 295"),
        "{problem}"
    );
    assert!(Walks::new(295).unwrap().run(&graph).is_ok());
    assert!(Walks::new(1_000_001).is_err());
    // Weights that vanish.
    let graph = Graph::from_arcs(1, [(0, 0)]).unwrap();
    let graph = graph.with_arc_weights(vec![1e-200]).unwrap();
    assert!(Walks::new(1).unwrap().run(&graph).is_ok());
    let problem = Walks::new(2).unwrap().run(&graph).err().unwrap();
    assert!(problem.to_string().contains("give at most 1,"), "{problem}");
}

#[test]
fn nodes_between_which_the_graph_makes_no_difference_tie() {
    // Two copies of a graph, with other numbers.
    let one = [
        (0, 1),
        (1, 2),
        (2, 0),
        (0, 3),
        (3, 0),
        (1, 3),
        (3, 3),
        (2, 3),
    ];
    let other = one.map(|(source, target)| (7 - source, 7 - target));
    let graph = Graph::from_arcs(8, one.into_iter().chain(other)).unwrap();
    let weights = |graph: Graph| {
        let rows = graph.successors(&Silent).unwrap();
        let place = |node: Node| node.min(7 - node);
        let arcs = (0..8).flat_map(|x| rows.row(x).iter().map(move |&y| (x, y)));
        let weight = |(x, y)| 0.1 + f64::from(place(x) * 5 + place(y) * 3) / 7.0;
        let weights = arcs.map(weight).collect();
        graph.with_arc_weights(weights).unwrap()
    };
    let ranked = Walks::new(200).unwrap().run(&weights(graph)).unwrap();
    let values = ranked.values();
    for node in 0..4 {
        assert_eq!(values[node].to_bits(), values[7 - node].to_bits());
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let Arcs(n, arcs) = large_graph();
    let graph = Graph::from_arcs(n, arcs).unwrap();
    let run = |threads| {
        let limits = Limits::default().threads(threads).unwrap();
        let ranked = Walks::new(40).unwrap().run_within(&graph, &limits).unwrap();
        assert!(matches!(ranked.run().outcome, Outcome::Rounded { .. }));
        ranked.values().to_vec()
    };
    assert_eq!(run(1), run(3));
}
