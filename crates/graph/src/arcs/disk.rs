//! Runs on disk: blocks of arcs, as differences of their keys in bytes, with an index of the blocks.

use super::element::Element;
use dsi_bitstream::codes::{vbyte_read_le, vbyte_write_le};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use webrank_base::error::{Error, Result};
use webrank_base::output::TemporaryFolder;

/// Arcs of a block: a reader begins at the start of one.
const BLOCK: usize = 1 << 14;

/// The most bytes of an arc: a difference, and a weight.
const LONGEST: usize = 10 + 8;

/// Sorted arcs in a file of their own, which is removed with its folder.
pub(super) struct DiskRun {
    path: PathBuf,
    /// Locked while a block is read, as readers share the position in the file.
    file: Mutex<File>,
    blocks: Vec<Block>,
    arcs: u64,
}

/// The first key of a block, and where it starts and ends.
struct Block {
    first: u64,
    start: u64,
    end: u64,
}

/// Writes a run.
pub(super) struct DiskRunWriter<E> {
    path: PathBuf,
    out: BufWriter<File>,
    pending: Vec<E>,
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    arcs: u64,
}

impl<E: Element> DiskRunWriter<E> {
    pub(super) fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        Ok(DiskRunWriter {
            path,
            out: BufWriter::with_capacity(1 << 18, file),
            pending: Vec::with_capacity(BLOCK),
            bytes: Vec::new(),
            blocks: Vec::new(),
            arcs: 0,
        })
    }

    /// The next arc, which is not before the last one.
    pub(super) fn push(&mut self, arc: E) -> Result<()> {
        self.pending.push(arc);
        match self.pending.len() {
            BLOCK => self.write_block(),
            _ => Ok(()),
        }
    }

    fn write_block(&mut self) -> Result<()> {
        let Some(first) = self.pending.first().map(|arc| arc.key()) else {
            return Ok(());
        };
        self.bytes.clear();
        let mut last = first;
        for arc in self.pending.drain(..) {
            let gap = arc.key() - std::mem::replace(&mut last, arc.key());
            vbyte_write_le(gap, &mut self.bytes).expect("a list in memory takes every byte");
            if E::WEIGHTED {
                self.bytes.extend(arc.weight().to_le_bytes());
            }
            self.arcs += 1;
        }
        let start = self.blocks.last().map_or(0, |block| block.end);
        let end = start + self.bytes.len() as u64;
        self.blocks.push(Block { first, start, end });
        let written = self.out.write_all(&self.bytes);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    pub(super) fn finish(mut self) -> Result<DiskRun> {
        self.write_block()?;
        let file = self.out.into_inner().map_err(|e| e.into_error());
        let file = file.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        Ok(DiskRun {
            path: self.path,
            file: Mutex::new(file),
            blocks: self.blocks,
            arcs: self.arcs,
        })
    }
}

impl DiskRun {
    /// Writes sorted arcs.
    pub(super) fn write<E: Element>(arcs: &[E], folder: &TemporaryFolder) -> Result<Self> {
        let mut writer = DiskRunWriter::create(folder)?;
        arcs.iter().try_for_each(|&arc| writer.push(arc))?;
        writer.finish()
    }

    pub(super) fn arcs(&self) -> u64 {
        self.arcs
    }

    /// Removes the file.
    pub(super) fn remove(self) {
        // The folder is removed anyway.
        let _ = std::fs::remove_file(self.path);
    }
}

/// The arcs of a run from some key on, one after the other, through a buffer.
pub(super) struct DiskCursor<'a> {
    run: &'a DiskRun,
    /// The block that is being read.
    block: usize,
    /// The key before.
    key: u64,
    buffer: Vec<u8>,
    /// Where the next arc is, in the buffer and in the file.
    at: usize,
    position: u64,
    /// The bytes that are read at once.
    length: usize,
}

impl<'a> DiskCursor<'a> {
    /// Begins with the first arc with a key of at least `from`; reads `length` bytes at once.
    pub(super) fn new(run: &'a DiskRun, from: u64, length: usize) -> Self {
        let after = run.blocks.partition_point(|block| block.first < from);
        let block = after.saturating_sub(1);
        let (key, position) = run
            .blocks
            .get(block)
            .map_or((0, 0), |block| (block.first, block.start));
        DiskCursor {
            run,
            block,
            key,
            buffer: Vec::new(),
            at: 0,
            position,
            length: length.max(LONGEST),
        }
    }

    /// The next arc.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[inline]
    pub(super) fn next<E: Element>(&mut self) -> Result<Option<E>> {
        let Some(mut block) = self.run.blocks.get(self.block) else {
            return Ok(None);
        };
        if self.position == block.end {
            self.block += 1;
            match self.run.blocks.get(self.block) {
                Some(next) => (block, self.key) = (next, next.first),
                None => return Ok(None),
            }
        }
        if self.buffer.len() - self.at < LONGEST {
            self.fill()?;
        }
        let mut rest = &self.buffer[self.at..];
        let before = rest.len();
        let mut decode = || -> std::io::Result<E> {
            let key = self.key.wrapping_add(vbyte_read_le(&mut rest)?);
            let mut weight = 1.0f64.to_le_bytes();
            if E::WEIGHTED {
                std::io::Read::read_exact(&mut rest, &mut weight)?;
            }
            self.key = key;
            Ok(E::new(key, f64::from_le_bytes(weight)))
        };
        let arc = decode().map_err(|source| Error::io(&self.run.path, "cannot read", source))?;
        let taken = before - rest.len();
        self.at += taken;
        self.position += taken as u64;
        debug_assert!(self.position <= block.end);
        Ok(Some(arc))
    }

    /// Reads what follows the rest of the buffer.
    #[cold]
    fn fill(&mut self) -> Result<()> {
        let end = self.run.blocks.last().map_or(0, |block| block.end);
        self.buffer.drain(..self.at);
        self.at = 0;
        let start = self.position + self.buffer.len() as u64;
        let more = (self.length - self.buffer.len()) as u64;
        let more = more.min(end.saturating_sub(start)) as usize;
        let kept = self.buffer.len();
        self.buffer.reserve_exact(more);
        self.buffer.resize(kept + more, 0);
        let mut read = || -> std::io::Result<()> {
            let mut file = self.run.file.lock().expect("nothing panics while it reads");
            file.seek(SeekFrom::Start(start))?;
            std::io::Read::read_exact(&mut *file, &mut self.buffer[kept..])
        };
        read().map_err(|source| Error::io(&self.run.path, "cannot read", source))
    }
}
