//! Arrays of numpy: entry x is the score of node x.
//!
//! An array of one dimension is a column `score`; the columns of an array of two dimensions are `0`,
//! `1`, ...; the fields of a structured array are columns.

use super::cells::{Cell, Extent, TableFile, Visit};
use super::columns::wrong;
use crate::numpy::{AnyNumber, Array, Numbers};
use crate::text::missing::open_file;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::shown;

/// The longest header; numpy's own limit is 10,000.
const MAX_HEADER: u64 = 1 << 20;

/// An open file. Its first column is the node.
pub struct Npy {
    path: PathBuf,
    header: Vec<String>,
    numbers: Option<Numbers<BufReader<File>>>,
    rows: u64,
    by_columns: bool,
}

impl Npy {
    /// Reads the header.
    pub fn open(path: &Path) -> Result<Self> {
        let file = open_file(path)?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let file = BufReader::with_capacity(1 << 18, file);
        let unread = |problem: io::Error| damaged(path, &problem);
        let array = Array::open(file, MAX_HEADER as usize).map_err(unread)?;
        let (fields, rows) = match (&array.fields, &array.shape[..]) {
            (None, &[rows]) => (vec!["score".into()], rows),
            (None, &[rows, columns]) if columns <= MAX_HEADER => {
                let names = (0..columns).map(|column| column.to_string());
                (names.collect(), rows)
            }
            (Some(fields), &[rows]) => (fields.clone(), rows),
            _ => {
                let problem = "not an array of one or two dimensions; save the scores by node";
                return Err(Error::file(path, problem));
            }
        };
        let (bytes, by_columns) = (array.num_bytes(), array.by_columns);
        let numbers = array.numbers().map_err(unread)?;
        if bytes.is_none_or(|bytes| bytes > length) || rows > u64::from(u32::MAX) {
            let problem = format!("its header promises {rows} rows, more than the file holds");
            return Err(Error::file(path, problem));
        }
        Ok(Npy {
            path: path.to_owned(),
            header: std::iter::once("node".to_owned()).chain(fields).collect(),
            numbers: Some(numbers),
            rows,
            by_columns,
        })
    }
}

fn damaged(path: &Path, problem: &io::Error) -> Error {
    let problem = shown(&problem.to_string());
    let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
    let remedy = "save the scores again with numpy.save";
    Error::file(path, format!("not an array of numpy: {problem}; {remedy}"))
}

impl TableFile for Npy {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        let Some(numbers) = self.numbers.take() else {
            return Ok(());
        };
        let (fields, rows) = (self.header.len() - 1, self.rows as usize);
        let path = &self.path;
        let mut visit_cell = |column: usize, row: usize, cell: Cell| -> Result<()> {
            for (place, _) in columns.iter().enumerate().filter(|(_, c)| **c == column) {
                let visited = visit(place, row, cell);
                visited.map_err(|problem| problem.at(|problem| wrong(path, row, problem)))?;
            }
            Ok(())
        };
        for (index, number) in numbers.enumerate() {
            let (field, row) = match self.by_columns {
                false => (index % fields, index / fields),
                true => (index / rows, index % rows),
            };
            let number = number.map_err(|problem| damaged(path, &problem))?;
            visit_cell(field + 1, row, cell(number))?;
        }
        if columns.contains(&0) {
            for row in 0..rows {
                visit_cell(0, row, Cell::Integer(row as i128))?;
            }
        }
        Ok(())
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        // All cells are numbers.
        Ok(Extent::even(self.rows, 0, self.header.len()))
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        wrong(&self.path, row, problem)
    }
}

fn cell(number: AnyNumber) -> Cell<'static> {
    match number {
        AnyNumber::Integer(integer) => Cell::Integer(integer),
        AnyNumber::Double(double) => Cell::Number(double),
        AnyNumber::Flag(flag) => Cell::Flag(flag),
    }
}
