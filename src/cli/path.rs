//! `rank path`.

use super::lookup::find;
use serde_json::{Value, json};
use std::convert::Infallible;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::visible::visible;
use webrank_distances::traversal::paths::ShortestPaths;
use webrank_graph::{Csr, Graph, Size};
use webrank_terminal::options::{Global, GraphArgs, at_least_one, write_json, write_lines};

/// Show the shortest paths from one node to another, and how many there are
///
/// A path follows arcs in their direction; with --undirected, in both. Its length is its number of arcs:
/// weights do not count. Of several paths, those come first whose nodes have the smaller numbers.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The node from which paths begin, by name or number
    #[arg(value_name = "FROM")]
    source: String,
    /// The node at which paths end, by name or number
    #[arg(value_name = "TO")]
    target: String,
    /// At most so many paths
    #[arg(short = 'n', long, value_name = "K", default_value_t = 1, aliases = ["limit", "hits"], value_parser = at_least_one)]
    top: usize,
    /// All shortest paths, of which there may be very many
    #[arg(long, conflicts_with = "top")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    let source = find(&graph, "FROM", &args.source)?;
    let target = find(&graph, "TO", &args.target)?;
    let size = Size::of(&graph);
    let searching = size.once_flat(8 + ShortestPaths::BYTES_OF_NODE, 4);
    global.admit("path", searching.max(size.while_decoding()))?;
    let progress = global.progress();
    let rows = graph.successors(progress.as_ref())?;
    let paths = ShortestPaths::new(&rows, source, target)?;
    drop(progress);
    let limit = if args.all { usize::MAX } else { args.top };
    match args.json {
        true => write_json(&json(&paths, &rows, &graph, limit)),
        false => print(&paths, [source, target], &rows, &graph, limit),
    }
}

fn print(
    paths: &ShortestPaths,
    ends: [Node; 2],
    rows: &Csr,
    graph: &Graph,
    limit: usize,
) -> Result<()> {
    write_lines(|out| {
        let Some(length) = paths.length() else {
            let [from, to] = ends.map(|node| graph.name(node));
            return writeln!(
                out,
                "no path leads from {} to {}",
                visible(&from),
                visible(&to)
            );
        };
        // Larger numbers are not held.
        let least = if paths.count() == u128::MAX {
            "at least "
        } else {
            ""
        };
        writeln!(
            out,
            "length    {length}\npaths     {least}{}\n",
            paths.count()
        )?;
        paths.visit(rows, limit, &mut |path| {
            let names = path
                .iter()
                .map(|&node| visible(&graph.name(node)).into_owned());
            writeln!(out, "{}", names.collect::<Vec<_>>().join(" -> "))
        })
    })
}

fn json(paths: &ShortestPaths, rows: &Csr, graph: &Graph, limit: usize) -> Value {
    let mut shown = Vec::new();
    let visited = paths.visit(rows, limit, &mut |path| {
        let node = |&node: &Node| json!({ "node": node, "name": graph.name(node) });
        shown.push(path.iter().map(node).collect::<Vec<_>>());
        Ok::<_, Infallible>(())
    });
    let Ok(()) = visited;
    // As text: programs round large numbers. Larger ones are not held.
    let count = Some(paths.count()).filter(|&count| count < u128::MAX);
    let count = count.map(|count| count.to_string());
    json!({ "length": paths.length(), "count": count, "paths": shown })
}
