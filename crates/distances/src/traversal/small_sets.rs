//! The nodes that reach a node, where they are few, by passes over distinct rows.
//!
//! A pass finds the nodes at the next distance: those in a row, and then those that the last pass found for the
//! rows of these. A row that too many nodes reach is large, and so is one with a node of a large row; it is
//! not followed any more. There are at most 66 passes: a row for which the last of them finds nodes is large, too.
//!
//! Space: 4 bytes per row, and for each row that is not large 4 for each node that reaches it and 16 for each
//! distance.

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::progress::Progress;
use webrank_linear::runs::{Row, RunRows};

/// A row that more nodes reach than one of these is large: the first one whose sets fit into memory counts. So
/// nodes that at most 1,024, or 64, others reach are in no large row, unless one of these is far.
pub(crate) const MOST: [usize; 2] = [1025, 65];

/// The most passes.
const PASSES: u16 = 66;

/// Blocks of rows between two looks at whether the user interrupts.
const BLOCKS_AT_ONCE: usize = 1 << 10;

/// In place of the last part of a row: there is none, or the row is large.
const NONE: u32 = u32::MAX;
const LARGE: u32 = u32::MAX - 1;

/// The sets of rows that are not large.
pub(crate) struct SmallSets<'a> {
    rows: &'a RunRows,
    /// The most nodes that reach a row which is not large.
    pub most: usize,
    /// The last part of each row.
    last: Vec<u32>,
    parts: Vec<Part>,
    nodes: Vec<Node>,
}

/// The nodes at a distance from a row.
#[derive(Clone, Copy)]
struct Part {
    start: u64,
    /// The part of the distance before.
    before: u32,
    count: u16,
    level: u16,
}

/// The findings of a pass in a block.
#[derive(Default)]
struct PassFindings {
    rows: Vec<(u32, u16)>,
    nodes: Vec<Node>,
    large: Vec<u32>,
    candidates: Vec<Node>,
}

impl PassFindings {
    /// The bytes of the findings, and of their parts of sets.
    fn bytes(&self) -> u64 {
        let of_nodes = 2 * size_of::<Node>() * self.nodes.len();
        let of_rows = (size_of::<Part>() + size_of::<(u32, u16)>()) * self.rows.len();
        (of_nodes + of_rows + size_of::<u32>() * self.large.len()) as u64
    }
}

impl<'a> SmallSets<'a> {
    /// Finds the sets of all rows but those that are known to be large, and those that more than `most` nodes
    /// reach; none if they take more than `room` bytes.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if there is not enough memory; if the user interrupts.
    pub fn of(
        rows: &'a RunRows,
        is_large: impl Fn(usize) -> bool,
        (most, room): (usize, u64),
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let mut last = memory::filled(NONE, rows.num_rows(), "sets")?;
        for (row, last) in last.iter_mut().enumerate() {
            if is_large(row) {
                *last = LARGE;
            }
        }
        let (parts, nodes) = (Vec::new(), Vec::new());
        let mut sets = SmallSets {
            rows,
            most,
            last,
            parts,
            nodes,
        };
        let blocks = rows.blocks();
        // The numbers of parts have 32 bits.
        let room = room.min(u64::from(LARGE) * size_of::<Part>() as u64);
        for level in 1..=PASSES {
            let (mut found, mut more): (Vec<PassFindings>, u64) = (Vec::new(), 0);
            for blocks in blocks.chunks(BLOCKS_AT_ONCE) {
                progress.check()?;
                let parts = rows.fold(blocks, |found, row, nodes| {
                    sets.visit(found, row, nodes, level);
                })?;
                more += parts.iter().map(PassFindings::bytes).sum::<u64>();
                if sets.bytes() + more > room {
                    return Ok(None);
                }
                found.extend(parts);
            }
            if !sets.take(&found, level)? {
                break;
            }
        }
        sets.end();
        Ok(Some(sets))
    }

    fn bytes(&self) -> u64 {
        (self.parts.len() * size_of::<Part>() + self.nodes.len() * size_of::<Node>()) as u64
    }

    /// The parts of a row, farthest first.
    fn parts(&self, row: usize) -> impl Iterator<Item = Part> {
        let part = |place: u32| self.parts.get(place as usize).copied();
        std::iter::successors(part(self.last[row]), move |at| part(at.before))
    }

    fn nodes(&self, part: Part) -> &[Node] {
        &self.nodes[part.start as usize..][..part.count.into()]
    }

    /// Rows for which the last pass found nodes may lack others.
    fn end(&mut self) {
        for last in &mut self.last {
            let part = self.parts.get(*last as usize);
            if part.is_some_and(|part| part.level == PASSES) {
                *last = LARGE;
            }
        }
    }

    fn visit(&self, found: &mut PassFindings, row: usize, nodes: Row, level: u16) {
        if self.last[row] == LARGE {
            return;
        }
        let candidates = &mut found.candidates;
        candidates.clear();
        let mut is_large = nodes.len() > self.most;
        for y in nodes.nodes().take(self.most) {
            let row = self.rows.row_of(y as usize);
            match self.last[row] {
                LARGE => is_large = true,
                _ if level == 1 => candidates.push(y),
                place => {
                    let part = self.parts.get(place as usize);
                    if let Some(&part) = part.filter(|part| part.level == level - 1) {
                        candidates.extend_from_slice(self.nodes(part));
                    }
                }
            }
            if candidates.len() > 4 * self.most {
                candidates.sort_unstable();
                candidates.dedup();
                is_large |= candidates.len() > self.most;
            }
            if is_large {
                break;
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let is_new = |z: &Node| {
            let mut parts = self.parts(row);
            !parts.any(|part| self.nodes(part).binary_search(z).is_ok())
        };
        candidates.retain(is_new);
        let known: usize = self.parts(row).map(|part| usize::from(part.count)).sum();
        if is_large || known + candidates.len() > self.most {
            found.large.push(row as u32);
        } else if !candidates.is_empty() {
            found.rows.push((row as u32, candidates.len() as u16));
            found.nodes.extend_from_slice(candidates);
        }
    }

    /// Adds the findings of a pass: false if there are none.
    fn take(&mut self, found: &[PassFindings], level: u16) -> Result<bool> {
        let mut any = false;
        for found in found {
            memory::reserve(&mut self.parts, found.rows.len(), "sets")?;
            memory::reserve(&mut self.nodes, found.nodes.len(), "sets")?;
            let mut start = self.nodes.len() as u64;
            for &(row, count) in &found.rows {
                let before = self.last[row as usize];
                self.last[row as usize] = self.parts.len() as u32;
                self.parts.push(Part {
                    start,
                    before,
                    count,
                    level,
                });
                start += u64::from(count);
            }
            self.nodes.extend_from_slice(&found.nodes);
            found
                .large
                .iter()
                .for_each(|&row| self.last[row as usize] = LARGE);
            any |= !found.rows.is_empty() || !found.large.is_empty();
        }
        Ok(any)
    }

    /// The number of nodes at each distance from a node, farthest first; none if the row is large.
    pub fn counts(&self, node: Node) -> Option<Vec<u32>> {
        let row = self.rows.row_of(node as usize);
        (self.last[row] != LARGE).then(|| {
            let others = |part: Part| {
                let own = self.nodes(part).contains(&node);
                u32::from(part.count) - u32::from(own)
            };
            self.parts(row).map(others).collect()
        })
    }
}
