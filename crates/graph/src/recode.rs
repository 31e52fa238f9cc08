//! A bundle written again with other codes, another window or other limits.

use super::bundle::{self, BundleManifest, KIND, write_names};
use super::bvgraph::bits::Words;
use super::bvgraph::compress::{Scanned, arcs_of_part, compress, parts};
use super::files::BvFiles;
use super::{ArcHash, Compressed, Direction, Rows, StoredGraph};
use crate::codes::{Coding, bytes_of_counts, distinct_numbers};
use crate::longest::LongestRows;
use std::fs;
use std::ops::Range;
use std::path::Path;
use webgraph::prelude::CompFlags;
use webrank_base::error::{Error, Result};
use webrank_base::output::PendingDirectory;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// How lists are to be written.
#[derive(Debug, Clone)]
pub struct Recoding {
    /// Codes, window and limits.
    pub coding: Coding,
    /// Replace an existing bundle at the output path. Nothing else is ever replaced.
    pub replace: bool,
}

/// The sizes before and after, and the codes.
#[derive(Debug, Clone, Copy)]
pub struct Recoded {
    /// The bits of all lists before.
    pub before: u64,
    /// The bits of all lists now.
    pub after: u64,
    /// The codes, the window and the limits.
    pub flags: CompFlags,
}

/// A graph that was read once: its lists are whole, and how much memory compression takes is known.
pub struct Recoder<'s> {
    source: &'s StoredGraph,
    recoding: Recoding,
    directory: PendingDirectory,
    graph: Compressed,
    transpose: Option<Compressed>,
    seen: Seen,
}

/// The findings of a scan of all rows.
struct Seen {
    arcs: u64,
    hash: ArcHash,
    longest: LongestRows,
    /// The most bits of what is compressed at a time, and of all.
    bits: [u64; 2],
}

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

impl Seen {
    fn of(
        graph: &Compressed,
        direction: Direction,
        window: usize,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin("read", Some(graph.num_nodes() as u64));
        let none = || Seen {
            arcs: 0,
            hash: ArcHash::none(),
            longest: LongestRows::none(window),
            bits: [0; 2],
        };
        let blocks = tasks::try_map(graph.blocks(BLOCK_BITS), |block| {
            progress.check()?;
            let (mut seen, nodes) = (none(), block.len() as u64);
            graph.for_rows(block, &mut |node, row| {
                seen.arcs += row.len() as u64;
                seen.hash = seen.hash.with_row(node, row, direction);
                seen.longest.push(row.len());
            })?;
            progress.advance(nodes);
            Ok::<_, Error>(seen)
        })?;
        let mut seen = blocks.into_iter().fold(none(), |all, block| Seen {
            arcs: all.arcs + block.arcs,
            hash: all.hash.with(block.hash),
            longest: all.longest.with(&block.longest),
            bits: all.bits,
        });
        graph.check_count(seen.arcs)?;
        let of_part = |part: Range<usize>| {
            let last = graph.bits_of(part.end - 1);
            last.end.saturating_sub(graph.bits_of(part.start).start)
        };
        let parts = parts(graph.num_nodes(), seen.arcs).into_iter();
        let parts = parts.filter(|part| !part.is_empty()).map(of_part);
        seen.bits = [parts.max().unwrap_or(0), graph.num_bits()];
        Ok(seen)
    }
}

