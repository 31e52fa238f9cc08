//! Columns of Arrow's arrays.

use super::super::columns::{BatchColumn, CellType, Texts, Typed};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;

/// The kind of cells in arrays of a type.
pub(super) fn kind(of: &DataType) -> CellType {
    use DataType::{
        Binary, BinaryView, Boolean, Decimal32, Decimal64, Decimal128, Dictionary, LargeBinary,
        LargeUtf8, Utf8, Utf8View,
    };
    let of = match of {
        Dictionary(_, value) => value,
        of => of,
    };
    match of {
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView => CellType::Text,
        Decimal32(..) | Decimal64(..) | Decimal128(..) => CellType::Decimal,
        Boolean => CellType::Flag,
        of if of.is_integer() => CellType::Integer,
        of if of.is_floating() => CellType::Number,
        _ => CellType::Other,
    }
}

/// The cells of an array; none if it holds something else.
pub(super) fn read(array: &dyn Array) -> Option<BatchColumn> {
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        let rows: Vec<usize> = (0..array.len()).collect();
        let nulls = array.logical_nulls();
        let present = nulls.map(|nulls| nulls.iter().collect());
        return column(array, &rows, present);
    };
    let values = dictionary.values();
    // A dictionary of no value has only nulls, which are never looked up.
    if values.is_empty() {
        let nothing = vec![false; array.len()];
        return Some(BatchColumn::new(
            Typed::Flags(nothing.clone()),
            Some(nothing),
        ));
    }
    let rows = dictionary.normalized_keys();
    let places = rows.iter().enumerate();
    let present = places.map(|(row, &value)| array.is_valid(row) && values.is_valid(value));
    let present: Vec<bool> = present.collect();
    column(values.as_ref(), &rows, Some(present))
}

/// The values at some places of an array.
fn column(array: &dyn Array, rows: &[usize], present: Option<Vec<bool>>) -> Option<BatchColumn> {
    let present = present.filter(|present| present.contains(&false));
    macro_rules! primitive {
        ($type:ty, $variant:ident) => {{
            let values = array.as_primitive_opt::<$type>()?.values();
            Typed::$variant(rows.iter().map(|&row| values[row].into()).collect())
        }};
    }
    macro_rules! decimals {
        ($type:ty, $place:expr) => {{
            let values = array.as_primitive_opt::<$type>()?.values();
            let units = rows.iter().map(|&row| values[row].into()).collect();
            Typed::Decimals(units, (*$place).into())
        }};
    }
    macro_rules! texts {
        ($array:expr) => {{
            Typed::Texts(Box::new(SharedTexts {
                array: $array?.clone(),
                rows: rows.to_vec(),
            }))
        }};
    }
    let values = match array.data_type() {
        DataType::Int8 => primitive!(Int8Type, Integers),
        DataType::Int16 => primitive!(Int16Type, Integers),
        DataType::Int32 => primitive!(Int32Type, Integers),
        DataType::Int64 => primitive!(Int64Type, Integers),
        DataType::UInt8 => primitive!(UInt8Type, Integers),
        DataType::UInt16 => primitive!(UInt16Type, Integers),
        DataType::UInt32 => primitive!(UInt32Type, Integers),
        DataType::UInt64 => primitive!(UInt64Type, Naturals),
        DataType::Decimal32(_, place) => decimals!(Decimal32Type, place),
        DataType::Decimal64(_, place) => decimals!(Decimal64Type, place),
        DataType::Decimal128(_, place) => decimals!(Decimal128Type, place),
        DataType::Float16 => primitive!(Float16Type, Numbers),
        DataType::Float32 => primitive!(Float32Type, Numbers),
        DataType::Float64 => primitive!(Float64Type, Numbers),
        DataType::Utf8 => texts!(array.as_string_opt::<i32>()),
        DataType::LargeUtf8 => texts!(array.as_string_opt::<i64>()),
        DataType::Utf8View => texts!(array.as_string_view_opt()),
        DataType::Binary => texts!(array.as_binary_opt::<i32>()),
        DataType::LargeBinary => texts!(array.as_binary_opt::<i64>()),
        DataType::BinaryView => texts!(array.as_binary_view_opt()),
        DataType::Boolean => {
            let array = array.as_boolean_opt()?;
            Typed::Flags(rows.iter().map(|&row| array.value(row)).collect())
        }
        _ => return None,
    };
    Some(BatchColumn::new(values, present))
}

/// Texts at some places of an array, which is not copied.
struct SharedTexts<A> {
    array: A,
    rows: Vec<usize>,
}

macro_rules! shared_texts {
    ($($array:ty),*) => {
        $(impl Texts for SharedTexts<$array> {
            fn count(&self) -> usize {
                self.rows.len()
            }

            fn text(&self, row: usize) -> &[u8] {
                self.array.value(self.rows[row]).as_ref()
            }
        })*
    };
}

shared_texts!(
    StringArray,
    LargeStringArray,
    StringViewArray,
    BinaryArray,
    LargeBinaryArray,
    BinaryViewArray
);
