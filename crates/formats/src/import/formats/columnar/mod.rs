//! Tables of arcs in columns with types: Parquet and Arrow.
//!
//! Columns are found as in a table of text with a header, by their names and their first rows. Nodes are
//! strings, integers or decimals, whose text without trailing zeros is the name; weights are numbers. A
//! column `Type` says of each row whether it has a direction. Pandas' index (`__index_level_0__`) counts
//! only if the user chooses it. One thread decodes batches of rows, another takes their arcs. Messages count
//! rows from 1.

use super::super::Input;
use super::super::columns::{ArcColumns, ColumnChoice};
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::edge_list::{Direction, Layout, whole};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_tables::read::cells::{Cell, missing};
use webrank_tables::read::columns::{Batch, CellType, ColumnFile, Wanted, wrong};

/// Batches that wait, each with its pages.
const WAITING: usize = 2;

/// So many rows show what columns hold.
const FIRST_ROWS: usize = 500;
/// So many columns are looked at; names show the others.
const FIRST_COLUMNS: usize = 64;
/// Longer texts are no numbers.
const FIRST_BYTES: usize = 64;

/// The arcs of a table.
struct ArcTable<F> {
    path: PathBuf,
    file: F,
    header: Vec<String>,
    columns: ArcColumns,
    /// Nodes are whole numbers, some of them written with decimals.
    has_decimals: bool,
    notes: Vec<Note>,
}

/// Finds the columns of arcs; `path` is for messages.
///
/// # Errors
/// If columns are none of arcs.
pub(in crate::import) fn open(
    path: &Path,
    mut file: impl ColumnFile + 'static,
    choice: &ColumnChoice,
) -> Result<Input> {
    let header = file.header().to_vec();
    let layout = layout(&mut file, &header, choice)?;
    let layout = layout.map_err(|problem| Error::file(path, problem))?;
    let columns = layout.columns;
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
        has_decimals: layout.has_decimals,
        notes: layout.notes,
    };
    Ok(Input {
        weighted: columns.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| table.give(to)),
    })
}

/// Which columns hold the arcs, by their names and first rows.
fn layout(
    file: &mut impl ColumnFile,
    header: &[String],
    choice: &ColumnChoice,
) -> Result<Result<Layout, String>> {
    let is_meant = |name: &String| choice.columns.is_some() || !name.starts_with("__index_level_");
    let places: Vec<usize> = (0..header.len())
        .filter(|&it| is_meant(&header[it]))
        .collect();
    if places.is_empty() {
        return Ok(Err("a table without columns".to_owned()));
    }
    let mut rows = Vec::new();
    for (place, &column) in places.iter().enumerate().take(FIRST_COLUMNS) {
        let kind = file.kind(column);
        if kind == CellType::Other {
            continue;
        }
        let mut row = 0;
        file.first(column, FIRST_ROWS, &mut |cell| {
            if row == rows.len() {
                rows.push(vec![String::new(); places.len()]);
            }
            rows[row][place] = shown(cell, kind);
            row += 1;
        })?;
    }
    let names = places.iter().map(|&it| header[it].clone()).collect();
    let is_number = |kind| {
        matches!(
            kind,
            CellType::Integer | CellType::Number | CellType::Decimal
        )
    };
    let texts: Vec<bool> = places.iter().map(|&it| !is_number(file.kind(it))).collect();
    Ok(
        Layout::of_columns(names, rows, &texts, choice).map(|mut layout| {
            let columns = &mut layout.columns;
            let moved = |place: Option<usize>| place.map(|place| places[place]);
            (columns.source, columns.target) = (places[columns.source], places[columns.target]);
            columns.weight = moved(columns.weight);
            columns.direction = moved(columns.direction);
            layout
        }),
    )
}

/// A cell as text that tells its column's kind: numbers that are missing are numbers nevertheless.
fn shown(cell: Cell, kind: CellType) -> String {
    match cell {
        Cell::Missing if matches!(kind, CellType::Text | CellType::Flag) => String::new(),
        Cell::Missing => "nan".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) if text.len() > FIRST_BYTES => "a long text".to_owned(),
        cell => cell.key().unwrap_or_default().into_owned(),
    }
}

impl<F: ColumnFile> ArcTable<F> {
    /// Gives the arcs of the batches that another thread decodes; it ends if they are not taken any
    /// more.
    fn give(mut self, to: &mut dyn Receiver) -> Result<()> {
        self.notes.drain(..).for_each(|note| to.note(note));
        let columns = &self.columns;
        let others = [columns.weight, columns.direction];
        let wanted = [columns.source, columns.target].into_iter();
        let wanted: Vec<usize> = wanted.chain(others.into_iter().flatten()).collect();
        let rows = Rows {
            names: wanted.iter().map(|&it| self.header[it].as_str()).collect(),
            has_weight: columns.weight.is_some(),
            has_direction: columns.direction.is_some(),
            has_decimals: self.has_decimals,
        };
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
            batches.try_for_each(|batch| rows.give(path, &batch?, to))
        })
    }
}

/// How the wanted columns of a row are an arc: source, target, and perhaps weight and direction.
struct Rows<'a> {
    names: Vec<&'a str>,
    has_weight: bool,
    has_direction: bool,
    has_decimals: bool,
}

impl Rows<'_> {
    fn give(&self, path: &Path, batch: &Batch, to: &mut dyn Receiver) -> Result<()> {
        for row in 0..batch.columns[0].len() {
            let given = self.give_row(batch, row, to);
            settle(given, to, |problem| {
                wrong(path, batch.first_row + row, problem)
            })?;
        }
        Ok(())
    }

    fn give_row(&self, batch: &Batch, row: usize, to: &mut dyn Receiver) -> Result<(), Problem> {
        let cell = |column: usize| match batch.columns[column].cell(row)? {
            Cell::Missing => Err(missing(self.names[column])),
            cell => Ok(cell),
        };
        let (source, target) = (cell(0)?, cell(1)?);
        let weight = match self.has_weight {
            true => cell(2)?.number().unwrap_or(f64::NAN),
            false => 1.0,
        };
        let direction = match self.has_direction {
            true => Direction::of(&cell(self.names.len() - 1)?.key().unwrap_or_default())?,
            false => Direction::Directed,
        };
        let (source, target) = (self.node(source, to)?, self.node(target, to)?);
        direction.give(to, source, target, weight)
    }

    fn node(&self, cell: Cell, to: &mut dyn Receiver) -> Result<Node, Problem> {
        match cell {
            Cell::Text(key) => match self.has_decimals.then(|| whole(key)).flatten() {
                Some(integer) => to.integer(integer),
                None => to.key(key),
            },
            Cell::Integer(key) => match i64::try_from(key) {
                Ok(integer) => to.integer(integer),
                Err(_) => to.key(itoa::Buffer::new().format(key)),
            },
            cell => to.key(&cell.key().unwrap_or_default()),
        }
    }
}

#[cfg(all(test, feature = "arrow", feature = "parquet"))]
mod tests;
