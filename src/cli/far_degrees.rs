//! The best nodes by degree of a graph on shards with 2^32 nodes or more.

use serde_json::{Value, json};
use std::fmt::Write as _;
use webrank_base::error::{Error, Result};
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_graph::{Direction, Graph};
use webrank_scores::manifest::Manifest;
use webrank_scores::report::described_graph;
use webrank_scores::{Outcome, Run};
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::options::{Global, GraphArgs, OutputArgs, Sort};
use webrank_terminal::reported::Reported;
use webrank_walks::far_degrees::{FarDegree, far_degrees};

/// The best nodes, and how they were found.
struct FarReport {
    graph: Graph,
    best: Vec<FarDegree>,
    run: Run,
    phases: Phases,
}

/// Ranks by degree if the graph has 2^32 nodes or more; false if it has fewer.
pub fn ranked(
    (measure, direction): (&'static str, Direction),
    args: &GraphArgs,
    output: &OutputArgs,
    global: &Global,
) -> Result<bool> {
    let Some(shards) = args
        .shards()?
        .filter(|shards| shards.plan().nodes > u32::MAX.into())
    else {
        return Ok(false);
    };
    let Some(count) = output.top else {
        let problem = "2^32 nodes or more do not fit one table: --top K keeps the K best";
        return Err(Error::file(shards.path(), problem));
    };
    let out = output.open(global)?;
    global.end_plan()?;
    let mut phases = Phases::start();
    let best = far_degrees(&shards, direction, count, global.progress().as_ref())?;
    phases.done("count");
    let report = FarReport {
        graph: Graph::from_unnamed_shards(shards),
        best,
        run: Run {
            measure,
            method: "exact",
            parameters: Default::default(),
            outcome: Outcome::Exact,
        },
        phases,
    };
    report.write(out, output, global).map(|()| true)
}

impl FarReport {
    /// The rank of the node in a row: how many have more, and 1.
    fn rank(&self, row: usize) -> usize {
        1 + self
            .best
            .partition_point(|other| other.1 > self.best[row].1)
    }
}

impl Reported for FarReport {
    fn summary(&self) -> String {
        let graph = described_graph(&self.graph);
        let (graph, measure) = (visible(&graph), self.run.measure);
        format!("graph     {graph}\nmeasure   {measure}\nmethod    exact\n")
    }

    fn shown(&self, count: usize) -> String {
        let mut text = format!("\n{:>8}  {:>10}  node\n", "rank", "score");
        for (row, (node, degree)) in self.best.iter().enumerate().take(count) {
            writeln!(text, "{:>8}  {degree:>10}  {node}", self.rank(row)).expect("strings grow");
        }
        text
    }

    fn best_rows(&self, count: usize) -> Vec<Value> {
        let rows = self.best.iter().enumerate().take(count);
        rows.map(|(row, (node, degree))| {
            json!({ "rank": self.rank(row), "score": *degree as f64, "node": node })
        })
        .collect()
    }

    fn columns(&self, shape: &OutputArgs) -> ColumnTable<'_> {
        let mut rows: Vec<usize> = (0..self.best.len()).collect();
        if shape.sort == Sort::Node {
            rows.sort_by_key(|&row| self.best[row].0);
        }
        let rows: std::sync::Arc<[usize]> = rows.into();
        let of = || rows.clone();
        let (nodes, scores, ranks) = (of(), of(), of());
        let node = move |row: usize| self.best[nodes[row]].0 as i64;
        let score = move |row: usize| self.best[scores[row]].1 as f64;
        let rank = move |row: usize| self.rank(ranks[row]) as i64;
        ColumnTable {
            rows: rows.len(),
            fields: vec![
                NamedColumn::new("node", Cells::Long(Box::new(node))),
                NamedColumn::new("score", Cells::Numbers(Box::new(score))),
                NamedColumn::new("rank", Cells::Long(Box::new(rank))),
            ],
        }
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        Manifest::of(&self.graph, [("score", &self.run)], &[], phases)
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
