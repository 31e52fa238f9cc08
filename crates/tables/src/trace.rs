//! The sweeps of iterations, as a table: `sweep`, `quantity`, `value`.

use super::table::{Cells, ColumnTable, NamedColumn};
use super::write::write_file;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_base::progress::Sweep;

/// A table of sweeps that is to be written.
pub struct TraceFile {
    path: PathBuf,
    file: PendingFile,
}

impl TraceFile {
    /// Begins the file, so that a wrong folder fails at once.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Err(Error::argument(
                "trace",
                "-",
                "name a file, such as trace.csv",
            ));
        }
        Ok(TraceFile {
            path: path.to_owned(),
            file: PendingFile::create(path)?,
        })
    }

    /// Writes the table, in the format of the extension; without sweeps, nothing is written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, sweeps: &[Sweep]) -> Result<()> {
        if sweeps.is_empty() {
            return Ok(());
        }
        let number = |row: usize| sweeps[row].sweep as i64;
        let fields = vec![
            NamedColumn::new("sweep", Cells::Long(Box::new(number))),
            NamedColumn::new(
                "quantity",
                Cells::Names(Box::new(|row| &sweeps[row].quantity)),
            ),
            NamedColumn::new("value", Cells::Numbers(Box::new(|row| sweeps[row].value))),
        ];
        let rows = sweeps.len();
        write_file(
            &ColumnTable { rows, fields },
            &self.path,
            None,
            &mut self.file,
        )?;
        publish([self.file])
    }
}
