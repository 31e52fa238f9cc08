//! Output of `rank explain`: JSON by serde, and text for people.

use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};
use webrank_base::Node;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_lengths::node_distances::NodeDistances;
use webrank_scores::report::described_for_people;
use webrank_terminal::aligned::aligned;
use webrank_walks::pagerank::inflow::PageRankInflow;

/// The facts about a node.
#[derive(Serialize)]
pub struct Explanation {
    pub node: Node,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub indegree: u64,
    pub outdegree: u64,
    /// How many nodes reach it in 0, 1, 2, ... steps.
    pub distances_to_it: Vec<u64>,
    /// How many nodes it reaches in 0, 1, 2, ... steps.
    pub distances_from_it: Vec<u64>,
    /// Distances to it that are sums of lengths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths_to_it: Option<NodeDistances>,
    /// Distances from it that are sums of lengths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths_from_it: Option<NodeDistances>,
    pub tables: Vec<Standing>,
}

/// A node in a table of scores.
#[derive(Serialize)]
pub struct Standing {
    pub table: String,
    pub column: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    pub score: f64,
    /// 1 plus the number of rows with a larger score.
    pub rank: usize,
    pub rows: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inflow: Option<PageRankInflow>,
}

impl Explanation {
    /// Text for people; only the `detailed` one has parameters that nobody gave.
    pub fn print(
        &self,
        out: &mut dyn Write,
        name: &dyn Fn(Node) -> String,
        detailed: bool,
    ) -> io::Result<()> {
        writeln!(out, "node      {}", label(self.node, self.name.as_ref()))?;
        let (indegree, outdegree) = (self.indegree, self.outdegree);
        writeln!(out, "degrees   {indegree} in, {outdegree} out")?;
        print_distances(out, "reached   by", &self.distances_to_it)?;
        print_distances(out, "reaches  ", &self.distances_from_it)?;
        print_lengths(out, "lengths   to it", self.lengths_to_it)?;
        print_lengths(out, "lengths   from it", self.lengths_from_it)?;
        if !self.tables.is_empty() {
            writeln!(out, "\n{:>10}  {:<12}  table", "rank", "score")?;
        }
        let mut tables = self.tables.iter();
        tables.try_for_each(|table| table.print(out, name, detailed))?;
        for table in &self.tables {
            if let Some(inflow) = &table.inflow {
                print_inflow(inflow, out, table)?;
            }
        }
        Ok(())
    }
}

/// How many nodes lie at each distance from 1 on.
fn print_distances(out: &mut dyn Write, what: &str, counts: &[u64]) -> io::Result<()> {
    let total: u64 = counts.iter().skip(1).sum();
    let levels = counts.iter().enumerate().skip(1);
    let levels: Vec<String> = levels.map(|(d, count)| format!("{count} at {d}")).collect();
    let colon = if levels.is_empty() { "" } else { ": " };
    writeln!(
        out,
        "{what} {}{colon}{}",
        counted(total, "node"),
        levels.join(", ")
    )
}

/// Distances that are sums of lengths, if they are known.
fn print_lengths(out: &mut dyn Write, what: &str, found: Option<NodeDistances>) -> io::Result<()> {
    let Some(found) = found else { return Ok(()) };
    let count = counted(found.nodes, "node");
    match (found.nearest, found.mean, found.farthest) {
        (Some(nearest), Some(mean), Some(farthest)) => writeln!(
            out,
            "{what}: {count} at {nearest:?} to {farthest:?}, {mean:?} on average"
        ),
        _ => writeln!(out, "{what}: no node"),
    }
}

impl Standing {
    fn print(
        &self,
        out: &mut dyn Write,
        name: &dyn Fn(Node) -> String,
        detailed: bool,
    ) -> io::Result<()> {
        let (table, column) = (visible(&self.table), visible(&self.column));
        let measure = self.measure.as_deref().map(|measure| {
            let described = described_for_people(measure, &self.parameters, name, detailed);
            format!(": {described}")
        });
        let measure = measure.unwrap_or_default();
        let (rank, rows) = (self.rank, counted(self.rows, "row"));
        let score = &aligned(&[self.score])[0];
        writeln!(
            out,
            "{rank:>10}  {score:<12}  {table} ({column}, {rows}){}",
            visible(&measure)
        )
    }
}

/// The parts of the score in a table.
fn print_inflow(inflow: &PageRankInflow, out: &mut dyn Write, table: &Standing) -> io::Result<()> {
    let name = visible(&table.table);
    writeln!(out, "\n{:>10}  {:<12}  from, by {name}", "share", "gives")?;
    let givers = inflow.first.iter();
    let mut lines: Vec<(f64, String)> = givers
        .map(|giver| (giver.gives, label(giver.node, giver.name.as_ref())))
        .collect();
    if inflow.others > 0 {
        let others = counted(inflow.others, "other predecessor");
        lines.push((inflow.from_others, others));
    }
    lines.extend(match (inflow.from_start, inflow.from_dangling) {
        (Some(start), Some(dangling)) => vec![
            (start, "walks that restart".into()),
            (dangling, "walks that leave dangling nodes".into()),
        ],
        _ => vec![(
            inflow.restarts,
            "walks that restart or leave dangling nodes".into(),
        )],
    });
    let gives: Vec<f64> = lines.iter().map(|(gives, _)| *gives).collect();
    for ((gives, from), text) in lines.iter().zip(aligned(&gives)) {
        let share = 100.0 * gives / table.score;
        writeln!(out, "{share:>9.2}%  {text:<12}  {from}")?;
    }
    Ok(())
}

fn label(node: Node, name: Option<&String>) -> String {
    match name {
        Some(name) => format!("{} ({node})", visible(name)),
        None => node.to_string(),
    }
}