impl<'s> Recoder<'s> {
    /// Reads all rows of `source`, which is to be written to `output`.
    ///
    /// # Errors
    /// If `output` exists and is not to be replaced or is no bundle; if a file is damaged, or if the
    /// transpose is that of another graph.
    pub fn new(
        source: &'s StoredGraph,
        recoding: Recoding,
        output: &Path,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let directory = PendingDirectory::create(output, KIND, recoding.replace)?;
        let graph = source.streamed()?;
        let transpose = source.streamed_transpose()?;
        let window = Self::windows(source, &recoding).into_iter().max();
        let window = window.unwrap_or(0);
        let mut seen = Seen::of(&graph, Direction::Out, window, progress)?;
        let manifest = source.manifest().filter(|_| !source.is_reversed);
        if let Some(hash) = manifest.and_then(|manifest| manifest.arc_hash)
            && hash != seen.hash
        {
            let problem = "the arcs are not those of the manifest; make the bundle again";
            return Err(Error::file(graph.path(), problem));
        }
        if let Some(transpose) = &transpose {
            let reversed = Seen::of(transpose, Direction::In, window, progress)?;
            if reversed.hash != seen.hash {
                let problem = "these are not the reversed arcs of the graph: one of the two is \
                               damaged; copy both again, or remove the transpose";
                return Err(Error::file(transpose.path(), problem));
            }
            seen.longest = seen.longest.with(&reversed.longest);
            let [part, all] = reversed.bits;
            seen.bits = [seen.bits[0].max(part), seen.bits[1].max(all)];
        }
        Ok(Recoder {
            source,
            recoding,
            directory,
            graph,
            transpose,
            seen,
        })
    }

    /// The lists that the writer holds at a time, and the reader.
    fn windows(source: &StoredGraph, recoding: &Recoding) -> [usize; 2] {
        let writer = recoding.coding.flags.compression_window;
        [writer, source.properties().window].map(|window| window + 1)
    }

    /// The bytes that [`Self::write`] holds at most, without names.
    pub fn needs(&self) -> u64 {
        let size = crate::Size::on_disk(self.source, None);
        let [written, read] = Self::windows(self.source, &self.recoding);
        // For each list of the window: its successors, and what of the longest list would be written
        // if that one copied from it, all in lists of 8 bytes an entry that double as they grow.
        let window = LIST * written as u64 + 5 * 8 * self.seen.longest.sum(written);
        // The rows of the reader.
        let rows = 4 * self.seen.longest.sum(read);
        // Each thread has a window, and two parts that are counted, or compressed, and not yet merged or
        // written.
        let of_part = arcs_of_part(size.nodes, size.arcs);
        let [bits_of_part, bits] = self.seen.bits;
        let (mut counts, mut part) = (0, of_part.saturating_mul(8));
        if !self.recoding.coding.best.is_empty() {
            counts = self.of_counts(size.nodes, size.arcs, bits);
            let counted = self.of_counts(size.nodes, of_part, bits_of_part);
            part = part.max(counted.min(of_part.saturating_mul(40)));
        }
        let threads = rayon::current_num_threads() as u64;
        let parts = parts(size.nodes as usize, size.arcs).len() as u64;
        let windows = threads.min(parts).saturating_mul(window + rows);
        let held = (2 * threads).min(parts).saturating_mul(part);
        // The offsets of both graphs, and their index while it is made and read again.
        size.bytes_without_rows(8)
            .saturating_add(windows)
            .saturating_add(held)
            .saturating_add(counts)
    }

    /// The bytes of the counts of so many arcs, which take so many bits. Lists that may copy from as many
    /// others as before have about as many distinct numbers as before.
    fn of_counts(&self, nodes: u64, arcs: u64, bits: u64) -> u64 {
        let (flags, before) = (&self.recoding.coding.flags, self.source.properties());
        let copies = flags.compression_window >= before.window
            && (before.max_references).is_some_and(|before| flags.max_ref_count >= before)
            && flags.min_interval_length == before.min_interval;
        let distinct = match copies {
            true => distinct_numbers(bits).saturating_mul(5) / 4,
            false => u64::MAX,
        };
        bytes_of_counts(nodes, arcs, flags.min_interval_length as u64, distinct)
    }

    /// Writes the bundle; returns what became of the graph, and of its transpose if it has one.
    ///
    /// # Errors
    /// If a file cannot be read or written. Then nothing is left behind, and what was there stays.
    pub fn write(
        self,
        output: &Path,
        progress: &dyn Progress,
    ) -> Result<(Recoded, Option<Recoded>)> {
        let folder = self.directory.path().to_owned();
        let recoded = self
            .fill(&folder, progress)
            .map_err(|problem| problem.moved(&folder, output))?;
        self.directory.finish()?;
        Ok(recoded)
    }

