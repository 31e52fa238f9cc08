//! Rows of predecessors, stored so that sums over them are cheapest.
//!
//! Pages of a site share their menus and footers, so in web graphs many nodes have equal
//! predecessors, and predecessors come in runs of consecutive nodes. Hence
//!
//! * equal rows are kept, and summed, once;
//! * a run is one subtraction of prefix sums, which restart every [`PREFIX_BLOCK`] nodes so that
//!   they lose little precision ([`crate::linear::prefixes`]); runs end where prefix sums restart.
//!
//! On a crawl of 3 million arcs this leaves a fifth of the memory reads. Where precision matters,
//! [`PullRows::exact_sum`] adds the entries of a run one by one.
//!
//! Nodes without successors are nobody's predecessors, so rows may number only the other nodes
//! ([`PullRows::of_live`]): vectors are shorter, runs longer.

use super::prefixes::{PREFIX_BLOCK, Prefixes};
use crate::graph::{Csr, Node};
use crate::parallel::blocks::{BLOCK_WEIGHT, cut, split_mut};
use crate::parallel::sums::{Compensated, gathered, ranged};
use crate::parallel::tasks;
use num_traits::Float;
use rayon::prelude::*;
use std::ops::Range;

/// Shorter runs are kept as single nodes: a run costs two reads.
const MIN_RUN: usize = 4;

/// Rows are ordered by shape within windows of this many arcs plus nodes.
const WINDOW: u64 = 1 << 17;

/// The distinct rows of a graph, each as single nodes and runs.
pub struct PullRows {
    num_arcs: u64,
    /// The distinct row of each node.
    row_of: Vec<u32>,
    /// Where the entries of each distinct row start.
    starts: Vec<u64>,
    /// How many of them are single nodes; pairs (first, end) of runs follow.
    num_singles: Vec<u32>,
    entries: Vec<Node>,
}

impl PullRows {
    /// Splits rows into single nodes and runs, reusing their memory. O(n log n + m), parallel; 20
    /// bytes a node besides.
    pub fn new(rows: Csr) -> Self {
        Self::build(rows, None)
    }

    /// The same for rows whose entries are all in `live`, an increasing list of nodes. Entries
    /// become places in `live`, and rows of live nodes are adjacent ([`Self::live_blocks`]).
    pub fn of_live(rows: Csr, live: &[Node]) -> Self {
        Self::build(rows, Some(live))
    }

    fn build(rows: Csr, live: Option<&[Node]>) -> Self {
        let num_arcs = rows.num_arcs();
        let mut row_of = first_equal_row(&rows);
        let columns = live.map(|live| LivePlaces::new(live, &row_of));
        let (offsets, mut entries) = rows.into_parts();
        let windows = cut(&offsets, WINDOW);
        let arcs_of =
            |block: &Range<usize>| offsets[block.start] as usize..offsets[block.end] as usize;
        let extents: Vec<_> = windows.iter().map(arcs_of).collect();
        let parts = windows.iter().zip(split_mut(&mut entries, &extents));
        let encoded = tasks::map(parts, |(window, arcs)| {
            encode(window.clone(), &offsets, &row_of, columns.as_ref(), arcs)
        });
        drop((offsets, columns));
        let mut starts = vec![0];
        let mut num_singles = Vec::new();
        let mut number_of_first = vec![0; row_of.len()];
        let mut end = 0;
        for (rows, extent) in encoded.iter().zip(&extents) {
            let length: usize = rows.iter().map(|row| row.length as usize).sum();
            entries.copy_within(extent.start..extent.start + length, end);
            end += length;
            for row in rows {
                number_of_first[row.node as usize] = num_singles.len() as u32;
                num_singles.push(row.num_singles);
                starts.push(starts.last().expect("starts with 0") + row.length as u64);
            }
        }
        entries.truncate(end);
        entries.shrink_to_fit();
        tasks::update(&mut row_of, |_, row| *row = number_of_first[*row as usize]);
        PullRows {
            num_arcs,
            row_of,
            starts,
            num_singles,
            entries,
        }
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.row_of.len()
    }

    /// The number of arcs.
    pub fn num_arcs(&self) -> u64 {
        self.num_arcs
    }

    /// The number of distinct rows.
    pub fn num_rows(&self) -> usize {
        self.num_singles.len()
    }

