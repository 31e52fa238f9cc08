//! `rank export`.

use super::shared::graph_file::{FormatName, GraphFile, LoadedRows};
use super::shared::node_columns::{NodeColumns, ScoresArgs, needs as needs_of_columns};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_formats::export::{ARCS_PER_GROUP, ExportFormat, Exported, check_undirected};
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_tables::text::names::Names;
use webrank_terminal::options::{Global, GraphArgs, refuse_two_on_stdout};

/// Write a graph in the format of another program
///
/// edges: a line for each arc, as 'rank import' reads them (.tsv, .txt; .csv for any names).
/// matrixmarket (.mtx): entry i j is the arc from node i - 1 to node j - 1.
/// parquet: a table with the columns source, target, weight.
/// graphml, gexf, gml: for networkx, igraph, Gephi.
/// dot (.dot, .gv): for Graphviz.
/// json: nodes and links, for networkx.node_link_graph and d3.
/// metis: the neighbours of each node, from 1; refused unless every arc has its reverse.
/// npz: a matrix for scipy.sparse.load_npz.
///
/// matrixmarket, metis and npz have no names: nodes are numbered in the order of the graph. Weights are
/// kept. Text may be compressed: FILE ends with .gz or .zst.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The format [default: that of the extension of FILE]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<FormatName>,
    /// The file to write; - is the standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Weights of the arcs: FILE with one number per arc, ordered by source and target (.f32 or
    /// .f64, little-endian), or source,target,weight lines [default: none]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    columns: ScoresArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    refuse_two_on_stdout(&args.output, args.json)?;
    let mut file = GraphFile::create(&args.output, args.to)?;
    let tables = &args.columns.scores;
    if !tables.is_empty() {
        file = file.with_columns()?;
    }
    let format = file.format();
    let mut graph = args.graph.open_graph(global)?;
    if let Some(weights) = &args.weights {
        graph = graph.with_weights(weights);
    }
    if let (Some(path), true) = (&args.graph.names, format.has_names()) {
        refuse_equal_names(path, &graph)?;
    }
    let of_columns = needs_of_columns(tables, &graph)?;
    let needed = needs(&graph, format)?.saturating_add(of_columns);
    global.admit("export", needed)?;
    let columns = match tables.is_empty() {
        true => None,
        false => Some(NodeColumns::read(tables, &graph, global)?),
    };
    let fields = || columns.as_ref().map_or_else(Vec::new, NodeColumns::fields);
    let progress = global.progress();
    let rows = LoadedRows::of(&graph, format == ExportFormat::Metis, progress.as_ref())?;
    if let (ExportFormat::Metis, LoadedRows::Memory(rows, weights)) = (format, &rows) {
        check_undirected(rows, weights.as_deref())?;
    }
    progress.begin("write", None);
    let names = graph.names();
    let name = names.map(|names| move |node| names.get(node));
    let exported = Exported {
        rows: rows.rows(),
        names: name.as_ref().map(|name| name as _),
        weights: rows.weights(),
        columns: fields(),
        progress: progress.as_ref(),
    };
    file.write_nodes(&exported, fields())?;
    let lost = file.write(&exported)?;
    drop(exported);
    drop(progress);
    if let Some(columns) = columns.filter(|_| format.has_attributes()) {
        columns.tell_left_out(global);
    }
    if let Some(note) = note(args, &graph, format, lost) {
        global.summary(&format!("rank: {}\n", visible(&note)));
    }
    if args.output.as_os_str() == "-" {
        return Ok(());
    }
    let json = args.json.then(|| made(args, &graph, lost));
    global.account(&args.output, json, |out| {
        let nodes = counted(graph.num_nodes() as u64 - lost, "node");
        let arcs = counted(graph.num_arcs(), "arc");
        let path = args.output.display().to_string();
        writeln!(out, "{}: {nodes}, {arcs}", visible(&path))
    })
}

fn made(args: &Args, graph: &Graph, lost: u64) -> Value {
    json!({
        "output": args.output,
        "nodes": graph.num_nodes() as u64 - lost,
        "arcs": graph.num_arcs(),
        "nodes_left_out": lost,
    })
}

/// Two nodes of one name would become one node.
fn refuse_equal_names(path: &Path, graph: &Graph) -> Result<()> {
    let Some(names) = graph.names() else {
        return Ok(());
    };
    let is_another = |&node: &Node| names.find(names.get(node)) != Some(node);
    match (0..graph.num_nodes() as Node).find(is_another) {
        None => Ok(()),
        Some(node) => {
            let name = quoted(names.get(node));
            let problem = format!("{name} is the name of two nodes; names must differ");
            Err(Error::file(path, problem))
        }
    }
}

/// The bytes that are held at most. Rows that stay on disk take little, but for the longest one.
fn needs(graph: &Graph, format: ExportFormat) -> Result<u64> {
    let size = Size::of(graph);
    let group = match format {
        ExportFormat::Parquet => of_group(graph),
        _ => 0,
    };
    let rows = match format {
        // The reversed rows are compared.
        ExportFormat::Metis => size.weighted_bytes(60, 13),
        _ if graph.has_weights() => size.weighted_bytes(40, 5),
        _ => size.bytes_without_rows(4) + 16 * longest_row(graph)?,
    };
    Ok(rows.saturating_add(group))
}

/// The successors of the node that has most.
fn longest_row(graph: &Graph) -> Result<u64> {
    let degrees = match graph.source() {
        Some(source) => source.streamed()?.outdegrees()?,
        None => return Ok(0),
    };
    Ok(u64::from(degrees.into_iter().max().unwrap_or(0)))
}

/// The bytes of arcs that are written together as Parquet: 40 an arc, and of names at both ends, which
/// compress to less than half.
fn of_group(graph: &Graph) -> u64 {
    let arcs = graph.num_arcs().min(ARCS_PER_GROUP as u64);
    let names = graph.names().map_or(0, Names::memory);
    let mean = names / (graph.num_nodes() as u64).max(1);
    arcs.saturating_mul(40 + mean)
}

/// The note on parts of the graph that the file does not hold.
fn note(args: &Args, graph: &Graph, format: ExportFormat, lost: u64) -> Option<String> {
    let path = args.output.display();
    if lost > 0 {
        return Some(format!(
            "{path}: {} without arcs left out",
            counted(lost, "node")
        ));
    }
    let names = args.graph.names.clone();
    let names = names.or_else(|| graph.source()?.names_path().map(Path::to_owned))?;
    (!format.has_names()).then(|| {
        let names = names.display();
        format!("{path}: the format has no names; they are in {names}, one per line in node order")
    })
}
