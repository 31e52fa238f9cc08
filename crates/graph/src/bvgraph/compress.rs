//! Writes BVGraphs with the compressor of the `webgraph` crate, in parts that threads share.
//!
//! Parts are cut by the numbers of nodes and arcs alone, so the bits do not depend on threads. Rows
//! of a part refer to rows of the same part only, which costs next to nothing.
//!
//! The crate's bit writers panic when their last bits cannot be written, and abort when that
//! happens during unwinding. So they write to a [`Sink`], which never fails but keeps the first
//! error. The crate's own parallel compressor does not do so.

mod stretches;

use super::written::written_properties;
use crate::{ArcHash, Direction};
use dsi_bitstream::prelude::{BE, BitWrite, BufBitReader, BufBitWriter, GammaWrite, WordAdapter};
use dsi_progress_logger::no_logging;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Write};
use std::ops::Range;
use std::path::Path;
use stretches::{EMPTY, Stretch, compress_part};
use webgraph::prelude::{BvGraph, CompFlags, CompStats, LoadMem, Mmap, store_ef_with_data};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{Failed, Sink};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Calls a visitor for the rows of a range of nodes, in their order. Rows that are left out are empty.
pub type Scan<'a> =
    dyn Fn(Range<usize>, &mut dyn FnMut(Node, &[Node]) -> Result<()>) -> Result<()> + Sync + 'a;

/// Rows to compress.
pub struct Scanned<'a> {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The ranges of nodes that are compressed by themselves, as [`parts`] gives them.
    pub parts: Vec<Range<usize>>,
    /// The direction of the rows.
    pub direction: Direction,
    /// The rows themselves.
    pub scan: &'a Scan<'a>,
}

/// The result of a compression.
pub struct CompressionReport {
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
) -> Result<CompressionReport> {
    let done = compress_lists(rows, flags, basename, progress)?;
    let file = |extension| basename.with_extension(extension);
    store_ef_with_data(
        rows.num_nodes,
        file("graph"),
        file("offsets"),
        file("ef"),
        no_logging!(),
    )
    .map_err(|problem| cannot_write(basename, format!("{problem:#}")))?;
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

fn cannot_write(basename: &Path, problem: String) -> Error {
    Error::file(basename, format!("cannot write the graph: {problem}"))
}

/// [`compress`] without `.ef` for other tools. O(1) for a run of empty rows, but for their bits.
///
/// # Errors
/// As for [`compress`].
pub fn compress_lists(
    rows: &Scanned,
    flags: &CompFlags,
    basename: &Path,
    progress: &dyn Progress,
) -> Result<CompressionReport> {
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
    let properties = properties.map_err(|problem| cannot_write(basename, problem))?;
    std::fs::write(file("properties"), properties)
        .map_err(|source| Error::io(file("properties"), "cannot write", source))?;
    Ok(CompressionReport {
        arcs: stats.num_arcs,
        bits: stats.written_bits,
        hash,
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
            for (stretches, hash) in done {
                hashes.push(hash);
                stretches
                    .into_iter()
                    .for_each(|stretch| self.append(stretch));
            }
            if self.failed.is_some() {
                break;
            }
        }
        progress.end();
        Ok(hashes.into_iter().fold(ArcHash::none(), ArcHash::with))
    }

    fn append(&mut self, stretch: Stretch) {
        let reader =
            |bytes| BufBitReader::<BE, _>::new(WordAdapter::<u32, _>::new(Cursor::new(bytes)));
        match stretch {
            Stretch::Lists {
                rows,
                offsets,
                stats,
            } => {
                let bits = stats.written_bits;
                never_fails(self.rows.copy_from(&mut reader(rows), bits));
                let bits = stats.offsets_written_bits;
                never_fails(self.offsets.copy_from(&mut reader(offsets), bits));
                self.stats += stats;
            }
            Stretch::Empty(count) => {
                repeat(&mut self.rows, 0b1, EMPTY.written_bits, count);
                repeat(&mut self.offsets, 0b010, EMPTY.offsets_written_bits, count);
                self.stats += CompStats {
                    num_nodes: count,
                    written_bits: EMPTY.written_bits * count as u64,
                    offsets_written_bits: EMPTY.offsets_written_bits * count as u64,
                    ..EMPTY
                };
            }
        }
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

/// Writes a code of so many bits again and again, a word at a time.
fn repeat<W: Write>(out: &mut Bits<W>, code: u64, length: u64, count: usize) {
    let length = length as usize;
    let at_once = 64 / length;
    let word = (0..at_once).fold(0, |word, _| word << length | code);
    for _ in 0..count / at_once {
        never_fails(out.write_bits(word, at_once * length));
    }
    for _ in 0..count % at_once {
        never_fails(out.write_bits(code, length));
    }
}

#[cfg(test)]
mod tests {
    use super::stretches::{Bytes, Lists};
    use super::*;
    use crate::Csr;
    use dsi_bitstream::dispatch::Codes;
    use proptest::prelude::*;
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Runs of empty rows have the bits that the crate gives them one by one.
        #[test]
        fn runs_of_empty_rows_change_no_bit(
            gaps in prop::collection::vec(prop_oneof![0usize..12, 200usize..900], 1..12),
            outdegrees in prop::sample::select(vec![Codes::Gamma, Codes::Zeta(3)]),
        ) {
            let mut rows: Vec<Vec<Node>> = Vec::new();
            for (row, &gap) in gaps.iter().enumerate() {
                rows.extend(vec![Vec::new(); gap]);
                rows.push((0..9).map(|place| place * (1 + row as Node % 5)).collect());
            }
            let flags = CompFlags { outdegrees, ..CompFlags::default() };
            let scanned = Scanned {
                num_nodes: rows.len(),
                parts: std::iter::once(0..rows.len()).collect(),
                direction: Direction::Out,
                scan: &|mut range, visit| range.try_for_each(|node| match node % 2 {
                    // Some empty rows are left out.
                    0 if rows[node].is_empty() => Ok(()),
                    _ => visit(node as Node, &rows[node]),
                }),
            };
            let folder = tempfile::tempdir().unwrap();
            let basename = folder.path().join("graph");
            compress_lists(&scanned, &flags, &basename, &Silent).unwrap();
            let mut lists = Lists::new(&flags, 0).unwrap();
            for row in &rows {
                let row = row.iter().map(|&target| (target as usize, ()));
                lists.compressor.push(row).unwrap();
            }
            let all = Stretch::Lists {
                stats: lists.compressor.flush().unwrap(),
                rows: lists.rows.0.take(),
                offsets: lists.offsets.0.take(),
            };
            let (graph, offsets) = (Bytes::default(), Bytes::default());
            let mut out = Streams::new(graph.clone(), offsets.clone());
            never_fails(out.offsets.write_gamma(0));
            out.append(all);
            out.finish().unwrap();
            let read = |extension| std::fs::read(basename.with_extension(extension)).unwrap();
            prop_assert_eq!(read("graph"), graph.0.take());
            prop_assert_eq!(read("offsets"), offsets.0.take());
        }
    }
}
