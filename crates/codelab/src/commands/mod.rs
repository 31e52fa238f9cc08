//! `rank codes`.

mod graph;
mod list;
mod push;
mod universal;
mod words;

use crate::Laboratory;
use crate::code_lengths;
use crate::numbers;
use crate::words::WordCode;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_graph::StoredGraph;
use webrank_tables::text::input;
use webrank_tables::write::write_compressed;
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, GraphArgs, write_json, write_lines};
use webrank_terminal::plan::READ_ONCE;
use words::Numbers;

/// Which codes would make a graph smaller?
///
/// A list of a BVGraph is a sequence of small numbers: outdegrees, references, copy blocks, intervals
/// and residuals. For each of these components: how many numbers there are, their mean and entropy,
/// and the bits they take in unary, gamma, delta, zeta, omega and pi code, as variable-length bytes
/// and nibbles, and in Golomb, Rice and minimal binary code with the best modulus or bound. * marks
/// the code of the file, + the best one that a file can have: 'rank recode' writes it. Components
/// that share a code in files, such as the number of blocks and their lengths, share the best one.
/// A text of whole numbers, such as the differences of a posting list, is tried in the same way.
///
/// A code is best for numbers whose probabilities are its intended distribution, 2 to the power of
/// minus the lengths of its words; --svg plots lengths against the true distribution. For comparison:
/// PFOR-DELTA, which is made for speed, and an asymmetric numeral system, which comes near the
/// entropy, both by a fast crate and as textbooks have them. Files cannot have either.
///
/// --table, --universal, --lengths, --weights and --push show codes themselves: their words, which of
/// them are universal, a code from lengths of words, Huffman's code, and the states of an asymmetric
/// numeral system.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("shown").args(["table", "universal", "lengths", "weights"]).conflicts_with("graph"))]
pub struct Args {
    /// A bundle, the basename of a BVGraph, or one of its files; or a text of whole numbers ('-' for
    /// standard input)
    #[arg(required_unless_present = "shown", value_name = "GRAPH|NUMBERS")]
    graph: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write every code of every component, or what else would be printed, as CSV (.gz and .zst are
    /// compressed)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Plot the lengths of code words against the distribution of the numbers of a graph
    #[arg(long, value_name = "FILE", conflicts_with = "shown")]
    svg: Option<PathBuf>,
    /// Print the words of some numbers, such as 0..15 (both included), in codes of textbooks, with
    /// Kraft's sums and intended distributions
    #[arg(long, value_name = "FROM..TO")]
    table: Option<Numbers>,
    /// The codes of --table, such as gamma,golomb5,zeta2,minimal10,pfor4
    #[arg(
        long,
        value_name = "CODE,...",
        value_delimiter = ',',
        requires = "table"
    )]
    code: Vec<WordCode>,
    /// Print how many times the entropy the words of each code take on geometric sources: which codes are
    /// universal
    #[arg(long)]
    universal: bool,
    /// Print an instantaneous code whose words have these lengths, which is there if Kraft's sum is at
    /// most 1
    #[arg(long, value_name = "BITS,...", value_delimiter = ',')]
    lengths: Vec<u32>,
    /// Print Huffman's code for symbols of these weights
    #[arg(long, value_name = "WEIGHT,...", value_delimiter = ',')]
    weights: Vec<u64>,
    /// Push symbols, counted from 0, onto the state of an asymmetric numeral system for --weights, and
    /// pop them
    #[arg(
        long,
        value_name = "SYMBOL,...",
        value_delimiter = ',',
        requires = "weights"
    )]
    push: Vec<usize>,
    /// Frequencies of --push sum to 2^D; by default, the least power of two that the weights do not exceed
    #[arg(long, value_name = "D", requires = "push")]
    precision: Option<u32>,
    /// The state in which --push begins
    #[arg(long, value_name = "STATE", requires = "push", default_value_t = 0)]
    state: u64,
}

