//! Tables of columns with types, as batches of rows: Arrow and Parquet, for scores and for arcs.
//!
//! Columns are strings (with or without a mark as UTF-8), integers, floating-point numbers of 16, 32 or
//! 64 bits, decimals of up to 38 digits, or booleans.

#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::cells::Visit;
use super::cells::{Cell, Problem, TableFile};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Rows of a batch, at most.
pub const BATCH: usize = 1 << 14;

/// A batch ends once it holds so many bytes, whatever its rows.
pub const BATCH_BYTES: u64 = 8 << 20;

/// The type of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellType {
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

/// The use of a column.
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
    fn accepts(self, kind: CellType) -> bool {
        match self {
            Wanted::Keys => matches!(kind, CellType::Text | CellType::Integer | CellType::Decimal),
            Wanted::Numbers => matches!(
                kind,
                CellType::Integer | CellType::Number | CellType::Decimal
            ),
            Wanted::Cells => kind != CellType::Other,
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
    /// The kind of each column, and its name in the format.
    pub kinds: Vec<(CellType, String)>,
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

    /// Visits the cells of a column in about the first `rows` rows, which [`batches`](Self::batches) hands
    /// over nevertheless. A text that is not UTF-8 is missing.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    fn first(&mut self, column: usize, rows: usize, visit: &mut dyn FnMut(Cell)) -> Result<()>;

    /// The kind of a column's cells.
    fn kind(&self, column: usize) -> CellType;
}

/// Rows, one after the other.
pub struct Batch {
    /// Counted from 0.
    pub first_row: usize,
    /// The wanted columns, in the order in which they were asked for.
    pub columns: Vec<BatchColumn>,
}

/// The cells of a column in a batch.
#[derive(Clone)]
pub struct BatchColumn {
    /// One for each row, and perhaps others before and after them; some value for a row without an entry.
    values: Arc<Typed>,
    /// Which rows have an entry; all if `None`.
    present: Option<Arc<Vec<bool>>>,
    /// Where the rows are.
    rows: Range<usize>,
}

/// Texts, which may not be UTF-8, wherever the reader of a file has them: a long one that many rows share
/// is not copied for each.
pub trait Texts: Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The text of a row.
    fn text(&self, row: usize) -> &[u8];
}

/// Cells of one type.
pub enum Typed {
    /// Texts.
    Texts(Box<dyn Texts>),
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

impl Typed {
    fn count(&self) -> usize {
        match self {
            Typed::Texts(texts) => texts.count(),
            Typed::Integers(values) => values.len(),
            Typed::Naturals(values) => values.len(),
            Typed::Numbers(values) => values.len(),
            Typed::Decimals(values, _) => values.len(),
            Typed::Flags(values) => values.len(),
        }
    }
}

impl BatchColumn {
    /// A column of these values, and which of them are there; all if `None`.
    pub fn new(values: Typed, present: Option<Vec<bool>>) -> Self {
        BatchColumn {
            rows: 0..values.count(),
            values: Arc::new(values),
            present: present.map(Arc::new),
        }
    }

    /// Splits so many rows off at the start.
    pub fn split_to(&mut self, rows: usize) -> Self {
        let end = self.rows.start.saturating_add(rows).min(self.rows.end);
        let first = BatchColumn {
            rows: self.rows.start..end,
            ..self.clone()
        };
        self.rows.start = end;
        first
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits the first cells; returns how many of `rows` are still to come.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(super) fn first(&self, rows: usize, visit: &mut dyn FnMut(Cell)) -> usize {
        let here = rows.min(self.len());
        (0..here).for_each(|row| visit(self.cell(row).unwrap_or(Cell::Missing)));
        rows - here
    }

    /// The cell of a row of the batch.
    ///
    /// # Errors
    /// If it is a text that is not UTF-8.
    #[inline]
    pub fn cell(&self, row: usize) -> Result<Cell<'_>, Problem> {
        let row = self.rows.start + row;
        if self.present.as_ref().is_some_and(|present| !present[row]) {
            return Ok(Cell::Missing);
        }
        Ok(match &*self.values {
            Typed::Texts(texts) => {
                let text = std::str::from_utf8(texts.text(row));
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
