//! CSV and TSV.

use super::super::keys::Keys;
use super::{Choice, ScoreFile};
use crate::error::{Error, Result};
use crate::graph::text::names::decompressed;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

pub(super) fn read(path: &Path, on: Option<&str>) -> Result<ScoreFile> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut reader = BufReader::with_capacity(1 << 18, decompressed(path, file)?);
    let start = reader
        .fill_buf()
        .map_err(|e| Error::io(path, "cannot read", e))?;
    let first_line = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let delimiter = if first_line.contains(&b'\t') {
        b'\t'
    } else {
        b','
    };
    let mut lines = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .buffer_capacity(1 << 18)
        .from_reader(reader);
    let header = lines
        .headers()
        .map_err(|problem| unreadable(path, &problem))?
        .clone();
    let header: Vec<&str> = header.iter().collect();
    let choice = Choice::new(path, &header, on)?;
    let mut keys = Keys::default();
    let mut entries = vec![Vec::new(); choice.scores.len()];
    let mut record = csv::ByteRecord::new();
    while lines
        .read_byte_record(&mut record)
        .map_err(|problem| unreadable(path, &problem))?
    {
        let line = || record.position().map_or(0, csv::Position::line);
        let wrong = |problem: String| Error::line(path, line(), problem);
        let key = std::str::from_utf8(&record[choice.key])
            .map_err(|_| wrong(format!("the key in '{}' is not UTF-8", header[choice.key])))?;
        keys.push(key);
        for (&column, entries) in choice.scores.iter().zip(&mut entries) {
            let text = String::from_utf8_lossy(&record[column]);
            let entry: Option<f64> = text.trim().parse().ok();
            let entry = entry.filter(|entry| entry.is_finite()).ok_or_else(|| {
                let name = header[column];
                wrong(format!(
                    "'{text}' in column '{name}' is not a finite number"
                ))
            })?;
            entries.push(entry);
        }
    }
    if let Some(row) = keys.first_repeated() {
        // Lines, unless names hold line feeds.
        let problem = format!("'{}' occurs twice; keys must differ", keys.get(row));
        return Err(Error::line(path, row as u64 + 2, problem));
    }
    Ok(choice.scores(&header, keys, entries))
}

fn unreadable(path: &Path, problem: &csv::Error) -> Error {
    let line = problem.position().map_or(1, csv::Position::line);
    Error::line(path, line, format!("not a table: {problem}"))
}
