//! Components and the bow-tie: definitions, and `rank components`.

use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::Csr;
use webrank_graph::bow_tie::{BowTiePart, Components, Partition};
use webrank_testing::graphs::{cycle, digraphs};
use webrank_testing::oracle::components::{bow_tie, members};

fn components(n: usize, arcs: &[(Node, Node)]) -> Components {
    let rows = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
    Components::of(&rows, &Silent).unwrap()
}

/// The sets, each with its nodes, in the order of their numbers.
fn sets(partition: &Partition) -> Vec<Vec<usize>> {
    let sizes = partition.sizes.iter().enumerate();
    let sets = sizes.map(|(set, &size)| {
        let nodes = 0..partition.set_of.len();
        let nodes: Vec<usize> = nodes
            .filter(|&x| partition.set_of[x] as usize == set)
            .collect();
        assert_eq!(nodes.len(), size as usize);
        nodes
    });
    sets.collect()
}

proptest! {
    #[test]
    fn components_are_as_defined((n, arcs) in digraphs()) {
        let found = components(n, &arcs);
        for (partition, expected) in [&found.strong, &found.weak].into_iter().zip(members(n, &arcs)) {
            let mut expected: Vec<Vec<usize>> = expected;
            expected.sort_by_key(|set| (n - set.len(), set[0]));
            expected.dedup();
            prop_assert_eq!(sets(partition), expected);
        }
        let parts: Vec<&str> = found.part_of.iter().map(|part| part.name()).collect();
        prop_assert_eq!(&parts, &bow_tie(n, &arcs));
        let counted: usize = found.parts().iter().map(|(_, nodes)| nodes).sum();
        prop_assert_eq!(counted, n);
    }
}

/// A picture of a bow-tie: the core 0, 1, 2; 3 in, 4 out, the tube 5, tendrils 6 and 7, a node that
/// hangs on one of them, and two nodes elsewhere.
#[test]
fn every_part_of_the_bow_tie() {
    let arcs = [
        (0, 1),
        (1, 2),
        (2, 0), // the core
        (3, 0),
        (2, 4), // in and out
        (3, 5),
        (5, 4), // a tube
        (3, 6),
        (7, 4),
        (8, 6), // tendrils
        (9, 10),
    ];
    let names = [
        "core",
        "core",
        "core",
        "in",
        "out",
        "tube",
        "tendril",
        "tendril",
        "tendril",
        "disconnected",
        "disconnected",
    ];
    let found = components(11, &arcs);
    assert!(
        found
            .part_of
            .iter()
            .zip(names)
            .all(|(part, name)| part.name() == name)
    );
    assert_eq!(found.strong.distribution(), [(3, 1), (1, 8)]);
    assert_eq!(found.weak.distribution(), [(9, 1), (2, 1)]);
}

#[test]
fn large_and_empty_graphs() {
    let ring = cycle(300_000);
    let found = components(ring.0, &ring.1);
    assert_eq!(found.strong.sizes, [300_000]);
    assert!(found.part_of.iter().all(|&part| part == BowTiePart::Core));
    // The longest way that searches can take, against the order of the nodes.
    let path: Vec<(Node, Node)> = (1..300_000).map(|x| (x, x - 1)).collect();
    let found = components(300_000, &path);
    assert_eq!(found.strong.distribution(), [(1, 300_000)]);
    assert_eq!(found.weak.sizes, [300_000]);
    assert_eq!(found.part_of[0], BowTiePart::Core);
    assert!(
        found.part_of[1..]
            .iter()
            .all(|&part| part == BowTiePart::In)
    );
    let found = components(0, &[]);
    assert!(found.strong.sizes.is_empty() && found.weak.sizes.is_empty());
}

#[cfg(feature = "cli")]
mod command {
    use webrank_testing::cli::*;

    #[test]
    fn sizes_and_members() {
        let folder = tempfile::tempdir().unwrap();
        // a -> b -> c -> a, c -> b, d -> a.
        let graph = small(folder.path());
        let said = stdout(&["components", text(&graph)]);
        for line in [
            "strong components  2",
            "  largest          3 (75.0%)",
            "weak components    1",
            "  core             3 (75.0%)",
            "  in               1 (25.0%)",
            "         3  1",
        ] {
            assert!(said.contains(&format!("{line}\n")), "{line}: {said}");
        }
        let json: serde_json::Value =
            serde_json::from_str(&stdout(&["components", text(&graph), "--json"])).unwrap();
        assert_eq!(json["bow_tie"]["in"], 1);
        assert_eq!(json["strong"]["sizes"][1]["components"], 1);
        let table = folder.path().join("members.tsv");
        rank(&["components", text(&graph), "-q", "-o", text(&table)])
            .assert()
            .success();
        assert_eq!(
            std::fs::read_to_string(&table).unwrap(),
            "node\tname\tstrong\tstrong_size\tweak\tweak_size\tbow_tie\n\
             0\ta\t0\t3\t0\t4\tcore\n1\tb\t0\t3\t0\t4\tcore\n\
             2\tc\t0\t3\t0\t4\tcore\n3\td\t1\t1\t0\t4\tin\n"
        );
        let again = stdout(&["rerun", text(&folder.path().join("members.tsv.json"))]);
        assert!(again.contains("the same bits again"), "{again}");
        let array = folder.path().join("members.npy");
        let problem = failure(&["components", text(&graph), "-o", text(&array)], 1);
        assert!(problem.contains("write .parquet"), "{problem}");
    }
}
