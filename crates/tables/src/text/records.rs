//! Reads the records of a text file, with their lines. All text is read here, by the rules in
//! [`crate::text`].
//!
//! A line without quotation marks is split in the buffer. Lines with quotation marks, in files that
//! may have them, are parsed by the state machine of the csv crate. No record is longer than
//! [`input::MAX_LINE`], so a file without line ends, or with a quotation mark that is never closed,
//! is an error before it fills the memory. It makes no difference where reads of a pipe happen to
//! end.

mod record;

pub use record::Record;

use super::checksums::Checksums;
use super::input;
use super::lines::{Line, Lines};
use super::separator::{Separator, unquote_blanks};
use memchr::memchr;
use std::io::{Cursor, Read};
use std::ops::Range;
use std::path::Path;
use webrank_base::error::{Error, Result};

/// The records of a text file, one after the other.
pub struct Records {
    lines: Lines,
    /// None until the first line has shown it.
    separator: Option<Separator>,
    quotation: Quotation,
    comments: bool,
    /// The first record that is no comment ends them.
    comments_end: bool,
    /// Carriage returns end lines, whatever separates fields.
    returns_end_lines: bool,
    /// Records without comments have as many fields as the first one.
    is_even: bool,
    /// Lines that start with `%` are comments, too, if the first one does.
    percent: Percent,
    /// How many fields each record of a table must have.
    width: Option<usize>,
    parser: Option<Box<csv_core::Reader>>,
    current: Current,
}

/// Where quotation marks enclose fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotation {
    /// Where fields are separated by commas, semicolons or bars.
    BetweenCommas,
    /// Between tabs, too.
    Always,
    /// Between blanks, too.
    Everywhere,
}

/// Whether `%` starts comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Percent {
    Never,
    /// If the first line starts with it.
    Perhaps,
    Always,
}

/// The layout that the start of a file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLayout {
    /// The separator of fields.
    pub separator: Separator,
    /// Quotation marks enclose fields between tabs and blanks, too.
    pub is_quoted: bool,
    /// There are no comments below the first record.
    pub comments_end: bool,
    /// Carriage returns end lines.
    pub returns_end_lines: bool,
}

/// The record that was read last.
#[derive(Default)]
struct Current {
    line: u64,
    is_comment: bool,
    /// Whether its fields are in `unquoted`, not in the buffer.
    is_unquoted: bool,
    fields: Vec<Range<usize>>,
    unquoted: Vec<u8>,
    ends: Vec<usize>,
}

