//! Quotation marks that enclose fields.

use super::{NoShape, Row, Shape, is_number, records};
use webrank_tables::text::records::TextLayout;
use webrank_tables::text::separator::Separator;

impl Shape {
    /// This shape, unless blanks stand behind closing quotation marks, or lines in brackets.
    pub(super) fn checked(self, bytes: &[u8]) -> Result<Shape, NoShape> {
        let is_bracketed = |row: &Row| {
            let starts = row.fields.first().is_some_and(|it| it.starts_with('('));
            starts && row.fields.last().is_some_and(|it| it.ends_with(')'))
        };
        if self.records.iter().all(is_bracketed) {
            let has_marks = bytes.contains(&b'\'');
            let marks = if has_marks { "\"()'\"" } else { "'()'" };
            return Err(NoShape::Other(format!(
                "no list of arcs, because its lines stand in brackets; take them away, as by tr -d {marks}"
            )));
        }
        let is_quoted = self.records.iter().any(|row| row.was_quoted);
        if !is_quoted || self.closes_fields(bytes) {
            return Ok(self);
        }
        let mut lines = bytes.split(|byte| b"\r\n".contains(byte));
        let spaced = |line: &[u8]| {
            let is_spaced = |it: &[u8]| it == b"\" ," || it == b"\" ;" || it == b"\" |";
            line.ends_with(b"\" ") || line.windows(3).any(is_spaced)
        };
        match lines.position(spaced) {
            Some(line) => Err(NoShape::Other(format!(
                "no list of arcs, because a blank stands between a quotation mark and the separator \
                 or the end of line {}; take it away",
                line + 1
            ))),
            None => Ok(self),
        }
    }

    /// True if quotation marks close in their line, and a separator or the end of the line follows.
    pub(super) fn closes_fields(&self, bytes: &[u8]) -> bool {
        let separator = match self.text.separator {
            Separator::Semicolon => b';',
            Separator::Bar => b'|',
            Separator::Tab => b'\t',
            _ => b',',
        };
        let ends_field = |byte: &u8| *byte == separator || b"\r\n".contains(byte);
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some(inside) = rest.strip_prefix(b"\"") else {
                let end = rest.iter().position(ends_field);
                rest = end.map_or(&[], |end| &rest[end + 1..]);
                continue;
            };
            let Some(end) = memchr::memchr2(b'"', b'\n', inside) else {
                return false;
            };
            // A doubled mark opens again what it closed.
            rest = &inside[end + 1..];
            match rest.first() {
                _ if inside[end] == b'\n' => return false,
                None | Some(b'"') => {}
                Some(byte) if ends_field(byte) => rest = &rest[1..],
                Some(_) => return false,
            }
        }
        true
    }
}

/// The records with the quotation marks taken off, if these must enclose fields. Between blanks, each
/// line has an even number of them. Between tabs, each field that starts with one is enclosed, and one
/// of them needs it, or all names are enclosed.
pub(super) fn enclosed(bytes: &[u8], text: TextLayout, plain: &[Row]) -> Option<Vec<Row>> {
    let fields = || plain.iter().flat_map(|row| &row.fields);
    if !fields().any(|field| field.starts_with('"')) {
        return None;
    }
    if text.separator == Separator::Blanks {
        let marks = |row: &Row| {
            row.fields
                .iter()
                .map(|it| it.matches('"').count())
                .sum::<usize>()
        };
        let are_pairs = plain.iter().all(|row| marks(row).is_multiple_of(2));
        return are_pairs.then(|| records(bytes, text));
    }
    let inside = |field: &str| Some(field.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    let mut names = fields().filter(|field| !is_number(field));
    let all_are = names.all(|field| inside(field).is_some());
    let starts = || fields().filter(|field| field.starts_with('"'));
    let are_closed = starts().all(|field| inside(field).is_some_and(|text| is_closed(&text)));
    let needs_it = |text: String| text.starts_with('#') || text.contains("\"\"");
    let is_needed = starts().filter_map(|field| inside(field)).any(needs_it);
    let are_marks = all_are || are_closed && is_needed;
    are_marks.then(|| records(bytes, text))
}

/// True if each mark in it is doubled.
fn is_closed(text: &str) -> bool {
    !text.replace("\"\"", "").contains('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_between_tabs_enclose_what_needs_them() {
        for (text, is_quoted) in [
            ("\"#a\"\tb\nc\td\n", true),
            ("\"a\"\t\"b\"\n\"c\"\t\"d\"\n", true),
            ("\"Heroes\"\tb\nc\td\n", false),
            ("\"Heroes\"_(song)\t\"#a\"\n", false),
        ] {
            let shape = Shape::of(text.as_bytes(), true, (None, false));
            let found = shape.map(|shape| shape.text.is_quoted);
            assert_eq!(found, Ok(is_quoted), "{text}");
        }
    }
}
