//! The separator of the fields of a list of arcs: most of its first lines agree on it.
//!
//! Each separator splits the lines, [`MOST_RECORDS`] at most, comments aside. It is possible if more
//! than half of the lines have one number of fields, and that is two or more. Lines of one field at the
//! end, which declare nodes, do not count if each is one word or in quotation marks; none counts if the
//! user says that it is a list.
//! The first possible one of tabs, semicolons or commas or bars, and blanks is taken; numbers between
//! blanks come first, because some files have blanks and tabs. A separator that follows each closing
//! quotation mark goes before others: "a;b","c" has commas. Where two of the marks are possible,
//! semicolons win if commas are only in numbers, as in 0,5; anything else is not guessed.

mod first;
mod numbers;
mod quotation;

pub(super) use self::numbers::{decimal_comma, is_number};

use self::quotation::enclosed;
use webrank_tables::text::records::{Records, TextLayout};
use webrank_tables::text::separator::Separator;

/// So many records are looked at.
const MOST_RECORDS: usize = 500;

/// The first records of a list, and what separates their fields.
pub(super) struct Shape {
    pub(super) text: TextLayout,
    /// How many fields most records have.
    pub(super) width: usize,
    pub(super) records: Vec<Row>,
}

/// A record.
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) was_quoted: bool,
    pub(super) fields: Vec<String>,
}

/// Why a text is no list of arcs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoShape {
    /// There is no line but comments.
    Empty,
    /// Every line has one field.
    OneColumn,
    /// It is no text, or lines differ.
    Other(String),
}

impl NoShape {
    fn either(one: &Shape, other: &Shape) -> Self {
        NoShape::Other(format!(
            "{} or {} may separate its fields (--separator says which)",
            one.text.separator.plural(),
            other.text.separator.plural()
        ))
    }
}

impl Shape {
    /// The shape of a text that starts with these bytes; `wanted` separates fields if the user says
    /// so, and `is_list` if the user says that it is a list.
    pub(super) fn of(
        bytes: &[u8],
        is_whole: bool,
        (wanted, is_list): (Option<Separator>, bool),
    ) -> Result<Shape, NoShape> {
        if let Some(place) = bytes.iter().position(|&byte| byte == 0) {
            let line = 1 + bytes[..place].iter().filter(|&&byte| byte == b'\n').count();
            return Err(NoShape::Other(format!(
                "line {line} has a NUL byte, so it is binary, or UTF-16 or UTF-32 (--encoding \
                 utf-16le or utf-16be)"
            )));
        }
        let bytes = whole_lines(bytes, is_whole);
        let look = |separator| look(bytes, separator);
        if let Some(separator) = wanted {
            let shape = look(separator);
            return match shape.records.is_empty() {
                true => Err(NoShape::Empty),
                false => Ok(shape),
            };
        }
        let [tabs, semicolons, commas, bars, blanks] = [
            Separator::Tab,
            Separator::Semicolon,
            Separator::Comma,
            Separator::Bar,
            Separator::Blanks,
        ]
        .map(look);
        if tabs.records.is_empty() {
            return Err(NoShape::Empty);
        }
        let is_one_column = |shape: &Shape| shape.records.iter().all(|row| row.fields.len() < 2);
        let all = [&tabs, &semicolons, &commas, &bars, &blanks];
        if all.into_iter().all(is_one_column) {
            return Err(NoShape::OneColumn);
        }
        let is_possible = |shape: &Shape| shape.is_possible(is_list);
        if is_possible(&blanks) && blanks.is_all_numbers() {
            return Ok(blanks);
        }
        let problem = disagreement(&all);
        let is_tabs = is_possible(&tabs);
        let closes = |shape: &Shape| shape.closes_fields(bytes);
        let mut marks = vec![semicolons, commas, bars];
        marks.retain(is_possible);
        if marks.iter().any(closes) {
            marks.retain(closes);
        }
        let closes_and_agrees = |shape: &Shape| closes(shape) && shape.is_even();
        if is_tabs && (closes(&tabs) || !marks.iter().any(closes_and_agrees)) {
            return Ok(tabs);
        }
        match marks.len() {
            0 if is_possible(&blanks) && !blanks.is_code() => Ok(blanks),
            0 => Err(NoShape::Other(problem)),
            1 => {
                let mark = marks.remove(0);
                match blanks.rivals(&mark, bytes) {
                    true => Err(NoShape::either(&mark, &blanks)),
                    false => mark.checked(bytes),
                }
            }
            _ if marks[0].text.separator == Separator::Semicolon
                && marks[0].has_commas_in_numbers_only() =>
            {
                Ok(marks.remove(0))
            }
            _ => Err(NoShape::either(&marks[0], &marks[1])),
        }
    }

