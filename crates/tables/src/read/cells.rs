//! Tables as their cells, and the scores in them.

use super::super::keys::Keys;
use super::columns::Wanted;
use super::{Choice, ScoreFile};
use std::borrow::Cow;
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
    /// A decimal: so many units of this place after the point.
    Decimal(i128, i32),
    /// Yes or no.
    Flag(bool),
    /// Text.
    Text(&'a str),
    /// Text that is a number with a comma before its decimals, where semicolons separate cells.
    CommaDecimal(&'a str),
}

impl<'a> Cell<'a> {
    /// The key that it is: a text, an integer, or a decimal without zeros after its last digit.
    pub fn key(self) -> Option<Cow<'a, str>> {
        match self {
            Cell::Text(text) | Cell::CommaDecimal(text) => Some(text.into()),
            Cell::Integer(integer) => Some(integer.to_string().into()),
            Cell::Decimal(units, place) => Some(decimal(units, place).into()),
            Cell::Missing | Cell::Number(_) | Cell::Flag(_) => None,
        }
    }

    /// The double next to the number that it is.
    #[inline]
    pub fn number(self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(number),
            Cell::Integer(integer) => Some(integer as f64),
            Cell::Decimal(units, place) => decimal(units, place).parse().ok(),
            Cell::CommaDecimal(text) => with_point(text).parse().ok(),
            Cell::Missing | Cell::Flag(_) | Cell::Text(_) => None,
        }
    }
}

/// A decimal number, without zeros after the last digit that counts.
fn decimal(units: i128, place: i32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = units.unsigned_abs().to_string();
    let places = place.unsigned_abs() as usize;
    if units == 0 || place <= 0 {
        let zeros = if units == 0 { 0 } else { places };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

/// The problem of a record, without its place in the file, or of something else.
pub enum Problem {
    /// The record cannot be used.
    Record(String),
    /// Work cannot go on.
    Other(Error),
}

impl Problem {
    /// The error; `wrong` adds the place of a record.
    pub fn at(self, wrong: impl FnOnce(String) -> Error) -> Error {
        match self {
            Problem::Record(problem) => wrong(problem),
            Problem::Other(problem) => problem,
        }
    }
}

impl From<Error> for Problem {
    fn from(problem: Error) -> Self {
        Problem::Other(problem)
    }
}

impl From<String> for Problem {
    fn from(problem: String) -> Self {
        Problem::Record(problem)
    }
}

/// Receives the position of the column among the wanted ones, the row from 0, and the cell.
pub type Visit<'v> = dyn FnMut(usize, usize, Cell) -> Result<(), Problem> + 'v;

/// How much there is in a table, at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: u64,
    /// The cells of each column.
    pub columns: Vec<ColumnExtent>,
}

/// How much there is in a column, at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColumnExtent {
    /// The bytes of its cells.
    pub bytes: u64,
    /// A hash of its cells in their order, where they are read.
    pub hash: Option<u64>,
}

impl Extent {
    /// So many bytes for each column of this many.
    pub fn even(rows: u64, bytes: u64, columns: usize) -> Self {
        let column = ColumnExtent { bytes, hash: None };
        Extent {
            rows,
            columns: vec![column; columns],
        }
    }
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

    /// Fails if a column has a type that cannot be read for this. Formats whose columns have no types
    /// find out by their cells.
    ///
    /// # Errors
    /// With the name of the column, what it holds, and what it may hold.
    fn check(&self, _column: usize, _wanted: Wanted) -> Result<()> {
        Ok(())
    }

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
pub(super) fn scores(path: &Path, file: &mut dyn TableFile, on: Option<&str>) -> Result<ScoreFile> {
    let header = file.header().to_vec();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let choice = Choice::new(path, &header, on)?;
    file.check(choice.key, Wanted::Keys)?;
    for &column in &choice.scores {
        file.check(column, Wanted::Numbers)?;
    }
    let wanted: Vec<usize> = [choice.key].iter().chain(&choice.scores).copied().collect();
    let is_typed = file.is_typed();
    let mut keys = Keys::default();
    let mut entries = vec![Vec::new(); choice.scores.len()];
    file.each(&wanted, &mut |column, row, cell| {
        let cell = match cell {
            Cell::Missing if !is_typed => Cell::Text(""),
            cell => cell,
        };
        let Some(column) = column.checked_sub(1) else {
            return push_key(&mut keys, cell, header[choice.key]);
        };
        let entries = &mut entries[column];
        debug_assert_eq!(entries.len(), row);
        reserve(entries, 1, "a table")?;
        entries.push(score(cell, is_typed, header[choice.scores[column]])?);
        Ok(())
    })?;
    check_distinct(&keys, file)?;
    Ok(choice.scores(&header, keys, entries))
}

/// Fails at the first row of a file whose key an earlier one has.
pub(super) fn check_distinct(keys: &Keys, file: &dyn TableFile) -> Result<()> {
    let Some(row) = keys.first_repeated() else {
        return Ok(());
    };
    let problem = format!("{} occurs twice; keys must differ", quoted(keys.get(row)));
    Err(file.wrong(row, problem))
}

/// Adds a key.
pub(super) fn push_key(keys: &mut Keys, cell: Cell, column: &str) -> Result<(), Problem> {
    match cell {
        Cell::Text(key) => keys.push(key)?,
        Cell::Integer(key) => keys.push(itoa::Buffer::new().format(key))?,
        Cell::Missing => return Err(missing(column)),
        cell => match cell.key() {
            Some(key) => keys.push(&key)?,
            None => {
                let column = quoted(column);
                let problem = format!("column {column} holds no keys: strings or integers");
                return Err(problem.into());
            }
        },
    }
    Ok(())
}

fn score(cell: Cell, is_typed: bool, column: &str) -> Result<f64, Problem> {
    let number = match cell {
        Cell::Text(text) if !is_typed => text.trim().parse().ok(),
        cell => cell.number(),
    };
    if let Some(number) = number.filter(|number| number.is_finite()) {
        return Ok(number);
    }
    let shown = match cell {
        Cell::Missing => return Err(missing(column)),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        cell => webrank_base::shown::shown(&cell.key().unwrap_or_default()),
    };
    let column = quoted(column);
    Err(format!("'{shown}' in column {column} is not a finite number").into())
}

/// The problem of a cell that lacks an entry.
pub fn missing(column: &str) -> Problem {
    let column = quoted(column);
    Problem::Record(format!(
        "column {column} is null; fill it, or leave out the row"
    ))
}

/// The text with a point for its comma.
pub(super) fn with_point(text: &str) -> String {
    text.replacen(',', ".", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_as_short_as_they_can_be() {
        for (units, place, text) in [
            (0, 5, "0"),
            (0, -3, "0"),
            (1200, 2, "12"),
            (-1250, 2, "-12.5"),
            (5, 3, "0.005"),
            (7, -2, "700"),
            (i128::MIN, 0, "-170141183460469231731687303715884105728"),
        ] {
            let cell = Cell::Decimal(units, place);
            assert_eq!(cell.key().unwrap(), text);
            assert_eq!(cell.number(), text.parse::<f64>().ok());
        }
    }
}
