//! The rows of a sheet, as lines of a table between commas.

use super::super::xml::{Element, Part, Xml};
use super::cells::{Shared, Value};
use std::io::Read;
use webrank_base::error::{Error, Result};
use webrank_tables::text::input::MAX_LINE;

/// No sheet has more rows or columns.
const MAX_ROWS: u64 = 1 << 20;
const MAX_COLUMNS: usize = 1 << 14;

/// Reads a sheet.
pub(super) struct Sheet {
    xml: Xml,
    shared: Shared,
    /// The row that was read last, from 1.
    row: u64,
    /// The first row that is not empty, until the next one is read, and the empty rows below it.
    top: Option<(Vec<Value>, usize)>,
    /// The first column, of these two rows, and the width of the first of them.
    first: Option<(usize, usize)>,
    /// Lines; those before `given` were read.
    lines: Vec<u8>,
    given: usize,
}

impl Sheet {
    pub(super) fn new(xml: Xml, shared: Shared) -> Self {
        Sheet {
            xml,
            shared,
            row: 0,
            top: None,
            first: None,
            lines: Vec::new(),
            given: 0,
        }
    }

    fn wrong(&self, problem: &str) -> Error {
        Error::file(format!("row {}", self.row), problem)
    }

    /// Makes a line of the next row; false at the end of the sheet.
    fn advance(&mut self) -> Result<bool> {
        loop {
            match self.xml.next()? {
                Part::Start(element) if element.name == "row" => {
                    self.take_row(&element)?;
                    return Ok(true);
                }
                Part::EndOfFile => {
                    let is_there = self.top.is_some();
                    self.push_top(&[]);
                    return Ok(is_there);
                }
                _ => {}
            }
        }
    }

    /// Writes the first row, once the one below shows where columns begin: the corner of a matrix, and
    /// the name of an index, are empty.
    fn push_top(&mut self, below: &[Value]) {
        let Some((top, empty)) = self.top.take() else {
            return;
        };
        let starts = [&top[..], below].map(|row| row.iter().position(Value::is_filled));
        let from = starts.into_iter().flatten().min().unwrap_or(0);
        self.first = Some((from, width(&top)));
        self.push(&top);
        self.lines.resize(self.lines.len() + empty, b'\n');
    }

    fn take_row(&mut self, row: &Element) -> Result<()> {
        let before = self.row;
        self.row = match row.attribute("r").map(str::parse) {
            None => before + 1,
            Some(Ok(number)) if number > before && number <= MAX_ROWS => number,
            Some(_) => return Err(self.wrong("the row after this one has no number after it")),
        };
        // A line for each row, so that lines have the numbers of rows.
        let mut empty = (self.row - before - 1) as usize;
        let mut values: Vec<Value> = Vec::new();
        let (outside, mut length) = (self.xml.depth - 1, 0);
        while self.xml.depth > outside {
            match self.xml.next()? {
                Part::Start(element) if element.name == "c" => {
                    let column = match element.attribute("r") {
                        None => Some(values.len()),
                        Some(place) => column(place).filter(|&column| column >= values.len()),
                    };
                    let Some(column) = column.filter(|&column| column < MAX_COLUMNS) else {
                        return Err(
                            self.wrong("a cell of the row is in no column after the others")
                        );
                    };
                    values.resize_with(column, || Value::Empty);
                    let value = Value::read(&element, &mut self.xml, &self.shared)?;
                    // Many cells may share a long text.
                    length += value.len();
                    if length > MAX_LINE {
                        return Err(self.wrong("the row is longer than 16 MiB"));
                    }
                    values.push(value);
                }
                Part::EndOfFile => break,
                _ => {}
            }
        }
        let is_filled = values.iter().any(Value::is_filled);
        if let (Some((_, below)), false) = (&mut self.top, is_filled) {
            *below += empty + 1;
            return Ok(());
        }
        if let Some((_, below)) = &mut self.top {
            *below += std::mem::take(&mut empty);
            self.push_top(&values);
        }
        self.lines.resize(self.lines.len() + empty, b'\n');
        match self.first.is_none() && is_filled {
            true => self.top = Some((values, 0)),
            false => self.push(&values),
        }
        Ok(())
    }

    /// Writes a line.
    fn push(&mut self, values: &[Value]) {
        if let (true, Some((from, until))) = (values.iter().any(Value::is_filled), self.first) {
            let width = width(values).max(until);
            for column in from..width {
                if column > from {
                    self.lines.push(b',');
                }
                match values.get(column) {
                    Some(Value::Number(number)) => self.lines.extend_from_slice(number.as_bytes()),
                    Some(Value::Text(text)) => self.push_text(text),
                    Some(Value::Empty) | None => {}
                }
            }
        }
        self.lines.push(b'\n');
    }

    /// Writes a text in quotation marks, on one line.
    fn push_text(&mut self, text: &str) {
        self.lines.push(b'"');
        for byte in text.bytes() {
            match byte {
                b'"' => self.lines.extend_from_slice(b"\"\""),
                b'\n' | b'\r' => self.lines.push(b' '),
                _ => self.lines.push(byte),
            }
        }
        self.lines.push(b'"');
    }
}

/// The columns up to the last cell that is filled.
fn width(values: &[Value]) -> usize {
    values
        .iter()
        .rposition(Value::is_filled)
        .map_or(0, |last| last + 1)
}

/// The column from 0 in a place such as `AB12`.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_uppercase);
    let column = letters.fold(0usize, |column, letter| {
        column
            .saturating_mul(26)
            .saturating_add(usize::from(letter - b'A') + 1)
    });
    column.checked_sub(1)
}

impl Read for Sheet {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.given == self.lines.len() {
            self.lines.clear();
            self.given = 0;
            let is_there = self.advance();
            if !is_there.map_err(|problem| std::io::Error::other(problem.to_string()))? {
                return Ok(0);
            }
        }
        let length = buffer.len().min(self.lines.len() - self.given);
        buffer[..length].copy_from_slice(&self.lines[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}
