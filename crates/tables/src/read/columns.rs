//! Tables of columns with types, as batches of rows: Arrow and Parquet, for scores and for arcs.
//!
//! Columns are strings (with or without a mark as UTF-8), integers, floating-point numbers of 16, 32 or
//! 64 bits, decimals of up to 38 digits, or booleans.

#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::cells::Visit;
use super::cells::{Cell, Problem, TableFile};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Rows of a batch, at most.
pub const BATCH: usize = 1 << 14;

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Strings.
    Text,
    /// Integers.
    Integer,
    /// Floating-point numbers.
    Number,
    /// Decimals.
    Decimal,
    /// Yes or no.
    Flag,
    /// Something that is not read.
    Other,
}

/// What a column is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Keys of rows, or nodes.
    Keys,
    /// Scores, or weights.
    Numbers,
    /// Cells of any kind.
    Cells,
}

impl Wanted {
    fn accepts(self, kind: Kind) -> bool {
        match self {
            Wanted::Keys => matches!(kind, Kind::Text | Kind::Integer | Kind::Decimal),
            Wanted::Numbers => matches!(kind, Kind::Integer | Kind::Number | Kind::Decimal),
            Wanted::Cells => kind != Kind::Other,
        }
    }

    fn described(self) -> &'static str {
        match self {
            Wanted::Keys => "keys: strings, integers or decimals of up to 38 digits",
            Wanted::Numbers => {
                "numbers: integers, floating-point numbers or decimals of up to 38 digits"
            }
            Wanted::Cells => "numbers, decimals of up to 38 digits, strings or booleans",
        }
    }
}

/// The columns of a table.
#[derive(Debug, Clone)]
pub struct Schema {
    /// The file, for messages.
    pub path: PathBuf,
    /// The headers.
    pub header: Vec<String>,
    /// What each column holds, and how its format calls that.
    pub kinds: Vec<(Kind, String)>,
}

impl Schema {
    /// Fails if the column cannot be read for this.
    ///
    /// # Errors
    /// With the name of the column, what it holds, and what it may hold.
    pub fn check(&self, column: usize, wanted: Wanted) -> Result<()> {
        let (kind, found) = &self.kinds[column];
        if wanted.accepts(*kind) {
            return Ok(());
        }
        let (name, wanted) = (quoted(&self.header[column]), wanted.described());
        let problem = format!("column {name} holds {found}, not {wanted}");
        Err(Error::file(&self.path, problem))
    }
}

/// Receives a batch; returns false to get no more.
pub type Take<'t> = dyn FnMut(Batch) -> Result<bool> + 't;

/// An open table of columns with types.
pub trait ColumnFile: TableFile {
    /// Hands over all rows of these columns, in their order.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged; those of `take`.
    fn batches(&mut self, columns: &[usize], take: &mut Take) -> Result<()>;
}

/// Rows, one after the other.
pub struct Batch {
    /// Counted from 0.
    pub first_row: usize,
    /// The wanted columns, in the order in which they were asked for.
    pub columns: Vec<BatchColumn>,
}

/// The cells of a column in a batch.
pub struct BatchColumn {
    /// One for each row; some value for a row without an entry.
    pub values: Typed,
    /// Which rows have an entry; all if `None`.
    pub present: Option<Vec<bool>>,
}

/// Cells of one type.
pub enum Typed {
    /// Texts, one after the other, and where each ends. They may not be UTF-8.
    Texts {
        /// All texts.
        bytes: Vec<u8>,
        /// Where each ends.
        ends: Vec<usize>,
    },
    /// Integers.
    Integers(Vec<i64>),
    /// Integers from 0.
    Naturals(Vec<u64>),
    /// Floating-point numbers.
    Numbers(Vec<f64>),
    /// Decimals: so many units of this place after the point.
    Decimals(Vec<i128>, i32),
    /// Yes or no.
    Flags(Vec<bool>),
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl Typed {
    /// Texts, one after the other.
    pub(super) fn texts<T: AsRef<[u8]>>(texts: impl Iterator<Item = T>) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_ref());
            ends.push(bytes.len());
        }
        Typed::Texts { bytes, ends }
    }
}

impl BatchColumn {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Typed::Texts { ends, .. } => ends.len(),
            Typed::Integers(values) => values.len(),
            Typed::Naturals(values) => values.len(),
            Typed::Numbers(values) => values.len(),
            Typed::Decimals(values, _) => values.len(),
            Typed::Flags(values) => values.len(),
        }
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of a row of the batch.
    ///
    /// # Errors
    /// If it is a text that is not UTF-8.
    #[inline]
    pub fn cell(&self, row: usize) -> Result<Cell<'_>, Problem> {
        if self.present.as_ref().is_some_and(|present| !present[row]) {
            return Ok(Cell::Missing);
        }
        Ok(match &self.values {
            Typed::Texts { bytes, ends } => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                let text = std::str::from_utf8(&bytes[start..ends[row]]);
                Cell::Text(text.map_err(|_| "a text is not UTF-8".to_owned())?)
            }
            Typed::Integers(values) => Cell::Integer(values[row].into()),
            Typed::Naturals(values) => Cell::Integer(values[row].into()),
            Typed::Numbers(values) => Cell::Number(values[row]),
            Typed::Decimals(values, 0) => Cell::Integer(values[row]),
            Typed::Decimals(values, scale) => Cell::Decimal(values[row], *scale),
            Typed::Flags(values) => Cell::Flag(values[row]),
        })
    }
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl Batch {
    /// Visits every cell; the first column is the wanted one at `place`.
    pub(super) fn visit(
        &self,
        place: usize,
        visit: &mut Visit,
        wrong: &dyn Fn(usize, String) -> Error,
    ) -> Result<()> {
        for (place, column) in (place..).zip(&self.columns) {
            for row in 0..column.len() {
                let cell = column.cell(row);
                let row = self.first_row + row;
                let visited = cell.and_then(|cell| visit(place, row, cell));
                visited.map_err(|problem| problem.at(|problem| wrong(row, problem)))?;
            }
        }
        Ok(())
    }
}

/// An error in a row, counted from 0; messages count from 1.
pub fn wrong(path: &Path, row: usize, problem: impl std::fmt::Display) -> Error {
    Error::file(path, format!("row {}: {problem}", row + 1))
}
