//! Scores as an array of numpy, by node: `scores[x]` is the score of node x.
//!
//! One column is an array of doubles. Several are a structured array, whose fields are doubles with
//! the names of the columns: `scores["lin"][x]`. Ranks and flags, which follow from the scores, are
//! left out. Where the names of the nodes are integers, the array is structured, too, with a field
//! `name`: otherwise positions would be taken for names.

use crate::numpy::{write_header, write_header_of_records};
use crate::table::{Cells, ColumnTable, Entry};
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
pub fn write(columns: &ColumnTable, out: &mut dyn Write) -> io::Result<()> {
    let kept = columns.fields.iter().filter_map(|field| {
        let kept = match &field.cells {
            Cells::Numbers(value) => Kept::Score(value),
            Cells::Long(value) if field.name == "name" => Kept::Name(value),
            _ => return None,
        };
        Some((field.name.as_ref(), kept))
    });
    let kept: Vec<(&str, Kept)> = kept.collect();
    let shape = [columns.rows as u64];
    match &kept[..] {
        [] | [(_, Kept::Name(_))] => return Err(io::Error::other("no column of scores")),
        [(_, Kept::Score(_))] => write_header(out, "<f8", &shape)?,
        several => {
            let fields = several.iter().map(|&(name, ref kept)| match kept {
                Kept::Score(_) => (name, "<f8"),
                Kept::Name(_) => (name, "<i8"),
            });
            write_header_of_records(out, &fields.collect::<Vec<_>>(), &shape)?;
        }
    }
    for row in 0..columns.rows {
        for (_, kept) in &kept {
            out.write_all(&match kept {
                Kept::Score(value) => value(row).to_le_bytes(),
                Kept::Name(value) => value(row).to_le_bytes(),
            })?;
        }
    }
    Ok(())
}
