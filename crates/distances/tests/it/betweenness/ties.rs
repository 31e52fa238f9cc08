//! Ranks by exact betweenness are those of the exact fractions behind the scores.

use super::engines::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::arcs::arc_betweenness;
use webrank_distances::betweenness::exact::ExactBetweenness;
use webrank_distances::betweenness::ties::RoundingTies;
use webrank_graph::{Predecessors, Successors};
use webrank_scores::Outcome;
use webrank_scores::ranking::Ranking;
use webrank_testing::oracle::fractions;

type Arcs = Vec<(Node, Node)>;

fn found(n: usize, arcs: &Arcs, params: &Betweenness) -> (Vec<f64>, RoundingTies) {
    let successors = graph(n, arcs);
    let predecessors = successors.transpose().unwrap();
    let exact = ExactBetweenness::new(Successors(&successors), Predecessors(&predecessors));
    let (scores, ties) = exact.run(params, &Silent).unwrap();
    (scores.values.to_vec(), ties)
}

fn ranks(scores: &[f64]) -> Vec<u32> {
    Ranking::new(scores).unwrap().ranks().to_vec()
}

/// Nodes and arcs have the ranks of their exact fractions, and the ranks are known to be exact.
fn assert_ranked(n: usize, arcs: &Arcs) {
    for endpoints in [false, true] {
        let exact = fractions::betweenness(n, arcs, endpoints);
        for normalize in [false, true] {
            let params = Betweenness {
                normalize,
                endpoints,
                ..plain()
            };
            let (scores, ties) = found(n, arcs, &params);
            assert_eq!(ranks(&scores), fractions::ranks(&exact.nodes));
            assert_eq!(ties.note("nodes"), None);
        }
        let of_arcs = arc_betweenness(Successors(&graph(n, arcs)), endpoints, &Silent).unwrap();
        assert_eq!(ranks(&of_arcs.0), fractions::ranks(&exact.arcs));
        assert_eq!(of_arcs.1.note("arcs"), None);
    }
}

/// A graph beside copies of it with renumbered nodes.
fn copies(n: u32, arcs: &Arcs, renumber: impl Fn(u32, u32) -> u32, count: u32) -> Arcs {
    (0..count)
        .flat_map(|copy| {
            let moved = |x: u32| copy * n + renumber(copy, x);
            arcs.iter()
                .map(move |&(x, y)| (moved(x), moved(y)))
                .collect::<Arcs>()
        })
        .collect()
}

proptest! {
    #[test]
    fn small_graphs((n, arcs) in prop_oneof![digraph(), chained(), blown_up()]) {
        assert_ranked(n, &arcs);
    }

    #[test]
    fn mirror_images((n, arcs) in dense(), step in 1..29u32) {
        // Odd steps that are not multiples of n's factors give permutations of 0..29.
        let both = copies(29, &arcs, |copy, x| if copy == 0 { x } else { x * step % 29 }, 2);
        prop_assert!(n == 29);
        assert_ranked(58, &both);
    }
}

/// Graphs of 29 nodes, with many paths between most pairs.
fn dense() -> impl Strategy<Value = (usize, Arcs)> {
    prop::collection::vec((0..29u32, 0..29u32), 40..150).prop_map(|arcs| (29, arcs))
}

#[test]
fn cycles_with_chords() {
    for n in [5u32, 24, 61] {
        let cycle = (0..n).flat_map(|x| [(x, (x + 1) % n), (x, (x + 3) % n), (x, (x * n - x) % n)]);
        assert_ranked(n as usize, &cycle.collect());
        let symmetric = (0..n).flat_map(|x| [1, 2, 5].map(|step| (x, (x + step) % n)));
        assert_ranked(n as usize, &symmetric.collect());
    }
}

#[test]
fn chains_of_components() {
    // Cycles with a chord, each linked to the next by two arcs.
    let size = 7;
    let mut arcs = copies(
        size,
        &(0..size)
            .map(|x| (x, (x + 1) % size))
            .chain([(1, 4), (0, 3)])
            .collect(),
        |_, x| x,
        9,
    );
    arcs.extend((0..8).flat_map(|c| {
        [
            (c * size + 2, (c + 1) * size),
            (c * size + 5, (c + 1) * size),
        ]
    }));
    assert_ranked(63, &arcs);
}

