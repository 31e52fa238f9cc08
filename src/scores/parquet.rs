//! Tables as Parquet: the columns of the CSV with their types, no column nullable.
//!
//! Nodes and counts are unsigned 32-bit integers, scores are doubles, names strings, flags
//! booleans. Row groups hold about a million rows and are compressed by zstd. Columns with few
//! distinct numbers use dictionary encoding; increasing node numbers use delta encoding.

use super::table::{Cells, Table};
use parquet::basic::{Compression, Encoding, IntType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows of a row group.
const ROWS_PER_GROUP: usize = 1 << 20;
/// Rows handed to the encoder at a time.
const ROWS_PER_BATCH: usize = 1 << 13;

/// Writes the rows of a table.
///
/// # Errors
/// Those of the writer.
pub fn write(table: &Table, out: impl Write + Send) -> io::Result<()> {
    write_columns(&table.columns(), table.len(), out)
}

/// Writes `rows` rows of named columns.
///
/// # Errors
/// Those of the writer.
pub fn write_columns(
    columns: &[(&str, Cells)],
    rows: usize,
    out: impl Write + Send,
) -> io::Result<()> {
    let write = || {
        let schema = Arc::new(schema(columns)?);
        let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties(columns)))?;
        for start in (0..rows).step_by(ROWS_PER_GROUP) {
            let rows = start..rows.min(start + ROWS_PER_GROUP);
            let mut group = file.next_row_group()?;
            for (_, cells) in columns {
                let mut column = group.next_column()?.expect("the schema has every column");
                write_cells(&mut column, cells, rows.clone())?;
                column.close()?;
            }
            group.close()?;
        }
        file.close()
    };
    write().map(drop).map_err(io_error)
}

fn schema(columns: &[(&str, Cells)]) -> Result<Type, ParquetError> {
    let field = |(name, cells): &(&str, Cells)| {
        let unsigned = LogicalType::Integer(IntType {
            bit_width: 32,
            is_signed: false,
        });
        let (physical, logical) = match cells {
            Cells::Counts(_) => (Physical::INT32, Some(unsigned)),
            Cells::Numbers(_) => (Physical::DOUBLE, None),
            Cells::Flags(_) => (Physical::BOOLEAN, None),
            Cells::Names(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical);
        Ok(Arc::new(field.build()?))
    };
    let fields = columns
        .iter()
        .map(field)
        .collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("schema")
        .with_fields(fields)
        .build()
}

fn properties(columns: &[(&str, Cells)]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("webrank ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(Default::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for (name, cells) in columns {
        let path = ColumnPath::from(*name);
        // Names and node numbers differ from row to row: the writer would give up a dictionary.
        if matches!(cells, Cells::Names(_)) {
            properties = properties.set_column_dictionary_enabled(path, false);
        } else if *name == "node" {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}

fn write_cells(
    column: &mut SerializedColumnWriter,
    cells: &Cells,
    rows: Range<usize>,
) -> Result<(), ParquetError> {
    match cells {
        // The format stores the bits of an unsigned number.
        Cells::Counts(count) => batches::<Int32Type>(column, rows, |row| count(row) as i32),
        Cells::Numbers(number) => batches::<DoubleType>(column, rows, number),
        Cells::Flags(flag) => batches::<BoolType>(column, rows, flag),
        Cells::Names(name) => batches::<ByteArrayType>(column, rows, |row| {
            ByteArray::from(name(row).as_bytes().to_vec())
        }),
    }
}

fn batches<T: DataType>(
    column: &mut SerializedColumnWriter,
    rows: Range<usize>,
    value: impl Fn(usize) -> T::T,
) -> Result<(), ParquetError> {
    let mut values = Vec::with_capacity(ROWS_PER_BATCH);
    for start in rows.clone().step_by(ROWS_PER_BATCH) {
        values.clear();
        values.extend((start..rows.end.min(start + ROWS_PER_BATCH)).map(&value));
        column.typed::<T>().write_batch(&values, None, None)?;
    }
    Ok(())
}

/// The system's error, if it caused this one.
fn io_error(problem: ParquetError) -> io::Error {
    match problem {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}
