//! The forms in which measures sweep the rows of a graph, and the memory that each takes.
//!
//! A measure that multiplies by rows takes [`RunRows`], which are
//! flat in memory, compact in memory, or compact in a file. Sums over them have the same bits, so
//! scores do not depend on the form.

use super::StoragePlan;
pub use load::Loaded;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::memory::busy_threads;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph, StoredGraph};
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::RunRows;
use webrank_linear::runs::compact;
use webrank_linear::runs::compact::{CompactRows, pack};

mod load;

/// The form in which the graph is swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum StorageChoice {
    /// The first of these forms that fits into memory
    #[default]
    Auto,
    /// In memory: equal rows once, runs of nodes by prefix sums; 4 bytes for each number read
    Runs,
    /// In memory, in about one byte per number, decoded in every sweep
    Compact,
    /// Compact rows in a temporary file, read in every sweep
    Disk,
    /// Decoded in every sweep: 24 bytes per node, however many arcs, and 24 more in memory or in a
    /// temporary file; but many times slower
    Streamed,
    /// Rows and vectors in temporary files, swept in blocks of as many nodes as fit
    External,
}

/// The form of a graph in sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// Rows of predecessors in memory, with equal rows kept once and runs of nodes summed by prefix
    /// sums ([`webrank_linear::runs`]).
    Runs,
    /// Such rows as bytes ([`webrank_linear::runs::compact`]), in memory.
    Compact,
    /// Such rows in a file.
    Disk,
    /// Rows of successors decoded in every sweep.
    Streamed,
    /// Rows and vectors in files.
    External,
    /// Parts of a graph that is cut.
    Shards,
}

/// The form of rows by which a measure multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum RowStorage {
    /// The first of these forms that fits into memory
    #[default]
    Auto,
    /// In memory: equal rows once, runs of nodes by prefix sums; 4 bytes for each number read
    Runs,
    /// In memory, in about one byte per number, decoded in every sweep
    Compact,
    /// Compact rows in a temporary file, read in every sweep
    Disk,
}

impl RowStorage {
    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            RowStorage::Auto => "auto",
            RowStorage::Runs => "runs",
            RowStorage::Compact => "compact",
            RowStorage::Disk => "disk",
        }
    }
}

impl From<RowStorage> for StorageChoice {
    fn from(form: RowStorage) -> Self {
        match form {
            RowStorage::Auto => StorageChoice::Auto,
            RowStorage::Runs => StorageChoice::Runs,
            RowStorage::Compact => StorageChoice::Compact,
            RowStorage::Disk => StorageChoice::Disk,
        }
    }
}

/// The forms in which a measure can sweep a graph.
pub struct StorageOptions<'a> {
    /// The name of the measure.
    pub measure: &'static str,
    /// The graph that is swept.
    pub graph: &'a Graph,
    /// The form that was asked for.
    pub choice: StorageChoice,
    /// The folder of temporary files; none for the system's.
    pub temp: Option<&'a Path>,
    /// The forms that may be taken, the fastest first, and the bytes held in each. Compact rows take
    /// more, which shows only when they are made.
    pub needs: Vec<(Storage, u64)>,
    /// The least bytes for rows that are transposed before they are packed.
    pub transposing: u64,
}

