//! Counters of HyperBall have the same bits however many are held at a time, and along whatever rows.

use super::approximations::graph;
use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_distances::traversal::hyperball::{
    BallRows, Balls, Counters, HyperBall, SharedRows, Slicing,
};
use webrank_graph::Csr;
use webrank_linear::runs::RunRows;

/// HyperBall along `rows`, so many registers at a time.
fn balls(rows: &Csr, reverse: Option<&Csr>, counters: Counters, log2_width: u32) -> Balls {
    balls_along(BallRows::Lists { rows, reverse }, counters, log2_width)
}

/// [`balls`] along distinct rows.
fn shared_balls(rows: &Csr, counters: Counters, log2_width: u32) -> Balls {
    let rows = SharedRows::new(RunRows::new(rows.clone())).unwrap();
    balls_along(BallRows::Shared(&rows), counters, log2_width)
}

/// [`balls`] by lines of classes.
fn balls_by_lines(rows: &Csr, reverse: &Csr, counters: Counters, log2_width: u32) -> Balls {
    let reverse = Some(reverse);
    let slicing = Slicing::of(counters, log2_width, std::env::temp_dir()).unwrap();
    balls_with(
        BallRows::Lists { rows, reverse },
        counters,
        slicing.by_lines(),
    )
}

fn balls_along(rows: BallRows, counters: Counters, log2_width: u32) -> Balls {
    let slicing = Slicing::of(counters, log2_width, std::env::temp_dir()).unwrap();
    balls_with(rows, counters, slicing)
}

fn balls_with(rows: BallRows, counters: Counters, slicing: Slicing) -> Balls {
    let run = HyperBall {
        rows,
        counters,
        slicing,
        functions: &[&|distance| 1.0 / f64::from(distance), &|distance| {
            0.3f64.powi(distance as i32)
        }],
        progress: &Silent,
    };
    run.run().unwrap()
}

fn hyperball(rows: &Csr, reverse: Option<&Csr>, counters: Counters) -> Balls {
    balls(rows, reverse, counters, counters.log2m())
}

/// Enough nodes for many blocks, and sums whose bits depend on the order of additions.
#[test]
fn hyperball_counts_pairs_with_the_same_bits_for_any_number_of_threads() {
    let (predecessors, successors) = graph(50_000);
    let counters = Counters::new(5, 3).unwrap();
    let run = || hyperball(&predecessors, Some(&successors), counters);
    let expected = run();
    assert!(expected.pairs_within.len() > 5);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        for _ in 0..3 {
            assert!(pool.install(run) == expected, "{threads} threads");
        }
    }
}

/// The count at a step is the sum of the estimates of all counters at that step, without rounding.
#[test]
fn pairs_are_the_sum_of_all_counters() {
    let (predecessors, successors) = graph(20_000);
    let counters = Counters::new(7, 11).unwrap();
    let balls = hyperball(&predecessors, Some(&successors), counters);
    let sum: f64 = balls.reached.iter().map(|&reached| reached as f64).sum();
    let pairs = balls.pairs_within[balls.steps() as usize];
    // Each count was rounded to 32 bits; pairs have more.
    assert!((pairs / sum - 1.0).abs() < 1e-7);
    assert_ne!(pairs, pairs as f32 as f64);
}

#[test]
fn counters_outside_their_range_are_refused() {
    assert!(Counters::new(3, 0).is_err());
    assert!(Counters::new(17, 0).is_err());
    assert!(Counters::new(4, 0).is_ok());
}

