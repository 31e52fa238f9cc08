//! Tables in Arrow's file format, not compressed, so that they can be mapped into memory.
//!
//! The types are those of the Parquet files: unsigned 32-bit integers, doubles, booleans, strings.

use super::METADATA_KEY;
use crate::table::{Cells, ColumnTable, NamedColumn};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator,
    RecordBatchReader, StringArray, UInt32Array,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Schema, SchemaRef};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows of a batch at most.
const ROWS_PER_BATCH: usize = 1 << 16;
/// Bytes of text in a batch, if it has more than one row: offsets have 31 bits.
const TEXT_PER_BATCH: usize = 1 << 28;

/// Writes the rows of a table, and a manifest.
///
/// # Errors
/// The writer's errors.
pub fn write(
    columns: &ColumnTable,
    manifest: Option<&str>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let write = || {
        let schema = schema(&columns.fields, manifest);
        let mut file = FileWriter::try_new(out, &schema)?;
        let mut start = 0;
        while start < columns.rows {
            let rows = start..batch_end(columns, start);
            start = rows.end;
            file.write(&batch(&columns.fields, rows, &schema)?)?;
        }
        file.finish()
    };
    write().map_err(io_error)
}

/// The rows of a table in batches, with a manifest in the metadata of their schema.
///
/// # Errors
/// If a batch cannot be made.
pub fn batches(
    columns: &ColumnTable,
    manifest: Option<&str>,
) -> io::Result<impl RecordBatchReader + Send + use<>> {
    let schema = schema(&columns.fields, manifest);
    let mut batches = Vec::new();
    let mut start = 0;
    while start < columns.rows {
        let rows = start..batch_end(columns, start);
        start = rows.end;
        let batch = batch(&columns.fields, rows, &schema).map_err(io_error)?;
        batches.push(Ok(batch));
    }
    Ok(RecordBatchIterator::new(batches, schema))
}

fn schema(fields: &[NamedColumn], manifest: Option<&str>) -> SchemaRef {
    let field = |field: &NamedColumn| {
        let kind = match field.cells {
            Cells::Counts(_) => DataType::UInt32,
            Cells::Long(_) => DataType::Int64,
            Cells::Numbers(_) => DataType::Float64,
            Cells::Flags(_) => DataType::Boolean,
            Cells::Names(_) => DataType::Utf8,
        };
        ArrowField::new(field.name.as_ref(), kind, field.present.is_some())
    };
    let fields: Vec<ArrowField> = fields.iter().map(field).collect();
    let entry = manifest.map(|text| (METADATA_KEY.to_owned(), text.to_owned()));
    let metadata: HashMap<String, String> = entry.into_iter().collect();
    Arc::new(Schema::new(fields).with_metadata(metadata))
}

/// The end of the batch that starts with this row.
fn batch_end(columns: &ColumnTable, start: usize) -> usize {
    let end = columns.rows.min(start + ROWS_PER_BATCH);
    let mut bytes = 0;
    let texts = |row| {
        let names = columns
            .fields
            .iter()
            .filter_map(move |field| match &field.cells {
                Cells::Names(name) => Some(name(row).len()),
                _ => None,
            });
        names.sum::<usize>()
    };
    let too_long = (start..end).find(|&row| {
        bytes += texts(row);
        bytes > TEXT_PER_BATCH && row > start
    });
    too_long.unwrap_or(end)
}

fn batch(
    fields: &[NamedColumn],
    rows: Range<usize>,
    schema: &SchemaRef,
) -> Result<RecordBatch, ArrowError> {
    let array = |field: &NamedColumn| -> ArrayRef {
        let rows = rows.clone();
        // Without missing entries there is no list of them.
        macro_rules! array {
            ($array:ty, $value:expr) => {
                match &field.present {
                    None => Arc::new(<$array>::from_iter(rows.map(|row| Some($value(row))))),
                    Some(present) => Arc::new(<$array>::from_iter(
                        rows.map(|row| present(row).then(|| $value(row))),
                    )),
                }
            };
        }
        match &field.cells {
            Cells::Counts(value) => array!(UInt32Array, value),
            Cells::Long(value) => array!(Int64Array, value),
            Cells::Numbers(value) => array!(Float64Array, value),
            Cells::Flags(value) => array!(BooleanArray, value),
            Cells::Names(value) => array!(StringArray, value),
        }
    };
    RecordBatch::try_new(schema.clone(), fields.iter().map(array).collect())
}

/// The system's error, if it caused this one.
fn io_error(problem: ArrowError) -> io::Error {
    match problem {
        ArrowError::IoError(_, source) => source,
        other => io::Error::other(other),
    }
}
