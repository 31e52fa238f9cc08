//! Writes BVGraphs with the compressor of the `webgraph` crate, in parts that threads share.
//!
//! Parts are cut by the numbers of nodes and arcs alone, so the bits do not depend on threads. Rows
//! of a part refer to rows of the same part only, which costs next to nothing.
//!
//! The crate's bit writers panic when their last bits cannot be written, and abort when that
//! happens during unwinding. So they write to a [`Sink`], which never fails but keeps the first
//! error. The crate's own parallel compressor does not do so.

use super::written::written_properties;
use crate::{ArcHash, Direction};
use dsi_bitstream::prelude::{BE, BitWrite, BufBitReader, BufBitWriter, GammaWrite, WordAdapter};
use dsi_progress_logger::no_logging;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Write};
use std::ops::Range;
use std::path::Path;
use webgraph::prelude::{
    BvComp, BvGraph, CompFlags, CompStats, DynCodesEncoder, LoadMem, Mmap, OffsetsWriter,
    store_ef_with_data,
};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{Failed, Sink};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Calls a visitor for each row of a range of nodes.
pub type Scan<'a> =
    dyn Fn(Range<usize>, &mut dyn FnMut(Node, &[Node]) -> Result<()>) -> Result<()> + Sync + 'a;

/// Rows to compress.
pub struct Scanned<'a> {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The ranges of nodes that are compressed by themselves, as [`parts`] gives them.
    pub parts: Vec<Range<usize>>,
    /// What the rows hold.
    pub direction: Direction,
    /// The rows themselves.
    pub scan: &'a Scan<'a>,
}

/// What was compressed.
pub struct Compression {
    /// The number of arcs.
    pub arcs: u64,
    /// The bits of the compressed file.
    pub bits: u64,
    /// The hash of the arcs.
    pub hash: ArcHash,
}

/// Cuts nodes into ranges of equal length, with some hundred thousand arcs each on average.
pub fn parts(num_nodes: usize, arcs: u64) -> Vec<Range<usize>> {
    let count = (arcs / ARCS_OF_PART).min(num_nodes as u64 / NODES_OF_PART);
    let count = count.clamp(1, MOST_PARTS) as usize;
    let starts = |part: usize| (part as u128 * num_nodes as u128 / count as u128) as usize;
    (0..count)
        .map(|part| starts(part)..starts(part + 1))
        .collect()
}

/// The arcs of a part on average.
pub fn arcs_of_part(num_nodes: u64, arcs: u64) -> u64 {
    let parts = parts(num_nodes as usize, arcs).len() as u64;
    arcs.div_ceil(parts)
}

const ARCS_OF_PART: u64 = 1 << 18;
const NODES_OF_PART: u64 = 1 << 10;
const MOST_PARTS: u64 = 1 << 10;

/// Writes `basename.graph`, `.properties`, `.offsets` and `.ef`: big endian, so that every tool that
/// knows the format can read them.
///
/// # Errors
/// If a file cannot be written, and those of the scan.
pub fn compress(
    rows: &Scanned,
    flags: &CompFlags,
    basename: &Path,
    progress: &dyn Progress,
) -> Result<Compression> {
    let cannot =
        |problem: String| Error::file(basename, format!("cannot write the graph: {problem}"));
    let file = |extension| basename.with_extension(extension);
    let create = |extension| {
        let path = file(extension);
        File::create(&path).map_err(|source| Error::io(path, "cannot create", source))
    };
    let mut out = Streams::new(create("graph")?, create("offsets")?);
    let hash = out.write(rows, flags, progress);
    let stats = out.finish();
    let (hash, stats) = (
        hash?,
        stats.map_err(|source| Error::io(file("graph"), "cannot write", source))?,
    );
    let properties = written_properties(flags, &stats);
    let properties = properties.map_err(cannot)?;
    std::fs::write(file("properties"), properties)
        .map_err(|source| Error::io(file("properties"), "cannot write", source))?;
    store_ef_with_data(
        rows.num_nodes,
        file("graph"),
        file("offsets"),
        file("ef"),
        no_logging!(),
    )
    .map_err(|problem| cannot(format!("{problem:#}")))?;
    let done = Compression {
        arcs: stats.num_arcs,
        bits: stats.written_bits,
        hash,
    };
    // The crate does not notice when the disk is too full for the last bytes of the .ef file, so it
    // is loaded again. (The crate cannot load a graph of no bits.)
    if rows.num_nodes == 0 {
        return Ok(done);
    }
    let whole = BvGraph::with_basename(basename)
        .endianness::<BE>()
        .graph_mode::<Mmap>()
        .offsets_mode::<LoadMem>()
        .load();
    whole.map(|_| done).map_err(|_| {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        Error::io(file("ef"), "cannot write", full)
    })
}

type Bits<W> = BufBitWriter<BE, WordAdapter<usize, BufWriter<Sink<W>>>>;

/// The streams of a graph: its rows and their offsets.
struct Streams<W: Write> {
    rows: Bits<W>,
    offsets: Bits<W>,
    failed: Failed,
    stats: CompStats,
}

