//! Parquet, as `rank`, pandas, polars, pyarrow, Spark and others write it.
//!
//! Columns are those of [`columns`](super::columns), not nested. Compression: none, snappy, gzip, lz4, zstd.
//! A page of each column is decoded at a time; a batch ends where it holds too many bytes. A folder of files with the same columns, as engines write
//! it, is one table.

mod column;
mod pages;

use super::cells::{Cell, Extent, TableFile, Visit};
use super::columns::{Batch, BatchColumn, CellType, ColumnFile, Schema, Take, Wanted, wrong};
use super::files_of;
use crate::text::missing::open_file;
use column::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::shown::quoted;

/// An open table: a file, or a folder of files with the same columns.
pub struct ParquetTable {
    schema: Schema,
    parts: Vec<TablePart>,
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
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or has other columns than the first.
    pub fn open(path: &Path) -> Result<Self> {
        let files = match path.is_dir() {
            true => files_of(path)?,
            false => vec![path.to_owned()],
        };
        let mut table = ParquetTable {
            schema: Schema {
                path: path.to_owned(),
                header: Vec::new(),
                kinds: Vec::new(),
            },
            parts: Vec::new(),
        };
        let mut before = 0;
        for path in files {
            let file = open(&path)?;
            let schema = schema(&path, &file);
            let Some(first) = table.parts.first() else {
                table.schema = schema;
                before = table.push(path, &file, before);
                continue;
            };
            if table.schema.header != schema.header {
                let problem = format!(
                    "other columns than {} beside it: all files of a folder must have the same",
                    first.path.display()
                );
                return Err(Error::file(&path, problem));
            }
            before = table.push(path, &file, before);
        }
        Ok(table)
    }

    /// Adds a file; returns the rows up to its end.
    fn push(&mut self, path: PathBuf, file: &SerializedFileReader<File>, before: usize) -> usize {
        let extent = extent(file.metadata());
        let rows = extent.rows as usize;
        self.parts.push(TablePart {
            path,
            before,
            extent,
        });
        before.saturating_add(rows)
    }

    /// Hands over all rows of these columns. No more than one file is open.
    fn read(&self, columns: &[usize], take: &mut Take) -> Result<()> {
        for part in &self.parts {
            if !part.read(columns, take)? {
                break;
            }
        }
        Ok(())
    }
}

impl TableFile for ParquetTable {
    fn header(&self) -> &[String] {
        &self.schema.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        // Column by column: then no more than a page is in memory, however many columns there are.
        for (place, &column) in columns.iter().enumerate() {
            self.check(column, Wanted::Cells)?;
            self.read(&[column], &mut |batch| {
                batch.visit(place, visit, &|row, problem| self.wrong(row, problem))?;
                Ok(true)
            })?;
        }
        Ok(())
    }

    fn check(&self, column: usize, wanted: Wanted) -> Result<()> {
        self.schema.check(column, wanted)
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        let mut all = Extent::even(0, 0, self.schema.header.len());
        for TablePart { extent, .. } in &self.parts {
            all.rows = all.rows.saturating_add(extent.rows);
            for (column, of_part) in all.columns.iter_mut().zip(&extent.columns) {
                column.bytes = column.bytes.saturating_add(of_part.bytes);
            }
        }
        Ok(all)
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        let part = self.parts.partition_point(|part| part.before <= row);
        let part = &self.parts[part.saturating_sub(1)];
        wrong(&part.path, row - part.before, problem)
    }
}

impl ColumnFile for ParquetTable {
    fn batches(&mut self, columns: &[usize], take: &mut Take) -> Result<()> {
        self.read(columns, take)
    }

    fn first(&mut self, column: usize, rows: usize, visit: &mut dyn FnMut(Cell)) -> Result<()> {
        let mut left = rows;
        self.read(&[column], &mut |batch| {
            left = batch.columns[0].first(left, visit);
            Ok(left > 0)
        })
    }

    fn kind(&self, column: usize) -> CellType {
        self.schema.kinds[column].0
    }
}

