//! Parquet, as pandas, polars, pyarrow, Spark and others write it.
//!
//! Columns are not nested. Compression: none, snappy, gzip, zstd. A page of each column is decoded at
//! a time.

use super::super::super::Input;
use super::super::super::columns::Header;
use super::{BATCH, Batch, Cells, Keys, Table};
use crate::error::Result;
use crate::guard::guarded;
use crate::parquet_file::{self, damaged, is_signed, unfit};
use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;

/// Reads the schema.
///
/// # Errors
/// If the file is damaged, or if its columns are none of arcs.
pub(in crate::graph::import) fn open(path: &Path, header: &Header) -> Result<Input> {
    // The reader checks what it reads, but in some places it asserts that pages fit together.
    let opened = guarded(|| open_checked(path, header));
    let (file, table) = opened.unwrap_or_else(|| Err(unfit(path)))?;
    Ok(Input {
        weighted: table.columns.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| table.give(to, |pass| decode(&table, &file, pass))),
    })
}

fn open_checked(path: &Path, header: &Header) -> Result<(SerializedFileReader<File>, Table)> {
    let file = parquet_file::open(path)?;
    let columns = file.metadata().file_metadata().schema_descr().columns();
    let names = columns.iter().map(|column| column.path().string());
    let table = Table::new(path, names.collect(), header)?;
    let check = |column: usize, wanted: &str, is_usable: fn(&Kind) -> bool| {
        let descriptor = &columns[column];
        if descriptor.max_rep_level() > 0 || descriptor.max_def_level() > 1 {
            return Err(table.unusable(column, "nested values", "single values"));
        }
        if is_usable(&Kind::of(descriptor)) {
            return Ok(());
        }
        let physical = descriptor.physical_type();
        let found = match descriptor.logical_type_ref() {
            Some(logical) => format!("{physical} ({logical:?})"),
            None => physical.to_string(),
        };
        Err(table.unusable(column, &found, wanted))
    };
    for column in [table.columns.source, table.columns.target] {
        check(column, "strings or integers", Kind::is_key)?;
    }
    if let Some(weight) = table.columns.weight {
        check(weight, "numbers", Kind::is_number)?;
    }
    Ok((file, table))
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Int32 { is_signed: bool },
    Int64 { is_signed: bool },
    Float,
    Double,
    Other,
}

impl Kind {
    fn of(column: &ColumnDescriptor) -> Self {
        match (column.physical_type(), is_signed(column)) {
            (Physical::BYTE_ARRAY, _) => Kind::Text,
            (Physical::INT32, Some(is_signed)) => Kind::Int32 { is_signed },
            (Physical::INT64, Some(is_signed)) => Kind::Int64 { is_signed },
            (Physical::FLOAT, _) => Kind::Float,
            (Physical::DOUBLE, _) => Kind::Double,
            _ => Kind::Other,
        }
    }

    fn is_key(&self) -> bool {
        matches!(self, Kind::Text | Kind::Int32 { .. } | Kind::Int64 { .. })
    }

    fn is_number(&self) -> bool {
        !matches!(self, Kind::Text | Kind::Other)
    }
}

/// Decodes all rows.
fn decode(
    table: &Table,
    file: &SerializedFileReader<File>,
    pass: &mut dyn FnMut(Batch) -> bool,
) -> Result<()> {
    let unreadable = |problem: ParquetError| damaged(&table.path, &problem);
    let mut first_row = 0;
    for group in 0..file.num_row_groups() {
        let mut columns = guarded(AssertUnwindSafe(|| -> Result<_, ParquetError> {
            let group = file.get_row_group(group)?;
            let open = |column: usize| Column::open(&*group, column);
            let weight = table.columns.weight.map(open).transpose()?;
            Ok((
                open(table.columns.source)?,
                open(table.columns.target)?,
                weight,
            ))
        }))
        .ok_or_else(|| unfit(&table.path))?
        .map_err(unreadable)?;
        loop {
            let batch = guarded(AssertUnwindSafe(|| -> Result<_, ParquetError> {
                let (source, target, weight) = &mut columns;
                Ok(Batch {
                    first_row,
                    source: source.keys()?,
                    target: target.keys()?,
                    weights: weight.as_mut().map(Column::numbers).transpose()?,
                })
            }));
            let batch = batch.ok_or_else(|| unfit(&table.path))?;
            let batch = batch.map_err(unreadable)?;
            let rows = batch.source.values.len();
            let weights = batch.weights.as_ref();
            if batch.target.values.len() != rows
                || weights.is_some_and(|weights| weights.values.len() != rows)
            {
                let row = first_row + 1;
                let problem = format!("columns do not have the same length after row {row}");
                return Err(unreadable(ParquetError::General(problem)));
            }
            if rows == 0 {
                break;
            }
            first_row += rows as u64;
            if !pass(batch) {
                return Ok(());
            }
        }
    }
    let promised = file.metadata().file_metadata().num_rows();
    if i64::try_from(first_row) == Ok(promised) {
        return Ok(());
    }
    let problem = format!("{first_row} rows instead of {promised}");
    Err(unreadable(ParquetError::General(problem)))
}

