//! The changes of scores in the last sweeps: in memory if there is room for them, otherwise in files.

use super::least_squares::RESIDUALS;
use crate::error::{Error, Result};
use crate::graph::regular;
use crate::memory::filled;
use crate::output::{Room, TemporaryFolder};
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Seek, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes a node of all changes that are kept.
pub(in crate::centrality::pagerank) const BYTES_OF_NODE: u64 = 4 * RESIDUALS as u64;

/// The changes in the last sweeps, oldest first.
pub(super) struct Changes {
    /// The entries of each.
    count: usize,
    /// The folder of their files; none if they are in memory.
    folder: Option<Arc<TemporaryFolder>>,
    past: VecDeque<Kept>,
    spare: Vec<Kept>,
    /// The next one, of which some entries have come.
    next: Option<Scratch>,
}

/// A change.
enum Kept {
    Memory(Vec<f32>),
    File(Scratch),
}

/// A change in a file, which may be written again.
struct Scratch {
    path: PathBuf,
    file: File,
    /// The checksum of the entries of each task.
    checksums: Vec<u64>,
    bytes: Vec<u8>,
    /// The folder goes with the last file in it.
    _folder: Arc<TemporaryFolder>,
}

impl Changes {
    pub(super) fn new(count: usize, room: &Room) -> Self {
        let fits = (count as u64).saturating_mul(BYTES_OF_NODE) <= room.bytes;
        Changes {
            count,
            folder: room.folder.clone().filter(|_| !fits),
            past: VecDeque::new(),
            spare: Vec::new(),
            next: None,
        }
    }

    /// The number of entries of each.
    pub(super) fn count(&self) -> usize {
        self.count
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
                    Some(Kept::Memory(next)) => next,
                    _ => filled(0.0, self.count, "an extrapolation")?,
                };
                Kept::Memory(std::mem::replace(change, next))
            }
            Some(_) => {
                self.append(change)?;
                return self.keep_appended();
            }
        };
        self.past.push_back(kept);
        Ok(())
    }

    /// Adds the next entries of a change that is kept in a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&mut self, entries: &[f32]) -> Result<()> {
        let next = match (self.next.take(), &self.folder) {
            (Some(next), _) => Some(next),
            (None, None) => None,
            (None, Some(folder)) => {
                let folder = folder.clone();
                Some(match self.recycled() {
                    Some(Kept::File(scratch)) => scratch.emptied()?,
                    _ => Scratch::create(&folder)?,
                })
            }
        };
        self.next = next;
        self.next
            .iter_mut()
            .try_for_each(|next| next.append(entries))
    }

    /// Keeps the change whose entries were [added](Self::append).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn keep_appended(&mut self) -> Result<()> {
        if let Some(mut next) = self.next.take() {
            next.end_task()?;
            self.past.push_back(Kept::File(next));
        }
        Ok(())
    }

    /// The place of a change that is forgotten.
    fn recycled(&mut self) -> Option<Kept> {
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
        tasks::try_map(tasks::ranges(self.count).zip(beside), |(range, beside)| {
            let mut buffers = [const { Vec::new() }; RESIDUALS];
            let mut parts = [&[][..]; RESIDUALS];
            let all = parts.iter_mut().zip(&self.past).zip(&mut buffers);
            for ((part, kept), buffer) in all {
                *part = kept.part(range.clone(), buffer)?;
            }
            Ok(work(beside, parts))
        })
    }

    /// Hands the entries of the change at this place to `visit`, one task after the other.
    ///
    /// # Errors
    /// As for [`Self::map`], and those of `visit`.
    pub(super) fn for_parts(
        &self,
        place: usize,
        mut visit: impl FnMut(&[f32]) -> Result<()>,
    ) -> Result<()> {
        let mut ranges = tasks::ranges(self.count);
        ranges.try_for_each(|range| visit(self.past[place].part(range, &mut Vec::new())?))
    }

    /// Copies the change at this place.
    ///
    /// # Errors
    /// As for [`Self::map`].
    pub(super) fn copy(&self, place: usize, into: &mut [f32]) -> Result<()> {
        let parts = into.chunks_mut(INDICES_PER_TASK);
        for (range, into) in tasks::ranges(self.count).zip(parts) {
            into.copy_from_slice(self.past[place].part(range, &mut Vec::new())?);
        }
        Ok(())
    }
}

impl Kept {
    /// The entries of a task; `buffer` holds them if they are in a file.
    fn part<'s>(&'s self, range: Range<usize>, buffer: &'s mut Vec<f32>) -> Result<&'s [f32]> {
        match self {
            Kept::Memory(change) => Ok(&change[range]),
            Kept::File(scratch) => {
                scratch.read(range, buffer)?;
                Ok(buffer)
            }
        }
    }
}

impl Scratch {
    fn create(folder: &Arc<TemporaryFolder>) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        Ok(Scratch {
            path,
            file,
            checksums: Vec::new(),
            bytes: Vec::new(),
            _folder: folder.clone(),
        })
    }

    /// The same file, to be written again.
    fn emptied(mut self) -> Result<Self> {
        let cannot = |source| Error::io(&self.path, "cannot write", source);
        self.file.rewind().map_err(cannot)?;
        self.checksums.clear();
        self.bytes.clear();
        Ok(self)
    }

    /// Adds the next entries.
    fn append(&mut self, mut entries: &[f32]) -> Result<()> {
        while !entries.is_empty() {
            let room = INDICES_PER_TASK - self.bytes.len() / 4;
            let (part, rest) = entries.split_at(room.min(entries.len()));
            entries = rest;
            let bytes = part.iter().flat_map(|entry| entry.to_le_bytes());
            self.bytes.extend(bytes);
            if part.len() == room {
                self.end_task()?;
            }
        }
        Ok(())
    }

    /// Writes the entries of a task.
    fn end_task(&mut self) -> Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        self.checksums.push(xxh3_64(&self.bytes));
        let written = self.file.write_all(&self.bytes);
        self.bytes.clear();
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Reads the entries of a task.
    fn read(&self, range: Range<usize>, into: &mut Vec<f32>) -> Result<()> {
        let mut bytes = vec![0; 4 * range.len()];
        let read = regular::read_exact_at(&self.file, &mut bytes, 4 * range.start as u64);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        if self.checksums.get(range.start / INDICES_PER_TASK) != Some(&xxh3_64(&bytes)) {
            let problem = "the temporary file has changed since it was written; run the command \
                           again, with temporary files on another disk";
            return Err(Error::file(&self.path, problem));
        }
        let (entries, _) = bytes.as_chunks();
        into.extend(entries.iter().map(|&entry| f32::from_le_bytes(entry)));
        Ok(())
    }
}
