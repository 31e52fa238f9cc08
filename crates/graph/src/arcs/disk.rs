//! Runs on disk: blocks of arcs, as differences of their keys in bytes, with an index of the blocks.

use super::element::Element;
use dsi_bitstream::codes::{vbyte_read_le, vbyte_write_le};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use webrank_base::error::{Error, Result};
use webrank_base::output::TemporaryFolder;

/// Arcs of a block: what a reader holds at a time.
const BLOCK: usize = 1 << 14;

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

    /// The first block that may hold a key of at least `from`.
    pub(super) fn block_of(&self, from: u64) -> usize {
        let after = self.blocks.partition_point(|block| block.first < from);
        after.saturating_sub(1)
    }

    /// Reads a block; false if there is none.
    pub(super) fn read<E: Element>(
        &self,
        block: usize,
        bytes: &mut Vec<u8>,
        arcs: &mut Vec<E>,
    ) -> Result<bool> {
        arcs.clear();
        let Some(block) = self.blocks.get(block) else {
            return Ok(false);
        };
        bytes.resize((block.end - block.start) as usize, 0);
        let mut read = || -> std::io::Result<()> {
            let mut file = self.file.lock().expect("nothing panics while it reads");
            file.seek(SeekFrom::Start(block.start))?;
            std::io::Read::read_exact(&mut *file, bytes)
        };
        read().map_err(|source| Error::io(&self.path, "cannot read", source))?;
        let mut rest = &bytes[..];
        let mut key = block.first;
        let mut decode = || -> std::io::Result<()> {
            while !rest.is_empty() {
                key = key.wrapping_add(vbyte_read_le(&mut rest)?);
                let mut weight = 1.0f64.to_le_bytes();
                if E::WEIGHTED {
                    std::io::Read::read_exact(&mut rest, &mut weight)?;
                }
                arcs.push(E::new(key, f64::from_le_bytes(weight)));
            }
            Ok(())
        };
        decode().map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(true)
    }

    /// Removes the file.
    pub(super) fn remove(self) {
        // The folder is removed anyway.
        let _ = std::fs::remove_file(self.path);
    }
}
