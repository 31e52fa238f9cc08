//! A table of nodes beside a list of arcs, as Gephi exports it: `Id,Label`, and attributes.
//!
//! Read: the ids that the arcs have, and the labels, which become the names of the nodes. Ids that occur in
//! no arc are nodes without arcs. Left out: all other columns. A table of text is read by the rules of
//! lists of arcs ([`node_lines`](super::formats::edge_list::NodeLines)): separators, encodings, archives,
//! sheets; otherwise it has any format of tables of scores. Which columns are which is decided in
//! [`columns`]. Nodes without a label are called by their ids; labels that several nodes have get the id
//! behind them: `Smith (17)`.

mod columns;

use super::Note;
use super::formats::edge_list::NodeLines;
use super::receiver::Problem;
use super::recognise::{FIRST, First};
use super::source::Source;
use super::sources::open_text;
use columns::Columns;
use rayon::prelude::*;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;
use webrank_tables::keys::{KeyIndex, Keys};
use webrank_tables::read::cells::{Cell, TableFile};
use webrank_tables::read::open_table;
use webrank_tables::text::records::Records;

/// The nodes of a table.
pub(super) struct NodeTable {
    path: PathBuf,
    ids: Keys,
    of_ids: KeyIndex,
    /// The name of each row, and their index; none if the ids are the names.
    names: Option<(Keys, KeyIndex)>,
    notes: Vec<Note>,
    /// Ids of arcs that the table lacks, counted each time that they occur.
    unknown: u64,
    first_unknown: Option<String>,
}

impl NodeTable {
    /// Reads a table. O(n log n).
    ///
    /// # Errors
    /// If it cannot be read, has no column of ids, if an id is missing or occurs twice, or if labels
    /// cannot be made different.
    pub(super) fn read(path: &Path, encoding: Option<&str>) -> Result<Self> {
        let mut file = open(path, encoding)?;
        let header = file.header().to_vec();
        let columns = Columns::of(&header).map_err(|problem| Error::file(path, problem))?;
        let (mut ids, mut labels) = (Keys::default(), Keys::default());
        if let (false, Some(label)) = (columns.has_header, columns.label) {
            ids.push(&header[columns.id])?;
            labels.push(&header[label])?;
        }
        let wanted: Vec<usize> = [columns.id].into_iter().chain(columns.label).collect();
        file.each(&wanted, &mut |column, _, cell| {
            let text = text(cell);
            if column == 0 {
                if text.is_empty() {
                    return Err("the id of a node is empty".to_owned().into());
                }
                return Ok(ids.push(&text)?);
            }
            if text.contains(['\n', '\r']) {
                let problem = format!("the label {} has a line feed; rename it", quoted(&text));
                return Err(problem.into());
            }
            Ok(labels.push(&text)?)
        })?;
        // A first line that is no header is no row of the table.
        let is_node = usize::from(!columns.has_header);
        let wrong = |row: usize, problem| file.wrong(row.saturating_sub(is_node), problem);
        if let Some(row) = ids.first_repeated() {
            let problem = format!("{} is the id of two nodes", quoted(ids.get(row)));
            return Err(wrong(row, problem));
        }
        let mut notes = columns.notes(&header, path);
        let names = columns.label.map(|_| names_of(&ids, &labels, &mut notes));
        let names = names.transpose()?;
        if let Some(row) = names.as_ref().and_then(Keys::first_repeated) {
            let name = names.as_ref().map_or("", |names| names.get(row));
            let problem = format!(
                "{} would be the name of two nodes; give each node a label of its own",
                quoted(name)
            );
            return Err(wrong(row, problem));
        }
        Ok(NodeTable {
            path: path.to_owned(),
            of_ids: ids.index(),
            ids,
            names: names.map(|names| {
                let index = names.index();
                (names, index)
            }),
            notes,
            unknown: 0,
            first_unknown: None,
        })
    }

