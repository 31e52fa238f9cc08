//! The changes of scores in the last sweeps: in memory if there is room for them, otherwise in files.

use super::least_squares::RESIDUALS;
use super::spill::{Scratch, SpilledVector};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;

/// The bytes a node of all changes that are kept.
pub(in crate::pagerank) const BYTES_OF_NODE: u64 = 4 * RESIDUALS as u64;

/// The changes in the last sweeps, oldest first.
pub(super) struct ChangeHistory {
    /// The entries of each.
    count: usize,
    /// Entries that are read and written at a time.
    piece: usize,
    /// The folder of their files; none if they are in memory.
    folder: Option<Arc<TemporaryFolder>>,
    past: VecDeque<SpilledVector<f32>>,
    spare: Vec<SpilledVector<f32>>,
    /// The next one, of which some entries have come.
    next: Option<Scratch<f32>>,
}

impl ChangeHistory {
    pub(super) fn new(count: usize, room: &SpillBudget) -> Self {
        let fits = (count as u64).saturating_mul(BYTES_OF_NODE) <= room.bytes;
        Self::in_pieces(
            count,
            INDICES_PER_TASK,
            room.folder.clone().filter(|_| !fits),
        )
    }

    /// In memory, or in files of a folder, of which so many entries come at a time.
    pub(super) fn in_pieces(
        count: usize,
        piece: usize,
        folder: Option<Arc<TemporaryFolder>>,
    ) -> Self {
        ChangeHistory {
            count,
            piece,
            folder,
            past: VecDeque::new(),
            spare: Vec::new(),
            next: None,
        }
    }

    /// The number of changes.
    pub(super) fn len(&self) -> usize {
        self.past.len()
    }

    /// Forgets all changes.
    pub(super) fn clear(&mut self) {
        self.spare.extend(self.past.drain(..));
    }

    /// Keeps a change, and forgets the oldest if there are enough others. Leaves a vector of the same
    /// length.
    ///
    /// # Errors
    /// If there is not enough memory, or if a file cannot be written.
    pub(super) fn keep(&mut self, change: &mut Vec<f32>) -> Result<()> {
        let kept = match &self.folder {
            None => {
                let next = match self.recycled() {
                    Some(SpilledVector::Memory(next)) => next,
                    _ => filled(0.0, self.count, "an extrapolation")?,
                };
                SpilledVector::Memory(std::mem::replace(change, next))
            }
            Some(_) => {
                self.begin()?;
                let pieces = self.ranges().zip(change.chunks(self.piece));
                tasks::try_map(pieces, |(range, entries)| self.put(range.start, entries))?;
                self.keep_begun();
                return Ok(());
            }
        };
        self.past.push_back(kept);
        Ok(())
    }

    /// The ranges of entries that come at a time.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (count, piece) = (self.count, self.piece);
        let starts = (0..count).step_by(piece.max(1));
        starts.map(move |start| start..count.min(start + piece))
    }

    /// Begins a change that is kept in a file, and forgets the oldest if there are enough others.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub(super) fn begin(&mut self) -> Result<()> {
        if let Some(folder) = self.folder.clone() {
            self.next = Some(match self.recycled() {
                Some(SpilledVector::File(scratch)) => scratch,
                _ => Scratch::create(&folder, self.count, self.piece)?,
            });
        }
        Ok(())
    }

    /// Writes a piece of the change that was [begun](Self::begin).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn put(&self, first: usize, entries: &[f32]) -> Result<()> {
        let written = self.next.as_ref().map(|next| next.write(first, entries));
        written.unwrap_or(Ok(()))
    }

    /// Keeps the change whose pieces were [written](Self::put).
    pub(super) fn keep_begun(&mut self) {
        self.past.extend(self.next.take().map(SpilledVector::File));
    }

    /// The place of a change that is forgotten.
    fn recycled(&mut self) -> Option<SpilledVector<f32>> {
        match self.past.len() {
            RESIDUALS => self.past.pop_front(),
            _ => self.spare.pop(),
        }
    }

    /// The results of tasks, each with what is in `beside` for it and its entries of [`RESIDUALS`]
    /// changes.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what was written.
    pub(super) fn map<T: Send, R: Send>(
        &self,
        beside: impl IntoIterator<Item = T>,
        work: impl Fn(T, [&[f32]; RESIDUALS]) -> R + Sync,
    ) -> Result<Vec<R>> {
        tasks::try_map(self.ranges().zip(beside), |(range, beside)| {
            let mut buffers = [const { Vec::new() }; RESIDUALS];
            let mut parts = [&[][..]; RESIDUALS];
            let all = parts.iter_mut().zip(&self.past).zip(&mut buffers);
            for ((part, kept), buffer) in all {
                *part = kept.entries().part(range.clone(), buffer)?;
            }
            Ok(work(beside, parts))
        })
    }

    /// Writes the change at this place to a checkpoint, or takes the next one from it, piece by piece.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is not what was written.
    pub(super) fn visit(&mut self, place: usize, visitor: &mut StateVisitor) -> Result<()> {
        if visitor.is_restoring() {
            self.begin()?;
        }
        let load = |start, into: &mut [f32]| {
            let (range, mut buffer) = (start..start + into.len(), Vec::new());
            into.copy_from_slice(self.past[place].entries().part(range, &mut buffer)?);
            Ok(())
        };
        let store = |start, part: &[f32]| self.put(start, part);
        visitor.pieces(self.count, self.ranges(), load, store)?;
        if visitor.is_restoring() {
            self.keep_begun();
        }
        Ok(())
    }

    /// Copies the change at this place.
    ///
    /// # Errors
    /// As for [`Self::map`].
    pub(super) fn copy(&self, place: usize, into: &mut [f32]) -> Result<()> {
        let (kept, mut buffer) = (&self.past[place], Vec::new());
        for (range, into) in self.ranges().zip(into.chunks_mut(self.piece)) {
            into.copy_from_slice(kept.entries().part(range, &mut buffer)?);
        }
        Ok(())
    }
}
