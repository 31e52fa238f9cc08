//! Groups of options that subcommands share.

use crate::input_format::{InputFormatArgs, told};
pub use crate::output_args::{Output, OutputArgs, Sort, at_least_one, refuse_two_on_stdout};
use crate::program::is_closed_pipe;
use crate::progress_bar::{Bar, Watched};
use crate::progress_log::Log;
use crate::say::say;
use crate::typed::typed_word;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::memory;
use webrank_base::memory::StoragePlan;
use webrank_base::parallel::simd::Simd;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::visible::{VisibleWriter, visible, visible_lines};
use webrank_formats::import;
use webrank_formats::import::{ImportOptions, is_foreign};
pub use webrank_graph::Direction;
use webrank_graph::bundle::FileEntry;
use webrank_graph::shards::{NEEDS_WHOLE, Shards};
use webrank_graph::{Graph, StoredGraph};
use webrank_tables::text::names::LineEnds;
use webrank_tables::text::names::Names;

/// How messages name the standard output.
pub const STDOUT: &str = "standard output";

/// The environment variable that names the widest vector instructions to use: plain, avx2 or avx512.
/// For tests; results do not depend on it.
const VECTORS: &str = "RANK_VECTORS";

/// Why shards are not made symmetric.
const CUT_AS_IT_IS: &str = "a graph that is cut keeps its arcs: leave out --symmetric, or cut the graph \
                            that 'rank import --symmetric' makes";

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
    /// Say how much memory the command would take at most and, if it ranks, in which form and about how
    /// long, and end: as 'rank plan' does
    #[arg(long, global = true)]
    pub plan: bool,
    /// Print nothing but results and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log what is being done (twice: debug)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Print help ('-h' is shorter than '--help')
    #[arg(short, long, global = true, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// Whether the command is to print JSON: then its plan is JSON, too.
    #[arg(skip)]
    pub json: bool,
    /// Where a run that is repeated leaves the length and checksum of its table, which it does not
    /// write.
    #[arg(skip)]
    pub repeats: Option<Arc<OnceLock<FileEntry>>>,
}

impl Global {
    /// The words of a command line that give these options again.
    pub fn words(&self) -> Vec<OsString> {
        // All fields, so that none is forgotten.
        let Global {
            threads,
            memory,
            plan,
            quiet,
            verbose,
            help: _,
            json: _,
            repeats: _,
        } = self;
        let threads = threads.map(|threads| format!("--threads={threads}"));
        let memory = memory.map(|memory| format!("--memory={}", memory.as_u64()));
        let flags = [("--plan", *plan), ("--quiet", *quiet)];
        let flags = flags.into_iter().filter(|(_, is_given)| *is_given);
        let flags = flags.map(|(flag, _)| flag.to_owned());
        let verbose = (0..*verbose).map(|_| "--verbose".to_owned());
        let words = threads.into_iter().chain(memory).chain(flags);
        words.chain(verbose).map(Into::into).collect()
    }

    /// Starts threads and logging.
    ///
    /// # Errors
    /// If options contradict each other, or the system refuses threads.
    pub fn start(&self) -> Result<()> {
        if self.quiet && self.verbose > 0 {
            return Err(Error::Combination {
                one: "quiet",
                other: "verbose",
            });
        }
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
        let of_machine = || available_parallelism().map_or(1, usize::from);
        memory::check_limits(self.threads.unwrap_or_else(of_machine))?;
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build_global()
            .map_err(|problem| {
                Error::argument(
                    "threads",
                    self.threads.unwrap_or(0),
                    format!("the system refuses to start them: {problem}"),
                )
            })?;
        memory::check_limits(0)
    }

    /// Logs how much memory work will take in this form.
    pub fn log_memory(what: &str, form: &StoragePlan) {
        log::info!("memory: {what} needs {} bytes {}", form.bytes, form.bound());
    }

    /// The receiver of progress reports: a bar if stderr is a terminal.
    pub fn progress(&self) -> Box<dyn Progress> {
        self.progress_kept(None)
    }

    /// [`Self::progress`] for a run that keeps its state.
    pub fn progress_kept(&self, checkpoint: Option<Arc<Checkpoint>>) -> Box<dyn Progress> {
        Box::new(Watched {
            checkpoint,
            announces: !self.quiet,
            bar: (!self.quiet && std::io::stderr().is_terminal()).then(Bar::default),
            log: (!self.quiet && !std::io::stderr().is_terminal()).then(Log::default),
        })
    }

    /// Logs how long phases took.
    pub fn show_phases(&self, phases: &Phases) {
        for phase in phases.all() {
            log::info!("{}: {:.3} s", phase.phase, phase.seconds);
        }
    }

    /// Says what a command has made at `output`: this JSON if that was asked for, otherwise in lines,
    /// unless --quiet. The output stays if nobody can be told.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn account(
        &self,
        output: &Path,
        json: Option<serde_json::Value>,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<()> {
        let told = match json {
            Some(json) => write_json(&json),
            None if self.quiet => Ok(()),
            None => write_lines(write),
        };
        told.map_err(|problem| match problem {
            problem if is_closed_pipe(&problem) => problem,
            Error::Io { source, .. } => {
                let problem =
                    format!("is written and whole, but the account of it is not: {source}");
                Error::file(output, problem)
            }
            other => other,
        })
    }

