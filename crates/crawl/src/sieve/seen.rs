//! The sorted file of what was seen, and its merge with a sorted batch.
//!
//! Each merge reads the file once and writes the next one, `seen.G`, where G counts merges. The file
//! `state` says which of them counts, with its length and checksum, how many URLs were taken and given,
//! and the mark of the outlet; it ends with its own checksum. It is replaced whole when the new file is on the disk; files of other
//! numbers are litter.

use super::disk::{self, Fused};
use super::signature::Signer;
use super::{SieveStats, UrlSink};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// How records lie in the file.
pub(super) trait Coding {
    /// The sieve, for the state.
    const NAME: &'static str;

    /// Replaces `record`, the one before, by the next one; false at the end.
    fn read(input: &mut impl Read, record: &mut Vec<u8>) -> std::io::Result<bool>;

    /// Writes a record that comes after `before`.
    fn write(out: &mut impl Write, before: &[u8], record: &[u8]) -> std::io::Result<()>;
}

/// The content of `state`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    #[serde(default)]
    version: u32,
    sieve: String,
    keys: [u64; 2],
    merges: u64,
    bytes: u64,
    checksum: u64,
    taken: u64,
    given: u64,
    mark: u64,
    /// xxh3-64 of this state with 0 here.
    #[serde(default)]
    checksum_of_state: u64,
}

/// The version of `state`.
pub(super) const VERSION: u32 = 2;

impl State {
    /// The content of the file.
    fn text(&self) -> Vec<u8> {
        let mut state = self.clone();
        state.checksum_of_state = 0;
        state.checksum_of_state = xxh3_64(&serde_json::to_vec(&state).expect("numbers serialise"));
        serde_json::to_vec(&state).expect("numbers serialise")
    }

    /// # Errors
    /// If the content of the file at `path` is that of another sieve or version, or damaged.
    fn read(path: &Path, text: &[u8], name: &str) -> Result<Self> {
        let state: Option<State> = serde_json::from_slice(text).ok();
        let state = state.filter(|state| state.sieve == name).ok_or_else(|| {
            let problem =
                format!("is not the state of a sieve '{name}'; remove the folder to begin again");
            Error::file(path, problem)
        })?;
        if state.version != VERSION {
            let problem = "is of another version of webrank; go on with that version, or remove the \
                           folder to begin again";
            return Err(Error::file(path, problem));
        }
        match state.text() == text {
            true => Ok(state),
            false => {
                let problem = "the state is damaged; remove the folder to begin again";
                Err(Error::file(path, problem))
            }
        }
    }
}

/// The records seen so far, on disk.
pub(super) struct SortedSet<C> {
    folder: PathBuf,
    state: State,
    pub(super) signer: Signer,
    bytes_read: u64,
    bytes_written: u64,
    coding: PhantomData<C>,
}

/// A file of what was seen that does not count yet.
pub(super) struct PendingMerge {
    bytes: u64,
    checksum: u64,
}

/// The bytes of the buffers of a merge.
pub(super) const BUFFERS: u64 = 3 << 18;

impl<C: Coding> SortedSet<C> {
    /// Goes on from what is in the folder, and removes litter.
    pub(super) fn open(folder: &Path, out: &mut dyn UrlSink) -> Result<Self> {
        let path = folder.join("state");
        let (state, signer) = match std::fs::read(&path) {
            Ok(text) => {
                let state = State::read(&path, &text, C::NAME)?;
                let signer = Signer::with_keys(state.keys);
                (state, signer)
            }
            Err(problem) if problem.kind() == ErrorKind::NotFound => {
                let signer = Signer::random();
                let state = State {
                    version: VERSION,
                    sieve: C::NAME.to_owned(),
                    keys: signer.keys(),
                    merges: 0,
                    bytes: 0,
                    checksum: Xxh3::new().digest(),
                    taken: 0,
                    given: 0,
                    mark: 0,
                    checksum_of_state: 0,
                };
                (state, signer)
            }
            Err(problem) => return Err(Error::io(&path, "cannot read", problem)),
        };
        let seen = SortedSet {
            folder: folder.to_owned(),
            state,
            signer,
            bytes_read: 0,
            bytes_written: 0,
            coding: PhantomData,
        };
        seen.remove_litter()?;
        out.cut(seen.state.mark)?;
        Ok(seen)
    }

