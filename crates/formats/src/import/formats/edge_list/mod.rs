//! Edge lists: one arc a line, by the rules of [`webrank_tables::text`].
//!
//! A line holds source and target, and perhaps a weight. A line with a single field declares a node.
//! The first lines show what separates fields ([`shape`]), which columns hold the arcs ([`layout`]),
//! and whether there is a header ([`header`]). Lines that start with `#` above the first arc are
//! comments, and so are those that start with `%` if the first line does; in files of SNAP and KONECT
//! they are comments everywhere. Their words about the graph are understood.

mod comment;
mod dicts;
mod direction;
mod header;
mod layout;
mod node_lines;
mod reads_back;
mod shape;
mod sizes;
mod told;

pub(super) use self::direction::{Direction, whole};
pub(super) use self::layout::Layout;
pub(in crate::import) use self::node_lines::NodeLines;
pub(crate) use self::reads_back::reads_back;

use self::comment::Comment;
use self::shape::{NoShape, Row, Shape};
use self::sizes::Sizes;
use self::told::Told;
use super::super::Input;
use super::super::columns::{ArcColumns, ColumnChoice};
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{FIRST, First, ONE_FIELD as ONE_FIELD_REASON, Verdict};
use super::text;
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records, TextLayout};
use webrank_tables::text::separator::{Separator, unquoted};

/// A list of arcs is one whose first lines agree on what separates two fields or more.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    if dicts::are_dicts(first.text_bytes()) {
        return Verdict::Is("pairs with data in braces, as networkx writes them".into());
    }
    let (bytes, separator) = shape::said(first.text_bytes());
    match Shape::of(bytes, first.is_whole, (separator, false)) {
        Ok(shape) => {
            let separators = shape.text.separator.plural();
            let (width, rows) = (shape.width, shape.below().len());
            Verdict::Is(
                format!("{width} fields between {separators} in most of {rows} lines").into(),
            )
        }
        // The reader says what is wrong, or that there is nothing.
        Err(NoShape::Empty) => Verdict::Is("nothing but comments".into()),
        Err(NoShape::OneColumn) => Verdict::Is(ONE_FIELD_REASON.into()),
        Err(NoShape::Other(problem)) => Verdict::IsClose(problem.into()),
    }
}

/// An edge list, opened up to its first arc.
struct EdgeList {
    records: Records,
    columns: ArcColumns,
    trims: bool,
    has_decimals: bool,
    /// True if the first arc was read already.
    is_at_arc: bool,
    sizes: Option<Sizes>,
    /// The fields of the header, if there is one: joined files have it again.
    header: Option<Row>,
    notes: Vec<Note>,
    told: Told,
}

/// Finds out which columns a list has.
///
/// # Errors
/// If the first lines cannot be read, or if the columns cannot be told.
pub(in crate::import) fn open(mut records: Records, choice: &ColumnChoice) -> Result<Input> {
    let (bytes, is_whole) = records.first_bytes(FIRST as usize)?;
    if choice.columns.is_none() && dicts::are_dicts(bytes) {
        return Ok(dicts::open(bytes.into(), records, choice.unweighted));
    }
    let (bytes, said) = shape::said(bytes);
    let wanted = choice.separator.or(said);
    let shape = match Shape::of(bytes, is_whole, (wanted, choice.is_list)) {
        Ok(shape) => Some(shape.without_copies()),
        Err(NoShape::Empty) => None,
        Err(NoShape::OneColumn) if choice.allows_no_arcs => None,
        Err(NoShape::OneColumn) => {
            if memchr::memmem::find(bytes, b"::").is_some() {
                return Err(records.refused(
                    "has fields between '::', which is not read; make tabs of them, as by sed 's/::/\\t/g'",
                ));
            }
            return Err(records.refused(
                "has one column, but arcs need a source and a target; --separator says what \
                 separates fields, and --allow-empty reads a list of nodes without arcs",
            ));
        }
        Err(NoShape::Other(problem)) => return Err(records.refused(format!("is {problem}"))),
    };
    let text = shape.as_ref().map_or(ONE_FIELD, |shape| shape.text);
    let mut list = EdgeList {
        records: records.with_percent().laid_out(text),
        columns: ArcColumns::default(),
        trims: false,
        has_decimals: false,
        is_at_arc: false,
        sizes: None,
        header: None,
        notes: Vec::new(),
        told: Told::new(text.separator == Separator::Comma),
    };
    if said.is_some() {
        list.records.advance()?;
    }
    let (mut is_directed, mut has_time, mut keeps_comments) = (true, false, false);
    let mut last_comment = String::new();
    while list.records.advance()? {
        let record = list.records.record();
        if !record.is_comment() {
            list.is_at_arc = true;
            break;
        }
        list.told.comments += 1;
        last_comment = String::from_utf8_lossy(record.bytes(0)).into_owned();
        let says = Comment::of(&last_comment);
        is_directed &= !says.is_undirected;
        has_time |= says.is_konect;
        keeps_comments |= says.is_konect || says.is_snap;
        if says.is_bipartite {
            return Err(record.wrong(
                "a bipartite graph: its left and right nodes have the same numbers; give them \
                 names of their own, such as left1 and right1, first",
            ));
        }
    }
    if keeps_comments {
        list.records.keep_comments();
    }
    if let Some(mut shape) = shape.filter(|_| list.is_at_arc) {
        list.lay_out(&mut shape, choice, (&last_comment, has_time))?;
    }
    Ok(Input {
        weighted: list.columns.weight.is_some(),
        is_directed,
        is_numbered: false,
        read: Box::new(move |to| list.read(to)),
    })
}

