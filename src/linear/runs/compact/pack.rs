//! Packing: from a compressed graph to compact rows, window by window.

use super::block::Block;
use super::{CompactRows, same};
use crate::error::{Error, Result};
use crate::graph::{Compressed, Node, Rows, Source};
use crate::linear::runs::row::{Row, hash, split};
use crate::linear::runs::{Distinct, PullRows};
use crate::memory::filled;
use crate::output::Room;
use crate::parallel::blocks::BLOCK_WEIGHT;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Bits (plus nodes) of a window.
pub(crate) const WINDOW_BITS: u64 = if cfg!(test) { 1 << 8 } else { 1 << 21 };

/// Nodes of distinct rows, and rows, that a window holds at a time; then they are packed.
pub(super) const WINDOW_ARCS: usize = if cfg!(test) { 1 << 6 } else { 1 << 19 };

/// The bytes that packing takes for each thread: nodes, entries, numbers, bytes, hashes.
const BYTES_PER_THREAD: u64 = 32 << 20;

/// The bytes that packing takes besides those of nodes. Windows hold no more than the graph.
pub(crate) fn bytes_of_windows(num_nodes: u64, num_arcs: u64) -> u64 {
    let of_entry = BYTES_PER_THREAD / WINDOW_ARCS as u64;
    let whole = num_arcs.saturating_add(num_nodes).saturating_mul(of_entry);
    let windows = BYTES_PER_THREAD * rayon::current_num_threads() as u64;
    windows.min(whole.saturating_add(1 << 20))
}

/// Rows that are transposed at a time, so that there are few passes over a graph.
const RANGE: u64 = 256 << 20;

/// The least bytes for the rows of predecessors of a graph: none with a transpose beside it, otherwise
/// those of some rows, which are transposed at a time.
pub(crate) fn transposing(source: &Source, num_arcs: u64) -> u64 {
    match source.has_transpose() {
        true => 0,
        false => RANGE.min(4 * num_arcs),
    }
}

/// Entries and rows in a block, as of flat rows.
pub(super) const BLOCK: usize = if cfg!(test) {
    20
} else {
    BLOCK_WEIGHT as usize / 2
};

/// The place of a node that is not live.
const NOWHERE: u32 = u32::MAX;

impl PullRows {
    /// The rows of a compressed graph, all of whose entries must be in `live`, an increasing list of
    /// nodes; as many bytes in memory as there is room for, or all in a file. Entries become places in
    /// `live`. O(n log n + m), parallel; 36 bytes a node besides, and
    /// [`bytes_of_windows`].
    ///
    /// # Errors
    /// If the graph is damaged; if a row has other nodes; if there is no room, or a file cannot be
    /// written; if the user interrupts.
    pub(crate) fn pack(
        rows: &Compressed,
        live: &[Node],
        room: Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let places = Some(places_of(rows.num_nodes(), live)?);
        Self::pack_in(rows, rows.num_nodes(), places, room, progress)
    }

    /// The same for rows of the first nodes, where those of all others are empty, and entries keep their
    /// numbers. 28 bytes a node besides.
    ///
    /// # Errors
    /// As for [`Self::pack`].
    pub(crate) fn pack_all(
        rows: &Compressed,
        num_nodes: usize,
        room: Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Self::pack_in(rows, num_nodes, None, room, progress)
    }

    fn pack_in(
        rows: &Compressed,
        n: usize,
        places: Option<Vec<u32>>,
        room: Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut packer = Packer::with_places(n, places, room);
        progress.begin("pack", Some(n as u64));
        let mut blocks = rows.blocks(WINDOW_BITS);
        blocks.retain(|block| block.start < n);
        if let Some(last) = blocks.last_mut() {
            last.end = last.end.min(n);
        }
        packer.add(rows, 0, &blocks, progress)?;
        rows.check_count(packer.num_arcs)?;
        progress.end();
        packer.finish()
    }
}

/// Rows that a task packs again.
const ROWS_PER_TASK: usize = 1 << 14;

impl PullRows {
    /// Packs rows of any form, all of whose entries are places of rows.
    ///
    /// # Errors
    /// As for [`Self::pack`].
    pub(in crate::linear::runs) fn repack(
        rows: &dyn Rows,
        room: Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = rows.num_nodes();
        let mut packer = Packer::with_places(n, None, room);
        let starts = (0..n).step_by(ROWS_PER_TASK);
        let blocks: Vec<_> = starts
            .map(|start| start..n.min(start + ROWS_PER_TASK))
            .collect();
        progress.begin("pack", Some(n as u64));
        packer.add(rows, 0, &blocks, progress)?;
        progress.end();
        packer.finish()
    }
}

