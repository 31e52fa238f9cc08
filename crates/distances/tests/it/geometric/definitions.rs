//! Geometric measures against their definitions, closed forms and invariances.

use crate::distance_measures::{self as definitions, Defined, Rational, exactly};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::Base;
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::{Direction, DistanceMeasure, DistanceScores, geometric};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::parameters::Variant;
use webrank_testing::graphs::digraphs;
use webrank_testing::oracle::distances as oracle;

const HARMONIC: Harmonic = Harmonic { normalize: false };
const BAVELAS: Closeness = Closeness {
    variant: Variant::Bavelas,
};

const WASSERMAN_FAUST: Closeness = Closeness {
    variant: Variant::WassermanFaust,
};

fn run(
    num_nodes: usize,
    arcs: &[(Node, Node)],
    direction: Direction,
    measures: &[&dyn DistanceMeasure],
) -> DistanceScores {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    geometric(
        Predecessors(&predecessors),
        Successors(&successors),
        direction,
        measures,
        &Silent,
    )
    .unwrap()
}

fn all(defined: &[Defined]) -> Vec<&dyn DistanceMeasure> {
    defined.iter().map(|defined| &*defined.measure).collect()
}

fn scores(num_nodes: usize, arcs: &[(Node, Node)], measure: impl DistanceMeasure) -> Vec<f64> {
    let result = run(num_nodes, arcs, Direction::In, &[&measure]);
    result.scores[0].values.to_vec()
}

/// The double nearest to an exact score: neither neighbour is nearer.
fn assert_nearest(found: f64, exact: &Rational) {
    let off = |value: f64| {
        let off = exactly(value) - exact;
        if off < definitions::integer(0) {
            -off
        } else {
            off
        }
    };
    let nearest = off(found);
    assert!(
        nearest <= off(found.next_up()) && nearest <= off(found.next_down()),
        "{found} {exact}"
    );
}

/// Every score is the double nearest to the exact score, and every rank counts the larger scores.
fn check_exactness(num_nodes: usize, arcs: &[(Node, Node)]) {
    let defined = definitions::all();
    let distances = oracle::distances(num_nodes, arcs);
    let finite = distances.iter().flatten().filter(|&&d| d != oracle::FAR);
    let diameter = finite.max().copied().unwrap_or(0);
    for (direction, outgoing) in [(Direction::In, false), (Direction::Out, true)] {
        let result = run(num_nodes, arcs, direction, &all(&defined));
        for (column, defined) in defined.iter().enumerate() {
            let exact: Vec<Rational> = (0..num_nodes)
                .map(|x| oracle::of_node(&distances, x, outgoing))
                .map(|of_node| defined.score(&of_node, num_nodes, diameter))
                .collect();
            let ranking = result.ranking(column).unwrap();
            for (x, score) in exact.iter().enumerate() {
                assert_nearest(result.scores[column].values[x], score);
                let larger = exact.iter().filter(|other| *other > score).count();
                let rank = ranking.ranks()[x] as usize;
                assert_eq!(rank, larger + 1, "node {x} by {:?}", defined.measure);
            }
        }
    }
}

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-12 * expected.abs(),
        "{found} is not {expected}"
    );
}

/// Graphs with much symmetry: cycles, paths in one direction or both, and copies of each.
fn chain_of_components() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    prop::collection::vec((1u32..7, 0..3), 1..5).prop_map(|components| {
        let (mut arcs, mut first) = (Vec::new(), 0);
        for (length, kind) in components {
            let end = first + length;
            for x in first..end {
                let next = if x + 1 < end { x + 1 } else { first };
                match kind {
                    0 => arcs.push((x, next)),
                    1 if next > x => arcs.extend([(x, next), (next, x)]),
                    2 if next > x => arcs.push((x, next)),
                    _ => {}
                }
            }
            // One arc from each component to the next.
            if first > 0 {
                arcs.push((first - 1, end - 1));
            }
            first = end;
        }
        (first as usize, arcs)
    })
}

