//! The `array` format: a number for every pair of nodes, one column after the other. Symmetric matrices
//! have the lower triangle only. Zeros are no arcs.

use super::super::super::Reader;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::text;
use super::{Symmetry, declare, to_arc, value};
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records};

/// The place of the next number, and what is given.
struct Array {
    nodes: u64,
    symmetry: Symmetry,
    row: u64,
    column: u64,
}

/// Gives the arcs of a matrix of so many rows, whose sizes were read.
pub(super) fn reader(records: Records, nodes: u64, symmetry: Symmetry) -> Box<Reader> {
    Box::new(move |to| read(records, Array::new(nodes, symmetry), to))
}

fn read(mut records: Records, mut array: Array, to: &mut dyn Receiver) -> Result<()> {
    declare(&records, array.nodes, to)?;
    while records.advance()? {
        let record = records.record();
        if record.is_comment() {
            continue;
        }
        for field in 0..record.len() {
            let Some(place) = array.next() else {
                return Err(record.wrong(array.excess()));
            };
            let taken = take(&record, field, place, to);
            settle(taken, to, |problem| record.wrong(problem))?;
        }
    }
    match array.next() {
        None => Ok(()),
        Some((row, column)) => {
            let (row, column) = (row + 1, column + 1);
            let problem = format!("the file ends before the number of row {row}, column {column}");
            Err(records.wrong(records.record().line(), problem))
        }
    }
}

fn take(
    record: &Record,
    field: usize,
    (row, column): (u64, u64),
    to: &mut dyn Receiver,
) -> Result<(), Problem> {
    let weight = value(text(record, field)?)?;
    if weight == 0.0 {
        return Ok(());
    }
    to_arc(to, row, column, weight)
}

impl Array {
    fn new(nodes: u64, symmetry: Symmetry) -> Self {
        let mut array = Array {
            nodes,
            symmetry,
            row: 0,
            column: 0,
        };
        array.row = array.first_row();
        array
    }

    /// The first row that is given of the column.
    fn first_row(&self) -> u64 {
        match self.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => self.column,
            Symmetry::Skew => self.column + 1,
        }
    }

    /// The row and the column of the next number, from 0.
    fn next(&mut self) -> Option<(u64, u64)> {
        if self.row >= self.nodes {
            self.column += 1;
            self.row = self.first_row();
        }
        if self.column >= self.nodes || self.row >= self.nodes {
            return None;
        }
        self.row += 1;
        Some((self.row - 1, self.column))
    }

    fn excess(&self) -> String {
        let (nodes, given) = (
            self.nodes,
            match self.symmetry {
                Symmetry::General => "a matrix",
                Symmetry::Symmetric => "the lower triangle of a matrix",
                Symmetry::Skew => "the lower triangle, without the diagonal, of a matrix",
            },
        );
        format!("more numbers than {given} of {nodes} rows has")
    }
}
