//! Records out of a text file, with their lines: the one reader of all text (rules in
//! [`crate::graph::text`]).
//!
//! A line without quotation marks is split where it stands in the buffer; lines with such marks, in
//! files that may have them, are parsed by the state machine of the csv crate. No record is longer
//! than [`MAX_LINE`], so that a file without line ends, or with a quotation mark that is never closed,
//! is an error before it is a problem. Where reads of a pipe happen to end makes no difference.

use super::input::{self, MAX_LINE};
use super::separator::Separator;
use super::shown::shown;
use crate::error::{Error, Result};
use memchr::{memchr, memchr2};
use std::borrow::Cow;
use std::io::{Cursor, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The records of a text file, one after the other.
pub struct Records {
    /// For messages.
    path: PathBuf,
    input: Box<dyn Read + Send>,
    /// What was read: until `start`, lines that are done with; until `end`, what follows.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The number of the line at `start`.
    next_line: u64,
    /// Whether the line before ended in a carriage return, of which a line feed may be a part.
    after_return: bool,
    /// None until the first line has shown it.
    separator: Option<Separator>,
    quotation: Quotation,
    comments: bool,
    /// How many fields each record must have.
    width: Option<usize>,
    parser: Option<Box<csv_core::Reader>>,
    current: Current,
}

/// Where quotation marks enclose fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotation {
    BetweenCommas,
    Always,
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

/// A line in the buffer.
struct Line {
    /// Without its end.
    text: Range<usize>,
    /// Where the next one starts.
    next: usize,
}

impl Records {
    /// A list: its first line, comments aside, shows what separates fields.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn list(path: &Path) -> Result<Self> {
        Ok(Self::of(path, input::open(path)?))
    }

    /// A list of which each line is one field.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn lines(path: &Path) -> Result<Self> {
        Ok(Self::list(path)?.whole_lines())
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
        let path = match path.as_os_str() == "-" {
            true => "standard input".into(),
            false => path.to_owned(),
        };
        Records {
            path,
            input,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            next_line: 0,
            after_return: false,
            separator: None,
            quotation: Quotation::BetweenCommas,
            comments: true,
            width: None,
            parser: None,
            current: Current::default(),
        }
    }

    /// The same, as [`Self::lines`].
    pub fn whole_lines(mut self) -> Self {
        self.separator = Some(Separator::None);
        self
    }

    /// The same, as [`Self::table`].
    pub fn with_header(mut self) -> Self {
        self.quotation = Quotation::Always;
        self.comments = false;
        self
    }

    /// Takes the record that was read last for the header of a table with so many columns.
    pub fn continue_as_table(&mut self, separator: Separator, columns: usize) {
        self.separator = Some(separator);
        self.quotation = Quotation::Always;
        self.comments = false;
        self.width = Some(columns);
    }

    /// Reads the next record, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read, if a record is longer than [`MAX_LINE`], or a quotation mark
    /// never closed; in a table, if a record has not as many fields as the header.
    pub fn advance(&mut self) -> Result<bool> {
        let Some(line) = self.next_line()? else {
            return Ok(false);
        };
        self.current.is_unquoted = false;
        let text = &self.buffer[line.text.clone()];
        self.current.is_comment = self.comments && text.starts_with(b"#");
        let separator = match self.current.is_comment {
            true => Separator::None,
            false => self.separator.unwrap_or(Separator::Tab),
        };
        if self.is_quoted(separator) && memchr(b'"', text).is_some() {
            self.unquote(separator)?;
        } else {
            let fields = &mut self.current.fields;
            fields.clear();
            let start = line.text.start;
            separator.split(text, |from, to| fields.push(start + from..start + to));
            self.start = line.next;
            self.next_line += 1;
        }
        self.check_width()?;
        Ok(true)
    }

    /// An error in a line that was read.
    pub fn wrong(&self, line: u64, problem: impl Into<String>) -> Error {
        Error::line(&self.path, line, problem)
    }

    /// The record that was read last.
    pub fn record(&self) -> Record<'_> {
        Record { of: self }
    }

    fn is_quoted(&self, separator: Separator) -> bool {
        match self.quotation {
            Quotation::BetweenCommas => separator == Separator::Comma,
            Quotation::Always => matches!(separator, Separator::Comma | Separator::Tab),
        }
    }

    fn check_width(&mut self) -> Result<()> {
        let found = self.current.fields.len();
        match self.width {
            _ if self.comments => Ok(()),
            Some(width) if width != found => Err(self.record().wrong(format!(
                "not a table: {found} fields, but the header has {width}"
            ))),
            _ => {
                self.width = Some(found);
                Ok(())
            }
        }
    }

    /// The next line with anything but blanks; settles what separates fields.
    fn next_line(&mut self) -> Result<Option<Line>> {
        if self.next_line == 0 {
            self.begin()?;
        }
        loop {
            let first = self.first_byte()?;
            if std::mem::take(&mut self.after_return) && first == Some(b'\n') {
                self.start += 1;
                continue;
            }
            self.current.line = self.next_line;
            let is_comment = self.comments && first == Some(b'#');
            let returns_end_lines = !is_comment && self.separator.is_none_or(|s| self.is_quoted(s));
            let Some(mut line) = self.line(returns_end_lines)? else {
                return Ok(None);
            };
            let text = &self.buffer[line.text.clone()];
            if text.iter().all(|byte| b" \t".contains(byte)) {
                self.after_return = self.ended_in_return(&line);
                self.start = line.next;
                self.next_line += 1;
                continue;
            }
            if self.separator.is_none() && !is_comment {
                let separator = Separator::of(text);
                self.separator = Some(separator);
                if !self.is_quoted(separator)
                    && let Some(longer) = self.line(false)?
                {
                    line = longer;
                }
            }
            self.after_return = self.ended_in_return(&line);
            return Ok(Some(line));
        }
    }

    /// Skips a byte order mark.
    fn begin(&mut self) -> Result<()> {
        self.next_line = 1;
        while self.end < 3 && self.fill()? {}
        if self.buffer[..self.end].starts_with(b"\xef\xbb\xbf") {
            self.start = 3;
        }
        Ok(())
    }

    fn first_byte(&mut self) -> Result<Option<u8>> {
        if self.start == self.end && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.start]))
    }

    fn ended_in_return(&self, line: &Line) -> bool {
        line.next > line.text.end && self.buffer[line.next - 1] == b'\r'
    }

    /// The line at `start`, which is none at the end of the file.
    fn line(&mut self, returns_end_lines: bool) -> Result<Option<Line>> {
        let mut searched = 0;
        let (end, next) = loop {
            let rest = &self.buffer[self.start + searched..self.end];
            let found = match returns_end_lines {
                true => memchr2(b'\n', b'\r', rest),
                false => memchr(b'\n', rest),
            };
            if let Some(place) = found {
                let end = self.start + searched + place;
                break (end, end + 1);
            }
            searched = self.end - self.start;
            if !self.fill()? {
                break (self.end, self.end);
            }
        };
        if next == self.start {
            return Ok(None);
        }
        let mut text = self.start..end;
        // Where returns end lines there is none here.
        if self.buffer[text.clone()].ends_with(b"\r") {
            text.end -= 1;
        }
        Ok(Some(Line { text, next }))
    }

    /// Reads on; false at the end of the file. What is in the buffer may move, not what `start` and
    /// `end` say of it.
    fn fill(&mut self) -> Result<bool> {
        let pending = self.end - self.start;
        if pending > MAX_LINE {
            let problem = format!(
                "longer than {} MiB; is this a text file, and is every quotation mark closed?",
                MAX_LINE >> 20
            );
            return Err(self.wrong(self.next_line, problem));
        }
        if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, pending);
            if pending * 2 >= self.buffer.len() {
                let length = (2 * self.buffer.len()).max(BUFFER);
                self.buffer.resize(length, 0);
            }
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(bytes) => {
                    self.end += bytes;
                    return Ok(bytes > 0);
                }
                Err(problem) if problem.kind() == ErrorKind::Interrupted => {}
                Err(problem) => return Err(Error::io(&self.path, "cannot read", problem)),
            }
        }
    }

    /// Parses the record at `start`, which has quotation marks and may have several lines.
    fn unquote(&mut self, separator: Separator) -> Result<()> {
        let mut parser = self.parser.take().unwrap_or_else(|| new_parser(separator));
        let (mut read, mut written, mut fields) = (0, 0, 0);
        let mut at_end = false;
        loop {
            if self.start + read == self.end && !at_end {
                at_end = !self.fill()?;
                continue;
            }
            // The last line may lack its end, a quotation mark may not lack its like.
            let rest = match at_end {
                true => &b"\n"[..],
                false => &self.buffer[self.start + read..self.end],
            };
            let Current { unquoted, ends, .. } = &mut self.current;
            let (result, r, w, f) =
                parser.read_record(rest, &mut unquoted[written..], &mut ends[fields..]);
            (read, written, fields) = (read + r, written + w, fields + f);
            match result {
                csv_core::ReadRecordResult::Record => break,
                csv_core::ReadRecordResult::OutputFull => {
                    unquoted.resize((2 * unquoted.len()).max(1 << 10), 0);
                }
                csv_core::ReadRecordResult::OutputEndsFull => {
                    ends.resize((2 * ends.len()).max(8), 0);
                }
                _ if at_end => {
                    let problem = "a quotation mark is never closed; close it, or double it and put \
                                   the field in quotation marks if it is a part of the name";
                    return Err(self.record().wrong(problem));
                }
                _ => {}
            }
        }
        let Current {
            fields: ranges,
            ends,
            is_unquoted,
            ..
        } = &mut self.current;
        ranges.clear();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        ranges.extend(
            starts
                .zip(&*ends)
                .take(fields)
                .map(|(start, &end)| start..end),
        );
        *is_unquoted = true;
        let read = read - usize::from(at_end);
        let bytes = &self.buffer[self.start..self.start + read];
        self.after_return = bytes.ends_with(b"\r");
        let feeds = memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.next_line += feeds + u64::from(self.after_return);
        self.start += read;
        self.parser = Some(parser);
        Ok(())
    }
}

