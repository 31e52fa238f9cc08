//! A graph with its nodes in another order, as a bundle: smaller, or quicker to read, where nodes that
//! are near each other have numbers that are near.
//!
//! The order is computed from the graph on disk, arcs get their new numbers, and are sorted as those
//! of an import are, in memory or on disk. Weights and names follow. Nodes without names are named
//! by their numbers before: otherwise nobody could tell which is which.
//!
//! * `orders`: by degree, breadth-first, by name;
//! * `llp`: by layered label propagation.
//!
//! An order has the same bits for any number of threads.

mod llp;
mod orders;

use super::arc_weights::read_weights;
use super::arcs::{ArcStore, Duplicates, Element, Weighted};
use super::bundle::{BundleOptions, PendingBundle, Target, Written, WrittenRows, renumber};
use super::recode::{Recoded, Recoding};
use super::{Rows, StoredGraph};
use crate::Size;
use crate::arcs::temporary_files_of;
use crate::bvgraph::compress::parts;
use crate::codes::{Coding, bytes_of_counts};
use crate::longest::LongestRows;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{admit, allowed_memory, filled};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;

/// The order of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// By name; numbers stay as they are
    #[default]
    Names,
    /// As they come; numbers stay as they are
    Given,
    /// By decreasing indegree
    Degree,
    /// Breadth-first along the arcs, from the first node that is not yet reached
    Bfs,
    /// By layered label propagation: nodes of a community together, communities within communities
    Llp,
}

impl Order {
    /// True if the order depends on the arcs.
    pub fn is_of_arcs(self) -> bool {
        matches!(self, Order::Degree | Order::Bfs | Order::Llp)
    }
}

/// A graph on disk that is to be written in another order.
pub struct Reordering<'s> {
    source: &'s StoredGraph,
    order: Order,
    names: Option<Names>,
    /// The indegree of each node.
    indegrees: Vec<u32>,
    /// The total length of the longest lists of a window, in either direction.
    longest: u64,
    /// How many lists are held while others may copy from them.
    window: u64,
    /// The shortest interval, if the codes are chosen by the numbers, which are counted.
    counted: Option<u64>,
}

/// Rows decoded between two looks at the clock.
const ROWS: usize = 1 << 14;

/// Many arcs take at least so many bytes, wherever they are sorted.
const LEAST_ROOM: u64 = 18 << 20;

impl<'s> Reordering<'s> {
    /// Reads names and degrees.
    ///
    /// # Errors
    /// If a file cannot be read, or if memory is short.
    pub fn new(
        source: &'s StoredGraph,
        order: Order,
        coding: &Coding,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let rows = source.streamed()?;
        let n = rows.num_nodes();
        let mut indegrees: Vec<u32> = filled(0, n, "degrees")?;
        let lists = coding.flags.compression_window + 1;
        let (mut longest, mut arcs) = (LongestRows::none(lists), 0);
        progress.begin("read", Some(n as u64));
        for start in (0..n).step_by(ROWS) {
            progress.check()?;
            let part = start..n.min(start + ROWS);
            let nodes = part.len() as u64;
            rows.for_rows(part, &mut |_, row| {
                longest.push(row.len());
                arcs += row.len() as u64;
                row.iter()
                    .for_each(|&target| indegrees[target as usize] += 1);
            })?;
            progress.advance(nodes);
        }
        progress.end();
        rows.check_count(arcs)?;
        let mut popular = LongestRows::none(lists);
        (indegrees.iter()).for_each(|&degree| popular.push(degree as usize));
        Ok(Reordering {
            source,
            order,
            names: source.names()?,
            indegrees,
            longest: longest.sum(lists).max(popular.sum(lists)),
            window: lists as u64,
            counted: (!coding.best.is_empty()).then_some(coding.flags.min_interval_length as u64),
        })
    }

    /// The bytes that are held at most, besides the arcs that are sorted.
    fn fixed(&self) -> u64 {
        let size = Size::on_disk(self.source, self.names.as_ref());
        let (nodes, arcs, graph) = (size.nodes, size.arcs, size.graph);
        let of_order = match self.order {
            Order::Names | Order::Given => 0,
            Order::Degree => 4 * nodes,
            Order::Bfs => graph + 4 * arcs + 16 * nodes,
            Order::Llp => graph + llp::needs(nodes, arcs),
        };
        let weights = match self.source.weights() {
            None => 0,
            Some(_) => graph + 12 * arcs + 8 * nodes,
        };
        let fingerprints = match self.source.fingerprints_path() {
            None => 0,
            Some(_) => 8 * nodes,
        };
        // For each list of the window: its successors, and what would be written of it.
        let window = self.window.saturating_mul(48 << 10) + 40 * self.longest;
        let threads = rayon::current_num_threads() as u64;
        let counts = |nodes, arcs| match self.counted {
            Some(min_interval) => bytes_of_counts(nodes, arcs, min_interval, u64::MAX),
            None => 0,
        };
        // Each thread has two parts that are counted, or compressed, and not yet merged or written.
        let parts = parts(nodes as usize, arcs).len() as u64;
        let of_part = arcs.div_ceil(parts);
        let part = counts(nodes.div_ceil(parts), of_part).max(8 * of_part);
        let writing = weights
            .saturating_add(16 * nodes + fingerprints)
            .saturating_add(counts(nodes, arcs))
            .saturating_add(threads.min(parts).saturating_mul(window))
            .saturating_add((2 * threads).min(parts).saturating_mul(part));
        // Degrees, the old number of each node and the new one.
        size.bytes_without_rows(12)
            .saturating_add(of_order.max(writing))
    }

