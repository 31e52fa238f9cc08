//! Graphs from foreign formats.
//!
//! A reader for each format gives nodes and arcs, one by one, to a [`Receiver`], which numbers names
//! and sorts arcs, in memory or on disk. What comes out is a bundle ([`import`]) or a graph in
//! memory ([`read`]).
//!
//! * `format`: which format a file has;
//! * `sources`: which files there are, and opening them;
//! * `columns`: which columns of a table hold the arcs;
//! * `formats`: a reader for each format;
//! * `receiver`: what readers give their arcs to;
//! * `numbering`: numbers for names;
//! * `arcs`: sorting;
//! * `node_names`: names of nodes that have numbers.

mod arcs;
mod columns;
mod format;
mod formats;
mod node_names;
mod numbering;
mod receiver;
mod sources;

use self::arcs::{ArcStore, Element, Room, SortedArcs, Weighted};
use self::numbering::Numbering;
use self::receiver::{Collector, Counts, Nodes, Tolerance};
use super::Graph;
use super::bundle::{BundleOptions, PendingBundle};
use super::text::names::NamesBuilder;
use super::text::records::Records;
use crate::error::{Error, Result};
use crate::memory::{allowed_memory, resident_memory};
use crate::output::TemporaryFolder;
use crate::progress::Progress;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use arcs::Duplicates;
pub use format::Format;
pub use receiver::{Problem, Receiver};
use sources::Inputs;
pub use sources::Sources;

/// How to read a graph.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The format; found out by content and name if it is not given.
    pub from: Option<Format>,
    /// Fields are node numbers from 0, not names; the graph has nodes up to the largest.
    pub ids: bool,
    /// The columns of source, target and perhaps weight, by number from 1 or by name.
    pub columns: Option<Vec<String>>,
    /// Whether the first line is a header; found out if it is not given.
    pub header: Option<bool>,
    /// Weights are not read.
    pub unweighted: bool,
    /// What becomes of arcs that are given several times: by default, weights are added, and arcs
    /// without weights count once.
    pub duplicates: Option<Duplicates>,
    /// Each arc stands for its reverse, too.
    pub symmetric: bool,
    /// Arcs from a node to itself are left out.
    pub drop_loops: bool,
    /// So many records that cannot be used are left out.
    pub skip_bad: u64,
    /// A file with the names of nodes that have numbers.
    pub names: Option<PathBuf>,
    /// The order of the nodes.
    pub order: Order,
    /// The folder for what does not fit into memory; beside the bundle if it is not given.
    pub temp: Option<PathBuf>,
}

/// The order of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// That of their names; numbers stay as they are.
    #[default]
    Names,
    /// That of their first occurrence; numbers stay as they are.
    Given,
}

/// What was read, and what became of it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// True if nodes have names.
    pub named: bool,
    /// True if arcs have weights.
    pub weighted: bool,
    /// Arcs that were given again.
    pub duplicates: u64,
    /// What became of them.
    pub duplicates_were: Duplicates,
    /// Arcs from a node to itself that were given.
    pub loops: u64,
    /// Records that were left out.
    pub skipped: u64,
    /// What was wrong with the first of them.
    pub first_skipped: Vec<String>,
    /// Names in a list that were not UTF-8, and were read as ISO-8859-1.
    pub names_in_latin1: u64,
    /// The bits of the rows of successors and of predecessors, in a bundle.
    pub bits: Option<u64>,
    /// Those of the transpose.
    pub transpose_bits: Option<u64>,
}

/// A source, opened.
struct Input {
    /// Arcs have weights.
    weighted: bool,
    /// Each arc is given once for both directions if not.
    is_directed: bool,
    /// The format numbers its nodes.
    is_numbered: bool,
    read: Box<Reader>,
}

/// Gives the nodes and arcs of an opened source.
type Reader = dyn FnOnce(&mut dyn Receiver) -> Result<()> + Send;

/// Takes the names of nodes in order.
type NameSink<'a> = dyn FnMut(&str) -> Result<()> + 'a;

/// Imports files as a bundle. O(m log m); arcs and names that do not fit into memory go to temporary
/// files.
///
/// # Errors
/// If a file cannot be read or a record cannot be used, with the file and the line; if the bundle
/// cannot be written. Nothing is left behind.
pub fn import(
    sources: &Sources,
    options: &ImportOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<Report> {
    let pending = PendingBundle::create(output, bundle)?;
    let folder = match (&options.temp, output.parent()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(folder)) if !folder.as_os_str().is_empty() => folder.to_owned(),
        (None, _) => PathBuf::from("."),
    };
    let inputs = sources.open(options)?;
    let room = Room {
        bytes: usable_memory(),
        folder: Some(Arc::new(TemporaryFolder::create(&folder)?)),
    };
    let mut writer = None;
    let mut sink = |name: &str| {
        if writer.is_none() {
            writer = Some(pending.names()?);
        }
        writer.as_mut().expect("it was just made").push(name)
    };
    if inputs.weighted(options) {
        let read = collect::<Weighted>(inputs, options, room, &mut sink, progress)?;
        writer.map_or(Ok(()), |writer| writer.finish())?;
        read.write(pending, options, progress)
    } else {
        let read = collect::<u64>(inputs, options, room, &mut sink, progress)?;
        writer.map_or(Ok(()), |writer| writer.finish())?;
        read.write(pending, options, progress)
    }
}

/// Reads files as a graph in memory.
///
/// # Errors
/// If a file cannot be read or a record cannot be used, with the file and the line; if memory is
/// short.
pub fn read(
    sources: &Sources,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, Report)> {
    read_inputs(sources.open(options)?, options, progress)
}

/// Reads an edge list from memory.
///
/// # Errors
/// As for [`read`].
pub fn read_records(
    records: Records,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, Report)> {
    read_inputs(Inputs::records(records, options)?, options, progress)
}

