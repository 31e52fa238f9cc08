//! Which rows of a graph in memory are equal.

use super::row::hash;
use rayon::prelude::*;
use rdst::RadixSort;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_graph::Csr;

/// For every node, the smallest node with an equal row.
pub struct EqualRows(Vec<Node>);

/// Stands for the first node whose row is empty, until that is known.
const EMPTY: Node = Node::MAX;

/// Stands for the key of a node that needs none. Keys hold nodes, which are smaller.
const NO_KEY: u64 = u64::MAX;

impl EqualRows {
    /// Compares the hashes of rows, and rows whose hashes are equal. Rows that are empty, or equal to
    /// the row before, need neither a hash nor a place in the order of hashes. O(n log n + m),
    /// parallel; up to 16 bytes a node besides.
    pub fn of(rows: &Csr) -> Self {
        let n = rows.num_nodes();
        let (mut same_as, mut keys): (Vec<Node>, Vec<u64>) = (vec![0; n], vec![0; n]);
        let parts = same_as.chunks_mut(INDICES_PER_TASK).enumerate();
        let parts = parts.zip(keys.chunks_mut(INDICES_PER_TASK));
        tasks::for_each(parts, |((part, same_as), keys)| {
            let first = (part * INDICES_PER_TASK) as Node;
            for ((same_as, of_node), node) in same_as.iter_mut().zip(keys).zip(first..) {
                let row = rows.row(node);
                *of_node = NO_KEY;
                *same_as = match row {
                    [] => EMPTY,
                    _ if node > 0 && row == rows.row(node - 1) => node - 1,
                    _ => {
                        *of_node = key(row, node);
                        node
                    }
                };
            }
        });
        keys.retain(|&key| key != NO_KEY);
        keys.radix_sort_unstable();
        let equal: Vec<Vec<[Node; 2]>> = keys
            .par_chunk_by_mut(|a, b| a >> 32 == b >> 32)
            .filter(|group| group.len() > 1)
            .fold(Vec::new, |mut equal, group| {
                pair_equal(rows, group, &mut equal);
                equal
            })
            .collect();
        drop(keys);
        for [node, first] in equal.into_iter().flatten() {
            same_as[node as usize] = first;
        }
        let mut first_empty = None;
        for node in 0..same_as.len() {
            same_as[node] = match same_as[node] {
                EMPTY => *first_empty.get_or_insert(node as Node),
                // The row before may itself be equal to an earlier one.
                before => same_as[before as usize],
            };
        }
        EqualRows(same_as)
    }

    /// For every node, the smallest node with an equal row.
    pub(super) fn into_first(self) -> Vec<Node> {
        self.0
    }

    /// Whether no smaller node has an equal row.
    #[inline]
    pub fn is_first(&self, node: usize) -> bool {
        self.0[node] as usize == node
    }

    /// In how many rows each node is: equal rows are read once. 4 bytes a node and thread besides.
    pub fn counts(&self, rows: &Csr) -> Vec<u32> {
        let n = rows.num_nodes();
        let mut times = vec![0u32; n];
        self.0.iter().for_each(|&first| times[first as usize] += 1);
        let blocks = rows.blocks(WEIGHT);
        let next = AtomicUsize::new(0);
        let threads = rayon::current_num_threads().clamp(1, 8).min(blocks.len());
        // One task for each thread, so that counting needs no atomics.
        let mut counts = tasks::map(0..threads, |_| {
            let mut counts = vec![0u32; n];
            while let Some(block) = blocks.get(next.fetch_add(1, Relaxed)) {
                for node in block.clone().filter(|&node| times[node] > 0) {
                    for &entry in rows.row(node as Node) {
                        counts[entry as usize] += times[node];
                    }
                }
            }
            counts
        });
        let mut total = counts.pop().unwrap_or_else(|| vec![0; n]);
        for count in counts {
            tasks::update_with(&mut total, &count, |total, count| *total += count);
        }
        total
    }
}

/// Arcs and nodes of a block whose entries are counted.
const WEIGHT: u64 = 1 << 16;

/// Half of the hash of a row, and its node. Sorting by 8 bytes takes half as long as by all of the hash.
fn key(row: &[Node], node: Node) -> u64 {
    hash(row) >> 32 << 32 | u64::from(node)
}

/// Adds the pairs of a node and the first with an equal row, among nodes in increasing order in whose
/// rows half of the hash is the same. Mostly all of these rows are equal.
fn pair_equal(rows: &Csr, group: &mut [u64], equal: &mut Vec<[Node; 2]>) {
    let row = |key: u64| rows.row(key as Node);
    let (first, mut others) = (group[0], 0);
    for at in 1..group.len() {
        if row(group[at]) == row(first) {
            equal.push([group[at] as Node, first as Node]);
        } else {
            group[others] = group[at];
            others += 1;
        }
    }
    let others = &mut group[..others];
    let whole = |key: u64| hash(row(key));
    others.sort_unstable_by_key(|&key| (whole(key), key));
    for group in others.chunk_by(|&a, &b| whole(a) == whole(b)) {
        let first = group[0];
        let same = group[1..].iter().filter(|&&key| row(key) == row(first));
        equal.extend(same.map(|&key| [key as Node, first as Node]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_equal_row_and_counts(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..40, 0..4), 40),
        ) {
            let arcs = rows.iter().zip(0..).flat_map(|(row, x)| row.iter().map(move |&y| (x, y)));
            let graph = Csr::from_arcs(40, arcs).unwrap();
            let equal = EqualRows::of(&graph);
            for (node, row) in rows.iter().enumerate() {
                let first = rows.iter().position(|other| other == row).unwrap();
                prop_assert_eq!(equal.0[node] as usize, first);
                prop_assert_eq!(equal.is_first(node), first == node);
            }
            let counts = equal.counts(&graph);
            for (node, &count) in counts.iter().enumerate() {
                let with = rows.iter().filter(|row| row.contains(&(node as u32))).count();
                prop_assert_eq!(count as usize, with);
            }
        }
    }
}
