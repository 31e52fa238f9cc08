//! From scores of arcs to what the user sees.

use super::shared::describe::{graph_on_disk, measure};
use super::shared::options::{Global, Output, OutputArgs, Sort, write_stdout};
use super::shared::report::{Format, Phases, write_file};
use std::io::{self, Write};
use webrank::internals::centrality::betweenness::arcs::ArcScores;
use webrank::internals::error::Result;
use webrank::internals::graph::{Csr, Names, Node, Source};
use webrank::internals::scores::manifest::Manifest;
use webrank::internals::scores::parquet;
use webrank::internals::scores::table::Cells;

/// Rows shown at a terminal.
const SHOWN: usize = 20;

/// Scored arcs that are ready to be reported.
pub struct ArcReport<'a> {
    pub source: &'a Source,
    pub names: Option<&'a Names>,
    pub successors: &'a Csr,
    pub scores: &'a ArcScores,
}

impl ArcReport<'_> {
    /// Writes the table `source,target,score`, or shows the best arcs.
    pub fn write(
        &self,
        output: Output,
        args: &OutputArgs,
        global: &Global,
        mut phases: Phases,
    ) -> Result<()> {
        match output {
            Output::Terminal => {
                let rows = self.rows(Sort::Score, Some(args.top.unwrap_or(SHOWN)));
                write_stdout(|out| {
                    writeln!(out, "{}\n{:<12}  arc", self.summary(), "score")?;
                    for arc in rows {
                        let (x, y) = self.ends(arc);
                        let score = self.scores.values[arc];
                        writeln!(out, "{score:<12.6e}  {} -> {}", self.name(x), self.name(y))?;
                    }
                    Ok(())
                })
            }
            Output::Stdout => write_stdout(|out| self.table(args, out)),
            Output::File {
                table,
                path,
                manifest,
            } => {
                let columns = [("score", &self.scores.run)];
                write_file(
                    (table, path, manifest),
                    |format, out| match format {
                        Format::Csv => self.table(args, out),
                        Format::Parquet => self.parquet(args, out),
                    },
                    || {
                        phases.done("write");
                        Ok(Manifest::new(self.source, columns, &[], &phases)?.text())
                    },
                )?;
                global.summary(&self.summary());
                Ok(())
            }
        }
    }

    fn summary(&self) -> String {
        format!(
            "graph     {}\nmeasure   {}\nmethod    exact\n",
            graph_on_disk(self.source),
            measure(&self.scores.run)
        )
    }

    /// The places of the arcs to show; equal scores by source and target.
    fn rows(&self, sort: Sort, top: Option<usize>) -> Vec<usize> {
        let values = &self.scores.values;
        let mut rows: Vec<usize> = (0..values.len()).collect();
        let top = top.unwrap_or(rows.len()).min(rows.len());
        if sort == Sort::Score || top < rows.len() {
            rows.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
            rows.truncate(top);
        }
        if sort == Sort::Node {
            rows.sort_unstable();
        }
        rows
    }

    fn ends(&self, arc: usize) -> (Node, Node) {
        let source = self
            .successors
            .offsets()
            .partition_point(|&o| o <= arc as u64)
            - 1;
        (source as Node, self.successors.targets()[arc])
    }

    fn name(&self, node: Node) -> String {
        match self.names {
            Some(names) => names.get(node).to_owned(),
            None => node.to_string(),
        }
    }

    fn table(&self, args: &OutputArgs, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let mut header = vec!["source", "target"];
        if self.names.is_some() {
            header.extend(["source_name", "target_name"]);
        }
        header.push("score");
        writer.write_record(header)?;
        let mut number = ryu::Buffer::new();
        for arc in self.rows(args.sort, args.top) {
            let (source, target) = self.ends(arc);
            writer.write_field(source.to_string())?;
            writer.write_field(target.to_string())?;
            if let Some(names) = self.names {
                writer.write_field(names.get(source))?;
                writer.write_field(names.get(target))?;
            }
            writer.write_field(number.format(self.scores.values[arc]))?;
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    /// The same as Parquet.
    fn parquet(&self, args: &OutputArgs, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let rows = self.rows(args.sort, args.top);
        let ends = |row: usize| self.ends(rows[row]);
        let mut columns = vec![
            ("source", Cells::Counts(Box::new(|row| ends(row).0))),
            ("target", Cells::Counts(Box::new(|row| ends(row).1))),
        ];
        if let Some(names) = self.names {
            let source = move |row| names.get(ends(row).0);
            let target = move |row| names.get(ends(row).1);
            columns.push(("source_name", Cells::Names(Box::new(source))));
            columns.push(("target_name", Cells::Names(Box::new(target))));
        }
        let score = |row: usize| self.scores.values[rows[row]];
        columns.push(("score", Cells::Numbers(Box::new(score))));
        parquet::write_columns(&columns, rows.len(), out)
    }
}
