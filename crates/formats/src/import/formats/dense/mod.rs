//! Adjacency matrices as tables: CSV, with semicolons or tabs, or blanks between numbers.
//!
//! Number j of row i is the weight of an arc from node i to node j; zeros and empty cells are no arcs. Names
//! stand in the first row and the first column (`;A;B;C`, or `A;B;C` as R writes it), or in the first row
//! alone. Without names, nodes have numbers from 0. Between semicolons and tabs, numbers may have
//! decimal commas. Lines that begin with `#` before the first row are skipped. If all numbers are 0 or
//! 1, arcs have no weights: to know it, a file is read twice.
//!
//! A table is recognised as a matrix only if that is certain ([`recognise`]): two or three columns of
//! numbers are a list of arcs.

mod recognise;
mod row;

pub(in crate::import) use self::recognise::recognise;
use self::row::{Cells, Separator};
use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::source::Source;
use super::latin1::Decoder;
use super::note;
use super::unique_names::NodeMap;
use super::weight_finder::gives_weights;
use std::io::Read;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;
use webrank_tables::text::records::Records;

/// A matrix, opened up to its first row of numbers.
struct Matrix {
    records: Records,
    decoder: Decoder,
    separator: Separator,
    /// The names of columns, if there are any.
    names: Vec<String>,
    /// Rows begin with their names.
    has_row_names: bool,
    /// The row that was read last is still to be given.
    is_at_row: bool,
}

/// Reads the names, and whether there are weights.
///
/// # Errors
/// If the file cannot be read.
pub(in crate::import) fn open(
    source: &Source,
    input: Box<dyn Read + Send>,
    unweighted: bool,
) -> Result<Input> {
    let matrix = Matrix::open(Records::of(source.path(), input))?;
    let weighted = !unweighted
        && (source.is_stream() || {
            let again = Matrix::open(Records::of(source.path(), source.open()?))?;
            gives_weights(|to| again.read(to))
        });
    Ok(Input {
        weighted,
        is_directed: true,
        is_numbered: matrix.names.is_empty(),
        read: Box::new(move |to| matrix.read(to)),
    })
}

impl Matrix {
    fn open(records: Records) -> Result<Self> {
        let mut records = records.whole_lines().without_comments();
        let mut decoder = Decoder::default();
        loop {
            if !records.advance()? {
                return Err(records.wrong(1, "the file has no rows of a matrix"));
            }
            if !records
                .record()
                .bytes(0)
                .trim_ascii_start()
                .starts_with(b"#")
            {
                break;
            }
        }
        let first = decoder.text(records.record().bytes(0)).into_owned();
        let separator = Separator::of(&first);
        let mut names: Vec<String> = Vec::new();
        let cells = Cells::new(&first, separator);
        let is_header = {
            let mut cells = cells.clone();
            let corner = cells.next().is_some_and(|corner| corner.trim().is_empty());
            corner || Cells::new(&first, separator).any(|cell| separator.number(&cell).is_none())
        };
        let mut matrix = Matrix {
            records,
            decoder,
            separator,
            names: Vec::new(),
            has_row_names: false,
            is_at_row: true,
        };
        if !is_header {
            return Ok(matrix);
        }
        for cell in cells {
            reserve(&mut names, 1, "names")?;
            names.push(cell.trim().to_owned());
        }
        matrix.is_at_row = matrix.records.advance()?;
        let second = matrix.is_at_row.then(|| matrix.text());
        let width = second.map_or(0, |row| Cells::new(&row, separator).count());
        let has_corner = names.first().is_some_and(String::is_empty)
            || matrix.is_at_row && width == names.len() && matrix.starts_with_name(&names);
        if has_corner {
            names.remove(0);
        }
        matrix.has_row_names = has_corner || width == names.len() + 1;
        matrix.names = names;
        Ok(matrix)
    }

    fn text(&mut self) -> String {
        self.decoder
            .text(self.records.record().bytes(0))
            .into_owned()
    }

