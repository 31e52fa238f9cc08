//! Columns of Parquet files.

use super::super::columns::{BATCH, BATCH_BYTES, BatchColumn, CellType, Texts, Typed};
use super::pages::{Seen, WatchedPages};
use half::f16;
use parquet::basic::{ConvertedType, DecimalType, IntType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader as Pages, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

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

/// The kind of a column, and its name.
pub(super) fn kind(column: &ColumnDescriptor) -> (CellType, String) {
    let kind = match Meaning::of(column) {
        Meaning::Text => CellType::Text,
        Meaning::Flag => CellType::Flag,
        Meaning::Integer { .. } => CellType::Integer,
        Meaning::Number | Meaning::Half => CellType::Number,
        Meaning::Decimal { .. } => CellType::Decimal,
        Meaning::Other => CellType::Other,
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
    seen: Arc<Seen>,
    /// Cells that were read, but not handed over.
    ready: BatchColumn,
}

impl ColumnReader {
    pub(super) fn open(group: &dyn RowGroupReader, column: usize) -> Result<Self, ParquetError> {
        let seen = Arc::<Seen>::default();
        let described = group.metadata().column(column).column_descr_ptr();
        let pages = WatchedPages {
            pages: group.get_column_page_reader(column)?,
            seen: Arc::clone(&seen),
        };
        Ok(ColumnReader {
            meaning: Meaning::of(&described),
            pages: get_column_reader(described, Box::new(pages)),
            seen,
            ready: BatchColumn::new(Typed::Flags(Vec::new()), None),
        })
    }

    /// How many cells are ready; 0 at the end.
    pub(super) fn ready(&mut self) -> Result<usize, ParquetError> {
        if self.ready.is_empty() {
            self.ready = self.next()?;
        }
        Ok(self.ready.len())
    }

    /// So many of the cells that are ready.
    pub(super) fn take(&mut self, rows: usize) -> BatchColumn {
        self.ready.split_to(rows)
    }

    /// The next cells; none at the end.
    fn next(&mut self) -> Result<BatchColumn, ParquetError> {
        use Meaning::{Decimal, Flag, Half, Integer, Number, Text};
        let seen = &*self.seen;
        match (&mut self.pages, self.meaning) {
            (Pages::ByteArrayColumnReader(pages), Text) => {
                let texts = |texts| Typed::Texts(Box::new(SharedTexts(texts)));
                next((pages, seen), |text| Ok(Some(text)), texts)
            }
            (Pages::BoolColumnReader(pages), Flag) => next((pages, seen), Ok, Typed::Flags),
            (Pages::Int32ColumnReader(pages), Integer { is_signed: true }) => {
                next((pages, seen), |x| Ok(x.into()), Typed::Integers)
            }
            (Pages::Int32ColumnReader(pages), Integer { is_signed: false }) => {
                next((pages, seen), |x| Ok((x as u32).into()), Typed::Integers)
            }
            (Pages::Int64ColumnReader(pages), Integer { is_signed: true }) => {
                next((pages, seen), Ok, Typed::Integers)
            }
            (Pages::Int64ColumnReader(pages), Integer { is_signed: false }) => {
                next((pages, seen), |x| Ok(x as u64), Typed::Naturals)
            }
            (Pages::FloatColumnReader(pages), Number) => {
                next((pages, seen), |x| Ok(x.into()), Typed::Numbers)
            }
            (Pages::DoubleColumnReader(pages), Number) => next((pages, seen), Ok, Typed::Numbers),
            (Pages::FixedLenByteArrayColumnReader(pages), Half) => {
                next((pages, seen), |x| half(x.data()), Typed::Numbers)
            }
            (pages, Decimal { place }) => {
                let units = |units| Typed::Decimals(units, place);
                match pages {
                    Pages::Int32ColumnReader(pages) => next((pages, seen), |x| Ok(x.into()), units),
                    Pages::Int64ColumnReader(pages) => next((pages, seen), |x| Ok(x.into()), units),
                    Pages::ByteArrayColumnReader(pages) => {
                        next((pages, seen), |x| big_endian(x.data()), units)
                    }
                    Pages::FixedLenByteArrayColumnReader(pages) => {
                        next((pages, seen), |x| big_endian(x.data()), units)
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
    (pages, seen): (&mut ColumnReaderImpl<T>, &Seen),
    convert: impl Fn(T::T) -> Result<X, ParquetError>,
    typed: impl Fn(Vec<X>) -> Typed,
) -> Result<BatchColumn, ParquetError> {
    let (mut values, mut levels, mut rows) = (Vec::new(), Vec::new(), 0);
    let mut copied = 0;
    seen.begin();
    while rows < BATCH && seen.bytes() + copied < BATCH_BYTES {
        let before = values.len();
        let most = seen.rows_at_once().min(BATCH - rows);
        let (read, ..) = pages.read_records(most, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        rows += read;
        if seen.took(read) {
            let size = |value: &T::T| value.as_bytes().len() as u64;
            copied += values[before..].iter().map(size).sum::<u64>();
        }
    }
    let is_full = values.len() >= rows;
    let mut values = values.into_iter().map(convert);
    if is_full {
        return Ok(BatchColumn::new(
            typed(values.collect::<Result<_, _>>()?),
            None,
        ));
    }
    let present: Vec<bool> = levels.iter().map(|&level| level > 0).collect();
    let all = present.iter().map(|&is_present| match is_present {
        true => values.next().unwrap_or_else(|| Ok(X::default())),
        false => Ok(X::default()),
    });
    let all = typed(all.collect::<Result<_, _>>()?);
    Ok(BatchColumn::new(all, Some(present)))
}

/// Texts of a column, most of which lie in its pages.
struct SharedTexts(Vec<Option<ByteArray>>);

impl Texts for SharedTexts {
    fn count(&self) -> usize {
        self.0.len()
    }

    /// An array of bytes is not empty by default, but without content: a null is none.
    fn text(&self, row: usize) -> &[u8] {
        self.0[row].as_ref().map_or(&[], ByteArray::data)
    }
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
