//! The counts that are kept while arcs are read, and their notes.

use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver};
use super::super::{note, text};
use super::shape::decimal_comma;
use webrank_tables::text::records::Record;

/// The counts that are kept while arcs are read.
#[derive(Default)]
pub(super) struct Told {
    pub(super) comments: u64,
    /// Lines below the first arc that look like comments, and those that are some.
    pub(super) marked: u64,
    pub(super) remarks: u64,
    /// Lines that repeat the header.
    pub(super) headers: u64,
    /// Names with blanks around them.
    pub(super) padded: u64,
    /// Lines of one field.
    nodes: u64,
    /// Nodes of one-field lines in which other separators stand.
    mixed: u64,
    /// The line of the first of them.
    first_mixed: u64,
    decimals: Decimals,
    /// Commas separate fields: one in a number may be that of thousands.
    has_commas: bool,
}

/// The mark before the decimals of weights.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Decimals {
    #[default]
    Unknown,
    Point,
    Comma,
}

impl Told {
    /// Nothing yet; commas separate fields or do not.
    pub(super) fn new(has_commas: bool) -> Self {
        Told {
            has_commas,
            ..Told::default()
        }
    }

    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        if self.comments > 0 {
            to.note(Note::left_out(
                "comments",
                self.comments,
                "lines of comments",
            ));
        }
        let text = "lines below the first arc start with # and were taken for arcs, not comments";
        note(to, self.marked, Note::assumed("comments", text));
        let text = "lines below the first arc start with '# ' and were taken for comments";
        note(to, self.remarks, Note::assumed("comments", text));
        let text = "lines repeat the header, and were left out";
        note(to, self.headers, Note::left_out("header", 0, text));
        let text = "names without the blanks around them";
        note(to, self.padded, Note::left_out("blanks", 0, text));
        let text = "lines with one field declare nodes";
        note(to, self.nodes - self.mixed, Note::understood("nodes", text));
        let text = format!(
            "lines with one field declare nodes, though other separators stand in them, the first in \
             line {}",
            self.first_mixed
        );
        note(to, self.mixed, Note::assumed("separators", text));
        if self.decimals == Decimals::Comma {
            to.note(Note::understood("weights", "commas before decimals"));
        }
    }

    /// A weight, with a point or a comma before its decimals, but not both in one file.
    pub(super) fn weight(&mut self, record: &Record, column: usize) -> Result<f64, String> {
        let wrong = || format!("'{}' is not a number", record.shown(column).trim());
        let field = std::str::from_utf8(record.bytes(column)).map_err(|_| wrong())?;
        let (weight, decimals) = match field.trim().parse::<f64>() {
            Ok(weight) if field.contains('.') => (weight, Decimals::Point),
            Ok(weight) => return Ok(weight),
            Err(_) if self.has_commas => return Err(wrong()),
            Err(_) => (decimal_comma(field).ok_or_else(wrong)?, Decimals::Comma),
        };
        if self.decimals == Decimals::Unknown {
            self.decimals = decimals;
        }
        match self.decimals == decimals {
            true => Ok(weight),
            false => Err(format!(
                "{}: other weights have {} before their decimals",
                wrong(),
                if decimals == Decimals::Comma {
                    "a point"
                } else {
                    "a comma"
                }
            )),
        }
    }

    /// A line with one field, which declares a node.
    pub(super) fn node(&mut self, record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
        let name = text(record, 0)?;
        if !record.was_quoted() {
            if name.starts_with('#') && record.line() > 1 {
                return Err(
                    "starts with #, but comments stand above the first arc; put a name in \
                            quotation marks"
                        .to_owned()
                        .into(),
                );
            }
            if name.contains([',', ';', '|', '\t']) {
                if self.mixed == 0 {
                    self.first_mixed = record.line();
                }
                self.mixed += 1;
            }
        }
        self.nodes += 1;
        to.key(name).map(drop)
    }
}
