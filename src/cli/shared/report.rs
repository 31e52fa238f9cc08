//! From scores to what the user sees: the table, the manifest, the summary.

use super::describe::{graph_on_disk, measure};
use super::options::{Global, Output, OutputArgs, Sort, write_compressed, write_stdout};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::{Names, Source};
use webrank::internals::output::PendingFile;
use webrank::internals::scores::manifest::{Manifest, path_beside};
use webrank::internals::scores::parquet;
pub use webrank::internals::scores::phases::Phases;
use webrank::internals::scores::ranking::Ranking;
use webrank::internals::scores::read::names_parquet;
use webrank::internals::scores::table::{Column, Table};
use webrank::internals::scores::{Run, Scores};

/// Rows shown at a terminal.
const SHOWN: usize = 20;

/// A run that is ready to be reported.
pub struct Report<'a> {
    pub source: &'a Source,
    pub names: Option<&'a Names>,
    /// One measure or several. A single one has the columns `score` and `rank`, several have one
    /// column each, named after them.
    pub scores: &'a [Scores],
    /// The ranking by the first measure.
    pub ranking: &'a Ranking,
    /// Whether the rank of each node is proved, and how many first positions are.
    pub certain: Option<(&'a [bool], usize)>,
    /// In which form the graph was swept.
    pub form: Option<Value>,
    /// Sentences for the summary.
    pub notes: Vec<String>,
}