    /// That of a table whose columns have names.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(super) fn of_columns(names: Vec<String>, rows: Vec<Vec<String>>) -> Self {
        let text = TextLayout {
            separator: Separator::Comma,
            is_quoted: true,
            comments_end: true,
            returns_end_lines: false,
        };
        let width = names.len();
        let rows = [names].into_iter().chain(rows);
        let record = |(line, fields)| Row {
            line,
            was_quoted: false,
            fields,
        };
        Shape {
            text,
            width,
            records: (1..).zip(rows).map(record).collect(),
        }
    }

    /// True if a blank follows each separator.
    pub(super) fn has_blanks_after_separators(&self) -> bool {
        let has_fields = |row: &&Row| row.fields.len() > 1;
        let rows = match self.below().iter().any(|row| has_fields(&row)) {
            true => self.below(),
            false => &self.records[..1],
        };
        let is_spaced = |row: &Row| row.fields.iter().skip(1).all(|it| it.starts_with(' '));
        rows.iter().filter(has_fields).all(is_spaced)
    }

    /// The records below the first one; the first one if there are no others.
    pub(super) fn below(&self) -> &[Row] {
        match self.records.len() {
            0 | 1 => &self.records,
            _ => &self.records[1..],
        }
    }

    fn is_possible(&self, is_list: bool) -> bool {
        let counts = |row: &&Row| !is_list || row.fields.len() != 1;
        let voters = self.voters().iter().filter(counts).count();
        let rows = self.records.iter();
        let agree = rows.filter(|row| row.fields.len() == self.width);
        // Lines that declare nodes follow arcs: one before them is a title or a number of nodes.
        let starts = is_list || self.records.first().is_none_or(|row| row.fields.len() > 1);
        self.width >= 2 && 2 * agree.count() > voters && starts
    }

    /// True if each line has one blank, perhaps between names that have marks in them.
    fn rivals(&self, mark: &Shape, bytes: &[u8]) -> bool {
        let has_blank = |row: &Row| row.fields.iter().skip(1).any(|it| it.starts_with(' '));
        self.width == 2
            && self.records.len() > 1
            && self.records.iter().all(|row| row.fields.len() == 2)
            && !mark.records.iter().any(has_blank)
            && !bytes.contains(&b'"')
    }

    /// True if all records have as many fields, those aside that declare nodes.
    fn is_even(&self) -> bool {
        let mut widths = self.voters().iter().map(|row| row.fields.len());
        widths.all(|width| width == self.width)
    }

    /// The records without those at the end that declare nodes.
    fn voters(&self) -> &[Row] {
        let is_node = |row: &Row| {
            let is_word = |field: &String| !field.trim().contains([' ', ',', ';', '|', '\t']);
            // Between commas, the exports of this library have names in quotation marks.
            let is_name = row.was_quoted && self.text.separator == Separator::Comma;
            row.fields.len() == 1 && (is_name || row.fields.iter().all(is_word))
        };
        let last = self.records.iter().rposition(|row| !is_node(row));
        &self.records[..last.map_or(0, |last| last + 1)]
    }

    fn fields(&self) -> impl Iterator<Item = &str> {
        let rows = self.records.iter();
        rows.flat_map(|row| row.fields.iter().map(String::as_str))
    }

    fn is_all_numbers(&self) -> bool {
        self.fields().all(is_number)
    }

    /// True if a lone mark shows that it is a program or an outline.
    fn is_code(&self) -> bool {
        let is_mark = |field: &str| {
            [
                "{", "}", "=", "=>", "->", "(", ")", "*", "-", "//", "==", "|",
            ]
            .contains(&field)
        };
        let rows = self.records.iter();
        let marked = rows.filter(|row| row.fields.iter().any(|field| is_mark(field)));
        4 * marked.count() > self.records.len()
    }

    fn has_commas_in_numbers_only(&self) -> bool {
        self.fields()
            .filter(|field| field.contains(','))
            .all(|field| decimal_comma(field).is_some())
    }
}