fn read_inputs(
    inputs: Inputs,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, Report)> {
    let room = Room {
        bytes: usable_memory(),
        folder: None,
    };
    let mut names = NamesBuilder::default();
    let mut sink = |name: &str| names.push(name);
    let (rows, weights, report) = if inputs.weighted(options) {
        let read = collect::<Weighted>(inputs, options, room, &mut sink, progress)?;
        let (rows, weights) = read.arcs.in_memory()?;
        (rows, weights, read.tally.report(options))
    } else {
        let read = collect::<u64>(inputs, options, room, &mut sink, progress)?;
        let (rows, weights) = read.arcs.in_memory()?;
        (rows, weights, read.tally.report(options))
    };
    let report = report.of_arcs(rows.num_arcs());
    let mut graph = Graph::from_rows(rows);
    if report.named {
        graph = graph.with_names(names.finish())?;
    }
    if let Some(weights) = weights {
        graph = graph.with_arc_weights(weights)?;
    }
    Ok((graph, report))
}

/// The bytes that arcs and names may take: most of what this process may still hold.
fn usable_memory() -> u64 {
    let free = allowed_memory().saturating_sub(resident_memory());
    free.saturating_sub(RESERVED).max(RESERVED) / 4 * 3
}

/// For buffers, and for what compresses and writes.
const RESERVED: u64 = 24 << 20;

/// A graph that was read, its names already given to their sink.
struct Collected<E: Element> {
    arcs: SortedArcs<E>,
    tally: Tally,
}

/// What was read.
#[derive(Default)]
struct Tally {
    nodes: usize,
    named: bool,
    weighted: bool,
    counts: Counts,
    tolerance: Tolerance,
    names_in_latin1: u64,
}

impl Tally {
    fn report(self, options: &ImportOptions) -> Report {
        Report {
            nodes: self.nodes as u64,
            arcs: self.counts.arcs,
            named: self.named,
            weighted: self.weighted,
            duplicates: 0,
            duplicates_were: options.duplicates(self.weighted),
            loops: self.counts.loops,
            skipped: self.tolerance.skipped,
            first_skipped: self.tolerance.first,
            names_in_latin1: self.names_in_latin1,
            bits: None,
            transpose_bits: None,
        }
    }
}

impl Report {
    /// The report once it is known how many arcs are left.
    fn of_arcs(mut self, arcs: u64) -> Self {
        self.duplicates = self.arcs - arcs;
        self.arcs = arcs;
        self
    }
}

impl ImportOptions {
    fn duplicates(&self, weighted: bool) -> Duplicates {
        let usual = if weighted {
            Duplicates::Sum
        } else {
            Duplicates::Drop
        };
        self.duplicates.unwrap_or(usual)
    }
}

impl<E: Element> Collected<E> {
    fn write(
        mut self,
        pending: PendingBundle,
        options: &ImportOptions,
        progress: &dyn Progress,
    ) -> Result<Report> {
        let written = pending.finish(&mut self.arcs, progress)?;
        let report = self.tally.report(options).of_arcs(written.arcs);
        Ok(Report {
            bits: Some(written.bits),
            transpose_bits: written.transpose_bits,
            ..report
        })
    }
}

/// Reads all inputs.
fn collect<E: Element>(
    inputs: Inputs,
    options: &ImportOptions,
    room: Room,
    sink: &mut NameSink,
    progress: &dyn Progress,
) -> Result<Collected<E>> {
    let named = !inputs.are_numbered(options);
    if let (true, Some(names)) = (named, &options.names) {
        let remedy = "nodes have names already; names are for nodes that have numbers (ids)";
        return Err(Error::argument("names", names.display(), remedy));
    }
    let part = |percent: u64| Room {
        bytes: room.bytes / 100 * percent,
        folder: room.folder.clone(),
    };
    // The table of names grows beside both.
    let (of_arcs, of_names) = if named {
        (part(40), part(15))
    } else {
        (part(100), part(0))
    };
    let is_sorted = options.order == Order::Names;
    let mut collector = Collector {
        arcs: ArcStore::<E>::new(of_arcs, named && is_sorted),
        nodes: match named {
            true => Nodes::Named(Numbering::new(of_names, is_sorted)),
            false => Nodes::numbered(),
        },
        is_undirected: false,
        keeps_loops: !options.drop_loops,
        takes_weights: !options.unweighted,
        tolerance: Tolerance::allowing(options.skip_bad),
        counts: Counts::default(),
        progress,
    };
    progress.begin("read arcs", None);
    for input in inputs.all {
        collector.is_undirected = options.symmetric || !input.is_directed;
        (input.read)(&mut collector)?;
    }
    progress.end();
    let Collector {
        arcs,
        nodes,
        counts,
        tolerance,
        ..
    } = collector;
    let duplicates = options.duplicates(E::WEIGHTED);
    let mut names_in_latin1 = 0;
    let (nodes, numbers, named) = match nodes {
        Nodes::Named(names) => {
            progress.begin("sort names", None);
            let nodes = names.len();
            (nodes, names.finish(sink)?, true)
        }
        Nodes::Numbered { count, .. } => match &options.names {
            Some(path) => {
                let names = node_names::read(path, count, sink)?;
                names_in_latin1 = names.in_latin1;
                (names.all, None, true)
            }
            None => (count as usize, None, false),
        },
    };
    progress.begin("sort arcs", None);
    let arcs = arcs.finish(nodes, numbers.as_deref(), duplicates)?;
    progress.end();
    Ok(Collected {
        arcs,
        tally: Tally {
            nodes,
            named,
            weighted: E::WEIGHTED,
            counts,
            tolerance,
            names_in_latin1,
        },
    })
}
