//! Reports ranked arcs to the user: a table `source,target,score`. Ends are names where these are integers.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use webrank::Graph;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_distances::betweenness::arcs::RankedArcs;
use webrank_scores::manifest::Manifest;
use webrank_scores::report::{described_graph, described_measure};
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::aligned::aligned;
use webrank_terminal::options::{OutputArgs, Sort};
use webrank_terminal::reported::Reported;

/// Ranked arcs that are ready to be reported.
pub struct ArcReport<'a> {
    pub graph: &'a Graph,
    pub ranked: &'a RankedArcs,
}

impl Reported for ArcReport<'_> {
    fn summary(&self) -> String {
        let ranked = self.ranked;
        let mut text = format!(
            "graph     {}\nmeasure   {}\nmethod    exact\n",
            visible(&described_graph(self.graph)),
            visible(&described_measure(ranked.run()))
        );
        for note in ranked.notes() {
            writeln!(text, "note      {}", visible(note)).expect("strings grow");
        }
        text
    }

    fn shown(&self, count: usize) -> String {
        let best: Vec<usize> = self.ranked.order().iter().take(count).copied().collect();
        let scores: Vec<f64> = best.iter().map(|&arc| self.ranked.values()[arc]).collect();
        let scores = aligned(&scores);
        let width = scores.first().map_or(0, String::len).max("score".len());
        let mut text = format!("\n{:<width$}  arc\n", "score");
        for (&arc, score) in best.iter().zip(&scores) {
            let (source, target) = self.ranked.ends(arc);
            let (source, target) = (self.graph.name(source), self.graph.name(target));
            let (source, target) = (visible(&source), visible(&target));
            writeln!(text, "{score:<width$}  {source} -> {target}").expect("strings grow");
        }
        text
    }

    fn best_rows(&self, count: usize) -> Vec<Value> {
        let best = self.ranked.order().iter().take(count);
        let row = |&arc: &usize| {
            let (source, target) = self.ranked.ends(arc);
            let [from, to] = [source, target].map(|node| self.graph.name(node));
            let score = self.ranked.values()[arc];
            json!({ "source": source, "target": target, "source_name": from, "target_name": to, "score": score })
        };
        best.map(row).collect()
    }

    fn columns(&self, shape: &OutputArgs) -> ColumnTable<'_> {
        let arcs = self.rows(shape);
        let rows = arcs.len();
        let arcs: Arc<[usize]> = arcs.into();
        let ranked = self.ranked;
        let ends = {
            let arcs = arcs.clone();
            move |row: usize| ranked.ends(arcs[row])
        };
        let (source, target) = (ends.clone(), ends.clone());
        let mut fields: Vec<NamedColumn> = Vec::new();
        if let Some(names) = self.graph.names().filter(|names| names.are_integers()) {
            let source = move |row| names.integer(source(row).0);
            let target = move |row| names.integer(target(row).1);
            fields.push(NamedColumn::new("source", Cells::Long(Box::new(source))));
            fields.push(NamedColumn::new("target", Cells::Long(Box::new(target))));
        } else {
            let source = move |row| source(row).0;
            let target = move |row| target(row).1;
            fields.push(NamedColumn::new("source", Cells::Counts(Box::new(source))));
            fields.push(NamedColumn::new("target", Cells::Counts(Box::new(target))));
            if let Some(names) = self.graph.names() {
                let (source, target) = (ends.clone(), ends);
                let source = move |row| names.get(source(row).0);
                let target = move |row| names.get(target(row).1);
                fields.push(NamedColumn::new(
                    "source_name",
                    Cells::Names(Box::new(source)),
                ));
                fields.push(NamedColumn::new(
                    "target_name",
                    Cells::Names(Box::new(target)),
                ));
            }
        }
        let score = move |row: usize| ranked.values()[arcs[row]];
        fields.push(NamedColumn::new("score", Cells::Numbers(Box::new(score))));
        ColumnTable { rows, fields }
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        let columns = [("score", self.ranked.run())];
        Manifest::of(self.graph, columns, self.ranked.notes(), phases)
    }

    fn phases(&self) -> &Phases {
        self.ranked.phases()
    }
}

impl ArcReport<'_> {
    /// The positions of the table's arcs in the order of all arcs.
    fn rows(&self, shape: &OutputArgs) -> Vec<usize> {
        let order = self.ranked.order();
        let top = shape.top.unwrap_or(order.len()).min(order.len());
        let mut rows = order[..top].to_vec();
        if shape.sort == Sort::Node {
            rows.sort_unstable();
        }
        rows
    }
}
