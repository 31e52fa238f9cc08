//! Columns of Parquet files.

use super::super::columns::{BATCH, BatchColumn, Kind, Typed};
use half::f16;
use parquet::basic::{ConvertedType, DecimalType, IntType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader as Pages, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescriptor;

/// What the values of a column stand for.
#[derive(Clone, Copy)]
enum Meaning {
    Text,
    Flag,
    Integer { is_signed: bool },
    Number,
    Half,
    Decimal { place: i32 },
    Other,
}

/// Digits of a decimal that 128 bits hold.
const MAX_DIGITS: i32 = 38;

impl Meaning {
    fn of(column: &ColumnDescriptor) -> Self {
        if is_nested(column) {
            return Meaning::Other;
        }
        let logical = column.logical_type_ref();
        if let Some(LogicalType::Decimal(DecimalType { scale, precision })) = logical {
            return Meaning::decimal(*scale, *precision);
        }
        if column.converted_type() == ConvertedType::DECIMAL {
            return Meaning::decimal(column.type_scale(), column.type_precision());
        }
        match (column.physical_type(), is_signed(column)) {
            (Physical::BYTE_ARRAY, _) => Meaning::Text,
            (Physical::BOOLEAN, _) => Meaning::Flag,
            (Physical::INT32 | Physical::INT64, Some(is_signed)) => Meaning::Integer { is_signed },
            (Physical::FLOAT | Physical::DOUBLE, _) => Meaning::Number,
            (Physical::FIXED_LEN_BYTE_ARRAY, _) if logical == Some(&LogicalType::Float16) => {
                Meaning::Half
            }
            _ => Meaning::Other,
        }
    }

    fn decimal(place: i32, digits: i32) -> Self {
        match (0..=MAX_DIGITS).contains(&place) && (1..=MAX_DIGITS).contains(&digits) {
            true => Meaning::Decimal { place },
            false => Meaning::Other,
        }
    }
}

/// What a column holds, and what that is called.
pub(super) fn kind(column: &ColumnDescriptor) -> (Kind, String) {
    let kind = match Meaning::of(column) {
        Meaning::Text => Kind::Text,
        Meaning::Flag => Kind::Flag,
        Meaning::Integer { .. } => Kind::Integer,
        Meaning::Number | Meaning::Half => Kind::Number,
        Meaning::Decimal { .. } => Kind::Decimal,
        Meaning::Other => Kind::Other,
    };
    let physical = column.physical_type();
    let found = match column.logical_type_ref() {
        _ if is_nested(column) => "nested values".to_owned(),
        Some(logical) => format!("{physical} ({logical:?})"),
        None => physical.to_string(),
    };
    (kind, found)
}

fn is_nested(column: &ColumnDescriptor) -> bool {
    column.max_rep_level() > 0 || column.max_def_level() > 1
}

/// Whether integers of a column are signed; none if they represent something else, such as dates.
fn is_signed(column: &ColumnDescriptor) -> Option<bool> {
    match column.logical_type_ref() {
        Some(LogicalType::Integer(IntType { is_signed, .. })) => Some(*is_signed),
        Some(_) => None,
        None => match column.converted_type() {
            ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Some(true),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Some(false),
            _ => None,
        },
    }
}

/// A column of a row group.
pub(super) struct ColumnReader {
    meaning: Meaning,
    pages: Pages,
}

impl ColumnReader {
    pub(super) fn open(group: &dyn RowGroupReader, column: usize) -> Result<Self, ParquetError> {
        Ok(ColumnReader {
            meaning: Meaning::of(&group.metadata().column(column).column_descr_ptr()),
            pages: group.get_column_reader(column)?,
        })
    }

    /// The next cells; none at the end.
    pub(super) fn next(&mut self) -> Result<BatchColumn, ParquetError> {
        use Meaning::{Decimal, Flag, Half, Integer, Number, Text};
        match (&mut self.pages, self.meaning) {
            (Pages::ByteArrayColumnReader(pages), Text) => {
                let texts = |texts: Vec<_>| Typed::texts(texts.iter().map(content));
                next(pages, |text| Ok(Some(text)), texts)
            }
            (Pages::BoolColumnReader(pages), Flag) => next(pages, Ok, Typed::Flags),
            (Pages::Int32ColumnReader(pages), Integer { is_signed: true }) => {
                next(pages, |x| Ok(x.into()), Typed::Integers)
            }
            (Pages::Int32ColumnReader(pages), Integer { is_signed: false }) => {
                next(pages, |x| Ok((x as u32).into()), Typed::Integers)
            }
            (Pages::Int64ColumnReader(pages), Integer { is_signed: true }) => {
                next(pages, Ok, Typed::Integers)
            }
            (Pages::Int64ColumnReader(pages), Integer { is_signed: false }) => {
                next(pages, |x| Ok(x as u64), Typed::Naturals)
            }
            (Pages::FloatColumnReader(pages), Number) => {
                next(pages, |x| Ok(x.into()), Typed::Numbers)
            }
            (Pages::DoubleColumnReader(pages), Number) => next(pages, Ok, Typed::Numbers),
            (Pages::FixedLenByteArrayColumnReader(pages), Half) => {
                next(pages, |x| half(x.data()), Typed::Numbers)
            }
            (pages, Decimal { place }) => {
                let units = |units| Typed::Decimals(units, place);
                match pages {
                    Pages::Int32ColumnReader(pages) => next(pages, |x| Ok(x.into()), units),
                    Pages::Int64ColumnReader(pages) => next(pages, |x| Ok(x.into()), units),
                    Pages::ByteArrayColumnReader(pages) => {
                        next(pages, |x| big_endian(x.data()), units)
                    }
                    Pages::FixedLenByteArrayColumnReader(pages) => {
                        next(pages, |x| big_endian(x.data()), units)
                    }
                    _ => Err(ParquetError::General("a decimal of another type".into())),
                }
            }
            _ => Err(ParquetError::General("a row group differs".into())),
        }
    }
}

/// The next cells; none at the end.
fn next<T: DataType, X: Default>(
    pages: &mut ColumnReaderImpl<T>,
    convert: impl Fn(T::T) -> Result<X, ParquetError>,
    typed: impl Fn(Vec<X>) -> Typed,
) -> Result<BatchColumn, ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (rows, ..) = pages.read_records(BATCH, Some(&mut levels), None, &mut values)?;
    let is_full = values.len() >= rows;
    let mut values = values.into_iter().map(convert);
    if is_full {
        return Ok(BatchColumn {
            values: typed(values.collect::<Result<_, _>>()?),
            present: None,
        });
    }
    let present: Vec<bool> = levels.iter().map(|&level| level > 0).collect();
    let all = present.iter().map(|&is_present| match is_present {
        true => values.next().unwrap_or_else(|| Ok(X::default())),
        false => Ok(X::default()),
    });
    Ok(BatchColumn {
        values: typed(all.collect::<Result<_, _>>()?),
        present: Some(present),
    })
}

/// The bytes of a text. An array of bytes is not empty by default, but without content: a null is none.
fn content(text: &Option<ByteArray>) -> &[u8] {
    text.as_ref().map_or(&[], ByteArray::data)
}

/// An integer in two's complement.
fn big_endian(bytes: &[u8]) -> Result<i128, ParquetError> {
    if bytes.len() > size_of::<i128>() {
        return Err(ParquetError::General(
            "a decimal of more than 16 bytes".into(),
        ));
    }
    let sign = match bytes.first() {
        Some(first) if *first >= 0x80 => -1i128,
        _ => 0,
    };
    let shifted = |value: i128, &byte: &u8| value << 8 | i128::from(byte);
    Ok(bytes.iter().fold(sign, shifted))
}

/// A number of 16 bits.
fn half(bytes: &[u8]) -> Result<f64, ParquetError> {
    let short = || ParquetError::General("a number of less than 16 bits".into());
    let bytes = bytes.first_chunk().ok_or_else(short)?;
    Ok(f16::from_le_bytes(*bytes).to_f64())
}
