use super::*;
use crate::prefixes::{PREFIX_BLOCK, Prefixes};
use proptest::prelude::*;
use std::sync::Arc;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::progress::Silent;
use webrank_graph::StoredGraph;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::components::StrongComponents;

/// Rows with runs, equal rows and single nodes, across a restart of the prefix sums.
fn graphs() -> impl Strategy<Value = Csr> {
    let n = PREFIX_BLOCK as Node + 60;
    let row = prop::collection::vec((n - 100..n, 1u32..30), 0..5);
    let rows = prop::collection::vec(row, 1..6);
    (rows, prop::collection::vec(0usize..6, 1..40)).prop_map(move |(rows, picks)| {
        let arcs = picks.iter().enumerate().flat_map(|(node, pick)| {
            let row = &rows[pick % rows.len()];
            row.iter().flat_map(move |&(start, length)| {
                (start..(start + length).min(n)).map(move |j| (node as Node, j))
            })
        });
        Csr::from_arcs(n as usize, arcs).unwrap()
    })
}

/// The rows of a graph, packed with room for so many bytes in memory; or those of its transpose, of
/// which so many bytes are collected at a time.
fn packed(graph: &Csr, bytes: u64, transposing: Option<u64>) -> RunRows {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.bv");
    write_bundle(graph, None, &path, BundleOptions::default()).unwrap();
    let rows = StoredGraph::open(&path).unwrap().streamed().unwrap();
    let room = SpillBudget {
        bytes,
        folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
    };
    let all: Vec<Node> = (0..graph.num_nodes() as Node).collect();
    match transposing {
        None => RunRows::pack(&rows, &all, room, &Silent).unwrap(),
        Some(at_once) => RunRows::pack_transposed(&rows, &all, room, at_once, &Silent).unwrap(),
    }
}

/// Checks sums, row by row, and which rows are the same.
fn check(pull: &RunRows, graph: &Csr) {
    let n = graph.num_nodes();
    let values: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1009) as f64).collect();
    let mut prefixes = Prefixes::new(n);
    let blocks = prefixes.blocks_mut().zip(values.chunks(PREFIX_BLOCK));
    blocks.for_each(|(block, values)| {
        for (k, value) in values.iter().enumerate() {
            block[k + 1] = block[k] + value;
        }
    });
    assert_eq!(pull.num_arcs(), graph.num_arcs());
    let mut at_once = vec![0.0; pull.num_rows()];
    let blocks = pull.blocks();
    let fast = |row: Row| row.fast_sum(&values, &prefixes);
    pull.fast_sums(&blocks, &mut at_once, &values, &prefixes)
        .unwrap();
    let visit = |rows: &mut Vec<(usize, Vec<Node>)>, row, nodes: Row| {
        let mut nodes: Vec<Node> = nodes.nodes().collect();
        nodes.sort_unstable();
        rows.push((row, nodes));
    };
    let visited = pull.fold(&blocks, visit).unwrap().concat();
    assert!(visited.iter().map(|(row, _)| *row).eq(0..pull.num_rows()));
    let (single, mut buffer) = (pull.single_rows().unwrap(), RowBuffer::default());
    // In an order in which no row is near the one before.
    for node in (0..n).map(|node| node * 7919 % n) {
        let nodes = |row: Row| row.nodes().collect::<Vec<_>>();
        let mut nodes = single.with_row_of(node, &mut buffer, nodes).unwrap();
        nodes.sort_unstable();
        assert_eq!(nodes, graph.row(node as Node), "{node}");
    }
    for node in 0..n {
        let row = graph.row(node as Node);
        let sum: f64 = row.iter().map(|&j| values[j as usize]).sum();
        let row_of = pull.row_of(node);
        // Integers: every order of additions is exact.
        let sums = |row: Row| (fast(row), row.exact_sum(|j| values[j as usize]), row.len());
        let expected = (sum, sum, row.len());
        assert_eq!(pull.with_row(row_of, sums).unwrap(), expected);
        assert_eq!(at_once[row_of], sum);
        assert_eq!(visited[row_of].1, row);
        for other in 0..node {
            let equal = row == graph.row(other as Node);
            assert_eq!(pull.row_of(other) == row_of, equal);
        }
    }
}

proptest! {
    #[test]
    fn sums_are_those_of_the_rows(graph in graphs()) {
        check(&RunRows::new(graph.clone()), &graph);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn compact_rows_are_those_of_the_graph(graph in graphs(), room in 0u64..2000) {
        let transpose = graph.transpose().unwrap();
        for (bytes, transposing, rows) in [
            (room, None, &graph),
            (u64::MAX, None, &graph),
            (room, Some(room / 4), &transpose),
        ] {
            let pull = packed(&graph, bytes, transposing);
            let compact = pull.compact().unwrap();
            prop_assert_eq!(compact.is_on_disk(), compact.num_bytes() > bytes);
            check(&pull, rows);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn components_of_compact_rows_have_the_same_numbers(
        arcs in prop::collection::vec((0..150 as Node, 0..150 as Node), 0..400),
        long in prop::collection::vec(0..150 as Node, 0..200),
        room in 0u64..2000,
    ) {
        let long = long.into_iter().map(|j| (7, j));
        let graph = Csr::from_arcs(150, arcs.into_iter().chain(long)).unwrap();
        let transpose = graph.transpose().unwrap();
        let expected = StrongComponents::new(&graph, &Silent).unwrap();
        for pull in [packed(&graph, room, None), packed(&transpose, room, Some(room / 4))] {
            let found = crate::components::strong_components(&pull, &Silent).unwrap();
            prop_assert_eq!(found.component_of(), expected.component_of());
        }
    }
}

#[test]
fn paths_and_cycles_may_be_long() {
    let n = 100_000;
    let path = (1..n).map(|j| (j - 1, j));
    for (back, components) in [(None, n as usize), (Some((n - 1, 0)), 1)] {
        let graph = Csr::from_arcs(n as usize, path.clone().chain(back)).unwrap();
        let pull = packed(&graph, 0, None);
        let found = crate::components::strong_components(&pull, &Silent).unwrap();
        assert_eq!(found.num_components(), components);
    }
}

#[test]
fn there_may_be_no_room() {
    let graph = Csr::from_arcs(3, [(0, 1), (2, 0)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.bv");
    write_bundle(&graph, None, &path, BundleOptions::default()).unwrap();
    let rows = StoredGraph::open(&path).unwrap().streamed().unwrap();
    let room = SpillBudget {
        bytes: 0,
        folder: None,
    };
    let problem = RunRows::pack(&rows, &[0, 1, 2], room.clone(), &Silent);
    let problem = problem.err().unwrap().to_string();
    assert!(
        problem.contains("the form disk keeps them in a file"),
        "{problem}"
    );
    // Node 1 has no successors, as other files say.
    let problem = RunRows::pack(&rows, &[0, 2], room, &Silent);
    let problem = problem.err().unwrap().to_string();
    assert!(problem.contains("predecessor 1"), "{problem}");
}