impl Report<'_> {
    /// Writes the table and its manifest, or shows the best nodes; with more columns after the score, such as the bounds it lies between.
    pub fn write_between(
        &self,
        bounds: &[(&str, &[f64])],
        output: Output,
        args: &OutputArgs,
        global: &Global,
        phases: Phases,
    ) -> Result<()> {
        let headers: Vec<&str> = match self.scores {
            [_] => vec!["score"],
            several => several.iter().map(|scores| scores.run.measure).collect(),
        };
        self.write_all(&headers, bounds, output, args, global, phases)
    }

    fn write_all(
        &self,
        headers: &[&str],
        bounds: &[(&str, &[f64])],
        output: Output,
        args: &OutputArgs,
        global: &Global,
        mut phases: Phases,
    ) -> Result<()> {
        match output {
            Output::Terminal => {
                let text =
                    self.summary(headers) + &self.best(headers[0], args.top.unwrap_or(SHOWN));
                write_stdout(|out| out.write_all(text.as_bytes()))
            }
            Output::Stdout => write_stdout(|out| self.table(headers, bounds, args).write_csv(out)),
            Output::File {
                table,
                path,
                manifest,
            } => {
                write_file(
                    (table, path, manifest),
                    |format, out| match (self.table(headers, bounds, args), format) {
                        (table, Format::Csv) => table.write_csv(out),
                        (table, Format::Parquet) => parquet::write(&table, out),
                    },
                    || {
                        phases.done("write");
                        self.manifest(headers, &phases)
                    },
                )?;
                global.summary(&self.summary(headers));
                Ok(())
            }
        }
    }

    fn table<'t>(
        &'t self,
        headers: &[&'t str],
        bounds: &[(&'t str, &'t [f64])],
        args: &OutputArgs,
    ) -> Table<'t> {
        let n = self.values().len();
        let top = args.top.unwrap_or(n).min(n);
        let nodes = match (args.sort, top < n) {
            (Sort::Node, false) => None,
            (Sort::Score, _) => Some(self.ranking.order()[..top].to_vec()),
            (Sort::Node, true) => {
                let mut nodes = self.ranking.order()[..top].to_vec();
                nodes.sort_unstable();
                Some(nodes)
            }
        };
        let scores = self.scores.iter().map(slice);
        let mut columns: Vec<_> = headers
            .iter()
            .copied()
            .zip(scores)
            .chain(bounds.iter().copied())
            .map(|(name, entries)| (name, Column::Numbers(entries)))
            .collect();
        if headers[0] == "score" {
            columns.push(("rank", Column::Counts(self.ranking.ranks())));
        }
        if let Some((certain, _)) = self.certain {
            columns.push(("certain", Column::Flags(certain)));
        }
        Table {
            nodes,
            num_nodes: n,
            names: self.names,
            columns,
        }
    }

    /// The scores that rank.
    fn values(&self) -> &[f64] {
        slice(&self.scores[0])
    }

    fn manifest(&self, headers: &[&str], phases: &Phases) -> Result<String> {
        let runs = self.scores.iter().map(|scores| &scores.run);
        let columns = headers.iter().copied().zip(runs);
        let mut manifest = Manifest::new(self.source, columns, &self.notes, phases)?;
        manifest.proved_positions = self.certain.map(|(_, proved)| proved);
        manifest.form = self.form.clone();
        manifest.rank =
            Some("1 plus the number of nodes with a larger score; ties share it".into());
        Ok(manifest.text())
    }

    /// What was computed, how, and how sure it is.
    fn summary(&self, headers: &[&str]) -> String {
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            writeln!(text, "{what:<9} {value}").expect("strings grow");
        };
        line("graph", graph_on_disk(self.source));
        let method = |run: &Run| format!("{}, {}", run.method, run.outcome);
        let shown = self.scores.len().min(SHOWN);
        let alike = self.scores.windows(2).all(|two| {
            two[0].run.method == two[1].run.method && two[0].run.outcome == two[1].run.outcome
        });
        for (header, scores) in headers.iter().zip(&self.scores[..shown]) {
            line("measure", measure(&scores.run));
            if !alike {
                line("column", format!("{header}: {}", method(&scores.run)));
            }
        }
        if shown < self.scores.len() {
            line("column", format!("and {} more", self.scores.len() - shown));
        }
        if alike {
            line("method", method(&self.scores[0].run));
        }
        if let Some((_, proved)) = self.certain {
            line("order", format!("the first {proved} positions are proved"));
        }
        for note in &self.notes {
            line("note", note.clone());
        }
        text
    }

    /// The best nodes, for people to read.
    fn best(&self, header: &str, count: usize) -> String {
        let order = &self.ranking.order()[..count.min(self.values().len())];
        let mut text = format!("\n{:>8}  {header:<12}  node\n", "rank");
        for &node in order {
            let rank = self.ranking.ranks()[node as usize];
            let score = self.values()[node as usize];
            let name = match self.names {
                Some(names) => names.get(node).to_owned(),
                None => node.to_string(),
            };
            let unproved = match self.certain {
                Some((certain, _)) if !certain[node as usize] => "~",
                _ => "",
            };
            let rank = format!("{unproved}{rank}");
            writeln!(text, "{rank:>8}  {score:<12.6e}  {name}").expect("strings grow");
        }
        text
    }
}

/// How a table is written.
#[derive(Clone, Copy)]
pub enum Format {
    Csv,
    Parquet,
}

/// Writes a table to its file, then its manifest, and makes both appear.
pub fn write_file(
    (mut table, path, manifest): (PendingFile, PathBuf, Option<PendingFile>),
    write: impl FnOnce(Format, &mut (dyn Write + Send)) -> std::io::Result<()>,
    manifest_text: impl FnOnce() -> Result<String>,
) -> Result<()> {
    let format = match names_parquet(&path) {
        true => Format::Parquet,
        false => Format::Csv,
    };
    write_compressed(&path, &mut table, |out| write(format, out))?;
    let Some(mut file) = manifest else {
        return table.finish();
    };
    let text = manifest_text()?;
    // To the last byte, before the table appears.
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(|source| Error::io(path_beside(&path), "cannot write", source))?;
    table.finish()?;
    file.finish()
}

fn slice(scores: &Scores) -> &[f64] {
    scores.values.as_slice().expect("one column is contiguous")
}
