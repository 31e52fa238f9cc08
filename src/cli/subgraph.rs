//! `rank subgraph`.

use super::shared::graph_file::{GraphFile, LoadedRows};
use super::shared::node_columns::{NodeColumns, ScoresArgs, is_table, needs as needs_of_columns};
use serde_json::json;
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::resident_memory;
use webrank_base::shown::quoted;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_formats::export::{ExportFormat, Exported};
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_graph::bundle::{BundleOptions, check_output, write_graph};
use webrank_graph::subgraph::{Subgraph, with_neighbours};
use webrank_tables::read::read_scores;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::node_list::read_nodes;
use webrank_terminal::options::{Global, GraphArgs, refuse_two_on_stdout};

/// Some nodes of a graph, and all arcs between them
///
/// The nodes are those in a list, or the best of a table of scores. The result is a bundle, or, as
/// with 'rank export', a file for another program: .graphml, .gexf, .gml, .dot and .json keep the
/// columns of the table. Nodes keep their order and their names; without names, their numbers become
/// names.
///
///   rank subgraph graph.bv --top pagerank.csv:1000 -o top.gexf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: WithoutNodes,
    /// The nodes: FILE with one name or number per line, or a table with a column 'name' or
    /// 'node': CSV, TSV, JSON lines, Parquet, Arrow
    #[arg(long, value_name = "FILE", required_unless_present = "top")]
    nodes: Option<PathBuf>,
    /// The K best nodes of the table SCORES, by its first column of scores; of equal ones, those that
    /// come first in it
    #[arg(long, value_name = "SCORES:K", conflicts_with = "nodes")]
    top: Option<String>,
    /// Add all nodes with an arc to or from one of them
    #[arg(long)]
    neighbours: bool,
    #[command(flatten)]
    columns: ScoresArgs,
    /// Weights of the arcs, as for 'rank export'; bundles do not hold them
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The bundle to write, such as small.bv, or a file whose extension names another format
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    output: PathBuf,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Print what was made as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The graph, whose table of nodes has no other name: `--nodes` are those of the subgraph.
struct WithoutNodes(GraphArgs);

impl WithoutNodes {
    fn unnamed(command: clap::Command) -> clap::Command {
        let none = clap::builder::Resettable::Reset;
        command.mut_arg("node_table", |option| option.visible_alias(none))
    }
}

impl clap::FromArgMatches for WithoutNodes {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        <GraphArgs as clap::FromArgMatches>::from_arg_matches(matches).map(WithoutNodes)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        clap::FromArgMatches::update_from_arg_matches(&mut self.0, matches)
    }
}

impl clap::Args for WithoutNodes {
    fn augment_args(command: clap::Command) -> clap::Command {
        Self::unnamed(<GraphArgs as clap::Args>::augment_args(command))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::unnamed(<GraphArgs as clap::Args>::augment_args_for_update(command))
    }
}

/// Where the subgraph goes.
enum Target {
    Bundle(BundleOptions),
    File(Box<GraphFile>),
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    refuse_two_on_stdout(&args.output, args.json)?;
    let target = target(args)?;
    let mut graph = args.graph.0.open_graph(global)?;
    if let Some(weights) = &args.weights {
        graph = graph.with_weights(weights);
    }
    let mut nodes = choose(args, &graph)?;
    let tables = tables(args, &target);
    let of_columns = needs_of_columns(&tables, &graph)?;
    global.admit("subgraph", needs(&graph).saturating_add(of_columns))?;
    let columns = match tables.is_empty() {
        true => None,
        false => Some(NodeColumns::read(&tables, &graph, global)?),
    };
    let progress = global.progress();
    let rows = LoadedRows::of(&graph, false, progress.as_ref())?;
    if args.neighbours {
        nodes = with_neighbours(&nodes, rows.rows())?;
    }
    let small = Subgraph::induced(nodes, rows.rows(), rows.weights())?;
    progress.begin("write", None);
    let name = |node: Node| graph.name(small.nodes[node as usize]);
    let names: Vec<Box<str>> = (0..small.nodes.len() as Node)
        .map(|node| name(node).into())
        .collect();
    match target {
        Target::Bundle(options) => {
            let weights = small.weights.as_deref();
            write_graph(
                &small.successors,
                Some(&names),
                weights,
                &args.output,
                options,
            )?;
        }
        Target::File(mut file) => {
            let columns = columns.map(|columns| columns.of(&small.nodes));
            let fields = || columns.as_ref().map_or_else(Vec::new, NodeColumns::fields);
            let name = |node: Node| &*names[node as usize];
            let exported = Exported {
                rows: &small.successors,
                names: Some(&name),
                weights: small.weights.as_deref(),
                columns: fields(),
                progress: progress.as_ref(),
            };
            let has_attributes = file.format().has_attributes();
            file.write_nodes(&exported, fields())?;
            file.write(&exported)?;
            drop(exported);
            if let Some(columns) = columns.filter(|_| has_attributes) {
                columns.tell_left_out(global);
            }
        }
    }
    drop(progress);
    if args.output.as_os_str() == "-" {
        return Ok(());
    }
    let (nodes, arcs) = (small.nodes.len(), small.successors.num_arcs());
    let json = || json!({ "output": args.output, "nodes": nodes, "arcs": arcs });
    global.account(&args.output, args.json.then(json), |out| {
        let path = args.output.to_string_lossy();
        let (nodes, arcs) = (counted(nodes, "node"), counted(arcs, "arc"));
        writeln!(out, "{}: {nodes}, {arcs}", visible(&path))
    })
}

