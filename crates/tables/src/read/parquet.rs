//! Parquet, as `rank`, pandas, polars, pyarrow and others write it.
//!
//! Keys are strings or integers, scores are floating-point numbers or integers, and columns are not
//! nested. Columns may be nullable, but nulls are errors. Compression: none, snappy, gzip, zstd.
//! Messages count rows from 1. A folder of files with the same columns, as engines write it, is one table.

use super::super::keys::Keys;
use super::cells::{Cell, Extent, Problem, TableFile, Visit, wrong};
use super::files_of;
use super::{Choice, ScoreFile};
use crate::parquet_file;
use crate::parquet_file::{damaged, is_signed, malformed};
use parquet::basic::Type as Physical;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::shown::quoted;

/// Rows decoded at a time.
const ROWS_PER_BATCH: usize = 1 << 14;

pub(super) fn read(path: &Path, on: Option<&str>) -> Result<ScoreFile> {
    // The reader checks what it reads, but in some places it asserts that pages fit together.
    catch_panic(|| read_checked(path, on)).unwrap_or_else(|| Err(malformed(path)))
}

fn read_checked(path: &Path, on: Option<&str>) -> Result<ScoreFile> {
    let table = ParquetTable::open(path)?;
    let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let choice = Choice::new(path, &header, on)?;
    let mut keys = Keys::default();
    table.each_part(choice.key, |_, column| column.read_keys(&mut keys))?;
    let mut entries = Vec::new();
    for &score in &choice.scores {
        let mut numbers = Vec::new();
        table.each_part(score, |_, column| column.read_numbers(&mut numbers))?;
        entries.push(numbers);
    }
    if let Some(row) = keys.first_repeated() {
        let problem = format!("{} occurs twice; keys must differ", quoted(keys.get(row)));
        return Err(table.wrong(row, problem));
    }
    Ok(choice.scores(&header, keys, entries))
}

/// A table whose cells are visited: a file, or a folder of files with the same columns.
pub(super) struct ParquetTable {
    parts: Vec<TablePart>,
    header: Vec<String>,
}

/// A file of a table.
struct TablePart {
    path: PathBuf,
    /// The rows in the files before it.
    before: usize,
    extent: Extent,
}

impl ParquetTable {
    /// Reads the schema of each file.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let files = match path.is_dir() {
            true => files_of(path)?,
            false => vec![path.to_owned()],
        };
        let mut table = ParquetTable {
            parts: Vec::new(),
            header: Vec::new(),
        };
        let mut before = 0;
        for path in files {
            let file = open(&path)?;
            let header = header(&file);
            if table.parts.is_empty() {
                table.header = header;
            } else if table.header != header {
                let problem = format!(
                    "other columns than {} beside it: all files of a folder must have the same",
                    table.parts[0].path.display()
                );
                return Err(Error::file(&path, problem));
            }
            let extent = extent(&file);
            table.parts.push(TablePart {
                path,
                before,
                extent,
            });
            before = before.saturating_add(extent.rows as usize);
        }
        Ok(table)
    }

    /// Hands over a column of each file, and the number of rows before it. No more than one file is
    /// open.
    fn each_part(
        &self,
        index: usize,
        mut visit: impl FnMut(usize, ColumnOf) -> Result<()>,
    ) -> Result<()> {
        for part in &self.parts {
            let file = open(&part.path)?;
            let schema = file.metadata().file_metadata().schema_descr_ptr();
            let Some(descriptor) = schema.columns().get(index) else {
                return Err(malformed(&part.path));
            };
            visit(
                part.before,
                ColumnOf::new(&part.path, &file, descriptor, index)?,
            )?;
        }
        Ok(())
    }
}

/// Opens a file.
fn open(path: &Path) -> Result<SerializedFileReader<File>> {
    catch_panic(|| parquet_file::open(path)).unwrap_or_else(|| Err(malformed(path)))
}

impl TableFile for ParquetTable {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        for (place, &index) in columns.iter().enumerate() {
            self.each_part(index, |before, column| {
                let read = catch_panic(AssertUnwindSafe(|| {
                    column.each_cell(&mut |row, cell| visit(place, before + row, cell))
                }));
                read.unwrap_or_else(|| Err(malformed(column.path)))
            })?;
        }
        Ok(())
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        let add = |all: Extent, part: &TablePart| Extent {
            rows: all.rows.saturating_add(part.extent.rows),
            bytes: all.bytes.saturating_add(part.extent.bytes),
        };
        Ok(self.parts.iter().fold(Extent::default(), add))
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        let part = self.parts.partition_point(|part| part.before <= row);
        let part = &self.parts[part.saturating_sub(1)];
        wrong(&part.path, row - part.before, problem)
    }
}