proptest! {
    #[test]
    fn scores_and_ranks_are_those_of_exact_rationals((n, arcs) in digraphs()) {
        check_exactness(n, &arcs);
    }

    #[test]
    fn mirror_images_tie((n, arcs) in digraphs()) {
        let mirrored = arcs.iter().map(|&(y, x)| (y + n as Node, x + n as Node));
        let both: Vec<_> = arcs.iter().copied().chain(mirrored).collect();
        check_exactness(2 * n, &both);
    }

    #[test]
    fn chains_of_components_are_ranked_exactly((n, arcs) in chain_of_components()) {
        check_exactness(n, &arcs);
    }

    #[test]
    fn reachable_pairs_have_their_share((n, arcs) in digraphs()) {
        let distances = oracle::distances(n, &arcs);
        let reached = distances.iter().flatten().filter(|&&d| d != oracle::FAR).count();
        let share = run(n, &arcs, Direction::In, &[&Reachable]).reachable_share.unwrap();
        if n > 1 {
            prop_assert_eq!(share, (reached - n) as f64 / (n as f64 * (n - 1) as f64));
        }
    }

    #[test]
    fn relabelling_relabels_the_scores(
        (n, arcs, new) in digraphs().prop_flat_map(|(n, arcs)| {
            let labels: Vec<Node> = (0..n as Node).collect();
            (Just(n), Just(arcs), Just(labels).prop_shuffle())
        }),
    ) {
        let moved: Vec<_> = arcs
            .iter()
            .map(|&(y, x)| (new[y as usize], new[x as usize]))
            .collect();
        let defined = definitions::all();
        let before = run(n, &arcs, Direction::In, &all(&defined));
        let after = run(n, &moved, Direction::In, &all(&defined));
        for (before, after) in before.scores.iter().zip(&after.scores) {
            for (x, &moved) in new.iter().enumerate() {
                let (before, after) = (before.values[x], after.values[moved as usize]);
                prop_assert_eq!(before.to_bits(), after.to_bits());
            }
        }
    }

    #[test]
    fn another_component_changes_only_what_divides_by_n((n, arcs) in digraphs()) {
        let both: Vec<_> = arcs
            .iter()
            .flat_map(|&(y, x)| [(y, x), (y + n as Node, x + n as Node)])
            .collect();
        let measures: [&dyn DistanceMeasure; 5] = [&BAVELAS, &Lin, &HARMONIC, &Reachable, &Eccentricity];
        let alone = run(n, &arcs, Direction::In, &measures);
        let together = run(2 * n, &both, Direction::In, &measures);
        for (alone, together) in alone.scores.iter().zip(&together.scores) {
            for x in 0..n {
                prop_assert_eq!(alone.values[x], together.values[x]);
                prop_assert_eq!(alone.values[x], together.values[x + n]);
            }
        }
    }

    #[test]
    fn measures_do_not_disturb_each_other((n, arcs) in digraphs()) {
        let defined = definitions::all();
        let together = run(n, &arcs, Direction::In, &all(&defined));
        for (column, measure) in all(&defined).into_iter().enumerate() {
            let alone = run(n, &arcs, Direction::In, &[measure]);
            prop_assert_eq!(&alone.scores[0].values, &together.scores[column].values);
            prop_assert_eq!(&alone.rests[0], &together.rests[column]);
        }
    }
}

#[test]
fn on_a_path_distances_are_differences() {
    let arcs: Vec<_> = (1..9).map(|x| (x - 1, x)).collect();
    let harmonic = scores(9, &arcs, HARMONIC);
    let closeness = scores(9, &arcs, BAVELAS);
    let eccentricity = scores(9, &arcs, Eccentricity);
    for x in 0..9usize {
        assert_close(harmonic[x], (1..=x).map(|d| 1.0 / d as f64).sum());
        let sum = x * (x + 1) / 2;
        assert_close(closeness[x], if x == 0 { 0.0 } else { 1.0 / sum as f64 });
        assert_eq!(eccentricity[x], x as f64);
    }
}

