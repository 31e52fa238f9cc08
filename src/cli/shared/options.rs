//! Groups of options that subcommands share.

use super::progress_bar::{Bar, Watched};
use super::reading::{ReadingArgs, told};
use super::say::say;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank::internals::checkpoint::Checkpoint;
use webrank::internals::error::{Error, Result};
pub use webrank::internals::graph::Direction;
use webrank::internals::graph::import::{self, ImportOptions, is_foreign};
use webrank::internals::graph::shards::Shards;
use webrank::internals::graph::text::names::LineEnds;
use webrank::internals::graph::{Graph, Names, Source};
use webrank::internals::limits::Limits;
use webrank::internals::memory;
use webrank::internals::parallel::simd::Simd;
use webrank::internals::progress::Progress;
use webrank::internals::scores::phases::Phases;
use webrank::internals::scores::report::{PendingTable, Rows};
use webrank::internals::scores::write::Format;
use webrank::internals::visible::{VisibleWriter, visible, visible_lines};

/// How messages name the standard output.
pub const STDOUT: &str = "standard output";

/// The environment variable that names the widest vector instructions to use: plain, avx2 or avx512.
/// For tests; results do not depend on it.
const VECTORS: &str = "RANK_VECTORS";

/// Options of every subcommand.
#[derive(Args)]
#[command(next_help_heading = "General")]
pub struct Global {
    /// Number of threads; results do not depend on it [default: one per core]
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,
    /// How much memory may be used, such as 512M or 8G; what needs more is refused before work
    /// begins, or takes another form [default: what is free]
    #[arg(long, global = true, value_name = "SIZE")]
    memory: Option<ByteSize>,
    /// Print nothing but results and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log what is being done (twice: debug)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Print help ('-h' is shorter than '--help')
    #[arg(short, long, global = true, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// Where a run that is repeated leaves the length and checksum of its table, which it does not
    /// write.
    #[arg(skip)]
    pub repeats: Option<Arc<OnceLock<(u64, u128)>>>,
}

