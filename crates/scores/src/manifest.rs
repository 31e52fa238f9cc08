//! The manifest of a table: `FILE.json`, in which `rank` records how `FILE` was made.
//!
//! It is written beside every table and read by code that needs to know what the scores are:
//! [guarantees](super::guarantee) and explanations. Missing fields are empty and unknown fields are
//! skipped, so manifests of other versions can be read.

use super::Run;
use super::intervals::Claim;
use super::parts::{MANIFEST, entry_of, names_parts};
use crate::command;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::peak_memory;
use webrank_base::phases::{Phase, Phases};
use webrank_base::regular;
use webrank_base::visible::visible_json;
use webrank_graph::bundle::FileEntry;
use webrank_graph::{Graph, StoredGraph};

/// No manifest has more bytes.
const LONGEST: u64 = 64 << 20;

/// The contents of a manifest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The command that wrote the table, with its arguments.
    pub command: Vec<String>,
    /// The folder that the command ran in, relative to that of the table if the table lies below it.
    pub folder: String,
    /// The program and its version.
    pub version: String,
    /// The table: its length and checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<FileEntry>,
    /// The graph.
    pub graph: GraphRecord,
    /// The other files that were read (names, weights, vectors, seeds, tables that were joined), by their
    /// paths.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, FileEntry>,
    /// How each column of scores was computed, by its header.
    pub columns: BTreeMap<String, Run<String>>,
    /// The claim of the columns `lower` and `upper` of each column of estimates, by its header.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub intervals: BTreeMap<String, Claim>,
    /// How many of the first positions of the ranking are proved, for measures that can prove
    /// ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved_positions: Option<usize>,
    /// The meaning of the column `rank`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<String>,
    /// The form in which the graph was swept, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Value>,
    /// Notes for the reader.
    pub notes: Vec<String>,
    /// Number of threads; no score depends on it.
    pub threads: usize,
    /// How long the parts of the run took, in order.
    pub phases: Vec<Phase>,
    /// Peak resident memory of the process, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
}

/// The graph that a table is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphRecord {
    /// Its path.
    pub path: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// xxh3-128 of its compressed form.
    pub fingerprint: String,
}

/// The path of the manifest of the table at `path`: in it, if it is a folder of parts.
pub fn path_beside(path: &Path) -> PathBuf {
    if names_parts(path) || path.join(MANIFEST).is_file() {
        return path.join(MANIFEST);
    }
    let mut manifest = path.as_os_str().to_owned();
    manifest.push(".json");
    manifest.into()
}

impl GraphRecord {
    fn on_disk(source: &StoredGraph) -> Result<Self> {
        let properties = source.properties();
        Ok(GraphRecord {
            path: source.path().to_string_lossy().into_owned(),
            nodes: properties.nodes as u64,
            arcs: properties.arcs,
            fingerprint: source.fingerprint()?,
        })
    }

    fn of(graph: &Graph) -> Result<Self> {
        match graph.source() {
            Some(source) => Self::on_disk(source),
            None => Ok(GraphRecord {
                path: graph
                    .path()
                    .map_or(String::new(), |path| path.to_string_lossy().into_owned()),
                nodes: graph.num_nodes() as u64,
                arcs: graph.num_arcs(),
                fingerprint: graph.fingerprint()?,
            }),
        }
    }
}

impl Manifest {
    /// This program and its version.
    pub const VERSION: &str = concat!("webrank ", env!("CARGO_PKG_VERSION"));

    /// The manifest of a table that this process writes about a graph on disk: how each column of
    /// scores was computed, notes for the reader, and how long the run took.
    ///
    /// # Errors
    /// If the graph's file cannot be read for its fingerprint.
    pub fn new<'a>(
        source: &StoredGraph,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Result<Self> {
        let graph = GraphRecord::on_disk(source)?;
        Ok(Self::about(graph, columns, notes, phases))
    }

    /// [`Self::new`] for any graph.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of<'a>(
        graph: &Graph,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Result<Self> {
        let files = graph.files_read().all().into_iter();
        let inputs = files.map(|(path, checksum)| {
            let path = path.to_string_lossy().into_owned();
            (path, FileEntry::new(checksum))
        });
        let inputs = inputs.collect();
        let graph = GraphRecord::of(graph)?;
        Ok(Manifest {
            inputs,
            ..Self::about(graph, columns, notes, phases)
        })
    }

    /// [`Self::new`] for tables about a graph that is not at hand.
    pub fn about<'a>(
        graph: GraphRecord,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Self {
        let columns = columns.into_iter();
        Manifest {
            command: command::words(),
            version: Self::VERSION.into(),
            graph,
            columns: columns
                .map(|(header, run)| (header.to_owned(), run.into()))
                .collect(),
            notes: notes.to_vec(),
            threads: rayon::current_num_threads(),
            phases: phases.all().to_vec(),
            peak_memory_bytes: peak_memory(),
            ..Manifest::default()
        }
    }

    /// Adds what is known when the table at `path` has been written: its length and xxh3-128, and
    /// where it lies.
    pub fn describe(&mut self, path: &Path, table: FileEntry) {
        self.table = Some(table);
        self.folder = folder_of_run(path).unwrap_or_default();
    }

    /// Reads the manifest at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is not the manifest of a table.
    pub fn read(path: &Path) -> Result<Self> {
        let text = regular::read(path, LONGEST)?;
        let text = text.ok_or_else(|| {
            let source = ErrorKind::NotFound.into();
            Error::io(path, "cannot read", source)
        })?;
        serde_json::from_slice(&text).map_err(|problem| {
            let remedy = "move it away, or run 'rank' again";
            let problem = format!("not the manifest of a table: {problem}; {remedy}");
            Error::file(path, problem)
        })
    }