#[test]
fn on_a_star_the_centre_is_one_step_from_everyone() {
    let arcs: Vec<_> = (1..8).map(|x| (x, 0)).collect();
    let lin = scores(8, &arcs, Lin);
    assert_eq!(lin[0], 64.0 / 7.0);
    assert!(lin[1..].iter().all(|&score| score == 1.0));
    let normalized = scores(8, &arcs, Harmonic { normalize: true });
    assert_eq!(normalized[0], 1.0);
    let closeness = scores(8, &arcs, WASSERMAN_FAUST);
    assert_eq!(closeness[0], 1.0);
    assert_eq!(closeness[3], 0.0);
}

/// The graph of Boldi and Vigna, "Axioms for centrality", section 4: a clique of k nodes beside a
/// directed cycle of p nodes.
#[test]
fn clique_and_cycle_of_the_axioms() {
    let (k, p) = (7u32, 10u32);
    let clique = (0..k).flat_map(|y| (0..k).filter(move |&x| x != y).map(move |x| (y, x)));
    let cycle = (0..p).map(|i| (k + i, k + (i + 1) % p));
    let arcs: Vec<_> = clique.chain(cycle).collect();
    let n = (k + p) as usize;
    let (in_clique, in_cycle) = (3usize, (k + 4) as usize);
    let (k, p) = (k as f64, p as f64);

    let closeness = scores(n, &arcs, BAVELAS);
    assert_close(closeness[in_clique], 1.0 / (k - 1.0));
    assert_close(closeness[in_cycle], 2.0 / (p * (p - 1.0)));
    let lin = scores(n, &arcs, Lin);
    assert_close(lin[in_clique], k * k / (k - 1.0));
    assert_close(lin[in_cycle], 2.0 * p / (p - 1.0));
    let harmonic = scores(n, &arcs, HARMONIC);
    assert_close(harmonic[in_clique], k - 1.0);
    assert_close(harmonic[in_cycle], (1..10).map(|d| 1.0 / d as f64).sum());
}

#[test]
fn integration_of_a_path_a_star_and_a_cycle() {
    // On a directed path of n nodes, node x is reached from distances 1 to x, and D is n - 1.
    let arcs: Vec<_> = (1..9).map(|x| (x - 1, x)).collect();
    for (x, &score) in scores(9, &arcs, Integration).iter().enumerate() {
        let sum: usize = (1..=x).map(|d| 9 - d).sum();
        assert_close(score, sum as f64 / 8.0);
    }
    // On an undirected star D is 2: the centre has 2 from each other node, a leaf 2 from the
    // centre and 1 from each other leaf.
    let arcs: Vec<_> = (1..8).flat_map(|x| [(x, 0), (0, x)]).collect();
    let star = scores(8, &arcs, Integration);
    assert_close(star[0], 2.0);
    assert_close(star[5], (2.0 + 6.0) / 7.0);
    // On a directed cycle every node has 1, ..., n - 1.
    let arcs: Vec<_> = (0..6).map(|x| (x, (x + 1) % 6)).collect();
    assert!(
        scores(6, &arcs, Integration)
            .iter()
            .all(|&score| score == 3.0)
    );
}

/// Nodes reached by these numbers of nodes at distance 1, 2, ...: a broom for each, whose nodes
/// point to the first node of the level before.
fn brooms(brooms: &[&[u32]]) -> (usize, Vec<(Node, Node)>) {
    let (mut arcs, mut next) = (Vec::new(), brooms.len() as Node);
    for (centre, counts) in brooms.iter().enumerate() {
        let mut nearer = centre as Node;
        for &count in *counts {
            arcs.extend((next..next + count).map(|x| (x, nearer)));
            nearer = next;
            next += count;
        }
    }
    (next as usize, arcs)
}