/// The place of each live node, and [`NOWHERE`] for others.
fn places_of(n: usize, live: &[Node]) -> Result<Vec<u32>> {
    let mut place_of = filled(NOWHERE, n, "the places of nodes")?;
    for (place, &node) in live.iter().enumerate() {
        place_of[node as usize] = place as u32;
    }
    Ok(place_of)
}

/// Packs the rows of all nodes, in their order.
pub(super) struct Packer {
    place_of: Option<Vec<u32>>,
    packed: CompactRows,
    row_of: Vec<u32>,
    /// A hash of each distinct row.
    hashes: Vec<u64>,
    num_arcs: u64,
}

impl Packer {
    /// For the rows of `n` nodes, all of whose entries are in `live`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(n: usize, live: &[Node], room: Room) -> Result<Self> {
        Ok(Self::with_places(n, Some(places_of(n, live)?), room))
    }

    fn with_places(n: usize, place_of: Option<Vec<u32>>, room: Room) -> Self {
        Packer {
            place_of,
            packed: CompactRows::none(room),
            row_of: Vec::with_capacity(n),
            hashes: Vec::new(),
            num_arcs: 0,
        }
    }

    /// Packs the rows of the next nodes: those of `rows`, whose first row is that of node `first`, in
    /// these blocks.
    ///
    /// # Errors
    /// If rows cannot be read, or have nodes that are not live; if there is no room, or a file cannot
    /// be written; if the user interrupts.
    pub(super) fn add(
        &mut self,
        rows: &dyn Rows,
        first: usize,
        blocks: &[Range<usize>],
        progress: &dyn Progress,
    ) -> Result<()> {
        for wave in blocks.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let windows = tasks::try_map(wave, |range| {
                let mut window = Window::new(Places::from(self.place_of.as_deref()));
                rows.try_rows(range.clone(), &mut |row, nodes| {
                    window.add((first + row as usize) as Node, nodes)
                })?;
                Ok::<_, Error>(window.done())
            })?;
            for window in windows {
                let before = self.packed.num_rows() as u32;
                progress.advance(window.row_of.len() as u64);
                self.num_arcs += window.num_arcs;
                self.row_of
                    .extend(window.row_of.iter().map(|row| before + row));
                self.hashes.extend(window.hashes);
                for block in window.blocks {
                    self.packed.push(block)?;
                }
            }
        }
        Ok(())
    }

    /// The rows, once all are added.
    ///
    /// # Errors
    /// If rows cannot be read back.
    pub(super) fn finish(mut self) -> Result<PullRows> {
        drop(self.place_of);
        let first_same = same::first_same(&self.packed, self.hashes)?;
        tasks::update(&mut self.row_of, |_, row| {
            if let Ok(at) = first_same.binary_search_by_key(row, |&[later, _]| later) {
                *row = first_same[at][1];
            }
        });
        Ok(PullRows {
            num_arcs: self.num_arcs,
            row_of: self.row_of,
            distinct: Arc::new(Distinct::Compact(Box::new(self.packed))),
        })
    }
}

/// The distinct rows of consecutive nodes, packed.
pub(super) struct Packed {
    pub(super) num_arcs: u64,
    pub(super) blocks: Vec<Block>,
    pub(super) row_of: Vec<u32>,
    hashes: Vec<u64>,
}

/// What nodes are called in packed rows.
#[derive(Clone, Copy)]
pub(super) enum Places<'p> {
    /// By their places among the live nodes.
    Of(&'p [u32]),
    /// By their numbers: all are live.
    Numbers,
}

impl<'p> From<Option<&'p [u32]>> for Places<'p> {
    fn from(place_of: Option<&'p [u32]>) -> Self {
        place_of.map_or(Places::Numbers, Places::Of)
    }
}

impl Places<'_> {
    #[inline]
    fn of(self, node: Node) -> u32 {
        match self {
            Places::Of(places) => places[node as usize],
            Places::Numbers => node,
        }
    }
}

/// The distinct rows of consecutive nodes.
pub(super) struct Window<'p> {
    places: Places<'p>,
    num_arcs: u64,
    /// What is packed.
    blocks: Vec<Block>,
    /// The distinct row of each node, counted from the first in this window.
    row_of: Vec<u32>,
    /// A hash of each distinct row.
    hashes: Vec<u64>,
    /// What is not: where the rows end, their nodes, and whether a live node has them.
    ends: Vec<usize>,
    arcs: Vec<Node>,
    is_live: Vec<bool>,
    /// The rows by their hashes, counted from the first that is not packed.
    known: HashMap<u64, u32>,
    /// The nodes whose rows are packed.
    packed: usize,
}

impl<'p> Window<'p> {
    pub(super) fn new(places: Places<'p>) -> Self {
        Window {
            places,
            num_arcs: 0,
            blocks: Vec::new(),
            row_of: Vec::new(),
            hashes: Vec::new(),
            ends: vec![0],
            arcs: Vec::new(),
            is_live: Vec::new(),
            known: HashMap::new(),
            packed: 0,
        }
    }

