//! Tables of arcs in columns with types: Parquet and Arrow.
//!
//! Nodes are strings, integers or decimals, whose text without trailing zeros is the name; weights are
//! numbers. One thread decodes batches of rows, another takes their arcs. Messages count rows from 1.

use super::super::Input;
use super::super::columns::{ArcColumns, ColumnChoice};
use super::super::receiver::{Problem, Receiver, settle};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_tables::read::cells::{Cell, missing};
use webrank_tables::read::columns::{Batch, ColumnFile, Wanted, wrong};

/// Batches that wait, each with its pages.
const WAITING: usize = 2;

/// The arcs of a table.
struct ArcTable<F> {
    path: PathBuf,
    file: F,
    header: Vec<String>,
    columns: ArcColumns,
}

/// Finds the columns of arcs; `path` is for messages.
///
/// # Errors
/// If columns are none of arcs.
pub(in crate::import) fn open(
    path: &Path,
    file: impl ColumnFile + 'static,
    choice: &ColumnChoice,
) -> Result<Input> {
    let header = file.header().to_vec();
    let names: Vec<&str> = header.iter().map(String::as_str).collect();
    let columns = choice.named(&names);
    let columns = columns.map_err(|problem| Error::file(path, problem))?;
    for column in [columns.source, columns.target] {
        file.check(column, Wanted::Keys)?;
    }
    if let Some(weight) = columns.weight {
        file.check(weight, Wanted::Numbers)?;
    }
    let table = ArcTable {
        path: path.to_owned(),
        file,
        header,
        columns,
    };
    Ok(Input {
        weighted: columns.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| table.give(to)),
    })
}

impl<F: ColumnFile> ArcTable<F> {
    /// Gives the arcs of the batches that another thread decodes; it ends if they are not taken any
    /// more.
    fn give(mut self, to: &mut dyn Receiver) -> Result<()> {
        let ArcColumns { source, target, .. } = self.columns;
        let wanted = [Some(source), Some(target), self.columns.weight];
        let wanted: Vec<usize> = wanted.into_iter().flatten().collect();
        let names: Vec<&str> = wanted.iter().map(|&it| self.header[it].as_str()).collect();
        let (path, file) = (&self.path, &mut self.file);
        std::thread::scope(|scope| {
            let (sender, batches) = sync_channel(WAITING);
            let decode = move || {
                let decoded =
                    file.batches(&wanted, &mut |batch| Ok(sender.send(Ok(batch)).is_ok()));
                if let Err(problem) = decoded {
                    // If nobody waits for it, there is another error already.
                    let _ = sender.send(Err(problem));
                }
            };
            let started = std::thread::Builder::new().spawn_scoped(scope, decode);
            started.map_err(|problem| Error::io(path, "cannot start a thread", problem))?;
            let mut batches = batches.into_iter();
            batches.try_for_each(|batch| give_batch(path, &names, &batch?, to))
        })
    }
}

fn give_batch(path: &Path, names: &[&str], batch: &Batch, to: &mut dyn Receiver) -> Result<()> {
    for row in 0..batch.columns[0].len() {
        let given = give_row(names, batch, row, to);
        settle(given, to, |problem| {
            wrong(path, batch.first_row + row, problem)
        })?;
    }
    Ok(())
}

/// Gives an arc, from its source, its target, and perhaps its weight.
fn give_row(
    names: &[&str],
    batch: &Batch,
    row: usize,
    to: &mut dyn Receiver,
) -> Result<(), Problem> {
    let cell = |column: usize| match batch.columns[column].cell(row)? {
        Cell::Missing => Err(missing(names[column])),
        cell => Ok(cell),
    };
    let (source, target) = (cell(0)?, cell(1)?);
    let weight = match batch.columns.len() {
        2 => 1.0,
        _ => cell(2)?.number().unwrap_or(f64::NAN),
    };
    let (source, target) = (node(source, to)?, node(target, to)?);
    to.arc(source, target, weight)
}

fn node(cell: Cell, to: &mut dyn Receiver) -> Result<Node, Problem> {
    match cell {
        Cell::Text(key) => to.key(key),
        Cell::Integer(key) => match i64::try_from(key) {
            Ok(integer) => to.integer(integer),
            Err(_) => to.key(itoa::Buffer::new().format(key)),
        },
        cell => to.key(&cell.key().unwrap_or_default()),
    }
}

#[cfg(all(test, feature = "arrow", feature = "parquet"))]
mod tests;