    /// The name of the node with this id; the id if the table lacks it.
    pub(super) fn name<'n>(&'n mut self, id: &'n str) -> Result<&'n str, Problem> {
        if let Some(row) = self.of_ids.find(&self.ids, id) {
            return Ok(self.name_of(row));
        }
        if let Some((names, index)) = &self.names
            && let Some(row) = index.find(names, id)
        {
            let problem = format!(
                "{} has no node {}, but it is the name of the node {}: nodes would be mixed up; add \
                 it to the table",
                self.path.display(),
                quoted(id),
                quoted(self.ids.get(row))
            );
            return Err(problem.into());
        }
        self.unknown += 1;
        self.first_unknown.get_or_insert_with(|| id.to_owned());
        Ok(id)
    }

    fn name_of(&self, row: usize) -> &str {
        match &self.names {
            Some((names, _)) => names.get(row),
            None => self.ids.get(row),
        }
    }

    /// The names of all rows.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.ids.len()).map(|row| self.name_of(row))
    }

    /// Notes on assumptions and omissions.
    pub(super) fn notes(self) -> Vec<Note> {
        let mut notes = self.notes;
        if let Some(first) = self.first_unknown {
            let text = format!(
                "ends of arcs are not in {}, the first is {}; their ids are their names",
                self.path.display(),
                quoted(&first)
            );
            notes.push(Note {
                count: self.unknown,
                ..Note::assumed("nodes", text)
            });
        }
        notes
    }
}

/// Opens a table of any format.
fn open(path: &Path, encoding: Option<&str>) -> Result<Box<dyn TableFile>> {
    // Folders are of Parquet.
    if path.is_dir() {
        return Ok(open_table(path)?.file);
    }
    let source = Source::new(path, encoding)?;
    let (first, input) = open_text(&source)?;
    let is_whole = (first.len() as u64) < FIRST;
    let shown = First::new(path, &first, is_whole);
    let magics: [&[u8]; 3] = [b"PAR1", b"ARROW1", b"\x93NUMPY"];
    let is_typed = magics.iter().any(|magic| first.starts_with(magic))
        || matches!(
            shown.extension(),
            Some("arrow" | "arrows" | "feather" | "ipc")
        );
    if is_typed || shown.starts_with("{") {
        return Ok(open_table(path)?.file);
    }
    let records = Records::of(path, Box::new(Cursor::new(first).chain(input)));
    Ok(Box::new(NodeLines::open(path, records)?))
}

/// The names of rows: their labels, with the id where several nodes have it or where there is none.
fn names_of(ids: &Keys, labels: &Keys, notes: &mut Vec<Note>) -> Result<Keys> {
    let mut order: Vec<u32> = Vec::new();
    reserve(&mut order, ids.len(), "the labels of nodes")?;
    order.extend(0..ids.len() as u32);
    let label = |row: u32| labels.get(row as usize);
    order.par_sort_unstable_by_key(|&row| (label(row), row));
    let mut is_shared = vec![false; ids.len()];
    for group in order.chunk_by(|&a, &b| label(a) == label(b)) {
        if group.len() > 1 && !label(group[0]).is_empty() {
            group.iter().for_each(|&row| is_shared[row as usize] = true);
        }
    }
    let mut names = Keys::default();
    for (row, &is_shared) in is_shared.iter().enumerate() {
        match labels.get(row) {
            "" => names.push(ids.get(row))?,
            label if is_shared => names.push(&format!("{label} ({})", ids.get(row)))?,
            label => names.push(label)?,
        }
    }
    if let Some(first) = is_shared.iter().position(|&is_shared| is_shared) {
        let count = is_shared.iter().filter(|is_shared| **is_shared).count();
        let text = format!(
            "nodes have a label that another has, too, and the id behind it, the first is {}",
            quoted(names.get(first))
        );
        notes.push(Note {
            count: count as u64,
            ..Note::assumed("nodes", text)
        });
    }
    let empty = (0..labels.len()).filter(|&row| labels.get(row).is_empty());
    let empty = empty.count() as u64;
    if empty > 0 {
        let text = "nodes have no label: they are called by their ids";
        notes.push(Note {
            count: empty,
            ..Note::assumed("nodes", text)
        });
    }
    Ok(names)
}

/// A cell as text.
fn text(cell: Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        cell => cell.key().unwrap_or_default().into_owned(),
    }
}

#[cfg(test)]
mod tests;