/// True for a line that starts with a lone mark of comments, where a comment stood above the first arc.
fn is_remark(record: &Record) -> bool {
    let is_lone = |rest: &[u8]| rest.first().is_none_or(|byte| b" \t".contains(byte));
    let first = record.bytes(0).strip_prefix(b"#");
    !record.was_quoted() && first.is_some_and(is_lone)
}

/// True for a line that repeats the header.
fn is_again(record: &Record, header: &Row) -> bool {
    let mut fields = header.fields.iter().enumerate();
    record.len() == header.fields.len()
        && record.was_quoted() == header.was_quoted
        && fields.all(|(field, name)| record.bytes(field) == name.as_bytes())
}

/// Lines without a separator.
const ONE_FIELD: TextLayout = TextLayout {
    separator: Separator::Tab,
    is_quoted: false,
    comments_end: true,
    returns_end_lines: false,
};

impl EdgeList {
    /// Finds columns and a header; the first record was read, below `comment`. The list is then at its first
    /// arc, or before it.
    fn lay_out(
        &mut self,
        shape: &mut Shape,
        choice: &ColumnChoice,
        (comment, has_time): (&str, bool),
    ) -> Result<()> {
        let is_titled = choice.is_there.is_none() && shape.take_titles(comment);
        let mut choice = match is_titled {
            true => choice.with_header(),
            false => choice.clone(),
        };
        let sizes = Sizes::of(shape).filter(|_| choice.is_there.is_none());
        let is_apart = sizes.as_ref().is_some_and(Sizes::is_apart);
        let is_left_out =
            !is_titled && choice.is_there == Some(true) && shape.starts_with_numbers();
        if is_apart || is_left_out {
            let first = shape.records.remove(0);
            self.notes
                .extend(is_left_out.then(|| Sizes::left_out(&first)));
            self.records.advance()?;
            choice.is_there = None;
        }
        let record = self.records.record();
        let layout = Layout::of(shape, &choice, has_time);
        let layout = layout.map_err(|problem| record.wrong(problem))?;
        self.notes.extend(layout.notes);
        self.notes
            .extend(sizes.as_ref().filter(|_| is_apart).map(Sizes::note));
        self.sizes = sizes.filter(|_| is_apart || !layout.has_header);
        self.header = layout.has_header.then(|| shape.records.remove(0));
        self.columns = layout.columns;
        self.trims = layout.trims;
        self.has_decimals = layout.has_decimals;
        self.is_at_arc = is_titled || !layout.has_header;
        Ok(())
    }

    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let (mut is_ready, mut lines) = (self.is_at_arc, 0);
        while is_ready || self.records.advance()? {
            is_ready = false;
            let record = self.records.record();
            if record.is_comment() {
                self.told.comments += 1;
                continue;
            }
            if self.told.comments > 0 && is_remark(&record) {
                self.told.remarks += 1;
                continue;
            }
            if self.header.as_ref().is_some_and(|it| is_again(&record, it)) {
                self.told.headers += 1;
                continue;
            }
            lines += 1;
            let names = (self.trims, self.has_decimals);
            let taken = self.columns.take(&record, names, &mut self.told, to);
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        if let Some(sizes) = &self.sizes {
            let others = u64::saturating_sub(lines, u64::from(!sizes.is_apart()));
            let checked = sizes.check(others, self.told.marked);
            checked.map_err(|problem| self.records.wrong(sizes.line, problem))?;
        }
        for note in self.notes {
            to.note(note);
        }
        self.told.tell(to);
        Ok(())
    }
}

impl ArcColumns {
    /// Gives the arc of a record.
    fn take(
        &self,
        record: &Record,
        (trims, has_decimals): (bool, bool),
        told: &mut Told,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let fields = record.len();
        if fields == 1 && self.most != Some(1) {
            return told.node(record, to);
        }
        if let Some(most) = self.most
            && fields > most
        {
            let problem = match self.weight {
                None if most == 2 => {
                    "more than two fields, where other lines have two; --columns says what they are, \
                     and --from adjacency reads lists of neighbours"
                }
                _ => "more fields than in the first line; --columns says what they are",
            };
            return Err(problem.to_owned().into());
        }
        if fields <= self.source.max(self.target) {
            return Err(format!("{fields} fields, too few for an arc").into());
        }
        told.marked += u64::from(record.bytes(0).first() == Some(&b'#') && !record.was_quoted());
        let mut node = |column: usize| {
            let name = text(record, column)?;
            if trims
                && name.starts_with(' ')
                && let Some(name) = unquoted(name)
            {
                return to.key(&name);
            }
            if record.was_quoted() {
                return to.key(name);
            }
            if name.contains('\r') {
                let problem = "a carriage return stands in a name without quotation marks: do all \
                               lines end in one way?";
                return Err(problem.to_owned().into());
            }
            let bare = name.trim_matches([' ', '\t']);
            told.padded += u64::from(!trims && bare.len() < name.len());
            if has_decimals && let Some(number) = whole(bare) {
                return to.key(&number.to_string());
            }
            to.key(bare)
        };
        let (source, target) = (node(self.source)?, node(self.target)?);
        let weight = match self.weight {
            None => 1.0,
            Some(column) if column >= fields => {
                let problem =
                    "no weight, where other lines have one; --unweighted reads no weights";
                return Err(problem.to_owned().into());
            }
            Some(column) => told.weight(record, column)?,
        };
        match self.direction {
            Some(column) if column < fields => {
                let direction = Direction::of(text(record, column).unwrap_or(""))?;
                direction.give(to, source, target, weight)
            }
            _ => to.arc(source, target, weight),
        }
    }
}

#[cfg(test)]
mod tests;
