//! Writes the trees of an index, page by page while their leaves come.

use super::blocks::{Place, compressor};
use super::header::{HEADER, Tree};
use super::page::PageWriter;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use zstd::bulk::Compressor;

/// An index being written: its header comes last.
pub(super) struct IndexFile {
    out: BufWriter<File>,
    position: u64,
    compressor: Compressor<'static>,
}

impl IndexFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        out.write_all(&[0; HEADER])?;
        Ok(IndexFile {
            out,
            position: HEADER as u64,
            compressor: compressor()?,
        })
    }

    /// How long the index is so far.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Writes a block; returns where it is.
    pub(super) fn block(&mut self, content: &[u8]) -> io::Result<Place> {
        let bytes = self.compressor.compress(content)?;
        self.out.write_all(&bytes)?;
        let place = Place {
            offset: self.position,
            length: bytes.len() as u32,
            content: content.len() as u32,
        };
        self.position += bytes.len() as u64;
        Ok(place)
    }

    pub(super) fn finish(mut self, header: &[u8]) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(header)?;
        self.out.flush()
    }
}

/// A tree being written: for each level, the page that is being filled, from the leaves up.
#[derive(Default)]
pub(super) struct TreeWriter {
    levels: Vec<PageWriter>,
}

impl TreeWriter {
    /// Adds the next leaf, with the number of its first item.
    pub(super) fn push(
        &mut self,
        leaf: Place,
        first: u32,
        key: &[u8],
        index: &mut IndexFile,
    ) -> io::Result<()> {
        self.push_at(0, leaf, first, key, index)
    }

    fn push_at(
        &mut self,
        level: usize,
        child: Place,
        first: u32,
        key: &[u8],
        index: &mut IndexFile,
    ) -> io::Result<()> {
        if level == self.levels.len() {
            self.levels.push(PageWriter::default());
        }
        if self.levels[level].is_full(key) {
            self.close(level, index)?;
        }
        self.levels[level].push(child, first, key);
        Ok(())
    }

    /// Writes the page of a level, which becomes a child of the level above.
    fn close(&mut self, level: usize, index: &mut IndexFile) -> io::Result<()> {
        let page = std::mem::take(&mut self.levels[level]);
        let place = index.block(&page.content())?;
        let (first, key) = page.first();
        self.push_at(level + 1, place, first, key, index)
    }

    /// Writes the rest. A tree without leaves has an empty root.
    pub(super) fn finish(mut self, index: &mut IndexFile) -> io::Result<Tree> {
        let mut level = 0;
        while level < self.levels.len() {
            let is_top = level + 1 == self.levels.len();
            match self.levels[level].only() {
                Some(root) if is_top => {
                    let depth = level as u32;
                    return Ok(Tree { root, depth });
                }
                _ => self.close(level, index)?,
            }
            level += 1;
        }
        Ok(Tree::default())
    }
}
