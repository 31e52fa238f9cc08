//! `rank codes`.

mod graph;
mod list;
mod push;
mod universal;
mod words;

use crate::Laboratory;
use crate::ans::FINEST;
use crate::code_lengths;
use crate::numbers;
use crate::prefix::LONGEST;
use crate::words::WordCode;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_graph::StoredGraph;
use webrank_tables::text::input;
use webrank_tables::write::{Compression, extension, write_compressed};
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, GraphArgs, write_bytes, write_json, write_lines};
use webrank_terminal::plan::READ_ONCE;
use words::NumberRange;

/// Which codes would make a graph smaller?
///
/// A list of a BVGraph is a sequence of small numbers: outdegrees, references, copy blocks, intervals
/// and residuals. For each of these components: how many numbers there are, their mean and entropy,
/// and the bits they take in unary, gamma, delta, zeta, omega and pi code, as variable-length bytes
/// and nibbles, and in Golomb, Rice and minimal binary code with the best modulus or bound. * marks
/// the code of the file, + the best one that a file can have: 'rank recode' writes it. Components
/// that share a code in files, such as the number of blocks and their lengths, share the best one.
/// A text of whole numbers below 2^62, such as the differences of a posting list, is tried in the same
/// way. Spaces, commas, semicolons and ends of lines separate numbers (1,5 is two), and # begins a
/// comment; the text may be compressed (.gz, .zst, .bz2, .xz).
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
    #[arg(
        required_unless_present_any = ["shown", "code", "push", "precision", "state"],
        value_name = "GRAPH|NUMBERS"
    )]
    graph: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write every code of every component, or the words, ratios or states that would be printed, as CSV
    /// (.csv, .csv.gz or .csv.zst; '-' for standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Plot the lengths of code words against the distribution of the numbers of a graph (.svg)
    #[arg(long, value_name = "FILE", conflicts_with = "shown")]
    svg: Option<PathBuf>,
    /// Print the words of at most 4096 numbers below 2^62, such as 0..15 (both included), in codes of
    /// textbooks, with Kraft's sums and intended distributions
    #[arg(long, value_name = "FROM..TO")]
    table: Option<NumberRange>,
    /// The codes of --table, such as gamma,golomb5,zeta2,minimal10,pfor4
    #[arg(long, value_name = "CODE,...", value_delimiter = ',')]
    code: Vec<WordCode>,
    /// Print how many times the entropy the words of each code take on geometric sources: which codes are
    /// universal
    #[arg(long)]
    universal: bool,
    /// Print an instantaneous code whose words have these lengths, from 1 to 100 bits, which is there if
    /// Kraft's sum is at most 1
    #[arg(long, value_name = "BITS,...", value_delimiter = ',', value_parser = bits)]
    lengths: Vec<u32>,
    /// Print Huffman's code for symbols of these weights, whole numbers with a sum below 2^64
    #[arg(long, value_name = "WEIGHT,...", value_delimiter = ',', value_parser = any)]
    weights: Vec<u64>,
    /// Push at most 10000 symbols, counted from 0, onto the state of an asymmetric numeral system for
    /// --weights, and pop them
    #[arg(long, value_name = "SYMBOL,...", value_delimiter = ',', value_parser = any)]
    push: Vec<u64>,
    /// Frequencies of --push sum to 2^D, D from 1 to 31; by default, the least power of two that the
    /// weights do not exceed
    #[arg(long, value_name = "D", value_parser = precision)]
    precision: Option<u32>,
    /// The state, below 2^64, in which --push begins [default: 0]
    #[arg(long, value_name = "STATE", value_parser = any)]
    state: Option<u64>,
}

impl Tool for Args {
    const NAME: &'static str = "codes";

    fn run(&self, global: &Global) -> Result<()> {
        self.check()?;
        match &self.graph {
            Some(path) if is_list(path) => self.of_list(path, global),
            Some(path) => self.of_graph(path, global),
            None => {
                let table = self.table()?;
                global.admit("codes", 1 << 26)?;
                if let Some(numbers) = self.table {
                    return self.show(table, &words::WordTable::of(numbers, &self.code)?);
                }
                if !self.lengths.is_empty() {
                    return self.show(table, &words::GivenCode::of_lengths(&self.lengths)?);
                }
                if !self.push.is_empty() {
                    let state = self.state.unwrap_or(0);
                    let pushed =
                        push::PushedSymbols::of(&self.weights, &self.push, self.precision, state)?;
                    return self.show(table, &pushed);
                }
                match self.weights.is_empty() {
                    true => self.show(table, &universal::Universal::of()),
                    false => self.show(table, &words::GivenCode::of_weights(&self.weights)?),
                }
            }
        }
    }
}