impl<'a> StorageOptions<'a> {
    /// The forms of a measure that multiplies by rows without weights in these directions, which takes
    /// `in_memory` bytes with rows in memory, and `besides` without the rows ([`besides_rows`]). With
    /// `only_runs`, some parameter needs rows in memory.
    pub fn of_rows(
        measure: &'static str,
        graph: &'a Graph,
        directions: &[Direction],
        (form, temp): (RowStorage, Option<&'a Path>),
        [in_memory, besides]: [u64; 2],
        only_runs: bool,
    ) -> Self {
        let transposing = match directions.contains(&Direction::In) {
            true => transposing(graph),
            false => 0,
        };
        let runs = (Storage::Runs, in_memory);
        let packed = |form| (form, besides.saturating_add(transposing));
        StorageOptions {
            measure,
            graph,
            choice: form.into(),
            temp,
            needs: match form {
                RowStorage::Compact => vec![packed(Storage::Compact)],
                RowStorage::Disk => vec![packed(Storage::Disk)],
                RowStorage::Auto
                    if graph.source().is_some() && !graph.has_weights() && !only_runs =>
                {
                    vec![runs, packed(Storage::Disk)]
                }
                RowStorage::Auto | RowStorage::Runs => vec![runs],
            },
            transposing,
        }
    }

    /// The bytes that the measure needs in the fastest form.
    pub fn needs(&self) -> u64 {
        self.needs[0].1
    }

    /// The forms, for those who plan.
    pub fn plans(&self) -> Vec<StoragePlan> {
        let plan = |&(form, bytes): &(Storage, u64)| StoragePlan {
            name: self.name_of(form),
            bytes,
            takes_more: form == Storage::Streamed || self.holds_rows_that_fit(form),
        };
        self.needs.iter().map(plan).collect()
    }

    /// The fastest form that fits into memory.
    ///
    /// # Errors
    /// If the graph is not in a file, as the form requires.
    pub fn chosen(&self, limits: &Limits) -> Result<Storage> {
        let fits = |&&(_, needed): &&(Storage, u64)| limits.admit(self.measure, needed).is_ok();
        let &(form, _) = match self.needs.iter().find(fits) {
            Some(form) => form,
            None => &self.needs[self.needs.len() - 1],
        };
        match self.graph.source() {
            None if self.choice != StorageChoice::Auto && self.graph.shards().is_some() => {
                Err(needs_whole("form", self.name_of(form)))
            }
            None if !matches!(form, Storage::Runs | Storage::Shards) => Err(Error::argument(
                "form",
                self.name_of(form),
                "only a graph on disk can have this form; rank import makes one",
            )),
            _ => Ok(form),
        }
    }

    /// The name of a form before it is known whether compact rows fit into memory.
    fn name_of(&self, form: Storage) -> &'static str {
        match form {
            Storage::Runs => "runs",
            Storage::Compact => "compact",
            Storage::Disk if self.choice == StorageChoice::Auto => "compact or disk",
            Storage::Disk => "disk",
            Storage::Streamed => "streamed",
            Storage::External => "external",
            Storage::Shards => "shards",
        }
    }

    /// Whether a form holds as many rows as fit besides what it needs.
    fn holds_rows_that_fit(&self, form: Storage) -> bool {
        let holds_more = [
            Storage::Compact,
            Storage::Disk,
            Storage::Shards,
            Storage::External,
        ];
        holds_more.contains(&form) && self.choice != StorageChoice::Disk
    }

    /// The room for compact rows: in memory, what is allowed besides vectors; on disk if that was
    /// requested, or if it may be taken and memory does not suffice. And the bytes for rows that are
    /// transposed before they are packed.
    ///
    /// # Errors
    /// If there is no folder for a temporary file.
    pub fn room(&self, form: Storage, limits: &Limits) -> Result<(SpillBudget, u64)> {
        let needed = self.needs.iter().find(|(other, _)| *other == form);
        let mut left = limits.left_after(needed.map_or(0, |&(_, bytes)| bytes));
        let mut for_rows = self.transposing;
        if for_rows > 0 {
            left /= 2;
            for_rows += left;
        }
        let room = SpillBudget {
            bytes: match self.holds_rows_that_fit(Storage::Disk) {
                true => left,
                false => 0,
            },
            folder: match self.choice {
                StorageChoice::Compact => None,
                _ => Some(Arc::new(TemporaryFolder::create(&self.temp_folder())?)),
            },
        };
        Ok((room, for_rows))
    }

    /// The room besides what a form needs and the rows, which are packed: files may hold what does not
    /// fit, unless all rows must be in memory.
    pub fn room_beside(&self, form: Storage, rows: &RunRows, limits: &Limits) -> SpillBudget {
        let needed = self.needs.iter().find(|(other, _)| *other == form);
        let needed = needed.map_or(0, |&(_, bytes)| bytes);
        SpillBudget {
            bytes: limits.left_after(needed.saturating_add(rows.bytes_in_memory())),
            folder: rows.rest_of_room().and_then(|room| room.folder),
        }
    }

    /// The room for so many bytes besides what a form needs: in memory if they fit, otherwise on disk.
    ///
    /// # Errors
    /// If there is no folder for a temporary file.
    pub fn room_besides(&self, form: Storage, limits: &Limits, bytes: u64) -> Result<SpillBudget> {
        let needed = self.needs.iter().find(|(other, _)| *other == form);
        let left = limits.left_after(needed.map_or(0, |&(_, bytes)| bytes));
        Ok(match bytes <= left {
            true => SpillBudget::in_memory(),
            false => SpillBudget {
                bytes: 0,
                folder: Some(Arc::new(TemporaryFolder::create(&self.temp_folder())?)),
            },
        })
    }

    /// The folder of temporary files.
    pub fn temp_folder(&self) -> PathBuf {
        self.temp.map_or_else(std::env::temp_dir, Path::to_owned)
    }

