//! Graphs from foreign formats.
//!
//! A reader for each format gives nodes and arcs, one by one, to a [`Receiver`], which numbers names
//! and sorts arcs, in memory or on disk. The result is a bundle ([`import`]) or a graph in
//! memory ([`read`]).
//!
//! * `format`: the formats;
//! * `recognise`: which format a file has; `not_read`: files of other kinds;
//! * `sources`: which files there are, and opening them; `unused_options`: options for others;
//! * `source`: a file that is read twice; `zipped`: files in archives;
//! * `columns`: which columns of a table hold the arcs;
//! * `formats`: a reader for each format;
//! * `given`: arcs that a caller gives;
//! * `on_disk`: a graph in temporary files; `open`: a graph of any kind;
//! * `receiver`: what readers give their arcs to;
//! * `numbering`: numbers for names; `weights`: those that make no arc;
//! * `fold`: nodes that share a shortened name become one;
//! * `collect`: all inputs, read and sorted;
//! * `arcs`: sorting;
//! * `report`: what is said of it all; `notes`: what a reader assumed and left out;
//! * `node_names`: names of nodes that have numbers; `node_set`: a set of nodes;
//! * `node_table`: a table of nodes, with ids and labels; `ids`: what ids mean.

mod collect;
mod columns;
mod fold;
mod format;
mod formats;
mod given;
mod ids;
mod node_names;
mod node_set;
mod node_table;
mod not_read;
mod notes;
mod numbering;
mod on_disk;
mod open;
mod receiver;
mod recognise;
mod report;
mod source;
mod sources;
mod unused_options;
mod weights;
#[cfg(feature = "zip")]
mod zipped;

use self::collect::collect;
#[cfg(feature = "arrow")]
use arrow_array::RecordBatchReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{admit, allowed_memory, of_process, resident_memory};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::progress::Progress;
use webrank_graph::arcs::Weighted;
use webrank_graph::bundle::{BundleOptions, PendingBundle, Repeats, Target, TemporaryBundle};
use webrank_graph::codes::Coding;
use webrank_graph::reorder::Reordering;
use webrank_graph::{Graph, StoredGraph};
#[cfg(feature = "arrow")]
use webrank_tables::read::arrow::ArrowTable;
use webrank_tables::text::names::NamesBuilder;
use webrank_tables::text::records::Records;

pub(crate) use self::formats::edge_list::reads_back;
pub use fold::Fold;
pub use format::Format;
pub use given::import_arcs;
pub use given::{GivenArcs, read_arcs};
pub use notes::{Note, NoteKind};
pub use on_disk::{OnDisk, read_to_disk};
pub use open::{check_options, is_foreign, open};
pub use receiver::{Problem, Receiver};
pub use report::ImportReport;
pub use sources::ImportFiles;
use sources::Inputs;
pub use webrank_graph::arcs::Duplicates;
pub use webrank_graph::reorder::Order;
pub use webrank_tables::text::separator::Separator;
pub use weights::Negative;

/// A separator by its name, or itself.
///
/// # Errors
/// If it is another: which there are.
pub fn separator(text: &str) -> Result<Separator, String> {
    match text {
        "tab" | "\t" | "\\t" => Ok(Separator::Tab),
        "comma" | "," => Ok(Separator::Comma),
        "semicolon" | ";" => Ok(Separator::Semicolon),
        "bar" | "|" => Ok(Separator::Bar),
        "colon" | ":" => Ok(Separator::Colon),
        "blanks" | "blank" | "space" | " " => Ok(Separator::Blanks),
        _ => Err("it is tab, comma, semicolon, bar, colon or blanks".to_owned()),
    }
}

