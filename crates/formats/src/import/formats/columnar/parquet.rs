//! Parquet, as pandas, polars, pyarrow, Spark and others write it.
//!
//! Columns are not nested; decimals have up to 38 digits. Compression: none, snappy, gzip, zstd. A page of each column is decoded at
//! a time.

use super::super::super::Input;
use super::super::super::columns::Header;
use super::{BATCH, Batch, Cells, FOR_NODES, FOR_WEIGHTS, Keys, Table, decimal, decimal_number};
use parquet::basic::{ConvertedType, DecimalType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{
    ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use webrank_base::error::Result;
use webrank_base::guard::catch_panic;
use webrank_tables::parquet_file;
use webrank_tables::parquet_file::{damaged, is_signed, malformed};

/// Reads the schema.
///
/// # Errors
/// If the file is damaged, or if its columns are none of arcs.
pub(in crate::import) fn open(path: &Path, header: &Header) -> Result<Input> {
    // The reader checks what it reads, but in some places it asserts that pages fit together.
    let opened = catch_panic(|| open_checked(path, header));
    let (file, table) = opened.unwrap_or_else(|| Err(malformed(path)))?;
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
        check(column, FOR_NODES, Kind::is_key)?;
    }
    if let Some(weight) = table.columns.weight {
        check(weight, FOR_WEIGHTS, Kind::is_number)?;
    }
    Ok((file, table))
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Int32 { is_signed: bool },
    Int64 { is_signed: bool },
    Half,
    Float,
    Double,
    Decimal { scale: i32 },
    Other,
}

/// Digits of a decimal that 128 bits hold.
const MAX_DIGITS: i32 = 38;

impl Kind {
    fn of(column: &ColumnDescriptor) -> Self {
        let logical = column.logical_type_ref();
        if let Some(LogicalType::Decimal(DecimalType { scale, precision })) = logical {
            return Kind::decimal(*scale, *precision);
        }
        if column.converted_type() == ConvertedType::DECIMAL {
            return Kind::decimal(column.type_scale(), column.type_precision());
        }
        match (column.physical_type(), is_signed(column)) {
            (Physical::FIXED_LEN_BYTE_ARRAY, _) if logical == Some(&LogicalType::Float16) => {
                Kind::Half
            }
            (Physical::BYTE_ARRAY, _) => Kind::Text,
            (Physical::INT32, Some(is_signed)) => Kind::Int32 { is_signed },
            (Physical::INT64, Some(is_signed)) => Kind::Int64 { is_signed },
            (Physical::FLOAT, _) => Kind::Float,
            (Physical::DOUBLE, _) => Kind::Double,
            _ => Kind::Other,
        }
    }

    fn decimal(scale: i32, precision: i32) -> Self {
        match (0..=MAX_DIGITS).contains(&scale) && (1..=MAX_DIGITS).contains(&precision) {
            true => Kind::Decimal { scale },
            false => Kind::Other,
        }
    }

    fn is_key(&self) -> bool {
        use Kind::{Decimal, Int32, Int64, Text};
        matches!(self, Text | Int32 { .. } | Int64 { .. } | Decimal { .. })
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
        let mut columns = catch_panic(AssertUnwindSafe(|| -> Result<_, ParquetError> {
            let group = file.get_row_group(group)?;
            let open = |column: usize| Column::open(&*group, column);
            let weight = table.columns.weight.map(open).transpose()?;
            Ok((
                open(table.columns.source)?,
                open(table.columns.target)?,
                weight,
            ))
        }))
        .ok_or_else(|| malformed(&table.path))?
        .map_err(unreadable)?;
        loop {
            let batch = catch_panic(AssertUnwindSafe(|| -> Result<_, ParquetError> {
                let (source, target, weight) = &mut columns;
                Ok(Batch {
                    first_row,
                    source: source.keys()?,
                    target: target.keys()?,
                    weights: weight.as_mut().map(Column::numbers).transpose()?,
                })
            }));
            let batch = batch.ok_or_else(|| malformed(&table.path))?;
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
    Half(ColumnReaderImpl<FixedLenByteArrayType>),
    Decimal(Unscaled, i32),
}

/// Decimals without their point.
enum Unscaled {
    Int32(ColumnReaderImpl<Int32Type>),
    Int64(ColumnReaderImpl<Int64Type>),
    Bytes(ColumnReaderImpl<ByteArrayType>),
    Fixed(ColumnReaderImpl<FixedLenByteArrayType>),
}

impl Unscaled {
    fn next(&mut self) -> Result<Cells<Vec<i128>>, ParquetError> {
        match self {
            Unscaled::Int32(reader) => integers(reader, i128::from, |values| values),
            Unscaled::Int64(reader) => integers(reader, i128::from, |values| values),
            Unscaled::Bytes(reader) => {
                checked(integers(reader, |x| big_endian(x.data()), |it| it)?)
            }
            Unscaled::Fixed(reader) => {
                checked(integers(reader, |x| big_endian(x.data()), |it| it)?)
            }
        }
    }
}

/// An integer in two's complement, if it fits.
fn big_endian(bytes: &[u8]) -> Fits {
    let sign = match bytes.first() {
        Some(first) if *first >= 0x80 => -1i128,
        _ => 0,
    };
    let value = bytes
        .iter()
        .fold(sign, |value, &byte| value << 8 | i128::from(byte));
    Fits((bytes.len() <= size_of::<i128>()).then_some(value))
}

/// An integer, unless it is too long.
struct Fits(Option<i128>);

impl Default for Fits {
    fn default() -> Self {
        Fits(Some(0))
    }
}

fn checked(cells: Cells<Vec<Fits>>) -> Result<Cells<Vec<i128>>, ParquetError> {
    let values = cells.values.into_iter().map(|value| value.0);
    let values: Option<Vec<i128>> = values.collect();
    let too_long = || ParquetError::General("a decimal of more than 16 bytes".into());
    Ok(Cells {
        values: values.ok_or_else(too_long)?,
        valid: cells.valid,
    })
}

/// A number of 16 bits.
fn half(bytes: &[u8]) -> f64 {
    let bits = bytes
        .first_chunk()
        .map_or(0, |bytes| u16::from_le_bytes(*bytes));
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(bits & 0x3ff);
    sign * match (bits >> 10 & 0x1f, fraction) {
        (0, _) => fraction * 2f64.powi(-24),
        (31, 0.0) => f64::INFINITY,
        (31, _) => f64::NAN,
        (exponent, _) => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    }
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
            Kind::Half => Column::Half(get_typed_column_reader(reader)),
            Kind::Decimal { scale } => {
                let unscaled = match reader {
                    ColumnReader::Int32ColumnReader(reader) => Unscaled::Int32(reader),
                    ColumnReader::Int64ColumnReader(reader) => Unscaled::Int64(reader),
                    ColumnReader::ByteArrayColumnReader(reader) => Unscaled::Bytes(reader),
                    ColumnReader::FixedLenByteArrayColumnReader(reader) => Unscaled::Fixed(reader),
                    _ => return Err(ParquetError::General("a decimal of another type".into())),
                };
                Column::Decimal(unscaled, scale)
            }
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
            Column::Decimal(unscaled, scale) => {
                let (cells, mut keys) = (unscaled.next()?, Keys::texts());
                for value in cells.values {
                    keys.push_text(decimal(value, *scale).as_bytes());
                }
                Ok(Cells {
                    values: keys,
                    valid: cells.valid,
                })
            }
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
            Column::Half(reader) => integers(reader, |x| half(x.data()), |values| values),
            Column::Decimal(unscaled, scale) => {
                let cells = unscaled.next()?;
                let number = |value| decimal_number(value, *scale);
                Ok(Cells {
                    values: cells.values.into_iter().map(number).collect(),
                    valid: cells.valid,
                })
            }
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
