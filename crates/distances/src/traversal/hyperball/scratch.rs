//! The changes by all slices so far in each step, in a file: a list of nodes for each step, with
//! the falls of their tallies.
//!
//! Each slice writes the sums of what the file held and of its own changes to a new file, step by
//! step, so files are written and read from front to back. An entry takes about 11 bytes, and a node
//! has one for each step in which some of its registers change.

use super::counters::Tally;
use super::slice::{Changes, NODES_PER_BLOCK};
use dsi_bitstream::codes::{vbyte_read_le, vbyte_write_le};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::{Error, Result};
use webrank_base::output::TemporaryFolder;
use xxhash_rust::xxh3::Xxh3;

/// Bytes written or read at a time.
const BUFFER: usize = 1 << 20;

/// Entries that are read at a time.
const BATCH: usize = NODES_PER_BLOCK << 7;

/// A file of changes that is complete.
pub(super) struct Scratch {
    path: PathBuf,
    /// The number of entries of each step.
    counts: Vec<u64>,
    bytes: u64,
    checksum: u64,
}

/// A file that is being written.
pub(super) struct Writer {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    counts: Vec<u64>,
    hash: Xxh3,
    /// Bytes in the file.
    written: u64,
    last: Node,
}

impl Writer {
    /// A new file.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        Ok(Writer {
            path,
            file,
            bytes: Vec::with_capacity(BUFFER + 32),
            counts: Vec::new(),
            hash: Xxh3::new(),
            written: 0,
            last: 0,
        })
    }

    /// The file that a checkpoint holds.
    ///
    /// # Errors
    /// If it cannot be read or written, or if it is not what was written.
    pub(super) fn restore(mut self, from: &mut CheckpointReader) -> Result<Scratch> {
        self.counts = from.list(u32::MAX as usize)?;
        let mut checksum = [0];
        from.fill(&mut checksum)?;
        from.bytes(|part| {
            self.bytes.extend_from_slice(part);
            self.flush()
        })?;
        let scratch = self.finish()?;
        match checksum == [scratch.checksum] {
            true => Ok(scratch),
            false => Err(from.damaged()),
        }
    }

    /// Writes the next step: the changes that `before` holds for it, if any, and `blocks`, added up.
    ///
    /// # Errors
    /// If one of the files cannot be written or read.
    pub(super) fn step(&mut self, before: &mut Option<Reader>, blocks: &[Changes]) -> Result<()> {
        self.counts.push(0);
        self.last = 0;
        let mut older = Older::new(before)?;
        for changes in blocks {
            for (&node, &fall) in changes.nodes.iter().zip(&changes.falls) {
                while let Some((other, fall)) = older.take_if(|other| other < node)? {
                    self.push(other, fall)?;
                }
                match older.take_if(|other| other == node)? {
                    Some((_, other)) => self.push(node, fall.plus(other))?,
                    None => self.push(node, fall)?,
                }
            }
        }
        while let Some((node, fall)) = older.take_if(|_| true)? {
            self.push(node, fall)?;
        }
        Ok(())
    }

    fn push(&mut self, node: Node, fall: Tally) -> Result<()> {
        let written = vbyte_write_le(u64::from(node - self.last), &mut self.bytes)
            .and_then(|_| vbyte_write_le(u64::from(fall.zeros), &mut self.bytes));
        written.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        self.bytes.extend_from_slice(&fall.sum.to_le_bytes());
        self.last = node;
        *self.counts.last_mut().expect("a step has begun") += 1;
        if self.bytes.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.hash.update(&self.bytes);
        let written = self.file.write_all(&self.bytes);
        self.written += self.bytes.len() as u64;
        self.bytes.clear();
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// The file, complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> Result<Scratch> {
        self.flush()?;
        Ok(Scratch {
            checksum: self.hash.digest(),
            path: self.path,
            counts: self.counts,
            bytes: self.written,
        })
    }
}

impl Scratch {
    fn open(&self) -> Result<File> {
        File::open(&self.path).map_err(|source| Error::io(&self.path, "cannot read", source))
    }

    /// Removes the file. The folder goes with what is in it; this frees the space now.
    pub(super) fn remove(self) {
        let _ = std::fs::remove_file(self.path);
    }