impl Global {
    /// Starts threads and logging.
    pub fn start(&self) -> Result<()> {
        let level = match (self.quiet, self.verbose) {
            (true, _) => log::LevelFilter::Off,
            (false, 0) => log::LevelFilter::Warn,
            (false, 1) => log::LevelFilter::Info,
            (false, _) => log::LevelFilter::Debug,
        };
        env_logger::Builder::new()
            .filter_module("webrank", level)
            .filter_module("rank", level)
            .format(|out, record| {
                let line = record.args().to_string();
                writeln!(out, "rank: {}", visible(&line))
            })
            .init();
        if let Ok(widest) = std::env::var(VECTORS) {
            let unknown = |remedy| Error::argument(VECTORS, &widest, remedy);
            Simd::allow(Simd::from_str(&widest, false).map_err(unknown)?);
        }
        if let Some(memory) = self.memory {
            memory::allow(memory.as_u64());
        }
        if let Some(threads) = self.threads {
            Limits::default().threads(threads)?;
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build_global()
            .map_err(|problem| {
                Error::argument(
                    "threads",
                    self.threads.unwrap_or(0),
                    format!("the system refuses to start them: {problem}"),
                )
            })
    }

    /// Checks, before work begins, that it fits into memory.
    pub fn admit(&self, what: &'static str, needed: u64) -> Result<()> {
        Self::log_memory(what, needed);
        memory::admit(what, needed, memory::allowed_memory())
    }

    /// Logs how much memory work will take.
    pub fn log_memory(what: &str, needed: u64) {
        log::info!("memory: {what} needs {needed} bytes at most");
    }

    /// The receiver of progress reports: a bar if stderr is a terminal.
    pub fn progress(&self) -> Box<dyn Progress> {
        self.progress_kept(None)
    }

    /// The same for a run that keeps its state.
    pub fn progress_kept(&self, checkpoint: Option<Arc<Checkpoint>>) -> Box<dyn Progress> {
        Box::new(Watched {
            checkpoint,
            announces: !self.quiet,
            bar: (!self.quiet && std::io::stderr().is_terminal()).then(Bar::new),
        })
    }

    /// Logs how long phases took.
    pub fn show_phases(&self, phases: &Phases) {
        for phase in phases.all() {
            log::info!("{}: {:.3} s", phase.phase, phase.seconds);
        }
    }

    /// Prints the summary of a run on stderr, unless --quiet.
    pub fn summary(&self, text: &str) {
        if !self.quiet {
            say(&visible_lines(text));
        }
    }
}

/// The graph to work on.
#[derive(Args)]
#[command(next_help_heading = "Graph")]
pub struct GraphArgs {
    /// A bundle, the basename of a BVGraph, one of its files, or a file of any format that 'rank
    /// import' reads (- is standard input)
    pub graph: PathBuf,
    /// Names of the nodes, one per line in node order (plain or compressed) [default: those of the
    /// graph]
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Warns that a bundle cannot be verified.
pub fn warn_unverified(bundle: &Path) {
    log::warn!(
        "{}: the bundle has no manifest.json, so damage may go unnoticed; make it again",
        bundle.display()
    );
}

impl GraphArgs {
    /// Opens the graph and reads its names; a file of another format is read into memory.
    pub fn open_graph(&self, global: &Global) -> Result<Graph> {
        let options = ImportOptions {
            names: self.names.clone(),
            ..self.reading.options()
        };
        if Shards::is_at(&self.graph) {
            let graph = Graph::open(&self.graph)?;
            return match &self.names {
                None => Ok(graph),
                Some(path) => Names::read(path, graph.num_nodes(), LineEnds::Guess)
                    .and_then(|names| graph.with_names(names)),
            };
        }
        if !is_foreign(&self.graph, &options) {
            let graph = Graph::from_source(self.open()?)?;
            return Ok(match options.unweighted {
                true => graph.without_weights(),
                false => graph,
            });
        }
        let (graph, report) = import::open(&self.graph, &options, global.progress().as_ref())?;
        if let Some(report) = report.filter(|_| !global.quiet) {
            let path = self.graph.display();
            let text = format!(
                "rank: {path}: {}; 'rank import {path} -o graph.bv' keeps it, which starts faster\n",
                told(&report)
            );
            global.summary(&text);
        }
        Ok(graph)
    }

    /// The folder of shards, if the graph is cut.
    pub fn shards(&self) -> Result<Option<Shards>> {
        let is_cut = Shards::is_at(&self.graph);
        is_cut.then(|| Shards::open(&self.graph)).transpose()
    }

    /// Finds the files of the graph; warns if they cannot be verified.
    pub fn open(&self) -> Result<Source> {
        let source = self.find()?;
        if source.lacks_manifest() {
            warn_unverified(&self.graph);
        }
        Ok(source)
    }

