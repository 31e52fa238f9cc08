//! `rank path`.

use super::lookup::find;
use serde_json::{Value, json};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::visible::visible;
use webrank_graph::{Csr, Graph, Size};
use webrank_terminal::options::{Global, GraphArgs, write_json, write_lines};

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
    #[arg(short = 'n', long, value_name = "K", default_value_t = 1, aliases = ["limit", "hits"])]
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
    let [source, target] = [find(&graph, &args.source)?, find(&graph, &args.target)?];
    global.admit("path", Size::of(&graph).bytes(BYTES_OF_NODE, 0))?;
    let progress = global.progress();
    let rows = graph.successors(progress.as_ref())?;
    let paths = ShortestPaths::new(&rows, source, target)?;
    drop(progress);
    let limit = if args.all { usize::MAX } else { args.top };
    match args.json {
        true => write_json(&paths.json(&rows, &graph, limit)?),
        false => paths.print(&rows, &graph, limit),
    }
}

/// A level, a count and a place in two lists.
const BYTES_OF_NODE: u64 = 4 + 16 + 8;

/// The level of nodes that no path reaches.
const NONE: u32 = u32::MAX;

/// The shortest paths between two nodes.
struct ShortestPaths {
    source: Node,
    target: Node,
    /// For each node, the distance from the source, as far as that to the target.
    levels: Vec<u32>,
    /// For each node of a shortest path, the number of ways from it to the target; 0 for others, and the
    /// largest number for more.
    ways: Vec<u128>,
}

impl ShortestPaths {
    fn new(rows: &Csr, source: Node, target: Node) -> Result<Self> {
        let mut levels = filled(NONE, rows.num_nodes(), "distances")?;
        let mut ways = filled(0u128, rows.num_nodes(), "numbers of paths")?;
        levels[source as usize] = 0;
        let mut order = vec![source];
        let mut next = 0;
        // Nodes beyond the target are on no path.
        while next < order.len() && levels[target as usize] == NONE {
            let node = order[next];
            next += 1;
            for &other in rows.row(node) {
                if levels[other as usize] == NONE {
                    levels[other as usize] = levels[node as usize] + 1;
                    order.push(other);
                }
            }
        }
        ways[target as usize] = 1;
        for &node in order.iter().rev().filter(|&&node| node != target) {
            let level = levels[node as usize] + 1;
            let onwards = rows
                .row(node)
                .iter()
                .filter(|&&other| levels[other as usize] == level);
            let onwards = onwards.map(|&other| ways[other as usize]);
            ways[node as usize] = onwards.fold(0, u128::saturating_add);
        }
        Ok(ShortestPaths {
            source,
            target,
            levels,
            ways,
        })
    }

    /// The length of the paths, if there are any.
    fn length(&self) -> Option<u32> {
        Some(self.levels[self.target as usize]).filter(|&level| level != NONE)
    }

    /// The number of paths.
    fn count(&self) -> u128 {
        self.length().map_or(0, |_| self.ways[self.source as usize])
    }

    /// Calls `visit` with each of the first `limit` paths.
    fn visit(
        &self,
        rows: &Csr,
        limit: usize,
        visit: &mut dyn FnMut(&[Node]) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        if self.count() == 0 {
            return Ok(());
        }
        let onwards = |node: Node| {
            let level = self.levels[node as usize] + 1;
            let on_path = move |other: &Node| {
                self.levels[*other as usize] == level && self.ways[*other as usize] > 0
            };
            rows.row(node).iter().copied().filter(on_path)
        };
        let mut path = vec![self.source];
        let mut rest = vec![onwards(self.source)];
        let mut left = limit;
        while left > 0 && !path.is_empty() {
            let is_whole = path.last() == Some(&self.target);
            if is_whole {
                visit(&path)?;
                left -= 1;
            }
            match rest
                .last_mut()
                .and_then(Iterator::next)
                .filter(|_| !is_whole)
            {
                Some(node) => {
                    path.push(node);
                    rest.push(onwards(node));
                }
                None => {
                    path.pop();
                    rest.pop();
                }
            }
        }
        Ok(())
    }

    fn print(&self, rows: &Csr, graph: &Graph, limit: usize) -> Result<()> {
        write_lines(|out| {
            let Some(length) = self.length() else {
                let [from, to] = [self.source, self.target].map(|node| graph.name(node));
                return writeln!(
                    out,
                    "no path leads from {} to {}",
                    visible(&from),
                    visible(&to)
                );
            };
            // Larger numbers are not held.
            let least = if self.count() == u128::MAX {
                "at least "
            } else {
                ""
            };
            writeln!(
                out,
                "length    {length}\npaths     {least}{}\n",
                self.count()
            )?;
            self.visit(rows, limit, &mut |path| {
                let names = path
                    .iter()
                    .map(|&node| visible(&graph.name(node)).into_owned());
                writeln!(out, "{}", names.collect::<Vec<_>>().join(" -> "))
            })
        })
    }

    fn json(&self, rows: &Csr, graph: &Graph, limit: usize) -> Result<Value> {
        let mut shown = Vec::new();
        let visited = self.visit(rows, limit, &mut |path| {
            let node = |&node: &Node| json!({ "node": node, "name": graph.name(node) });
            shown.push(path.iter().map(node).collect::<Vec<_>>());
            Ok(())
        });
        visited.expect("a list grows");
        // As text: programs round large numbers.
        let count = self.count().to_string();
        Ok(json!({ "length": self.length(), "count": count, "paths": shown }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;

    fn paths(
        rows: &Csr,
        from: Node,
        to: Node,
        limit: usize,
    ) -> (Option<u32>, u128, Vec<Vec<Node>>) {
        let paths = ShortestPaths::new(rows, from, to).unwrap();
        let mut all = Vec::new();
        let collected = paths.visit(rows, limit, &mut |path| {
            all.push(path.to_vec());
            Ok(())
        });
        collected.unwrap();
        (paths.length(), paths.count(), all)
    }

    #[test]
    fn paths_are_all_and_shortest() {
        let arcs = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (0, 5),
            (5, 4),
            (4, 6),
            (6, 0),
            (3, 3),
        ];
        let graph = Graph::from_arcs(8, arcs).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let all = |from, to| paths(&rows, from, to, usize::MAX);
        assert_eq!(all(0, 3), (Some(2), 2, vec![vec![0, 1, 3], vec![0, 2, 3]]));
        assert_eq!(all(0, 4), (Some(2), 1, vec![vec![0, 5, 4]]));
        assert_eq!(all(3, 2), (Some(4), 1, vec![vec![3, 4, 6, 0, 2]]));
        assert_eq!(all(3, 3), (Some(0), 1, vec![vec![3]]));
        assert_eq!(all(0, 7), (None, 0, vec![]));
        assert_eq!(paths(&rows, 0, 3, 1).2, [[0, 1, 3]]);
    }

    #[test]
    fn many_paths_are_counted() {
        // Thirty squares in a row.
        let square = |k: Node| {
            [
                (3 * k, 3 * k + 1),
                (3 * k, 3 * k + 2),
                (3 * k + 1, 3 * k + 3),
                (3 * k + 2, 3 * k + 3),
            ]
        };
        let graph = Graph::from_arcs(91, (0..30).flat_map(square)).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let (length, count, first) = paths(&rows, 0, 90, 5);
        assert_eq!((length, count, first.len()), (Some(60), 1 << 30, 5));
    }
}