/// How much there is in a file, at most.
fn extent(file: &SerializedFileReader<File>) -> Extent {
    let metadata = file.metadata();
    let columns = metadata.row_groups().iter().flat_map(|g| g.columns());
    let bytes = columns.map(|column| column.uncompressed_size().max(0) as u64);
    // A column of few different texts is a dictionary, and has each of them once.
    Extent {
        rows: metadata.file_metadata().num_rows().max(0) as u64,
        bytes: bytes.fold(0, u64::saturating_add),
    }
}

fn header(file: &SerializedFileReader<File>) -> Vec<String> {
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let columns = schema.columns().iter();
    columns.map(|column| column.path().string()).collect()
}

/// One column, and its position.
struct ColumnOf<'a> {
    path: &'a Path,
    file: &'a SerializedFileReader<File>,
    descriptor: &'a ColumnDescriptor,
    index: usize,
}

impl<'a> ColumnOf<'a> {
    fn new(
        path: &'a Path,
        file: &'a SerializedFileReader<File>,
        descriptor: &'a ColumnDescriptor,
        index: usize,
    ) -> Result<Self> {
        if descriptor.max_rep_level() > 0 || descriptor.max_def_level() > 1 {
            let name = quoted(&descriptor.path().string());
            let problem = format!("column {name} is nested; write a column of single values");
            return Err(Error::file(path, problem));
        }
        Ok(ColumnOf {
            path,
            file,
            descriptor,
            index,
        })
    }

    fn unusable(&self, wanted: &str) -> Error {
        let name = quoted(self.descriptor.name());
        let physical = self.descriptor.physical_type();
        let found = match self.descriptor.logical_type_ref() {
            Some(logical) => format!("{physical} ({logical:?})"),
            None => physical.to_string(),
        };
        Error::file(
            self.path,
            format!("column {name} holds {found}, not {wanted}"),
        )
    }

    fn read_keys(&self, keys: &mut Keys) -> Result<()> {
        match self.descriptor.physical_type() {
            Physical::BYTE_ARRAY => self.each::<ByteArrayType>(|row, key| {
                let key = std::str::from_utf8(key.data())
                    .map_err(|_| wrong(self.path, row, "the key is not UTF-8"))?;
                keys.push(key)?;
                Ok(())
            }),
            _ => {
                let mut text = itoa::Buffer::new();
                self.each_integer("keys: strings or integers", |_, key| {
                    keys.push(text.format(key))?;
                    Ok(())
                })
            }
        }
    }

    fn read_numbers(&self, numbers: &mut Vec<f64>) -> Result<()> {
        let mut add = |row, number: f64| {
            if number.is_finite() {
                numbers.push(number);
                return Ok(());
            }
            let name = quoted(self.descriptor.name());
            let problem = format!("'{number}' in column {name} is not a finite number");
            Err(wrong(self.path, row, problem))
        };
        match self.descriptor.physical_type() {
            Physical::DOUBLE => self.each::<DoubleType>(|row, x| add(row, *x)),
            Physical::FLOAT => self.each::<FloatType>(|row, x| add(row, f64::from(*x))),
            _ => self.each_integer("numbers", |row, x| add(row, x as f64)),
        }
    }

    /// Visits every integer, in row order; `wanted` says what the column should hold.
    fn each_integer(
        &self,
        wanted: &str,
        mut visit: impl FnMut(usize, i128) -> Result<()>,
    ) -> Result<()> {
        self.each_integer_or_null(wanted, |row, entry| match entry {
            Some(entry) => visit(row, entry),
            None => Err(self.null(row)),
        })
    }