impl Tool for Args {
    const NAME: &'static str = "codes";

    fn run(&self, global: &Global) -> Result<()> {
        match &self.graph {
            Some(path) if is_list(path) => self.of_list(path, global),
            Some(path) => self.of_graph(path, global),
            None => {
                let table = self.create()?;
                global.admit("codes", 1 << 26)?;
                if let Some(numbers) = self.table {
                    return self.show(table, &words::Table::of(numbers, &self.code)?);
                }
                if !self.lengths.is_empty() {
                    return self.show(table, &words::Given::of_lengths(&self.lengths)?);
                }
                if !self.push.is_empty() {
                    let pushed =
                        push::Pushed::of(&self.weights, &self.push, self.precision, self.state)?;
                    return self.show(table, &pushed);
                }
                match self.weights.is_empty() {
                    true => self.show(table, &universal::Universal::of()),
                    false => self.show(table, &words::Given::of_weights(&self.weights)?),
                }
            }
        }
    }
}

/// What a command tells, in its three forms.
trait Told: Serialize {
    /// Rows for programs.
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Tables for people.
    fn print(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// True for files that hold no graph: lists of numbers.
fn is_list(path: &Path) -> bool {
    path.as_os_str() == "-" || path.is_file() && !StoredGraph::is_at(path)
}

impl Args {
    fn create(&self) -> Result<Option<PendingFile>> {
        self.output.as_deref().map(PendingFile::create).transpose()
    }

    /// Writes and prints what was found.
    fn show(&self, table: Option<PendingFile>, told: &impl Told) -> Result<()> {
        let is_written = table.is_some();
        if let (Some(mut file), Some(path)) = (table, &self.output) {
            write_compressed(path, &mut file, |out| told.write_csv(out))?;
            publish([file])?;
        }
        match (self.json, is_written) {
            (true, _) => write_json(told),
            (false, true) => Ok(()),
            (false, false) => write_lines(|out| told.print(out)),
        }
    }

    fn of_list(&self, path: &Path, global: &Global) -> Result<()> {
        if self.svg.is_some() {
            return Err(Error::argument(
                "--svg",
                "given",
                "plots are of graphs only: leave it out",
            ));
        }
        let table = self.create()?;
        if path.as_os_str() == "-" {
            global.refuse_plan(READ_ONCE)?;
        }
        // A number takes two bytes of text at least; the list doubles as it grows, and is counted.
        let size = path.metadata().map_or(0, |file| file.len());
        global.admit(
            "codes",
            (size / 2).saturating_mul(40).saturating_add(1 << 24),
        )?;
        let list = numbers::read(path, input::open(path)?)?;
        let found = numbers::Listed::of(&list)?;
        self.show(table, &list::Facts::of(&found))
    }

    fn of_graph(&self, path: &Path, global: &Global) -> Result<()> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(PendingFile::create).transpose();
        let (table, plot) = (self.create()?, create(&self.svg)?);
        let source = GraphArgs::of(path).open()?;
        global.admit("codes", Laboratory::needs(&source))?;
        let progress = global.progress();
        let found = Laboratory::of(&source.streamed()?, progress.as_ref())?;
        drop(progress);
        let mut written = Vec::new();
        if let (Some(mut file), Some(path)) = (table, &self.output) {
            write_compressed(path, &mut file, |out| graph::write_csv(out, &found))?;
            written.push(file);
        }
        if let (Some(mut file), Some(path)) = (plot, &self.svg) {
            let svg = code_lengths(&found)?;
            write_compressed(path, &mut file, |out| out.write_all(svg.as_bytes()))?;
            written.push(file);
        }
        let is_written = !written.is_empty();
        publish(written)?;
        match (self.json, is_written) {
            (true, _) => write_json(&graph::Facts::of(&found)),
            (false, true) => Ok(()),
            (false, false) => write_lines(|out| graph::print(out, &found)),
        }
    }
}
