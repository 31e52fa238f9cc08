//! Tables as their cells, and the scores in them, for formats whose cells have types.

use super::super::keys::Keys;
use super::{Choice, ScoreFile};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;

/// A cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Empty, or null.
    Missing,
    /// A whole number.
    Integer(i128),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Text.
    Text(&'a str),
}

/// What is wrong with a cell.
pub enum Problem {
    /// The cell itself: the reader adds the file and the row.
    Cell(String),
    /// Something else.
    Other(Error),
}

impl From<Error> for Problem {
    fn from(problem: Error) -> Self {
        Problem::Other(problem)
    }
}

#[cfg(any(feature = "arrow", feature = "npy", feature = "parquet"))]
impl Problem {
    /// The error of a row, counted from 0.
    pub fn in_row(self, path: &Path, row: usize) -> Error {
        match self {
            Problem::Cell(problem) => wrong(path, row, problem),
            Problem::Other(problem) => problem,
        }
    }
}

#[cfg(any(feature = "arrow", feature = "npy", feature = "parquet"))]
/// An error in a row, counted from 0; messages count from 1.
pub fn wrong(path: &Path, row: usize, problem: impl std::fmt::Display) -> Error {
    Error::file(path, format!("row {}: {problem}", row + 1))
}

/// Receives the position of the column among the wanted ones, the row from 0, and the cell.
pub type Visit<'v> = dyn FnMut(usize, usize, Cell) -> Result<(), Problem> + 'v;

/// How much there is in a table, at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: u64,
    /// The bytes of all cells.
    pub bytes: u64,
}

/// An open table.
pub trait TableFile: Send {
    /// The headers.
    fn header(&self) -> &[String];

    /// Visits every cell of these columns, each in the order of the rows.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged; those of `visit`.
    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()>;

    /// False if all cells are texts, whatever they mean.
    fn is_typed(&self) -> bool {
        true
    }

    /// How much there is, before any cell is visited.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    fn extent(self: Box<Self>) -> Result<Extent>;

    /// An error in a row that was visited.
    fn wrong(&self, row: usize, problem: String) -> Error;
}

/// The scores in a table.
pub fn scores(path: &Path, file: &mut dyn TableFile, on: Option<&str>) -> Result<ScoreFile> {
    let header = file.header().to_vec();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let choice = Choice::new(path, &header, on)?;
    let wanted: Vec<usize> = [choice.key].iter().chain(&choice.scores).copied().collect();
    let mut keys = Keys::default();
    let mut entries = vec![Vec::new(); choice.scores.len()];
    file.each(&wanted, &mut |column, row, cell| {
        let Some(column) = column.checked_sub(1) else {
            return push_key(&mut keys, cell, header[choice.key]);
        };
        let entries = &mut entries[column];
        debug_assert_eq!(entries.len(), row);
        reserve(entries, 1, "a table")?;
        entries.push(number(cell, header[choice.scores[column]])?);
        Ok(())
    })?;
    if let Some(row) = keys.first_repeated() {
        let problem = format!("{} occurs twice; keys must differ", quoted(keys.get(row)));
        return Err(file.wrong(row, problem));
    }
    Ok(choice.scores(&header, keys, entries))
}

/// Adds a key: text, or a whole number.
pub fn push_key(keys: &mut Keys, cell: Cell, column: &str) -> Result<(), Problem> {
    match cell {
        Cell::Text(key) => keys.push(key)?,
        Cell::Integer(key) => keys.push(itoa::Buffer::new().format(key))?,
        Cell::Missing => return Err(missing(column)),
        Cell::Number(_) | Cell::Flag(_) => {
            let problem = format!(
                "column {} holds no keys: strings or integers",
                quoted(column)
            );
            return Err(Problem::Cell(problem));
        }
    }
    Ok(())
}

fn number(cell: Cell, column: &str) -> Result<f64, Problem> {
    let shown = match cell {
        Cell::Number(number) if number.is_finite() => return Ok(number),
        Cell::Integer(number) => return Ok(number as f64),
        Cell::Missing => return Err(missing(column)),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) => webrank_base::shown::shown(text),
    };
    let column = quoted(column);
    let problem = format!("'{shown}' in column {column} is not a finite number");
    Err(Problem::Cell(problem))
}

fn missing(column: &str) -> Problem {
    let column = quoted(column);
    let problem = format!("column {column} is null; fill it, or leave out the row");
    Problem::Cell(problem)
}
