//! `rank explain`.

use super::shared::describe::described;
use super::shared::options::{Global, GraphArgs, write_stdout};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use webrank::centrality::pagerank::inflow::{DanglingTo, Restart, dangling_mass, inflow};
use webrank::error::{Error, Result};
use webrank::graph::text::keys::NodeKeys;
use webrank::graph::text::shown::quoted;
use webrank::graph::{Csr, Names, Node, Predecessors, Successors};
use webrank::scores::manifest::Account;
use webrank::scores::read::{ScoreFile, read_scores};
use webrank::traversal::single::Search;

/// Explain why a node ranks where it does
///
/// Shows the degrees of NODE, how many nodes lie at each distance from it and to it, and its score
/// and rank in each of the tables SCORES, with the measure and its parameters where the account
/// FILE.json is beside FILE. For PageRank, also what the score is made of: alpha x(p) / outdegree(p)
/// from each predecessor p, and the shares of walks that start again and of dangling nodes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The node: its name, or its number
    node: String,
    /// Tables that 'rank' wrote for this graph
    scores: Vec<PathBuf>,
    /// Predecessors to list
    #[arg(long, default_value_t = 10, value_name = "N")]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known of a node.
#[derive(Serialize)]
struct Explanation {
    node: Node,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    indegree: u64,
    outdegree: u64,
    /// How many nodes reach it in 0, 1, 2, ... steps.
    distances_to_it: Vec<u64>,
    /// How many nodes it reaches in 0, 1, 2, ... steps.
    distances_from_it: Vec<u64>,
    tables: Vec<Standing>,
}

/// A node in a table of scores.
#[derive(Serialize)]
struct Standing {
    table: PathBuf,
    column: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    parameters: Map<String, Value>,
    score: f64,
    /// 1 plus the number of rows with a larger score.
    rank: usize,
    rows: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    inflow: Option<Inflow>,
}

/// What a PageRank is made of.
#[derive(Serialize)]
struct Inflow {
    alpha: f64,
    /// The predecessors that give most.
    first: Vec<Giver>,
    /// How many other predecessors there are, and what they give together.
    others: usize,
    from_others: f64,
    /// From walks that start again or leave dangling nodes.
    restarts: f64,
    /// The first part of that, and the second, if they are known apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_start: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_dangling: Option<f64>,
}

#[derive(Serialize)]
struct Giver {
    node: Node,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    gives: f64,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let source = args.graph.open()?;
    let names = source.names()?;
    let node = find(&args.node, names.as_ref(), source.properties().nodes)?;
    let tables: Vec<(&Path, ScoreFile)> = args
        .scores
        .iter()
        .map(|path| Ok((path.as_path(), read_scores(path, None)?)))
        .collect::<Result<_>>()?;
    let progress = global.progress();
    let (successors, predecessors) = source.both(progress.as_ref())?;
    drop(progress);
    let mut search = Search::new(successors.num_nodes());
    let mut distances = |rows: &Csr| {
        let mut counts = Vec::new();
        search.by_level(rows, node, |_, nodes| {
            counts.push(nodes.len() as u64);
            true
        });
        counts
    };
    let name = |node: Node| names.as_ref().map(|names| names.get(node).to_owned());
    let graph = Graph {
        successors: &successors,
        predecessors: &predecessors,
        names: names.as_ref(),
    };
    let mut explanation = Explanation {
        node,
        name: name(node),
        indegree: predecessors.degree(node),
        outdegree: successors.degree(node),
        distances_to_it: distances(&predecessors),
        distances_from_it: distances(&successors),
        tables: Vec::new(),
    };
    for (path, table) in &tables {
        let standings = graph.standings(path, table, node, args.top)?;
        explanation.tables.extend(standings);
    }
    write_stdout(|out| match args.json {
        true => {
            let text = serde_json::to_string_pretty(&explanation).expect("plain data serialises");
            writeln!(out, "{text}")
        }
        false => out.write_all(text(&explanation).as_bytes()),
    })
}

/// The node with this name or number.
fn find(key: &str, names: Option<&Names>, num_nodes: usize) -> Result<Node> {
    let keys = NodeKeys::new(num_nodes, names);
    keys.find(key)
        .ok_or_else(|| Error::argument("NODE", quoted(key), keys.why_unknown(key)))
}

struct Graph<'a> {
    successors: &'a Csr,
    predecessors: &'a Csr,
    names: Option<&'a Names>,
}

