//! A table of nodes in a text, which is laid out as lists of arcs are.

use super::super::super::recognise::FIRST;
use super::shape::{self, NoShape, Shape};
use super::{ONE_FIELD, text};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_tables::read::cells::{Cell, Extent, TableFile, Visit};
use webrank_tables::text::records::Records;

/// A table, opened up to its header.
pub(in crate::import) struct NodeLines {
    path: PathBuf,
    records: Records,
    header: Vec<String>,
    /// The line of each row.
    lines: Vec<u64>,
}

impl NodeLines {
    /// Reads the header, or the first node.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or if its lines do not agree on what separates fields.
    pub(in crate::import) fn open(path: &Path, mut records: Records) -> Result<Self> {
        let (bytes, is_whole) = records.first_bytes(FIRST as usize)?;
        let (bytes, said) = shape::said(bytes);
        let layout = match Shape::of(bytes, is_whole, (said, false)) {
            Ok(shape) => shape.text,
            Err(NoShape::OneColumn) => ONE_FIELD,
            Err(NoShape::Empty) => return Err(records.refused("has no line with a node")),
            Err(NoShape::Other(problem)) => {
                return Err(
                    records.refused(format!("is no table of nodes; as a list, it is {problem}"))
                );
            }
        };
        let mut records = records.with_percent().laid_out(layout);
        if said.is_some() {
            records.advance()?;
        }
        while records.advance()? && records.record().is_comment() {}
        let record = records.record();
        let name = |field| Ok(text(&record, field)?.trim().to_owned());
        let header: Result<Vec<String>, _> = (0..record.len()).map(name).collect();
        let header = header.map_err(|it: super::Problem| it.at(|problem| record.wrong(problem)))?;
        Ok(NodeLines {
            path: path.to_owned(),
            records,
            header,
            lines: Vec::new(),
        })
    }
}

impl TableFile for NodeLines {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        while self.records.advance()? {
            let (record, row) = (self.records.record(), self.lines.len());
            reserve(&mut self.lines, 1, "the nodes of a table")?;
            self.lines.push(record.line());
            let (found, expected) = (record.len(), self.header.len());
            if found != expected {
                let problem = format!("{found} fields, but the first line has {expected}");
                return Err(record.wrong(problem));
            }
            for (place, &column) in columns.iter().enumerate() {
                let cell = text(&record, column);
                let visited = cell.and_then(|cell| match cell.trim() {
                    "" => visit(place, row, Cell::Missing),
                    cell => visit(place, row, Cell::Text(cell)),
                });
                visited.map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
            }
        }
        Ok(())
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        Err(Error::file(
            &self.path,
            "its size is not known before it is read",
        ))
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        let line = self.lines.get(row).copied().unwrap_or(1);
        Error::line(&self.path, line, problem)
    }
}
