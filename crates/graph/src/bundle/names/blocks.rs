//! Blocks of a file: each is a zstd frame with a checksum of its content, and is read alone.

use crate::bundle::REMEDY;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use webrank_base::error::{Error, Result};
use webrank_base::regular;
use webrank_tables::text::input::MAX_LINE;
use zstd::bulk::Compressor;

/// The bytes of content in a block, unless a single name is longer. Smaller blocks take more space,
/// larger ones more time to look a name up (`docs/src/measurements/names.md`).
pub(super) const BLOCK: usize = 16 << 10;

/// The most bytes of content in a block: a page has two keys, each of which may be a whole name.
const MAX_BLOCK: usize = 2 * MAX_LINE + BLOCK + 128;

/// Slower levels save 5%.
const LEVEL: i32 = 9;

/// Where a block is, and how long its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) content: u32,
}

/// The compressor of blocks: each one writes the same bytes.
pub(super) fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    Ok(compressor)
}

/// A file of blocks, read at the places where they are.
///
/// The file is not mapped: a mapped file that is truncated kills the process.
pub(super) struct Blocks {
    file: File,
    path: PathBuf,
    bytes: u64,
}

impl Blocks {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = regular::open(path)?;
        let metadata = file.metadata();
        let metadata = metadata.map_err(|source| Error::io(path, "cannot read", source))?;
        Ok(Blocks {
            file,
            path: path.to_owned(),
            bytes: metadata.len(),
        })
    }

    /// The length of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The bytes at `offset`.
    pub(super) fn raw(&self, offset: u64, length: usize) -> Result<Vec<u8>> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.bytes) {
            return Err(self.damaged(offset, "the file ends too early"));
        }
        let mut bytes = vec![0; length];
        match regular::read_exact_at(&self.file, &mut bytes, offset) {
            Ok(()) => Ok(bytes),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                Err(self.damaged(offset, "the file has become shorter"))
            }
            Err(e) => Err(Error::io(&self.path, "cannot read", e)),
        }
    }

    /// The content of a block.
    pub(super) fn content(&self, place: Place) -> Result<Vec<u8>> {
        let (length, content) = (place.length as usize, place.content as usize);
        if content > MAX_BLOCK || length > zstd::zstd_safe::compress_bound(content) {
            return Err(self.damaged(place.offset, "no block is so long"));
        }
        let bytes = self.raw(place.offset, length)?;
        match zstd::bulk::decompress(&bytes, content) {
            Ok(bytes) if bytes.len() == content => Ok(bytes),
            _ => Err(self.damaged(place.offset, "the block does not match its checksum")),
        }
    }

    /// The error for wrong bytes at `offset`.
    pub(super) fn damaged(&self, offset: u64, problem: &str) -> Error {
        Error::file(&self.path, format!("byte {offset}: {problem}; {REMEDY}"))
    }
}

/// The results of the blocks that were read last, for the items below them.
pub(super) struct Recent<T> {
    kept: Mutex<VecDeque<(Key, Arc<T>)>>,
    room: usize,
}

/// A block, and the items below it: a damaged tree may lead to one block for several.
type Key = (Place, Range<u64>);

impl<T> Recent<T> {
    pub(super) fn new(room: usize) -> Self {
        Recent {
            kept: Mutex::new(VecDeque::with_capacity(room)),
            room,
        }
    }

    /// The result of `make` for the block at `place`, perhaps an earlier one.
    pub(super) fn get(
        &self,
        place: Place,
        items: &Range<u64>,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let key = (place, items.clone());
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = lock();
        if let Some(at) = kept.iter().position(|(kept, _)| *kept == key) {
            // The most recent is the first.
            kept.make_contiguous()[..=at].rotate_right(1);
            return Ok(kept[0].1.clone());
        }
        drop(kept);
        let made = Arc::new(make()?);
        // Blocks of long names are rare, and would fill the memory.
        if (place.content as usize) < 4 * BLOCK {
            let mut kept = lock();
            kept.truncate(self.room - 1);
            kept.push_front((key, made.clone()));
        }
        Ok(made)
    }
}