fn target(args: &Args) -> Result<Target> {
    if args.output.as_os_str() == "-" || ExportFormat::of(&args.output).is_some() {
        let mut file = GraphFile::create(&args.output, None)?;
        if !args.columns.scores.is_empty() {
            file = file.with_columns()?;
        }
        return Ok(Target::File(Box::new(file)));
    }
    if !args.columns.scores.is_empty() {
        let remedy = "bundles do not hold columns of nodes; write .graphml, .gexf, .gml or .csv";
        return Err(Error::argument("scores", "given", remedy));
    }
    if args.weights.is_some() {
        let remedy = "bundles do not hold weights; write .graphml, .gexf or .parquet";
        return Err(Error::argument("weights", "given", remedy));
    }
    let options = BundleOptions {
        replace: args.force,
        compact: false,
    };
    check_output(&args.output, options)?;
    Ok(Target::Bundle(options))
}

/// The tables whose columns are kept: those given, and the one that the nodes are chosen by, in formats
/// that have attributes.
fn tables(args: &Args, target: &Target) -> Vec<PathBuf> {
    let mut tables = args.columns.scores.clone();
    let keeps = matches!(target, Target::File(file) if file.keeps_columns());
    let by_top = args
        .top
        .as_ref()
        .and_then(|top| Some(top.rsplit_once(':')?.0));
    let chosen_by = by_top.map(PathBuf::from).or_else(|| args.nodes.clone());
    let first = chosen_by.filter(|path| keeps && is_table(path) && !tables.contains(path));
    tables.splice(0..0, first);
    tables
}

/// The bytes that are held at most, apart from the arcs of the subgraph, which grow into what is
/// free.
fn needs(graph: &Graph) -> u64 {
    // Names and tables are in memory by now.
    let size = Size {
        base: resident_memory().max(Size::of(graph).base),
        ..Size::of(graph)
    };
    match graph.has_weights() {
        true => size.weighted_bytes(40 + Subgraph::BYTES_OF_NODE, 5),
        false => size.bytes_without_rows(40 + Subgraph::BYTES_OF_NODE),
    }
}

/// The chosen nodes in increasing order.
fn choose(args: &Args, graph: &Graph) -> Result<Vec<Node>> {
    let (n, names) = (graph.num_nodes(), graph.names());
    let mut chosen = match (&args.top, &args.nodes) {
        (Some(top), _) => best(top, graph)?,
        (None, Some(path)) => read_nodes(path, n, names, graph.files_read())?,
        (None, None) => {
            return Err(Error::argument(
                "nodes",
                "not given",
                "name some, or use --top",
            ));
        }
    };
    chosen.sort_unstable();
    Ok(chosen)
}

/// The best nodes of a table.
fn best(top: &str, graph: &Graph) -> Result<Vec<Node>> {
    let wrong = || {
        let remedy = "write a table and a number, such as pagerank.csv:1000";
        Error::argument("top", quoted(top), remedy)
    };
    let (path, count) = top.rsplit_once(':').ok_or_else(wrong)?;
    let count: usize = count.parse().map_err(|_| wrong())?;
    if count == 0 {
        return Err(wrong());
    }
    let path = Path::new(path);
    let table = read_scores(path, None)?;
    let mut keys = NodeKeys::new(graph.num_nodes(), graph.names());
    if table.key_column == "node" {
        keys = keys.in_column_node();
    }
    let (_, column) = table.columns.first().ok_or_else(wrong)?;
    let mut scores = vec![f64::NAN; graph.num_nodes()];
    let mut nodes = Vec::with_capacity(column.len());
    for (key, &score) in table.keys.iter().zip(column) {
        let node = keys.find(key).ok_or_else(|| {
            let problem = format!("{}: {}", quoted(key), keys.why_unknown(key));
            Error::file(path, problem)
        })?;
        if !scores[node as usize].is_nan() {
            let problem = format!("{} and another key mean one node", quoted(key));
            return Err(Error::file(path, problem));
        }
        scores[node as usize] = score;
        nodes.push(node);
    }
    // A stable sort: equal scores stay in the order of the table.
    nodes.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]));
    nodes.truncate(count);
    Ok(nodes)
}
