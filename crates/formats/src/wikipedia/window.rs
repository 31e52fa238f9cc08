//! The bytes of a file on their way through a parser, read and decompressed by a thread of their own.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use webrank_base::error::{Error, Result};
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::input;

/// The bytes that the thread reads at a time.
const PART: usize = 1 << 18;

/// So many parts wait at most.
const WAITING: usize = 4;

/// The bytes of two windows, of which one is being closed.
pub(super) const HELD: u64 = 2 * (WAITING as u64 + 3) * PART as u64;

/// The longest row or statement in bytes: longer than any row of these tables, but little memory.
pub(super) const LONGEST: usize = 16 << 20;

/// Bytes that were read and are not yet used.
pub(super) struct Window {
    path: PathBuf,
    parts: Receiver<std::io::Result<Vec<u8>>>,
    bytes: Vec<u8>,
    at: usize,
}

impl Window {
    /// The start of a file. The checksum is noted when all of it has been read.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(path: &Path, checksums: &Checksums) -> Result<Self> {
        let input = input::open_noting(path, checksums)?;
        let (sender, parts) = sync_channel(WAITING);
        let read = move || {
            let mut input = input;
            loop {
                let part = part(&mut input);
                let is_last = part.as_ref().map_or(true, Vec::is_empty);
                // Nobody may wait for it any more.
                if sender.send(part).is_err() || is_last {
                    break;
                }
            }
        };
        let started = std::thread::Builder::new().spawn(read);
        started.map_err(|problem| Error::io(path, "cannot start a thread", problem))?;
        Ok(Window {
            path: path.to_owned(),
            parts,
            bytes: Vec::new(),
            at: 0,
        })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes that are there.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// So many bytes are used.
    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        debug_assert!(self.at <= self.bytes.len());
    }

    /// Adds what follows; false at the end of the file.
    ///
    /// # Errors
    /// If it cannot be read, or if [`LONGEST`] bytes are waiting to be used.
    pub(super) fn more(&mut self) -> Result<bool> {
        if self.rest().len() > LONGEST {
            let problem = "a row or a statement has more than 16 MiB: is it a dump of MediaWiki?";
            return Err(Error::file(&self.path, problem));
        }
        let part = match self.parts.recv() {
            Ok(Ok(part)) => part,
            Ok(Err(problem)) if problem.kind() == ErrorKind::UnexpectedEof => {
                let problem = "is cut off: its compressed data end too soon; copy it again";
                return Err(Error::file(&self.path, problem));
            }
            Ok(Err(problem)) => return Err(Error::io(&self.path, "cannot read", problem)),
            // The thread has ended, after the last part.
            Err(_) => return Ok(false),
        };
        let is_last = part.is_empty();
        if self.at == self.bytes.len() {
            self.bytes = part;
        } else {
            self.bytes.drain(..self.at);
            self.bytes.extend_from_slice(&part);
        }
        self.at = 0;
        Ok(!is_last)
    }
}

/// The next bytes; none at the end.
fn part(input: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(PART);
    input.take(PART as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
