//! Writes bundles, from rows that are scanned as often as needed.

use super::{BundleManifest, GRAPH, KIND, MANIFEST, NAMES, TRANSPOSE, WEIGHTS};
use crate::error::{Error, Result};
use crate::graph::bvgraph::compress::{Compression, Scanned, compress, parts};
use crate::graph::{Csr, Direction, Graph, Node};
use crate::output::PendingDirectory;
use crate::parallel::tasks;
use crate::progress::{Progress, Silent};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use webgraph::prelude::CompFlags;

/// How to write a bundle.
#[derive(Debug, Clone, Copy, Default)]
pub struct BundleOptions {
    /// Replace an existing bundle at the output path. Nothing else is ever replaced.
    pub replace: bool,
    /// Leave out the transpose and the `.offsets` file, which are computed when they are missing.
    pub compact: bool,
}

/// A visitor of rows: a node, its neighbours, and the weights of the arcs (empty if arcs have none).
pub(crate) type Visit<'a> = dyn FnMut(Node, &[Node], &[f64]) -> Result<()> + 'a;

/// The arcs of a bundle, as rows of successors.
pub(crate) trait Content: Sync {
    /// The number of nodes.
    fn num_nodes(&self) -> usize;

    /// Ranges of nodes that are compressed by themselves.
    fn parts(&self) -> Vec<Range<usize>>;

    /// True if arcs have weights.
    fn is_weighted(&self) -> bool;

    /// Calls `visit` for each row of a range of nodes.
    ///
    /// # Errors
    /// If rows cannot be read, and those of `visit`.
    fn rows(&self, range: Range<usize>, visit: &mut Visit) -> Result<()>;

    /// Turns every arc around.
    ///
    /// # Errors
    /// If memory is short.
    fn reverse(&mut self) -> Result<()>;
}

/// Rows in memory.
struct Rows<'a> {
    rows: Cow<'a, Csr>,
    /// The weights of the arcs, if they have any, until they are reversed.
    weights: Option<&'a [f64]>,
}

impl Content for Rows<'_> {
    fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    fn parts(&self) -> Vec<Range<usize>> {
        parts(self.rows.num_nodes(), self.rows.num_arcs())
    }

    fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    fn rows(&self, mut range: Range<usize>, visit: &mut Visit) -> Result<()> {
        let offsets = self.rows.offsets();
        range.try_for_each(|node| {
            let of_row = offsets[node] as usize..offsets[node + 1] as usize;
            let weights = self.weights.map_or(&[][..], |weights| &weights[of_row]);
            visit(node as Node, self.rows.row(node as Node), weights)
        })
    }

    fn reverse(&mut self) -> Result<()> {
        self.weights = None;
        self.rows = Cow::Owned(self.rows.transpose()?);
        Ok(())
    }
}

/// Fails if no bundle could be written to `output`.
///
/// # Errors
/// As [`write_bundle`], before any work.
pub fn check_output(output: &Path, options: BundleOptions) -> Result<()> {
    PendingDirectory::create(output, KIND, options.replace).map(drop)
}

/// Writes a graph, its transpose, offsets, names (in node order) and manifest as a bundle.
///
/// # Errors
/// If `output` exists and is not to be replaced or is no bundle, or if a file cannot be written.
/// Then nothing is left behind, and what was there stays.
pub fn write_bundle(
    successors: &Csr,
    names: Option<&[Box<str>]>,
    output: &Path,
    options: BundleOptions,
) -> Result<()> {
    write_graph(successors, names, None, output, options)
}

/// The same with the weights of the arcs, by source and target.
///
/// # Errors
/// As [`write_bundle`].
pub fn write_graph(
    successors: &Csr,
    names: Option<&[Box<str>]>,
    weights: Option<&[f64]>,
    output: &Path,
    options: BundleOptions,
) -> Result<()> {
    let bundle = PendingBundle::create(output, options)?;
    if let Some(names) = names {
        let mut file = bundle.names()?;
        names.iter().try_for_each(|name| file.push(name))?;
        file.finish()?;
    }
    let mut rows = Rows {
        rows: Cow::Borrowed(successors),
        weights,
    };
    bundle.finish(&mut rows, &Silent).map(drop)
}

/// Writes a graph with its names and weights, wherever they come from.
///
/// # Errors
/// As [`write_bundle`]; if the graph cannot be read.
pub fn save(
    graph: &Graph,
    output: &Path,
    options: BundleOptions,
    progress: &dyn Progress,
) -> Result<()> {
    let bundle = PendingBundle::create(output, options)?;
    if let Some(names) = graph.names() {
        let mut file = bundle.names()?;
        let mut nodes = 0..names.len() as Node;
        nodes.try_for_each(|node| file.push(names.get(node)))?;
        file.finish()?;
    }
    let (successors, weighted);
    let mut rows = match graph.weighted_successors(progress)? {
        Some(found) => {
            weighted = found;
            Rows {
                rows: Cow::Borrowed(&weighted.0),
                weights: Some(&weighted.1),
            }
        }
        None => {
            successors = graph.successors(progress)?;
            Rows {
                rows: Cow::Borrowed(&successors),
                weights: None,
            }
        }
    };
    bundle.finish(&mut rows, progress).map(drop)
}

/// A bundle being written.
pub(crate) struct PendingBundle {
    directory: PendingDirectory,
    output: PathBuf,
    options: BundleOptions,
}

/// What was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    pub(crate) arcs: u64,
    /// The bits of the rows of successors.
    pub(crate) bits: u64,
    /// Those of the transpose.
    pub(crate) transpose_bits: Option<u64>,
}