    /// True if the first cell of the row is no number, or the name of a column.
    fn starts_with_name(&mut self, names: &[String]) -> bool {
        let row = self.text();
        let first = Cells::new(&row, self.separator).next().unwrap_or_default();
        let first = first.trim();
        self.separator.number(first).is_none() || names[1..].iter().any(|name| name == first)
    }

    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let mut columns = Columns::default();
        let wrong = |problem: Problem, records: &Records| {
            problem.at(|problem| records.record().wrong(problem))
        };
        let names = std::mem::take(&mut self.names);
        let is_named = !names.is_empty();
        let declared = columns.declare(&names, to);
        declared.map_err(|problem| wrong(problem, &self.records))?;
        let (mut rows, mut empty) = (0u64, 0u64);
        while std::mem::take(&mut self.is_at_row) || self.records.advance()? {
            let record = self.records.record();
            let row = self.decoder.text(record.bytes(0));
            if !is_named && rows == 0 {
                columns.count = Cells::new(&row, self.separator).count() as u64;
                let declared = to.declare(columns.count);
                declared.map_err(|problem| wrong(problem, &self.records))?;
            }
            if rows == columns.count {
                let (rows, columns) = (rows + 1, columns.count);
                return Err(record.wrong(format!(
                    "row {rows} of a matrix of {columns} columns: the matrix of a graph has a row \
                     and a column for each node"
                )));
            }
            let cells = Cells::new(&row, self.separator);
            let taken = columns.row(
                cells,
                (rows, self.has_row_names),
                self.separator,
                &mut empty,
                to,
            );
            settle(taken, to, |problem| record.wrong(problem))?;
            rows += 1;
        }
        if rows < columns.count {
            let columns = columns.count;
            let problem = format!(
                "the file ends after {rows} of {columns} rows: the matrix of a graph has a row and a \
                 column for each node"
            );
            return Err(self
                .records
                .wrong(self.records.record().line().max(1), problem));
        }
        let text = "empty cells are no arcs";
        note(to, empty, Note::assumed("cells", text));
        self.decoder.tell(to);
        Ok(())
    }
}

/// The nodes of the columns.
#[derive(Default)]
struct Columns {
    count: u64,
    /// Empty if nodes have numbers.
    nodes: Vec<Node>,
    by_name: NodeMap,
    /// The nodes that had a row.
    seen: Vec<bool>,
}

impl Columns {
    fn declare(&mut self, names: &[String], to: &mut dyn Receiver) -> Result<(), Problem> {
        for name in names {
            if self.by_name.get(name).is_some() {
                let problem = format!("two columns have the name {}", quoted(name));
                return Err(problem.into());
            }
            let node = to.key(name)?;
            self.by_name.insert(name, self.nodes.len() as Node)?;
            reserve(&mut self.nodes, 1, "nodes")?;
            self.nodes.push(node);
            reserve(&mut self.seen, 1, "nodes")?;
            self.seen.push(false);
        }
        self.count = self.nodes.len() as u64;
        Ok(())
    }

    fn node(&self, place: u64, to: &mut dyn Receiver) -> Result<Node, Problem> {
        match self.nodes.get(place as usize) {
            Some(&node) => Ok(node),
            None => to.number(place),
        }
    }

    /// Gives the arcs of a row.
    fn row(
        &mut self,
        mut cells: Cells,
        (row, has_name): (u64, bool),
        separator: Separator,
        empty: &mut u64,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let place = match has_name {
            true => self.place(cells.next().unwrap_or_default().trim())?,
            false => row,
        };
        let found = cells.clone().count() as u64;
        if found != self.count {
            let columns = self.count;
            return Err(format!("{found} numbers, but there are {columns} columns").into());
        }
        let source = self.node(place, to)?;
        for (column, cell) in (0..).zip(cells) {
            let weight = match cell.trim().is_empty() {
                true => {
                    *empty += 1;
                    0.0
                }
                false => separator
                    .number(&cell)
                    .ok_or_else(|| format!("{} is not a number", quoted(cell.trim())))?,
            };
            if weight != 0.0 {
                let target = self.node(column, to)?;
                to.arc(source, target, weight)?;
            }
        }
        Ok(())
    }

    /// The place of the row with a name.
    fn place(&mut self, name: &str) -> Result<u64, String> {
        let Some(place) = self.by_name.get(name) else {
            return Err(format!(
                "no column has the name of this row, {}",
                quoted(name)
            ));
        };
        if std::mem::replace(&mut self.seen[place as usize], true) {
            return Err(format!("a second row with the name {}", quoted(name)));
        }
        Ok(place.into())
    }
}

#[cfg(test)]
mod tests;
