//! Arcs in any order, sorted by source and by target, in memory or on disk.
//!
//! [`ArcStore`] takes arcs one by one and cuts them into chunks. A chunk that is full is sorted while
//! the next one fills, and becomes a run: in memory as long as there is room, then on disk, once by
//! source and once by target. [`SortedArcs`] merges the runs, range by range of rows, as often as
//! needed. So there is one way for all sizes, and a graph that fits never touches the disk.
//!
//! * `element`: an arc in 8 bytes, or in 16 with its weight;
//! * `disk`: runs on disk;
//! * `run`: runs wherever they are, and places in them;
//! * `store`: takes arcs;
//! * `sorted`: gives rows, without duplicates.

use std::path::{Path, PathBuf};

mod disk;
mod element;
mod run;
mod sorted;
mod store;

pub use element::{Element, Weighted};
pub use sorted::Duplicates;
pub use sorted::SortedArcs;
pub use store::ArcStore;

/// The folder for temporary files of a bundle: where the bundle will be.
pub fn temporary_files_of(output: &Path) -> PathBuf {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::Content;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use webrank_base::Node;
    use webrank_base::error::Result;
    use webrank_base::output::{SpillBudget, TemporaryFolder};

    type Row = (Node, Vec<Node>, Vec<f64>);

    fn rows(arcs: &impl Content, parts: &[usize]) -> Vec<Row> {
        let mut found = Vec::new();
        for ends in parts.windows(2) {
            let visit = &mut |node, row: &[Node], weights: &[f64]| {
                found.push((node, row.to_vec(), weights.to_vec()));
                Ok(())
            };
            arcs.rows(ends[0]..ends[1], visit).unwrap();
        }
        found
    }

    fn sorted<E: Element>(
        list: &[(Node, Node, f64)],
        nodes: usize,
        room: SpillBudget,
        numbers: Option<&[Node]>,
        duplicates: Duplicates,
    ) -> Result<SortedArcs<E>> {
        let mut store = ArcStore::<E>::with_chunk(room, numbers.is_some(), 7);
        for &(source, target, weight) in list {
            store.push(source, target, weight)?;
        }
        store.finish(nodes, numbers, duplicates)
    }

    /// The expected rows, slowly.
    fn expected(list: &[(Node, Node, f64)], nodes: usize, duplicates: Duplicates) -> Vec<Row> {
        let mut arcs: BTreeMap<(Node, Node), f64> = BTreeMap::new();
        for &(source, target, weight) in list {
            let place = arcs.entry((source, target));
            place
                .and_modify(|known| match duplicates {
                    Duplicates::Sum => *known += weight,
                    Duplicates::Max => *known = known.max(weight),
                    Duplicates::Min => *known = known.min(weight),
                    Duplicates::Drop | Duplicates::Error => {}
                })
                .or_insert(weight);
        }
        let row = |node: usize| {
            let of_node = arcs
                .iter()
                .filter(|((source, _), _)| *source as usize == node);
            let (row, weights) = of_node
                .map(|(&(_, target), &weight)| (target, weight))
                .unzip();
            (node as Node, row, weights)
        };
        (0..nodes).map(row).collect()
    }

    proptest! {
        /// However little memory there is, rows are those of the arcs, in both directions.
        #[test]
        fn rows_do_not_depend_on_memory(
            list in prop::collection::vec((0u32..9, 0u32..9, 1u32..5), 0..120),
            bytes in prop::sample::select(vec![0u64, 600, 1500, 1 << 20]),
            cut in 0usize..=9,
            shift in prop::option::of(0u32..9),
            duplicates in prop::sample::select(vec![
                Duplicates::Drop, Duplicates::Sum, Duplicates::Max, Duplicates::Min,
            ]),
        ) {
            let nodes = 9;
            // Thirds: the order of a sum matters.
            let list: Vec<(Node, Node, f64)> =
                list.into_iter().map(|(a, b, weight)| (a, b, f64::from(weight) / 3.0)).collect();
            let numbers = shift.map(|by| (0..9).map(|node| (node + by) % 9).collect::<Vec<Node>>());
            let number = |node: Node| numbers.as_ref().map_or(node, |numbers| numbers[node as usize]);
            let renumbered: Vec<_> = list.iter().map(|&(a, b, w)| (number(a), number(b), w)).collect();
            let reversed: Vec<_> = renumbered.iter().map(|&(a, b, w)| (b, a, w)).collect();
            let folder = tempfile::tempdir().unwrap();
            let room = SpillBudget {
                bytes,
                folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
            };
            let parts = [0, cut, nodes];
            let mut arcs = sorted::<Weighted>(&list, nodes, room.clone(), numbers.as_deref(), duplicates).unwrap();
            prop_assert_eq!(rows(&arcs, &parts), expected(&renumbered, nodes, duplicates));
            arcs.reverse().unwrap();
            prop_assert_eq!(rows(&arcs, &parts), expected(&reversed, nodes, duplicates));
            drop(arcs);
            let plain = |rows: Vec<Row>| -> Vec<Row> {
                rows.into_iter().map(|(node, row, _)| (node, row, Vec::new())).collect()
            };
            let mut arcs = sorted::<u64>(&list, nodes, room, numbers.as_deref(), Duplicates::Drop).unwrap();
            prop_assert_eq!(rows(&arcs, &parts), plain(expected(&renumbered, nodes, duplicates)));
            let (whole, _) = arcs.in_memory().unwrap();
            prop_assert_eq!(whole.num_arcs(), renumbered.iter().map(|&(a, b, _)| (a, b)).collect::<std::collections::BTreeSet<_>>().len() as u64);
            arcs.reverse().unwrap();
            prop_assert_eq!(rows(&arcs, &parts), plain(expected(&reversed, nodes, duplicates)));
            drop(arcs);
            prop_assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        }
    }

    #[test]
    fn more_runs_than_may_be_open_are_merged() {
        let folder = tempfile::tempdir().unwrap();
        let list: Vec<_> = (0..3000u32)
            .map(|i| (i * i % 97, i % 89, f64::from(1 + i)))
            .collect();
        let room = SpillBudget {
            bytes: 0,
            folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
        };
        let mut arcs = sorted::<Weighted>(&list, 97, room, None, Duplicates::Sum).unwrap();
        assert_eq!(rows(&arcs, &[0, 97]), expected(&list, 97, Duplicates::Sum));
        arcs.reverse().unwrap();
        let reversed: Vec<_> = list.iter().map(|&(a, b, weight)| (b, a, weight)).collect();
        assert_eq!(
            rows(&arcs, &[0, 50, 97]),
            expected(&reversed, 97, Duplicates::Sum)
        );
    }

    #[test]
    fn what_must_fit_into_memory_says_so() {
        let room = SpillBudget {
            bytes: 1000,
            folder: None,
        };
        let list: Vec<_> = (0..3000u32).map(|i| (i, i, 1.0)).collect();
        let problem = sorted::<u64>(&list, 3000, room, None, Duplicates::Drop)
            .err()
            .unwrap();
        assert!(problem.to_string().contains("needs up to"), "{problem}");
    }
}
