//! Every engine and every reduction finds the distances that the oracle finds.

use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::{Progress, Silent};
use webrank_distances::reduction::{Reduced, Reductions};
use webrank_distances::traversal::histograms::{Engine, histograms};
use webrank_distances::traversal::single::SingleSearch;
use webrank_graph::{Csr, StoredGraph};
use webrank_testing::graphs::digraphs;
use webrank_testing::oracle::distances as oracle;

type Counts = Vec<u32>;

/// The histogram of every node along `rows`, by the bit-parallel engine.
fn by_many(rows: &Csr, reverse: &Csr, steps: Reductions, engine: Engine) -> Vec<Counts> {
    let reduced = Reduced::new(rows, reverse, steps);
    let parts = histograms(
        &reduced,
        reduced.leaders(),
        engine,
        Vec::new,
        |part: &mut Vec<(Node, Counts)>, x, histogram| {
            part.push((x, histogram.levels().map(|(_, count)| count).collect()))
        },
        &Silent,
    )
    .unwrap();
    let mut found: Vec<_> = parts.states.into_iter().flatten().collect();
    found.sort();
    let nodes: Vec<Node> = found.iter().map(|&(x, _)| x).collect();
    assert_eq!(nodes, (0..rows.num_nodes() as Node).collect::<Vec<_>>());
    found.into_iter().map(|(_, counts)| counts).collect()
}

fn by_one(rows: &Csr) -> Vec<Counts> {
    let mut search = SingleSearch::new(rows.num_nodes());
    (0..rows.num_nodes() as Node)
        .map(|x| {
            search
                .histogram(rows, x)
                .levels()
                .map(|(_, count)| count)
                .collect()
        })
        .collect()
}

fn by_oracle(num_nodes: usize, arcs: &[(Node, Node)], outgoing: bool) -> Vec<Counts> {
    let distances = oracle::distances(num_nodes, arcs);
    (0..num_nodes)
        .map(|x| {
            let of_node = oracle::of_node(&distances, x, outgoing);
            let mut counts = vec![0; of_node.iter().max().map_or(0, |&d| d as usize)];
            for d in of_node {
                counts[d as usize - 1] += 1;
            }
            counts
        })
        .collect()
}

/// Every one of the 32 sets of reductions.
fn all_steps() -> impl Iterator<Item = Reductions> {
    (0..32).map(|bits| Reductions {
        equal_rows: bits & 1 != 0,
        chains: bits & 2 != 0,
        collapse: bits & 4 != 0,
        twins: bits & 8 != 0,
        order: bits & 16 != 0,
    })
}

/// Digraphs rich in structures that the reductions use: one base graph, and nodes that copy the
/// arcs of another on either side or both, closed or not, or hang from another by a single arc.
fn reducible() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    let base = (1..=5u32).prop_flat_map(|n| {
        (
            Just(n),
            prop::collection::vec((0..n, 0..n), 0..=2 * n as usize),
        )
    });
    (base, prop::collection::vec((0u32..100, 0..6), 0..8)).prop_map(|((n, mut arcs), grown)| {
        let mut new = n;
        for (pick, how) in grown {
            let old = pick % new;
            let into: Vec<_> = arcs
                .iter()
                .filter(|a| a.1 == old)
                .map(|a| (a.0, new))
                .collect();
            let out: Vec<_> = arcs
                .iter()
                .filter(|a| a.0 == old)
                .map(|a| (new, a.1))
                .collect();
            match how {
                0 => arcs.extend(into),
                1 => arcs.extend(out),
                2 => arcs.extend(into.into_iter().chain(out)),
                3 => arcs.extend(into.into_iter().chain(out).chain([(old, new), (new, old)])),
                4 => arcs.push((old, new)),
                _ => arcs.push((new, old)),
            }
            new += 1;
        }
        (new as usize, arcs)
    })
}

fn check_all(num_nodes: usize, arcs: &[(Node, Node)]) -> Result<(), TestCaseError> {
    let successors = Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    let predecessors = successors.transpose().unwrap();
    for outgoing in [false, true] {
        let (rows, reverse) = match outgoing {
            false => (&predecessors, &successors),
            true => (&successors, &predecessors),
        };
        let expected = by_oracle(num_nodes, arcs, outgoing);
        prop_assert_eq!(&by_one(rows), &expected);
        for steps in all_steps() {
            let found = by_many(rows, reverse, steps, Engine::default());
            prop_assert_eq!(&found, &expected, "{:?}", steps);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn engines_equal_floyd_warshall((n, arcs) in digraphs()) {
        check_all(n, &arcs)?;
    }

    #[test]
    fn reductions_are_exact_where_they_act((n, arcs) in reducible()) {
        check_all(n, &arcs)?;
    }
}

/// A web-like graph: sites of pages that share navigation links and copy each other's lists, with
/// chains, self-loops and some dangling pages. It is deterministic.
fn web(num_nodes: u32) -> (Csr, Csr) {
    let mut arcs = Vec::new();
    let mut state = 1u64;
    let mut random = |bound: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % bound as u64) as u32
    };
    for x in 1..num_nodes {
        let site = x / 40 * 40;
        match random(10) {
            0 => {}
            1 => arcs.push((x - 1, x)),
            2 | 3 => arcs.extend([(x, site), (site, x), (x, x)]),
            4..=6 => arcs.extend((0..4).map(|k| (x, (site + k).min(num_nodes - 1)))),
            _ => {
                arcs.extend((0..3).map(|_| (x, random(num_nodes))));
                arcs.extend((0..3).map(|k| ((site + 2 * k).min(num_nodes - 1), x)));
            }
        }
    }
    let successors = Csr::from_arcs(num_nodes as usize, arcs).unwrap();
    let predecessors = successors.transpose().unwrap();
    (successors, predecessors)
}

