//! Sorting more than fits into memory: pieces are sorted, written, and merged.

use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_base::memory::filled;
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;

/// An item: the upper and the lower half of a key, and a number.
pub(super) type Item = [u32; 3];

/// Items in a piece, and in a merge in all buffers, for so many bytes.
fn items_in(bytes: u64) -> usize {
    let least = if cfg!(test) { 5 } else { 1 << 16 };
    // Sorted in place; a piece is written while nothing else is held.
    usize::try_from(bytes / size_of::<Item>() as u64).map_or(usize::MAX, |fit| fit.max(least))
}

/// Hands `count` items to `visit`, in increasing order, of which `make` makes those of a range. About
/// `bytes` are in memory.
///
/// # Errors
/// As for `make` and `visit`; if files cannot be read or written; if the user interrupts.
pub(super) fn sorted(
    count: usize,
    bytes: u64,
    make: impl Fn(Range<usize>, &mut [Item]) -> Result<()>,
    folder: &Arc<TemporaryFolder>,
    progress: &dyn Progress,
    mut visit: impl FnMut(Item) -> Result<()>,
) -> Result<()> {
    let length = items_in(bytes).min(count).max(1);
    let mut piece = filled([0; 3], length, "a ranking")?;
    let file = FileVector::zeros(folder, if length < count { count } else { 0 })?;
    for start in (0..count).step_by(length) {
        progress.check()?;
        let range = start..count.min(start + length);
        let piece = &mut piece[..range.len()];
        make(range.clone(), piece)?;
        piece.par_sort_unstable();
        if length >= count {
            return piece.iter().try_for_each(|&item| visit(item));
        }
        file.write(start, piece)?;
    }
    drop(piece);
    let runs = (0..count).step_by(length);
    let of_run = (length / count.div_ceil(length).max(1)).max(1);
    let mut runs: Vec<Cursor> = runs
        .map(|start| Cursor::new(&file, start..count.min(start + length), of_run))
        .collect();
    let mut heap = BinaryHeap::new();
    for (index, run) in runs.iter_mut().enumerate() {
        heap.extend(run.next()?.map(|item| Reverse((item, index))));
    }
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((item, index)) = *top;
        match runs[index].next()? {
            Some(next) => *top = Reverse((next, index)),
            None => drop(PeekMut::pop(top)),
        }
        visit(item)?;
    }
    Ok(())
}

/// A place in a sorted piece.
struct Cursor<'f> {
    file: &'f FileVector<Item>,
    rest: Range<usize>,
    buffer: Vec<Item>,
    at: usize,
    most: usize,
}

impl<'f> Cursor<'f> {
    fn new(file: &'f FileVector<Item>, rest: Range<usize>, most: usize) -> Self {
        Cursor {
            file,
            rest,
            buffer: Vec::new(),
            at: 0,
            most,
        }
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Item>> {
        if self.at == self.buffer.len() {
            let count = self.most.min(self.rest.len());
            self.buffer.resize(count, [0; 3]);
            self.file.fill(self.rest.start, &mut self.buffer)?;
            self.rest.start += count;
            self.at = 0;
        }
        let item = self.buffer.get(self.at).copied();
        self.at += 1;
        Ok(item)
    }
}
