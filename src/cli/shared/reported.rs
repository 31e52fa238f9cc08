//! Where results go: to the terminal, to standard output, or to a file with a manifest beside it.

use super::options::{Global, Output, OutputArgs, write_stdout};
use super::report::{Format, write_file};
use std::io::{self, Write};
use webrank::error::Result;
use webrank::scores::phases::Phases;

/// Rows shown at a terminal, and measures named in a summary.
pub const SHOWN: usize = 20;

/// A result that is ready to be reported.
pub trait Reported {
    /// What was computed, how, and how sure it is.
    fn summary(&self) -> String;

    /// The `count` best rows, for people to read.
    fn shown(&self, count: usize) -> String;

    /// Writes the rows that `shape` chooses as CSV.
    fn write_csv(&self, shape: &OutputArgs, out: &mut dyn Write) -> io::Result<()>;

    /// The same as Parquet.
    fn write_parquet(&self, shape: &OutputArgs, out: &mut (dyn Write + Send)) -> io::Result<()>;

    /// The manifest of a run that took these phases.
    fn manifest(&self, phases: &Phases) -> Result<String>;

    /// How long the phases took until here.
    fn phases(&self) -> &Phases;

    /// Writes the table and its manifest, or shows the best rows.
    fn write(&self, output: Output, shape: &OutputArgs, global: &Global) -> Result<()> {
        match output {
            Output::Terminal => {
                let text = self.summary() + &self.shown(shape.top.unwrap_or(SHOWN));
                write_stdout(|out| out.write_all(text.as_bytes()))
            }
            Output::Stdout => write_stdout(|out| self.write_csv(shape, out)),
            Output::File {
                table,
                path,
                manifest,
            } => {
                let mut phases = self.phases().clone();
                write_file(
                    (table, path, manifest),
                    |format, out| match format {
                        Format::Csv => self.write_csv(shape, out),
                        Format::Parquet => self.write_parquet(shape, out),
                    },
                    || {
                        phases.done("write");
                        self.manifest(&phases)
                    },
                )?;
                global.show_phases(&phases);
                global.summary(&self.summary());
                Ok(())
            }
        }
    }
}