/// How to read a graph.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The format; found out by content and name if it is not given.
    pub from: Option<Format>,
    /// Fields are node numbers from 0, not names; the graph has nodes up to the largest.
    pub ids: bool,
    /// The number of the first node, 0 or 1, if fields are numbers; from 1 on, nodes are named by them.
    pub ids_from: u64,
    /// A table of the nodes of a list: their ids, and labels, which become their names.
    pub nodes: Option<PathBuf>,
    /// The columns of source, target and perhaps weight, by number from 1 or by name.
    pub columns: Option<Vec<String>>,
    /// The separator of the fields of a list; found out if it is not given.
    pub separator: Option<Separator>,
    /// The encoding of text, by its name; UTF-8, or UTF-16 with a mark, if it is not given.
    pub encoding: Option<String>,
    /// Whether the first line is a header; found out if it is not given.
    pub header: Option<bool>,
    /// Weights are not read.
    pub unweighted: bool,
    /// The treatment of arcs with negative weights.
    pub negative: Negative,
    /// Files without arcs are read, lists of one column and empty files too.
    pub allow_empty: bool,
    /// The treatment of arcs that are given several times: by default, weights are added, and arcs without
    /// weights count once.
    pub duplicates: Option<Duplicates>,
    /// Each arc stands for its reverse, too.
    pub symmetric: bool,
    /// Arcs from a node to itself are left out.
    pub drop_loops: bool,
    /// So many records that cannot be used are left out.
    pub skip_bad: u64,
    /// The predicates of N-Triples that are read; all if there are none.
    pub predicates: Vec<String>,
    /// A file with the names of nodes that have numbers.
    pub names: Option<PathBuf>,
    /// The order of the nodes.
    pub order: Order,
    /// The codes of a bundle.
    pub coding: Coding,
    /// The folder for what does not fit into memory; beside the bundle if it is not given.
    pub temp: Option<PathBuf>,
    /// Only the numbers that occur become nodes, in their order and with their numbers as names.
    pub only_occurring: bool,
    /// True once a number was refused because nodes up to it do not fit.
    pub is_too_far: Arc<AtomicBool>,
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

/// Nodes that have their numbers, when names are written and arcs are not.
pub struct Numbered<'a> {
    /// The folder of the bundle.
    pub folder: &'a Path,
    /// How many nodes there are.
    pub num_nodes: usize,
    /// For the number that a [`Receiver`] gave, the final one; none if they are the same.
    pub numbers: Option<&'a [Node]>,
    /// The room for sorting meanwhile.
    pub room: SpillBudget,
}

/// Writes files of a bundle beside its graph, once nodes have their numbers.
pub type Sidecars = Box<dyn FnOnce(Numbered) -> Result<()> + Send>;

/// Takes the names of nodes in order.
type NameSink<'a> = dyn FnMut(&str) -> Result<()> + 'a;

/// Imports files as a bundle. O(m log m); arcs and names that do not fit into memory go to temporary
/// files.
///
/// # Errors
/// If a file cannot be read or a record cannot be used, with the file and the line; if the bundle
/// cannot be written. Nothing is left behind.
pub fn import(
    sources: &ImportFiles,
    options: &ImportOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let pending = PendingBundle::create(output, bundle)?;
    let inputs = sources.open(options)?;
    import_inputs(inputs, options, output, (pending, None), progress)
}

/// Makes a bundle of a graph with names, in which nodes whose shortened names agree are one. Weights
/// are added; arcs without weights weigh 1.
///
/// # Errors
/// If nodes have no names, if a shortened name is empty, and as for [`import`].
pub fn fold(
    graph: Graph,
    fold: Fold,
    options: &ImportOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let pending = PendingBundle::create(output, bundle)?;
    let inputs = fold::open(graph, fold)?;
    import_inputs(inputs, options, output, (pending, None), progress)
}

