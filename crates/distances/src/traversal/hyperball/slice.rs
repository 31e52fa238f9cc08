//! A slice of all counters: some of the registers of every node, advanced step by step.
//!
//! The registers of a counter do not depend on each other until they are added up, so slices can be
//! advanced one after the other, each from its own pass over the graph.
//!
//! The lanes of searches advance in the same way ([`super::searches`]): [`Joins`] says how numbers are joined.

use super::counters::{Counters, Tally};
use super::joins::{Joins, Largest};
use super::parts::Received;
use super::rows::{BLOCKS_AT_ONCE, BallRows, SharedRows};
use rayon::prelude::*;
use std::iter;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::{DistributedVisitor, Exchange, State};
use webrank_graph::Csr;
use webrank_linear::runs::Row;

/// Nodes of a block; fixed, and enough to hide the cost of a task.
pub(super) const NODES_PER_BLOCK: usize = 1 << 9;

/// Registers that are advanced step by step.
pub(super) trait Advance: State {
    /// Joins what neighbours had after the last step; returns the changes, or nothing if none of any
    /// worker's nodes changes any more.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read, if another worker fails, or if the user stops the run.
    fn step(
        &mut self,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Changes>>>;
}

/// Some registers of every node.
pub(super) struct Slice<'g, J = Largest> {
    joins: PhantomData<J>,
    rows: BallRows<'g>,
    /// Registers of a node.
    pub(super) width: usize,
    /// The registers of one node after those of another.
    pub(super) registers: Vec<u8>,
    /// The nodes that changed in the last step.
    pub(super) modified: Vec<Node>,
    /// A bit for each of them.
    is_modified: Vec<u64>,
    /// Whether no counter of any worker changed.
    stands_still: bool,
}

/// Nodes that change in a step, in increasing order, and what changes: by how much tallies fall.
#[derive(Default)]
pub(crate) struct Changes<C = Tally> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) falls: Vec<C>,
}

impl<C> Changes<C> {
    /// The nodes from the first that changes to the last. There is one at least.
    pub(crate) fn extent(&self) -> Range<usize> {
        let last = self.nodes.len() - 1;
        self.nodes[0] as usize..self.nodes[last] as usize + 1
    }
}

/// Nodes whose registers change in a step, and the new ones.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) nodes: Vec<Node>,
    pub(super) registers: Vec<u8>,
}

/// Registers of a row and of the nodes that have it, joined.
#[derive(Default)]
pub(super) struct Joining {
    pub(super) joined: Joined,
    /// The largest registers of the row.
    pub(super) of_row: Vec<u8>,
    /// The largest of these and those of a node.
    of_node: Vec<u8>,
}

impl<'g> Slice<'g> {
    /// The registers `slice` of counters of single nodes.
    pub(super) fn new(rows: BallRows<'g>, counters: Counters, slice: Range<usize>) -> Result<Self> {
        let (n, first, width) = (rows.num_nodes(), rows.first(), slice.len());
        let mut registers = memory::filled(0u8, n * width, "counters")?;
        let blocks = registers.chunks_mut(NODES_PER_BLOCK * width).enumerate();
        let modified = tasks::map(blocks, |(block, registers)| {
            let mut nodes = Vec::new();
            for (index, registers) in registers.chunks_exact_mut(width).enumerate() {
                let node = block * NODES_PER_BLOCK + index;
                let (register, value) = counters.of_node(first + node);
                if slice.contains(&register) {
                    registers[register - slice.start] = value;
                    nodes.push(node as Node);
                }
            }
            nodes
        });
        Ok(Slice::begin(rows, width, registers, modified.concat()))
    }
}

impl<'g, J: Joins> Slice<'g, J> {
    /// So many registers of every node, some of which are not 0.
    pub(super) fn begin(
        rows: BallRows<'g>,
        width: usize,
        registers: Vec<u8>,
        modified: Vec<Node>,
    ) -> Self {
        Slice {
            joins: PhantomData,
            rows,
            width,
            registers,
            modified,
            is_modified: vec![0; rows.num_nodes().div_ceil(64)],
            stands_still: false,
        }
    }

    fn registers_of(&self, x: Node) -> &[u8] {
        &self.registers[x as usize * self.width..][..self.width]
    }