    /// Writes it into a checkpoint.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(super) fn save(&self, to: &mut CheckpointWriter) -> Result<()> {
        to.numbers(&self.counts)?;
        to.numbers(&[self.checksum])?;
        to.bytes(self.bytes, &mut self.open()?, &self.path)
    }

    /// The number of steps.
    pub(super) fn num_steps(&self) -> usize {
        self.counts.len()
    }

    /// Reads the file from its start.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(&self) -> Result<Reader> {
        let hash = Xxh3::new();
        let hashed = Hashed {
            file: self.open()?,
            hash,
        };
        Ok(Reader {
            path: self.path.clone(),
            input: BufReader::with_capacity(BUFFER, hashed),
            counts: self.counts.clone().into_iter(),
            left: 0,
            last: 0,
            checksum: self.checksum,
        })
    }
}

/// A file that is hashed while it is read.
struct Hashed {
    file: File,
    hash: Xxh3,
}

impl Read for Hashed {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(into)?;
        self.hash.update(&into[..count]);
        Ok(count)
    }
}

/// A file that is being read, step by step.
pub(super) struct Reader {
    path: PathBuf,
    input: BufReader<Hashed>,
    counts: std::vec::IntoIter<u64>,
    /// Entries of this step that are not yet read.
    left: u64,
    last: Node,
    checksum: u64,
}

impl Reader {
    /// Goes to the next step; false if there is none.
    pub(super) fn next_step(&mut self) -> bool {
        debug_assert_eq!(self.left, 0, "a step is read whole");
        let count = self.counts.next();
        (self.left, self.last) = (count.unwrap_or(0), 0);
        count.is_some()
    }

    /// Entries of this step, in blocks that are not empty; none at its end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn batch(&mut self) -> Result<Vec<Changes>> {
        let mut blocks = Vec::new();
        let mut changes = Changes::default();
        let mut count = 0;
        while let Some((node, fall)) = self.next()? {
            changes.nodes.push(node);
            changes.falls.push(fall);
            count += 1;
            if changes.nodes.len() == NODES_PER_BLOCK {
                blocks.push(std::mem::take(&mut changes));
            }
            if count == BATCH {
                break;
            }
        }
        if !changes.nodes.is_empty() {
            blocks.push(changes);
        }
        Ok(blocks)
    }

    fn next(&mut self) -> Result<Option<(Node, Tally)>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let entry = self.entry();
        let (gap, fall) = entry.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        let node = u32::try_from(gap)
            .ok()
            .and_then(|gap| self.last.checked_add(gap));
        self.last = node.ok_or_else(|| self.damaged())?;
        Ok(Some((self.last, fall)))
    }

    fn entry(&mut self) -> std::io::Result<(u64, Tally)> {
        let gap = vbyte_read_le(&mut self.input)?;
        let zeros = vbyte_read_le(&mut self.input)?;
        let mut sum = [0; 8];
        self.input.read_exact(&mut sum)?;
        let fall = Tally {
            sum: u64::from_le_bytes(sum),
            zeros: zeros as u32,
        };
        Ok((gap, fall))
    }

    /// Checks that what was read is what was written.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn finish(mut self) -> Result<()> {
        let mut rest = Vec::new();
        let read = self.input.read_to_end(&mut rest);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        if self.input.get_ref().hash.digest() != self.checksum {
            return Err(self.damaged());
        }
        Ok(())
    }

    fn damaged(&self) -> Error {
        let problem = "the file has changed since it was written; run the command again, with \
                       temporary files on another disk";
        Error::file(&self.path, problem)
    }
}

/// The entries of a step in the file before, with one in sight.
struct Older<'r> {
    reader: Option<&'r mut Reader>,
    sight: Option<(Node, Tally)>,
}

impl<'r> Older<'r> {
    fn new(reader: &'r mut Option<Reader>) -> Result<Self> {
        let mut reader = reader.as_mut();
        let mut sight = None;
        if let Some(reader) = &mut reader
            && reader.next_step()
        {
            sight = reader.next()?;
        }
        Ok(Older { reader, sight })
    }

    /// The next entry, if its node is one of these.
    fn take_if(&mut self, holds: impl Fn(Node) -> bool) -> Result<Option<(Node, Tally)>> {
        let (Some(entry), Some(reader)) = (self.sight, &mut self.reader) else {
            return Ok(None);
        };
        if !holds(entry.0) {
            return Ok(None);
        }
        self.sight = reader.next()?;
        Ok(Some(entry))
    }
}
