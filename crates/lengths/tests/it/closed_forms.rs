//! Graphs with closed forms, and cases that other programs get wrong.

use super::oracle::*;
use std::f64::consts::PI;
use webrank_base::Node;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::lin::Lin;
use webrank_scores::Outcome;

/// A chain of diamonds: k squares whose two ways have the lengths 0.1 + 0.2 and 0.2 + 0.1, and between
/// each two a way of 0.3.
fn ladder(k: u32) -> Case {
    let mut arcs = Vec::new();
    for square in 0..k {
        let (a, b, c, d) = (4 * square, 4 * square + 1, 4 * square + 2, 4 * square + 3);
        arcs.extend([(a, b, 0.1), (a, c, 0.2), (b, d, 0.2), (c, d, 0.1)]);
        arcs.extend((square + 1 < k).then_some((d, d + 1, 0.3)));
    }
    Case::new(4 * k as usize, arcs)
}

#[test]
fn two_to_the_200th_paths_tie() {
    let case = ladder(200);
    let ranked = case.betweenness(false, None);
    let scores = ranked.values();
    // Both sides of a square are on half of the paths from what is before to what is behind.
    for square in 0..200usize {
        let (before, behind) = (4 * square + 1, 4 * (199 - square) + 1);
        let expected = (before * behind) as f64 / 2.0;
        for side in [4 * square + 1, 4 * square + 2] {
            assert!((scores[side] - expected).abs() < 1e-9 * expected, "{side}");
        }
        assert_eq!(
            scores[4 * square + 1].to_bits(),
            scores[4 * square + 2].to_bits()
        );
    }
}

#[test]
fn paths_of_more_than_64_bits() {
    let n = 100_000u32;
    let arcs = (1..n).map(|x| (x - 1, x, if x % 2 == 0 { 1e18 } else { 1e18 - 128.0 }));
    // Only the last nodes are searched from far: lengths against the arcs are as long.
    let case = Case::new(n as usize, arcs.collect());
    let graph = case.graph();
    let ends = webrank_distances::betweenness::Betweenness {
        method: webrank_distances::betweenness::BetweennessMethod::Sources,
        sources: Some(vec![0]),
        ..Default::default()
    };
    let measure = webrank_lengths::LengthBetweenness {
        of: ends,
        lengths: case.source(),
        cutoff: None,
    };
    use webrank_measure::Measure;
    let ranked = measure.run(&graph).unwrap();
    for x in [1u32, 2, 500, n - 2, n - 1] {
        let expected = f64::from(n) * f64::from(n - 1 - x);
        assert_eq!(ranked.values()[x as usize], expected);
    }
}

#[test]
fn sums_of_long_paths_are_exact() {
    // Two ways of 3000 arcs that differ by 1 in 10^21.
    let n = 3000u32;
    let long = 1e18;
    let mut arcs: Vec<(Node, Node, f64)> = Vec::new();
    for x in 0..n {
        let (one, other) = (1 + x, 1 + n + x);
        let from = |node: Node| if x == 0 { 0 } else { node - 1 };
        arcs.push((from(one), one, long));
        arcs.push((from(other), other, if x == 7 { long - 128.0 } else { long }));
    }
    let end = 2 * n + 1;
    arcs.extend([(n, end, 1.0), (2 * n, end, 1.0)]);
    let case = Case::new(end as usize + 1, arcs);
    let ranked = case.betweenness(false, None);
    // The path from 0 to the end goes along the shorter way.
    assert_eq!(ranked.values()[n as usize], f64::from(n - 1));
    assert_eq!(ranked.values()[2 * n as usize], f64::from(n));
    let far = case.ranking(Geometric::of(Eccentricity), None);
    let expected = (u128::from(n) * 1_000_000_000_000_000_000 - 127) as f64;
    assert_eq!(far.values()[end as usize], expected);
}

