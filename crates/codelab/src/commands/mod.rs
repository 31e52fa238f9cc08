//! `rank codes`.

mod table;

use crate::Laboratory;
use crate::code_lengths;
use std::path::PathBuf;
use table::{Facts, print, write_csv};
use webrank_base::error::Result;
use webrank_base::output::{PendingFile, publish};
use webrank_base::visible::visible_json;
use webrank_tables::write::write_compressed;
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, GraphArgs, write_lines, write_stdout};

/// Which codes would make a graph smaller?
///
/// A list of a BVGraph is a sequence of small numbers: outdegrees, references, copy blocks, intervals
/// and residuals. For each of these components: how many numbers there are, their mean and entropy,
/// and the bits they take in unary, gamma, delta, zeta, omega and pi code, as variable-length bytes
/// and nibbles, and in Golomb, Rice and minimal binary code with the best modulus or bound. * marks
/// the code of the file, + the best one that a file can have: 'rank recode' writes it. Components
/// that share a code in files, such as the number of blocks and their lengths, share the best one.
///
/// A code is best for numbers whose probabilities are its intended distribution, 2 to the power of
/// minus the lengths of its words; --svg plots lengths against the true distribution. For comparison:
/// PFOR-DELTA, which is made for speed, and an asymmetric numeral system, which comes near the
/// entropy. Files cannot have either.
#[derive(clap::Args)]
pub struct Args {
    /// A bundle, the basename of a BVGraph, or one of its files
    graph: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write every code of every component as CSV (.gz and .zst are compressed)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Plot the lengths of code words against the distribution of the numbers
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Tool for Args {
    const NAME: &'static str = "codes";

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let create = |path: &Option<PathBuf>| path.as_deref().map(PendingFile::create).transpose();
    let (table, plot) = (create(&args.output)?, create(&args.svg)?);
    let source = GraphArgs::of(&args.graph).open()?;
    global.admit("codes", Laboratory::needs(&source))?;
    let progress = global.progress();
    let found = Laboratory::of(&source.streamed()?, progress.as_ref())?;
    drop(progress);
    let mut written = Vec::new();
    if let (Some(mut file), Some(path)) = (table, &args.output) {
        write_compressed(path, &mut file, |out| write_csv(out, &found))?;
        written.push(file);
    }
    if let (Some(mut file), Some(path)) = (plot, &args.svg) {
        let svg = code_lengths(&found)?;
        write_compressed(path, &mut file, |out| out.write_all(svg.as_bytes()))?;
        written.push(file);
    }
    let is_written = !written.is_empty();
    publish(written)?;
    if args.json {
        let json = serde_json::to_string_pretty(&Facts::of(&found)).expect("plain data serialises");
        return write_stdout(|out| writeln!(out, "{}", visible_json(&json)));
    }
    match is_written {
        true => Ok(()),
        false => write_lines(|out| print(out, &found)),
    }
}
