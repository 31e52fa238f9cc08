//! Vectors in temporary files, of which as much is in memory as is read at a time.

use crate::checkpoint::{Number, StateVisitor};
use crate::error::{Error, Result};
use crate::memory::filled;
use crate::output::TemporaryFolder;
use crate::parallel::tasks;
use crate::regular;
use crate::regular::Ahead;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use std::fs::File;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Entries that a task reads or writes: a megabyte of doubles.
const PER_TASK: usize = if cfg!(test) { 7 } else { 1 << 17 };

/// A vector in a file.
pub struct FileVector<T> {
    path: PathBuf,
    file: File,
    len: usize,
    ahead: Ahead,
    /// The folder goes with the last file in it.
    _folder: Arc<TemporaryFolder>,
    _entries: PhantomData<T>,
}

impl<T> Drop for FileVector<T> {
    fn drop(&mut self) {
        // Its room is needed; if it cannot be removed now, it goes with its folder.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl<T: Pod + Default + Send + Sync> FileVector<T> {
    /// So many zeros, which take no room before they are written over.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn zeros(folder: &Arc<TemporaryFolder>, len: usize) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        let sized = file.set_len((len * size_of::<T>()) as u64);
        sized.map_err(|source| Error::io(&path, "cannot write", source))?;
        Ok(FileVector {
            path,
            file,
            len,
            ahead: Ahead::default(),
            _folder: folder.clone(),
            _entries: PhantomData,
        })
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `into` with the entries from `start` on.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn fill(&self, start: usize, into: &mut [T]) -> Result<()> {
        let position = (start * size_of::<T>()) as u64;
        let read = regular::read_exact_at(&self.file, cast_slice_mut(into), position);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))
    }

    /// [`Self::fill`] where the entries after these are read soon.
    ///
    /// # Errors
    /// As for [`Self::fill`].
    pub fn next(&self, start: usize, into: &mut [T]) -> Result<()> {
        self.ahead.ask(&self.file, (start * size_of::<T>()) as u64);
        self.fill(start, into)
    }

    /// Asks the system to read so many entries, which are needed soon.
    pub fn ask(&self, start: usize, count: usize) {
        let size = size_of::<T>();
        regular::ask(&self.file, (start * size) as u64, (count * size) as u64);
    }

    /// The error for entries that are not those that were written.
    pub fn damaged(&self) -> Error {
        let problem = "the temporary file has changed since it was written; run the command again, \
                       with temporary files on another disk";
        Error::file(&self.path, problem)
    }

    /// Writes entries over those from `start` on.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&self, start: usize, entries: &[T]) -> Result<()> {
        let position = (start * size_of::<T>()) as u64;
        let written = regular::write_all_at(&self.file, cast_slice(entries), position);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Writes all entries to a checkpoint, or takes them from it.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if there are more entries or fewer.
    pub fn visit(&self, visitor: &mut StateVisitor) -> Result<()>
    where
        T: Number,
    {
        let starts = (0..self.len).step_by(PER_TASK);
        let ranges = starts.map(|start| start..self.len.min(start + PER_TASK));
        let load = |start, into: &mut [T]| self.fill(start, into);
        visitor.pieces(self.len, ranges, load, |start, part| self.put(start, part))
    }

    /// The entries of a range. Parallel.
    ///
    /// # Errors
    /// If the file cannot be read, or if there is not enough memory.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<T>> {
        let mut entries = filled(T::default(), range.len(), "a block of nodes")?;
        let parts = entries.chunks_mut(PER_TASK).enumerate();
        tasks::try_map(parts, |(task, part)| {
            self.fill(range.start + task * PER_TASK, part)
        })?;
        Ok(entries)
    }

    /// Writes entries over those from `start` on. Parallel.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, start: usize, entries: &[T]) -> Result<()> {
        let parts = entries.chunks(PER_TASK).enumerate();
        tasks::try_map(parts, |(task, part)| {
            self.put(start + task * PER_TASK, part)
        })?;
        Ok(())
    }
}