#[test]
fn grids_with_lengths() {
    // Right costs 0.7, down 0.3: all monotone paths between two nodes tie.
    let (rows, columns) = (6u32, 7u32);
    let node = |r: u32, c: u32| r * columns + c;
    let mut arcs = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            arcs.extend((c + 1 < columns).then(|| (node(r, c), node(r, c + 1), 0.7)));
            arcs.extend((r + 1 < rows).then(|| (node(r, c), node(r + 1, c), 0.3)));
        }
    }
    let case = Case::new((rows * columns) as usize, arcs);
    let harmonic = case.ranking(Geometric::of(Harmonic::default()), None);
    let last = node(rows - 1, columns - 1) as usize;
    let mut expected = 0.0;
    for r in 0..rows {
        for c in 0..columns {
            let distance = f64::from(7 * c + 3 * r) / 10.0;
            expected += if distance > 0.0 { 1.0 / distance } else { 0.0 };
        }
    }
    assert!((harmonic.values()[last] - expected).abs() < 1e-12);
    let hops = Case {
        lengths: vec![1.0; case.lengths.len()],
        ..case.clone()
    };
    let [with, without] = [&case, &hops].map(|case| case.betweenness(false, None));
    // Shortest paths are the same.
    assert_eq!(with.values(), without.values());
}

#[test]
fn three_tenths_tie_with_a_tenth_and_two_tenths() {
    // In doubles 0.1 + 0.2 is more than 0.3.
    let arcs = vec![
        (0, 1, 0.1),
        (1, 3, 0.2),
        (0, 3, 0.3),
        (0, 2, 0.2),
        (2, 3, 0.1),
    ];
    let case = Case::new(4, arcs);
    let third = 1.0 / 3.0;
    assert_eq!(
        case.betweenness(false, None).values(),
        [0.0, third, third, 0.0]
    );
    // A length of exactly 0.3 is within a cutoff of 0.3.
    assert_eq!(
        case.betweenness(false, Some(0.3)).values(),
        [0.0, third, third, 0.0]
    );
    assert_eq!(case.betweenness(false, Some(0.29)).values(), [0.0; 4]);
}

/// The order of nodes does not matter where rounding tells ties apart: igraph's issue 950 has a graph whose
/// betweenness depends on the order of its edges. Here an undirected wheel with spokes of 0.1 + 0.2 and rims
/// of 0.3 is numbered in many ways.
#[test]
fn betweenness_does_not_depend_on_the_order_of_nodes_and_arcs() {
    let rim = 12u32;
    let mut edges: Vec<(Node, Node, f64)> = Vec::new();
    for x in 0..rim {
        let next = (x + 1) % rim;
        edges.push((x, next, 0.3));
        edges.push((x, rim + x, 0.1));
        edges.push((rim + x, next, 0.2));
        edges.push((rim + x, 2 * rim, 0.7));
    }
    let n = 2 * rim + 1;
    let scores = |step: u32, shift: u32| {
        let place = |node: Node| (node * step + shift) % n;
        let both = edges.iter().flat_map(|&(a, b, length)| {
            [(place(a), place(b), length), (place(b), place(a), length)]
        });
        let case = Case::new(n as usize, both.collect());
        let ranked = case.betweenness(false, None);
        (0..n)
            .map(|node| ranked.values()[place(node) as usize])
            .collect::<Vec<f64>>()
    };
    let first = scores(1, 0);
    for step in [2, 3, 4, 6, 7, 8, 9, 11] {
        for (node, score) in scores(step, 5 * step).iter().enumerate() {
            assert!(
                (score - first[node]).abs() <= 1e-12 * first[node],
                "{step} {node}"
            );
        }
        // The wheel looks the same from each spoke.
        let again = scores(step, 3);
        for x in 1..rim as usize {
            assert_eq!(again[x].to_bits(), again[0].to_bits());
            assert_eq!(
                again[rim as usize + x].to_bits(),
                again[rim as usize].to_bits()
            );
        }
    }
}