    /// The scores' description, as JSON for the metadata of their table: the same for equal runs, so
    /// without what depends on the machine or comes after the table, such as its checksum.
    pub fn of_scores(&self) -> String {
        let Manifest {
            version,
            graph,
            columns,
            intervals,
            proved_positions,
            rank,
            ..
        } = self;
        let mut fields = serde_json::json!({
            "version": version,
            "graph": graph,
            "columns": columns,
            "proved_positions": proved_positions,
            "rank": rank,
        });
        if !intervals.is_empty() {
            fields["intervals"] = serde_json::json!(intervals);
        }
        fields.to_string()
    }

    /// As JSON.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data serialises");
        text.push('\n');
        visible_json(&text).into_owned()
    }
}

/// The manifest of a table, if it has a usable one.
#[derive(Debug, Clone, PartialEq)]
pub enum ManifestState {
    /// The table is, byte for byte, the one that its manifest describes.
    Of(Box<Manifest>),
    /// There is a manifest, but not of this table, or it does not say so: the reason.
    Unusable(&'static str),
    /// There is no manifest.
    Missing,
}

impl ManifestState {
    /// Reads the manifest of the table at `path`, and compares the table with it.
    ///
    /// # Errors
    /// If there is a manifest that cannot be read, or that is not the manifest of a table.
    pub fn beside(path: &Path) -> Result<Self> {
        let beside = path_beside(path);
        match beside.symlink_metadata() {
            Err(problem) if problem.kind() == ErrorKind::NotFound => {
                return Ok(ManifestState::Missing);
            }
            _ => {}
        }
        let manifest = Manifest::read(&beside)?;
        let Some(table) = &manifest.table else {
            return Ok(ManifestState::Unusable(
                "its manifest has no checksum of it: run 'rank' again",
            ));
        };
        if *table != entry_of(path)? {
            return Ok(ManifestState::Unusable(
                "table and manifest (FILE.json) do not belong together: run 'rank' again",
            ));
        }
        Ok(ManifestState::Of(Box::new(manifest)))
    }

    /// The manifest, if there is one to rely on.
    pub fn manifest(&self) -> Option<&Manifest> {
        match self {
            ManifestState::Of(manifest) => Some(manifest),
            _ => None,
        }
    }
}

/// The working folder of this process, as seen from the folder of the table at `path`.
fn folder_of_run(path: &Path) -> Option<String> {
    let run = std::env::current_dir().ok()?.canonicalize().ok()?;
    let table = run.join(path.parent()?).canonicalize().ok()?;
    let Ok(below) = table.strip_prefix(&run) else {
        return Some(run.to_string_lossy().into_owned());
    };
    let up: Vec<&str> = below.components().map(|_| "..").collect();
    Some(if up.is_empty() {
        ".".into()
    } else {
        up.join("/")
    })
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    /// The state of a table that holds `0`, with this manifest.
    fn beside(text: &str) -> Result<ManifestState> {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("scores.csv");
        std::fs::write(&table, "0").unwrap();
        std::fs::write(path_beside(&table), text).unwrap();
        ManifestState::beside(&table)
    }

    fn read(text: &str) -> Result<Manifest> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv.json");
        std::fs::write(&path, text).unwrap();
        Manifest::read(&path)
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let source = StoredGraph::open(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../graphs/rust-doc.bv").as_ref(),
        )
        .unwrap();
        let run = Run {
            measure: "indegree",
            method: "exact",
            parameters: serde_json::Map::new(),
            outcome: Outcome::Exact,
        };
        let mut phases = Phases::start();
        phases.done("load");
        let notes = ["a note".to_owned()];
        let mut manifest = Manifest::new(&source, [("score", &run)], &notes, &phases).unwrap();
        manifest.proved_positions = Some(3);
        assert_eq!(manifest.graph.nodes, source.properties().nodes as u64);
        manifest.describe("scores.csv".as_ref(), FileEntry::new((7, 11)));
        assert_eq!(manifest.folder, ".");
        assert_eq!(read(&manifest.text()).unwrap(), manifest);
    }

    #[test]
    fn other_versions_may_say_less_and_more() {
        let read = read("{\"threads\": 3, \"colour\": \"green\"}").unwrap();
        assert_eq!(read.threads, 3);
    }

    #[test]
    fn only_the_table_that_was_written_has_an_account() {
        let mut manifest = Manifest::default();
        let account = |manifest: &Manifest| beside(&manifest.text()).unwrap();
        assert!(
            matches!(account(&manifest), ManifestState::Unusable(why) if why.contains("no checksum"))
        );
        for (content, is_same) in [("0", true), ("1", false), ("00", false), ("", false)] {
            let checksum = xxhash_rust::xxh3::xxh3_128(content.as_bytes());
            let entry = FileEntry::new((content.len() as u64, checksum));
            manifest.describe("scores.csv".as_ref(), entry);
            assert_eq!(
                account(&manifest).manifest().is_some(),
                is_same,
                "{content}"
            );
        }
        let nowhere = ManifestState::beside("src/nowhere.csv".as_ref()).unwrap();
        assert_eq!(nowhere, ManifestState::Missing);
    }

    #[test]
    fn what_is_no_manifest_is_an_error_that_names_the_file() {
        for text in ["[1]", "{\"columns\": 7}", "no JSON"] {
            let problem = beside(text).unwrap_err().to_string();
            assert!(
                problem.contains("scores.csv.json: not the manifest"),
                "{problem}"
            );
        }
    }
}
