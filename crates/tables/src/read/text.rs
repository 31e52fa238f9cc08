//! CSV and TSV.

use super::cells::{Cell, ColumnExtent, Extent, TableFile, Visit, with_point};
use crate::text::records::Records;
use crate::text::separator::Separator;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A table whose cells are read as texts.
pub(super) struct TextTable {
    path: PathBuf,
    records: Records,
    header: Vec<String>,
    lines: LineStarts,
    /// Semicolons separate its cells, so that commas may stand before decimals.
    has_semicolons: bool,
}

impl TextTable {
    /// Reads the header.
    pub(super) fn open(path: &Path, records: Records, has_semicolons: bool) -> Result<Self> {
        let mut records = match has_semicolons {
            true => records.separated_by(Separator::Semicolon).with_header(),
            false => records.with_header(),
        };
        let header = header(&mut records)?;
        Ok(TextTable {
            path: path.to_owned(),
            records,
            header,
            lines: LineStarts::default(),
            has_semicolons,
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
                    text if self.has_semicolons && is_comma_decimal(text) => {
                        Cell::CommaDecimal(text)
                    }
                    text => Cell::Text(text),
                };
                let visited = visit(place, row, cell);
                visited.map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
            }
            row += 1;
        }
        Ok(())
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn extent(mut self: Box<Self>) -> Result<Extent> {
        let mut rows = 0;
        let mut columns = vec![(0, 0); self.header.len()];
        while self.records.advance()? {
            rows += 1;
            let record = self.records.record();
            for (column, (bytes, hash)) in columns.iter_mut().enumerate() {
                let cell = record.bytes(column);
                *bytes += cell.len() as u64;
                *hash = xxh3_64_with_seed(cell, *hash);
            }
        }
        let extent = |(bytes, hash)| ColumnExtent {
            bytes,
            hash: Some(hash),
        };
        let columns = columns.into_iter().map(extent).collect();
        Ok(Extent { rows, columns })
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        Error::line(&self.path, self.lines.of(row), problem)
    }
}

/// True for a number such as `-0,25`, whose decimals follow a comma.
fn is_comma_decimal(text: &str) -> bool {
    let is_plain = !text.contains('.') && text.bytes().filter(|&byte| byte == b',').count() == 1;
    is_plain && with_point(text).parse().is_ok_and(f64::is_finite)
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
