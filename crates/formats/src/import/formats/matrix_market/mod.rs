//! MatrixMarket: square matrices. Entry (i, j) is an arc from node i to node j.
//!
//! A line `%%MatrixMarket matrix coordinate real general` (one `%` will do), comments that start with
//! `%`, a line with the numbers of rows, columns and entries, and a line `i j weight` for each entry,
//! counted from 1. In `array` format ([`array`]), there is a number for each pair of nodes. The nodes of
//! the graph have numbers, one less than those in the file. Weights are read from `real` and `integer`
//! matrices, not from `pattern` ones; exponents may be those of Fortran (`1.5D0`). Entries of symmetric
//! matrices are arcs in both directions; one triangle is given. Complex and rectangular matrices are
//! refused.

mod array;

use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::super::{Input, Reader};
use super::{counted_from_1, text, weight};
use std::borrow::Cow;
use std::cmp::Ordering;
use webrank_base::error::Result;
use webrank_base::shown::{quoted, shown};
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// A matrix, opened up to its first entry.
struct Matrix {
    records: Records,
    nodes: u64,
    entries: u64,
    has_values: bool,
    is_symmetric: bool,
    /// The triangle of the entries seen so far.
    triangle: Ordering,
}

/// MatrixMarket files start with their name.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let is_it = first.starts_with("%%MatrixMarket") || first.starts_with("%MatrixMarket");
    match is_it {
        true => Verdict::Is("starts with %%MatrixMarket".into()),
        false => Verdict::No,
    }
}

/// Reads the header.
///
/// # Errors
/// If it cannot be understood, or if the matrix is none of a graph.
pub(in crate::import) fn open(records: Records, unweighted: bool) -> Result<Input> {
    let mut records = records.separated_by(Separator::Blanks);
    if !records.advance()? {
        return Err(records.wrong(1, "the file is empty"));
    }
    let header = Header::of(&records.record(), unweighted);
    let header = header.map_err(|problem| records.record().wrong(problem))?;
    while records.record().is_comment() {
        if !records.advance()? {
            let line = records.record().line();
            return Err(records.wrong(line, "the file ends before its numbers of rows and columns"));
        }
    }
    let record = records.record();
    let sizes = sizes(&record, header.is_dense).map_err(|problem| record.wrong(problem))?;
    let read: Box<Reader> = match header.is_dense {
        true => array::reader(records, sizes[0], header.symmetry),
        false => sparse(records, sizes, &header),
    };
    Ok(Input {
        weighted: header.has_values && !unweighted,
        is_directed: header.symmetry == Symmetry::General,
        is_numbered: true,
        read,
    })
}

fn sparse(records: Records, sizes: [u64; 3], header: &Header) -> Box<Reader> {
    let matrix = Matrix {
        nodes: sizes[0],
        entries: sizes[2],
        has_values: header.has_values,
        is_symmetric: header.symmetry != Symmetry::General,
        triangle: Ordering::Equal,
        records,
    };
    Box::new(move |to| matrix.read(to))
}

/// The first line.
struct Header {
    /// There is a number for each pair of nodes.
    is_dense: bool,
    has_values: bool,
    symmetry: Symmetry,
}

/// Which entries are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    /// A triangle with the diagonal.
    Symmetric,
    /// A triangle without the diagonal; the other one has the other signs.
    Skew,
}

impl Header {
    fn of(record: &Record, unweighted: bool) -> Result<Self, String> {
        let line = String::from_utf8_lossy(record.bytes(0)).to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [
            "%%matrixmarket" | "%matrixmarket",
            "matrix",
            layout @ ("coordinate" | "array"),
            field,
            symmetry,
        ] = words[..]
        else {
            return Err(
                "not a header such as '%%MatrixMarket matrix coordinate real general'".into(),
            );
        };
        let is_dense = layout == "array";
        let has_values = match field {
            "pattern" if is_dense => {
                return Err(
                    "an array has a number for every pair of nodes, a pattern none: write \
                     'coordinate pattern' or 'array integer'"
                        .into(),
                );
            }
            "pattern" => false,
            "real" | "integer" | "double" | "unsigned-integer" => true,
            _ => {
                return Err(format!(
                    "entries are {}: weights are real numbers; write a real, an integer or a \
                     pattern matrix",
                    shown(field)
                ));
            }
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" if unweighted || !has_values => Symmetry::Skew,
            "skew-symmetric" => {
                return Err(
                    "the matrix is skew-symmetric: of the two weights between nodes, one is \
                     negative; read it without weights (--unweighted)"
                        .into(),
                );
            }
            _ => {
                return Err(format!(
                    "the matrix is {}: write a general or a symmetric one",
                    shown(symmetry)
                ));
            }
        };
        Ok(Header {
            is_dense,
            has_values,
            symmetry,
        })
    }
}

