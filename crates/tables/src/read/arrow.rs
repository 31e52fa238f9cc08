//! Arrow's file format, as `rank`, pyarrow, polars, pandas (Feather) and others write it.
//!
//! Columns are strings, numbers, booleans, or dictionaries of those. Compression: none, lz4, zstd.

use super::cells::{Cell, Extent, Problem, TableFile, Visit, wrong};
use crate::arrow_batch;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, read_footer_length};
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, DataType};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::memory::free_memory;
use webrank_base::shown::{quoted, shown};

/// An open file.
pub struct Arrow {
    path: PathBuf,
    header: Vec<String>,
    reader: FileReader<BufReader<File>>,
}

impl Arrow {
    /// Reads the schema.
    pub fn open(path: &Path) -> Result<Self> {
        let open = || -> Result<Self> {
            let cannot = |source| Error::io(path, "cannot open", source);
            let mut file = File::open(path).map_err(cannot)?;
            check_places(path, &mut file)?;
            file.rewind().map_err(cannot)?;
            let file = BufReader::new(file);
            let reader = FileReader::try_new(file, None);
            let reader = reader.map_err(|problem| damaged(path, &problem))?;
            let schema = reader.schema();
            let fields = schema.fields().iter();
            Ok(Arrow {
                path: path.to_owned(),
                header: fields.map(|field| field.name().clone()).collect(),
                reader,
            })
        };
        catch_panic(open).unwrap_or_else(|| Err(malformed(path)))
    }
}

impl TableFile for Arrow {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        let mut start = 0;
        loop {
            // The reader checks what it reads, but asserts some of it.
            let next = catch_panic(AssertUnwindSafe(|| self.reader.next()));
            let batch = match next.ok_or_else(|| malformed(&self.path))? {
                None => return Ok(()),
                Some(batch) => batch.map_err(|problem| damaged(&self.path, &problem))?,
            };
            let visited = catch_panic(AssertUnwindSafe(|| {
                self.visit_batch(&batch, columns, start, visit)
            }));
            visited.ok_or_else(|| malformed(&self.path))??;
            start += batch.num_rows();
        }
    }

    fn extent(mut self: Box<Self>) -> Result<Extent> {
        let mut extent = Extent::default();
        loop {
            let next = catch_panic(AssertUnwindSafe(|| self.reader.next()));
            let batch = match next.ok_or_else(|| malformed(&self.path))? {
                None => return Ok(extent),
                Some(batch) => batch.map_err(|problem| damaged(&self.path, &problem))?,
            };
            extent.rows += batch.num_rows() as u64;
            extent.bytes += batch.get_array_memory_size() as u64;
        }
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        wrong(&self.path, row, problem)
    }
}

impl Arrow {
    fn visit_batch(
        &self,
        batch: &RecordBatch,
        columns: &[usize],
        start: usize,
        visit: &mut Visit,
    ) -> Result<()> {
        for (place, &column) in columns.iter().enumerate() {
            let array = batch.column(column);
            let cells = Cells::of(array).ok_or_else(|| {
                let name = quoted(&self.header[column]);
                let kind = shown(&array.data_type().to_string());
                let problem =
                    format!("column {name} holds {kind}, not numbers, strings or booleans");
                Error::file(&self.path, problem)
            })?;
            for row in 0..batch.num_rows() {
                let visited = visit(place, start + row, cells.cell(row));
                visited.map_err(|problem: Problem| problem.in_row(&self.path, start + row))?;
            }
        }
        Ok(())
    }
}

/// The cells of an array, by row.
struct Cells<'a>(Box<dyn Fn(usize) -> Cell<'a> + 'a>, &'a dyn Array);