/// 1 + 2/2 + 1/3 and 1 + 1/2 + 1/3 + 2/4 are 7/3, but not in doubles, one term after the other.
#[test]
fn equal_fractions_of_different_distances_tie() {
    let (n, arcs) = brooms(&[&[1, 2, 1], &[1, 1, 1, 2]]);
    let found = run(n, &arcs, Direction::In, &[&HARMONIC]);
    assert_eq!(found.scores[0].values[0], 7.0 / 3.0);
    assert_eq!(found.scores[0].values[1], 7.0 / 3.0);
    let ranking = found.ranking(0).unwrap();
    assert_eq!(ranking.ranks()[0], ranking.ranks()[1]);
    check_exactness(n, &arcs);
}

/// With base 1/2, half as many nodes one step nearer give the same score.
#[test]
fn decay_ties_where_powers_cancel() {
    let (n, arcs) = brooms(&[&[1, 1, 2], &[1, 2], &[2], &[1, 1, 1, 2]]);
    let half = definitions::decay(0.5);
    let found = run(n, &arcs, Direction::In, &[&*half.measure]);
    assert_eq!(found.scores[0].values.to_vec()[..4], [1.0; 4]);
    check_exactness(n, &arcs);
}

/// Scores that differ by 2^-90 share a double, but are still ranked.
#[test]
fn scores_that_share_a_double_are_ranked() {
    let tail = |last| [&[1; 89][..], &[last]].concat();
    let (more, fewer) = (tail(2), tail(1));
    let (n, arcs) = brooms(&[&fewer, &more, &fewer]);
    let half = definitions::decay(0.5);
    let found = run(n, &arcs, Direction::In, &[&*half.measure]);
    let values = &found.scores[0].values;
    assert_eq!(values[0], values[1]);
    let ranking = found.ranking(0).unwrap();
    assert_eq!(ranking.ranks()[1], 1);
    assert!(ranking.ranks()[0] > 1);
    assert_eq!(ranking.ranks()[0], ranking.ranks()[2]);
}

/// Beyond distance 100 reciprocals are no longer integer multiples of the grain.
#[test]
fn far_nodes_do_not_part_equal_scores() {
    // 240 nodes at distance 240 count as 1 at distance 1, and 2 x 120 nodes at 120 count as 2.
    let far = |distance: usize, count| {
        let mut counts = vec![1; distance];
        counts[distance - 1] = count;
        counts
    };
    let (n, arcs) = brooms(&[&far(240, 1 + 240), &[&[2][..], &far(240, 1)[1..]].concat()]);
    let found = run(n, &arcs, Direction::In, &[&HARMONIC]);
    let ranking = found.ranking(0).unwrap();
    assert_eq!(ranking.ranks()[0], ranking.ranks()[1]);
}

#[test]
fn reachable_share_is_one_only_when_strongly_connected() {
    let share = |n, arcs: &[(Node, Node)], direction| run(n, arcs, direction, &[]).reachable_share;
    let cycle = [(0, 1), (1, 2), (2, 0)];
    assert_eq!(share(3, &cycle, Direction::In), Some(1.0));
    assert_eq!(share(3, &cycle[..2], Direction::Out), Some(0.5));
    assert_eq!(share(1, &[(0, 0)], Direction::In), Some(1.0));
    assert_eq!(share(0, &[], Direction::In), Some(1.0));
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let arcs: Vec<_> = (0..3000u32)
        .flat_map(|x| [(x, x * 7 % 3000), (x, x * x % 3000), (x, (x + 1) % 2999)])
        .collect();
    let defined = definitions::all();
    let measures = all(&defined);
    let bits = || -> Vec<u64> {
        let result = run(3000, &arcs, Direction::In, &measures);
        let values = result.scores.iter().flat_map(|scores| scores.values.iter());
        values.map(|value| value.to_bits()).collect()
    };
    let expected = bits();
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(bits) == expected, "{threads} threads");
    }
}

#[test]
fn bases_outside_the_open_unit_interval_are_refused() {
    for base in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        assert!(Base::new(base).is_err(), "{base}");
    }
}