/// rigraph's issue 314: where 1.6251956 + 0.591349 ties with 2.2165446, igraph says 47.25 and networkx 46 of
/// a node that lies on half of 45 paths, and on 14. Here with other trees at the corners of the triangle.
#[test]
fn a_triangle_whose_sides_tie_halves_its_paths() {
    let (a, b, c) = (0, 1, 2);
    let mut edges = vec![(a, b, 1.6251956), (b, c, 0.591349), (a, c, 2.2165446)];
    // 4 nodes hang on a, 1 on b and 6 on c.
    let trees = [
        (a, 3),
        (3, 4),
        (4, 5),
        (a, 6),
        (b, 7),
        (c, 8),
        (8, 9),
        (c, 10),
        (10, 11),
        (c, 12),
        (12, 13),
    ];
    let lengths = [
        0.9060834, 6.1225042, 20.7217776, 2.4473929, 1.9617537, 8.7093236,
    ];
    let tree = trees.iter().enumerate();
    edges.extend(tree.map(|(i, &(from, to))| (from, to, lengths[i % lengths.len()])));
    let both = edges
        .iter()
        .flat_map(|&(x, y, length)| [(x, y, length), (y, x, length)]);
    let case = Case::new(14, both.collect());
    let score = case.betweenness(false, None).values()[b as usize];
    // 5 x 7 pairs of the sides of a and c, halved; 12 of the leaf with all others; each in both directions.
    assert_eq!(score, 5.0 * 7.0 + 2.0 * 12.0);
}

#[test]
fn sums_of_different_fractions_tie() {
    // 1/2 + 1/2 = 1/1 = 1/3 + 2/3 = 1/3 + 1/(3/2): in sets of distances that differ.
    let arcs = vec![
        (0, 1, 1.0),
        (2, 3, 2.0),
        (4, 3, 2.0),
        (5, 6, 3.0),
        (7, 6, 1.5),
        (8, 9, 6.0),
        (10, 9, 3.0),
        (11, 9, 2.0),
    ];
    let case = Case::new(12, arcs);
    let ranked = case.ranking(Geometric::of(Harmonic::default()), None);
    assert_eq!(ranked.columns()[0].1.run.outcome, Outcome::Exact);
    for node in [1, 3, 6, 9] {
        assert_eq!(ranked.values()[node], 1.0);
        assert_eq!(ranked.ranking().ranks()[node], 1);
    }
}

#[test]
fn close_sums_do_not_tie() {
    // 1/a + 1/b and 1/(a + 1) + 1/(b - 1) have the same double.
    let (a, b) = (3e15, 3e15 + 2.0);
    let arcs = vec![
        (0, 1, a),
        (2, 1, b),
        (3, 4, a + 1.0),
        (5, 4, b - 1.0),
        (6, 7, 1.5e15 + 0.5),
    ];
    let case = Case::new(8, arcs);
    let ranked = case.ranking(Geometric::of(Harmonic::default()), None);
    let ranks = ranked.ranking().ranks();
    assert_eq!(ranked.columns()[0].1.run.outcome, Outcome::Exact);
    assert_eq!(ranked.values()[1], ranked.values()[4]);
    assert_eq!([ranks[1], ranks[4], ranks[7]], [1, 2, 2]);
}

#[test]
fn doubles_that_are_no_short_decimals_are_themselves() {
    let root = 1e-7 * PI;
    let case = Case {
        is_binary: true,
        ..Case::new(3, vec![(0, 1, root), (1, 2, root), (0, 2, 2.0 * root)])
    };
    assert_eq!(case.betweenness(false, None).values(), [0.0, 0.5, 0.0]);
    let closeness = case.ranking(Geometric::of(Closeness::default()), None);
    assert_eq!(closeness.values()[1], 1.0 / root);
    let lin = case.ranking(Geometric::of(Lin), None);
    assert_eq!(lin.values()[0], 1.0);
}