impl Records {
    /// A list: its first line, comments aside, shows what separates fields.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn list(path: &Path) -> Result<Self> {
        Self::list_noting(path, &Checksums::default())
    }

    /// [`Self::list`] that notes the checksum of the file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn list_noting(path: &Path, checksums: &Checksums) -> Result<Self> {
        Ok(Self::of(path, input::open_noting(path, checksums)?))
    }

    /// A table: the first record is the header, fields may be in quotation marks whatever separates
    /// them, and there are no comments.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn table(path: &Path) -> Result<Self> {
        Ok(Self::list(path)?.with_header())
    }

    /// A list from memory.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of("text".as_ref(), Box::new(Cursor::new(bytes.into())))
    }

    /// A list from anything; `path` is for messages.
    pub fn of(path: &Path, input: Box<dyn Read + Send>) -> Self {
        let path = if path.as_os_str() == "-" {
            "standard input".as_ref()
        } else {
            path
        };
        Records {
            lines: Lines::new(path, input),
            separator: None,
            quotation: Quotation::BetweenCommas,
            comments: true,
            comments_end: false,
            returns_end_lines: false,
            is_even: true,
            percent: Percent::Never,
            width: None,
            parser: None,
            current: Current::default(),
        }
    }

    /// Records whose lines are one field each.
    pub fn whole_lines(mut self) -> Self {
        self.separator = Some(Separator::None);
        self
    }

    /// Records as in [`Self::table`].
    pub fn with_header(mut self) -> Self {
        self.quotation = Quotation::Always;
        self.comments = false;
        self
    }

    /// Records with comments that start with `%` if the first line does.
    pub fn with_percent(mut self) -> Self {
        self.percent = Percent::Perhaps;
        self
    }

    /// Records with comments that start with `%`, and fields that this separates whatever the first line
    /// shows.
    pub fn separated_by(mut self, separator: Separator) -> Self {
        self.percent = Percent::Always;
        self.separator = Some(separator);
        self
    }

    /// Records as the start of a file has shown them: `comments_end` where the first record is, quotation
    /// marks enclose fields if they do so between commas or if `is_quoted`, and records may have different
    /// numbers of fields.
    pub fn laid_out(mut self, layout: TextLayout) -> Self {
        self.separator = Some(layout.separator);
        self.quotation = match layout.is_quoted {
            true => Quotation::Everywhere,
            false => Quotation::BetweenCommas,
        };
        self.comments_end = layout.comments_end;
        self.returns_end_lines = layout.returns_end_lines;
        self.is_even = false;
        self
    }

    /// The first bytes of the file, without a byte order mark, and whether they are all: at least
    /// `wanted` if there are so many. For a file of which nothing was read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn first_bytes(&mut self, wanted: usize) -> Result<(&[u8], bool)> {
        let mut is_whole = self.lines.first_byte()?.is_none();
        while !is_whole && self.lines.rest(0).len() < wanted {
            is_whole = !self.lines.fill()?;
        }
        let rest = self.lines.rest(0);
        is_whole &= rest.len() <= wanted;
        Ok((&rest[..rest.len().min(wanted)], is_whole))
    }

    /// Has comments below the first record, too, after [`Self::laid_out`].
    pub fn keep_comments(&mut self) {
        self.comments = true;
        self.comments_end = false;
    }

    /// An error in the file as a whole.
    pub fn refused(&self, problem: impl Into<String>) -> Error {
        Error::file(&self.lines.path, problem)
    }

    /// Records without comments.
    pub fn without_comments(mut self) -> Self {
        self.comments = false;
        self.width = None;
        self
    }

    /// Makes the record that was read last the header of a table with `columns` columns.
    pub fn continue_as_table(&mut self, separator: Separator, columns: usize) {
        self.separator = Some(separator);
        self.quotation = Quotation::Always;
        self.comments = false;
        self.width = Some(columns);
    }

    /// Reads the next record, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read, if a record is longer than [`input::MAX_LINE`], or if a
    /// quotation mark is never closed; in a table, if a record does not have as many fields as the
    /// header.
    pub fn advance(&mut self) -> Result<bool> {
        let Some((line, separator)) = self.next_line()? else {
            return Ok(false);
        };
        self.current.line = self.lines.number();
        self.current.is_comment = separator.is_none();
        self.current.is_unquoted = false;
        let separator = separator.unwrap_or(Separator::None);
        let text = &self.lines.buffer()[line.text.clone()];
        if self.is_quoted(separator) && memchr(b'"', text).is_some() {
            match separator {
                Separator::Blanks => self.unquote_blanks(&line),
                _ => self.unquote(separator)?,
            }
        } else {
            let fields = &mut self.current.fields;
            fields.clear();
            let start = line.text.start;
            separator.split(text, |from, to| fields.push(start + from..start + to));
            self.lines.skip(&line);
        }
        self.check_width()?;
        self.comments &= !self.comments_end || self.current.is_comment;
        Ok(true)
    }

    /// The next line that is not blank, and what separates its fields, unless it is a comment.
    fn next_line(&mut self) -> Result<Option<(Line, Option<Separator>)>> {
        while let Some(first) = self.lines.first_byte()? {
            if self.percent == Percent::Perhaps {
                // %C3 starts a name.
                let is_byte = matches!(self.lines.rest(0), [b'%', a, b, ..]
                    if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
                self.percent = if first == b'%' && !is_byte {
                    Percent::Always
                } else {
                    Percent::Never
                };
            }
            let is_mark = first == b'#' || first == b'%' && self.percent == Percent::Always;
            let is_comment = self.comments && is_mark;
            let separator = self.separator.filter(|_| !is_comment);
            let is_quoted = separator.is_some_and(|separator| self.is_quoted(separator));
            let returns_end_lines = self.returns_end_lines || is_quoted;
            let line = self.lines.line(returns_end_lines)?;
            let text = &self.lines.buffer()[line.text.clone()];
            if text.iter().all(|byte| b" \t".contains(byte)) {
                self.lines.skip(&line);
                continue;
            }
            if is_comment {
                return Ok(Some((line, None)));
            }
            if separator.is_some() {
                return Ok(Some((line, separator)));
            }
            // The line is read again: how lines end depends on what separates fields.
            self.separator = Some(Separator::of(text));
        }
        Ok(None)
    }

    fn is_quoted(&self, separator: Separator) -> bool {
        match self.quotation {
            Quotation::BetweenCommas => separator.is_mark(),
            Quotation::Always => separator.is_mark() || separator == Separator::Tab,
            Quotation::Everywhere => separator != Separator::None,
        }
    }

    fn check_width(&mut self) -> Result<()> {
        let found = self.current.fields.len();
        match self.width {
            _ if self.comments || !self.is_even => Ok(()),
            Some(width) if width != found => Err(self.record().wrong(format!(
                "not a table: {found} fields, but the header has {width}"
            ))),
            _ => {
                self.width = Some(found);
                Ok(())
            }
        }
    }

    /// An error in a line that was read.
    pub fn wrong(&self, line: u64, problem: impl Into<String>) -> Error {
        Error::line(&self.lines.path, line, problem)
    }

    /// The record that was read last.
    pub fn record(&self) -> Record<'_> {
        Record { of: self }
    }

    /// Splits a line whose fields are separated by blanks, some of them in quotation marks.
    fn unquote_blanks(&mut self, line: &Line) {
        let text = &self.lines.buffer()[line.text.clone()];
        let Current { unquoted, ends, .. } = &mut self.current;
        unquoted.clear();
        ends.clear();
        unquote_blanks(text, unquoted, ends);
        let fields = ends.len();
        self.lines.skip(line);
        self.current.take_unquoted(fields);
    }

    /// Parses the next record, which has quotation marks and may have several lines.
    fn unquote(&mut self, separator: Separator) -> Result<()> {
        let mut parser = self.parser.take().unwrap_or_else(|| new_parser(separator));
        let (mut read, mut written, mut fields) = (0, 0, 0);
        let mut at_end = false;
        loop {
            if !at_end && self.lines.rest(read).is_empty() {
                at_end = !self.lines.fill()?;
                continue;
            }
            // The last line may lack its line end, but a quotation mark must be closed.
            let rest = if at_end { b"\n" } else { self.lines.rest(read) };
            let Current { unquoted, ends, .. } = &mut self.current;
            let (result, r, w, f) =
                parser.read_record(rest, &mut unquoted[written..], &mut ends[fields..]);
            (read, written, fields) = (read + r, written + w, fields + f);
            match result {
                csv_core::ReadRecordResult::Record => break,
                csv_core::ReadRecordResult::OutputFull => double(unquoted),
                csv_core::ReadRecordResult::OutputEndsFull => double(ends),
                _ if at_end => {
                    return Err(self.record().wrong(
                        "a quotation mark is never closed; if it is part of a name, double it and \
                         put the name in quotation marks",
                    ));
                }
                _ => {}
            }
        }
        self.lines.skip_bytes(read - usize::from(at_end));
        self.current.take_unquoted(fields);
        self.parser = Some(parser);
        Ok(())
    }
}

impl Current {
    /// Makes the first `fields` parsed fields those of the record.
    fn take_unquoted(&mut self, fields: usize) {
        let ends = &self.ends[..fields];
        let starts = std::iter::once(0).chain(ends.iter().copied());
        self.fields.clear();
        self.fields
            .extend(starts.zip(ends).map(|(start, &end)| start..end));
        self.is_unquoted = true;
    }
}

fn double<T: Copy + Default>(buffer: &mut Vec<T>) {
    buffer.resize((2 * buffer.len()).max(64), T::default());
}

fn new_parser(separator: Separator) -> Box<csv_core::Reader> {
    let delimiter = separator.text().as_bytes()[0];
    let mut parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    // After a first read, the parser does not look for a byte order mark any more.
    parser.read_record(b"\n", &mut [0], &mut [0]);
    Box::new(parser)
}
