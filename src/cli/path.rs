//! `rank path`.

use super::lookup::find;
use super::shared::lengths::LengthArgs;
use super::shared::run::{Weights, hops_of};
use serde::Serialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Display;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::visible::visible;
use webrank_distances::traversal::paths::ShortestPaths;
use webrank_graph::{Graph, Size};
use webrank_lengths::paths;
use webrank_terminal::options::{Global, GraphArgs, at_least_one, write_json, write_lines};

/// Show the shortest paths from one node to another, and how many there are
///
/// A path follows arcs in their direction; with --undirected, in both. Its length is its number of arcs, or
/// with --lengths the sum of their lengths, with exact ties. If there are several, those come first whose
/// nodes have the smaller numbers.
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
    #[command(flatten)]
    lengths: LengthArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let lengths = args.lengths.given()?;
    let graph = args.lengths.graph(&args.graph).open_graph(global)?;
    let graph = match args.lengths.weights() {
        Weights::OfGraph => graph,
        _ => hops_of(graph, global),
    };
    let ends = [
        find(&graph, "FROM", &args.source)?,
        find(&graph, "TO", &args.target)?,
    ];
    let size = Size::of(&graph);
    let of_node = ShortestPaths::BYTES_OF_NODE;
    let searching = match &lengths {
        Some(_) => size.weighted_bytes(60 + of_node, 80) + (2 << 20),
        None => size.once_flat(8 + of_node, 4),
    };
    global.admit("path", searching.max(size.while_decoding()))?;
    let admit = |bytes| global.admit("path", searching.saturating_add(bytes));
    let progress = global.progress();
    if let Some((lengths, cutoff)) = &lengths {
        let given = (lengths, *cutoff);
        let paths = paths::shortest_paths(&graph, ends, given, &admit, progress.as_ref())?;
        drop(progress);
        return show(args, &paths, ends, &graph);
    }
    let rows = graph.successors(progress.as_ref())?;
    let paths = ShortestPaths::new(&rows, ends, &admit)?;
    drop(progress);
    show(args, &paths, ends, &graph)
}

fn show<L: Copy + Display + Serialize>(
    args: &Args,
    paths: &ShortestPaths<L>,
    ends: [Node; 2],
    graph: &Graph,
) -> Result<()> {
    let limit = if args.all { usize::MAX } else { args.top };
    match args.json {
        true => write_json(&json(paths, graph, limit)),
        false => print(paths, ends, graph, limit),
    }
}

fn print<L: Copy + Display>(
    paths: &ShortestPaths<L>,
    ends: [Node; 2],
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
        paths.visit(limit, &mut |path| {
            let names = path
                .iter()
                .map(|&node| visible(&graph.name(node)).into_owned());
            writeln!(out, "{}", names.collect::<Vec<_>>().join(" -> "))
        })
    })
}

fn json<L: Copy + Serialize>(paths: &ShortestPaths<L>, graph: &Graph, limit: usize) -> Value {
    let mut shown = Vec::new();
    let visited = paths.visit(limit, &mut |path| {
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
