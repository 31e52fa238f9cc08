//! Where results go: to the terminal, to standard output, or to a file with a manifest beside it.

use super::options::{Global, Output, OutputArgs, write_compressed, write_stdout};
use std::io::{self, Write};
use std::path::PathBuf;
use webrank::internals::error::{Error, Result};
use webrank::internals::output::PendingFile;
use webrank::internals::scores::manifest::path_beside;
use webrank::internals::scores::phases::Phases;
use webrank::internals::scores::read::names_parquet;

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

    /// Writes the same rows as Parquet.
    fn write_parquet(&self, shape: &OutputArgs, out: &mut (dyn Write + Send)) -> io::Result<()>;

    /// The manifest of a run that took these phases.
    fn manifest(&self, phases: &Phases) -> Result<String>;

    /// How long the phases have taken so far.
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
    let format = if names_parquet(&path) {
        Format::Parquet
    } else {
        Format::Csv
    };
    write_compressed(&path, &mut table, |out| write(format, out))?;
    let Some(mut file) = manifest else {
        return table.finish();
    };
    let text = manifest_text()?;
    // Write the manifest to the last byte before the table appears.
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(|source| Error::io(path_beside(&path), "cannot write", source))?;
    table.finish()?;
    file.finish()
}
