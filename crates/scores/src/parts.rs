//! Tables in parts: a folder of Parquet files, as Spark, DuckDB, Polars, pandas and pyarrow read them.
//!
//! A folder `scores/` holds `part-00000.parquet` and so on, the nodes of each part of a graph that is
//! cut; `_manifest.json`, the manifest of the run; and `_SUCCESS`, which is written last. Engines skip
//! names that begin with `_`. Nodes and ranks are signed integers of 64 bits. The files depend on the
//! shards alone, not on who computes.
//!
//! Parts are filled in a temporary folder beside `scores/`, which takes its place when all are there.
//! Workers on machines that do not share that folder each keep their own parts.

use super::Scores;
use super::ranked::bounds_of;
use super::ranked_rows::headings_of;
use super::report::manifest_of;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{Digest, DirectoryKind, PendingDirectory, PendingFile, publish};
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_graph::bundle::{FileEntry, hash_file};
use webrank_tables::read::files_of;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_tables::text::names::Names;
use webrank_tables::write;
use xxhash_rust::xxh3::Xxh3;

/// The manifest in a folder of parts.
pub const MANIFEST: &str = "_manifest.json";
/// The file that says that all parts are there.
const SUCCESS: &str = "_SUCCESS";

/// A folder of parts replaces another.
const KIND: DirectoryKind = DirectoryKind {
    name: "table in parts",
    marks: &[SUCCESS],
    owns: |name| [MANIFEST, SUCCESS].contains(&name) || is_part(name),
};

/// The bytes of a row group of a part that is written: up to a million rows with their names.
pub const BUFFERS: u64 = 32 << 20;

/// The bytes a node of the names of a part, for plans of memory.
pub const OF_NAME: u64 = 80;

fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-");
    let number = number.and_then(|rest| rest.strip_suffix(".parquet"));
    number.is_some_and(|number| number.len() >= 5 && number.bytes().all(|b| b.is_ascii_digit()))
}

/// True if an output is to be a folder of parts: its path ends with a separator.
pub fn names_parts(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.ends_with(std::path::is_separator)
}

