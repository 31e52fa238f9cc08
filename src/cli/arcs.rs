//! Reports ranked arcs to the user: a table `source,target,score`.

use super::shared::describe;
use super::shared::options::{OutputArgs, Sort};
use super::shared::reported::Reported;
use std::fmt::Write as _;
use std::io::{self, Write};
use webrank::Graph;
use webrank::internals::centrality::betweenness::arcs::RankedArcs;
use webrank::internals::error::Result;
use webrank::internals::scores::manifest::Manifest;
use webrank::internals::scores::parquet;
use webrank::internals::scores::phases::Phases;
use webrank::internals::scores::table::Cells;
use webrank::internals::visible::visible;

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
            visible(&describe::graph(self.graph)),
            visible(&describe::measure(ranked.run()))
        );
        for note in ranked.notes() {
            writeln!(text, "note      {}", visible(note)).expect("strings grow");
        }
        text
    }

    fn shown(&self, count: usize) -> String {
        let mut text = format!("\n{:<12}  arc\n", "score");
        for &arc in self.ranked.order().iter().take(count) {
            let (source, target) = self.ranked.ends(arc);
            let (source, target) = (self.graph.name(source), self.graph.name(target));
            let (source, target) = (visible(&source), visible(&target));
            let score = self.ranked.values()[arc];
            writeln!(text, "{score:<12.6e}  {source} -> {target}").expect("strings grow");
        }
        text
    }

    fn write_csv(&self, shape: &OutputArgs, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let mut header = vec!["source", "target"];
        if self.graph.names().is_some() {
            header.extend(["source_name", "target_name"]);
        }
        header.push("score");
        writer.write_record(header)?;
        let mut number = ryu::Buffer::new();
        for arc in self.rows(shape) {
            let (source, target) = self.ranked.ends(arc);
            writer.write_field(source.to_string())?;
            writer.write_field(target.to_string())?;
            if let Some(names) = self.graph.names() {
                writer.write_field(names.get(source))?;
                writer.write_field(names.get(target))?;
            }
            writer.write_field(number.format(self.ranked.values()[arc]))?;
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    fn write_parquet(&self, shape: &OutputArgs, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let rows = self.rows(shape);
        let ends = |row: usize| self.ranked.ends(rows[row]);
        let mut columns = vec![
            ("source", Cells::Counts(Box::new(|row| ends(row).0))),
            ("target", Cells::Counts(Box::new(|row| ends(row).1))),
        ];
        if let Some(names) = self.graph.names() {
            let source = move |row| names.get(ends(row).0);
            let target = move |row| names.get(ends(row).1);
            columns.push(("source_name", Cells::Names(Box::new(source))));
            columns.push(("target_name", Cells::Names(Box::new(target))));
        }
        let score = |row: usize| self.ranked.values()[rows[row]];
        columns.push(("score", Cells::Numbers(Box::new(score))));
        parquet::write_columns(&columns, rows.len(), out)
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