proptest! {
    /// However few registers are held at a time, whether steps visit all nodes, those beside changed
    /// ones, or distinct rows.
    #[test]
    fn slices_of_counters_give_the_same_bits(
        n in 1usize..60,
        arcs in prop::collection::vec((0u32..60, 0u32..60), 0..200),
        seed in 0u64..4,
    ) {
        let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
        let rows = Csr::from_arcs(n, arcs).unwrap();
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(7, seed).unwrap();
        let expected = hyperball(&rows, Some(&reverse), counters);
        for log2_width in 4..=7 {
            prop_assert_eq!(&balls(&rows, Some(&reverse), counters, log2_width), &expected);
            prop_assert_eq!(&balls(&rows, None, counters, log2_width), &expected);
            prop_assert_eq!(&shared_balls(&rows, counters, log2_width), &expected);
        }
    }

    /// Nodes that share a counter, some of them their own successors, have the bits of their own.
    #[test]
    fn lines_of_classes_give_the_same_bits(
        n in 1usize..200,
        rows in 1u32..40,
        arcs in prop::collection::vec((0u32..200, 0u32..200), 0..200),
        twins in prop::collection::vec((0u32..200, 0u32..200), 0..6),
        seed in 0u64..4,
        log2m in 6u32..9,
    ) {
        let n = n as u32;
        let arcs = arcs.into_iter().map(|(x, y)| (x % n, y % n));
        let equal = |(x, y)| (0..n).filter(move |z| z % rows == x % rows).map(move |z| (z, y));
        let clique = |(x, y): (u32, u32)| {
            let all = x % n..n.min(x % n + y % 8);
            all.clone().flat_map(move |z| all.clone().map(move |y| (z, y)))
        };
        let arcs = arcs.flat_map(equal).chain(twins.into_iter().flat_map(clique));
        let rows = Csr::from_arcs(n as usize, arcs).unwrap();
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(log2m, seed).unwrap();
        for (rows, reverse) in [(&rows, &reverse), (&reverse, &rows)] {
            let expected = hyperball(rows, Some(reverse), counters);
            for log2_width in 6..=log2m {
                prop_assert_eq!(&balls_by_lines(rows, reverse, counters, log2_width), &expected);
            }
        }
    }
}

/// Many blocks and batches, in several threads; and shapes at the limits.
#[test]
fn slices_of_large_graphs_give_the_same_bits() {
    let path = Csr::from_arcs(3000, (1..3000).map(|x| (x, x - 1))).unwrap();
    let alone = Csr::from_arcs(100_000, []).unwrap();
    let none = Csr::from_arcs(0, []).unwrap();
    let one = Csr::from_arcs(1, [(0, 0)]).unwrap();
    let ring = Csr::from_arcs(2, [(0, 1), (1, 0)]).unwrap();
    let star = Csr::from_arcs(40_000, (1..40_000).map(|x| (x, 0))).unwrap();
    let rays = star.transpose().unwrap();
    for rows in [graph(30_000).0, path, alone, none, one, ring, star, rays] {
        let reverse = rows.transpose().unwrap();
        let counters = Counters::new(6, 5).unwrap();
        let expected = hyperball(&rows, Some(&reverse), counters);
        let nodes = rows.num_nodes();
        assert!(
            hyperball(&rows, None, counters) == expected,
            "{nodes} nodes"
        );
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let run = || balls(&rows, Some(&reverse), counters, 4);
            let pool = pool.build().unwrap();
            let found = pool.install(run);
            assert!(found == expected, "{nodes} nodes, {threads} threads");
            let found = pool.install(|| shared_balls(&rows, counters, 5));
            assert!(
                found == expected,
                "{nodes} nodes, {threads} threads, shared"
            );
        }
        for (log2m, threads) in [(6, 1), (6, 2), (7, 3), (7, 8)] {
            let counters = Counters::new(log2m, 5).unwrap();
            let expected = hyperball(&rows, Some(&reverse), counters);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let run = || balls_by_lines(&rows, &reverse, counters, 6);
            let found = pool.build().unwrap().install(run);
            assert!(found == expected, "{nodes} nodes, {threads} threads, lines");
        }
    }
}

#[test]
fn slices_are_as_wide_as_memory_allows() {
    let counters = Counters::new(10, 0).unwrap();
    let count = |bytes| Slicing::within(counters, 1_000_000, bytes, "".into()).count(counters);
    assert_eq!(count(u64::MAX), 1);
    assert_eq!(count(counters.memory(1_000_000)), 1);
    assert_eq!(count(counters.memory(1_000_000) - 1), 2);
    assert_eq!(count(200_000_000), 16);
    assert_eq!(count(0), 64);
    assert!(Slicing::of(counters, 3, "".into()).is_err());
    assert_eq!(
        Slicing::of(counters, 12, "".into())
            .unwrap()
            .count(counters),
        1
    );
    // By lines, if 64 registers fit.
    let of_lines = |bytes| {
        let size = (1_000_000, 4_000_000);
        Slicing::by_lines_within(counters, size, bytes, "".into()).count(counters)
    };
    let whole = counters.memory_in(1_000_000, 4_000_000);
    assert!(whole < counters.memory(1_000_000));
    assert_eq!([of_lines(whole), of_lines(whole - 1)], [1, 2]);
    assert_eq!([of_lines(350_000_000), of_lines(0)], [16, 64]);
}