/// The rest of a text whose first line says its separator to Excel, as in `sep=;`, and the separator.
pub(super) fn said(bytes: &[u8]) -> (&[u8], Option<Separator>) {
    let line = bytes
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let (rest, line) = (&bytes[bytes.len().min(line.len() + 1)..], line.trim_ascii());
    let separator = match line.strip_prefix(b"sep=") {
        Some(b";") => Separator::Semicolon,
        Some(b",") => Separator::Comma,
        Some(b"|") => Separator::Bar,
        _ if bytes.starts_with(b"sep=\t") => Separator::Tab,
        _ => return (bytes, None),
    };
    (rest, Some(separator))
}

/// The bytes up to the last line end, unless there is none.
fn whole_lines(bytes: &[u8], is_whole: bool) -> &[u8] {
    if is_whole {
        return bytes;
    }
    let end = bytes.iter().rposition(|byte| b"\r\n".contains(byte));
    &bytes[..end.map_or(bytes.len(), |end| end + 1)]
}

/// How this separator splits the first records.
fn look(bytes: &[u8], separator: Separator) -> Shape {
    // Lines of an old Mac end in carriage returns.
    let returns_end_lines = bytes.contains(&b'\r') && !bytes.contains(&b'\n');
    let mut text = TextLayout {
        separator,
        is_quoted: false,
        comments_end: true,
        returns_end_lines,
    };
    let plain = records(bytes, text);
    text.is_quoted = true;
    let is_spaced = matches!(separator, Separator::Tab | Separator::Blanks);
    if is_spaced && let Some(quoted) = enclosed(bytes, text, &plain) {
        return Shape::new(text, quoted);
    }
    text.is_quoted = false;
    Shape::new(text, plain)
}

fn records(bytes: &[u8], text: TextLayout) -> Vec<Row> {
    let mut records = Records::of_bytes(bytes).with_percent().laid_out(text);
    let mut rows = Vec::new();
    // An error, such as a mark that is not closed yet, is found again when the list is read.
    while rows.len() < MOST_RECORDS && records.advance().unwrap_or(false) {
        let record = records.record();
        if !record.is_comment() {
            let field = |field| String::from_utf8_lossy(record.bytes(field)).into_owned();
            rows.push(Row {
                line: record.line(),
                was_quoted: record.was_quoted(),
                fields: (0..record.len()).map(field).collect(),
            });
        }
    }
    rows
}

impl Shape {
    fn new(text: TextLayout, records: Vec<Row>) -> Self {
        let mut shape = Shape {
            text,
            width: 0,
            records,
        };
        let mut widths: Vec<(usize, usize)> = Vec::new();
        for row in &shape.records {
            let width = row.fields.len();
            match widths.iter_mut().find(|(known, _)| *known == width) {
                Some((_, count)) => *count += 1,
                None => widths.push((width, 1)),
            }
        }
        // The first of the most frequent ones; lines of one field declare nodes.
        if widths.len() > 1 {
            widths.retain(|(width, _)| *width > 1);
        }
        let most = widths.iter().map(|(_, count)| *count).max();
        let usual = widths.iter().find(|(_, count)| Some(*count) == most);
        shape.width = usual.map_or(0, |(width, _)| *width);
        shape
    }
}

/// Why no separator is possible.
fn disagreement(all: &[&Shape]) -> String {
    let most_lines = |shape: &&&Shape| {
        let rows = shape.records.iter();
        rows.filter(|row| row.fields.len() > 1).count()
    };
    let Some(shape) = all.iter().max_by_key(most_lines) else {
        return String::new();
    };
    let rows = &shape.records;
    let first = &rows[0];
    let other = rows
        .iter()
        .find(|row| row.fields.len() != first.fields.len());
    let other = other.map_or(String::new(), |other| {
        format!(", line {} has {}", other.line, other.fields.len())
    });
    let is_count = first.fields.len() == 1 && is_number(&first.fields[0]);
    let remedy = if is_count && rows[1..].iter().all(|row| row.fields.len() > 1) {
        " (if it counts nodes or arcs, tail -n +2 leaves it out)"
    } else {
        ""
    };
    format!(
        "no list of arcs, because its lines do not agree on a number of fields: between {}, line {} \
         has {}{remedy}{other}",
        shape.text.separator.plural(),
        first.line,
        first.fields.len()
    )
}

#[cfg(test)]
mod tests;
