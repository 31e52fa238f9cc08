//! The distinct rows of windows of targets, over each block of sources.

use super::Scan;
use crate::error::Result;
use crate::graph::Node;
use crate::linear::runs::compact::block::Block;
use crate::linear::runs::compact::window::{Places, WINDOW_ARCS, Window, push_blocks};
use crate::linear::runs::row::{Row, split};
use std::collections::BTreeMap;
use std::ops::Range;

/// A window that is packed.
pub(super) struct Packed {
    pub(super) targets: Range<usize>,
    pub(super) cells: Vec<(usize, Cell)>,
}

/// The rows of a window over a block of sources.
pub(super) struct Cell {
    pub(super) rows: Vec<Block>,
    pub(super) targets: Vec<Block>,
    pub(super) num_arcs: u64,
}

/// The same ranges, cut at the ends of blocks.
pub(super) fn within_blocks(ranges: &[Range<usize>], block: usize) -> Vec<Range<usize>> {
    let mut cut = Vec::new();
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min((start / block + 1) * block);
            cut.push(start..end);
            start = end;
        }
    }
    cut
}

/// A window that is being filled.
#[derive(Default)]
struct Filling {
    /// By blocks of sources: the rows, and their targets in the same order.
    cells: BTreeMap<usize, (Window<'static>, Vec<Node>)>,
    weight: usize,
}

impl Filling {
    /// Adds the row of the next target; the node is counted from the first of the window.
    fn add(&mut self, node: Node, row: &[Node], block: usize, local: &mut Vec<Node>) -> Result<()> {
        let mut rest = row;
        while let [source, ..] = *rest {
            let of = source as usize / block;
            let end = (of + 1) * block;
            let length = rest.partition_point(|&source| (source as usize) < end);
            let (sources, others) = rest.split_at(length);
            rest = others;
            local.clear();
            local.extend(sources.iter().map(|&source| source - (of * block) as Node));
            let new = || (Window::new(Places::Numbers, WINDOW_ARCS), Vec::new());
            let (window, targets) = self.cells.entry(of).or_insert_with(new);
            let before = window.weight();
            window.add(node, local)?;
            targets.push(node);
            self.weight += window.weight().saturating_sub(before) + 1;
        }
        Ok(())
    }

    fn packed(self, targets: Range<usize>) -> Packed {
        let cells = self.cells.into_iter();
        let cells = cells.map(|(source, (window, targets))| (source, cell_of(window, &targets)));
        Packed {
            targets,
            cells: cells.collect(),
        }
    }
}

/// The windows of a range of targets.
pub(super) fn pack_windows(range: Range<usize>, block: usize, scan: &Scan) -> Result<Vec<Packed>> {
    let mut packed = Vec::new();
    let (mut first, mut next) = (range.start, range.start);
    let (mut filling, mut local) = (Filling::default(), Vec::new());
    scan(range.clone(), &mut |node, row| {
        if filling.weight >= WINDOW_ARCS {
            packed.push(std::mem::take(&mut filling).packed(first..next));
            first = next;
        }
        next = node as usize + 1;
        filling.add((node as usize - first) as Node, row, block, &mut local)
    })?;
    packed.push(filling.packed(first..range.end));
    Ok(packed)
}

/// The rows of a window, and the targets of each.
fn cell_of(window: Window, targets: &[Node]) -> Cell {
    let packed = window.done();
    let mut pairs: Vec<(u32, Node)> = packed
        .row_of
        .into_iter()
        .zip(targets.iter().copied())
        .collect();
    pairs.sort_unstable();
    let (mut entries, mut runs, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    let mut extents = Vec::new();
    for same in pairs.chunk_by(|a, b| a.0 == b.0) {
        nodes.clear();
        runs.clear();
        nodes.extend(same.iter().map(|&(_, node)| node));
        let start = entries.len();
        split(&nodes, &mut entries, &mut runs);
        let middle = entries.len();
        entries.extend_from_slice(&runs);
        extents.push([start, middle, entries.len()]);
    }
    let rows = extents.iter().map(|&[start, middle, end]| Row {
        singles: &entries[start..middle],
        runs: entries[middle..end].as_chunks().0,
    });
    let mut blocks = Vec::new();
    push_blocks(rows, &mut blocks);
    Cell {
        rows: packed.blocks,
        targets: blocks,
        num_arcs: packed.num_arcs,
    }
}