impl PendingBundle {
    /// Begins a bundle.
    ///
    /// # Errors
    /// If `output` exists and is not to be replaced or is no bundle.
    pub(crate) fn create(output: &Path, options: BundleOptions) -> Result<Self> {
        Ok(PendingBundle {
            directory: PendingDirectory::create(output, KIND, options.replace)?,
            output: output.to_owned(),
            options,
        })
    }

    /// A writer of names.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub(crate) fn names(&self) -> Result<NamesWriter> {
        let path = self.output.join(NAMES);
        NamesWriter::create(&self.directory.path().join(NAMES))
            .map(|encoder| NamesWriter {
                path: path.clone(),
                encoder,
            })
            .map_err(|source| Error::io(path, "cannot create", source))
    }

    /// Writes arcs and manifest, and puts the bundle in place.
    ///
    /// # Errors
    /// If a file cannot be written, and those of the content. Nothing is left behind, and what was
    /// there stays.
    pub(crate) fn finish(
        self,
        content: &mut dyn Content,
        progress: &dyn Progress,
    ) -> Result<Written> {
        let written = self.fill(content, progress);
        let moved = |problem: Error| problem.moved(self.directory.path(), &self.output);
        let written = written.map_err(moved)?;
        self.directory.finish()?;
        Ok(written)
    }

    fn fill(&self, content: &mut dyn Content, progress: &dyn Progress) -> Result<Written> {
        let folder = self.directory.path();
        let graph = write_rows(content, Direction::Out, &folder.join(GRAPH), progress)?;
        if content.is_weighted() {
            write_weights(content, folder)?;
        }
        let mut transpose_bits = None;
        if self.options.compact {
            let offsets = folder.join(GRAPH).with_extension("offsets");
            std::fs::remove_file(&offsets)
                .map_err(|source| Error::io(offsets, "cannot remove", source))?;
        } else {
            content.reverse()?;
            let basename = folder.join(TRANSPOSE);
            let transpose = write_rows(content, Direction::In, &basename, progress)?;
            if (graph.arcs, graph.hash) != (transpose.arcs, transpose.hash) {
                let problem = "the graph and its transpose have different arcs: memory or a temporary \
                               file was damaged; run again";
                return Err(Error::file(folder, problem));
            }
            transpose_bits = Some(transpose.bits);
        }
        let nodes = content.num_nodes() as u64;
        let manifest = BundleManifest::listing(folder, (nodes, graph.arcs), graph.hash)?;
        let path = folder.join(MANIFEST);
        std::fs::write(&path, manifest.to_text())
            .map_err(|source| Error::io(path, "cannot write", source))?;
        Ok(Written {
            arcs: graph.arcs,
            bits: graph.bits,
            transpose_bits,
        })
    }
}

fn write_rows(
    content: &dyn Content,
    direction: Direction,
    basename: &Path,
    progress: &dyn Progress,
) -> Result<Compression> {
    let rows = Scanned {
        num_nodes: content.num_nodes(),
        parts: content.parts(),
        direction,
        scan: &|range, visit| content.rows(range, &mut |node, row, _| visit(node, row)),
        flags: CompFlags::default(),
    };
    compress(&rows, basename, progress)
}

/// Writes the weights of all arcs, in half the bytes if they lose nothing.
fn write_weights(content: &dyn Content, folder: &Path) -> Result<()> {
    let is_single = |&weight: &f64| f64::from(weight as f32) == weight;
    let are_single = tasks::try_map(content.parts(), |part| {
        let mut all = true;
        content.rows(part, &mut |_, _, weights| {
            all &= weights.iter().all(is_single);
            Ok(())
        })?;
        Ok::<_, Error>(all)
    })?;
    let are_single = are_single.into_iter().all(|all| all);
    let path = folder.join(WEIGHTS[usize::from(!are_single)]);
    let cannot = |source| Error::io(&path, "cannot write", source);
    let mut out = BufWriter::with_capacity(1 << 18, File::create(&path).map_err(cannot)?);
    content.rows(0..content.num_nodes(), &mut |_, _, weights| {
        let write = |&weight: &f64| match are_single {
            true => out.write_all(&(weight as f32).to_le_bytes()),
            false => out.write_all(&weight.to_le_bytes()),
        };
        weights.iter().try_for_each(write).map_err(cannot)
    })?;
    out.flush().map_err(cannot)
}

/// Writes names, one a line.
pub(crate) struct NamesWriter {
    /// Where the names will be, for messages.
    path: PathBuf,
    encoder: zstd::Encoder<'static, BufWriter<File>>,
}

/// Writes names in node order to a file.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_each_name<'n>(
    mut names: impl Iterator<Item = &'n str>,
    path: &Path,
) -> Result<()> {
    let encoder = NamesWriter::create(path);
    let mut writer = NamesWriter {
        path: path.to_owned(),
        encoder: encoder.map_err(|source| Error::io(path, "cannot create", source))?,
    };
    names.try_for_each(|name| writer.push(name))?;
    writer.finish()
}

impl NamesWriter {
    fn create(path: &Path) -> io::Result<zstd::Encoder<'static, BufWriter<File>>> {
        let file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let mut encoder = zstd::Encoder::new(file, 9)?;
        // Any number of threads gives the same bytes.
        encoder.multithread(rayon::current_num_threads() as u32)?;
        Ok(encoder)
    }

    /// The name of the next node.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn push(&mut self, name: &str) -> Result<()> {
        let written = self.encoder.write_all(name.as_bytes());
        let written = written.and_then(|()| self.encoder.write_all(b"\n"));
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> Result<()> {
        let flushed = self.encoder.finish().and_then(|mut file| file.flush());
        flushed.map_err(|source| Error::io(&self.path, "cannot write", source))
    }
}