/// A column of a row group.
enum Column {
    Text(ColumnReaderImpl<ByteArrayType>),
    Int32(ColumnReaderImpl<Int32Type>, bool),
    Int64(ColumnReaderImpl<Int64Type>, bool),
    Float(ColumnReaderImpl<FloatType>),
    Double(ColumnReaderImpl<DoubleType>),
}

impl Column {
    fn open(group: &dyn RowGroupReader, column: usize) -> Result<Self, ParquetError> {
        let kind = Kind::of(&group.metadata().column(column).column_descr_ptr());
        let reader = group.get_column_reader(column)?;
        Ok(match kind {
            Kind::Text => Column::Text(get_typed_column_reader(reader)),
            Kind::Int32 { is_signed } => Column::Int32(get_typed_column_reader(reader), is_signed),
            Kind::Int64 { is_signed } => Column::Int64(get_typed_column_reader(reader), is_signed),
            Kind::Float => Column::Float(get_typed_column_reader(reader)),
            Kind::Double => Column::Double(get_typed_column_reader(reader)),
            Kind::Other => return Err(ParquetError::General("a row group differs".into())),
        })
    }

    /// The next keys.
    fn keys(&mut self) -> Result<Cells<Keys>, ParquetError> {
        match self {
            Column::Text(reader) => {
                let mut keys = Keys::texts();
                let cells = cells(reader, |text| text)?;
                for text in &cells.values {
                    keys.push_text(text.as_ref().map_or(&[], |text| text.data()));
                }
                Ok(Cells {
                    values: keys,
                    valid: cells.valid,
                })
            }
            Column::Int32(reader, true) => integers(reader, |x| x.into(), Keys::Integers),
            Column::Int32(reader, false) => integers(reader, |x| (x as u32).into(), Keys::Integers),
            Column::Int64(reader, true) => integers(reader, |x| x, Keys::Integers),
            Column::Int64(reader, false) => integers(reader, |x| x as u64, Keys::Naturals),
            _ => Err(ParquetError::General("a row group differs".into())),
        }
    }

    /// The next numbers.
    fn numbers(&mut self) -> Result<Cells<Vec<f64>>, ParquetError> {
        match self {
            Column::Int32(reader, true) => integers(reader, f64::from, |values| values),
            Column::Int32(reader, false) => {
                integers(reader, |x| (x as u32).into(), |values| values)
            }
            Column::Int64(reader, true) => integers(reader, |x| x as f64, |values| values),
            Column::Int64(reader, false) => {
                integers(reader, |x| (x as u64) as f64, |values| values)
            }
            Column::Float(reader) => integers(reader, f64::from, |values| values),
            Column::Double(reader) => integers(reader, |x| x, |values| values),
            Column::Text(_) => Err(ParquetError::General("a row group differs".into())),
        }
    }
}

fn integers<T: DataType, X: Default, Y>(
    reader: &mut ColumnReaderImpl<T>,
    convert: impl Fn(T::T) -> X,
    make: impl Fn(Vec<X>) -> Y,
) -> Result<Cells<Y>, ParquetError> {
    let cells = cells(reader, convert)?;
    let values = cells.values.into_iter();
    Ok(Cells {
        values: make(values.map(Option::unwrap_or_default).collect()),
        valid: cells.valid,
    })
}

/// The next cells; none at the end.
fn cells<T: DataType, X>(
    reader: &mut ColumnReaderImpl<T>,
    convert: impl Fn(T::T) -> X,
) -> Result<Cells<Vec<Option<X>>>, ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (rows, ..) = reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
    let mut values = values.into_iter().map(convert);
    if values.len() >= rows {
        return Ok(Cells {
            values: values.map(Some).collect(),
            valid: None,
        });
    }
    let valid: Vec<bool> = levels.iter().map(|&level| level > 0).collect();
    let values: Vec<Option<X>> = valid
        .iter()
        .map(|&is_valid| if is_valid { values.next() } else { None })
        .collect();
    Ok(Cells {
        values,
        valid: Some(valid),
    })
}