    /// Prints the summary of a run on stderr, unless --quiet.
    pub fn summary(&self, text: &str) {
        if !self.quiet {
            say(&visible_lines(text));
        }
    }
}

/// The graph to work on.
#[derive(Args, Clone)]
#[command(next_help_heading = "Graph")]
pub struct GraphArgs {
    /// A bundle, the basename of a BVGraph, one of its files, or a file of any format that 'rank
    /// import' reads (- is standard input)
    pub graph: PathBuf,
    /// Names of the nodes, one per line in node order (plain or compressed) [default: those of the
    /// graph]
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    /// How the file is read.
    #[command(flatten)]
    pub reading: InputFormatArgs,
}

/// Warns that a bundle cannot be verified.
pub fn warn_unverified(bundle: &Path) {
    log::warn!(
        "{}: the bundle has no manifest.json, so damage may go unnoticed; make it again",
        bundle.display()
    );
}

impl GraphArgs {
    /// A graph at `path`, with its own names.
    pub fn of(path: &Path) -> Self {
        GraphArgs {
            graph: path.to_owned(),
            names: None,
            reading: InputFormatArgs::default(),
        }
    }

    /// Opens the graph and reads its names, but not those of a graph that is cut unless they are
    /// `named`: those stay in its parts.
    pub fn open_parts(&self, global: &Global, is_named: bool) -> Result<Graph> {
        match self.shards()? {
            Some(shards) if !is_named && self.names.is_none() => {
                Ok(Graph::from_unnamed_shards(shards))
            }
            _ => self.open_graph(global),
        }
    }

    /// Opens the graph and reads its names; a file of another format is read into memory.
    pub fn open_graph(&self, global: &Global) -> Result<Graph> {
        let options = ImportOptions {
            names: self.names.clone(),
            ..self.reading.options()
        };
        if Shards::is_at(&self.graph) {
            if options.symmetric {
                return Err(Error::file(&self.graph, CUT_AS_IT_IS));
            }
            let graph = Graph::open(&self.graph)?;
            return match &self.names {
                None => Ok(graph),
                Some(path) => Names::read(path, graph.num_nodes(), LineEnds::Guess)
                    .and_then(|names| graph.with_names(names)),
            };
        }
        if !self.is_read_whole() {
            let graph = Graph::from_source(self.open()?)?;
            return Ok(match options.unweighted {
                true => graph.without_weights(),
                false => graph,
            });
        }
        let (graph, report) = import::open(&self.graph, &options, global.progress().as_ref())?;
        if let Some(report) = report.filter(|_| !global.quiet) {
            let (path, word) = (
                self.graph.display(),
                typed_word(&self.graph.to_string_lossy()),
            );
            let kept = match &*word {
                // It was read.
                "-" => String::new(),
                word => {
                    let with = match self.names.is_none() && self.reading.is_usual() {
                        true => "",
                        false => " with these options",
                    };
                    format!(
                        "; 'rank import {word} -o graph.bv'{with} keeps it, which starts faster"
                    )
                }
            };
            let text = format!("rank: {path}: {}{kept}\n", told(&report));
            global.summary(&text);
        }
        Ok(graph)
    }

    /// True if the graph is read into memory: a file in another format, or a graph on disk that is made
    /// symmetric or gets other names.
    pub fn is_read_whole(&self) -> bool {
        let options = self.reading.options();
        options.symmetric || options.nodes.is_some() || is_foreign(&self.graph, &options)
    }

    /// The folder of shards, if the graph is cut.
    pub fn shards(&self) -> Result<Option<Shards>> {
        let is_cut = Shards::is_at(&self.graph);
        is_cut.then(|| Shards::open(&self.graph)).transpose()
    }

    /// Finds the files of the graph; warns if they cannot be verified.
    pub fn open(&self) -> Result<StoredGraph> {
        let source = self.find()?;
        if source.lacks_manifest() {
            warn_unverified(&self.graph);
        }
        Ok(source)
    }

    /// Finds the files of the graph.
    pub fn find(&self) -> Result<StoredGraph> {
        if Shards::is_at(&self.graph) {
            return Err(Error::file(&self.graph, NEEDS_WHOLE));
        }
        let options = self.reading.options();
        if options.symmetric {
            let remedy =
                "this command takes a graph as it is: 'rank import --symmetric' makes another";
            return Err(Error::argument("symmetric", "given", remedy));
        }
        if is_foreign(&self.graph, &options) {
            let problem = format!(
                "is no bundle or BVGraph, which this command needs: make one with 'rank import {} -o \
                 graph.bv'",
                self.graph.display()
            );
            return Err(Error::file(&self.graph, problem));
        }
        import::check_options(&self.graph, &options)?;
        let mut source = StoredGraph::open(&self.graph)?;
        if let Some(names) = &self.names {
            source.set_names(names);
        }
        Ok(source)
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
