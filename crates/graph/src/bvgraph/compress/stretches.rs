//! Stretches of a part: compressed rows, and runs of empty ones, which take no time.

use super::Scanned;
use crate::ArcHash;
use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::prelude::{BE, BufBitWriter, WordAdapter};
use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;
use std::rc::Rc;
use webgraph::prelude::{BvComp, CompFlags, CompStats, DynCodesEncoder, OffsetsWriter};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// A stretch of a compressed part, in memory.
pub(super) enum Stretch {
    Lists {
        rows: Vec<u8>,
        offsets: Vec<u8>,
        stats: CompStats,
    },
    /// So many empty rows.
    Empty(usize),
}

/// Empty rows that are written at once. More than a window of them, so that no list refers across.
const RUN: usize = 256;

/// An empty row is the bit 1, whose length is 1: both in gamma code.
pub(super) const EMPTY: CompStats = CompStats {
    num_nodes: 1,
    num_arcs: 0,
    written_bits: 1,
    offsets_written_bits: 3,
    tot_ref: 0,
    tot_dist: 0,
    labels_written_bits: 0,
    label_offsets_written_bits: 0,
};

/// Compresses the rows of a part, which refer to rows of the same part only.
pub(super) fn compress_part(
    rows: &Scanned,
    flags: &CompFlags,
    part: Range<usize>,
) -> Result<(Vec<Stretch>, ArcHash)> {
    let mut hash = ArcHash::none();
    let mut compressor = PartCompressor {
        flags,
        next: part.start,
        stretches: Vec::new(),
        lists: None,
    };
    (rows.scan)(part.clone(), &mut |node, row| {
        if row.is_empty() {
            return Ok(());
        }
        hash = hash.with_row(node, row, rows.direction);
        compressor.skip_to(node as usize)?;
        compressor.push(row)
    })?;
    compressor.skip_to(part.end)?;
    compressor.end_lists()?;
    Ok((compressor.stretches, hash))
}

/// Compresses the rows of a part, in stretches.
struct PartCompressor<'f> {
    flags: &'f CompFlags,
    /// The node of the next row.
    next: usize,
    stretches: Vec<Stretch>,
    /// The stretch that has not ended.
    lists: Option<Lists>,
}

/// Bytes that stay when their writer is gone.
#[derive(Clone, Default)]
pub(super) struct Bytes(pub(super) Rc<RefCell<Vec<u8>>>);

type Encoder = DynCodesEncoder<BE, BufBitWriter<BE, WordAdapter<usize, Bytes>>>;

/// The compressor of a stretch, and where it writes.
pub(super) struct Lists {
    pub(super) compressor: BvComp<Encoder, Bytes>,
    pub(super) rows: Bytes,
    pub(super) offsets: Bytes,
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lists {
    pub(super) fn new(flags: &CompFlags, first: usize) -> Result<Self> {
        let (rows, offsets) = (Bytes::default(), Bytes::default());
        let bits = BufBitWriter::<BE, _>::new(WordAdapter::<usize, _>::new(rows.clone()));
        let compressor = BvComp::new(
            DynCodesEncoder::new(bits, flags).map_err(failed)?,
            OffsetsWriter::from_write(offsets.clone(), false).map_err(failed)?,
            flags.compression_window,
            flags.max_ref_count,
            flags.min_interval_length,
            first,
            (),
        );
        Ok(Lists {
            compressor,
            rows,
            offsets,
        })
    }
}

impl PartCompressor<'_> {
    /// Rows up to that of a node are empty.
    fn skip_to(&mut self, node: usize) -> Result<()> {
        let is_known = self.flags.outdegrees == Codes::Gamma;
        if is_known && node - self.next >= RUN.max(self.flags.compression_window) {
            self.end_lists()?;
            self.stretches.push(Stretch::Empty(node - self.next));
            self.next = node;
        }
        (self.next..node).try_for_each(|_| self.push(&[]))
    }

    fn push(&mut self, row: &[Node]) -> Result<()> {
        let lists = match &mut self.lists {
            Some(lists) => lists,
            None => self.lists.insert(Lists::new(self.flags, self.next)?),
        };
        self.next += 1;
        let row = row.iter().map(|&target| (target as usize, ()));
        lists.compressor.push(row).map_err(failed)
    }

    fn end_lists(&mut self) -> Result<()> {
        if let Some(lists) = self.lists.take() {
            let stats = lists.compressor.flush().map_err(failed)?;
            self.stretches.push(Stretch::Lists {
                rows: lists.rows.0.take(),
                offsets: lists.offsets.0.take(),
                stats,
            });
        }
        Ok(())
    }
}

fn failed(problem: impl std::fmt::Display) -> Error {
    Error::Rows {
        problem: format!("cannot compress: {problem:#}"),
    }
}
