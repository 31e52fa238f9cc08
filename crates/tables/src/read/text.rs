//! CSV and TSV.

use super::super::keys::Keys;
use super::cells::{Cell, Extent, Problem, TableFile, Visit};
use super::size::lines;
use super::{Choice, ScoreFile};
use crate::text::records::{Record, Records};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;

pub(super) fn read(path: &Path, mut records: Records, on: Option<&str>) -> Result<ScoreFile> {
    let header = header(&mut records)?;
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let choice = Choice::new(path, &header, on)?;
    let mut keys = Keys::default();
    let mut entries = vec![Vec::new(); choice.scores.len()];
    let mut lines = LineStarts::default();
    while records.advance()? {
        let record = records.record();
        lines.push(keys.len(), record.line());
        keys.push(record.text(choice.key)?)?;
        for (&column, entries) in choice.scores.iter().zip(&mut entries) {
            reserve(entries, 1, "a table")?;
            entries.push(entry(&record, column, header[column])?);
        }
    }
    if let Some(row) = keys.first_repeated() {
        let problem = format!("{} occurs twice; keys must differ", quoted(keys.get(row)));
        return Err(Error::line(path, lines.of(row), problem));
    }
    Ok(choice.scores(&header, keys, entries))
}

/// A table whose cells are read as texts.
pub(super) struct TextTable {
    path: PathBuf,
    records: Records,
    header: Vec<String>,
    lines: LineStarts,
}

impl TextTable {
    /// Reads the header.
    pub(super) fn open(path: &Path, mut records: Records) -> Result<Self> {
        let header = header(&mut records)?;
        Ok(TextTable {
            path: path.to_owned(),
            records,
            header,
            lines: LineStarts::default(),
        })
    }
}

impl TableFile for TextTable {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        let mut row = 0;
        while self.records.advance()? {
            let record = self.records.record();
            self.lines.push(row, record.line());
            for (place, &column) in columns.iter().enumerate() {
                let cell = match record.text(column)? {
                    "" => Cell::Missing,
                    text => Cell::Text(text),
                };
                visit(place, row, cell).map_err(|problem| match problem {
                    Problem::Cell(problem) => record.wrong(problem),
                    Problem::Other(problem) => problem,
                })?;
            }
            row += 1;
        }
        Ok(())
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        lines(&self.path)
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        Error::line(&self.path, self.lines.of(row), problem)
    }
}

fn header(records: &mut Records) -> Result<Vec<String>> {
    let mut header = Vec::new();
    if records.advance()? {
        let record = records.record();
        for field in 0..record.len() {
            header.push(record.text(field)?.to_owned());
        }
    }
    Ok(header)
}

fn entry(record: &Record, column: usize, name: &str) -> Result<f64> {
    let entry = record.number(column).filter(|entry| entry.is_finite());
    entry.ok_or_else(|| {
        let text = record.shown(column);
        let problem = format!("'{text}' in column {} is not a finite number", quoted(name));
        record.wrong(problem)
    })
}

/// The line of each row, stored only for rows after which lines were skipped.
#[derive(Default)]
pub(super) struct LineStarts(Vec<(usize, u64)>);

impl LineStarts {
    pub(super) fn push(&mut self, row: usize, line: u64) {
        if self.0.is_empty() || self.of(row) != line {
            self.0.push((row, line));
        }
    }

    pub(super) fn of(&self, row: usize) -> u64 {
        let place = self.0.partition_point(|&(first, _)| first <= row);
        let (first, line) = self.0[place - 1];
        line + (row - first) as u64
    }
}
