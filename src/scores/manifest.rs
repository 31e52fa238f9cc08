//! The manifest of a table: `FILE.json`, in which `rank` records how `FILE` was made.
//!
//! It is written beside every table and read by code that needs to know what the scores are:
//! [guarantees](super::guarantee) and explanations. Missing fields are empty and unknown fields are
//! skipped, so manifests of other versions can be read.

use super::Run;
use super::phases::{Phase, Phases};
use crate::error::{Error, Result};
use crate::graph::{Graph, Source};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The contents of a manifest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The command that wrote the table, with its arguments.
    pub command: Vec<String>,
    /// The program and its version.
    pub version: String,
    /// The graph.
    pub graph: GraphRecord,
    /// How each column of scores was computed, by its header.
    pub columns: BTreeMap<String, Run<String>>,
    /// How many of the first positions of the ranking are proved, for measures that can prove
    /// ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved_positions: Option<usize>,
    /// What the column `rank` means.
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

/// The path of the manifest of the table at `path`.
pub fn path_beside(path: &Path) -> PathBuf {
    let mut manifest = path.as_os_str().to_owned();
    manifest.push(".json");
    manifest.into()
}

impl GraphRecord {
    fn on_disk(source: &Source) -> Result<Self> {
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
                path: String::new(),
                nodes: graph.num_nodes() as u64,
                arcs: graph.num_arcs(),
                fingerprint: graph.fingerprint()?,
            }),
        }
    }
}

impl Manifest {
    /// The manifest of a table that this process writes about a graph on disk: how each column of
    /// scores was computed, notes for the reader, and how long the run took.
    ///
    /// # Errors
    /// If the graph's file cannot be read for its fingerprint.
    pub fn new<'a>(
        source: &Source,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Result<Self> {
        let graph = GraphRecord::on_disk(source)?;
        Ok(Self::about(graph, columns, notes, phases))
    }

    /// The same for any graph.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of<'a>(
        graph: &Graph,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Result<Self> {
        let graph = GraphRecord::of(graph)?;
        Ok(Self::about(graph, columns, notes, phases))
    }

    fn about<'a>(
        graph: GraphRecord,
        columns: impl IntoIterator<Item = (&'a str, &'a Run)>,
        notes: &[String],
        phases: &Phases,
    ) -> Self {
        let columns = columns.into_iter();
        let arguments = std::env::args_os();
        Manifest {
            command: arguments
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            version: concat!("webrank ", env!("CARGO_PKG_VERSION")).into(),
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

    /// Reads the manifest of the table at `path`; none if there is none beside it.
    ///
    /// # Errors
    /// If there is one that cannot be read or is not the manifest of a table.
    pub fn beside(path: &Path) -> Result<Option<Self>> {
        let manifest = path_beside(path);
        let text = match std::fs::read(&manifest) {
            Ok(text) => text,
            Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(None),
            Err(problem) => return Err(Error::io(manifest, "cannot read", problem)),
        };
        let read = serde_json::from_slice(&text);
        let read = read.map_err(|problem| {
            Error::file(
                &manifest,
                format!(
                    "not the manifest of a table: {problem}; move it away, or run 'rank' again"
                ),
            )
        });
        read.map(Some)
    }

    /// As JSON.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data serialises");
        text.push('\n');
        text
    }
}

/// Peak resident memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    fn beside(text: &str) -> Result<Option<Manifest>> {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("scores.csv");
        std::fs::write(path_beside(&table), text).unwrap();
        Manifest::beside(&table)
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let source = Source::open("graphs/rust-doc.bv".as_ref()).unwrap();
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
        assert_eq!(beside(&manifest.text()).unwrap(), Some(manifest));
    }

    #[test]
    fn other_versions_may_say_less_and_more() {
        let read = beside("{\"threads\": 3, \"colour\": \"green\"}").unwrap();
        assert_eq!(read.unwrap().threads, 3);
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