/// A compressed part, in memory.
struct Part {
    rows: Vec<u8>,
    offsets: Vec<u8>,
    stats: CompStats,
    hash: ArcHash,
}

impl<W: Write> Streams<W> {
    fn new(rows: W, offsets: W) -> Self {
        let failed = Failed::default();
        let bits = |out| {
            let out = BufWriter::with_capacity(1 << 16, failed.sink(out));
            BufBitWriter::<BE, _>::new(WordAdapter::<usize, _>::new(out))
        };
        Streams {
            rows: bits(rows),
            offsets: bits(offsets),
            failed,
            stats: CompStats::default(),
        }
    }

    /// Compresses the parts by all threads, and appends them in order.
    fn write(
        &mut self,
        rows: &Scanned,
        flags: &CompFlags,
        progress: &dyn Progress,
    ) -> Result<ArcHash> {
        never_fails(self.offsets.write_gamma(0));
        let mut hashes = Vec::new();
        progress.begin("compress", Some(rows.num_nodes as u64));
        for wave in rows.parts.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let done = tasks::try_map(wave, |part| {
                let done = compress_part(rows, flags, part.clone());
                progress.advance(part.len() as u64);
                done
            })?;
            for part in done {
                hashes.push(part.hash);
                self.append(part);
            }
            if self.failed.is_some() {
                break;
            }
        }
        progress.end();
        Ok(hashes.into_iter().fold(ArcHash::none(), ArcHash::with))
    }

    fn append(&mut self, part: Part) {
        let reader =
            |bytes| BufBitReader::<BE, _>::new(WordAdapter::<u32, _>::new(Cursor::new(bytes)));
        let copied = self
            .rows
            .copy_from(&mut reader(part.rows), part.stats.written_bits);
        never_fails(copied);
        let bits = part.stats.offsets_written_bits;
        never_fails(self.offsets.copy_from(&mut reader(part.offsets), bits));
        self.stats += part.stats;
    }

    fn finish(mut self) -> io::Result<CompStats> {
        BitWrite::flush(&mut self.rows)?;
        BitWrite::flush(&mut self.offsets)?;
        drop((self.rows, self.offsets));
        self.failed.check().map(|()| self.stats)
    }
}

/// Writing to memory, or to a [`Sink`], has no errors.
fn never_fails<T, E: std::fmt::Debug>(written: Result<T, E>) {
    written.expect("the writer takes all bytes");
}

fn compress_part(rows: &Scanned, flags: &CompFlags, part: Range<usize>) -> Result<Part> {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    let mut hash = ArcHash::none();
    let failed = |problem| Error::Rows {
        problem: format!("cannot compress: {problem:#}"),
    };
    let mut compress = || {
        let bits = BufBitWriter::<BE, _>::new(WordAdapter::<usize, _>::new(&mut bytes));
        let mut compressor = BvComp::new(
            DynCodesEncoder::<BE, _>::new(bits, flags).map_err(failed)?,
            OffsetsWriter::from_write(&mut offsets, false).map_err(failed)?,
            flags.compression_window,
            flags.max_ref_count,
            flags.min_interval_length,
            part.start,
            (),
        );
        (rows.scan)(part.clone(), &mut |node, row| {
            hash = hash.with_row(node, row, rows.direction);
            let pushed = compressor.push(row.iter().map(|&target| (target as usize, ())));
            pushed.map_err(failed)
        })?;
        compressor.flush().map_err(failed)
    };
    let stats = compress()?;
    Ok(Part {
        rows: bytes,
        offsets,
        stats,
        hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Csr;
    use webrank_base::progress::Silent;

    /// A disk with space for so many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = self.0.min(bytes.len());
            self.0 -= taken;
            match taken {
                0 if !bytes.is_empty() => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(taken),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_comes() {
        let arcs = (0..200u32).map(|x| (x, x * x % 151));
        let graph = Csr::from_arcs(200, arcs).unwrap();
        let rows = Scanned {
            num_nodes: 200,
            parts: vec![0..100, 100..200],
            direction: Direction::Out,
            scan: &|mut range, visit| {
                range.try_for_each(|node| visit(node as Node, graph.row(node as Node)))
            },
        };
        let write = |rows_space, offsets_space| {
            let mut out = Streams::new(Disk(rows_space), Disk(offsets_space));
            out.write(&rows, &CompFlags::default(), &Silent).unwrap();
            out.finish()
        };
        let enough = 1 << 16;
        let stats = write(enough, enough).unwrap();
        // The last bits fill a word of eight bytes.
        let bytes = |bits: u64| bits.div_ceil(64) as usize * 8;
        let (of_rows, of_offsets) = (bytes(stats.written_bits), bytes(stats.offsets_written_bits));
        for space in 0..=of_rows {
            assert_eq!(
                write(space, enough).is_ok(),
                space == of_rows,
                "{space} bytes of rows"
            );
        }
        for space in 0..=of_offsets {
            let written = write(enough, space);
            assert_eq!(
                written.is_ok(),
                space == of_offsets,
                "{space} bytes of offsets"
            );
        }
    }
}
