//! A first line that counts nodes and arcs, as many programs want it.

use super::shape::{Row, Shape};

/// What the first line counts, if it does.
pub(super) struct Sizes {
    /// The line, as messages show it.
    shown: String,
    pub(super) line: u64,
    arcs: u64,
}

/// A first arc may have such numbers by chance if there are few arcs.
const FEW: u64 = 10;

impl Sizes {
    /// The sizes that the first line of a list without a header may give: the number of nodes, or those of rows
    /// and columns, and the number of arcs. No node of the first lines is larger, if nodes are numbers.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let (first, below) = shape.records.split_first()?;
        let number = |text: &String| text.trim().parse::<u64>().ok();
        let sizes: Vec<u64> = first.fields.iter().map_while(number).collect();
        let (arcs, nodes) = match sizes[..] {
            [nodes, arcs] => (arcs, nodes),
            [rows, columns, arcs] => (arcs, rows.max(columns)),
            _ => return None,
        };
        let is_node = |text: &String| number(text).is_none_or(|it| it <= nodes);
        let fits = |row: &Row| row.fields.len() > 1 && row.fields.iter().take(2).all(is_node);
        let is_name = |row: &Row| row.fields.iter().take(2).any(|text| number(text).is_none());
        let is_much = arcs > nodes || arcs >= FEW || below.iter().all(is_name);
        (is_much && !below.is_empty() && below.iter().all(fits)).then(|| Sizes {
            shown: first.fields.join(" "),
            line: first.line,
            arcs,
        })
    }

    /// Refuses a list with as many other lines as the first one says; `marked` of them may be comments.
    ///
    /// # Errors
    /// If there are so many.
    pub(super) fn check(&self, lines: u64, marked: u64) -> Result<(), String> {
        let others = lines.saturating_sub(1);
        match (others.saturating_sub(marked)..=others).contains(&self.arcs) {
            true => Err(format!(
                "the first line, {}, may count nodes and arcs, because {} lines follow: --header leaves it \
                 out, --header=false reads it as an arc",
                self.shown, self.arcs
            )),
            false => Ok(()),
        }
    }
}
