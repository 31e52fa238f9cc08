//! `rank explain`.

use super::explanation::{Explanation, Standing};
use super::lookup::find;
use super::shared::lengths::LengthArgs;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::resident_memory;
use webrank_base::shown::quoted;
use webrank_base::visible::{visible, visible_json};
use webrank_distances::traversal::single::SingleSearch;
use webrank_graph::{Csr, Direction, Size};
use webrank_lengths::node_distances::NodeDistances;
use webrank_scores::Run;
use webrank_scores::manifest::ManifestState;
use webrank_tables::read::{ScoreFile, read_scores};
use webrank_tables::text::names::Names;
use webrank_terminal::options::{Global, GraphArgs, at_least_one, write_lines, write_stdout};
use webrank_walks::pagerank::inflow::{InflowArcs, Restart};

/// Explain why a node ranks where it does
///
/// Shows the degrees of NODE, how many nodes lie at each distance from it and to it, and its score
/// and rank in each of the tables SCORES, with the measure and its parameters if the manifest
/// FILE.json is beside FILE. With --lengths, distances are sums of lengths of arcs, too. For PageRank,
/// it also shows what the score is made of: alpha x(p) / outdegree(p) from each predecessor p (with
/// weights of arcs, x(p) in proportion to them), and the shares of walks that restart and of dangling
/// nodes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The node: its name, or its number
    node: String,
    /// Tables that 'rank' wrote for this graph
    scores: Vec<PathBuf>,
    /// Predecessors to list
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N", aliases = ["limit", "hits"], value_parser = at_least_one)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lengths: LengthArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let lengths = args.lengths.given()?;
    let graph = args.lengths.graph(&args.graph).open_graph(global)?;
    let names = graph.names();
    let node = find(&graph, "NODE", &args.node)?;
    let tables: Vec<(&Path, ScoreFile)> = args
        .scores
        .iter()
        .map(|path| Ok((path.as_path(), read_scores(path, None)?)))
        .collect::<Result<_>>()?;
    let accounts = tables.iter().map(|(path, _)| ManifestState::beside(path));
    let accounts = accounts.collect::<Result<Vec<_>>>()?;
    let restarts = accounts.iter().filter_map(ManifestState::manifest);
    let mut restarts = restarts.flat_map(|m| m.columns.values().filter_map(Restart::of));
    let is_weighted = restarts.any(|restart| restart.is_weighted) && graph.has_weights();
    // Tables and names are in memory by now; each table gets an index. The code of searches by lengths is not.
    let code = if lengths.is_some() { 2 << 20 } else { 0 };
    let size = Size {
        base: (resident_memory() + code).max(Size::of(&graph).base),
        ..Size::of(&graph)
    };
    let of_lengths = if lengths.is_some() { 80 } else { 0 };
    let of_weights = if is_weighted { 20 } else { 0 };
    global.admit(
        "explain",
        size.bytes(60 + 16 * tables.len() as u64, 9 + of_lengths + of_weights),
    )?;
    let progress = global.progress();
    let by_length = |direction| {
        let given = lengths.as_ref().map(|(lengths, cutoff)| (lengths, *cutoff));
        let found =
            given.map(|it| NodeDistances::of(&graph, node, direction, it, progress.as_ref()));
        found.transpose()
    };
    let by_length = [by_length(Direction::In)?, by_length(Direction::Out)?];
    let (successors, predecessors) = graph.both(progress.as_ref())?;
    let weighted = match is_weighted {
        true => graph.weighted_successors(progress.as_ref())?,
        false => None,
    };
    let weights = weighted.map(|(_, weights)| weights);
    drop(progress);
    let mut search = SingleSearch::new(successors.num_nodes());
    let mut distances = |rows: &Csr| {
        let mut counts = Vec::new();
        search.by_level(rows, node, |_, nodes| {
            counts.push(nodes.len() as u64);
            true
        });
        counts
    };
    let name = |node: Node| names.map(|names| names.get(node).to_owned());
    let opened = &graph;
    let graph = NamedGraph {
        arcs: InflowArcs {
            successors: &successors,
            predecessors: &predecessors,
            weights: weights.as_deref(),
        },
        names,
    };
    let mut explanation = Explanation {
        node,
        name: name(node),
        indegree: predecessors.degree(node),
        outdegree: successors.degree(node),
        distances_to_it: distances(&predecessors),
        distances_from_it: distances(&successors),
        lengths_to_it: by_length[0],
        lengths_from_it: by_length[1],
        tables: Vec::new(),
    };
    let has_manifest = accounts.iter().any(|account| account.manifest().is_some());
    let own = has_manifest.then(|| opened.fingerprint()).transpose()?;
    for ((path, table), account) in tables.iter().zip(&accounts) {
        if let (Some(of), Some(own)) = (account.manifest().map(|it| &it.graph), &own)
            && of.fingerprint != *own
        {
            let note = format!(
                "{}: the run was on another graph, or on another file of this one ({}): shares are those \
                 of the graph here",
                path.display(),
                of.path
            );
            global.summary(&format!("rank: {}\n", visible(&note)));
        }
        let standings = graph.standings((path, table, account), node, args.top)?;
        explanation.tables.extend(standings);
        if let ManifestState::Unusable(why) = account {
            let note = format!("{}: what was computed is not known: {why}", path.display());
            global.summary(&format!("rank: {}\n", visible(&note)));
        }
    }
    if !args.json {
        let detailed = log::log_enabled!(log::Level::Info);
        let name = |node: Node| opened.name(node).into_owned();
        return write_lines(|out| explanation.print(out, &name, detailed));
    }
    let json = serde_json::to_string_pretty(&explanation).expect("plain data serialises");
    write_stdout(|out| writeln!(out, "{}", visible_json(&json)))
}

struct NamedGraph<'a> {
    arcs: InflowArcs<'a>,
    names: Option<&'a Names>,
}

impl NamedGraph<'_> {
    /// Where a node stands in each column of a table.
    fn standings(
        &self,
        (path, table, account): (&Path, &ScoreFile, &ManifestState),
        node: Node,
        top: usize,
    ) -> Result<Vec<Standing>> {
        let key = |node: Node| match self.names {
            Some(names) if table.key_column == "name" => names.get(node).to_owned(),
            _ => node.to_string(),
        };
        let name = |node: Node| self.names.map(|names| names.get(node).to_owned());
        let index = table.keys.index();
        let row_of = |node: Node| index.find(&table.keys, &key(node));
        let Some(row) = row_of(node) else {
            let problem = format!("has no row for {}", quoted(&key(node)));
            return Err(Error::file(path, problem));
        };
        let standings = table.columns.iter().map(|(column, scores)| {
            let run = account.manifest().and_then(|m| m.columns.get(column));
            let score_of = |node: Node| Some(scores[row_of(node)?]);
            let restart = run.and_then(Restart::of);
            let inflow = restart.and_then(|it| it.parts(self.arcs, node, top, score_of, name));
            Standing {
                table: path.to_string_lossy().into_owned(),
                column: column.clone(),
                measure: run.map(|run| run.measure.clone()),
                parameters: run.map_or_else(Map::new, set_parameters),
                score: scores[row],
                rank: 1 + scores.iter().filter(|&&other| other > scores[row]).count(),
                rows: scores.len(),
                inflow,
            }
        });
        Ok(standings.collect())
    }
}

/// The parameters that have a value.
fn set_parameters(run: &Run<String>) -> Map<String, Value> {
    let parameters = run.parameters.clone().into_iter();
    parameters.filter(|(_, value)| !value.is_null()).collect()
}
