//! A table of nodes beside a list of arcs, as Gephi exports it: `Id,Label`, and attributes.
//!
//! Read: the ids that the arcs have, and the labels, which become the names of the nodes. Ids that occur in
//! no arc are nodes without arcs. Left out: all other columns. The table may be of any format that
//! tables of scores have; its header says which columns are which, or there are two columns without a
//! header. Nodes without a label are called by their ids; labels that several nodes have get the id
//! behind them: `Smith (17)`.

use super::Note;
use super::receiver::Problem;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;
use webrank_tables::keys::{Index, Keys};
use webrank_tables::read::cells::Cell;
use webrank_tables::read::open_table;

/// How columns of ids are called, in small letters without other signs.
const IDS: [&str; 5] = ["id", "node", "nodeid", "key", "vertex"];
/// How columns of labels are called.
const LABELS: [&str; 5] = ["label", "name", "title", "nodelabel", "nodename"];

/// The nodes of a table.
pub(super) struct NodeTable {
    path: PathBuf,
    ids: Keys,
    of_ids: Index,
    /// The name of each row, and their index; none if the ids are the names.
    names: Option<(Keys, Index)>,
    notes: Vec<Note>,
    /// Ids of arcs that the table lacks, counted each time that they occur.
    unknown: u64,
    first_unknown: Option<String>,
}

/// The columns that are read.
struct Columns {
    id: usize,
    label: Option<usize>,
    /// False if the first row is a node.
    has_header: bool,
}

impl NodeTable {
    /// Reads a table. O(n log n).
    ///
    /// # Errors
    /// If it cannot be read, has no column of ids, if an id is missing or occurs twice, or if labels
    /// cannot be made different.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut table = open_table(path)?;
        let header = table.header().to_vec();
        let columns = Columns::of(&header).map_err(|problem| Error::file(path, problem))?;
        let (mut ids, mut labels) = (Keys::default(), Keys::default());
        if let (false, Some(label)) = (columns.has_header, columns.label) {
            ids.push(&header[columns.id])?;
            labels.push(&header[label])?;
        }
        let wanted: Vec<usize> = [columns.id].into_iter().chain(columns.label).collect();
        table.file.each(&wanted, &mut |column, _, cell| {
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
        let wrong = |row: usize, problem| table.file.wrong(row.saturating_sub(is_node), problem);
        if let Some(row) = ids.first_repeated() {
            let problem = format!("{} is the id of two nodes", quoted(ids.get(row)));
            return Err(wrong(row, problem));
        }
        let mut notes = columns.notes(&header);
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

    /// What was assumed and left out.
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

impl Columns {
    fn of(header: &[String]) -> Result<Self, String> {
        let plain = |name: &String| {
            let letters = name.chars().filter(|letter| letter.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect::<String>()
        };
        let plain: Vec<String> = header.iter().map(plain).collect();
        let find = |known: &[&str]| {
            known
                .iter()
                .find_map(|it| plain.iter().position(|p| p == it))
        };
        let (id, label) = (find(&IDS), find(&LABELS));
        match (id, label, header.len()) {
            (Some(id), label, _) => Ok(Columns {
                id,
                label,
                has_header: true,
            }),
            (None, Some(label), 2) => Ok(Columns {
                id: 1 - label,
                label: Some(label),
                has_header: true,
            }),
            (None, None, 2) => Ok(Columns {
                id: 0,
                label: Some(1),
                has_header: false,
            }),
            _ => {
                let names: Vec<String> = header.iter().take(20).map(|name| quoted(name)).collect();
                Err(format!(
                    "which column holds the ids of the nodes? there are {}; call it id, and that of \
                     the labels label",
                    names.join(", ")
                ))
            }
        }
    }

    fn notes(&self, header: &[String]) -> Vec<Note> {
        let mut notes = Vec::new();
        if !self.has_header {
            let text = "the table of nodes has no header with a column id: its columns are taken for \
                        id and label";
            notes.push(Note::assumed("nodes", text));
        }
        if self.label.is_none() {
            let text = "the table of nodes has no column label: nodes are called by their ids";
            notes.push(Note::assumed("nodes", text));
        }
        let is_read = |place: &usize| *place == self.id || Some(*place) == self.label;
        let others: Vec<String> = (0..header.len())
            .filter(|place| !is_read(place))
            .map(|place| quoted(&header[place]))
            .collect();
        if !others.is_empty() {
            let (count, shown) = (
                others.len() as u64,
                others[..others.len().min(8)].join(", "),
            );
            let text = format!("columns of the table of nodes left out: {shown}");
            notes.push(Note::left_out("nodes", count, text));
        }
        notes
    }
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

/// What a cell says.
fn text(cell: Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        cell => cell.key().unwrap_or_default().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<NodeTable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nodes.csv");
        std::fs::write(&path, text).unwrap();
        NodeTable::read(&path)
    }

    fn names(text: &str) -> Vec<String> {
        let table = table(text).unwrap();
        table.names().map(str::to_owned).collect()
    }

    #[test]
    fn the_header_says_which_columns_are_which() {
        for text in [
            "Id,Label,timeset\n7,Ann,\n9,Bob,\n",
            "label,age,node_id\nAnn,30,7\nBob,31,9\n",
            "number\tname\n7\tAnn\n9\tBob\n",
            "7,Ann\n9,Bob\n",
        ] {
            let mut table = table(text).unwrap();
            assert_eq!(table.names().collect::<Vec<_>>(), ["Ann", "Bob"], "{text}");
            assert!(matches!(table.name("9"), Ok("Bob")), "{text}");
            assert!(matches!(table.name("8"), Ok("8")), "{text}");
        }
        assert_eq!(names("id,age\n7,30\n"), ["7"]);
    }

    #[test]
    fn names_differ() {
        let text = "id,label\n1,Ann\n2,Bob\n3,Ann\n4,\n5,\n";
        assert_eq!(names(text), ["Ann (1)", "Bob", "Ann (3)", "4", "5"]);
        let notes: Vec<String> = table(text)
            .unwrap()
            .notes()
            .iter()
            .map(Note::to_string)
            .collect();
        assert!(notes[0].starts_with("2 nodes have a label"), "{notes:?}");
        assert!(notes[1].starts_with("2 nodes have no label"), "{notes:?}");
    }

    #[test]
    fn what_would_mix_nodes_up_is_refused() {
        for (text, words) in [
            ("id,label\n1,a\n1,b\n", "line 3: '1' is the id of two nodes"),
            ("id,label\n,a\n", "line 2: the id of a node is empty"),
            ("id,label\n1,\n2,1\n", "'1' would be the name of two nodes"),
            ("a,b,c\n1,2,3\n", "which column holds the ids"),
        ] {
            let problem = table(text).err().unwrap().to_string();
            assert!(problem.contains(words), "{problem}");
        }
        let mut table = table("id,label\n1,2\n").unwrap();
        let problem = table.name("2").err().unwrap();
        let Problem::Record(problem) = problem else {
            panic!()
        };
        assert!(
            problem.contains("it is the name of the node '1'"),
            "{problem}"
        );
    }
}