/// The numbers of rows, columns and entries; an array does not say the last.
fn sizes(record: &Record, is_dense: bool) -> Result<[u64; 3], String> {
    let parse = |field: usize| std::str::from_utf8(record.bytes(field)).ok()?.parse().ok();
    let sizes: Option<Vec<u64>> = (0..record.len()).map(parse).collect();
    let (rows, columns, entries) = match (sizes.as_deref(), is_dense) {
        (Some(&[rows, columns, entries]), false) => (rows, columns, entries),
        (Some(&[rows, columns]), true) => (rows, columns, 0),
        (_, false) => return Err("not the numbers of rows, columns and entries".into()),
        (_, true) => return Err("not the numbers of rows and columns".into()),
    };
    if rows != columns {
        return Err(format!(
            "the matrix has {rows} rows and {columns} columns: the matrix of a graph has a row and \
             a column for each node"
        ));
    }
    Ok([rows, columns, entries])
}

/// Declares all nodes, those without arcs too.
fn declare(records: &Records, nodes: u64, to: &mut dyn Receiver) -> Result<()> {
    let line = records.record().line();
    let declared = to.declare(nodes);
    declared.map_err(|problem| problem.at(|problem| records.wrong(line, problem)))
}

/// A number, perhaps with an exponent of Fortran's double precision.
fn value(text: &str) -> Result<f64, String> {
    let number = match text.contains(['d', 'D']) {
        true => Cow::Owned(text.replace(['d', 'D'], "e")),
        false => Cow::Borrowed(text),
    };
    weight(&number).map_err(|_| format!("{} is not a number", quoted(text)))
}

impl Matrix {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        declare(&self.records, self.nodes, to)?;
        let mut found = 0;
        while self.records.advance()? {
            let record = self.records.record();
            if record.is_comment() {
                continue;
            }
            found += 1;
            if found > self.entries {
                let promised = self.entries;
                return Err(record.wrong(format!("more entries than the {promised} promised")));
            }
            let entry = Self::entry(&record, self.nodes, self.has_values);
            let taken = entry.and_then(|(row, column, weight)| {
                if self.is_symmetric {
                    check_triangle(&mut self.triangle, row.cmp(&column))?;
                }
                to_arc(to, row, column, weight)
            });
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        if found < self.entries {
            let promised = self.entries;
            let problem = format!("the file ends after {found} of {promised} entries");
            return Err(self.records.wrong(self.records.record().line(), problem));
        }
        Ok(())
    }

    fn entry(record: &Record, nodes: u64, has_values: bool) -> Result<(u64, u64, f64), Problem> {
        let expected = if has_values { 3 } else { 2 };
        if record.len() != expected {
            let found = record.len();
            return Err(format!("{found} fields, but entries have {expected}").into());
        }
        let row = counted_from_1(text(record, 0)?, nodes)?;
        let column = counted_from_1(text(record, 1)?, nodes)?;
        let weight = if has_values {
            value(text(record, 2)?)?
        } else {
            1.0
        };
        Ok((row, column, weight))
    }
}

fn to_arc(to: &mut dyn Receiver, row: u64, column: u64, weight: f64) -> Result<(), Problem> {
    let (source, target) = (to.number(row)?, to.number(column)?);
    to.arc(source, target, weight)
}

/// Checks that entries lie on one side of the diagonal: both sides would count twice.
fn check_triangle(triangle: &mut Ordering, side: Ordering) -> Result<(), String> {
    if *triangle == Ordering::Equal {
        *triangle = side;
    }
    if side == Ordering::Equal || side == *triangle {
        return Ok(());
    }
    Err(
        "this entry and earlier ones lie on both sides of the diagonal: of a symmetric matrix one \
         triangle is given; write a general matrix"
            .into(),
    )
}

#[cfg(test)]
mod tests;
