//! A run of a log-structured merge tree: sorted signatures of 16 bytes in a file that never changes.
//!
//! In memory it has a sparse index, the first signature of each block of the file, and a Bloom filter, both
//! made while the run is written or opened. A signature that the filter lets pass costs one block.

use super::super::bloom::Layer;
use super::super::disk::Fused;
use super::super::seen::{Summed, damaged};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::error::{Error, Result};

/// The entry of a run in the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) level: u32,
    pub(super) number: u64,
    pub(super) keys: u64,
    pub(super) checksum: u64,
}

impl Entry {
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("run.{}", self.number))
    }
}

/// How much memory a run may take: bytes of its filter, and of its index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) filter: u64,
    pub(super) index: u64,
}

/// The bytes of a signature.
const KEY: u64 = 16;

/// The least signatures of a block: 4 KiB.
const BLOCK: u64 = 256;

/// The bytes of a buffer.
const BUFFER: usize = 1 << 15;

/// The index of a run in memory.
struct Index {
    stride: u64,
    firsts: Vec<u128>,
    filter: Option<Layer>,
    keys: u64,
}

impl Index {
    /// For so many keys.
    fn new(keys: u64, room: Room) -> Result<Self> {
        let blocks = (room.index / KEY).max(1);
        let bits = room.filter as f64 * 8.0 / keys.max(1) as f64;
        // The number of bits of a key with the least false positives.
        let bits_of_key = (bits * std::f64::consts::LN_2).round().clamp(1.0, 10.0);
        let lines = room.filter / 64;
        let filter = (lines > 0).then(|| Layer::of(lines, bits_of_key as u32));
        Ok(Index {
            stride: keys.div_ceil(blocks).next_power_of_two().max(BLOCK),
            firsts: Vec::new(),
            filter: filter.transpose()?,
            keys: 0,
        })
    }

    fn push(&mut self, key: u128) {
        if self.keys.is_multiple_of(self.stride) {
            self.firsts.push(key);
        }
        self.keys += 1;
        if let Some(filter) = &mut self.filter {
            filter.add(key);
        }
    }
}

/// A run that is whole.
pub(super) struct Run {
    pub(super) entry: Entry,
    path: PathBuf,
    file: File,
    index: Index,
}

impl Run {
    /// Opens a run, and compares it with what was written. O(keys).
    pub(super) fn open(folder: &Path, entry: Entry, room: Room) -> Result<Self> {
        let mut index = Index::new(entry.keys, room)?;
        let mut keys = Keys::open(folder, entry)?;
        while let Some(key) = keys.next()? {
            index.push(key);
        }
        Self::of(entry, entry.path(folder), index)
    }

    fn of(entry: Entry, path: PathBuf, index: Index) -> Result<Self> {
        let file = File::open(&path).map_err(|source| Error::io(&path, "cannot open", source))?;
        Ok(Run {
            entry,
            path,
            file,
            index,
        })
    }

    /// True if a signature is in the run; adds to the bytes that were read.
    pub(super) fn has(&self, key: u128, block: &mut Vec<u8>, read: &mut u64) -> Result<bool> {
        if self
            .index
            .filter
            .as_ref()
            .is_some_and(|filter| !filter.has(key))
        {
            return Ok(false);
        }
        let found = self.index.firsts.partition_point(|first| *first <= key);
        let Some(number) = found.checked_sub(1) else {
            return Ok(false);
        };
        let first = number as u64 * self.index.stride;
        let count = self.index.stride.min(self.entry.keys - first);
        block.resize((count * KEY) as usize, 0);
        let mut file = &self.file;
        let moved = file.seek(SeekFrom::Start(first * KEY));
        let filled = moved.and_then(|_| file.read_exact(block));
        filled.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        *read += count * KEY;
        let (keys, _) = block.as_chunks::<16>();
        Ok(keys.binary_search(&key.to_be_bytes()).is_ok())
    }

    /// The bytes that it takes in memory.
    pub(super) fn memory(&self) -> u64 {
        let filter = self.index.filter.as_ref().map_or(0, Layer::bytes);
        filter + self.index.firsts.len() as u64 * KEY
    }
}

