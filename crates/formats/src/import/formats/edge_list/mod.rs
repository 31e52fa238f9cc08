//! Edge lists: one arc a line, by the rules of [`webrank_tables::text`].
//!
//! A line holds source and target, and perhaps a weight. A line with a single field declares a node.
//! Lines that start with `#` are comments, and so are those that start with `%` if the first line
//! does. What comments of SNAP and KONECT say about the graph is understood.

use super::super::Input;
use super::super::columns::{ArcColumns, ColumnChoice};
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::text;
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records};

/// A list of arcs is text.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match first.bytes.contains(&0) {
        true => Verdict::No,
        false => Verdict::Is("text".into()),
    }
}

/// An edge list, opened up to its first arc.
struct EdgeList {
    records: Records,
    columns: ArcColumns,
    /// True if the first arc was read already.
    is_at_arc: bool,
}

/// Finds out which columns a list has.
///
/// # Errors
/// If the first lines cannot be read, or if the columns cannot be told.
pub(in crate::import) fn open(mut records: Records, header: &ColumnChoice) -> Result<Input> {
    let (mut is_directed, mut has_time) = (true, false);
    let mut columns = None;
    let mut is_at_arc = false;
    while columns.is_none() && records.advance()? {
        let record = records.record();
        if record.is_comment() {
            let says = Comment::of(&String::from_utf8_lossy(record.bytes(0)));
            is_directed &= !says.is_undirected;
            has_time |= says.is_konect;
            if says.is_bipartite {
                return Err(record.wrong(
                    "a bipartite graph: its left and right nodes have the same numbers; give them \
                     names of their own, such as left1 and right1, first",
                ));
            }
            continue;
        }
        let found = header.columns(&record, has_time);
        let found = found.map_err(|problem| record.wrong(problem))?;
        is_at_arc = !found.has_header;
        columns = Some(found.columns);
    }
    let columns = columns.unwrap_or_default();
    let weighted = columns.weight.is_some();
    let list = EdgeList {
        records,
        columns,
        is_at_arc,
    };
    Ok(Input {
        weighted,
        is_directed,
        is_numbered: false,
        read: Box::new(move |to| list.read(to)),
    })
}

impl EdgeList {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let mut is_ready = self.is_at_arc;
        while is_ready || self.records.advance()? {
            is_ready = false;
            let record = self.records.record();
            if record.is_comment() {
                continue;
            }
            let taken = self.columns.take(&record, to);
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        Ok(())
    }
}

impl ArcColumns {
    /// Gives the arc of a record.
    fn take(&self, record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
        let fields = record.len();
        if fields == 1 && self.most != Some(1) {
            return to.key(text(record, 0)?).map(drop);
        }
        if self.most.is_some_and(|most| fields > most) {
            let problem = match self.weight {
                None => {
                    "more than two fields; a line is 'source<TAB>target'; --columns says what \
                         the others are"
                }
                Some(_) => "more fields than in the first line; --columns says what they are",
            };
            return Err(problem.to_owned().into());
        }
        if fields <= self.source.max(self.target) {
            return Err(format!("{fields} fields, too few for an arc").into());
        }
        let source = to.key(text(record, self.source)?)?;
        let target = to.key(text(record, self.target)?)?;
        let weight = match self.weight {
            None => 1.0,
            Some(column) if column >= fields => return Err("no weight".to_owned().into()),
            Some(column) => record
                .number(column)
                .ok_or_else(|| format!("'{}' is not a number", record.shown(column).trim()))?,
        };
        to.arc(source, target, weight)
    }
}

/// What a comment says about the graph.
struct Comment {
    is_undirected: bool,
    is_bipartite: bool,
    is_konect: bool,
}

impl Comment {
    /// Reads the first line of a KONECT file (`% sym weighted`) or of a SNAP file
    /// (`# Undirected graph: ...`).
    fn of(text: &str) -> Self {
        let mut words = text.trim_start_matches(['#', '%']).split_whitespace();
        let is_percent = text.starts_with('%');
        let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let is_konect = is_percent && ["sym", "asym", "bip"].contains(&first);
        Comment {
            is_undirected: is_konect && first == "sym"
                || first == "Undirected" && second.starts_with("graph"),
            is_bipartite: is_konect && first == "bip",
            is_konect,
        }
    }
}

#[cfg(test)]
mod tests;
