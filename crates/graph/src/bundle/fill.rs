//! The files of a bundle, but for names: rows that are scanned as often as needed, compressed in
//! both directions, their weights, and the manifest.

use super::{BundleManifest, GRAPH, MANIFEST, MadeFrom, NAMES, NamesWriter, TRANSPOSE, WEIGHTS};
use crate::bvgraph::compress::{Scanned, compress};
use crate::codes::Coding;
use crate::{ArcHash, Direction};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use webgraph::prelude::CompFlags;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// A visitor of rows: a node, its neighbours, and the weights of the arcs (empty if arcs have none).
pub type RowVisitor<'a> = dyn FnMut(Node, &[Node], &[f64]) -> Result<()> + 'a;

/// The arcs of a bundle, as rows of successors.
pub trait Content: Sync {
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
    fn rows(&self, range: Range<usize>, visit: &mut RowVisitor) -> Result<()>;

    /// Turns every arc around.
    ///
    /// # Errors
    /// If memory is short.
    fn reverse(&mut self) -> Result<()>;
}

/// A bundle to be written.
pub trait Target: Sized {
    /// A writer of names. Names that do not come in order are sorted within `room`.
    ///
    /// # Errors
    /// If its files cannot be made.
    fn names(&self, room: Option<SpillBudget>) -> Result<NamesWriter>;

    /// Calls `write` with the folder of the bundle, to which it adds files.
    ///
    /// # Errors
    /// The errors of `write`.
    fn add(&self, write: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()>;

    /// Writes arcs and manifest, and puts the bundle in place.
    ///
    /// # Errors
    /// If a file cannot be written, and those of the content. Nothing is left behind, and what was
    /// there stays.
    fn finish(self, content: &mut dyn Content, progress: &dyn Progress) -> Result<Written>;
}

/// A bundle that was written.
pub struct Written {
    /// The rows of successors.
    pub graph: WrittenRows,
    /// The rows of predecessors.
    pub transpose: Option<WrittenRows>,
}

/// The rows of one direction, as they were written.
pub struct WrittenRows {
    /// Their arcs.
    pub arcs: u64,
    /// Their bits in the compressed file.
    pub bits: u64,
    hash: ArcHash,
    /// The codes, the window and the limits.
    pub(crate) flags: CompFlags,
    /// The bits with the codes that would have been used if none had been chosen by the numbers.
    pub unchosen_bits: Option<u64>,
}

/// A bundle that is read again soon and then removed, in a folder of its own.
pub struct TemporaryBundle {
    folder: TemporaryFolder,
    has_transpose: bool,
}

impl TemporaryBundle {
    /// Begins a bundle in a folder, of both directions or of one.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(parent: &Path, has_transpose: bool) -> Result<Self> {
        Ok(TemporaryBundle {
            folder: TemporaryFolder::create(parent)?,
            has_transpose,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Target for &TemporaryBundle {
    fn names(&self, room: Option<SpillBudget>) -> Result<NamesWriter> {
        let path = self.path().join(NAMES);
        NamesWriter::create(&path, &path, room)
    }

    fn add(&self, write: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
        write(self.path())
    }

    fn finish(self, content: &mut dyn Content, progress: &dyn Progress) -> Result<Written> {
        // With the usual codes.
        fill(
            self.path(),
            content,
            &Coding::default(),
            !self.has_transpose,
            None,
            progress,
        )
    }
}

/// Writes all files of a bundle but its names, which are there already.
pub(super) fn fill(
    folder: &Path,
    content: &mut dyn Content,
    coding: &Coding,
    compact: bool,
    made_from: Option<MadeFrom>,
    progress: &dyn Progress,
) -> Result<Written> {
    let basename = folder.join(GRAPH);
    let graph = write_rows(content, coding, Direction::Out, &basename, progress)?;
    if content.is_weighted() {
        write_weights(content, folder)?;
    }
    let mut transpose = None;
    if compact {
        let offsets = basename.with_extension("offsets");
        std::fs::remove_file(&offsets)
            .map_err(|source| Error::io(offsets, "cannot remove", source))?;
    } else {
        content.reverse()?;
        let basename = folder.join(TRANSPOSE);
        let reversed = write_rows(content, coding, Direction::In, &basename, progress)?;
        if (graph.arcs, graph.hash) != (reversed.arcs, reversed.hash) {
            let problem = "the graph and its transpose have different arcs: memory or a temporary \
                           file was damaged; run again";
            return Err(Error::file(folder, problem));
        }
        transpose = Some(reversed);
    }
    let nodes = content.num_nodes() as u64;
    let manifest = BundleManifest {
        made_from,
        ..BundleManifest::listing(folder, (nodes, graph.arcs), graph.hash)?
    };
    let path = folder.join(MANIFEST);
    std::fs::write(&path, manifest.to_text())
        .map_err(|source| Error::io(path, "cannot write", source))?;
    Ok(Written { graph, transpose })
}

fn write_rows(
    content: &dyn Content,
    coding: &Coding,
    direction: Direction,
    basename: &Path,
    progress: &dyn Progress,
) -> Result<WrittenRows> {
    let rows = Scanned {
        num_nodes: content.num_nodes(),
        parts: content.parts(),
        direction,
        scan: &|range, visit| content.rows(range, &mut |node, row, _| visit(node, row)),
    };
    let (flags, unchosen_bits) = coding.choose(&rows, progress)?;
    let done = compress(&rows, &flags, basename, progress)?;
    Ok(WrittenRows {
        arcs: done.arcs,
        bits: done.bits,
        hash: done.hash,
        flags,
        unchosen_bits,
    })
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
