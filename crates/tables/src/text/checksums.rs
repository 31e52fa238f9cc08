//! The checksums of files that were read, for the manifest of what was computed from them.
//!
//! They are those of the bytes that were read, compressed as they were: not of a file that has
//! replaced the one that was read.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// Lengths and xxh3-128 of files, by their paths. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Checksums(Arc<Mutex<BTreeMap<PathBuf, (u64, u128)>>>);

impl Checksums {
    /// Notes a file that was read.
    pub fn note(&self, path: &Path, found: (u64, u128)) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(path.to_owned(), found);
    }

    /// The file at `path`, once it was read to its end.
    pub fn of(&self, path: &Path) -> Option<(u64, u128)> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(path).copied()
    }

    /// All files that were read to their ends.
    pub fn all(&self) -> Vec<(PathBuf, (u64, u128))> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.clone().into_iter().collect()
    }

    /// The bytes of `input`, with their checksum noted at the end.
    pub fn noting<R: Read>(&self, path: &Path, input: R) -> Noting<R> {
        Noting {
            input,
            hasher: Xxh3::new(),
            bytes: 0,
            path: path.to_owned(),
            checksums: self.clone(),
        }
    }
}

/// Bytes on their way to who reads them.
pub struct Noting<R> {
    input: R,
    hasher: Xxh3,
    bytes: u64,
    path: PathBuf,
    checksums: Checksums,
}

impl<R: Read> Read for Noting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.bytes += count as u64;
        if count == 0 && !buffer.is_empty() {
            let found = (self.bytes, self.hasher.digest128());
            self.checksums.note(&self.path, found);
        }
        Ok(count)
    }
}