/// A report of a command, in its three forms.
trait Told: Serialize {
    /// Rows for programs.
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Tables for people.
    fn print(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// True for files that hold no graph: lists of numbers. A file that is named as graphs are is none.
fn is_list(path: &Path) -> bool {
    let is_other = extension(path) == "graph" || StoredGraph::is_at(path);
    path.as_os_str() == "-" || path.is_file() && !is_other
}

/// A whole number of at most 64 bits.
fn any(text: &str) -> Result<u64, String> {
    let problem = "write whole numbers from 0 to 18446744073709551615";
    text.parse().map_err(|_| problem.into())
}

/// A whole number in a range; `problem` says what to write.
fn within(text: &str, range: RangeInclusive<u32>, problem: String) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or(problem)
}

fn bits(text: &str) -> Result<u32, String> {
    // A single word may be empty.
    within(text, 0..=LONGEST, format!("words have 1 to {LONGEST} bits"))
}

fn precision(text: &str) -> Result<u32, String> {
    let problem = format!("write a whole number from 1 to {FINEST}");
    within(text, 1..=FINEST, problem)
}

/// Lines of cells that end below each other, two blanks apart, in columns of these widths at least.
fn aligned(rows: &[Vec<String>], least: &[usize]) -> Vec<String> {
    let longest = |place: usize| rows.iter().map(|row| row[place].chars().count()).max();
    let width = |(place, &least): (usize, &usize)| least.max(longest(place).unwrap_or(0));
    let widths: Vec<usize> = least.iter().enumerate().map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ")
    };
    rows.iter().map(line).collect()
}

/// A file to write; none unless its name ends as such files do, or has no end.
fn create(path: &Option<PathBuf>, ends: &[&str], problem: &str) -> Result<Option<PendingFile>> {
    let Some(path) = path else { return Ok(None) };
    let inner = match Compression::of(path) {
        Compression::None => path,
        _ => Path::new(path.file_stem().unwrap_or_default()),
    };
    let end = extension(inner);
    if path.as_os_str() == "-" || !(end.is_empty() || ends.contains(&end.as_str())) {
        return Err(Error::file(path, problem));
    }
    PendingFile::create(path).map(Some)
}

impl Args {
    /// Refuses options that would not be heeded.
    fn check(&self) -> Result<()> {
        let is_pushed = !self.push.is_empty();
        let all = [
            (
                "--code",
                !self.code.is_empty(),
                "--table",
                self.table.is_some(),
            ),
            ("--push", is_pushed, "--weights", !self.weights.is_empty()),
            ("--precision", self.precision.is_some(), "--push", is_pushed),
            ("--state", self.state.is_some(), "--push", is_pushed),
        ];
        for (option, is_given, other, is_there) in all {
            if is_given && !is_there {
                let problem = format!("it belongs to {other}: give that too, or leave it out");
                return Err(Error::argument(option, "given", problem));
            }
        }
        if self.json && self.is_streamed() {
            let problem = "--json is written to standard output, too: leave one out";
            return Err(Error::argument("--output", "-", problem));
        }
        Ok(())
    }

    /// True if the table is written to standard output.
    fn is_streamed(&self) -> bool {
        self.output
            .as_deref()
            .is_some_and(|path| path.as_os_str() == "-")
    }

    fn table(&self) -> Result<Option<PendingFile>> {
        if self.is_streamed() {
            return Ok(None);
        }
        let problem = "tables are CSV here: let the name end in .csv, .csv.gz or .csv.zst";
        create(&self.output, &["csv", "txt"], problem)
    }

    /// Writes and prints what was found.
    fn show(&self, table: Option<PendingFile>, told: &impl Told) -> Result<()> {
        if self.is_streamed() {
            return write_bytes(|out| told.write_csv(out));
        }
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
        let table = self.table()?;
        if path.as_os_str() == "-" {
            global.refuse_plan(READ_ONCE)?;
        }
        // A number takes two bytes of text at least; the list doubles as it grows, and is counted.
        let size = path.metadata().map_or(0, |file| file.len());
        global.admit(
            "codes",
            (size / 2).saturating_mul(40).saturating_add(1 << 24),
        )?;
        let input = input::open(path)?;
        let name = if path.as_os_str() == "-" {
            Path::new("standard input")
        } else {
            path
        };
        let list = numbers::read(name, input)?;
        let found = numbers::CodedList::of(&list)?;
        self.show(table, &list::ListFacts::of(&found))
    }

    fn of_graph(&self, path: &Path, global: &Global) -> Result<()> {
        let problem = "plots are SVG: let the name end in .svg, .svg.gz or .svg.zst";
        let (table, plot) = (self.table()?, create(&self.svg, &["svg"], problem)?);
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
        if self.is_streamed() {
            return write_bytes(|out| graph::write_csv(out, &found));
        }
        match (self.json, is_written) {
            (true, _) => write_json(&graph::GraphFacts::of(&found)),
            (false, true) => Ok(()),
            (false, false) => write_lines(|out| graph::print(out, &found)),
        }
    }
}
