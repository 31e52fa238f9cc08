//! Distinct rows as lists of nodes in memory.

use super::alike::UniformRows;
use super::equal::EqualRows;
use super::row::{Row, split};
use std::ops::Range;
use webrank_base::Node;
use webrank_base::parallel::blocks::{BLOCK_WEIGHT, cut, split_mut};
use webrank_base::parallel::tasks;
use webrank_graph::Csr;

/// Rows are ordered by shape within windows of this many arcs plus nodes.
const WINDOW: u64 = 1 << 17;

/// Distinct rows, each of which can be had at any time.
pub struct FlatRows {
    /// Where the entries of each distinct row start.
    starts: Vec<u64>,
    /// How many of them are single nodes; pairs (first, end) of runs follow.
    num_singles: Vec<u32>,
    entries: Vec<Node>,
    /// The first of consecutive rows of one shape.
    firsts: Vec<u32>,
}

impl FlatRows {
    /// The distinct rows, and the one of each node.
    pub(super) fn new(rows: Csr, equal: EqualRows, live: Option<&[Node]>) -> (Self, Vec<u32>) {
        let mut row_of = equal.into_first();
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
        let num_rows = encoded.iter().map(Vec::len).sum::<usize>();
        let (mut starts, mut num_singles) = (Vec::with_capacity(num_rows + 1), Vec::new());
        starts.push(0);
        num_singles.reserve_exact(num_rows);
        let mut number_of_first = vec![0; row_of.len()];
        let mut end = 0;
        // Each is freed as soon as it is read.
        for (rows, extent) in encoded.into_iter().zip(&extents) {
            let length: usize = rows.iter().map(|row| row.length as usize).sum();
            entries.copy_within(extent.start..extent.start + length, end);
            end += length;
            for row in &rows {
                number_of_first[row.node as usize] = num_singles.len() as u32;
                num_singles.push(row.num_singles);
                starts.push(starts.last().expect("starts with 0") + row.length as u64);
            }
        }
        entries.truncate(end);
        entries.shrink_to_fit();
        tasks::update(&mut row_of, |_, row| *row = number_of_first[*row as usize]);
        let mut rows = FlatRows {
            starts,
            num_singles,
            entries,
            firsts: Vec::new(),
        };
        let begins_shape = |&row: &usize| row == 0 || rows.shape(row) != rows.shape(row - 1);
        let firsts = (0..num_rows).filter(begins_shape);
        rows.firsts = firsts.map(|row| row as u32).collect();
        (rows, row_of)
    }

    pub(super) fn num_rows(&self) -> usize {
        self.num_singles.len()
    }

    pub(super) fn num_reads(&self) -> u64 {
        self.entries.len() as u64
    }

    pub(super) fn blocks(&self) -> Vec<Range<usize>> {
        cut(&self.starts, BLOCK_WEIGHT / 2)
    }

    pub(super) fn live_blocks(&self, live: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
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

    /// The entries of a row, and how many of them are single nodes.
    fn shape(&self, row: usize) -> (u64, u32) {
        (
            self.starts[row + 1] - self.starts[row],
            self.num_singles[row],
        )
    }

    /// Hands the rows of a block to `visit`, those of one shape at once, with the number of the first
    /// of them, counted from the start of the block.
    pub(super) fn visit(&self, block: Range<usize>, mut visit: impl FnMut(usize, UniformRows)) {
        let next = |row: usize| self.firsts.partition_point(|&first| first as usize <= row);
        let ends = self.firsts[next(block.start)..].iter();
        let ends = ends.map(|&first| (first as usize).min(block.end));
        let mut row = block.start;
        for end in ends.chain([block.end]) {
            if row == end {
                break;
            }
            let (length, singles) = self.shape(row);
            let alike = UniformRows {
                entries: &self.entries[self.starts[row] as usize..self.starts[end] as usize],
                singles: singles as usize,
                runs: (length as usize - singles as usize) / 2,
                count: end - row,
            };
            visit(row - block.start, alike);
            row = end;
        }
    }

    /// A row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Row<'_> {
        let entries = &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize];
        let (singles, runs) = entries.split_at(self.num_singles[row] as usize);
        Row {
            singles,
            runs: runs.as_chunks().0,
        }
    }
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
#[derive(Clone, Copy)]
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
    let is_live = |node: Node| columns.is_none_or(|columns| columns.live_rows[node as usize]);
    let first_arc = offsets[window.start];
    let (mut entries, mut runs): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
    let (mut starts, mut rows, mut order) = (Vec::new(), Vec::new(), Vec::new());
    for node in window.filter(|&node| first_equal[node] as usize == node) {
        let start = entries.len();
        runs.clear();
        let row = (offsets[node] - first_arc) as usize..(offsets[node + 1] - first_arc) as usize;
        let row = &mut arcs[row];
        if let Some(columns) = columns {
            row.iter_mut()
                .for_each(|node| *node = columns.place_of[*node as usize]);
        }
        split(row, &mut entries, &mut runs);
        let num_singles = (entries.len() - start) as u32;
        entries.extend_from_slice(&runs);
        let length = (entries.len() - start) as u32;
        let node = node as Node;
        order.push(shape(!is_live(node), num_singles, length) << 32 | rows.len() as u64);
        starts.push(start);
        rows.push(Encoded {
            node,
            num_singles,
            length,
        });
    }
    order.sort_unstable();
    let mut end = 0;
    let ordered = order.into_iter().map(|key| {
        let row = key as u32 as usize;
        let (start, length) = (starts[row], rows[row].length as usize);
        arcs[end..end + length].copy_from_slice(&entries[start..start + length]);
        end += length;
        rows[row]
    });
    ordered.collect()
}

/// The shape of a row as a number of 32 bits. Rows of very many nodes have one shape.
fn shape(dangling: bool, num_singles: u32, length: u32) -> u64 {
    let (singles, length) = (num_singles.min(0x7fff), length.min(0xffff));
    u64::from(dangling) << 31 | u64::from(singles) << 16 | u64::from(length)
}
