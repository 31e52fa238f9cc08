//! Tables as Parquet: the columns of the CSV with their types; only columns with missing entries are
//! nullable.
//!
//! Nodes and counts are unsigned 32-bit integers (in tables in parts, signed 64-bit ones), scores are
//! doubles, names strings, flags booleans. Row groups hold about a million rows and are compressed by zstd. Columns with few
//! distinct numbers use dictionary encoding; increasing node numbers, and names that are integers, use delta encoding.

use super::METADATA_KEY;
use crate::table::{Cells, ColumnTable, NamedColumn};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, IntType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, get_column_writer, get_typed_column_writer_mut,
};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use webrank_base::parallel::tasks;

/// Rows of a row group.
const ROWS_PER_GROUP: usize = 1 << 20;
/// Row groups that are encoded at a time: a few megabytes for each column.
const GROUPS_AT_ONCE: usize = 4;
/// Rows handed to the encoder at a time.
const ROWS_PER_BATCH: usize = 1 << 13;

/// Writes the rows of a table, and a manifest.
///
/// # Errors
/// The writer's errors.
pub fn write(
    columns: &ColumnTable,
    manifest: Option<&str>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let (fields, rows) = (&columns.fields, columns.rows);
    let mut writer = Writer::new(fields, manifest, out)?;
    let starts: Vec<usize> = (0..rows).step_by(ROWS_PER_GROUP).collect();
    for wave in starts.chunks(GROUPS_AT_ONCE) {
        let groups = wave
            .iter()
            .map(|&start| start..rows.min(start + ROWS_PER_GROUP));
        writer.groups(fields, groups)?;
    }
    writer.finish()
}

/// A file that grows by row groups.
pub struct Writer<'w>(SerializedFileWriter<&'w mut (dyn Write + Send)>);

impl<'w> Writer<'w> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn new(
        fields: &[NamedColumn],
        manifest: Option<&str>,
        out: &'w mut (dyn Write + Send),
    ) -> io::Result<Self> {
        let properties = Arc::new(properties(fields, manifest));
        let schema = schema(fields).map_err(io_error)?;
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties);
        file.map(Writer).map_err(io_error)
    }

    /// Writes some rows of columns like those of the file as a row group.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn group(&mut self, fields: &[NamedColumn], rows: Range<usize>) -> io::Result<()> {
        self.groups(fields, [rows])
    }

    /// Writes these rows as row groups, whose columns are encoded in parallel, all at once.
    fn groups(
        &mut self,
        fields: &[NamedColumn],
        groups: impl IntoIterator<Item = Range<usize>>,
    ) -> io::Result<()> {
        let properties = self.0.properties();
        let columns = self.0.schema_descr().columns();
        let chunks = groups.into_iter().flat_map(|rows| {
            let chunks = fields.iter().zip(columns);
            chunks.map(move |(field, column)| (field, column, rows.clone()))
        });
        let encoded = tasks::try_map(chunks, |(field, column, rows)| {
            encode(field, column.clone(), properties.clone(), rows)
        });
        let mut encoded = encoded.map_err(io_error)?.into_iter().peekable();
        let mut write = || {
            while encoded.peek().is_some() {
                let mut group = self.0.next_row_group()?;
                for (bytes, closed) in encoded.by_ref().take(fields.len()) {
                    group.append_column(&bytes, closed)?;
                }
                group.close()?;
            }
            Ok(())
        };
        write().map_err(io_error)
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn finish(self) -> io::Result<()> {
        self.0.close().map(drop).map_err(io_error)
    }
}

fn schema(fields: &[NamedColumn]) -> Result<Type, ParquetError> {
    let field = |field: &NamedColumn| {
        let unsigned = LogicalType::Integer(IntType {
            bit_width: 32,
            is_signed: false,
        });
        let (physical, logical) = match field.cells {
            Cells::Counts(_) => (Physical::INT32, Some(unsigned)),
            // With a sign, as engines read 64 bits without conversion.
            Cells::Long(_) => (Physical::INT64, None),
            Cells::Numbers(_) => (Physical::DOUBLE, None),
            Cells::Flags(_) => (Physical::BOOLEAN, None),
            Cells::Names(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = match field.present {
            None => Repetition::REQUIRED,
            Some(_) => Repetition::OPTIONAL,
        };
        let field = Type::primitive_type_builder(&field.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        Ok(Arc::new(field.build()?))
    };
    let fields = fields
        .iter()
        .map(field)
        .collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("schema")
        .with_fields(fields)
        .build()
}

fn properties(fields: &[NamedColumn], manifest: Option<&str>) -> WriterProperties {
    let metadata = manifest.map(|text| KeyValue::new(METADATA_KEY.to_owned(), text.to_owned()));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("webrank ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(Default::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(metadata.map(|entry| vec![entry]));
    for field in fields {
        let path = ColumnPath::from(field.name.as_ref());
        // Names and node numbers differ from row to row: the writer would give up a dictionary.
        if matches!(field.cells, Cells::Names(_)) {
            properties = properties.set_column_dictionary_enabled(path, false);
        } else if field.name == "node" || field.name == "name" {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}

/// The bytes of a column of a row group, and what the end of the file says of it.
fn encode(
    field: &NamedColumn,
    column: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    rows: Range<usize>,
) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut column = get_column_writer(column, properties, pages);
    write_cells(&mut column, field, rows)?;
    let closed = column.close()?;
    Ok((sink.into_inner()?.into(), closed))
}

fn write_cells(
    column: &mut ColumnWriter,
    field: &NamedColumn,
    rows: Range<usize>,
) -> Result<(), ParquetError> {
    match &field.cells {
        // The format stores the bits of an unsigned number.
        Cells::Counts(count) => batches::<Int32Type>(column, field, rows, |row| count(row) as i32),
        Cells::Long(number) => batches::<Int64Type>(column, field, rows, number),
        Cells::Numbers(number) => batches::<DoubleType>(column, field, rows, number),
        Cells::Flags(flag) => batches::<BoolType>(column, field, rows, flag),
        Cells::Names(name) => batches::<ByteArrayType>(column, field, rows, |row| {
            ByteArray::from(name(row).as_bytes().to_vec())
        }),
    }
}

fn batches<T: DataType>(
    column: &mut ColumnWriter,
    field: &NamedColumn,
    rows: Range<usize>,
    value: impl Fn(usize) -> T::T,
) -> Result<(), ParquetError> {
    let mut values = Vec::with_capacity(ROWS_PER_BATCH);
    for start in rows.clone().step_by(ROWS_PER_BATCH) {
        let batch = start..rows.end.min(start + ROWS_PER_BATCH);
        values.clear();
        let present = batch.clone().filter(|&row| field.is_present(row));
        values.extend(present.map(&value));
        let levels = field.present.as_ref().map(|present| {
            let levels = batch.map(|row| i16::from(present(row)));
            levels.collect::<Vec<_>>()
        });
        let typed = get_typed_column_writer_mut::<T>(column);
        typed.write_batch(&values, levels.as_deref(), None)?;
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
