//! Columns of tables as attributes of nodes.
//!
//! A cell that is missing, NaN or infinite is no attribute. Names of columns are changed where a format
//! cannot hold them, or has something else of that name.

use super::Exported;
use std::borrow::Cow;
use webrank_base::Node;
use webrank_tables::table::{Cells, NamedColumn};

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'a> {
    Number(f64),
    Whole(i64),
    Flag(bool),
    Text(&'a str),
}

impl<'a> Value<'a> {
    fn of(field: &NamedColumn<'a>, row: usize) -> Option<Self> {
        if !field.is_present(row) {
            return None;
        }
        Some(match &field.cells {
            Cells::Numbers(number) => Value::Number(number(row)).finite()?,
            Cells::Counts(count) => Value::Whole(count(row).into()),
            Cells::Long(number) => Value::Whole(number(row)),
            Cells::Flags(flag) => Value::Flag(flag(row)),
            Cells::Names(text) => Value::Text(text(row)),
        })
    }

    fn finite(self) -> Option<Self> {
        match self {
            Value::Number(number) if !number.is_finite() => None,
            value => Some(value),
        }
    }

    /// The value as text, without quotation marks.
    pub(super) fn text(self) -> Cow<'a, str> {
        match self {
            Value::Number(number) => ryu::Buffer::new().format(number).to_owned().into(),
            Value::Whole(number) => number.to_string().into(),
            Value::Flag(flag) => flag.to_string().into(),
            Value::Text(text) => text.into(),
        }
    }
}

/// The type of a column, in the words of GraphML and GEXF.
#[cfg(feature = "xml")]
pub(super) fn kind(field: &NamedColumn) -> &'static str {
    match field.cells {
        Cells::Numbers(_) => "double",
        Cells::Counts(_) | Cells::Long(_) => "long",
        Cells::Flags(_) => "boolean",
        Cells::Names(_) => "string",
    }
}

impl Exported<'_> {
    /// The attributes of a node, by the numbers of their columns.
    pub(super) fn attributes(&self, node: Node) -> impl Iterator<Item = (usize, Value<'_>)> {
        let columns = self.columns.iter().enumerate();
        columns.filter_map(move |(i, field)| Some((i, Value::of(field, node as usize)?)))
    }

    /// The names of the attributes, all different: letters, digits and underscores after a letter, as GML
    /// and DOT have them without quotation marks, and none that the format has `taken`.
    pub(super) fn identifiers(&self, taken: &[&str]) -> Vec<String> {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        };
        let mut identifiers = self.names_of_columns(|name| {
            let name: String = name.chars().map(plain).collect();
            match name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                true => name,
                false => format!("column_{name}"),
            }
        });
        make_different(&mut identifiers, taken);
        identifiers
    }

    /// The names of the attributes as they are, all different, and none that the format has `taken`.
    pub(super) fn titles(&self, taken: &[&str]) -> Vec<String> {
        let mut titles = self.names_of_columns(str::to_owned);
        make_different(&mut titles, taken);
        titles
    }

    fn names_of_columns(&self, name: impl Fn(&str) -> String) -> Vec<String> {
        self.columns.iter().map(|field| name(&field.name)).collect()
    }
}

/// Numbers names that are taken: `label_2`.
fn make_different(names: &mut [String], taken: &[&str]) {
    for i in 0..names.len() {
        let (before, rest) = names.split_at_mut(i);
        let name = &mut rest[0];
        let is_taken = |name: &str| taken.contains(&name) || before.iter().any(|it| it == name);
        if is_taken(name) {
            let others = (2..).map(|number| format!("{name}_{number}"));
            *name = others
                .into_iter()
                .find(|other| !is_taken(other))
                .expect("endless");
        }
    }
}
