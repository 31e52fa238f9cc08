//! The rows of consecutive nodes, of which equal ones are kept once, packed into blocks.

use super::block::Block;
use crate::runs::row::{Row, hash, split};
use std::collections::HashMap;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::BLOCK_WEIGHT;

/// Nodes of distinct rows, and rows, that a window holds at a time; then they are packed.
pub(super) const WINDOW_ARCS: usize = if cfg!(test) { 1 << 6 } else { 1 << 19 };

/// Entries and rows in a block, as of flat rows.
pub(super) const BLOCK: usize = if cfg!(test) {
    20
} else {
    BLOCK_WEIGHT as usize / 2
};

/// The place of a node that is not live.
pub const NOWHERE: u32 = u32::MAX;

/// The distinct rows of consecutive nodes, packed.
pub(super) struct Packed {
    pub(super) num_arcs: u64,
    pub(super) blocks: Vec<Block>,
    pub(super) row_of: Vec<u32>,
    pub(super) hashes: Vec<u64>,
}

/// The names of nodes in packed rows.
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
    /// Nodes of distinct rows, and rows, that it holds at a time.
    most: usize,
    num_arcs: u64,
    /// The packed rows.
    blocks: Vec<Block>,
    /// The distinct row of each node, counted from the first in this window.
    row_of: Vec<u32>,
    /// A hash of each distinct row.
    hashes: Vec<u64>,
    /// The other rows: where they end, their nodes, and whether a live node has them.
    ends: Vec<usize>,
    arcs: Vec<Node>,
    is_live: Vec<bool>,
    /// The rows by their hashes, counted from the first that is not packed.
    known: HashMap<u64, u32>,
    /// The nodes whose rows are packed.
    packed: usize,
    /// Whether rows of one shape are sorted by their first entries.
    is_by_first: bool,
}

impl<'p> Window<'p> {
    pub(super) fn new(places: Places<'p>, most: usize) -> Self {
        Window {
            places,
            most,
            num_arcs: 0,
            blocks: Vec::new(),
            row_of: Vec::new(),
            hashes: Vec::new(),
            ends: vec![0],
            arcs: Vec::new(),
            is_live: Vec::new(),
            known: HashMap::new(),
            packed: 0,
            is_by_first: false,
        }
    }

    /// A window whose rows of one shape are sorted by their first entries: values that are read after each
    /// other are near to each other, and gaps take fewer bytes.
    pub(super) fn by_first(places: Places<'p>, most: usize) -> Self {
        Window {
            is_by_first: true,
            ..Self::new(places, most)
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
        if self.weight() >= self.most {
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

    /// Packs all rows that are not packed: those of live nodes first, and rows of similar shape side by
    /// side, so that shapes take few bytes, and sweeps mispredict few ends of loops.
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
            let first = entries.get(start).filter(|_| self.is_by_first).copied();
            let is_live = self.is_live[row as usize];
            (!is_live, middle - start, end - start, first.unwrap_or(0))
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
