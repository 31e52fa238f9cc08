//! A slice of all counters: some of the registers of every node, advanced step by step.
//!
//! The registers of a counter do not depend on each other until they are added up, so slices can be
//! advanced one after the other, each from its own pass over the graph.

use super::counters::{Counters, Tally};
use crate::checkpoint::{Found, Saving};
use crate::error::Result;
use crate::graph::{Csr, Node};
use crate::memory;
use crate::parallel::blocks::split_mut;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Nodes of a block; fixed, and enough to hide the cost of a task.
pub(super) const NODES_PER_BLOCK: usize = 1 << 9;

/// Some registers of every node.
pub(super) struct Slice<'g> {
    rows: &'g Csr,
    /// The arcs into each node, by which the nodes to visit are found; without them all are visited.
    reverse: Option<&'g Csr>,
    /// Registers of a node.
    width: usize,
    /// The registers of one node after those of another.
    registers: Vec<u8>,
    /// The nodes that changed in the last step.
    modified: Vec<Node>,
    /// A bit for each of them.
    is_modified: Vec<u64>,
}

/// Nodes whose tallies change in a step, in increasing order, and by how much.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) nodes: Vec<Node>,
    pub(super) falls: Vec<Tally>,
}

impl Changes {
    /// The nodes from the first that changes to the last. There is one at least.
    pub(super) fn extent(&self) -> Range<usize> {
        let last = self.nodes.len() - 1;
        self.nodes[0] as usize..self.nodes[last] as usize + 1
    }
}

/// The same, and the new registers.
#[derive(Default)]
struct ChangedBlock {
    changes: Changes,
    registers: Vec<u8>,
}

impl<'g> Slice<'g> {
    /// The registers `slice` of counters of single nodes.
    pub(super) fn new(
        rows: &'g Csr,
        reverse: Option<&'g Csr>,
        counters: Counters,
        slice: Range<usize>,
    ) -> Result<Self> {
        let (n, width) = (rows.num_nodes(), slice.len());
        let mut registers = memory::filled(0u8, n * width, "counters")?;
        let blocks = registers.chunks_mut(NODES_PER_BLOCK * width).enumerate();
        let modified = tasks::map(blocks, |(block, registers)| {
            let mut nodes = Vec::new();
            for (index, registers) in registers.chunks_exact_mut(width).enumerate() {
                let node = block * NODES_PER_BLOCK + index;
                let (register, value) = counters.of_node(node);
                if slice.contains(&register) {
                    registers[register - slice.start] = value;
                    nodes.push(node as Node);
                }
            }
            nodes
        });
        Ok(Slice {
            rows,
            reverse,
            width,
            registers,
            modified: modified.concat(),
            is_modified: vec![0; n.div_ceil(64)],
        })
    }

    /// Joins the registers of neighbours that have changed in the last step to those of each node;
    /// returns the changes, none if nothing changes any more.
    pub(super) fn step(&mut self, progress: &dyn Progress) -> Result<Vec<Changes>> {
        if self.modified.is_empty() {
            return Ok(Vec::new());
        }
        let visited = self.visited();
        for &x in &self.modified {
            self.is_modified[x as usize / 64] |= 1 << (x % 64);
        }
        let blocks = tasks::try_map(visited.chunks(NODES_PER_BLOCK), |nodes| {
            progress.check()?;
            Ok(self.join_block(nodes))
        })?;
        for &x in &self.modified {
            self.is_modified[x as usize / 64] = 0;
        }
        let changed = blocks.into_iter();
        let changed = changed.filter(|block| !block.changes.nodes.is_empty());
        let changed: Vec<ChangedBlock> = changed.collect();
        self.store(&changed);
        let changes: Vec<Changes> = changed.into_iter().map(|block| block.changes).collect();
        let nodes = changes.iter().flat_map(|changes| &changes.nodes);
        self.modified = nodes.copied().collect();
        Ok(changes)
    }

    /// Writes the state between two steps.
    pub(super) fn save(&self, to: &mut Saving) -> Result<()> {
        to.numbers(&self.registers)?;
        to.numbers(&self.modified)
    }

    /// Takes up a state that was saved.
    pub(super) fn restore(&mut self, from: &mut Found) -> Result<()> {
        let n = self.rows.num_nodes();
        from.fill(&mut self.registers)?;
        self.modified = from.list(n)?;
        match self.modified.iter().all(|&x| (x as usize) < n) {
            true => Ok(()),
            false => Err(from.damaged()),
        }
    }

    fn registers_of(&self, x: Node) -> &[u8] {
        &self.registers[x as usize * self.width..][..self.width]
    }

    fn join_block(&self, nodes: &[Node]) -> ChangedBlock {
        let mut changed = ChangedBlock::default();
        let mut joined = vec![0; self.width];
        for &x in nodes {
            let mut is_changed = false;
            for &y in self.rows.row(x) {
                if self.is_modified[y as usize / 64] >> (y % 64) & 1 == 0 {
                    continue;
                }
                if !is_changed {
                    joined.copy_from_slice(self.registers_of(x));
                    is_changed = true;
                }
                let theirs = self.registers_of(y);
                for (ours, &theirs) in joined.iter_mut().zip(theirs) {
                    *ours = (*ours).max(theirs);
                }
            }
            let before = self.registers_of(x);
            if is_changed && joined != before {
                changed.changes.nodes.push(x);
                let fall = Tally::fall(before, &joined);
                changed.changes.falls.push(fall);
                changed.registers.extend_from_slice(&joined);
            }
        }
        changed
    }

    fn store(&mut self, blocks: &[ChangedBlock]) {
        let width = self.width;
        let extents = blocks.iter().map(|block| block.changes.extent());
        let extents: Vec<_> = extents
            .map(|nodes| nodes.start * width..nodes.end * width)
            .collect();
        let places = blocks.iter().zip(split_mut(&mut self.registers, &extents));
        tasks::for_each(places, |(block, registers)| {
            let nodes = &block.changes.nodes;
            for (&node, counter) in nodes.iter().zip(block.registers.chunks_exact(width)) {
                let start = (node - nodes[0]) as usize * width;
                registers[start..start + width].copy_from_slice(counter);
            }
        });
    }

    /// The nodes with an arc to one that has changed, or all if these are many.
    fn visited(&self) -> Vec<Node> {
        let n = self.rows.num_nodes();
        let nodes = &self.modified;
        let Some(reverse) = self.reverse.filter(|_| nodes.len() <= n / 4) else {
            return (0..n as Node).collect();
        };
        let arcs: u64 = nodes.iter().map(|&x| reverse.degree(x)).sum();
        if (arcs as usize) < n / 64 {
            let rows = nodes.iter().flat_map(|&x| reverse.row(x));
            let mut list: Vec<Node> = rows.copied().collect();
            list.sort_unstable();
            list.dedup();
            return list;
        }
        let is_neighbour: Vec<AtomicBool> = (0..n).map(|_| AtomicBool::new(false)).collect();
        tasks::for_each(nodes.chunks(NODES_PER_BLOCK), |nodes| {
            for &y in nodes.iter().flat_map(|&x| reverse.row(x)) {
                is_neighbour[y as usize].store(true, Relaxed);
            }
        });
        let marked = |y: usize| is_neighbour[y].load(Relaxed).then_some(y as Node);
        tasks::select(n, marked)
    }
}
