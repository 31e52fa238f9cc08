//! The rows of a sheet, as lines of a table between commas.

use super::super::xml::{Element, Part, Xml};
use super::cells::{Texts, Value};
use std::io::Read;
use webrank_base::error::{Error, Result};
use webrank_tables::text::input::MAX_LINE;

/// No sheet has more rows or columns.
const MAX_ROWS: u64 = 1 << 20;
const MAX_COLUMNS: usize = 1 << 14;

/// Reads a sheet.
pub(super) struct Sheet {
    xml: Xml,
    texts: Texts,
    /// The row that was read last, from 1.
    row: u64,
    /// The columns of the first row: the first one, and how many there are.
    first: Option<(usize, usize)>,
    /// Lines; those before `given` were read.
    lines: Vec<u8>,
    given: usize,
}

impl Sheet {
    pub(super) fn new(xml: Xml, texts: Texts) -> Self {
        Sheet {
            xml,
            texts,
            row: 0,
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
                Part::EndOfFile => return Ok(false),
                _ => {}
            }
        }
    }

    fn take_row(&mut self, row: &Element) -> Result<()> {
        let before = self.row;
        self.row = match row.attribute("r").map(str::parse) {
            None => before + 1,
            Some(Ok(number)) if number > before && number <= MAX_ROWS => number,
            Some(_) => return Err(self.wrong("the row after this one has no number after it")),
        };
        // A line for each row, so that lines have the numbers of rows.
        self.lines.resize((self.row - before - 1) as usize, b'\n');
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
                    let value = Value::read(&element, &mut self.xml, &self.texts)?;
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
        self.push(&values);
        Ok(())
    }

    /// Writes a line.
    fn push(&mut self, values: &[Value]) {
        let is_filled = |value: &Value| !matches!(value, Value::Empty);
        let first = values.iter().position(is_filled);
        let width = values
            .iter()
            .rposition(is_filled)
            .map_or(0, |last| last + 1);
        if let Some(first) = first {
            let (from, until) = *self.first.get_or_insert((first, width));
            let width = width.max(until);
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
