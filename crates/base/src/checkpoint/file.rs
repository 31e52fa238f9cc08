//! The file of a checkpoint: its kind and format, a header in JSON, lists of numbers, and xxh3-128 of
//! all bytes before.
//!
//! ```text
//! webrank checkpoint 2 LF
//! length of the header, 4 bytes        the header
//! for each list: tag, 1 byte           count, 8 bytes          its numbers
//! xxh3-128, 16 bytes
//! ```
//!
//! All numbers are little-endian. A file is written beside the one before, synced, and renamed, so
//! there is always a whole one. It is hashed before it is read, and no list is longer than the file.

use super::Number;
use crate::error::{Error, Result};
use crate::output::{Digest, PendingFile, publish};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first bytes of files of every format.
const KIND: &[u8] = b"webrank checkpoint ";

/// The format.
const FORMAT: &[u8] = b"3\n";

/// The bytes of the checksum.
const CHECKSUM: u64 = 16;

/// Numbers that are converted at a time.
const AT_ONCE: usize = 1 << 13;

/// The JSON before the lists.
#[derive(Serialize, Deserialize)]
struct Header {
    work: Value,
    stage: String,
    at: String,
}

/// A checkpoint that is being written.
pub struct CheckpointWriter {
    path: PathBuf,
    file: PendingFile,
    bytes: Vec<u8>,
}

impl CheckpointWriter {
    pub(super) fn create(path: &Path, work: Value, stage: &str, at: &str) -> Result<Self> {
        let (stage, at) = (stage.to_owned(), at.to_owned());
        let header = serde_json::to_vec(&Header { work, stage, at });
        let header = header.expect("strings and numbers serialise");
        let mut saving = CheckpointWriter {
            path: path.to_owned(),
            file: PendingFile::create(path)?,
            bytes: Vec::with_capacity(8 * AT_ONCE),
        };
        let length = (header.len() as u32).to_le_bytes();
        for part in [KIND, FORMAT, &length, &header] {
            saving.write(part)?;
        }
        Ok(saving)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Writes a list.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn numbers<T: Number>(&mut self, numbers: &[T]) -> Result<()> {
        self.list(numbers.len(), numbers.iter().copied())
    }

    /// Writes a list of `count` numbers.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn list<T: Number>(
        &mut self,
        count: usize,
        numbers: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        self.begin::<T>(count as u64)?;
        let appended = self.append(numbers.into_iter().take(count))?;
        assert_eq!(appended, count, "a list is as long as it is said to be");
        Ok(())
    }

    /// Begins a list of `count` numbers.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin<T: Number>(&mut self, count: u64) -> Result<()> {
        self.write(&[T::TAG])?;
        self.write(&count.to_le_bytes())
    }

    /// Writes the next numbers of the list; returns how many.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append<T: Number>(&mut self, numbers: impl IntoIterator<Item = T>) -> Result<usize> {
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut count = 0;
        for number in numbers {
            number.put(&mut bytes);
            count += 1;
            if bytes.len() >= T::BYTES * AT_ONCE {
                self.write(&bytes)?;
                bytes.clear();
            }
        }
        self.write(&bytes)?;
        bytes.clear();
        self.bytes = bytes;
        Ok(count)
    }

    /// Writes a list of bytes, which `from`, the file at `path`, begins with.
    ///
    /// # Errors
    /// If it ends before, or cannot be read; if the file cannot be written.
    pub fn bytes(&mut self, count: u64, from: &mut impl Read, path: &Path) -> Result<()> {
        self.begin::<u8>(count)?;
        let mut left = count;
        let mut bytes = vec![0; 8 * AT_ONCE];
        while left > 0 {
            let part = &mut bytes[..left.min(8 * AT_ONCE as u64) as usize];
            let read = from.read_exact(part);
            read.map_err(|source| Error::io(path, "cannot read", source))?;
            self.write(part)?;
            left -= part.len() as u64;
        }
        Ok(())
    }

    /// Puts the file in place of the one before.
    pub(super) fn publish(mut self) -> Result<()> {
        let (_, checksum) = self.file.checksum();
        self.write(&checksum.to_le_bytes())?;
        publish([self.file])
    }
}

/// A checkpoint that was found, whose lists are read in their order.
pub struct CheckpointReader {
    path: PathBuf,
    input: BufReader<File>,
    /// The bytes before the checksum.
    left: u64,
    stage: String,
    at: String,
}