    fn each_integer_or_null(
        &self,
        wanted: &str,
        mut visit: impl FnMut(usize, Option<i128>) -> Result<()>,
    ) -> Result<()> {
        match (self.descriptor.physical_type(), self.sign()) {
            (Physical::INT32, Some(Sign::Signed)) => {
                self.each_or_null::<Int32Type>(|row, x| visit(row, x.map(|&x| i128::from(x))))
            }
            (Physical::INT32, Some(Sign::Unsigned)) => self
                .each_or_null::<Int32Type>(|row, x| visit(row, x.map(|&x| i128::from(x as u32)))),
            (Physical::INT64, Some(Sign::Signed)) => {
                self.each_or_null::<Int64Type>(|row, x| visit(row, x.map(|&x| i128::from(x))))
            }
            (Physical::INT64, Some(Sign::Unsigned)) => self
                .each_or_null::<Int64Type>(|row, x| visit(row, x.map(|&x| i128::from(x as u64)))),
            _ => Err(self.unusable(wanted)),
        }
    }

    /// Whether integers have a sign; none if they represent something else, such as dates.
    fn sign(&self) -> Option<Sign> {
        is_signed(self.descriptor).map(|is_signed| match is_signed {
            true => Sign::Signed,
            false => Sign::Unsigned,
        })
    }

    /// Visits every cell, in row order.
    fn each_cell(
        &self,
        visit: &mut dyn FnMut(usize, Cell) -> std::result::Result<(), Problem>,
    ) -> Result<()> {
        let mut add = |row: usize, cell: Option<Cell>| {
            let visited = visit(row, cell.unwrap_or(Cell::Missing));
            visited.map_err(|problem| problem.in_row(self.path, row))
        };
        match self.descriptor.physical_type() {
            Physical::DOUBLE => {
                self.each_or_null::<DoubleType>(|row, x| add(row, x.map(|x| Cell::Number(*x))))
            }
            Physical::FLOAT => self.each_or_null::<FloatType>(|row, x| {
                add(row, x.map(|x| Cell::Number(f64::from(*x))))
            }),
            Physical::BOOLEAN => {
                self.each_or_null::<BoolType>(|row, x| add(row, x.map(|x| Cell::Flag(*x))))
            }
            Physical::BYTE_ARRAY => self.each_or_null::<ByteArrayType>(|row, text| {
                let Some(text) = text else {
                    return add(row, None);
                };
                let text = std::str::from_utf8(text.data());
                let text = text.map_err(|_| wrong(self.path, row, "a text is not UTF-8"))?;
                add(row, Some(Cell::Text(text)))
            }),
            _ => self.each_integer_or_null("numbers, strings or booleans", |row, x| {
                add(row, x.map(Cell::Integer))
            }),
        }
    }

    /// Visits every entry, in row order; a null is an error.
    fn each<T: DataType>(&self, mut visit: impl FnMut(usize, &T::T) -> Result<()>) -> Result<()> {
        self.each_or_null::<T>(|row, entry| match entry {
            Some(entry) => visit(row, entry),
            None => Err(self.null(row)),
        })
    }

    fn null(&self, row: usize) -> Error {
        let name = quoted(self.descriptor.name());
        let problem = format!("column {name} is null; fill it, or leave out the row");
        wrong(self.path, row, problem)
    }

    /// Visits every entry or null, in row order.
    fn each_or_null<T: DataType>(
        &self,
        mut visit: impl FnMut(usize, Option<&T::T>) -> Result<()>,
    ) -> Result<()> {
        let unreadable = |problem: ParquetError| damaged(self.path, &problem);
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let mut row = 0;
        for group in 0..self.file.num_row_groups() {
            let group = self.file.get_row_group(group).map_err(unreadable)?;
            let reader = group.get_column_reader(self.index).map_err(unreadable)?;
            let mut reader = get_typed_column_reader::<T>(reader);
            loop {
                values.clear();
                levels.clear();
                let (rows, ..) = reader
                    .read_records(ROWS_PER_BATCH, Some(&mut levels), None, &mut values)
                    .map_err(unreadable)?;
                if rows == 0 {
                    break;
                }
                if values.len() == rows {
                    for (i, value) in values.iter().enumerate() {
                        visit(row + i, Some(value))?;
                    }
                } else {
                    let mut present = values.iter();
                    for (i, &level) in levels.iter().enumerate() {
                        visit(row + i, (level > 0).then(|| present.next()).flatten())?;
                    }
                }
                row += rows;
            }
        }
        let promised = self.file.metadata().file_metadata().num_rows();
        if row as i64 == promised {
            return Ok(());
        }
        let problem = format!("{row} rows instead of {promised}");
        Err(damaged(self.path, &ParquetError::General(problem)))
    }
}

/// How to interpret the bits of an integer.
enum Sign {
    Signed,
    Unsigned,
}