    /// Says where rows are kept that are in a file.
    pub fn announce(&self, rows: Option<&CompactRows>, progress: &dyn Progress) {
        if let Some(rows) = rows.filter(|rows| rows.is_on_disk()) {
            progress.announce(&format!(
                "the rows of the graph are kept in a temporary file of {} in {}",
                units::megabytes(rows.num_bytes()),
                self.temp_folder().display()
            ));
        }
    }

    /// The note on a form that was not requested, and is not the fastest.
    pub fn note(&self, form: Storage) -> Option<String> {
        let is_slower = self.choice == StorageChoice::Auto && form != self.needs[0].0;
        is_slower.then(|| {
            format!(
                "rows were kept in a compact form, which is slower, because flat ones need {} of \
                  memory",
                units::megabytes(self.needs())
            )
        })
    }
}

/// The form in which matrices were swept, for manifests.
pub fn swept(matrices: &[&PreparedMatrix]) -> Value {
    let rows: Option<Vec<&RunRows>> = matrices.iter().map(|matrix| matrix.rows()).collect();
    match rows {
        Some(rows) => swept_rows(&rows),
        None => json!({ "name": "weighted" }),
    }
}

/// The form in which rows were swept, for manifests.
pub fn swept_rows(rows: &[&RunRows]) -> Value {
    let sum = |count: &dyn Fn(&RunRows) -> u64| rows.iter().map(|rows| count(rows)).sum::<u64>();
    let arcs = sum(&RunRows::num_arcs).max(1);
    let compact = || rows.iter().filter_map(|rows| rows.compact());
    let mut form = json!({
        "name": match compact().count() {
            0 => Storage::Runs,
            _ if compact().any(CompactRows::is_on_disk) => Storage::Disk,
            _ => Storage::Compact,
        },
        "distinct_rows": sum(&|rows| rows.num_rows() as u64),
        "reads_per_arc": sum(&RunRows::num_reads) as f64 / arcs as f64,
    });
    if compact().count() > 0 {
        let bytes: u64 = compact().map(CompactRows::num_bytes).sum();
        form["bytes_per_arc"] = (bytes as f64 / arcs as f64).into();
    }
    form
}

/// The bytes of blocks that are decoded in sweeps, and those that each thread decodes.
const BUFFERS: [u64; 2] = [4 << 20, 2 << 20];

/// The bytes of such blocks for all threads.
pub fn buffers() -> u64 {
    let [all, each] = BUFFERS;
    all + each * busy_threads()
}

/// The bytes a node while rows are packed that come before all vectors.
const OF_PACKING: u64 = 60;

/// The bytes held while rows are packed: so many a node, and the windows.
pub fn packing(size: Size, of_node: u64) -> u64 {
    size.bytes_without_rows(of_node) + pack::bytes_of_windows(size.nodes, size.arcs)
}

/// The bytes held while rows are packed, or with compact rows and so many bytes a node, without the rows
/// themselves.
pub fn besides_rows(size: Size, of_node: u64) -> u64 {
    packing(size, OF_PACKING).max(size.bytes_without_rows(of_node) + buffers())
}

/// [`besides_rows`] of a measure that asks for single rows.
pub fn besides_single_rows(size: Size, of_node: u64) -> u64 {
    let of_single = [compact::bytes_of_recent, compact::bytes_of_index];
    let of_single = of_single.map(|bytes| bytes(size.nodes, size.arcs));
    // Recent blocks are those of other rows, and come later than the index.
    let sweeping = size.bytes_without_rows(of_node) + buffers();
    packing(size, OF_PACKING).max(sweeping + of_single[0].max(of_single[1]))
}

/// The least bytes for rows that are transposed before they are packed.
pub fn transposing(graph: &Graph) -> u64 {
    let of_source = |source| pack::transposing(source, graph.num_arcs());
    graph.source().map_or(0, of_source)
}

/// The source of a graph in a form that is read from its files.
pub fn source_of(graph: &Graph) -> &StoredGraph {
    graph.source().expect("only a graph on disk has this form")
}

/// The error of a parameter that needs rows in memory.
pub fn needs_memory(parameter: &'static str, value: impl Display) -> Error {
    let remedy = "it needs the rows of the graph in memory: allow more memory, and do not ask for \
                  another form";
    Error::argument(parameter, value, remedy)
}

/// The error of a parameter that shards exclude.
pub fn needs_whole(parameter: &'static str, value: impl std::fmt::Display) -> Error {
    let remedy = "the graph is cut into shards, which exclude it: name the graph that was cut";
    Error::argument(parameter, value, remedy)
}