/// A chain of blocks, each with so many ways from end to end; and the next free node.
fn ladder(first: u32, ways: &[u32]) -> (Arcs, u32) {
    let (mut arcs, mut corner) = (Vec::new(), first);
    for &ways in ways {
        let next = corner + ways + 1;
        arcs.extend((1..=ways).flat_map(|way| [(corner, corner + way), (corner + way, next)]));
        corner = next;
    }
    (arcs, corner + 1)
}

#[test]
fn ladders_with_many_paths() {
    let mixed: Vec<u32> = (0..20)
        .map(|i| 2 + (i % 3))
        .chain((0..20).rev().map(|i| 2 + (i % 3)))
        .collect();
    for ways in [vec![2; 60], vec![2; 200], mixed] {
        let (arcs, n) = ladder(0, &ways);
        assert_ranked(n as usize, &arcs);
    }
}

#[test]
fn ladders_with_more_paths_than_numbers() {
    let (arcs, n) = ladder(0, &[2; 910]);
    let (scores, ties) = found(n as usize, &arcs, &plain());
    // The mirror images of the ends.
    for x in [3, 4, 300, 301] {
        let image = n as usize
            - 1
            - if x % 3 == 0 {
                x
            } else {
                3 * (x / 3) + 3 - x % 3
            };
        assert_eq!(scores[x], scores[image], "{x} {image}");
    }
    assert_eq!(ties.note("nodes"), None);
}

/// Nodes on one of 2^60 + 1 ways and nodes on one of 3 2^59 + 1 ways have scores that round to the
/// same `f64`: they share a rank, and a note says so.
#[test]
fn differences_below_rounding_are_not_ranked_and_it_is_said() {
    let ways = [vec![2; 60], [vec![2; 59], vec![3]].concat()];
    let (mut arcs, mut first, mut beside) = (Vec::new(), 0, Vec::new());
    for ways in ways {
        let (ladder, next) = ladder(first, &ways);
        arcs.extend(ladder);
        let inner = 2 * ways.len() as u32 - 1;
        arcs.push((first, next));
        arcs.extend((1..inner).map(|i| (next + i - 1, next + i)));
        arcs.push((next + inner - 1, next - 1));
        beside.push(next as usize);
        first = next + inner;
    }
    let n = first as usize;
    let exact = fractions::betweenness(n, &arcs, false).nodes;
    let (scores, ties) = found(n, &arcs, &plain());
    let [one, other] = beside[..] else {
        unreachable!()
    };
    assert!(exact[one] != exact[other] && scores[one] == scores[other]);
    assert!(ties.different >= 4 && ties.unproved == 0, "{ties:?}");
    // No pair is in the wrong order.
    let (found, truth) = (ranks(&scores), fractions::ranks(&exact));
    for x in 0..n {
        for y in 0..n {
            assert!(found[x] >= found[y] || truth[x] < truth[y]);
        }
    }
}

#[test]
fn large_graphs_are_ranked_within_rounding() {
    // The graph is too large for proofs by residues.
    let n = 1500;
    let arcs: Arcs = (0..n)
        .flat_map(|x: u32| (1..8).map(move |k| (x, (x * k + x * x % 7 + k * k) % n)))
        .collect();
    let both = copies(
        n,
        &arcs,
        |copy, x| if copy == 0 { x } else { (x * 7 + 3) % n },
        2,
    );
    let (scores, ties) = found(2 * n as usize, &both, &plain());
    for x in 0..n {
        let image = n + (x * 7 + 3) % n;
        assert_eq!(scores[x as usize], scores[image as usize]);
    }
    assert!(ties.unproved > 0 && ties.bound < 1e-11, "{ties:?}");
    let note = ties.note("nodes").unwrap();
    assert!(note.contains("nodes are tied within rounding"), "{note}");
}

/// Scores that are not known to have the ranks of exact numbers do not say so.
#[test]
fn ties_without_a_proof_are_no_exact_outcome() {
    let ties = |different, unknown| RoundingTies {
        different,
        unproved: 0,
        unknown,
        bound: 1e-13,
    };
    assert_eq!(ties(0, 0).outcome(&[1.0, 2.0]), Outcome::Exact);
    for unknown in [ties(2, 0), ties(0, 2)] {
        let outcome = unknown.outcome(&[1.0, 2.0]);
        assert!(matches!(
            outcome,
            Outcome::Rounded {
                relative_error_bound: 1e-13,
                ..
            }
        ));
    }
}