impl CheckpointReader {
    /// The checkpoint at `path`, if there is one, and the work that it belongs to.
    ///
    /// # Errors
    /// If it is no checkpoint, or one of another format, or if it is damaged.
    pub(super) fn open(path: &Path) -> Result<Option<(Value, Self)>> {
        let cannot = |source| Error::io(path, "cannot read", source);
        let mut file = match File::open(path) {
            Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(cannot)?,
        };
        let length = file.metadata().map_err(cannot)?.len();
        check(path, &mut file, length)?;
        file.rewind().map_err(cannot)?;
        let mut found = CheckpointReader {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 18, file),
            left: length - CHECKSUM,
            stage: String::new(),
            at: String::new(),
        };
        found.read(KIND.len() + FORMAT.len())?;
        let header = found.read(4)?;
        let header = u32::from_le_bytes(header.try_into().expect("four bytes"));
        let header = found.read(header as usize)?;
        let header: Header = serde_json::from_slice(&header).map_err(|_| damaged(path))?;
        (found.stage, found.at) = (header.stage, header.at);
        Ok(Some((header.work, found)))
    }

    pub(super) fn stage(&self) -> &str {
        &self.stage
    }

    pub(super) fn at(&self) -> &str {
        &self.at
    }

    /// The next so many bytes.
    fn read(&mut self, count: usize) -> Result<Vec<u8>> {
        self.take(count as u64)?;
        let mut bytes = vec![0; count];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(bytes)
    }

    /// Counts bytes that are about to be read.
    fn take(&mut self, bytes: u64) -> Result<()> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| self.damaged())?;
        Ok(())
    }

    /// The length of the next list.
    pub fn begin<T: Number>(&mut self) -> Result<usize> {
        let head = self.read(9)?;
        let count = u64::from_le_bytes(head[1..].try_into().expect("eight bytes"));
        let bytes = count.checked_mul(T::BYTES as u64);
        if head[0] != T::TAG || bytes.is_none_or(|bytes| bytes > self.left) {
            return Err(self.damaged());
        }
        usize::try_from(count).map_err(|_| self.damaged())
    }

    /// Fills `numbers` with the next ones of a list that has begun.
    pub fn fill_begun<T: Number>(&mut self, numbers: &mut [T]) -> Result<()> {
        for part in numbers.chunks_mut(AT_ONCE) {
            let bytes = self.read(part.len() * T::BYTES)?;
            let read = bytes.chunks_exact(T::BYTES).map(T::of);
            part.iter_mut().zip(read).for_each(|(to, from)| *to = from);
        }
        Ok(())
    }

    /// Fills `numbers` with the next list, which is as long.
    ///
    /// # Errors
    /// If it is not, or cannot be read.
    pub fn fill<T: Number>(&mut self, numbers: &mut [T]) -> Result<()> {
        if self.begin::<T>()? != numbers.len() {
            return Err(self.damaged());
        }
        self.fill_begun(numbers)
    }

    /// The next list, of `most` numbers at most.
    ///
    /// # Errors
    /// If it is longer, or cannot be read, or if there is not enough memory.
    pub fn list<T: Number>(&mut self, most: usize) -> Result<Vec<T>> {
        let count = self.begin::<T>()?;
        if count > most {
            return Err(self.damaged());
        }
        let mut numbers = Vec::new();
        let bytes = (count * T::BYTES) as u64;
        let reserved = numbers.try_reserve_exact(count);
        reserved.map_err(|_| Error::memory("a checkpoint", bytes))?;
        numbers.resize(count, T::default());
        self.fill_begun(&mut numbers)?;
        Ok(numbers)
    }

    /// Hands the next list, of bytes, over in parts.
    ///
    /// # Errors
    /// If it cannot be read; those of `take`.
    pub fn bytes(&mut self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut left = self.begin::<u8>()?;
        while left > 0 {
            let part = self.read(left.min(8 * AT_ONCE))?;
            left -= part.len();
            take(&part)?;
        }
        Ok(())
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(self) -> Result<()> {
        match self.left {
            0 => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    /// The error of a file whose content contradicts itself.
    pub fn damaged(&self) -> Error {
        damaged(&self.path)
    }
}

/// Checks that a file is a checkpoint of this format, with the bytes that were written.
fn check(path: &Path, file: &mut File, length: u64) -> Result<()> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let mut head = Vec::new();
    let begin = (KIND.len() + FORMAT.len()) as u64;
    file.take(begin).read_to_end(&mut head).map_err(cannot)?;
    if !head.starts_with(KIND) {
        let problem = "is no checkpoint, and is not replaced; name another file, or remove it";
        return Err(Error::file(path, problem));
    }
    if head.len() as u64 == begin && !head.ends_with(FORMAT) {
        let problem = "is a checkpoint of another version of webrank; go on with that version, or \
                       remove the file to begin anew";
        return Err(Error::file(path, problem));
    }
    let Some(hashed) = length.checked_sub(CHECKSUM).filter(|&end| end >= begin) else {
        return Err(damaged(path));
    };
    file.seek(SeekFrom::Start(0)).map_err(cannot)?;
    let mut digest = Digest::default();
    let copied = std::io::copy(&mut file.take(hashed), &mut digest).map_err(cannot)?;
    let mut checksum = [0; CHECKSUM as usize];
    file.read_exact(&mut checksum).map_err(|_| damaged(path))?;
    if (copied, u128::from_le_bytes(checksum)) != digest.checksum() {
        return Err(damaged(path));
    }
    Ok(())
}

/// The error of a file at `path` that is not as it was written.
pub(super) fn damaged(path: &Path) -> Error {
    let problem = "the checkpoint is damaged; put a whole one there, or remove it to begin anew";
    Error::file(path, problem)
}