    /// The bytes for arcs: enough for all, if they are free.
    fn room(&self) -> u64 {
        let of_arc = match self.source.weights() {
            None => size_of::<u64>(),
            Some(_) => size_of::<Weighted>(),
        };
        let arcs = self.source.properties().arcs;
        // Three halves: a chunk is filled and another one sorted beside those that are sorted.
        let all = ((of_arc as u64).saturating_mul(arcs) / 2 * 3).saturating_add(2 << 20);
        let free = allowed_memory().saturating_sub(self.fixed());
        all.min(free.max(LEAST_ROOM))
    }

    /// The bytes that [`Self::write`] holds at most.
    pub fn needs(&self) -> u64 {
        self.fixed().saturating_add(self.room())
    }

    /// Writes the bundle; what does not fit into memory goes to the folder `temp`.
    pub fn write(
        self,
        pending: PendingBundle,
        temp: &Path,
        progress: &dyn Progress,
    ) -> Result<Written> {
        admit("the order of the nodes", self.needs(), allowed_memory())?;
        let room = SpillBudget {
            bytes: self.room(),
            folder: Some(Arc::new(TemporaryFolder::create(temp)?)),
        };
        let n = self.indegrees.len();
        progress.begin("order nodes", None);
        let nodes = self.nodes(progress)?;
        let mut numbers: Vec<Node> = filled(0, n, "the numbers of nodes")?;
        for (new, &old) in nodes.iter().enumerate() {
            numbers[old as usize] = new as Node;
        }
        let mut names = pending.names(Some(room.part(10)))?;
        for &old in &nodes {
            match &self.names {
                Some(known) => names.push(known.get(old))?,
                None => names.push(itoa::Buffer::new().format(old))?,
            }
        }
        names.finish()?;
        if let Some(fingerprints) = self.source.fingerprints()? {
            pending.fingerprints(nodes.iter().map(|&old| fingerprints[old as usize]))?;
        }
        drop(nodes);
        if let Some(pages) = self.source.pages()? {
            let mut pages = Some(pages);
            let room = room.part(50);
            pending.add(&mut |folder| match pages.take() {
                Some(pages) => renumber(pages, &numbers, room.clone(), folder),
                None => Ok(()),
            })?;
        }
        pending.add(&mut |folder| self.source.copy_merged(folder))?;
        match self.source.weights() {
            None => self.write_arcs::<u64>(pending, room, &numbers, progress),
            Some(_) => self.write_arcs::<Weighted>(pending, room, &numbers, progress),
        }
    }

    /// The nodes in the new order.
    fn nodes(&self, progress: &dyn Progress) -> Result<Vec<Node>> {
        match self.order {
            Order::Given => Ok(tasks::tabulate(self.indegrees.len(), |node| node as Node)),
            Order::Names => orders::by_name(self.indegrees.len(), self.names.as_ref()),
            Order::Degree => orders::by_degree(&self.indegrees),
            Order::Bfs => orders::breadth_first(&self.source.successors(progress)?, progress),
            Order::Llp => llp::order(self.source.successors(progress)?, progress),
        }
    }

    fn write_arcs<E: Element>(
        &self,
        pending: PendingBundle,
        room: SpillBudget,
        numbers: &[Node],
        progress: &dyn Progress,
    ) -> Result<Written> {
        let n = numbers.len();
        let mut arcs = ArcStore::<E>::new(room, false);
        progress.begin("sort arcs", Some(n as u64));
        let mut take = |node: Node, row: &[Node], weights: Option<&[f64]>| {
            let source = numbers[node as usize];
            row.iter().enumerate().try_for_each(|(place, &target)| {
                let weight = weights.map_or(1.0, |weights| weights[place]);
                arcs.push(source, numbers[target as usize], weight)
            })
        };
        if let Some(path) = self.source.weights() {
            let rows = self.source.successors(progress)?;
            let weights = read_weights(path, &rows, None, &Checksums::default())?;
            for (node, ends) in rows.offsets().windows(2).enumerate() {
                if node.is_multiple_of(ROWS) {
                    progress.check()?;
                }
                let of_row = &weights[ends[0] as usize..ends[1] as usize];
                take(node as Node, rows.row(node as Node), Some(of_row))?;
            }
        } else {
            let rows = self.source.streamed()?;
            for start in (0..n).step_by(ROWS) {
                progress.check()?;
                let part = start..n.min(start + ROWS);
                let nodes = part.len() as u64;
                rows.try_rows(part, &mut |node, row| take(node, row, None))?;
                progress.advance(nodes);
            }
        }
        let mut arcs = arcs.finish(n, None, Duplicates::Error)?;
        progress.end();
        pending.finish(&mut arcs, progress)
    }

    /// Writes the bundle with other codes; returns what became of the graph, and of its transpose if
    /// it has one.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if memory is short. Then nothing is left behind.
    pub fn recode(
        self,
        recoding: &Recoding,
        output: &Path,
        progress: &dyn Progress,
    ) -> Result<(Recoded, Option<Recoded>)> {
        let options = BundleOptions {
            replace: recoding.replace,
            compact: !self.source.has_transpose(),
        };
        let pending = PendingBundle::create(output, options)?.coded(&recoding.coding);
        let before = self.source.streamed()?.num_bits();
        let transpose = self.source.streamed_transpose()?;
        let transpose_before = transpose.map_or(0, |transpose| transpose.num_bits());
        let written = self.write(pending, &temporary_files_of(output), progress)?;
        let recoded = |before: u64, written: &WrittenRows| Recoded {
            before,
            after: written.bits,
            flags: written.flags,
        };
        let transpose = written.transpose.as_ref();
        Ok((
            recoded(before, &written.graph),
            transpose.map(|transpose| recoded(transpose_before, transpose)),
        ))
    }
}
