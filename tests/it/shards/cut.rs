//! Cutting a graph into shards: every arc is in one of them, and what contradicts itself is refused.

use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use webrank::{Graph, Measure, PageRank};
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_cluster::Workers;
use webrank_formats::shard::Cutter;
use webrank_graph::bundle::FileEntry;
use webrank_graph::shards::touched::{self, TouchedWriter};
use webrank_graph::shards::*;
use webrank_graph::{Direction, Rows};
use webrank_scores::parts::PartitionedTable;
use webrank_tables::read::read_scores;
use webrank_walks::far_degrees::far_degrees;

/// Cuts a graph in memory.
fn cut(n: usize, arcs: &[(Node, Node)], parts: usize, folder: &Path) -> Shards {
    let graph = Graph::from_arcs(n, arcs.iter().copied()).unwrap();
    let output = folder.join("shards");
    let cutter = Cutter::new(&graph, parts, &output, &Silent).unwrap();
    cutter.write(&output, &Silent).unwrap();
    Shards::open(&output).unwrap()
}

/// The arcs of all parts, by global numbers.
fn arcs_of(shards: &Shards) -> Vec<(u64, u64)> {
    let mut arcs = Vec::new();
    for part in 0..shards.plan().parts.len() {
        let part = Part::open(shards, part).unwrap();
        let first = part.range.start;
        let mut add = |rows: &dyn Rows, target: &dyn Fn(usize) -> u64| {
            let add_row = &mut |row: Node, sources: &[Node]| {
                let sources = sources.iter().map(|&source| first + u64::from(source));
                arcs.extend(sources.map(|source| (source, target(row as usize))));
            };
            rows.for_rows(0..rows.num_nodes(), add_row).unwrap();
        };
        add(&part.own, &|row| first + row as u64);
        add(&part.away, &|row| part.touched[row]);
    }
    arcs.sort_unstable();
    arcs
}

/// Gives all nodes numbers that are larger by so much.
fn shift(shards: Shards, by: u64) -> Shards {
    let (path, mut plan) = (shards.path().to_owned(), shards.plan().clone());
    for index in 0..plan.parts.len() {
        let before = Shards::open(&path).unwrap();
        let list = path.join(folder_of(index)).join(TOUCHED);
        let part = &mut plan.parts[index];
        let range = before.plan().range();
        let nodes = touched::read(&list, part.num_touched(), range.start, range.end).unwrap();
        let mut out = TouchedWriter::create(&list, range.start + by).unwrap();
        nodes.iter().for_each(|node| out.push(node + by));
        out.finish().unwrap();
        part.first += by;
        part.files
            .insert(TOUCHED.into(), FileEntry::of(&list).unwrap());
    }
    std::fs::write(path.join(PLAN), plan.to_text()).unwrap();
    Shards::open(&path).unwrap()
}

/// The nodes and the bits of their scores in a table in parts.
fn scores_in_parts(shards: Shards, workers: usize, path: &Path) -> Vec<(String, u64)> {
    let table = Arc::new(PartitionedTable::create(path, true).unwrap());
    let mut team = Workers::of_threads(workers);
    team.table = Some(Arc::clone(&table));
    let pagerank = PageRank {
        team,
        ..PageRank::default()
    };
    pagerank.run(&Graph::from_unnamed_shards(shards)).unwrap();
    assert!(table.finish(None).unwrap());
    let read = read_scores(path, None).unwrap();
    let scores = read.columns[0].1.iter().map(|score| score.to_bits());
    let keys = (0..read.keys.len()).map(|row| read.keys.get(row).to_owned());
    keys.zip(scores).collect()
}

