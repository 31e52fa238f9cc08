//! The cells of arrays, of all types that arcs may have.

use super::super::{Cells, Keys, decimal, decimal_number};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::DataType;

/// The keys in an array; none if it holds something else.
pub(super) fn keys(array: &dyn Array) -> Option<Cells<Keys>> {
    let kind = match array.data_type() {
        DataType::Dictionary(_, kind) => kind,
        kind => kind,
    };
    let mut keys = match kind {
        DataType::UInt64 => Keys::Naturals(Vec::new()),
        kind if kind.is_integer() => Keys::Integers(Vec::new()),
        _ => Keys::texts(),
    };
    let cells = Reader::of(array)?;
    let valid = each(array, &cells, |cell| match (&mut keys, cell) {
        (Keys::Integers(keys), cell) => keys.push(match cell {
            Some(Cell::Integer(key)) => key,
            _ => 0,
        }),
        (Keys::Naturals(keys), cell) => keys.push(match cell {
            Some(Cell::Natural(key)) => key,
            _ => 0,
        }),
        (keys, Some(Cell::Text(text))) => keys.push_text(text),
        (keys, Some(Cell::Decimal(unscaled, scale))) => {
            keys.push_text(decimal(unscaled, scale).as_bytes());
        }
        (keys, _) => keys.push_text(&[]),
    });
    Some(Cells {
        values: keys,
        valid,
    })
}

/// The numbers in an array; none if it holds something else.
pub(super) fn numbers(array: &dyn Array) -> Option<Cells<Vec<f64>>> {
    let mut values = Vec::with_capacity(array.len());
    let cells = Reader::of(array)?;
    let valid = each(array, &cells, |cell| {
        values.push(match cell {
            Some(Cell::Number(number)) => number,
            Some(Cell::Integer(number)) => number as f64,
            Some(Cell::Natural(number)) => number as f64,
            Some(Cell::Decimal(unscaled, scale)) => decimal_number(unscaled, scale),
            _ => 0.0,
        });
    });
    Some(Cells { values, valid })
}

/// Visits the cells, none where they are null; returns which are not, if some are.
fn each<'a>(
    array: &dyn Array,
    cells: &Reader<'a>,
    mut visit: impl FnMut(Option<Cell<'a>>),
) -> Option<Vec<bool>> {
    let mut valid = Vec::with_capacity(array.len());
    for row in 0..array.len() {
        let cell = match array.is_null(row) {
            true => None,
            false => cells(row),
        };
        valid.push(cell.is_some());
        visit(cell);
    }
    valid.contains(&false).then_some(valid)
}

enum Cell<'a> {
    Text(&'a [u8]),
    Integer(i64),
    Natural(u64),
    Number(f64),
    /// So many units of this place after the point.
    Decimal(i128, i32),
}

/// The cells of an array, by row.
type Reader<'a> = Box<dyn Fn(usize) -> Option<Cell<'a>> + 'a>;

trait Of<'a>: Sized {
    fn of(array: &'a dyn Array) -> Option<Self>;
}

impl<'a> Of<'a> for Reader<'a> {
    fn of(array: &'a dyn Array) -> Option<Self> {
        macro_rules! primitive {
            ($type:ty, $variant:ident) => {{
                let array = array.as_primitive_opt::<$type>()?;
                Box::new(move |row| Some(Cell::$variant(array.value(row).into())))
            }};
        }
        macro_rules! decimals {
            ($type:ty, $scale:expr) => {{
                let (array, scale) = (array.as_primitive_opt::<$type>()?, i32::from(*$scale));
                Box::new(move |row| Some(Cell::Decimal(array.value(row).into(), scale)))
            }};
        }
        macro_rules! texts {
            ($array:expr) => {{
                let array = $array?;
                Box::new(move |row| Some(Cell::Text(array.value(row).as_ref())))
            }};
        }
        Some(match array.data_type() {
            DataType::Int8 => primitive!(Int8Type, Integer),
            DataType::Int16 => primitive!(Int16Type, Integer),
            DataType::Int32 => primitive!(Int32Type, Integer),
            DataType::Int64 => primitive!(Int64Type, Integer),
            DataType::UInt8 => primitive!(UInt8Type, Integer),
            DataType::UInt16 => primitive!(UInt16Type, Integer),
            DataType::UInt32 => primitive!(UInt32Type, Integer),
            DataType::UInt64 => primitive!(UInt64Type, Natural),
            DataType::Decimal32(_, scale) => decimals!(Decimal32Type, scale),
            DataType::Decimal64(_, scale) => decimals!(Decimal64Type, scale),
            DataType::Decimal128(_, scale) => decimals!(Decimal128Type, scale),
            DataType::Float16 => primitive!(Float16Type, Number),
            DataType::Float32 => primitive!(Float32Type, Number),
            DataType::Float64 => primitive!(Float64Type, Number),
            DataType::Utf8 => texts!(array.as_string_opt::<i32>()),
            DataType::LargeUtf8 => texts!(array.as_string_opt::<i64>()),
            DataType::Utf8View => texts!(array.as_string_view_opt()),
            DataType::Binary => texts!(array.as_binary_opt::<i32>()),
            DataType::LargeBinary => texts!(array.as_binary_opt::<i64>()),
            DataType::BinaryView => texts!(array.as_binary_view_opt()),
            DataType::Dictionary(..) => {
                let array = array.as_any_dictionary_opt()?;
                let values = array.values();
                // A dictionary of no value has only nulls, which are never looked up.
                let keys = match values.is_empty() {
                    true => Vec::new(),
                    false => array.normalized_keys(),
                };
                let cells = Reader::of(values.as_ref())?;
                Box::new(move |row| match values.is_null(keys[row]) {
                    true => None,
                    false => cells(keys[row]),
                })
            }
            _ => return None,
        })
    }
}