    /// All rows, packed.
    pub(super) fn done(mut self) -> Packed {
        self.flush();
        Packed {
            num_arcs: self.num_arcs,
            blocks: self.blocks,
            row_of: self.row_of,
            hashes: self.hashes,
        }
    }

    /// Adds the row of the next node.
    pub(super) fn add(&mut self, node: Node, row: &[Node]) -> Result<()> {
        self.num_arcs += row.len() as u64;
        let hash = hash(row);
        let is_live = self.places.of(node) != NOWHERE;
        let same = self.known.get(&hash).copied();
        let same = same.filter(|&known| self.arcs[self.extent(known as usize)] == *row);
        let known = match same {
            Some(known) => known,
            None => {
                if let Some(other) = row.iter().find(|&&j| self.places.of(j) == NOWHERE) {
                    let problem = format!(
                        "node {node} has the predecessor {other}, which has no successors: graph \
                         and transpose do not belong together; import the graph again"
                    );
                    return Err(Error::Rows { problem });
                }
                let known = self.is_live.len() as u32;
                self.arcs.extend_from_slice(row);
                self.ends.push(self.arcs.len());
                self.is_live.push(false);
                self.hashes.push(hash);
                self.known.entry(hash).or_insert(known);
                known
            }
        };
        self.is_live[known as usize] |= is_live;
        self.row_of.push(known);
        if self.weight() >= WINDOW_ARCS {
            self.flush();
        }
        Ok(())
    }

    /// Nodes of distinct rows, and rows, that are not packed.
    pub(super) fn weight(&self) -> usize {
        self.arcs.len() + self.is_live.len()
    }

    /// The nodes of a row that is not packed.
    fn extent(&self, row: usize) -> Range<usize> {
        self.ends[row]..self.ends[row + 1]
    }

    /// Packs all rows that are not packed: those of live nodes first, and rows of similar shape side by side, so that
    /// shapes take few bytes, and sweeps mispredict few ends of loops.
    fn flush(&mut self) {
        let count = self.is_live.len();
        let mut entries = Vec::with_capacity(self.arcs.len());
        let (mut places, mut runs) = (Vec::new(), Vec::new());
        // Where each row starts, where its runs start, and where it ends.
        let mut extents = Vec::with_capacity(count);
        for row in 0..count {
            places.clear();
            runs.clear();
            let nodes = self.arcs[self.extent(row)].iter();
            places.extend(nodes.map(|&node| self.places.of(node)));
            let start = entries.len();
            split(&places, &mut entries, &mut runs);
            let middle = entries.len();
            entries.extend_from_slice(&runs);
            extents.push([start, middle, entries.len()]);
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&row| {
            let [start, middle, end] = extents[row as usize];
            (!self.is_live[row as usize], middle - start, end - start)
        });
        let packed = self.hashes.len() - count;
        let mut new_number = vec![0; count];
        for (place, &row) in order.iter().enumerate() {
            new_number[row as usize] = (packed + place) as u32;
        }
        for row in &mut self.row_of[self.packed..] {
            *row = new_number[*row as usize];
        }
        let hashes: Vec<u64> = order
            .iter()
            .map(|&row| self.hashes[packed + row as usize])
            .collect();
        self.hashes[packed..].copy_from_slice(&hashes);
        self.pack(&order, &extents, &entries);
        self.packed = self.row_of.len();
        self.ends.truncate(1);
        self.arcs.clear();
        self.is_live.clear();
        self.known.clear();
    }

    /// Packs rows in this order into blocks, none of which holds rows of live nodes and others.
    fn pack(&mut self, order: &[u32], extents: &[[usize; 3]], entries: &[Node]) {
        let row_at = |row: u32| {
            let [start, middle, end] = extents[row as usize];
            Row {
                singles: &entries[start..middle],
                runs: entries[middle..end].as_chunks().0,
            }
        };
        let is_live = |row: &u32| self.is_live[*row as usize];
        for alike in order.chunk_by(|a, b| is_live(a) == is_live(b)) {
            push_blocks(alike.iter().map(|&row| row_at(row)), &mut self.blocks);
        }
    }
}

/// Packs rows, in their order, into blocks.
pub(super) fn push_blocks<'r>(rows: impl Iterator<Item = Row<'r>>, blocks: &mut Vec<Block>) {
    let (mut waiting, mut weight): (Vec<Row>, usize) = (Vec::new(), 0);
    for row in rows {
        weight += row.singles.len() + 2 * row.runs.len() + 1;
        waiting.push(row);
        if weight >= BLOCK {
            blocks.push(Block::of(&waiting));
            waiting.clear();
            weight = 0;
        }
    }
    if !waiting.is_empty() {
        blocks.push(Block::of(&waiting));
    }
}
