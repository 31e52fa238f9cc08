//! The rows of predecessors of a graph that is cut.

use crate::import::{ImportFiles, ImportOptions, OnDisk, read_to_disk};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::memory::{admit, allowed_memory};
use webrank_base::parallel::blocks;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::shards::damaged;
use webrank_graph::{Compressed, Csr, Graph, Rows};

/// Bits (plus nodes), or arcs in memory, that a task reads at a time.
const BLOCK_BITS: u64 = 1 << 19;
const BLOCK_ARCS: u64 = 1 << 16;

/// The bytes of what tasks hold besides, of all threads, and those of a node or an arc of a small graph.
const BESIDES: u64 = 64 << 20;
const BESIDES_OF_ENTRY: u64 = 16;

/// The bytes that a thread takes besides, unless rows are very long.
const OF_THREAD: u64 = 16 << 20;

/// Rows of predecessors.
pub(super) enum Predecessors {
    Disk(Box<Compressed>),
    /// In temporary files, which are removed with it.
    Sorted {
        rows: Box<Compressed>,
        _files: Box<OnDisk>,
    },
    Memory(Arc<Csr>),
}

impl Predecessors {
    /// The transpose beside the graph; if there is none, rows in memory if they fit, otherwise rows that
    /// are sorted in temporary files in a folder.
    pub(super) fn of(graph: &Graph, folder: &Path, progress: &dyn Progress) -> Result<Self> {
        let Some(source) = graph.source() else {
            return Ok(Predecessors::Memory(graph.predecessors(progress)?));
        };
        if let Some(rows) = source.streamed_transpose()? {
            return Ok(Predecessors::Disk(Box::new(rows)));
        }
        let threads = rayon::current_num_threads() as u64;
        let comfortable = in_memory(graph) + besides(graph) + threads * OF_THREAD;
        if admit("shard", comfortable, allowed_memory()).is_ok() {
            return Ok(Predecessors::Memory(graph.predecessors(progress)?));
        }
        let options = ImportOptions {
            ids: true,
            unweighted: true,
            ..ImportOptions::default()
        };
        let sources = ImportFiles::new(&[source.path().to_owned()])?;
        let sorted = read_to_disk(&sources, &options, folder, progress)?;
        let rows = match sorted.graph.source() {
            Some(source) => source.streamed_transpose()?,
            None => None,
        };
        let missing = || damaged(source.path(), "the transpose in temporary files is lost");
        let rows = Box::new(rows.ok_or_else(missing)?);
        Ok(Predecessors::Sorted {
            rows,
            _files: Box::new(sorted),
        })
    }

    pub(super) fn rows(&self) -> &dyn Rows {
        match self {
            Predecessors::Disk(rows) | Predecessors::Sorted { rows, .. } => &**rows,
            Predecessors::Memory(rows) => &**rows,
        }
    }

    pub(super) fn blocks(&self) -> Vec<Range<usize>> {
        match self {
            Predecessors::Disk(rows) | Predecessors::Sorted { rows, .. } => rows.blocks(BLOCK_BITS),
            Predecessors::Memory(rows) => blocks::cut(rows.offsets(), BLOCK_ARCS),
        }
    }
}

/// The bytes held with rows in memory, besides those of tasks and threads.
pub(super) fn in_memory(graph: &Graph) -> u64 {
    Size::of(graph).bytes(16, 4)
}

/// The most bytes of what tasks hold besides, before rows are read.
fn besides(graph: &Graph) -> u64 {
    let entries = graph.num_arcs() + graph.num_nodes() as u64;
    BESIDES.min(BESIDES_OF_ENTRY.saturating_mul(entries))
}
