//! Mercator's sieve: an array of signatures, merged with a sorted file of signatures.
//!
//! A URL that comes leaves its 64-bit signature in an array of n places, and itself in an auxiliary
//! file. When the array is full, a stable sort of indirect indices brings equal signatures together, the
//! first of them in front; one sequential merge with the file of signatures finds those that are new; and
//! one pass over the auxiliary file gives their URLs in the order of arrival. Memory: 8 bytes for a
//! signature, 4 for an index and 1 for the answer, n times.

use super::disk::Fused;
use super::seen::{BUFFERS, Coding, SortedSet};
use super::{Sieve, SieveStats, UrlSink, collisions};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};

pub(super) struct Mercator {
    seen: SortedSet<Signatures>,
    signatures: Vec<u64>,
    /// How many signatures the array takes.
    places: usize,
    auxiliary: Auxiliary,
}

/// The bytes of a place: signature, index, answer.
const PLACE: u64 = 8 + 4 + 1;

impl Mercator {
    pub(super) fn open(folder: &Path, memory: u64, out: &mut dyn UrlSink) -> Result<Self> {
        let places = (memory - BUFFERS) / PLACE;
        Self::with_places(folder, places.min(u32::MAX.into()) as usize, out)
    }

    pub(super) fn with_places(folder: &Path, places: usize, out: &mut dyn UrlSink) -> Result<Self> {
        let seen = SortedSet::open(folder, out)?;
        let auxiliary = Auxiliary::create(seen.folder())?;
        Ok(Mercator {
            seen,
            signatures: Vec::new(),
            places,
            auxiliary,
        })
    }
}

impl Sieve for Mercator {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        if self.signatures.capacity() == 0 {
            let reserved = self.signatures.try_reserve_exact(self.places);
            let bytes = self.places as u64 * 8;
            reserved.map_err(|_| Error::memory("the signatures of a batch", bytes))?;
        }
        self.auxiliary.push(url)?;
        self.signatures.push(self.seen.signer.of_64_bits(url));
        match self.signatures.len() == self.places {
            true => self.flush(out),
            false => Ok(()),
        }
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        if self.signatures.is_empty() {
            return Ok(());
        }
        let signature = |&index: &u32| self.signatures[index as usize];
        let mut order: Vec<u32> = (0..self.signatures.len() as u32).collect();
        // Indices break ties: the same order as that of a stable sort, without its memory.
        order.sort_unstable_by_key(|index| (signature(index), *index));
        order.dedup_by_key(|index| signature(index));
        let mut is_new = vec![false; self.signatures.len()];
        let sorted = order.iter();
        let sorted = sorted.map(|index| (signature(index).to_be_bytes(), *index as usize));
        let merged = self.seen.merge(sorted, |index| is_new[index] = true)?;
        drop(order);
        let before = self.seen.taken();
        let mut given = 0;
        self.auxiliary.rewind()?;
        for (index, is_new) in is_new.into_iter().enumerate() {
            let url = self.auxiliary.next()?;
            if is_new {
                out.give(before + index as u64, url)?;
                given += 1;
            }
        }
        let taken = self.signatures.len() as u64;
        self.seen.commit(merged, (taken, given), out)?;
        self.signatures.clear();
        self.auxiliary.clear()
    }

    fn taken(&self) -> u64 {
        self.seen.taken()
    }

    fn account(&self) -> SieveStats {
        let account = self.seen.account(self.signatures.len() as u64);
        SieveStats {
            memory: self.places as u64 * PLACE + BUFFERS,
            bytes_read: account.bytes_read + self.auxiliary.bytes_read,
            bytes_written: account.bytes_written + self.auxiliary.bytes_written,
            lost: collisions(account.given, 64),
            ..account
        }
    }
}

/// Signatures of 8 bytes, the highest first, so that their order is that of their bytes.
struct Signatures;

impl Coding for Signatures {
    const NAME: &'static str = "mercator";

    fn read(input: &mut impl Read, record: &mut Vec<u8>) -> std::io::Result<bool> {
        record.resize(8, 0);
        let mut filled = 0;
        while filled < 8 {
            match input.read(&mut record[filled..])? {
                0 if filled == 0 => return Ok(false),
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => filled += count,
            }
        }
        Ok(true)
    }

    fn write(out: &mut impl Write, _before: &[u8], record: &[u8]) -> std::io::Result<()> {
        out.write_all(record)
    }
}

/// The URLs of a batch, on disk: for each, its length in 4 bytes and itself. A kill loses them, and
/// they are given again.
struct Auxiliary {
    path: PathBuf,
    out: BufWriter<Fused>,
    input: BufReader<File>,
    url: Vec<u8>,
    bytes_read: u64,
    bytes_written: u64,
}

impl Auxiliary {
    fn create(folder: &Path) -> Result<Self> {
        let path = folder.join("urls");
        let cannot = |source| Error::io(&path, "cannot create", source);
        // Appended to, so that it goes on from its start once it is emptied.
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(cannot)?;
        file.set_len(0).map_err(cannot)?;
        let input = File::open(&path).map_err(cannot)?;
        Ok(Auxiliary {
            out: BufWriter::with_capacity(1 << 17, Fused(file)),
            input: BufReader::with_capacity(1 << 17, input),
            path,
            url: Vec::new(),
            bytes_read: 0,
            bytes_written: 0,
        })
    }

    fn push(&mut self, url: &str) -> Result<()> {
        let length = u32::try_from(url.len()).map_err(|_| {
            let problem = format!("a URL of {} bytes is too long for a sieve", url.len());
            Error::file(&self.path, problem)
        })?;
        let written = self.out.write_all(&length.to_le_bytes());
        let written = written.and_then(|()| self.out.write_all(url.as_bytes()));
        self.bytes_written += 4 + u64::from(length);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    fn rewind(&mut self) -> Result<()> {
        let ready = self.out.flush().and_then(|()| self.input.rewind());
        ready.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    fn next(&mut self) -> Result<&str> {
        let mut length = [0; 4];
        let read = self.input.read_exact(&mut length);
        let read = read.and_then(|()| {
            self.url.clear();
            let length = u64::from(u32::from_le_bytes(length));
            let read = (&mut self.input).take(length).read_to_end(&mut self.url)?;
            self.bytes_read += 4 + length;
            match read as u64 == length {
                true => Ok(()),
                false => Err(ErrorKind::UnexpectedEof.into()),
            }
        });
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        std::str::from_utf8(&self.url).map_err(|_| {
            let problem = "the URLs of a batch have changed on the disk; check the disk";
            Error::file(&self.path, problem)
        })
    }

    fn clear(&mut self) -> Result<()> {
        let cleared = self.out.get_ref().cut(0);
        cleared.map_err(|source| Error::io(&self.path, "cannot write", source))
    }
}