/// Writes a run.
pub(super) struct Builder {
    entry: Entry,
    path: PathBuf,
    out: BufWriter<Summed<Fused>>,
    index: Index,
}

impl Builder {
    /// A run of this level and number, of so many keys.
    pub(super) fn create(folder: &Path, entry: Entry, room: Room) -> Result<Self> {
        let path = entry.path(folder);
        let file =
            File::create(&path).map_err(|source| Error::io(&path, "cannot create", source))?;
        Ok(Builder {
            entry,
            out: BufWriter::with_capacity(BUFFER, Summed::new(Fused(file))),
            index: Index::new(entry.keys, room)?,
            path,
        })
    }

    /// Adds the next key.
    pub(super) fn push(&mut self, key: u128) -> Result<()> {
        self.index.push(key);
        let written = self.out.write_all(&key.to_be_bytes());
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Makes it last.
    pub(super) fn finish(mut self) -> Result<Run> {
        let written = self.out.flush();
        let written = written.and_then(|()| self.out.get_ref().inner.sync());
        written.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        let entry = Entry {
            keys: self.index.keys,
            checksum: self.out.get_ref().hasher.digest(),
            ..self.entry
        };
        Run::of(entry, self.path, self.index)
    }
}

/// The keys of a run, one after the other; at the end, they are compared with what was written.
struct Keys {
    path: PathBuf,
    entry: Entry,
    input: BufReader<Summed<File>>,
    before: Option<u128>,
    read: u64,
}

impl Keys {
    fn open(folder: &Path, entry: Entry) -> Result<Self> {
        let path = entry.path(folder);
        let file = File::open(&path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => {
                let problem = "is missing; put it back, or remove the folder to begin again";
                Error::file(&path, problem)
            }
            _ => Error::io(&path, "cannot open", source),
        })?;
        Ok(Keys {
            path,
            entry,
            input: BufReader::with_capacity(BUFFER, Summed::new(file)),
            before: None,
            read: 0,
        })
    }

    fn next(&mut self) -> Result<Option<u128>> {
        if self.read == self.entry.keys {
            let rest = self.input.fill_buf();
            let rest = rest.map_err(|source| Error::io(&self.path, "cannot read", source))?;
            return match rest.is_empty()
                && self.input.get_ref().hasher.digest() == self.entry.checksum
            {
                true => Ok(None),
                false => Err(damaged(&self.path)),
            };
        }
        let mut bytes = [0; KEY as usize];
        match self.input.read_exact(&mut bytes) {
            Err(problem) if problem.kind() == ErrorKind::UnexpectedEof => {
                return Err(damaged(&self.path));
            }
            Err(problem) => return Err(Error::io(&self.path, "cannot read", problem)),
            Ok(()) => {}
        }
        let key = u128::from_be_bytes(bytes);
        if self.before.is_some_and(|before| before >= key) {
            return Err(damaged(&self.path));
        }
        self.before = Some(key);
        self.read += 1;
        Ok(Some(key))
    }
}

/// Merges runs, whose keys differ, into one; none if it is no more wanted. O(keys log runs).
pub(super) fn merge(
    folder: &Path,
    inputs: &[Entry],
    entry: Entry,
    room: Room,
    is_over: &AtomicBool,
) -> Result<Option<Run>> {
    let inputs = inputs.iter().map(|entry| Keys::open(folder, *entry));
    let mut inputs: Vec<Keys> = inputs.collect::<Result<_>>()?;
    let mut heap = BinaryHeap::new();
    for (index, input) in inputs.iter_mut().enumerate() {
        heap.extend(input.next()?.map(|key| Reverse((key, index))));
    }
    let mut out = Builder::create(folder, entry, room)?;
    while let Some(mut first) = heap.peek_mut() {
        let Reverse((key, index)) = *first;
        out.push(key)?;
        match inputs[index].next()? {
            Some(next) => *first = Reverse((next, index)),
            None => drop(PeekMut::pop(first)),
        }
        if out.index.keys.is_multiple_of(1 << 12) && is_over.load(Relaxed) {
            return Ok(None);
        }
    }
    out.finish().map(Some)
}