fn import_inputs(
    inputs: Inputs,
    options: &ImportOptions,
    output: &Path,
    (pending, beside): (PendingBundle, Option<Sidecars>),
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let folder = match &options.temp {
        Some(folder) => folder.clone(),
        None => webrank_graph::arcs::temporary_files_of(output),
    };
    let pending = pending.coded(&options.coding);
    if !options.order.is_of_arcs() {
        return write(inputs, options, &folder, (pending, beside), progress);
    }
    let bundle = TemporaryBundle::create(&folder, false)?;
    let by_name = ImportOptions {
        order: Order::Names,
        ..options.clone()
    };
    let report = write(inputs, &by_name, &folder, (&bundle, beside), progress)?;
    let source = StoredGraph::open(bundle.path())?;
    let reordering = Reordering::new(&source, options.order, &options.coding, progress)?;
    let written = reordering.write(pending, &folder, progress)?;
    Ok(ImportReport {
        named: true,
        bits_by_name: report.bits,
        ..report.of(&written)
    })
}

/// Writes a bundle with the nodes in the order of their names, or as they are given.
fn write(
    inputs: Inputs,
    options: &ImportOptions,
    folder: &Path,
    (bundle, beside): (impl Target, Option<Sidecars>),
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let room = SpillBudget {
        bytes: usable_memory()?,
        folder: Some(Arc::new(TemporaryFolder::create(folder)?)),
    };
    // Names are sorted when what numbers them is gone.
    let of_names = room.part(10);
    let mut writer = None;
    let mut sink = |name: &str| {
        if writer.is_none() {
            writer = Some(bundle.names(Some(of_names.clone()))?);
        }
        writer.as_mut().expect("it was just made").push(name)
    };
    if inputs.weighted(options) {
        let read = collect::<Weighted>(inputs, options, room.clone(), &mut sink, progress)?;
        let repeats = writer.map_or_else(|| Ok(Repeats::default()), |writer| writer.finish())?;
        let read = read.beside(&bundle, beside, room)?;
        Ok(read.write(bundle, options, progress)?.of_names(repeats))
    } else {
        let read = collect::<u64>(inputs, options, room.clone(), &mut sink, progress)?;
        let repeats = writer.map_or_else(|| Ok(Repeats::default()), |writer| writer.finish())?;
        let read = read.beside(&bundle, beside, room)?;
        Ok(read.write(bundle, options, progress)?.of_names(repeats))
    }
}

/// Reads files as a graph in memory.
///
/// # Errors
/// If a file cannot be read or a record cannot be used, with the file and the line; if memory is
/// short.
pub fn read(
    sources: &ImportFiles,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, ImportReport)> {
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
) -> Result<(Graph, ImportReport)> {
    read_inputs(Inputs::records(records, options)?, options, progress)
}

/// Makes a graph of the batches of a table; messages call it `name`.
///
/// # Errors
/// If columns are none of arcs, if a row cannot be used, or if memory is short.
#[cfg(feature = "arrow")]
pub fn read_batches(
    name: &str,
    batches: impl RecordBatchReader + Send + 'static,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, ImportReport)> {
    let (path, choice) = (name.as_ref(), sources::column_choice(options));
    let input = formats::columnar::open(path, ArrowTable::of_batches(path, batches), &choice)?;
    read_inputs(Inputs::of(vec![input]), options, progress)
}

fn read_inputs(
    inputs: Inputs,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, ImportReport)> {
    if options.order.is_of_arcs() {
        let order = format!("{:?}", options.order).to_lowercase();
        return Err(Error::argument("order", order, "only bundles have it"));
    }
    let room = SpillBudget {
        bytes: usable_memory()?,
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
///
/// # Errors
/// If that is too little to begin.
fn usable_memory() -> Result<u64> {
    let (allowed, held) = (allowed_memory(), held_before());
    admit("import", held.saturating_add(LEAST), allowed)?;
    Ok(allowed.saturating_sub(held) / 4 * 3)
}

/// The bytes that importing takes at least; what does not fit into more goes to files.
pub fn least_memory() -> u64 {
    held_before().saturating_add(LEAST)
}

/// The bytes that are held besides arcs and names.
fn held_before() -> u64 {
    let held = resident_memory().max(of_process());
    held.saturating_add(RESERVED)
}

/// For buffers, and for what compresses and writes.
const RESERVED: u64 = 10 << 20;

/// Arcs and names take at least this.
const LEAST: u64 = 4 << 20;