    /// The number of values that a sweep reads: one for a single node, two for a run.
    pub fn num_reads(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The distinct row of a node: equal for two nodes if and only if their rows are equal (a
    /// collision of 64-bit hashes may keep equal rows apart, but never joins different rows).
    #[inline]
    pub fn row_of(&self, node: usize) -> usize {
        self.row_of[node] as usize
    }

    /// Blocks of distinct rows of about equal work.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        cut(&self.starts, BLOCK_WEIGHT / 2)
    }

    /// Blocks, in order, of the rows for which `live` holds, each of about equal work at most.
    pub fn live_blocks(&self, live: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        for block in self.blocks() {
            let mut start = block.start;
            while start < block.end {
                let is_live = live(start);
                let changed = (start + 1..block.end).find(|&row| live(row) != is_live);
                let end = changed.unwrap_or(block.end);
                if is_live {
                    parts.push(start..end);
                }
                start = end;
            }
        }
        parts
    }

    /// The number of nodes in a row.
    pub fn len(&self, row: usize) -> usize {
        let (singles, runs) = self.row(row);
        let in_runs = runs.iter().map(|[first, end]| (end - first) as usize);
        singles.len() + in_runs.sum::<usize>()
    }

    /// Whether `node` is in a row.
    pub fn contains(&self, row: usize, node: Node) -> bool {
        let (singles, runs) = self.row(row);
        let after = runs.partition_point(|&[first, _]| first <= node);
        singles.binary_search(&node).is_ok() || (after > 0 && node < runs[after - 1][1])
    }

    /// The nodes of a row, each once, in no particular order.
    pub fn nodes(&self, row: usize) -> impl Iterator<Item = Node> {
        let (singles, runs) = self.row(row);
        let in_runs = runs.iter().flat_map(|&[first, end]| first..end);
        singles.iter().copied().chain(in_runs)
    }

    /// The single nodes of a row, and its runs as pairs (first, end), none across a multiple of
    /// [`PREFIX_BLOCK`].
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[Node], &[[Node; 2]]) {
        let entries = &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize];
        let (singles, runs) = entries.split_at(self.num_singles[row] as usize);
        (singles, runs.as_chunks().0)
    }

    /// For every row, the wrapping sum of the hashes of its nodes. 8 bytes a node besides.
    pub fn hashes(&self, hashes: &[u64]) -> Vec<u64> {
        let mut before = vec![0u64; hashes.len() + 1];
        for (node, hash) in hashes.iter().enumerate() {
            before[node + 1] = before[node].wrapping_add(*hash);
        }
        tasks::tabulate(self.num_rows(), |row| {
            let (singles, runs) = self.row(row);
            let singles = singles.iter().map(|&node| hashes[node as usize]);
            let ends = |&[first, end]: &[Node; 2]| {
                before[end as usize].wrapping_sub(before[first as usize])
            };
            singles
                .chain(runs.iter().map(ends))
                .fold(0, u64::wrapping_add)
        })
    }

    /// Sum of `values` over a row, by prefix sums for runs.
    #[inline]
    pub fn fast_sum<T: Float>(&self, row: usize, values: &[T], prefixes: &Prefixes<T>) -> T {
        let (singles, runs) = self.row(row);
        let mut sum = gathered(singles, |j| values[j as usize]);
        for &[first, end] in runs {
            sum = sum + prefixes.between(first, end);
        }
        sum
    }

    /// Sum of `value(j)` over a row, term by term, with the error stated in
    /// [`crate::parallel::sums`]. The order of additions depends on the row alone.
    #[inline]
    pub fn exact_sum(&self, row: usize, value: impl Fn(Node) -> f64 + Copy) -> f64 {
        let (singles, runs) = self.row(row);
        let first = gathered(singles, value);
        if runs.is_empty() {
            return first;
        }
        let mut sum = Compensated::default();
        sum.add(first);
        for &[first, end] in runs {
            sum.add(ranged(first..end, value));
        }
        sum.value()
    }
}

/// For every node, the smallest node with an equal row.
fn first_equal_row(rows: &Csr) -> Vec<Node> {
    let n = rows.num_nodes();
    let key = |node: usize| (hash(rows.row(node as Node)), node as Node);
    let mut keys = tasks::tabulate(n, key);
    keys.par_sort_unstable();
    let equal: Vec<Vec<[Node; 2]>> = keys
        .par_chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
        .fold(Vec::new, |mut equal, group| {
            let first = group[0].1;
            let others = group[1..].iter().map(|&(_, node)| node);
            let others = others.filter(|&node| rows.row(node) == rows.row(first));
            equal.extend(others.map(|node| [node, first]));
            equal
        })
        .collect();
    drop(keys);
    let mut same_as: Vec<Node> = (0..n as Node).collect();
    for [node, first] in equal.into_iter().flatten() {
        same_as[node as usize] = first;
    }
    same_as
}

