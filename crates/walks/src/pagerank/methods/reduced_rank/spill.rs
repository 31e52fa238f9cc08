//! Vectors that are kept from sweep to sweep: in memory, or in files.

use bytemuck::{Pod, cast_slice};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::checkpoint::{Number, StateVisitor};
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_base::output::TemporaryFolder;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use xxhash_rust::xxh3::xxh3_64;

/// A vector that is kept.
pub(super) enum SpilledVector<T> {
    Memory(Vec<T>),
    File(Scratch<T>),
}

/// Its entries.
pub(super) enum Entries<'a, T> {
    Memory(&'a [T]),
    File(&'a Scratch<T>),
}

impl<T> SpilledVector<T> {
    pub(super) fn entries(&self) -> Entries<'_, T> {
        match self {
            SpilledVector::Memory(iterate) => Entries::Memory(iterate),
            SpilledVector::File(scratch) => Entries::File(scratch),
        }
    }
}

impl<'a, T: Pod + Default + Send + Sync> Entries<'a, T> {
    /// The entries of a range, which begins with a piece; `buffer` holds them if they are in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not what was written.
    pub(super) fn part<'s>(&self, range: Range<usize>, buffer: &'s mut Vec<T>) -> Result<&'s [T]>
    where
        'a: 's,
    {
        match *self {
            Entries::Memory(iterate) => Ok(&iterate[range]),
            Entries::File(scratch) => {
                buffer.resize(range.len(), T::default());
                scratch.read(range.start, buffer)?;
                Ok(buffer)
            }
        }
    }
}

/// A vector in a file, which may be written again.
pub(super) struct Scratch<T> {
    entries: FileVector<T>,
    /// The entries of a piece: every range that is read or written begins with one.
    piece: usize,
    /// The checksum of each piece.
    checksums: Vec<AtomicU64>,
}

impl<T: Pod + Default + Send + Sync> Scratch<T> {
    /// # Errors
    /// If the file cannot be made.
    pub(super) fn create(
        folder: &Arc<TemporaryFolder>,
        count: usize,
        piece: usize,
    ) -> Result<Self> {
        let pieces = 0..count.div_ceil(piece.max(1));
        Ok(Scratch {
            entries: FileVector::zeros(folder, count)?,
            piece,
            checksums: pieces.map(|_| AtomicU64::default()).collect(),
        })
    }

    /// Fills `into` with the entries from `start` on, the first of a piece.
    ///
    /// # Errors
    /// If the file cannot be read, or is not what was written.
    pub(super) fn read(&self, start: usize, into: &mut [T]) -> Result<()> {
        self.entries.next(start, into)?;
        let checksums = &self.checksums[start / self.piece..];
        let is_same = |(piece, checksum): (&[T], &AtomicU64)| {
            xxh3_64(cast_slice(piece)) == checksum.load(Relaxed)
        };
        match into.chunks(self.piece).zip(checksums).all(is_same) {
            true => Ok(()),
            false => Err(self.entries.damaged()),
        }
    }

    /// Fills a vector with all entries. Parallel.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(super) fn read_all(&self, into: &mut [T]) -> Result<()> {
        let parts = into.chunks_mut(INDICES_PER_TASK).enumerate();
        tasks::try_map(parts, |(task, part)| {
            self.read(task * INDICES_PER_TASK, part)
        })?;
        Ok(())
    }

    /// Writes entries over those from `start` on, the first of a piece.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&self, start: usize, entries: &[T]) -> Result<()> {
        let checksums = &self.checksums[start / self.piece..];
        for (piece, checksum) in entries.chunks(self.piece).zip(checksums) {
            checksum.store(xxh3_64(cast_slice(piece)), Relaxed);
        }
        self.entries.put(start, entries)
    }

    /// Writes all entries. Parallel.
    ///
    /// # Errors
    /// As for [`Self::write`].
    pub(super) fn write_all(&self, entries: &[T]) -> Result<()> {
        let parts = entries.chunks(INDICES_PER_TASK).enumerate();
        tasks::try_map(parts, |(task, part)| {
            self.write(task * INDICES_PER_TASK, part)
        })?;
        Ok(())
    }

    /// Writes all entries to a checkpoint, as those of a vector in memory, or takes them from it.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if there are more entries or fewer.
    pub(super) fn visit(&self, visitor: &mut StateVisitor) -> Result<()>
    where
        T: Number,
    {
        let count = self.entries.len();
        let load = |start, into: &mut [T]| self.read(start, into);
        let store = |start, part: &[T]| self.write(start, part);
        visitor.pieces(count, tasks::ranges(count), load, store)
    }
}
