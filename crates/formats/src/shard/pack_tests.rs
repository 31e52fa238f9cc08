use super::PartPacker;
use crate::shard::Cutter;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::shards::plan::create_folder;
use webrank_graph::shards::{PLAN, Plan, Shards};
use webrank_graph::{Direction, Graph};

/// Packs all parts, one after the other, of arcs whose nodes are counted from `shift`.
fn packed(bounds: &[u64], shift: u64, arcs: &[(u64, u64)], folder: &Path) -> Shards {
    let bounds: Vec<u64> = bounds.iter().map(|bound| bound + shift).collect();
    let live: BTreeSet<u64> = arcs.iter().map(|arc| arc.0).collect();
    let (mut parts, mut hash) = (Vec::new(), 0u64);
    for (part, range) in bounds.windows(2).enumerate() {
        let mut packer = PartPacker::new(bounds.clone(), part, folder, 0).unwrap();
        for &(source, target) in arcs {
            let ends = (source + shift, target + shift);
            if (range[0]..range[1]).contains(&ends.0) {
                packer.push(ends.0, ends.1, live.contains(&target)).unwrap();
            }
        }
        let files = create_folder(folder, part).unwrap();
        let (plan, of_part) = packer.finish(&files, &Silent).unwrap();
        parts.push(plan);
        hash = hash.wrapping_add(of_part);
    }
    let plan = Plan::of_parts(parts, hash).unwrap();
    std::fs::write(folder.join(PLAN), plan.to_text()).unwrap();
    let shards = Shards::open(folder).unwrap();
    shards.check().unwrap();
    shards
}

/// The graph, cut by the command's own way into as many parts.
fn cut(nodes: usize, parts: usize, arcs: &[(u64, u64)], folder: &Path) -> Shards {
    let arcs = arcs
        .iter()
        .map(|&(source, target)| (source as Node, target as Node));
    let graph = Graph::from_arcs(nodes, arcs).unwrap();
    let output = folder.join("cut.shards");
    let cutter = Cutter::new(&graph, parts, &output, &Silent).unwrap();
    cutter.write(&output, &Silent).unwrap();
    Shards::open(&output).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whoever packs a part, with arcs in any order and repeated, it has the lists of a graph that was cut
    /// whole, also where numbers need more than 32 bits.
    #[test]
    fn parts_are_those_of_a_graph_that_is_cut(
        arcs in prop::collection::vec((0u64..24, 0u64..24), 0..120),
        parts in 1usize..6,
        shift in prop::sample::select(vec![0u64, (1 << 32) - 9, 1 << 32, (1 << 40) + 3]),
    ) {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = cut(24, parts, &arcs, one.path());
        let mut bounds: Vec<u64> = expected.plan().parts.iter().map(|part| part.first).collect();
        bounds.push(24);
        let found = packed(&bounds, shift, &arcs, two.path());
        for (found, expected) in found.plan().parts.iter().zip(&expected.plan().parts) {
            let mut expected = expected.clone();
            expected.first += shift;
            expected.files = found.files.clone();
            prop_assert_eq!(found, &expected);
        }
        for direction in [Direction::In, Direction::Out] {
            let degrees = |shards: &Shards| shards.degrees(direction, &Silent).unwrap();
            prop_assert_eq!(degrees(&found), degrees(&expected));
        }
    }

    /// The fingerprint depends on the arcs, and on nothing else.
    #[test]
    fn the_fingerprint_is_that_of_the_graph(
        arcs in prop::collection::btree_set((0u64..16, 0u64..16), 1..60),
        middle in 0u64..=16,
    ) {
        let arcs: Vec<(u64, u64)> = arcs.into_iter().collect();
        let of = |bounds: &[u64], arcs: &[(u64, u64)]| {
            let folder = tempfile::tempdir().unwrap();
            packed(bounds, 0, arcs, folder.path()).plan().fingerprint.clone()
        };
        let whole = of(&[0, 16], &arcs);
        let mut turned = arcs.clone();
        turned.reverse();
        turned.push(arcs[0]);
        prop_assert_eq!(&whole, &of(&[0, middle, 16], &turned));
        prop_assert_ne!(&whole, &of(&[0, 16], &arcs[1..]));
        prop_assert_ne!(&whole, &of(&[0, 17], &arcs));
    }
}

#[test]
fn what_is_not_of_the_part_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let new = |bounds: Vec<u64>, part| PartPacker::new(bounds, part, folder.path(), 0);
    let said = |bounds: Vec<u64>, part| new(bounds, part).err().unwrap().to_string();
    assert!(said(vec![0], 0).contains("it must be from 1 to 4096"));
    assert!(said(vec![0, 5], 1).contains("must follow each other"));
    assert!(said(vec![0, 7, 5], 0).contains("must follow each other"));
    assert!(said(vec![0, 1 << 31], 0).contains("make more parts"));
    let mut packer = new(vec![0, 5, 9], 0).unwrap();
    for (source, target) in [(5, 0), (0, 9), (u64::MAX, 0), (0, u64::MAX)] {
        let problem = packer.push(source, target, true).unwrap_err().to_string();
        assert!(problem.contains("is not of part 0"), "{problem}");
    }
}
