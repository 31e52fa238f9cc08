//! Scores as an array of numpy, by node: `scores[x]` is the score of node x.
//!
//! One column is an array of doubles. Several are a structured array, whose fields are doubles with
//! the names of the columns: `scores["lin"][x]`. Ranks and flags, which follow from the scores, are
//! left out.

use crate::table::{Cells, Columns, Entry};
use npyz::{DType, DTypeError, Field, Serialize, TypeStr, TypeWrite, WriteOptions, WriterBuilder};
use std::io::{self, Write};

/// Writes the columns of numbers.
///
/// # Errors
/// Those of the writer; if there is no column of numbers.
pub fn write(columns: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let numbers: Vec<(&str, &Entry<f64>)> = columns
        .fields
        .iter()
        .filter_map(|field| match &field.cells {
            Cells::Numbers(value) => Some((field.name.as_ref(), value)),
            _ => None,
        })
        .collect();
    let double: TypeStr = "<f8".parse().expect("a type of numpy");
    let double = DType::new_scalar(double);
    let shape = [columns.rows as u64];
    match &numbers[..] {
        [] => Err(io::Error::other("no column of scores")),
        [(_, value)] => {
            let options = WriteOptions::<f64>::new().dtype(double);
            let mut array = options.shape(&shape).writer(out).begin_nd()?;
            array.extend((0..columns.rows).map(value))?;
            array.finish()
        }
        several => {
            let field = |&(name, _): &(&str, _)| Field {
                name: name.to_owned(),
                dtype: double.clone(),
            };
            let record = DType::Record(several.iter().map(field).collect());
            let options = WriteOptions::<Record>::new().dtype(record);
            let mut array = options.shape(&shape).writer(out).begin_nd()?;
            for row in 0..columns.rows {
                let row = several.iter().map(|(_, value)| value(row));
                array.push(&Record(row.collect()))?;
            }
            array.finish()
        }
    }
}

/// An element of a structured array of doubles.
struct Record(Vec<f64>);

struct RecordWriter;

impl Serialize for Record {
    type TypeWriter = RecordWriter;

    fn writer(_: &DType) -> Result<RecordWriter, DTypeError> {
        Ok(RecordWriter)
    }
}

impl TypeWrite for RecordWriter {
    type Value = Record;

    fn write_one<W: Write>(&self, mut out: W, record: &Record) -> io::Result<()> {
        let mut numbers = record.0.iter();
        numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))
    }
}