    fn fill(&self, folder: &Path, progress: &dyn Progress) -> Result<(Recoded, Option<Recoded>)> {
        let basename = folder.join(bundle::GRAPH);
        let graph = self.recode(&self.graph, &basename, Direction::Out, progress)?;
        let basename = folder.join(bundle::TRANSPOSE);
        let transpose = self.transpose.as_ref();
        let transpose = transpose
            .map(|transpose| self.recode(transpose, &basename, Direction::In, progress))
            .transpose()?;
        self.copy_rest(folder)?;
        let counts = (self.graph.num_nodes() as u64, self.seen.arcs);
        let manifest = BundleManifest::listing(folder, counts, self.seen.hash)?;
        let path = folder.join(bundle::MANIFEST);
        fs::write(&path, manifest.to_text())
            .map_err(|source| Error::io(path, "cannot write", source))?;
        Ok((graph, transpose))
    }

    /// Writes one direction, and reads it again.
    fn recode(
        &self,
        graph: &Compressed,
        basename: &Path,
        direction: Direction,
        progress: &dyn Progress,
    ) -> Result<Recoded> {
        let rows = Scanned {
            num_nodes: graph.num_nodes(),
            parts: parts(graph.num_nodes(), self.seen.arcs),
            direction,
            scan: &|range, visit| graph.try_rows(range, visit),
        };
        let (flags, _) = self.recoding.coding.choose(&rows, progress)?;
        compress(&rows, &flags, basename, progress)?;
        let written = BvFiles::find(basename)?;
        let written = written.map(|files| files.load(Words::open, None));
        let written = written.transpose()?;
        let is_whole = |written: &Compressed| {
            Seen::of(written, direction, 0, progress).map(|seen| seen.hash == self.seen.hash)
        };
        match written {
            Some(written) if is_whole(&written)? => Ok(Recoded {
                before: graph.num_bits(),
                after: written.num_bits(),
                flags,
            }),
            _ => Err(Error::file(
                basename,
                "what was written does not hold the arcs of the graph; check the disk",
            )),
        }
    }

    /// Copies names, and all other files of the bundle but its graphs.
    fn copy_rest(&self, folder: &Path) -> Result<()> {
        let source = self.source;
        let offsets = source.forward.file(".offsets");
        if source.folder.is_some() && self.transpose.is_none() && !offsets.exists() {
            // As compact as it was.
            let offsets = folder.join(bundle::GRAPH).with_extension("offsets");
            fs::remove_file(&offsets)
                .map_err(|source| Error::io(offsets, "cannot remove", source))?;
        }
        let listed = source
            .manifest
            .iter()
            .flat_map(|manifest| manifest.files.keys());
        let rest = listed.filter(|name| {
            let stem = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let is_names = [bundle::NAMES, bundle::NAMES_INDEX].contains(&name.as_str());
            ![bundle::GRAPH, bundle::TRANSPOSE].contains(&stem) && !is_names
        });
        for name in rest {
            if let Some(from) = source.folder.as_ref().map(|folder| folder.join(name)) {
                copy(&from, &folder.join(name))?;
            }
        }
        let to = folder.join(bundle::NAMES);
        match (&source.names, source.index_path()) {
            (None, _) => Ok(()),
            (Some(names), Some(index)) => {
                copy(&index, &folder.join(bundle::NAMES_INDEX))?;
                copy(names, &to)
            }
            // Names of an earlier version, or from elsewhere.
            (Some(_), None) => {
                let names = source.names()?;
                let names = names.iter().flat_map(|names| {
                    (0..names.len()).map(|node| names.get(node as webrank_base::Node))
                });
                write_names(names, &to)
            }
        }
    }
}

/// Buffers of the compressor for each list of the window.
const LIST: u64 = 48 << 10;

pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    let cannot = |source| Error::io(to, "cannot write", source);
    let mut file = webrank_base::regular::open(from)?;
    let mut copy = fs::File::create(to).map_err(cannot)?;
    std::io::copy(&mut file, &mut copy)
        .map_err(cannot)
        .map(drop)
}