/// A table that is written in parts.
#[derive(Debug)]
pub struct PartitionedTable {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// The folder being filled; none if only the checksum is wanted, or if others fill theirs.
    pending: Option<PendingDirectory>,
    entry: Option<FileEntry>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl PartitionedTable {
    /// Starts a table in a folder at `path`; without `writes`, only its checksum is computed.
    ///
    /// # Errors
    /// If there is something else at `path`, or its folder cannot be written to.
    pub fn create(path: &Path, writes: bool) -> Result<Self> {
        if cfg!(not(feature = "parquet")) {
            let problem = "this build does not write Parquet, as parts are; write .csv";
            return Err(Error::file(path, problem));
        }
        let pending = writes.then(|| PendingDirectory::create(path, KIND, true));
        Ok(PartitionedTable {
            path: path.to_owned(),
            state: Mutex::new(State {
                pending: pending.transpose()?,
                entry: None,
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the temporary folder of this process; empty if nothing is written.
    pub fn temporary(&self) -> Vec<u8> {
        let state = self.state();
        let name = state.pending.as_ref().and_then(|it| it.path().file_name());
        name.map_or(Vec::new(), |name| {
            name.to_string_lossy().into_owned().into()
        })
    }

    /// The folder where this process writes, given the name of worker 0's: that one if it is shared.
    pub fn folder(&self, of_first: &[u8]) -> Option<PathBuf> {
        let mut state = self.state();
        let own = state.pending.as_ref()?.path().to_owned();
        let shared = own.with_file_name(String::from_utf8_lossy(of_first).as_ref());
        if shared == own || !shared.is_dir() {
            return Some(own);
        }
        state.pending = None;
        Some(shared)
    }

    /// Notes what was written, given the length and checksum of each part.
    pub fn note(&self, parts: &[(u64, u128)]) {
        self.state().entry = Some(FileEntry::new(combined(parts)));
    }

    /// Length and checksum of all parts; none before they are written.
    pub fn entry(&self) -> Option<FileEntry> {
        self.state().entry.clone()
    }

    /// Puts the folder in place, with a manifest if this is worker 0. False if the folder is another
    /// worker's, who does it.
    ///
    /// # Errors
    /// If it cannot be written; then the old content stays.
    pub fn finish(&self, manifest: Option<&str>) -> Result<bool> {
        let Some(pending) = self.state().pending.take() else {
            return Ok(false);
        };
        let files = manifest.map(|text| (MANIFEST, text));
        for (name, text) in files.into_iter().chain([(SUCCESS, "")]) {
            let path = pending.path().join(name);
            let written = std::fs::write(&path, text);
            written.map_err(|source| Error::io(self.path.join(name), "cannot write", source))?;
        }
        pending.finish().map(|()| true)
    }

    /// Where the table will be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The rows of a part of a table, by node from the first one.
pub struct PartitionRows<'a> {
    /// The graph of the worker, which names its nodes.
    pub graph: &'a Graph,
    /// The columns of scores of the nodes of a worker.
    pub columns: &'a [(String, Scores)],
    /// The number of its first node in the whole graph.
    pub first: u64,
    /// The number of the first node of the whole graph.
    pub of_graph: u64,
    /// Its ranks.
    pub rank: Option<&'a (dyn Fn(usize) -> u64 + Sync)>,
    /// Which of its ranks are certain.
    pub certain: Option<&'a (dyn Fn(usize) -> bool + Sync)>,
    /// The best and the worst rank that intervals leave open.
    pub ranges: Option<&'a [Vec<u64>; 2]>,
    /// How many of the first positions of the whole ranking are proved.
    pub proved: Option<u64>,
}

impl PartitionRows<'_> {
    /// Writes the rows of some nodes of the worker, which have these names in the part unless the graph
    /// has them all; returns length and checksum.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        nodes: std::ops::Range<usize>,
        names: Option<&Names>,
        folder: Option<&Path>,
        part: usize,
    ) -> Result<(u64, u128)> {
        let proved = self.proved.map(|proved| proved as usize);
        let manifest = manifest_of(
            self.graph,
            &headings_of(self.columns),
            proved,
            &[],
            &Phases::start(),
        )?;
        let manifest = manifest.of_scores();
        let columns = self.columns_of(nodes, names);
        let write = |out: &mut (dyn Write + Send), path: &Path| {
            let written = write::write(&columns, write::TableFormat::Parquet, Some(&manifest), out);
            written.map_err(|source| Error::io(path, "cannot write", source))
        };
        let name = format!("part-{part:05}.parquet");
        let Some(folder) = folder else {
            let mut digest = Digest::default();
            write(&mut digest, name.as_ref())?;
            return Ok(digest.checksum());
        };
        let path = folder.join(name);
        let mut file = PendingFile::create(&path)?;
        write(&mut file, &path)?;
        let checksum = file.checksum();
        publish([file])?;
        Ok(checksum)
    }

    fn has_integer_names(&self) -> bool {
        let shards = self.graph.shards();
        shards.is_some_and(|shards| shards.plan().has_integer_names)
    }

    /// The columns of a table: see [`super::ranked_rows::RankedRows::table`].
    fn columns_of<'s>(
        &'s self,
        nodes: std::ops::Range<usize>,
        names: Option<&'s Names>,
    ) -> ColumnTable<'s> {
        let start = nodes.start;
        let first = self.first;
        let node = move |row: usize| (first + (start + row) as u64) as i64;
        let number = NamedColumn::new("node", Cells::Long(Box::new(node)));
        // All names of the graph, or those of the part, which the names of other parts are like.
        let before = (self.first - self.of_graph) as usize + start;
        let (names, before, are_integers) = match self.graph.names() {
            Some(all) => (Some(all), before, all.are_integers()),
            None => (names, 0, self.has_integer_names()),
        };
        let mut fields = match names {
            None => vec![number],
            Some(names) if are_integers => {
                let name = move |row: usize| names.integer((before + row) as Node);
                vec![NamedColumn::new("name", Cells::Long(Box::new(name)))]
            }
            Some(names) => {
                let name = move |row: usize| names.get((before + row) as Node);
                vec![
                    number,
                    NamedColumn::new("name", Cells::Names(Box::new(name))),
                ]
            }
        };
        let scores = self.columns.iter();
        let scores = scores.map(|(header, scores)| (header.clone(), scores.as_slice()));
        for (header, numbers) in scores.chain(bounds_of(self.columns)) {
            let number = move |row: usize| numbers[start + row];
            fields.push(NamedColumn::new(header, Cells::Numbers(Box::new(number))));
        }
        if let Some(rank) = self.rank {
            let rank = move |row: usize| rank(start + row) as i64;
            fields.push(NamedColumn::new("rank", Cells::Long(Box::new(rank))));
        }
        for (place, header) in ["rank_from", "rank_to"].into_iter().enumerate() {
            if let Some(ranges) = self.ranges {
                let rank = move |row: usize| ranges[place][start + row] as i64;
                fields.push(NamedColumn::new(header, Cells::Long(Box::new(rank))));
            }
        }
        if let Some(certain) = self.certain {
            let certain = move |row: usize| certain(start + row);
            fields.push(NamedColumn::new("certain", Cells::Flags(Box::new(certain))));
        }
        ColumnTable {
            rows: nodes.len(),
            fields,
        }
    }
}

/// The bytes of all parts, and the xxh3-128 of their checksums.
fn combined(parts: &[(u64, u128)]) -> (u64, u128) {
    let mut hash = Xxh3::new();
    parts
        .iter()
        .for_each(|(_, checksum)| hash.update(&checksum.to_le_bytes()));
    let bytes = parts.iter().map(|(bytes, _)| bytes).sum();
    (bytes, hash.digest128())
}

/// The entry of a table: a file, or a folder of parts.
///
/// # Errors
/// If it cannot be read.
pub fn entry_of(table: &Path) -> Result<FileEntry> {
    checksum_of(table).map(FileEntry::new)
}

/// The length and checksum of a table.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn checksum_of(table: &Path) -> Result<(u64, u128)> {
    if !table.is_dir() {
        return hash_file(table);
    }
    let parts = files_of(table)?.into_iter().map(|part| hash_file(&part));
    Ok(combined(&parts.collect::<Result<Vec<_>>>()?))
}
