//! The distinct rows of windows of targets, over each block of sources.

use super::PredecessorScan;
use super::targets::{MAX_TARGETS, list_of};
use crate::runs::compact::block::Block;
use crate::runs::compact::window::{Places, WINDOW_ARCS, Window};
use std::collections::BTreeMap;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;

/// Nodes of distinct rows, and rows, of a window: fewer than where memory is not as short.
pub(super) const WINDOW: usize = if cfg!(test) { 1 << 6 } else { 1 << 17 };

/// A window that is packed.
pub(super) struct Packed {
    pub(super) targets: Range<usize>,
    pub(super) cells: Vec<(usize, Cell)>,
}

/// The rows of a window over a block of sources.
pub(super) struct Cell {
    pub(super) rows: Vec<Block>,
    /// Which row each target has.
    pub(super) list: Vec<u8>,
    pub(super) num_arcs: u64,
}

/// These ranges, cut at the ends of blocks.
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
            let new = || (Window::by_first(Places::Numbers, WINDOW_ARCS), Vec::new());
            let (window, targets) = self.cells.entry(of).or_insert_with(new);
            let before = window.weight();
            window.add(node, local)?;
            targets.push(node);
            self.weight += window.weight().saturating_sub(before) + 1;
        }
        Ok(())
    }

    fn packed(self, targets: Range<usize>) -> Packed {
        let (count, cells) = (targets.len(), self.cells.into_iter());
        let cells =
            cells.map(|(source, (window, with_rows))| (source, cell_of(window, count, &with_rows)));
        Packed {
            targets,
            cells: cells.collect(),
        }
    }
}

/// The windows of a range of targets.
pub(super) fn pack_windows(
    range: Range<usize>,
    block: usize,
    scan: &PredecessorScan,
) -> Result<Vec<Packed>> {
    let mut packed = Vec::new();
    let (mut first, mut next) = (range.start, range.start);
    let (mut filling, mut local) = (Filling::default(), Vec::new());
    scan(range.clone(), &mut |node, row| {
        if filling.weight >= WINDOW || node as usize - first >= MAX_TARGETS {
            packed.push(std::mem::take(&mut filling).packed(first..next));
            first = next;
        }
        next = node as usize + 1;
        filling.add((node as usize - first) as Node, row, block, &mut local)
    })?;
    packed.push(filling.packed(first..range.end));
    Ok(packed)
}

/// The rows of a window of so many targets, some of which have rows.
fn cell_of(window: Window, targets: usize, with_rows: &[Node]) -> Cell {
    let packed = window.done();
    let rows = with_rows.iter().zip(&packed.row_of);
    let rows: Vec<(u16, u16)> = rows
        .map(|(&node, &row)| (node as u16, row as u16))
        .collect();
    Cell {
        list: list_of(targets, &rows),
        rows: packed.blocks,
        num_arcs: packed.num_arcs,
    }
}
