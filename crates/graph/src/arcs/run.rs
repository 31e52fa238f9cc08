//! Sorted arcs, in memory or on disk, and merging them.

use super::disk::{DiskCursor, DiskRun};
use super::element::{Element, reversed};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use webrank_base::error::Result;

/// Sorted arcs.
pub(super) enum Run<E> {
    Memory(Vec<E>),
    /// By source and by target.
    Disk([DiskRun; 2]),
}

/// By what arcs are sorted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    StoredGraph = 0,
    Target = 1,
}

impl<E: Element> Run<E> {
    pub(super) fn arcs(&self) -> u64 {
        match self {
            Run::Memory(arcs) => arcs.len() as u64,
            Run::Disk([by_source, _]) => by_source.arcs(),
        }
    }

    /// Sorts arcs in memory by the other end.
    pub(super) fn reverse(&mut self) {
        if let Run::Memory(arcs) = self {
            reverse(arcs);
        }
    }

    /// The arcs with keys from `from`; a run on disk is read through a buffer of so many bytes.
    pub(super) fn cursor(&self, side: Side, from: u64, buffer: usize) -> Result<Cursor<'_, E>> {
        match self {
            Run::Memory(arcs) => {
                let start = arcs.partition_point(|arc| arc.key() < from);
                Ok(Cursor::Memory(&arcs[start..]))
            }
            Run::Disk(sides) => {
                let mut place = DiskCursor::new(&sides[side as usize], from, buffer);
                let mut head = place.next::<E>()?;
                while head.is_some_and(|arc| arc.key() < from) {
                    head = place.next()?;
                }
                Ok(Cursor::Disk { head, place })
            }
        }
    }
}

/// Sorts arcs by their other end.
pub(super) fn reverse<E: Element>(arcs: &mut [E]) {
    let turn = |arc: &mut E| *arc = E::new(reversed(arc.key()), arc.weight());
    arcs.iter_mut().for_each(turn);
    E::sort(arcs);
}

/// A place in a run.
pub(super) enum Cursor<'a, E> {
    Memory(&'a [E]),
    /// The next arc, and those behind it.
    Disk {
        head: Option<E>,
        place: DiskCursor<'a>,
    },
}

impl<E: Element> Cursor<'_, E> {
    #[inline]
    fn next(&mut self) -> Result<Option<E>> {
        match self {
            Cursor::Memory(arcs) => Ok(arcs.split_off_first().copied()),
            Cursor::Disk { head: None, .. } => Ok(None),
            Cursor::Disk { head, place } => Ok(std::mem::replace(head, place.next()?)),
        }
    }
}

/// Calls `visit` for the arcs with keys up to `last`, sorted; those with equal keys come in the order
/// of their runs.
///
/// # Errors
/// If a run on disk cannot be read, and those of `visit`.
pub(super) fn merge<E: Element>(
    mut runs: Vec<Cursor<'_, E>>,
    last: u64,
    mut visit: impl FnMut(E) -> Result<()>,
) -> Result<()> {
    if let [run] = &mut runs[..] {
        while let Some(arc) = run.next()?.filter(|arc| arc.key() <= last) {
            visit(arc)?;
        }
        return Ok(());
    }
    let mut heads = Vec::new();
    let mut heap = BinaryHeap::new();
    for (index, run) in runs.iter_mut().enumerate() {
        let head = run.next()?;
        heap.extend(head.map(|arc| Reverse((arc.key(), index))));
        heads.push(head);
    }
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((key, index)) = *top;
        if key > last {
            return Ok(());
        }
        visit(heads[index].expect("a run in the heap has a head"))?;
        heads[index] = runs[index].next()?;
        match heads[index] {
            Some(arc) => *top = Reverse((arc.key(), index)),
            None => drop(PeekMut::pop(top)),
        }
    }
    Ok(())
}
