//! The account of a run, beside its table.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use webrank::Graph;
use webrank::error::Result;
use webrank::graph::Source;
use webrank::scores::Run;
use webrank::scores::phases::Phases;

/// The account of a run, beside its table.
#[derive(Serialize)]
pub struct Manifest<'a> {
    command: Vec<String>,
    version: &'static str,
    graph: GraphAccount<'a>,
    /// How each column of scores came to be.
    columns: BTreeMap<&'a str, &'a Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved_positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<&'a Value>,
    notes: &'a [String],
    threads: usize,
    phases: &'a Phases,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct GraphAccount<'a> {
    path: &'a Path,
    nodes: usize,
    arcs: u64,
    fingerprint: String,
}

impl<'a> Manifest<'a> {
    /// The account of a table whose columns of scores came to be by these runs.
    pub fn new(
        source: &'a Source,
        columns: BTreeMap<&'a str, &'a Run>,
        notes: &'a [String],
        phases: &'a Phases,
    ) -> Result<Self> {
        Ok(Manifest {
            command: std::env::args().collect(),
            version: concat!("webrank ", env!("CARGO_PKG_VERSION")),
            graph: GraphAccount {
                path: source.path(),
                nodes: source.properties().nodes,
                arcs: source.properties().arcs,
                fingerprint: source.fingerprint()?,
            },
            columns,
            proved_positions: None,
            rank: None,
            form: None,
            notes,
            threads: rayon::current_num_threads(),
            phases,
            peak_memory_bytes: peak_memory(),
        })
    }

    /// The same, of any graph.
    pub fn of(
        graph: &'a Graph,
        columns: BTreeMap<&'a str, &'a Run>,
        notes: &'a [String],
        phases: &'a Phases,
    ) -> Result<Self> {
        let source = graph.source().expect("a command's graph is on disk");
        Self::new(source, columns, notes, phases)
    }

    /// As JSON.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data serialises");
        text.push('\n');
        text
    }
}

/// The most memory that this process has had resident, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}