impl Graph<'_> {
    /// Where a node stands in each column of a table.
    fn standings(
        &self,
        path: &Path,
        table: &ScoreFile,
        node: Node,
        top: usize,
    ) -> Result<Vec<Standing>> {
        let key = |node: Node| match self.names {
            Some(names) if table.key_column == "name" => names.get(node).to_owned(),
            _ => node.to_string(),
        };
        let index = table.keys.index();
        let row_of = |node: Node| index.find(&table.keys, &key(node));
        let Some(row) = row_of(node) else {
            return Err(Error::file(path, format!("has no row for '{}'", key(node))));
        };
        let account = Account::beside(path)?;
        let standings = table.columns.iter().map(|(column, scores)| {
            let account = account.as_ref();
            let score_of = |node: Node| Some(scores[row_of(node)?]);
            let inflow = account
                .and_then(|account| restart(account, column))
                .and_then(|restart| self.inflow(restart, node, score_of, top));
            Standing {
                table: path.to_owned(),
                column: column.clone(),
                measure: account.and_then(|a| Some(a.measure(column)?.to_owned())),
                parameters: account.map_or_else(Map::new, |a| a.parameters(column)),
                score: scores[row],
                rank: 1 + scores.iter().filter(|&&other| other > scores[row]).count(),
                rows: scores.len(),
                inflow,
            }
        });
        Ok(standings.collect())
    }

    /// The first givers, and what is left.
    fn inflow(
        &self,
        restart: Restart,
        node: Node,
        score: impl Fn(Node) -> Option<f64>,
        top: usize,
    ) -> Option<Inflow> {
        let (successors, predecessors) =
            (Successors(self.successors), Predecessors(self.predecessors));
        let given = inflow(successors, predecessors, node, restart.alpha, &score)?;
        let sum = |part: &[(Node, f64)]| part.iter().map(|(_, gives)| gives).sum::<f64>();
        let rest = (score(node)? - sum(&given)).max(0.0);
        let parts = dangling_mass(successors, &score)
            .and_then(|mass| restart.split(rest, mass, self.successors.num_nodes()));
        let (first, others) = given.split_at(top.min(given.len()));
        let giver = |&(node, gives): &(Node, f64)| Giver {
            node,
            name: self.names.map(|names| names.get(node).to_owned()),
            gives,
        };
        Some(Inflow {
            alpha: restart.alpha,
            first: first.iter().map(giver).collect(),
            others: others.len(),
            from_others: sum(others),
            restarts: rest,
            from_start: parts.map(|[start, _]| start),
            from_dangling: parts.map(|[_, dangling]| dangling),
        })
    }
}

/// How walks start again, if the column is a PageRank.
fn restart(account: &Account, column: &str) -> Option<Restart> {
    if account.measure(column)? != "pagerank" {
        return None;
    }
    let parameters = account.parameters(column);
    Some(Restart {
        alpha: parameters.get("alpha")?.as_f64()?,
        preference_is_uniform: parameters.get("preference")? == "uniform",
        dangling: match parameters.get("dangling")?.as_str()? {
            "preference" => DanglingTo::Preference,
            "uniform" => DanglingTo::Uniform,
            "none" => DanglingTo::Nowhere,
            _ => DanglingTo::Vector,
        },
    })
}

/// An explanation, for people to read.
fn text(explanation: &Explanation) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("strings grow");
    let Explanation { node, name, .. } = explanation;
    line(format!("node      {}", label(*node, name.as_ref())));
    line(format!(
        "degrees   {} in, {} out",
        explanation.indegree, explanation.outdegree
    ));
    for (what, counts) in [
        ("reached   by", &explanation.distances_to_it),
        ("reaches  ", &explanation.distances_from_it),
    ] {
        let total: u64 = counts.iter().skip(1).sum();
        let levels = counts.iter().enumerate().skip(1);
        let levels: Vec<String> = levels.map(|(d, count)| format!("{count} at {d}")).collect();
        let levels = if levels.is_empty() {
            String::new()
        } else {
            format!(": {}", levels.join(", "))
        };
        line(format!("{what} {total} nodes{levels}"));
    }
    if !explanation.tables.is_empty() {
        line(format!("\n{:>10}  {:<12}  table", "rank", "score"));
    }
    for standing in &explanation.tables {
        let (path, column) = (standing.table.display(), &standing.column);
        let measure = standing.measure.as_deref();
        let measure = measure.map(|name| format!(": {}", described(name, &standing.parameters)));
        let measure = measure.unwrap_or_default();
        let of = format!("{path} ({column}, {} rows){measure}", standing.rows);
        line(format!(
            "{:>10}  {:<12.6e}  {of}",
            standing.rank, standing.score
        ));
    }
    for standing in &explanation.tables {
        let Some(inflow) = &standing.inflow else {
            continue;
        };
        let share =
            |gives: f64| format!("{:>9.2}%  {gives:<12.6e}", 100.0 * gives / standing.score);
        line(format!(
            "\n{:>10}  {:<12}  from, by {}",
            "share",
            "gives",
            standing.table.display()
        ));
        for giver in &inflow.first {
            let from = label(giver.node, giver.name.as_ref());
            line(format!("{}  {from}", share(giver.gives)));
        }
        if inflow.others > 0 {
            let from = format!("{} other predecessors", inflow.others);
            line(format!("{}  {from}", share(inflow.from_others)));
        }
        let rest: &[(f64, &str)] = match (inflow.from_start, inflow.from_dangling) {
            (Some(start), Some(dangling)) => &[
                (start, "walks that start again"),
                (dangling, "walks that leave dangling nodes"),
            ],
            _ => &[(
                inflow.restarts,
                "walks that start again or leave dangling nodes",
            )],
        };
        for &(gives, from) in rest {
            line(format!("{}  {from}", share(gives)));
        }
    }
    text
}

fn label(node: Node, name: Option<&String>) -> String {
    match name {
        Some(name) => format!("{name} ({node})"),
        None => node.to_string(),
    }
}