#[test]
fn engines_agree_on_a_web_like_graph() {
    let (successors, predecessors) = web(2500);
    for (rows, reverse) in [(&predecessors, &successors), (&successors, &predecessors)] {
        let expected = by_one(rows);
        for steps in all_steps() {
            let found = by_many(rows, reverse, steps, Engine::default());
            assert!(found == expected, "{steps:?}");
        }
    }
}

#[test]
fn engines_agree_on_the_real_graphs() {
    // One node in so many is searched from separately; the others take part in the batches.
    for (graph, one_in) in [
        (webrank_testing::at!("graphs/rust-doc.bv"), 401),
        (webrank_testing::at!("graphs/debian.bv"), 23),
    ] {
        let source = StoredGraph::open(graph.as_ref()).unwrap();
        let (successors, predecessors) = source.both(&Silent).unwrap();
        for (rows, reverse) in [(&predecessors, &successors), (&successors, &predecessors)] {
            let found = by_many(rows, reverse, Reductions::ALL, Engine::default());
            let mut search = SingleSearch::new(rows.num_nodes());
            for x in (0..rows.num_nodes()).step_by(one_in) {
                let histogram = search.histogram(rows, x as Node);
                let counts: Counts = histogram.levels().map(|(_, count)| count).collect();
                assert_eq!(found[x], counts, "{graph}, node {x}");
            }
        }
    }
}

#[test]
fn same_counts_for_every_vector_width() {
    let (successors, predecessors) = web(1500);
    let expected = by_one(&predecessors);
    for simd in Simd::available() {
        let engine = Engine {
            simd,
            ..Engine::default()
        };
        let found = by_many(&predecessors, &successors, Reductions::ALL, engine);
        assert!(found == expected, "{simd:?}");
    }
}

#[test]
fn batches_come_in_order_for_any_number_of_threads() {
    let (successors, predecessors) = web(3000);
    let reduced = Reduced::new(&predecessors, &successors, Reductions::ALL);
    let run = || {
        let take = |part: &mut Vec<(Node, u64)>,
                    x,
                    h: webrank_distances::traversal::histogram::Histogram| {
            part.push((x, h.sum_of_distances()))
        };
        histograms(
            &reduced,
            reduced.leaders(),
            Engine::default(),
            Vec::new,
            take,
            &Silent,
        )
        .unwrap()
    };
    let expected = run();
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(run) == expected, "{threads} threads");
    }
}

/// An undirected path: no reduction applies, and there are as many levels as nodes.
fn two_way_path(num_nodes: u32) -> Csr {
    let arcs = (1..num_nodes).flat_map(|x| [(x - 1, x), (x, x - 1)]);
    Csr::from_arcs(num_nodes as usize, arcs).unwrap()
}

#[test]
fn more_levels_than_a_byte_holds() {
    let path = two_way_path(700);
    assert!(by_many(&path, &path, Reductions::ALL, Engine::default()) == by_one(&path));
}

#[test]
fn batches_with_too_many_levels_are_searched_one_by_one() {
    let path = two_way_path(700);
    for max_levels in [0, 1, 400, 698, 699] {
        let engine = Engine {
            max_levels,
            ..Engine::default()
        };
        assert!(
            by_many(&path, &path, Reductions::ALL, engine) == by_one(&path),
            "{max_levels}"
        );
    }
}

#[test]
fn a_long_chain_below_a_web_is_exact() {
    let (web, _) = web(400);
    let arcs = (0..400).flat_map(|x| web.row(x).iter().map(move |&y| (x, y)));
    let chain = (400..1000).map(|x| (if x == 400 { 7 } else { x - 1 }, x));
    // One arc from far down the chain back into the web: returns at great depth.
    let successors = Csr::from_arcs(1000, arcs.chain(chain).chain([(900, 3)])).unwrap();
    let predecessors = successors.transpose().unwrap();
    for (rows, reverse) in [(&predecessors, &successors), (&successors, &predecessors)] {
        assert!(by_many(rows, reverse, Reductions::ALL, Engine::default()) == by_one(rows));
    }
}

#[test]
fn some_leaders_give_the_histograms_of_their_members() {
    let (successors, predecessors) = web(1000);
    let reduced = Reduced::new(&predecessors, &successors, Reductions::ALL);
    let wanted = [3, 77, 500, 999];
    let leaders = reduced.leaders_of(wanted);
    assert!(leaders.len() <= wanted.len());
    let take =
        |part: &mut Vec<(Node, u64)>, x, h: webrank_distances::traversal::histogram::Histogram| {
            part.push((x, h.sum_of_distances()))
        };
    let found = histograms(
        &reduced,
        &leaders,
        Engine::default(),
        Vec::new,
        take,
        &Silent,
    )
    .unwrap();
    let mut search = SingleSearch::new(1000);
    for x in wanted {
        let expected = (x, search.histogram(&predecessors, x).sum_of_distances());
        assert!(found.states.iter().flatten().any(|&pair| pair == expected));
    }
}

#[test]
fn an_interrupted_run_stops() {
    struct Impatient;
    impl Progress for Impatient {
        fn interrupted(&self) -> bool {
            true
        }
    }
    let path = two_way_path(10);
    let reduced = Reduced::new(&path, &path, Reductions::ALL);
    let run = histograms(
        &reduced,
        reduced.leaders(),
        Engine::default(),
        || (),
        |_, _, _| (),
        &Impatient,
    );
    assert!(matches!(run, Err(webrank_base::error::Error::Interrupted)));
}
