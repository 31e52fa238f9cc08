//! Rows of other nodes, kept in a temporary file until they are compressed.

use bytemuck::{cast_slice, cast_slice_mut};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_graph::shards::damaged;

/// Rows between two places that can be found.
const STEP: usize = 1 << 10;

/// Rows, written one after the other: node, length, sources.
pub struct Spill {
    path: PathBuf,
    out: Option<BufWriter<File>>,
    bytes: u64,
    /// Where every [`STEP`]-th row begins.
    places: Vec<u64>,
    pub rows: usize,
    pub arcs: u64,
}

impl Spill {
    /// An empty file, with a buffer of so many bytes.
    pub fn new((path, file): (PathBuf, File), buffer: usize) -> Self {
        Spill {
            path,
            out: Some(BufWriter::with_capacity(buffer, file)),
            bytes: 0,
            places: Vec::new(),
            rows: 0,
            arcs: 0,
        }
    }

    /// Appends rows as words: node, length, sources.
    pub fn append(&mut self, mut words: &[Node]) -> Result<()> {
        while let [_, length, ..] = *words {
            let (row, rest) = words.split_at(2 + length as usize);
            if self.rows.is_multiple_of(STEP) {
                self.places.push(self.bytes);
            }
            let out = self
                .out
                .as_mut()
                .expect("rows are appended before they are read");
            let bytes: &[u8] = cast_slice(row);
            out.write_all(bytes)
                .map_err(|source| Error::io(&self.path, "cannot write", source))?;
            self.bytes += bytes.len() as u64;
            self.rows += 1;
            self.arcs += u64::from(length);
            words = rest;
        }
        Ok(())
    }

    /// Ends writing.
    pub fn end(&mut self) -> Result<()> {
        match self.out.take().map(|mut out| out.flush()) {
            Some(Err(source)) => Err(Error::io(&self.path, "cannot write", source)),
            _ => Ok(()),
        }
    }

    /// Calls `visit(node, sources)` for a range of rows. Memory: the longest row.
    pub fn for_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()> {
        let range = range.start..range.end.min(self.rows);
        if range.is_empty() {
            return Ok(());
        }
        let cannot = |source| Error::io(&self.path, "cannot read", source);
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.path).map_err(cannot)?);
        let step = range.start / STEP;
        file.seek(SeekFrom::Start(self.places[step]))
            .map_err(cannot)?;
        let (mut head, mut row) = ([0u32; 2], Vec::new());
        for index in step * STEP..range.end {
            file.read_exact(cast_slice_mut(&mut head)).map_err(cannot)?;
            let [node, length] = head;
            if u64::from(length) > self.arcs {
                return Err(damaged(&self.path, "a temporary file has changed"));
            }
            row.resize(length as usize, 0);
            file.read_exact(cast_slice_mut(&mut row)).map_err(cannot)?;
            if index >= range.start {
                visit(node, &row)?;
            }
        }
        Ok(())
    }
}