    /// Finds the files of the graph.
    pub fn find(&self) -> Result<Source> {
        if Shards::is_at(&self.graph) {
            let problem = "the graph is cut into shards, which only pagerank, trustrank, \
                           degrees, distances by hyperball, info and check can use; name the graph \
                           that was cut";
            return Err(Error::file(&self.graph, problem));
        }
        if is_foreign(&self.graph, &self.reading.options()) {
            let problem = "is no BVGraph; 'rank import' makes one of it";
            return Err(Error::file(&self.graph, problem));
        }
        let mut source = Source::open(&self.graph)?;
        if let Some(names) = &self.names {
            source.set_names(names);
        }
        Ok(source)
    }
}

/// Where the table goes.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the table to FILE, and the manifest of the run to FILE.json. FILE ends with .csv, .tsv,
    /// .jsonl (.gz or .zst compresses these), .parquet, .arrow or .npy (only the scores, by node:
    /// an array of doubles, or for several columns a structured array); anything else is CSV, and -
    /// is the standard output [default: a summary if the output is a terminal, otherwise the table]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Order of the rows
    #[arg(long, value_enum, default_value_t = Sort::Node)]
    pub sort: Sort,
    /// Keep only the K best nodes
    #[arg(long, value_name = "K")]
    pub top: Option<usize>,
    /// Print the summary and the best nodes, as at a terminal, instead of the table
    #[arg(long, conflicts_with = "output")]
    summary: bool,
    /// Say in which form the command would compute and how much memory it would need at most, and end
    #[arg(long, help_heading = "General")]
    pub plan: bool,
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
    /// The standard output, as CSV.
    Stdout,
    /// None: only the checksum of the table at this path is wanted.
    Checksum(PathBuf),
    /// A file in some format, and its manifest.
    File { table: PendingTable, path: PathBuf },
}

impl OutputArgs {
    /// A table of the `count` best nodes, best first.
    pub fn best(count: usize) -> Self {
        OutputArgs {
            output: None,
            sort: Sort::Score,
            top: Some(count),
            summary: false,
            plan: false,
        }
    }

    /// The rows of the table.
    pub fn rows(&self) -> Rows {
        Rows {
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
            plan: false,
        }
    }

    /// Opens the output, so that a wrong folder fails at once.
    pub fn open(&self, global: &Global) -> Result<Output> {
        let path = match &self.output {
            None if self.summary || std::io::stdout().is_terminal() => return Ok(Output::Terminal),
            None => return Ok(Output::Stdout),
            Some(path) if path.as_os_str() == "-" => return Ok(Output::Stdout),
            Some(path) => path,
        };
        self.rows().check(path)?;
        Output::create(path, global)
    }

    /// The same for tables whose rows are not the nodes of a graph.
    pub fn open_rows(&self, global: &Global) -> Result<Output> {
        if let Some(path) = &self.output {
            refuse_npy(path)?;
        }
        self.open(global)
    }
}

/// Refuses to write a table whose rows are not the nodes of a graph as an array.
pub fn refuse_npy(path: &Path) -> Result<()> {
    if Format::of(path)? != Format::Npy {
        return Ok(());
    }
    let problem =
        "an .npy file holds scores by node, and these are others: write .parquet or .arrow";
    Err(Error::file(path, problem))
}

impl Output {
    /// Starts the files of the table at `path`.
    pub fn create(path: &Path, global: &Global) -> Result<Self> {
        Format::of(path)?;
        if global.repeats.is_some() {
            return Ok(Output::Checksum(path.to_owned()));
        }
        Ok(Output::File {
            table: PendingTable::create(path)?,
            path: path.to_owned(),
        })
    }
}

/// Writes lines to the standard output: what would act on a terminal is spelled out.
pub fn write_lines(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    write_stdout(|out| {
        let mut out = VisibleWriter::of_lines(out);
        write(&mut out)?;
        out.finish().map(drop)
    })
}

/// Writes JSON to the standard output: what would act on a terminal is escaped.
pub fn write_json(value: &impl serde::Serialize) -> Result<()> {
    write_stdout(|out| {
        let mut out = VisibleWriter::of_json(out);
        serde_json::to_writer_pretty(&mut out, value)?;
        writeln!(out)?;
        out.finish().map(drop)
    })
}

/// Writes a table or a graph to the standard output: the bytes as they are, but at a terminal what
/// would act on it is spelled out.
pub fn write_bytes(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    write_stdout(|out| {
        if !std::io::stdout().is_terminal() {
            return write(out);
        }
        let mut out = VisibleWriter::new(out);
        write(&mut out)?;
        out.finish().map(drop)
    })
}

/// Writes to the standard output.
pub fn write_stdout(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    write(&mut out)
        .and_then(|()| out.flush())
        .map_err(|source| Error::io(STDOUT, "cannot write", source))
}