fn hash(row: &[Node]) -> u64 {
    row.iter().fold(row.len() as u64, |hash, &node| {
        (hash.rotate_left(29) ^ node as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// The map from entries to places among the live nodes.
struct LivePlaces {
    /// The place of each live node.
    place_of: Vec<u32>,
    /// For the first node of each distinct row, whether the row belongs to some live node.
    live_rows: Vec<bool>,
}

impl LivePlaces {
    fn new(live: &[Node], first_equal: &[Node]) -> Self {
        let mut place_of = vec![0; first_equal.len()];
        let mut live_rows = vec![false; first_equal.len()];
        for (place, &node) in live.iter().enumerate() {
            place_of[node as usize] = place as u32;
            live_rows[first_equal[node as usize] as usize] = true;
        }
        LivePlaces {
            place_of,
            live_rows,
        }
    }
}

/// A distinct row that has been encoded.
struct Encoded {
    /// Its first node.
    node: Node,
    num_singles: u32,
    length: u32,
}

/// Encodes the distinct rows of a window of nodes at the front of its arcs. Rows of live nodes come
/// first, and rows of similar shape are adjacent, so that sweeps mispredict fewer ends of loops.
fn encode(
    window: Range<usize>,
    offsets: &[u64],
    first_equal: &[Node],
    columns: Option<&LivePlaces>,
    arcs: &mut [Node],
) -> Vec<Encoded> {
    if let Some(columns) = columns {
        arcs.iter_mut()
            .for_each(|node| *node = columns.place_of[*node as usize]);
    }
    let is_live = |node: Node| columns.is_none_or(|columns| columns.live_rows[node as usize]);
    let first_arc = offsets[window.start];
    let consecutive =
        |a: &Node, b: &Node| *b == *a + 1 && !(*b as usize).is_multiple_of(PREFIX_BLOCK);
    let (mut entries, mut runs): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
    let mut rows = Vec::new();
    for node in window.filter(|&node| first_equal[node] as usize == node) {
        let start = entries.len();
        runs.clear();
        let row = (offsets[node] - first_arc) as usize..(offsets[node + 1] - first_arc) as usize;
        for run in arcs[row].chunk_by(consecutive) {
            if run.len() < MIN_RUN {
                entries.extend_from_slice(run);
            } else {
                runs.extend([run[0], run[run.len() - 1] + 1]);
            }
        }
        let num_singles = (entries.len() - start) as u32;
        entries.extend_from_slice(&runs);
        let length = (entries.len() - start) as u32;
        let node = node as Node;
        rows.push((
            start,
            Encoded {
                node,
                num_singles,
                length,
            },
        ));
    }
    rows.sort_by_key(|(_, row)| (!is_live(row.node), row.num_singles, row.length));
    let mut end = 0;
    for (start, row) in &rows {
        let length = row.length as usize;
        arcs[end..end + length].copy_from_slice(&entries[*start..start + length]);
        end += length;
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn sums_are_those_of_the_rows(graph in graphs()) {
            let n = graph.num_nodes();
            let values: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1009) as f64).collect();
            let mut prefixes = Prefixes::new(n);
            prefixes.blocks_mut().zip(values.chunks(PREFIX_BLOCK)).for_each(|(block, values)| {
                for (k, value) in values.iter().enumerate() {
                    block[k + 1] = block[k] + value;
                }
            });
            let pull = PullRows::new(graph.clone());
            prop_assert_eq!(pull.num_arcs(), graph.num_arcs());
            for node in 0..n {
                let row = graph.row(node as Node);
                let sum: f64 = row.iter().map(|&j| values[j as usize]).sum();
                let row_of = pull.row_of(node);
                // Integers: every order of additions is exact.
                prop_assert_eq!(pull.fast_sum(row_of, &values, &prefixes), sum);
                prop_assert_eq!(pull.exact_sum(row_of, |j| values[j as usize]), sum);
                for other in 0..node {
                    let equal = row == graph.row(other as Node);
                    prop_assert_eq!(pull.row_of(other) == row_of, equal);
                }
            }
        }
    }
}
