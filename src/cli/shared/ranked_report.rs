//! From a ranking to what the user sees: the table, the manifest, the summary.

use super::describe;
use super::options::{OutputArgs, Sort};
use super::reported::{Reported, SHOWN};
use std::fmt::Write as _;
use webrank::internals::error::Result;
use webrank::internals::graph::{Graph, Node};
use webrank::internals::scores::manifest::Manifest;
use webrank::internals::scores::phases::Phases;
use webrank::internals::scores::proved_order::Certainty;
use webrank::internals::scores::ranked::Ranked;
use webrank::internals::scores::table::{Column, Columns, Table};
use webrank::internals::scores::{Run, Scores};
use webrank::internals::visible::visible;

/// A ranking that is ready to be reported.
pub struct RankedReport<'a> {
    pub graph: &'a Graph,
    pub ranked: &'a Ranked,
}

impl Reported for RankedReport<'_> {
    fn shown(&self, count: usize) -> String {
        self.best(count)
    }

    fn columns(&self, shape: &OutputArgs) -> Columns<'_> {
        self.table(shape).into_columns()
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        let runs = self.scores().map(|(header, scores)| (header, &scores.run));
        let ranked = self.ranked;
        let mut manifest = Manifest::of(self.graph, runs, ranked.notes(), phases)?;
        manifest.proved_positions = ranked.certainty().map(Certainty::proved_positions);
        manifest.form = ranked.form().cloned();
        manifest.rank =
            Some("1 plus the number of nodes with a larger score; ties share it".into());
        Ok(manifest)
    }

    fn phases(&self) -> &Phases {
        self.ranked.phases()
    }

    fn summary(&self) -> String {
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            writeln!(text, "{what:<9} {}", visible(&value)).expect("strings grow");
        };
        line("graph", describe::graph(self.graph));
        let method = |run: &Run| format!("{}, {}", run.method, run.outcome);
        let columns = self.ranked.columns();
        let alike = columns.windows(2).all(|two| {
            let (one, other) = (&two[0].1.run, &two[1].1.run);
            one.method == other.method && one.outcome == other.outcome
        });
        for (header, scores) in self.scores().take(SHOWN) {
            line("measure", describe::measure(&scores.run));
            if !alike {
                line("column", format!("{header}: {}", method(&scores.run)));
            }
        }
        if columns.len() > SHOWN {
            line("column", format!("and {} more", columns.len() - SHOWN));
        }
        if alike {
            line("method", method(self.ranked.run()));
        }
        if let Some(certainty) = self.ranked.certainty() {
            let proved = certainty.proved_positions();
            line("order", format!("the first {proved} positions are proved"));
        }
        for note in self.ranked.notes() {
            line("note", note.clone());
        }
        text
    }
}

impl RankedReport<'_> {
    fn scores(&self) -> impl Iterator<Item = (&str, &Scores)> {
        let columns = self.ranked.columns().iter();
        columns.map(|(header, scores)| (header.as_str(), scores))
    }

    fn table(&self, shape: &OutputArgs) -> Table<'_> {
        let ranking = self.ranked.ranking();
        let scores = self
            .scores()
            .map(|(header, scores)| (header, scores.as_slice()));
        let bounds = self.ranked.bounds().iter();
        let bounds = bounds.map(|(header, entries)| (*header, entries.as_slice()));
        let numbers = scores.chain(bounds);
        let mut columns: Vec<_> = numbers
            .map(|(header, entries)| (header, Column::Numbers(entries)))
            .collect();
        if columns[0].0 == "score" {
            columns.push(("rank", Column::Counts(ranking.ranks())));
        }
        if let Some(certainty) = self.ranked.certainty() {
            columns.push(("certain", Column::Flags(certainty.certain())));
        }
        Table {
            nodes: chosen(ranking.order(), shape),
            num_nodes: ranking.order().len(),
            names: self.graph.names(),
            columns,
        }
    }

    /// The best nodes, for people to read.
    fn best(&self, count: usize) -> String {
        let header = &self.ranked.columns()[0].0;
        let mut text = format!("\n{:>8}  {header:<12}  node\n", "rank");
        let certain = self.ranked.certainty().map(Certainty::certain);
        let ranks = self.ranked.ranking().ranks();
        for &node in self.ranked.ranking().order().iter().take(count) {
            let place = node as usize;
            let unproved = if certain.is_none_or(|certain| certain[place]) {
                ""
            } else {
                "~"
            };
            let rank = format!("{unproved}{}", ranks[place]);
            let (score, name) = (self.ranked.values()[place], self.ranked.name(node));
            let name = visible(&name);
            writeln!(text, "{rank:>8}  {score:<12.6e}  {name}").expect("strings grow");
        }
        text
    }
}

/// The nodes of the table's rows; none if the rows are all nodes in increasing order.
fn chosen(order: &[Node], shape: &OutputArgs) -> Option<Vec<Node>> {
    let top = shape.top.unwrap_or(order.len()).min(order.len());
    if shape.sort == Sort::Node && top == order.len() {
        return None;
    }
    let mut nodes = order[..top].to_vec();
    if shape.sort == Sort::Node {
        nodes.sort_unstable();
    }
    Some(nodes)
}