fn new_parser(separator: Separator) -> Box<csv_core::Reader> {
    let delimiter = separator.text().as_bytes()[0];
    let mut parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    // A parser that has read does not take the first letters of a record for a byte order mark.
    parser.read_record(b"\n", &mut [0], &mut [0]);
    Box::new(parser)
}

/// A record of a file.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    of: &'a Records,
}

impl<'a> Record<'a> {
    /// The number of fields.
    #[allow(clippy::len_without_is_empty, reason = "a record has a field")]
    pub fn len(&self) -> usize {
        self.of.current.fields.len()
    }

    /// True if the line is a comment, which is its only field.
    pub fn is_comment(&self) -> bool {
        self.of.current.is_comment
    }

    /// True if quotation marks have enclosed fields, or could have: what is left are letters.
    pub fn is_quoted(&self) -> bool {
        let separator = self.of.separator;
        separator.is_some_and(|separator| self.of.is_quoted(separator))
    }

    /// The bytes of a field.
    ///
    /// # Panics
    /// If the record has no such field.
    pub fn bytes(&self, field: usize) -> &'a [u8] {
        let current = &self.of.current;
        let text = match current.is_unquoted {
            true => &current.unquoted,
            false => &self.of.buffer,
        };
        &text[current.fields[field].clone()]
    }

    /// A field as it stands, blanks included.
    ///
    /// # Errors
    /// If it is not UTF-8.
    ///
    /// # Panics
    /// If the record has no such field.
    pub fn text(&self, field: usize) -> Result<&'a str> {
        std::str::from_utf8(self.bytes(field))
            .map_err(|_| self.wrong("is not UTF-8; convert the file to UTF-8"))
    }

    /// Some fields, and what separates them.
    ///
    /// # Errors
    /// If they are not UTF-8.
    pub fn joined(&self, fields: Range<usize>) -> Result<Cow<'a, str>> {
        if fields.len() == 1 {
            return Ok(Cow::Borrowed(self.text(fields.start)?));
        }
        let separator = self.of.separator.unwrap_or(Separator::Tab).text();
        let fields = fields.map(|field| self.text(field));
        let fields: Vec<&str> = fields.collect::<Result<_>>()?;
        Ok(Cow::Owned(fields.join(separator)))
    }

    /// The number that a field is, if it is one.
    pub fn number(&self, field: usize) -> Option<f64> {
        let text = std::str::from_utf8(self.bytes(field)).ok()?;
        text.trim().parse().ok()
    }

    /// A field as messages quote it.
    pub fn shown(&self, field: usize) -> String {
        shown(&String::from_utf8_lossy(self.bytes(field)))
    }

    /// The line, counted from 1, where the record starts.
    pub fn line(&self) -> u64 {
        self.of.current.line
    }

    /// An error in this record.
    pub fn wrong(&self, problem: impl Into<String>) -> Error {
        self.of.wrong(self.line(), problem)
    }
}
