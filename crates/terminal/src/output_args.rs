//! Where tables go: the options, and what they open.

use crate::options::Global;
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_scores::parts::{PartitionedTable, names_parts};
use webrank_scores::report::{PendingTable, TableRows};
use webrank_tables::write::TableFormat;

/// A number of rows.
///
/// # Errors
/// If it is no number, or 0.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 row is shown".into()),
        Ok(count) => Ok(count),
        Err(_) => Err("write a number".into()),
    }
}

/// Where the table goes.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the table to FILE, and the manifest of the run to FILE.json. FILE ends with .csv, .tsv,
    /// .jsonl (.gz or .zst compresses these), .parquet, .arrow or .npy (only the scores, by node:
    /// an array of doubles, or for several columns a structured array); anything else is CSV, and -
    /// is the standard output. For shards, FILE may be a folder, which ends with /: then each worker
    /// writes the Parquet files of its parts, and the manifest is in it
    /// [default: a summary if the output is a terminal, otherwise the table]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Order of the rows
    #[arg(long, value_enum, default_value_t = Sort::Node)]
    pub sort: Sort,
    /// Keep only the K best nodes
    #[arg(short = 'n', long, value_name = "K", aliases = ["limit", "hits"], value_parser = at_least_one)]
    pub top: Option<usize>,
    /// Print the summary and the best nodes, as at a terminal, instead of the table
    #[arg(long, conflicts_with_all = ["output", "sort"])]
    summary: bool,
    /// Print the manifest and the best nodes as JSON, instead of the table
    #[arg(long, conflicts_with_all = ["output", "sort", "summary"])]
    json: bool,
}

/// Order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// By node, the order of the graph
    Node,
    /// Best first
    Score,
}

/// An output, opened before any work is done.
// A run has only one: its size does not matter.
#[allow(clippy::large_enum_variant)]
pub enum Output {
    /// A person at a terminal: a summary and the best nodes.
    Terminal,
    /// The standard output, as JSON: the manifest and the best rows.
    Json,
    /// The standard output, as CSV.
    Stdout,
    /// None: only the checksum of the table at this path is wanted.
    Checksum(PathBuf),
    /// A file in some format, and its manifest.
    File {
        /// The table that is written.
        table: PendingTable,
        /// Its path.
        path: PathBuf,
    },
    /// A folder that workers fill, with its manifest.
    Parts(Arc<PartitionedTable>),
}

impl OutputArgs {
    /// A table of the `count` best nodes, best first.
    pub fn best(count: usize) -> Self {
        OutputArgs {
            output: None,
            sort: Sort::Score,
            top: Some(count),
            summary: false,
            json: false,
        }
    }

    /// The rows of the table.
    pub fn rows(&self) -> TableRows {
        TableRows {
            top: self.top,
            best_first: self.sort == Sort::Score,
        }
    }

    /// A table of all rows.
    pub fn all() -> Self {
        OutputArgs {
            output: None,
            sort: Sort::Node,
            top: None,
            summary: false,
            json: false,
        }
    }

    /// Opens a table in parts if that is the output, so that a wrong folder fails at once.
    pub fn parts(&self, global: &Global) -> Result<Option<Arc<PartitionedTable>>> {
        let is_parts = |path: &&PathBuf| names_parts(path);
        let Some(path) = self.output.as_ref().filter(is_parts) else {
            return Ok(None);
        };
        if self.top.is_some() || self.sort != Sort::Node {
            let problem =
                "a table in parts has all nodes in their order: leave out --top and --sort";
            return Err(Error::file(path, problem));
        }
        let writes = !global.plan && global.repeats.is_none();
        PartitionedTable::create(path, writes).map(|table| Some(Arc::new(table)))
    }

    /// Opens the output, so that a wrong folder fails at once.
    pub fn open(&self, global: &Global) -> Result<Output> {
        let path = match &self.output {
            None if self.json => return Ok(Output::Json),
            None if self.summary || std::io::stdout().is_terminal() => return Ok(Output::Terminal),
            None => return Ok(Output::Stdout),
            Some(path) if path.as_os_str() == "-" => return Ok(Output::Stdout),
            Some(path) => path,
        };
        self.rows().check(path)?;
        Output::create(path, global)
    }

    /// [`Self::open`] for tables whose rows are not the nodes of a graph.
    pub fn open_rows(&self, global: &Global) -> Result<Output> {
        if let Some(path) = &self.output {
            refuse_npy(path)?;
        }
        self.open(global)
    }
}

/// Refuses to write a table whose rows are not the nodes of a graph as an array.
fn refuse_npy(path: &Path) -> Result<()> {
    if TableFormat::of(path)? != TableFormat::Npy {
        return Ok(());
    }
    let problem =
        "an .npy file holds scores by node, and these are others: write .parquet or .arrow";
    Err(Error::file(path, problem))
}

impl Output {
    /// Opens the output of a table whose rows are not the nodes of a graph: a file, standard output for
    /// `-`, and a summary for none at a terminal.
    ///
    /// # Errors
    /// If the file cannot be created, or cannot hold such a table.
    pub fn of_rows(path: Option<&Path>, global: &Global) -> Result<Self> {
        let args = OutputArgs {
            output: path.map(Path::to_owned),
            ..OutputArgs::all()
        };
        args.open_rows(global)
    }

    /// Starts the files of the table at `path`.
    pub fn create(path: &Path, global: &Global) -> Result<Self> {
        if names_parts(path) {
            let problem = "ends with a separator: only measures with --workers or --hosts, on a graph \
                           that 'rank shard' has cut, write folders; name a file, such as scores.parquet";
            return Err(Error::file(path, problem));
        }
        TableFormat::of(path)?;
        if global.repeats.is_some() {
            return Ok(Output::Checksum(path.to_owned()));
        }
        Ok(Output::File {
            table: PendingTable::create(path)?,
            path: path.to_owned(),
        })
    }
}

/// Refuses to write JSON beside what goes to the standard output.
///
/// # Errors
/// If both were asked for.
pub fn refuse_two_on_stdout(output: &Path, json: bool) -> Result<()> {
    if !json || output.as_os_str() != "-" {
        return Ok(());
    }
    let remedy = "the standard output is where the JSON would be, too; name a file";
    Err(Error::argument("output", "- beside --json", remedy))
}
