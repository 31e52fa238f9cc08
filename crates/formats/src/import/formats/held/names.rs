//! Which texts are the names of nodes that have ids, and perhaps labels.

use super::super::super::notes::Note;
use super::{Held, Interned};
use std::borrow::Cow;
use webrank_base::error::Result;
use webrank_base::shown::quoted;

/// The kind of names that nodes have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import::formats) enum Naming {
    /// Their ids.
    Ids,
    /// Their labels, if each has one and all are different; otherwise their ids.
    Labels,
    /// Labels as above, if ids are made up: numbers, perhaps after a letter.
    LabelsOfMadeUpIds,
    /// Nothing: nodes have numbers, which are their places.
    Numbers,
}

impl Held {
    /// The label of the node at a place; empty if it has none.
    pub(super) fn label(&self, place: usize) -> &str {
        let before = place.checked_sub(1);
        let start = before.map_or(0, |before| self.nodes[before].label_end);
        &self.labels[start..self.nodes[place].label_end]
    }

    /// The kind of names: ids, labels or numbers. Tells where labels are there and are not names.
    pub(super) fn decide(&mut self, naming: Naming) -> Result<Naming> {
        let have_ids = !self.nodes.is_empty() && self.nodes.iter().all(|node| node.id.is_some());
        let naming = match naming {
            Naming::Ids if have_ids || self.nodes.is_empty() => return Ok(Naming::Ids),
            Naming::LabelsOfMadeUpIds if have_ids && !self.are_made_up() => {
                return Ok(Naming::Ids);
            }
            Naming::Ids | Naming::Numbers => return Ok(Naming::Numbers),
            Naming::Labels | Naming::LabelsOfMadeUpIds => Naming::Labels,
        };
        if self.labels.is_empty() {
            return Ok(if have_ids || self.nodes.is_empty() {
                Naming::Ids
            } else {
                Naming::Numbers
            });
        }
        let Some(why) = self.why_labels_are_no_names()? else {
            return Ok(naming);
        };
        let (are, naming) = match have_ids {
            true => ("the ids are names", Naming::Ids),
            false => ("nodes have numbers from 0, in their order", Naming::Numbers),
        };
        self.note(Note::assumed("names", format!("{why}, so {are}")));
        Ok(naming)
    }

    /// Why labels cannot be names; none if they can.
    pub(super) fn why_labels_are_no_names(&self) -> Result<Option<String>> {
        let mut labels = Interned::default();
        for place in 0..self.nodes.len() {
            let label = self.label(place);
            if label.is_empty() {
                let line = self.nodes[place].line;
                return Ok(Some(format!("the node in line {line} has no label")));
            }
            if label.contains('\n') {
                let label = quoted(label);
                return Ok(Some(format!("the label {label} has several lines")));
            }
            if labels.number(label)? as usize != place {
                let label = quoted(label);
                return Ok(Some(format!("two nodes have the label {label}")));
            }
        }
        Ok(None)
    }

    fn are_made_up(&self) -> bool {
        let mut ids = self.nodes.iter().filter_map(|node| node.id);
        ids.all(|id| is_made_up(self.ids.text(id)))
    }
}

/// True for a number, perhaps after a letter, or a number with a sign.
fn is_made_up(id: &str) -> bool {
    let digits = id.strip_prefix(|first: char| first.is_ascii_alphabetic() || first == '-');
    let digits = digits.unwrap_or(id);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number as an id: whole ones have one text, however they are written.
pub(in crate::import::formats) fn whole_number(text: &str) -> Cow<'_, str> {
    if let Ok(number) = text.parse::<i128>() {
        return Cow::Owned(number.to_string());
    }
    match text.parse::<f64>() {
        // Beyond, numbers that differ may be one double.
        Ok(number) if number.fract() == 0.0 && number.abs() < (1u64 << 53) as f64 => {
            Cow::Owned((number as i64).to_string())
        }
        _ => Cow::Borrowed(text),
    }
}
