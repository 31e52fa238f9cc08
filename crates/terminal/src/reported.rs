//! Where results go: to the terminal, to standard output, or to a file with a manifest beside it.

use crate::options::{Global, Output, OutputArgs, write_bytes, write_json, write_lines};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::output::Digest;
use webrank_base::phases::Phases;
use webrank_graph::bundle::FileEntry;
use webrank_scores::manifest::Manifest;
use webrank_tables::table::ColumnTable;
use webrank_tables::write::{TableFormat, write_csv, write_file};

/// Rows shown at a terminal, and measures named in a summary.
pub const SHOWN: usize = 20;

/// A result that is ready to be reported.
pub trait Reported {
    /// The measure, the method, and the certainty.
    fn summary(&self) -> String;

    /// How many rows are shown unless a number is asked for.
    fn usual(&self) -> usize {
        SHOWN
    }

    /// The `count` best rows, for people to read.
    fn shown(&self, count: usize) -> String;

    /// The `count` best rows, for programs; none for tables that are not ranked.
    fn best_rows(&self, count: usize) -> Vec<Value> {
        let _ = count;
        Vec::new()
    }

    /// The table, with the rows that `shape` chooses.
    fn columns(&self, shape: &OutputArgs) -> ColumnTable<'_>;

    /// The manifest of a run that took these phases.
    fn manifest(&self, phases: &Phases) -> Result<Manifest>;

    /// Fails if cells of the table could not be read from files.
    ///
    /// # Errors
    /// Why they could not.
    fn check_read(&self) -> Result<()> {
        Ok(())
    }

    /// How long the phases have taken so far.
    fn phases(&self) -> &Phases;

    /// Writes the table to a file at `path`, in the format that its extension names.
    fn write_table(
        &self,
        shape: &OutputArgs,
        path: &Path,
        out: &mut (dyn Write + Send),
    ) -> Result<()> {
        let manifest = match TableFormat::of(path)?.has_metadata() {
            true => Some(self.manifest(self.phases())?.of_scores()),
            false => None,
        };
        let written = write_file(&self.columns(shape), path, manifest.as_deref(), out);
        written.and_then(|()| self.check_read())
    }

    /// Writes the rows as CSV.
    fn write_csv(&self, shape: &OutputArgs, out: &mut dyn Write) -> io::Result<()> {
        write_csv(&self.columns(shape), out)
    }

    /// Writes the table and its manifest, or shows the best rows.
    fn write(&self, output: Output, shape: &OutputArgs, global: &Global) -> Result<()> {
        match output {
            Output::Terminal => {
                let text = self.summary() + &self.shown(shape.top.unwrap_or(self.usual()));
                self.check_read()?;
                write_lines(|out| out.write_all(text.as_bytes()))
            }
            Output::Json => {
                let best = self.best_rows(shape.top.unwrap_or(SHOWN));
                self.check_read()?;
                let manifest = self.manifest(self.phases())?;
                write_json(&json!({ "manifest": manifest, "best": best }))
            }
            Output::Stdout => {
                write_bytes(|out| self.write_csv(shape, out))?;
                self.check_read()
            }
            Output::Checksum(path) => {
                let mut digest = Digest::default();
                self.write_table(shape, &path, &mut digest)?;
                if let Some(repeats) = &global.repeats {
                    let _ = repeats.set(FileEntry::new(digest.checksum()));
                }
                Ok(())
            }
            Output::Parts(table) => {
                let missing =
                    || Error::file(table.path(), "the measure writes no parts of a table");
                let entry = table.entry().ok_or_else(missing)?;
                if let Some(repeats) = &global.repeats {
                    let _ = repeats.set(entry);
                    return Ok(());
                }
                let mut manifest = self.manifest(self.phases())?;
                manifest.describe(table.path(), entry);
                table.finish(Some(&manifest.text()))?;
                global.show_phases(self.phases());
                global.summary(&self.summary());
                Ok(())
            }
            Output::File { mut table, path } => {
                let mut phases = self.phases().clone();
                self.write_table(shape, &path, &mut table.table)?;
                phases.done("write");
                table.publish(&path, || self.manifest(&phases))?;
                global.show_phases(&phases);
                global.summary(&self.summary());
                Ok(())
            }
        }
    }
}