    /// Whether a node changed in the last step.
    fn is_modified(&self, x: Node) -> bool {
        self.is_modified[x as usize / 64] >> (x % 64) & 1 != 0
    }

    /// Joins the lists of the nodes beside modified ones.
    fn join_lists(
        &self,
        rows: &Csr,
        reverse: Option<&Csr>,
        progress: &dyn Progress,
    ) -> Result<Vec<Joined>> {
        let visited = self.visited(rows, reverse);
        tasks::try_map(visited.chunks(NODES_PER_BLOCK), |nodes| {
            progress.check()?;
            let mut joining = Joining::default();
            for &x in nodes {
                let row = Row {
                    singles: rows.row(x),
                    runs: &[],
                };
                self.join(&mut joining, row, &[x], 0);
            }
            Ok(joining.joined)
        })
    }

    /// Joins all distinct rows of nodes that are counted from `first`.
    fn join_shared(
        &self,
        rows: &SharedRows,
        first: Node,
        progress: &dyn Progress,
    ) -> Result<Vec<Joined>> {
        self.visit(rows, progress, |joining, row, nodes| {
            self.join(joining, row, nodes, first);
        })
    }

    /// Visits all distinct rows, and the nodes that have them.
    pub(super) fn visit(
        &self,
        rows: &SharedRows,
        progress: &dyn Progress,
        join: impl Fn(&mut Joining, Row, &[Node]) + Sync,
    ) -> Result<Vec<Joined>> {
        let mut joined = Vec::new();
        for blocks in rows.blocks().chunks(BLOCKS_AT_ONCE) {
            progress.check()?;
            let found = rows
                .rows()
                .fold(blocks, |joining: &mut Joining, row, nodes| {
                    join(joining, nodes, rows.nodes_of(row));
                })?;
            joined.extend(found.into_iter().map(|joining| joining.joined));
        }
        Ok(joined)
    }

    /// Makes `registers` those of the modified nodes of a row, and of one more node; false if there are
    /// no modified ones.
    pub(super) fn join_modified(
        &self,
        registers: &mut Vec<u8>,
        row: Row,
        first: Node,
        with: Option<Node>,
    ) -> bool {
        let mut modified = row
            .nodes()
            .map(|y| first + y)
            .filter(|&y| self.is_modified(y));
        let Some(start) = modified.next() else {
            return false;
        };
        registers.clear();
        registers.extend_from_slice(self.registers_of(with.unwrap_or(start)));
        iter::once(start)
            .chain(modified)
            .for_each(|y| J::join(registers, self.registers_of(y)));
        true
    }

    /// Joins the registers of the modified nodes of a row to those of each of `nodes`, and keeps what
    /// changes. All are counted from `first`.
    fn join(&self, joining: &mut Joining, row: Row, nodes: &[Node], first: Node) {
        let Joining {
            joined,
            of_row,
            of_node,
        } = joining;
        // The registers of a single node may rise with those of its row.
        let single = match nodes {
            [x] => Some(first + x),
            _ => None,
        };
        if !self.join_modified(of_row, row, first, single) {
            return;
        }
        for &x in nodes {
            let before = self.registers_of(first + x);
            let mut after = &*of_row;
            if nodes.len() > 1 {
                of_node.clear();
                of_node.extend_from_slice(before);
                J::join(of_node, of_row);
                after = of_node;
            }
            if after != before {
                joined.nodes.push(x);
                joined.registers.extend_from_slice(after);
            }
        }
    }

