//! Scores as a table of nodes and named columns; `super::write` writes them.

use crate::text::names::Names;
use std::borrow::Cow;
use std::sync::Arc;
use webrank_base::Node;

/// A table with one row per node, for all nodes or some.
pub struct Table<'a> {
    /// The nodes, in the order of the rows; all of them in increasing order if `None`.
    pub nodes: Option<Vec<Node>>,
    /// Number of nodes of the graph.
    pub num_nodes: usize,
    /// The names of the nodes, for a column.
    pub names: Option<&'a Names>,
    /// The other columns.
    pub columns: Vec<(Cow<'a, str>, Column<'a>)>,
}

/// A column: an entry for every node of the graph.
#[derive(Clone, Copy)]
pub enum Column<'a> {
    /// Numbers, written so that they read back to the same bits.
    Numbers(&'a [f64]),
    /// Counts or ranks.
    Counts(&'a [u32]),
    /// Yes or no, written `true` or `false`.
    Flags(&'a [bool]),
}

/// The entry of each row.
pub type Entry<'a, T> = Box<dyn Fn(usize) -> T + Sync + 'a>;

/// A column by rows.
pub enum Cells<'a> {
    /// Numbers.
    Numbers(Entry<'a, f64>),
    /// Nodes, counts or ranks.
    Counts(Entry<'a, u32>),
    /// Nodes or ranks that may be 2^32 or more, and names that are integers.
    Long(Entry<'a, i64>),
    /// Yes or no.
    Flags(Entry<'a, bool>),
    /// Names.
    Names(Entry<'a, &'a str>),
}

/// A named column by rows.
pub struct NamedColumn<'a> {
    /// Its header.
    pub name: Cow<'a, str>,
    /// Its entries.
    pub cells: Cells<'a>,
    /// Which rows have an entry; all if `None`.
    pub present: Option<Entry<'a, bool>>,
}

impl<'a> NamedColumn<'a> {
    /// A column with an entry in every row.
    pub fn new(name: impl Into<Cow<'a, str>>, cells: Cells<'a>) -> Self {
        NamedColumn {
            name: name.into(),
            cells,
            present: None,
        }
    }

    /// This column for other rows: each is one of its rows, or has no entry if it is `u32::MAX`.
    pub fn of_rows(self, rows: &'a [u32]) -> Self {
        let place = |row: usize| rows[row] as usize;
        let cells = match self.cells {
            Cells::Numbers(cell) => Cells::Numbers(Box::new(move |row| cell(place(row)))),
            Cells::Counts(cell) => Cells::Counts(Box::new(move |row| cell(place(row)))),
            Cells::Long(cell) => Cells::Long(Box::new(move |row| cell(place(row)))),
            Cells::Flags(cell) => Cells::Flags(Box::new(move |row| cell(place(row)))),
            Cells::Names(cell) => Cells::Names(Box::new(move |row| cell(place(row)))),
        };
        let present = self.present;
        let is_present = move |row: usize| {
            let is_there = |present: &Entry<'a, bool>| present(place(row));
            rows[row] != u32::MAX && present.as_ref().is_none_or(is_there)
        };
        NamedColumn {
            name: self.name,
            cells,
            present: Some(Box::new(is_present)),
        }
    }

    /// True if the row has an entry.
    pub fn is_present(&self, row: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present(row))
    }
}

/// A table to write: so many rows of named columns.
pub struct ColumnTable<'a> {
    /// Number of rows.
    pub rows: usize,
    /// The columns.
    pub fields: Vec<NamedColumn<'a>>,
}

/// The columns that say which node a row is about: `node`, and `name` if there are names. Where all names
/// are integers, they alone do: beside them, numbers of nodes would be taken for names. Each column finds
/// the node of a row by a function of its own.
pub fn identity<'a>(
    names: Option<&'a Names>,
    number: impl Fn(usize) -> Node + Sync + 'a,
    node: impl Fn(usize) -> Node + Sync + 'a,
) -> Vec<NamedColumn<'a>> {
    let number = Cells::Counts(Box::new(number));
    match names {
        None => vec![NamedColumn::new("node", number)],
        Some(names) if names.are_integers() => {
            let name = move |row| names.integer(node(row));
            vec![NamedColumn::new("name", Cells::Long(Box::new(name)))]
        }
        Some(names) => {
            let name = move |row| names.get(node(row));
            let name = Cells::Names(Box::new(name));
            vec![
                NamedColumn::new("node", number),
                NamedColumn::new("name", name),
            ]
        }
    }
}

impl<'a> Table<'a> {
    /// All columns: those of [`identity`], and the others.
    pub fn into_columns(self) -> ColumnTable<'a> {
        let rows = self.nodes.as_ref().map_or(self.num_nodes, Vec::len);
        let nodes: Option<Arc<[Node]>> = self.nodes.map(Into::into);
        let node = move |row: usize| match &nodes {
            Some(nodes) => nodes[row],
            None => row as Node,
        };
        let mut fields = identity(self.names, node.clone(), node.clone());
        fields.extend(self.columns.into_iter().map(|(name, column)| {
            let node = node.clone();
            let node = move |row| node(row) as usize;
            let cells = match column {
                Column::Numbers(numbers) => Cells::Numbers(Box::new(move |row| numbers[node(row)])),
                Column::Counts(counts) => Cells::Counts(Box::new(move |row| counts[node(row)])),
                Column::Flags(flags) => Cells::Flags(Box::new(move |row| flags[node(row)])),
            };
            NamedColumn::new(name, cells)
        }));
        ColumnTable { rows, fields }
    }
}
