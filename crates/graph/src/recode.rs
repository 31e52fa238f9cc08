//! A bundle written again with other codes, another window or other limits.

use super::bundle::{self, BundleManifest, KIND, write_names};
use super::bvgraph::bits::Words;
use super::bvgraph::compress::{Scanned, arcs_of_part, compress, parts};
use super::files::BvFiles;
use super::{ArcHash, Compressed, Direction, Rows, StoredGraph};
use crate::codes::{Coding, bytes_of_counts};
use std::fs;
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

/// What was written.
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

/// What a scan of all rows finds.
#[derive(Clone, Copy)]
struct Seen {
    arcs: u64,
    hash: ArcHash,
    longest: u64,
}

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

impl Seen {
    fn of(graph: &Compressed, direction: Direction, progress: &dyn Progress) -> Result<Self> {
        progress.begin("read", Some(graph.num_nodes() as u64));
        let none = Seen {
            arcs: 0,
            hash: ArcHash::none(),
            longest: 0,
        };
        let parts = tasks::try_map(graph.blocks(BLOCK_BITS), |block| {
            progress.check()?;
            let (mut seen, nodes) = (none, block.len() as u64);
            graph.for_rows(block, &mut |node, row| {
                seen.arcs += row.len() as u64;
                seen.hash = seen.hash.with_row(node, row, direction);
                seen.longest = seen.longest.max(row.len() as u64);
            })?;
            progress.advance(nodes);
            Ok::<_, Error>(seen)
        })?;
        let seen = parts.into_iter().fold(none, |all, part| Seen {
            arcs: all.arcs + part.arcs,
            hash: all.hash.with(part.hash),
            longest: all.longest.max(part.longest),
        });
        graph.check_count(seen.arcs)?;
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
        let mut seen = Seen::of(&graph, Direction::Out, progress)?;
        let manifest = source.manifest().filter(|_| !source.is_reversed);
        if let Some(hash) = manifest.and_then(|manifest| manifest.arc_hash)
            && hash != seen.hash
        {
            let problem = "the arcs are not those of the manifest; make the bundle again";
            return Err(Error::file(graph.path(), problem));
        }
        if let Some(transpose) = &transpose {
            let reversed = Seen::of(transpose, Direction::In, progress)?;
            if reversed.hash != seen.hash {
                let problem = "these are not the reversed arcs of the graph: one of the two is \
                               damaged; copy both again, or remove the transpose";
                return Err(Error::file(transpose.path(), problem));
            }
            seen.longest = seen.longest.max(reversed.longest);
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

    /// The bytes that [`Self::write`] holds at most, without names.
    pub fn needs(&self) -> u64 {
        let size = crate::Size::on_disk(self.source, None);
        let lists = self.recoding.coding.flags.compression_window as u64 + 1;
        // For each list of the window: its successors, and what of the longest list would be written
        // if that one copied from it, all in lists of 8 bytes an entry that double as they grow.
        let window = lists.saturating_mul(LIST + 5 * 8 * self.seen.longest);
        // The offsets of both graphs, and their index while it is made and read again; the rows of
        // the reader.
        let rows = 4 * size.arcs.min(lists.saturating_mul(self.seen.longest));
        // Each thread has a window, and two parts that are counted, or compressed, and not yet merged or
        // written.
        let min_interval = self.recoding.coding.flags.min_interval_length as u64;
        let (counts, of_arc) = match self.recoding.coding.best.is_empty() {
            true => (0, 8),
            false => (
                bytes_of_counts(size.nodes, size.arcs, min_interval, u64::MAX),
                40,
            ),
        };
        let part = arcs_of_part(size.nodes, size.arcs).saturating_mul(of_arc);
        let threads = rayon::current_num_threads() as u64;
        let of_thread = window.saturating_add(rows).saturating_add(2 * part);
        size.bytes_without_rows(8)
            .saturating_add(threads.saturating_mul(of_thread))
            .saturating_add(counts)
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
            Seen::of(written, direction, progress).map(|seen| seen.hash == self.seen.hash)
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