    fn remove_litter(&self) -> Result<()> {
        let cannot = |source| Error::io(&self.folder, "cannot read", source);
        for entry in self.folder.read_dir().map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let is_seen = path.file_stem().is_some_and(|stem| stem == "seen");
            if is_seen && (path != self.path(self.state.merges) || self.state.merges == 0) {
                disk::remove(&path)?;
            }
        }
        Ok(())
    }

    fn path(&self, merges: u64) -> PathBuf {
        self.folder.join(format!("seen.{merges}"))
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many URLs were taken, for ever.
    pub(super) fn taken(&self) -> u64 {
        self.state.taken
    }

    /// Merges records, sorted and distinct, with those seen; calls `is_new` with the value of each that
    /// was not seen. Nothing counts until [`commit`](Self::commit).
    pub(super) fn merge<K: AsRef<[u8]>, T>(
        &mut self,
        batch: impl Iterator<Item = (K, T)>,
        mut is_new: impl FnMut(T),
    ) -> Result<PendingMerge> {
        let mut old =
            RunReader::<C>::open((self.state.merges > 0).then(|| self.path(self.state.merges)))?;
        let path = self.path(self.state.merges + 1);
        let file =
            File::create(&path).map_err(|source| Error::io(&path, "cannot create", source))?;
        let mut new = BufWriter::with_capacity(1 << 18, Summed::new(Fused(file)));
        let mut before = Vec::new();
        let mut write = |record: &[u8]| {
            let written = C::write(&mut new, &before, record);
            before.clear();
            before.extend_from_slice(record);
            written.map_err(|source| Error::io(&path, "cannot write", source))
        };
        old.advance()?;
        for (record, value) in batch {
            let record = record.as_ref();
            let mut known = false;
            while let Some(seen) = old.record() {
                match seen.cmp(record) {
                    Ordering::Greater => break,
                    order => {
                        write(seen)?;
                        known |= order == Ordering::Equal;
                    }
                }
                old.advance()?;
                if known {
                    break;
                }
            }
            if !known {
                write(record)?;
                is_new(value);
            }
        }
        while let Some(seen) = old.record() {
            write(seen)?;
            old.advance()?;
        }
        self.bytes_read += old.check(self.state.bytes, self.state.checksum)?;
        let written = new.flush().and_then(|()| new.get_ref().inner.sync());
        written.map_err(|source| Error::io(&path, "cannot write", source))?;
        let new = new.get_ref();
        self.bytes_written += new.bytes;
        Ok(PendingMerge {
            bytes: new.bytes,
            checksum: new.hasher.digest(),
        })
    }

    /// Makes a merge count, once its URLs were given.
    pub(super) fn commit(
        &mut self,
        merged: PendingMerge,
        (taken, given): (u64, u64),
        out: &mut dyn UrlSink,
    ) -> Result<()> {
        let state = State {
            merges: self.state.merges + 1,
            bytes: merged.bytes,
            checksum: merged.checksum,
            taken: self.state.taken + taken,
            given: self.state.given + given,
            mark: out.mark()?,
            ..self.state.clone()
        };
        disk::replace(&self.folder.join("state"), &state.text())?;
        let old = std::mem::replace(&mut self.state, state);
        disk::remove(&self.path(old.merges))
    }

    /// The account, with these URLs still held back.
    pub(super) fn account(&self, held: u64) -> SieveStats {
        SieveStats {
            taken: self.state.taken + held,
            given: self.state.given,
            bytes_read: self.bytes_read,
            bytes_written: self.bytes_written,
            ..SieveStats::default()
        }
    }
}

/// The file of what was seen, being read.
struct RunReader<C> {
    input: Option<(PathBuf, BufReader<Summed<File>>)>,
    record: Vec<u8>,
    is_at_end: bool,
    coding: PhantomData<C>,
}

impl<C: Coding> RunReader<C> {
    fn open(path: Option<PathBuf>) -> Result<Self> {
        let open = |path: PathBuf| {
            let file = File::open(&path).map_err(|source| Error::io(&path, "cannot open", source));
            let input = BufReader::with_capacity(1 << 18, Summed::new(file?));
            Ok((path, input))
        };
        Ok(RunReader {
            input: path.map(open).transpose()?,
            record: Vec::new(),
            is_at_end: false,
            coding: PhantomData,
        })
    }

    fn record(&self) -> Option<&[u8]> {
        (!self.is_at_end).then_some(&self.record)
    }

    fn advance(&mut self) -> Result<()> {
        let Some((path, input)) = &mut self.input else {
            self.is_at_end = true;
            return Ok(());
        };
        match C::read(input, &mut self.record) {
            Ok(is_there) => {
                self.is_at_end = !is_there;
                Ok(())
            }
            Err(problem) if problem.kind() == ErrorKind::InvalidData => Err(damaged(path)),
            Err(problem) if problem.kind() == ErrorKind::UnexpectedEof => Err(damaged(path)),
            Err(problem) => Err(Error::io(&*path, "cannot read", problem)),
        }
    }

    /// Compares what was read to its end with what was written.
    fn check(&self, bytes: u64, checksum: u64) -> Result<u64> {
        let Some((path, input)) = &self.input else {
            return Ok(0);
        };
        let input = input.get_ref();
        match input.bytes == bytes && input.hasher.digest() == checksum {
            true => Ok(bytes),
            false => Err(damaged(path)),
        }
    }
}

pub(super) fn damaged(path: &Path) -> Error {
    let problem = "the file of what was seen is damaged; remove the folder to begin again";
    Error::file(path, problem)
}

/// A file with a checksum of what passes, a buffer at a time.
pub(super) struct Summed<T> {
    pub(super) inner: T,
    pub(super) hasher: Xxh3,
    bytes: u64,
}

impl<T> Summed<T> {
    pub(super) fn new(inner: T) -> Self {
        Summed {
            inner,
            hasher: Xxh3::new(),
            bytes: 0,
        }
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let count = self.inner.write(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}