fn graphs() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (1usize..60).prop_flat_map(|n| {
        let arc = (0..n as Node, 0..n as Node);
        (Just(n), prop::collection::vec(arc, 0..150))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_arc_is_in_exactly_one_shard((n, mut arcs) in graphs(), parts in 1usize..8) {
        let folder = tempfile::tempdir().unwrap();
        let shards = cut(n, &arcs, parts, folder.path());
        shards.check().unwrap();
        arcs.sort_unstable();
        arcs.dedup();
        let arcs: Vec<_> = arcs.into_iter().map(|(a, b)| (u64::from(a), u64::from(b))).collect();
        prop_assert_eq!(arcs_of(&shards), arcs.clone());
        let far = |shards: &Shards, direction| far_degrees(shards, direction, n, &Silent).unwrap();
        let near = [Direction::In, Direction::Out].map(|direction| far(&shards, direction));
        for (found, direction) in near.iter().zip([Direction::In, Direction::Out]) {
            let degrees = shards.degrees(direction, &Silent).unwrap().into_iter().zip(0u64..);
            let mut expected: Vec<_> = degrees.filter(|it| it.0 > 0).map(|(degree, node)| (node, u64::from(degree))).collect();
            expected.sort_by_key(|it| std::cmp::Reverse(it.1));
            prop_assert_eq!(found, &expected);
        }
        // Nodes beyond 2^32 have the same arcs and scores.
        let by = 1 << 33;
        let scores = |shards: Shards| {
            let graph = Graph::from_shards(shards).unwrap();
            let ranked = PageRank::default().run(&graph).unwrap();
            ranked.values().iter().map(|score| score.to_bits()).collect::<Vec<_>>()
        };
        let path = shards.path().to_owned();
        let before = scores(shards);
        let shifted = shift(Shards::open(&path).unwrap(), by);
        let opened = Shards::open(&path).unwrap();
        let table = scores_in_parts(opened, parts, &folder.path().join("scores"));
        let nodes = (0..n as u64).map(|node| (node + by).to_string());
        prop_assert_eq!(table, nodes.zip(before.iter().copied()).collect::<Vec<_>>());
        shifted.check().unwrap();
        let moved: Vec<_> = arcs.iter().map(|(a, b)| (a + by, b + by)).collect();
        prop_assert_eq!(arcs_of(&shifted), moved);
        prop_assert_eq!(scores(shifted), before);
    }
}

/// A plan that contradicts itself is refused, even with the right checksum.
#[test]
fn impossible_plans_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut(9, &[(0, 8), (8, 0), (3, 4), (4, 5)], 3, folder.path());
    let whole = shards.plan().clone();
    let changes: [&dyn Fn(&mut Plan); 13] = [
        &|plan| plan.nodes += 1,
        &|plan| plan.arcs = u64::MAX,
        &|plan| plan.parts[1].first += 1,
        &|plan| plan.parts[1].nodes = u64::MAX,
        &|plan| plan.parts[0].touched[2] = u64::MAX,
        &|plan| plan.parts[0].touched[0] = 1,
        &|plan| plan.parts[0].touched.truncate(2),
        &|plan| plan.parts.clear(),
        &|plan| plan.parts[0].live = 10,
        &|plan| plan.parts[0].touched_live[2] = 2,
        &|plan| plan.parts[0].touched_live.truncate(2),
        &|plan| plan.format = 1,
        &|plan| plan.format = 3,
    ];
    for change in changes {
        let mut plan = whole.clone();
        change(&mut plan);
        std::fs::write(shards.path().join(PLAN), plan.to_text()).unwrap();
        let problem = Shards::open(shards.path())
            .map(drop)
            .unwrap_err()
            .to_string();
        assert!(problem.contains("plan.json"), "{problem}");
    }
    // Plans that agree with themselves, but not with the files.
    let changes: [&dyn Fn(&mut Plan); 3] = [
        &|plan| plan.parts[0].touched.reverse(),
        &|plan| plan.parts[0].own_arcs = 0,
        &|plan| plan.parts[0].files.clear(),
    ];
    for change in changes {
        let mut plan = whole.clone();
        change(&mut plan);
        plan.arcs = plan
            .parts
            .iter()
            .map(|part| part.own_arcs + part.away_arcs)
            .sum();
        std::fs::write(shards.path().join(PLAN), plan.to_text()).unwrap();
        if let Ok(opened) = Shards::open(shards.path()) {
            assert!(opened.check().is_err() || opened.plan() == &whole);
        }
    }
}
