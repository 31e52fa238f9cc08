//! From scores to what the user sees: the table, the manifest, the summary.

use super::describe::{graph, measure, outcome};
use super::options::{Global, Output, OutputArgs, Sort, write_compressed, write_stdout};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use webrank::error::{Error, Result};
use webrank::graph::{Names, Source};
use webrank::output::PendingFile;
use webrank::scores::manifest::path_beside;
use webrank::scores::parquet;
use webrank::scores::ranking::Ranking;
use webrank::scores::read::names_parquet;
use webrank::scores::table::{Column, Table};
use webrank::scores::{Run, Scores};

/// Rows shown at a terminal.
const SHOWN: usize = 20;

/// Seconds of each phase of a run.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Phases {
    phases: Vec<Phase>,
    #[serde(skip)]
    last: Instant,
}

#[derive(Serialize)]
struct Phase {
    phase: &'static str,
    seconds: f64,
}

impl Phases {
    pub fn start() -> Self {
        Phases {
            phases: Vec::new(),
            last: Instant::now(),
        }
    }

    /// Everything since the last call was `phase`.
    pub fn done(&mut self, phase: &'static str) {
        let seconds = self.last.elapsed().as_secs_f64();
        log::info!("{phase}: {seconds:.3} s");
        self.phases.push(Phase { phase, seconds });
        self.last = Instant::now();
    }
}

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

/// The account of a run, beside its table.
#[derive(Serialize)]
pub struct Manifest<'a> {
    command: Vec<String>,
    version: &'static str,
    graph: GraphAccount<'a>,
    /// How each column of scores came to be.
    columns: BTreeMap<&'a str, &'a Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'a Value>,
    notes: &'a [String],
    threads: usize,
    phases: &'a Phases,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct GraphAccount<'a> {
    path: &'a Path,
    nodes: usize,
    arcs: u64,
    fingerprint: String,
}

impl<'a> Manifest<'a> {
    /// The account of a table whose columns of scores came to be by these runs.
    pub fn new(
        source: &'a Source,
        columns: BTreeMap<&'a str, &'a Run>,
        notes: &'a [String],
        phases: &'a Phases,
    ) -> Result<Self> {
        Ok(Manifest {
            command: std::env::args().collect(),
            version: concat!("webrank ", env!("CARGO_PKG_VERSION")),
            graph: GraphAccount {
                path: source.path(),
                nodes: source.properties().nodes,
                arcs: source.properties().arcs,
                fingerprint: source.fingerprint()?,
            },
            columns,
            proved_positions: None,
            rank: None,
            form: None,
            notes,
            threads: rayon::current_num_threads(),
            phases,
            peak_memory_bytes: peak_memory(),
        })
    }

    /// As JSON.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data serialises");
        text.push('\n');
        text
    }
}

impl Report<'_> {
    /// Writes the table and its manifest, or shows the best nodes.
    pub fn write(
        &self,
        output: Output,
        args: &OutputArgs,
        global: &Global,
        phases: Phases,
    ) -> Result<()> {
        self.write_between(&[], output, args, global, phases)
    }

    /// The same with more columns after the score, such as the bounds it lies between.
    pub fn write_between(
        &self,
        bounds: &[(&str, &[f64])],
        output: Output,
        args: &OutputArgs,
        global: &Global,
        mut phases: Phases,
    ) -> Result<()> {
        match output {
            Output::Terminal => {
                let text = self.summary()? + &self.best(args.top.unwrap_or(SHOWN));
                write_stdout(|out| out.write_all(text.as_bytes()))
            }
            Output::Stdout => write_stdout(|out| self.table(bounds, args).write_csv(out)),
            Output::File {
                table,
                path,
                manifest,
            } => {
                write_file(
                    (table, path, manifest),
                    |format, out| match (self.table(bounds, args), format) {
                        (table, Format::Csv) => table.write_csv(out),
                        (table, Format::Parquet) => parquet::write(&table, out),
                    },
                    || {
                        phases.done("write");
                        self.manifest(&phases)
                    },
                )?;
                global.summary(&self.summary()?);
                Ok(())
            }
        }
    }

    fn table<'t>(&'t self, bounds: &[(&'t str, &'t [f64])], args: &OutputArgs) -> Table<'t> {
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
        let mut columns: Vec<_> = self
            .columns()
            .map(|(name, scores)| (name, Column::Numbers(slice(scores))))
            .collect();
        let numbers = |&(name, bound)| (name, Column::Numbers(bound));
        columns.extend(bounds.iter().map(numbers));
        if self.scores.len() == 1 {
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

    /// The names of the columns of scores.
    fn columns(&self) -> impl Iterator<Item = (&str, &Scores)> {
        let single = self.scores.len() == 1;
        self.scores.iter().map(move |scores| match single {
            true => ("score", scores),
            false => (scores.run.measure, scores),
        })
    }

    /// The scores that rank.
    fn values(&self) -> &[f64] {
        slice(&self.scores[0])
    }

    fn manifest(&self, phases: &Phases) -> Result<String> {
        let columns = self.columns();
        let columns = columns.map(|(name, scores)| (name, &scores.run)).collect();
        let mut manifest = Manifest::new(self.source, columns, &self.notes, phases)?;
        manifest.proved_positions = self.certain.map(|(_, proved)| proved);
        manifest.form = self.form.as_ref();
        manifest.rank = Some("1 plus the number of nodes with a larger score; ties share it");
        Ok(manifest.text())
    }

    /// What was computed, how, and how sure it is.
    fn summary(&self) -> Result<String> {
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            writeln!(text, "{what:<9} {value}").expect("strings grow");
        };
        line("graph", graph(self.source));
        for scores in self.scores {
            line("measure", measure(&scores.run));
        }
        let run = &self.scores[0].run;
        line(
            "method",
            format!("{}, {}", run.method, outcome(&run.outcome)),
        );
        if let Some((_, proved)) = self.certain {
            line("order", format!("the first {proved} positions are proved"));
        }
        for note in &self.notes {
            line("note", note.clone());
        }
        Ok(text)
    }

    /// The best nodes, for people to read.
    fn best(&self, count: usize) -> String {
        let order = &self.ranking.order()[..count.min(self.values().len())];
        let mut text = format!("\n{:>8}  {:<12}  node\n", "rank", "score");
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
    account: impl FnOnce() -> Result<String>,
) -> Result<()> {
    let format = match names_parquet(&path) {
        true => Format::Parquet,
        false => Format::Csv,
    };
    write_compressed(&path, &mut table, |out| write(format, out))?;
    let Some(mut file) = manifest else {
        return table.finish();
    };
    let text = account()?;
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

/// The most memory that this process has had resident, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}
