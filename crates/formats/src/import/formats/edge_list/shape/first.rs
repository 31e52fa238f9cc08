//! The first line of a list, and its titles in a comment.

use super::super::super::super::columns::{is_quantity, known};
use super::{Row, Shape, is_number};
use webrank_tables::text::separator::Separator;

impl Shape {
    /// Makes a comment above three columns or more, or above nodes and a quantity of each, their header, if
    /// it has a title for each; true if it does. Between blanks, words are titles only if they name source and
    /// target.
    pub(in super::super) fn take_titles(&mut self, comment: &str) -> bool {
        let text = comment.trim_start_matches(['#', '%']).trim();
        let separator = self.text.separator;
        let fields: Vec<String> = match separator {
            Separator::Blanks => text.split_whitespace().map(str::to_owned).collect(),
            _ => text
                .split(separator.text())
                .map(|it| it.trim().to_owned())
                .collect(),
        };
        let names: Vec<&str> = fields.iter().map(String::as_str).collect();
        let is_of_nodes = || names.len() == 2 && is_quantity(names[1]);
        let are_titles = (self.width > 2 || is_of_nodes())
            && fields.len() == self.width
            && !fields
                .iter()
                .any(|field| field.is_empty() || is_number(field))
            && (separator != Separator::Blanks || known(&names).is_some() || text.contains('\t'));
        if are_titles {
            let row = Row {
                line: 0,
                was_quoted: false,
                fields,
            };
            self.records.insert(0, row);
        }
        are_titles
    }

    /// This shape without lines that repeat the first one, if it has words alone, as the header of joined files.
    pub(in super::super) fn without_copies(mut self) -> Self {
        let header = self
            .records
            .first()
            .map(|row| (row.line, row.fields.clone()));
        let header = header.filter(|(_, fields)| !fields.iter().any(|field| is_number(field)));
        if let Some((line, fields)) = header {
            self.records
                .retain(|row| row.line == line || row.fields != fields);
        }
        self
    }

    /// True if the first line has numbers alone.
    pub(in super::super) fn starts_with_numbers(&self) -> bool {
        let first = self.records.first();
        self.records.len() > 1 && first.is_some_and(|row| row.fields.iter().all(|it| is_number(it)))
    }
}
