//! Which columns of a table of nodes hold ids and labels.
//!
//! Their names say it, Neo4j's too (`personId:ID(Person)`, `name:string`), or there are two columns, or one,
//! without a header.

use super::super::Note;
use std::path::Path;
use webrank_base::shown::quoted;

/// How columns of ids are called, in small letters without other signs.
const IDS: [&str; 5] = ["id", "node", "nodeid", "key", "vertex"];
/// How columns of labels are called.
const LABELS: [&str; 5] = ["label", "name", "title", "nodelabel", "nodename"];

/// The columns that are read.
pub(super) struct Columns {
    pub(super) id: usize,
    pub(super) label: Option<usize>,
    /// False if the first row is a node.
    pub(super) has_header: bool,
}

/// A name in small letters, without other signs: `id` for what Neo4j calls so.
fn plain(name: &str) -> String {
    let name = match name.rsplit_once(':') {
        Some((_, kind)) if kind == "ID" || kind.starts_with("ID(") => "id",
        // Labels of Neo4j are kinds of nodes, not their names.
        Some(("", _)) => "",
        Some((name, _)) => name,
        None => name,
    };
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl Columns {
    pub(super) fn of(header: &[String]) -> Result<Self, String> {
        let plain: Vec<String> = header.iter().map(|name| plain(name)).collect();
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

    pub(super) fn notes(&self, header: &[String], path: &Path) -> Vec<Note> {
        let (file, id) = (path.display(), quoted(&header[self.id]));
        let named = self.label.map(|label| quoted(&header[label]));
        let text = match named {
            Some(label) => format!("ids in column {id} and names in column {label} of {file}"),
            None => format!("ids in column {id} of {file}"),
        };
        let mut notes = match self.has_header {
            true => vec![Note::understood("nodes", text)],
            false => Vec::new(),
        };
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
