//! `rank lookup` and `rank neighbors`.

use serde_json::json;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_base::units::counted;
use webrank_graph::{Direction, Graph, NameIndex, StoredGraph};
use webrank_tables::text::keys::NodeKeys;
use webrank_terminal::options::{Global, GraphArgs, at_least_one, write_bytes, write_json};

/// Find nodes by name, by number, or by how their names start
///
/// Prints number and name of each node as CSV. The names of a bundle are looked up where they are:
/// neither all names nor the graph are read, so files of any size take milliseconds. What is read is
/// checked; 'rank check' verifies the rest.
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
    /// All nodes whose names start with this, in order of their names
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<String>,
    /// At most so many nodes with the prefix
    #[arg(
        short = 'n',
        long,
        value_name = "K",
        default_value_t = 100,
        requires = "prefix"
    )]
    #[arg(aliases = ["limit", "hits"], value_parser = at_least_one)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn lookup(args: &Args, global: &Global) -> Result<()> {
    let nodes = Nodes::open(&args.graph, global)?;
    let mut found = Vec::new();
    for name in &args.keys {
        let node = nodes.find("NAME", name)?;
        found.push((node, nodes.name(node)?));
    }
    for &node in &args.node {
        nodes.check(node)?;
        found.push((node, nodes.name(node)?));
    }
    if let Some(prefix) = &args.prefix {
        found.extend(nodes.with_prefix(prefix, args.top)?);
    }
    if args.json {
        let row = |(node, name): &(Node, String)| json!({ "node": node, "name": name });
        return write_json(&found.iter().map(row).collect::<Vec<_>>());
    }
    write_bytes(|out| {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["node", "name"])?;
        for (node, name) in &found {
            out.write_record([node.to_string().as_str(), name])?;
        }
        out.flush()
    })
}

/// Show which nodes a node points to, and which point to it
///
/// Prints number and name of each neighbour as CSV, after `in` for a node that points to it or `out`
/// for one that it points to.
#[derive(clap::Args)]
#[command(alias = "neighbours")]
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
    /// At most so many in each direction [default: all]
    #[arg(short = 'n', long, value_name = "K", aliases = ["limit", "hits"], value_parser = at_least_one)]
    top: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn neighbors(args: &NeighborArgs, global: &Global) -> Result<()> {
    let nodes = Nodes::open(&args.graph, global)?;
    let node = nodes.find("NODE", &args.node)?;
    let opened;
    let graph = match &nodes {
        Nodes::Graph(graph) => graph,
        Nodes::Indexed { .. } => {
            opened = Graph::without_names(args.graph.open()?);
            &opened
        }
    };
    let progress = global.progress();
    let directions = [
        ("in", Direction::In, !args.only_out),
        ("out", Direction::Out, !args.only_in),
    ];
    let mut rows = Vec::new();
    for (label, direction, _) in directions.into_iter().filter(|(.., wanted)| *wanted) {
        let needed = graph.needs_of_row(direction);
        global.admit("neighbors", needed)?;
        let row = graph.row(node, direction, progress.as_ref())?;
        for neighbour in row.into_iter().take(args.top.unwrap_or(usize::MAX)) {
            rows.push((label, neighbour, nodes.name(neighbour)?));
        }
    }
    drop(progress);
    if args.json {
        let row = |(direction, node, name): &(&str, Node, String)| json!({ "direction": direction, "node": node, "name": name });
        return write_json(&rows.iter().map(row).collect::<Vec<_>>());
    }
    write_bytes(|out| {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["direction", "node", "name"])?;
        for (direction, node, name) in &rows {
            out.write_record([direction, node.to_string().as_str(), name])?;
        }
        out.flush()
    })
}

/// The nodes of a graph and their names.
// A run has only one: its size does not matter.
#[allow(clippy::large_enum_variant)]
enum Nodes<'a> {
    /// In a bundle with an index: only what is asked for is read.
    Indexed {
        names: NameIndex,
        args: &'a GraphArgs,
        global: &'a Global,
    },
    /// All names in memory, or none.
    Graph(Graph),
}

impl<'a> Nodes<'a> {
    fn open(args: &'a GraphArgs, global: &'a Global) -> Result<Self> {
        if args.names.is_none()
            && !args.is_read_whole()
            && let Some(names) = StoredGraph::name_index_at(&args.graph)?
        {
            return Ok(Nodes::Indexed {
                names,
                args,
                global,
            });
        }
        Ok(Nodes::Graph(args.open_graph(global)?))
    }

    /// The node with this name or number. For one that is unknown, all names are read: the nearest
    /// are suggested.
    fn find(&self, argument: &'static str, key: &str) -> Result<Node> {
        match self {
            Nodes::Indexed {
                names,
                args,
                global,
            } => match names.find_key(key)? {
                Some(node) => Ok(node),
                None => find(&args.open_graph(global)?, argument, key),
            },
            Nodes::Graph(graph) => find(graph, argument, key),
        }
    }

    fn name(&self, node: Node) -> Result<String> {
        match self {
            Nodes::Indexed { names, .. } => names.name(node),
            Nodes::Graph(graph) => Ok(graph.name(node).into_owned()),
        }
    }

    /// Refuses a number that no node has.
    fn check(&self, node: Node) -> Result<()> {
        let count = match self {
            Nodes::Indexed { names, .. } => names.len(),
            Nodes::Graph(graph) => graph.num_nodes(),
        };
        if (node as usize) < count {
            return Ok(());
        }
        let remedy = format!("the graph has {}, numbered from 0", counted(count, "node"));
        Err(Error::argument("node", node, remedy))
    }

    /// The first nodes whose names start with `prefix`, in order of their names.
    fn with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<(Node, String)>> {
        let graph = match self {
            Nodes::Indexed { names, .. } => return names.prefix(prefix)?.take(limit).collect(),
            Nodes::Graph(graph) => graph,
        };
        let Some(names) = graph.names() else {
            let remedy = "nodes have no names; give them with --names";
            return Err(Error::argument("prefix", quoted(prefix), remedy));
        };
        let starts = |node: &Node| names.get(*node).starts_with(prefix);
        let mut found: Vec<Node> = (0..names.len() as Node).filter(starts).collect();
        found.sort_by_key(|&node| names.get(node));
        let found = found.into_iter().take(limit);
        Ok(found
            .map(|node| (node, names.get(node).to_owned()))
            .collect())
    }
}

/// The node with this name or number, which an argument gives.
pub fn find(graph: &Graph, argument: &'static str, key: &str) -> Result<Node> {
    let keys = NodeKeys::new(graph.num_nodes(), graph.names());
    let unknown = || Error::argument(argument, quoted(key), keys.why_unknown(key));
    keys.find(key).ok_or_else(unknown)
}
