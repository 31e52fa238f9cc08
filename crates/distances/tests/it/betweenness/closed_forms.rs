//! Betweenness on graphs with a closed form, up to numbers of paths that overflow any integer.

use super::engines::*;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_graph::Csr;
use webrank_graph::Graph;

#[test]
fn a_node_of_a_path_is_between_those_before_and_those_after() {
    for n in [1, 2, 3, 50, 3000] {
        let arcs: Vec<_> = (1..n).map(|x| (x - 1, x)).collect();
        let graph = graph(n as usize, &arcs);
        let expected: Vec<f64> = (0..n).map(|x| (x * (n - 1 - x)) as f64).collect();
        assert_close(&scores(&graph, &plain()), &expected);
        let expected: Vec<f64> = (1..n).map(|x| (x * (n - x)) as f64).collect();
        assert_close(&arc_scores(&graph), &expected);
    }
}

#[test]
fn all_nodes_of_a_cycle_are_equal() {
    for n in [2, 3, 50, 500] {
        let arcs: Vec<_> = (0..n).map(|x| (x, (x + 1) % n)).collect();
        let graph = graph(n as usize, &arcs);
        let expected = vec![((n - 1) * (n - 2) / 2) as f64; n as usize];
        assert_close(&scores(&graph, &plain()), &expected);
        let expected = vec![(n * (n - 1) / 2) as f64; n as usize];
        assert_close(&arc_scores(&graph), &expected);
        let normalized = Betweenness {
            endpoints: true,
            ..normalized()
        };
        // (n-1)(n-2)/2 paths through, n-1 from and n-1 to, of n(n-1).
        let expected = vec![((n - 1) * (n + 2)) as f64 / 2.0 / (n * (n - 1)) as f64; n as usize];
        assert_close(&scores(&graph, &normalized), &expected);
    }
}

#[test]
fn the_centre_of_a_star_is_between_all() {
    let leaves = 40;
    let arcs: Vec<_> = (1..=leaves).flat_map(|x| [(0, x), (x, 0)]).collect();
    let mut expected = vec![0.0; leaves as usize + 1];
    expected[0] = (leaves * (leaves - 1)) as f64;
    assert_close(&scores(&graph(expected.len(), &arcs), &plain()), &expected);
    expected[0] = 1.0;
    assert_close(
        &scores(&graph(expected.len(), &arcs), &normalized()),
        &expected,
    );
}

#[test]
fn grids_have_binomially_many_paths() {
    // Arcs right and down: the paths through (r, c) are counted by binomials.
    let (rows, columns) = (5u32, 6u32);
    let node = |r: u32, c: u32| r * columns + c;
    let mut arcs = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            arcs.extend((c + 1 < columns).then(|| (node(r, c), node(r, c + 1))));
            arcs.extend((r + 1 < rows).then(|| (node(r, c), node(r + 1, c))));
        }
    }
    let choose = |n: u32, k: u32| (0..k).fold(1.0, |b, i| b * (n - i) as f64 / (i + 1) as f64);
    let paths = |from: (u32, u32), to: (u32, u32)| match to.0 >= from.0 && to.1 >= from.1 {
        true => choose(to.0 - from.0 + to.1 - from.1, to.0 - from.0),
        false => 0.0,
    };
    let places: Vec<(u32, u32)> = (0..rows)
        .flat_map(|r| (0..columns).map(move |c| (r, c)))
        .collect();
    let score = |x: (u32, u32)| {
        let pairs = places
            .iter()
            .flat_map(|&y| places.iter().map(move |&z| (y, z)));
        pairs
            .filter(|&(y, z)| y != x && z != x && y != z && paths(y, z) > 0.0)
            .map(|(y, z)| paths(y, x) * paths(x, z) / paths(y, z))
            .sum::<f64>()
    };
    let expected: Vec<f64> = places.iter().map(|&x| score(x)).collect();
    assert_close(&scores(&graph(places.len(), &arcs), &plain()), &expected);
}

#[test]
fn an_arc_between_two_cliques_takes_all_paths_between_them() {
    let k: Node = 20;
    let clique = |first: Node| {
        (0..k).flat_map(move |x| {
            (0..k)
                .filter(move |&y| y != x)
                .map(move |y| (first + x, first + y))
        })
    };
    let mut arcs: Vec<_> = clique(0).chain(clique(k)).collect();
    arcs.push((k - 1, k));
    let graph = graph(2 * k as usize, &arcs);
    let mut expected = vec![0.0; 2 * k as usize];
    expected[k as usize - 1] = ((k - 1) * k) as f64;
    expected[k as usize] = ((k - 1) * k) as f64;
    assert_close(&scores(&graph, &plain()), &expected);
    let of_arcs = arc_scores(&graph);
    let best = of_arcs.iter().copied().fold(0.0, f64::max);
    assert_eq!(best, (k * k) as f64);
    let bridge = graph.offsets()[k as usize - 1] as usize + k as usize - 1;
    assert_eq!(of_arcs[bridge], best);
}

/// A chain of `count` squares: 2^count shortest paths from end to end.
fn squares(count: Node) -> Csr {
    let arcs = (0..count).map(|i| 3 * i).flat_map(|corner| {
        let (up, down, next) = (corner + 1, corner + 2, corner + 3);
        [(corner, up), (corner, down), (up, next), (down, next)]
    });
    Csr::from_arcs(3 * count as usize + 1, arcs).unwrap()
}

#[test]
fn numbers_of_paths_may_pass_every_bound() {
    let count = 2000;
    let graph = squares(count);
    assert!(one_by_one::<f64>(&graph).is_none());
    let (corner, side) = (
        |i: f64| 9.0 * i * (count as f64 - i),
        |i: f64| (3.0 * i + 1.0) * (3.0 * (count as f64 - 1.0 - i) + 1.0) / 2.0,
    );
    let expected: Vec<f64> = (0..=3 * count)
        .map(|x| match x % 3 {
            0 => corner((x / 3) as f64),
            _ => side((x / 3) as f64),
        })
        .collect();
    assert_close(&scores(&graph, &plain()), &expected);
    let of_arcs = arc_scores(&graph);
    // The first arc of all: half of the paths from the first corner, and the one to its end.
    assert_close(&of_arcs[..1], &[(3.0 * count as f64 - 2.0) / 2.0 + 1.0]);
}

#[test]
fn numbers_of_paths_just_within_the_bound() {
    let graph = squares(899);
    let expected = one_by_one::<f64>(&graph).unwrap();
    assert_close(&scores(&graph, &plain()), &expected);
}

#[test]
fn bits_of_arcs_do_not_depend_on_threads() {
    let graph = squares(100);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| arc_scores(&graph))
    };
    let expected = run(1);
    assert!(
        [2, 3, 8]
            .into_iter()
            .all(|threads| run(threads) == expected)
    );
}

#[test]
fn arcs_are_ranked_and_know_their_ends() {
    let graph = Graph::from_arcs(4, [(0, 1), (1, 2), (2, 3), (0, 3)]).unwrap();
    let limits = Limits::default();
    let ranked = ArcBetweenness::default().compute(&graph, &limits, &Silent);
    let ranked = ranked.unwrap();
    let ends: Vec<_> = ranked.order().iter().map(|&arc| ranked.ends(arc)).collect();
    assert_eq!(ends, [(1, 2), (0, 1), (2, 3), (0, 3)]);
    assert_eq!(ranked.values(), [2.0, 1.0, 3.0, 2.0]);
}