    /// Stores new registers, in the order of nodes; returns the changes.
    fn store(&mut self, joined: Vec<Joined>) -> Vec<Changes<J::Change>> {
        let width = self.width;
        let mut starts = vec![0u32];
        for part in &joined {
            starts.push(starts[starts.len() - 1] + part.nodes.len() as u32);
        }
        let mut places = Vec::with_capacity(starts[joined.len()] as usize);
        for (part, &start) in joined.iter().zip(&starts) {
            let nodes = part.nodes.iter().zip(start..);
            places.extend(nodes.map(|(&node, place)| u64::from(node) << 32 | u64::from(place)));
        }
        if !places.is_sorted() {
            places.par_sort_unstable();
        }
        let node_at = |place: &u64| (place >> 32) as usize;
        let extent = |places: &[u64]| {
            let nodes = node_at(&places[0])..node_at(&places[places.len() - 1]) + 1;
            nodes.start * width..nodes.end * width
        };
        let blocks: Vec<&[u64]> = places.chunks(NODES_PER_BLOCK).collect();
        let extents: Vec<_> = blocks.iter().map(|block| extent(block)).collect();
        let parts = blocks.iter().zip(split_mut(&mut self.registers, &extents));
        let changes = tasks::map(parts, |(block, registers)| {
            let (nodes, falls) = (Vec::new(), Vec::new());
            let mut changes = Changes { nodes, falls };
            let first = node_at(&block[0]);
            let mut part = 0;
            for place in *block {
                let (node, place) = (node_at(place), *place as u32);
                // Nodes side by side are mostly of the same part.
                if !(starts[part]..starts[part + 1]).contains(&place) {
                    part = starts.partition_point(|&start| start <= place) - 1;
                }
                let index = (place - starts[part]) as usize;
                let after = &joined[part].registers[index * width..][..width];
                let before = &mut registers[(node - first) * width..][..width];
                changes.nodes.push(node as Node);
                changes.falls.push(J::change(before, after));
                before.copy_from_slice(after);
            }
            changes
        });
        let nodes = changes.iter().flat_map(|changes| &changes.nodes);
        self.modified = nodes.copied().collect();
        changes
    }

    /// The nodes with an arc to one that has changed, or all if these are many.
    fn visited(&self, rows: &Csr, reverse: Option<&Csr>) -> Vec<Node> {
        let n = rows.num_nodes();
        match reverse.filter(|_| self.modified.len() <= n / 4) {
            Some(reverse) => beside(&self.modified, reverse),
            None => (0..n as Node).collect(),
        }
    }

    /// Joins the registers of neighbours that have changed in the last step to those of each node; returns the
    /// changes, or nothing if none of any worker's nodes changes any more.
    pub(super) fn advance(
        &mut self,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Changes<J::Change>>>> {
        if self.stands_still {
            return Ok(None);
        }
        for &x in &self.modified {
            self.is_modified[x as usize / 64] |= 1 << (x % 64);
        }
        let (mut joined, mut received) = (Vec::new(), Received::default());
        match self.rows {
            BallRows::Lists { rows, reverse } => {
                joined = self.join_lists(rows, reverse, progress)?
            }
            BallRows::Shared(rows) => joined = self.join_shared(rows, 0, progress)?,
            BallRows::Parts(parts) => {
                for piece in &parts.pieces {
                    let first = piece.nodes.start as Node;
                    let mut own = self.join_shared(&piece.own, first, progress)?;
                    let nodes = own.iter_mut().flat_map(|joined| &mut joined.nodes);
                    nodes.for_each(|node| *node += first);
                    joined.append(&mut own);
                }
                received = self.exchange(parts, exchange, progress)?;
            }
        };
        for &x in &self.modified {
            self.is_modified[x as usize / 64] = 0;
        }
        let changes = self.store(joined);
        let changes = self.receive(received, changes);
        let modified = exchange.gather([self.modified.len() as u64])?;
        self.stands_still = modified.iter().all(|&[count]| count == 0);
        Ok((!self.stands_still).then_some(changes))
    }
}

/// The nodes with an arc to one of these, in increasing order; `reverse` has the arcs from them.
pub(super) fn beside(nodes: &[Node], reverse: &Csr) -> Vec<Node> {
    let n = reverse.num_nodes();
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

impl Advance for Slice<'_> {
    fn step(
        &mut self,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Changes>>> {
        self.advance(exchange, progress)
    }
}

/// The state between two steps.
impl State for Slice<'_> {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut is_modified = memory::filled(0u8, self.rows.num_nodes(), "a checkpoint")?;
        self.modified
            .iter()
            .for_each(|&x| is_modified[x as usize] = 1);
        visitor.of_nodes(&mut self.registers)?;
        visitor.of_nodes(&mut is_modified)?;
        if visitor.is_restoring() {
            let modified = |x: usize| (is_modified[x] != 0).then_some(x as Node);
            self.modified = tasks::select(is_modified.len(), modified);
        }
        Ok(())
    }
}
