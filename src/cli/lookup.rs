//! `rank lookup` and `rank neighbors`.

use super::shared::options::{Global, GraphArgs, write_lines, write_stdout};
use std::io::{self, IsTerminal, Write};
use webrank::Graph;
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::Node;
use webrank::internals::graph::text::keys::NodeKeys;
use webrank::internals::graph::text::shown::quoted;
use webrank::internals::memory::Size;

/// Find nodes by name, by number, or by how their names start
///
/// Prints number and name of each node as CSV.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Names; a number is a node if no name is a number
    #[arg(value_name = "NAME", required_unless_present_any = ["node", "prefix"])]
    keys: Vec<String>,
    /// The node with this number; may be given several times
    #[arg(long, value_name = "N")]
    node: Vec<Node>,
    /// All nodes whose names start with this, in the order of the graph
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<String>,
    /// At most so many nodes with the prefix
    #[arg(long, value_name = "K", default_value_t = 100, requires = "prefix")]
    limit: usize,
}

pub fn lookup(args: &Args, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    let find = |name: &String| find(&graph, name);
    let mut nodes: Vec<Node> = args.keys.iter().map(find).collect::<Result<_>>()?;
    for &node in &args.node {
        nodes.push(in_graph(&graph, node)?);
    }
    if let Some(prefix) = &args.prefix {
        let Some(names) = graph.names() else {
            let remedy = "nodes have no names; give them with --names";
            return Err(Error::argument("prefix", quoted(prefix), remedy));
        };
        let starts = |node: &Node| names.get(*node).starts_with(prefix.as_str());
        nodes.extend((0..names.len() as Node).filter(starts).take(args.limit));
    }
    print(|out| {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["node", "name"])?;
        for node in nodes {
            out.write_record([node.to_string().as_str(), &graph.name(node)])?;
        }
        out.flush()
    })
}

/// Show which nodes a node points to, and which point to it
///
/// Prints number and name of each neighbour as CSV, after `in` for a node that points to it or `out`
/// for one that it points to.
#[derive(clap::Args)]
pub struct NeighborArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The node, by name or number
    node: String,
    /// Only nodes that point to it
    #[arg(long = "in", conflicts_with = "only_out")]
    only_in: bool,
    /// Only nodes that it points to
    #[arg(long = "out")]
    only_out: bool,
}

pub fn neighbors(args: &NeighborArgs, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    let node = find(&graph, &args.node)?;
    global.admit("neighbors", Size::of(&graph).bytes(20, 9))?;
    let progress = global.progress();
    let mut rows = Vec::new();
    if !args.only_out {
        let predecessors = graph.predecessors(progress.as_ref())?;
        rows.push(("in", predecessors.row(node).to_vec()));
    }
    if !args.only_in {
        let successors = graph.successors(progress.as_ref())?;
        rows.push(("out", successors.row(node).to_vec()));
    }
    drop(progress);
    print(|out| {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["direction", "node", "name"])?;
        for (direction, nodes) in &rows {
            for &node in nodes {
                out.write_record([direction, node.to_string().as_str(), &graph.name(node)])?;
            }
        }
        out.flush()
    })
}

/// The node with this name or number.
fn find(graph: &Graph, key: &str) -> Result<Node> {
    let keys = NodeKeys::new(graph.num_nodes(), graph.names());
    let unknown = || Error::argument("NAME", quoted(key), keys.why_unknown(key));
    keys.find(key).ok_or_else(unknown)
}

fn in_graph(graph: &Graph, node: Node) -> Result<Node> {
    if (node as usize) < graph.num_nodes() {
        return Ok(node);
    }
    let remedy = format!("the graph has {} nodes, numbered from 0", graph.num_nodes());
    Err(Error::argument("node", node, remedy))
}

/// Writes a table to the standard output; on a terminal nothing in it acts.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match io::stdout().is_terminal() {
        true => write_lines(write),
        false => write_stdout(write),
    }
}
