//! Scores as an array of numpy, by node: `scores[x]` is the score of node x.
//!
//! One column is an array of doubles. Several are a structured array, whose fields are doubles with
//! the names of the columns: `scores["lin"][x]`. Ranks and flags, which follow from the scores, are
//! left out. Where the names of the nodes are integers, the array is structured, too, with a field
//! `name`: otherwise positions would be taken for names.

use crate::table::{Cells, Columns, Entry};
use npyz::{DType, DTypeError, Field, Serialize, TypeWrite, WriteOptions, WriterBuilder};
use std::io::{self, Write};

/// A column that is kept.
enum Kept<'c> {
    Score(&'c Entry<'c, f64>),
    Name(&'c Entry<'c, i64>),
}

/// Writes the columns of numbers, and names that are integers.
///
/// # Errors
/// The writer's errors; if there is no column of numbers.
pub fn write(columns: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let kept = columns.fields.iter().filter_map(|field| {
        let kept = match &field.cells {
            Cells::Numbers(value) => Kept::Score(value),
            Cells::Long(value) if field.name == "name" => Kept::Name(value),
            _ => return None,
        };
        Some((field.name.as_ref(), kept))
    });
    let kept: Vec<(&str, Kept)> = kept.collect();
    let scalar = |text: &str| DType::new_scalar(text.parse().expect("a type of numpy"));
    let (double, integer) = (scalar("<f8"), scalar("<i8"));
    let shape = [columns.rows as u64];
    match &kept[..] {
        [] | [(_, Kept::Name(_))] => Err(io::Error::other("no column of scores")),
        [(_, Kept::Score(value))] => {
            let options = WriteOptions::<f64>::new().dtype(double);
            let mut array = options.shape(&shape).writer(out).begin_nd()?;
            array.extend((0..columns.rows).map(value))?;
            array.finish()
        }
        several => {
            let field = |(name, kept): &(&str, Kept)| Field {
                name: (*name).to_owned(),
                dtype: match kept {
                    Kept::Score(_) => double.clone(),
                    Kept::Name(_) => integer.clone(),
                },
            };
            let record = DType::Record(several.iter().map(field).collect());
            let options = WriteOptions::<Record>::new().dtype(record);
            let mut array = options.shape(&shape).writer(out).begin_nd()?;
            for row in 0..columns.rows {
                let row = several.iter().map(|(_, kept)| match kept {
                    Kept::Score(value) => value(row).to_le_bytes(),
                    Kept::Name(value) => value(row).to_le_bytes(),
                });
                array.push(&Record(row.collect()))?;
            }
            array.finish()
        }
    }
}

/// An element of a structured array of numbers of 8 bytes.
struct Record(Vec<[u8; 8]>);

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
        numbers.try_for_each(|number| out.write_all(number))
    }
}