impl<'a> Cells<'a> {
    fn of(array: &'a dyn Array) -> Option<Self> {
        macro_rules! integers {
            ($type:ty) => {{
                let array = array.as_primitive::<$type>();
                Box::new(move |row| Cell::Integer(array.value(row).into()))
            }};
        }
        macro_rules! numbers {
            ($type:ty) => {{
                let array = array.as_primitive::<$type>();
                Box::new(move |row| Cell::Number(array.value(row).into()))
            }};
        }
        macro_rules! texts {
            ($array:expr) => {{
                let array = $array;
                Box::new(move |row| Cell::Text(array.value(row)))
            }};
        }
        let cells: Box<dyn Fn(usize) -> Cell<'a> + 'a> = match array.data_type() {
            DataType::Int8 => integers!(Int8Type),
            DataType::Int16 => integers!(Int16Type),
            DataType::Int32 => integers!(Int32Type),
            DataType::Int64 => integers!(Int64Type),
            DataType::UInt8 => integers!(UInt8Type),
            DataType::UInt16 => integers!(UInt16Type),
            DataType::UInt32 => integers!(UInt32Type),
            DataType::UInt64 => integers!(UInt64Type),
            DataType::Float32 => numbers!(Float32Type),
            DataType::Float64 => numbers!(Float64Type),
            DataType::Utf8 => texts!(array.as_string::<i32>()),
            DataType::LargeUtf8 => texts!(array.as_string::<i64>()),
            DataType::Utf8View => texts!(array.as_string_view()),
            DataType::Boolean => {
                let array = array.as_boolean();
                Box::new(move |row| Cell::Flag(array.value(row)))
            }
            DataType::Dictionary(..) => {
                let array = array.as_any_dictionary();
                let values = array.values();
                // A dictionary of no value has only nulls, which are never looked up.
                let keys = match values.is_empty() {
                    true => Vec::new(),
                    false => array.normalized_keys(),
                };
                let cells = Cells::of(values.as_ref())?;
                Box::new(move |row| cells.cell(keys[row]))
            }
            _ => return None,
        };
        Some(Cells(cells, array))
    }

    fn cell(&self, row: usize) -> Cell<'a> {
        if self.1.is_null(row) {
            return Cell::Missing;
        }
        (self.0)(row)
    }
}

/// Fails if a part is said to lie outside the file, or to inflate to more than the free memory: the
/// reader reserves so much.
fn check_places(path: &Path, file: &mut File) -> Result<()> {
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let checked = blocks(file, length).and_then(|blocks| {
        let check = |block: &Block| check_block(file, block, length);
        blocks.iter().try_for_each(check)
    });
    checked.map_err(|problem| damaged(path, &problem))
}

/// The places of all batches.
fn blocks(mut file: &File, length: u64) -> Result<Vec<Block>, ArrowError> {
    let ends_early = || ArrowError::ParseError("it ends too early".into());
    let tail_start = length.checked_sub(10).ok_or_else(ends_early)?;
    let mut tail = [0; 10];
    file.seek(SeekFrom::Start(tail_start))?;
    file.read_exact(&mut tail)?;
    let footer_length = read_footer_length(tail)? as u64;
    let footer_start = tail_start
        .checked_sub(footer_length)
        .ok_or_else(ends_early)?;
    let mut footer = vec![0; footer_length as usize];
    file.seek(SeekFrom::Start(footer_start))?;
    file.read_exact(&mut footer)?;
    let footer =
        root_as_footer(&footer).map_err(|problem| ArrowError::ParseError(problem.to_string()))?;
    let lists = [footer.dictionaries(), footer.recordBatches()];
    Ok(lists.into_iter().flatten().flatten().copied().collect())
}

fn check_block(mut file: &File, block: &Block, length: u64) -> Result<(), ArrowError> {
    let wrong = |problem: &str| ArrowError::ParseError(problem.into());
    let places = [
        u64::try_from(block.offset()),
        u64::try_from(block.metaDataLength()),
        u64::try_from(block.bodyLength()),
    ];
    let [Ok(start), Ok(metadata), Ok(body)] = places else {
        return Err(wrong("a batch has a negative length"));
    };
    let end = start
        .checked_add(metadata)
        .and_then(|end| end.checked_add(body));
    if end.is_none_or(|end| end > length) {
        return Err(wrong("a batch lies outside the file"));
    }
    let mut message = vec![0; metadata as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut message)?;
    // Since version 0.15 of the format, the length comes after a marker.
    let skip = if message.starts_with(&[0xff; 4]) {
        8
    } else {
        4
    };
    let message = message.get(skip..).unwrap_or_default();
    let message =
        root_as_message(message).map_err(|problem| ArrowError::ParseError(problem.to_string()))?;
    let inflated = arrow_batch::inflated(&message, body, |offset| {
        let mut size = [0; 8];
        file.seek(SeekFrom::Start(start + metadata + offset))?;
        file.read_exact(&mut size)?;
        Ok(size)
    })?;
    if inflated > free_memory() {
        return Err(wrong("a batch inflates to more than the free memory"));
    }
    Ok(())
}

fn damaged(path: &Path, problem: &ArrowError) -> Error {
    // Some of these messages have several lines.
    let problem = problem.to_string();
    let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
    Error::file(
        path,
        format!(
            "not an Arrow table that can be read: {}; write it again",
            shown(&problem)
        ),
    )
}

fn malformed(path: &Path) -> Error {
    damaged(
        path,
        &ArrowError::ParseError("its parts do not fit together".into()),
    )
}