impl TablePart {
    /// Hands over all rows; false if `take` wants no more.
    fn read(&self, columns: &[usize], take: &mut Take) -> Result<bool> {
        let wrong = |problem| damaged(&self.path, &ParquetError::General(problem));
        let file = open(&self.path)?;
        let mut first_row = self.before;
        for group in 0..file.num_row_groups() {
            let mut readers = checked(&self.path, || {
                let group = file.get_row_group(group)?;
                let open = |&column: &usize| ColumnReader::open(&*group, column);
                columns.iter().map(open).collect::<Result<Vec<_>, _>>()
            })?;
            loop {
                let ready = checked(&self.path, || {
                    let ready = readers.iter_mut().map(ColumnReader::ready);
                    ready.collect::<Result<Vec<_>, _>>()
                })?;
                let rows = ready.iter().copied().min().unwrap_or(0);
                if rows == 0 && ready.iter().any(|&ready| ready > 0) {
                    let row = first_row - self.before + 1;
                    return Err(wrong(format!(
                        "columns do not have the same length after row {row}"
                    )));
                }
                if rows == 0 {
                    break;
                }
                let columns: Vec<BatchColumn> =
                    readers.iter_mut().map(|reader| reader.take(rows)).collect();
                if !take(Batch { first_row, columns })? {
                    return Ok(false);
                }
                first_row += rows;
            }
        }
        let (rows, promised) = (first_row - self.before, self.extent.rows);
        if rows as u64 == promised {
            return Ok(true);
        }
        Err(wrong(format!("{rows} rows instead of {promised}")))
    }
}

/// Opens a file; its columns lie inside it.
fn open(path: &Path) -> Result<SerializedFileReader<File>> {
    let file = open_file(path)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    checked(path, || {
        let file = SerializedFileReader::new(file)?;
        check_places(file.metadata(), length)?;
        Ok(file)
    })
}

/// Fails if a column is said to lie outside the file: the reader does not check this.
fn check_places(metadata: &ParquetMetaData, length: u64) -> Result<(), ParquetError> {
    let mut columns = metadata.row_groups().iter().flat_map(|g| g.columns());
    let is_inside = |column: &ColumnChunkMetaData| {
        let pages = column.data_page_offset();
        let start = column.dictionary_page_offset().unwrap_or(pages);
        let start = u64::try_from(start).ok();
        let end = start.zip(u64::try_from(column.compressed_size()).ok());
        let end = end.and_then(|(start, size)| start.checked_add(size));
        pages >= 0 && column.num_values() >= 0 && end.is_some_and(|end| end <= length)
    };
    match columns.find(|column| !is_inside(column)) {
        Some(column) => {
            let name = quoted(&column.column_path().string());
            let problem = format!("the pages of column {name} lie outside the file");
            Err(ParquetError::General(problem))
        }
        None => Ok(()),
    }
}

/// The result of the reader. It checks what it reads, but in some places it asserts that pages fit
/// together.
fn checked<T>(path: &Path, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T> {
    let unfit = || ParquetError::General("its pages do not fit together".into());
    let read = catch_panic(AssertUnwindSafe(read)).unwrap_or_else(|| Err(unfit()));
    read.map_err(|problem| damaged(path, &problem))
}

fn damaged(path: &Path, problem: &ParquetError) -> Error {
    // Some of these messages have several lines.
    let problem = problem.to_string();
    let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
    Error::file(
        path,
        format!(
            "not a Parquet table that can be read: {problem}; write it again with zstd, snappy, gzip \
             or no compression"
        ),
    )
}

fn schema(path: &Path, file: &SerializedFileReader<File>) -> Schema {
    let schema = file.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter();
    Schema {
        path: path.to_owned(),
        header: columns.clone().map(|it| it.path().string()).collect(),
        kinds: columns.map(|column| column::kind(column)).collect(),
    }
}

/// How much there is in a file, at most.
fn extent(metadata: &ParquetMetaData) -> Extent {
    let file = metadata.file_metadata();
    let count = file.schema_descr().num_columns();
    let mut extent = Extent::even(file.num_rows().max(0) as u64, 0, count);
    for group in metadata.row_groups() {
        for (column, chunk) in extent.columns.iter_mut().zip(group.columns()) {
            // A column of few different texts is a dictionary, and has each of them once.
            let texts = chunk.unencoded_byte_array_data_bytes().unwrap_or(0);
            let bytes = chunk.uncompressed_size().max(texts).max(0) as u64;
            column.bytes = column.bytes.saturating_add(bytes);
        }
    }
    extent
}
