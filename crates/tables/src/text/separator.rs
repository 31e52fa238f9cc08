//! The separators of fields.

use memchr::memchr;

/// The separator of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// One tab.
    Tab,
    /// One comma.
    Comma,
    /// One semicolon.
    Semicolon,
    /// One bar, `|`.
    Bar,
    /// One colon, which is never guessed.
    Colon,
    /// Blanks and tabs, as many as there are.
    Blanks,
    /// Nothing: a line is one field.
    None,
}

impl Separator {
    /// The separator that the first line of a file shows: a tab, otherwise a comma, otherwise
    /// blanks. Separators outside quotation marks come first. A line without any is one field, and
    /// tabs separate the fields of other lines. Text after a carriage return outside quotation
    /// marks may be another line.
    pub fn of(line: &[u8]) -> Self {
        let outside = outside_quotes(line);
        let line = &line[..outside.length];
        let has = |byte: u8| memchr(byte, line).is_some();
        if outside.tab {
            Separator::Tab
        } else if outside.comma {
            Separator::Comma
        } else if has(b'\t') {
            Separator::Tab
        } else if has(b',') {
            Separator::Comma
        } else if has(b' ') {
            Separator::Blanks
        } else {
            Separator::Tab
        }
    }

    /// Calls `field(start, end)` for each field of a line without quotation marks.
    pub(super) fn split(self, line: &[u8], mut field: impl FnMut(usize, usize)) {
        let byte = match self {
            Separator::Tab => b'\t',
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Bar => b'|',
            Separator::Colon => b':',
            Separator::Blanks => {
                let mut start = 0;
                for part in line.split(|byte| b" \t".contains(byte)) {
                    let end = start + part.len();
                    if !part.is_empty() {
                        field(start, end);
                    }
                    start = end + 1;
                }
                return;
            }
            Separator::None => return field(0, line.len()),
        };
        let mut start = 0;
        for end in memchr::memchr_iter(byte, line) {
            field(start, end);
            start = end + 1;
        }
        field(start, line.len());
    }

    /// True for commas, semicolons, bars and colons: fields between them may be in quotation marks.
    pub(super) fn is_mark(self) -> bool {
        matches!(
            self,
            Separator::Comma | Separator::Semicolon | Separator::Bar | Separator::Colon
        )
    }

    /// The name of several of them in messages.
    pub fn plural(self) -> &'static str {
        match self {
            Separator::Tab => "tabs",
            Separator::Comma => "commas",
            Separator::Semicolon => "semicolons",
            Separator::Bar => "bars",
            Separator::Colon => "colons",
            Separator::Blanks => "blanks",
            Separator::None => "line ends",
        }
    }

    /// The text between fields that are joined again.
    pub fn text(self) -> &'static str {
        match self {
            Separator::Tab => "\t",
            Separator::Comma => ",",
            Separator::Semicolon => ";",
            Separator::Bar => "|",
            Separator::Colon => ":",
            Separator::Blanks | Separator::None => " ",
        }
    }
}

/// Appends the fields between the blanks of a line to `text`, and their ends to `ends`: quotation
/// marks around a field are left out, and doubled or escaped ones in it are single.
pub(super) fn unquote_blanks(line: &[u8], text: &mut Vec<u8>, ends: &mut Vec<usize>) {
    let mut rest = line.trim_ascii();
    while let Some(&first) = rest.first() {
        let is_quoted = first == b'"';
        let mut at = usize::from(is_quoted);
        while let Some(&byte) = rest.get(at) {
            let is_pair = is_quoted && b"\"\\".contains(&byte) && rest.get(at + 1) == Some(&b'"');
            match byte {
                _ if is_pair => at += 1,
                b'"' if is_quoted => break,
                b' ' | b'\t' if !is_quoted => break,
                _ => {}
            }
            text.push(rest[at]);
            at += 1;
        }
        ends.push(text.len());
        rest = rest[rest.len().min(at + usize::from(is_quoted))..].trim_ascii_start();
    }
}

/// Which separators a line has outside quotation marks.
#[derive(Default)]
struct Outside {
    /// The length up to a carriage return.
    length: usize,
    tab: bool,
    comma: bool,
}

fn outside_quotes(line: &[u8]) -> Outside {
    let mut outside = Outside::default();
    let (mut in_quotes, mut starts_field) = (false, true);
    for &byte in line {
        if byte == b'\r' && !in_quotes {
            break;
        }
        outside.length += 1;
        let is_separator = !in_quotes && (byte == b'\t' || byte == b',');
        if byte == b'"' && (in_quotes || starts_field) {
            in_quotes = !in_quotes;
            // A doubled mark opens again what it closed.
            starts_field = true;
            continue;
        }
        if is_separator {
            outside.tab |= byte == b'\t';
            outside.comma |= byte == b',';
        }
        starts_field = is_separator;
    }
    outside
}

/// The text between the quotation marks around a field, if it has them, with doubled marks made
/// single.
pub fn unquoted(field: &str) -> Option<String> {
    let inside = field.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.replace("\"\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_shows_the_separator() {
        for (line, separator) in [
            ("a\tb, c d", Separator::Tab),
            ("a,b c", Separator::Comma),
            ("a b", Separator::Blanks),
            ("0.5 ", Separator::Blanks),
            ("lonely", Separator::Tab),
            ("", Separator::Tab),
            // Separators in quotation marks are parts of names.
            ("\"a\tb\",c", Separator::Comma),
            ("\"a,\"\"b\"\tc\"\td", Separator::Tab),
            ("\"say \"\"a\tb\"\"\",c", Separator::Comma),
            // Unless there are no others.
            ("\"x,y\"", Separator::Comma),
            ("\"x,y\" z", Separator::Comma),
            ("\"a\tb\"", Separator::Tab),
            // A mark that is never closed is a letter.
            ("\"Heroes\tb,c", Separator::Tab),
            ("5\" disk,b", Separator::Comma),
            // Where returns end lines, the first one counts.
            ("a b\rc,d\te", Separator::Blanks),
            ("\"a\r\",b\rc\td", Separator::Comma),
        ] {
            assert_eq!(Separator::of(line.as_bytes()), separator, "{line}");
        }
    }

    #[test]
    fn fields_between_separators() {
        for (separator, line, expected) in [
            (Separator::Tab, "a\t\tb c,", &["a", "", "b c,"][..]),
            (Separator::Comma, ",a ,", &["", "a ", ""]),
            (Separator::Blanks, "  a \t b ", &["a", "b"]),
            (Separator::Blanks, "", &[]),
            (Separator::None, " a\tb, ", &[" a\tb, "]),
            (Separator::Tab, "", &[""]),
        ] {
            let mut fields = Vec::new();
            separator.split(line.as_bytes(), |start, end| fields.push(&line[start..end]));
            assert_eq!(fields, expected, "{line}");
        }
    }

    #[test]
    fn quoted_fields_between_blanks() {
        for (line, expected) in [
            (" \"a b\"\t\"c\"  d ", &["a b", "c", "d"][..]),
            (r#""say \"hi\"" "b""c" """#, &[r#"say "hi""#, r#"b"c"#, ""]),
            ("a\"b \"open", &["a\"b", "open"]),
            ("", &[]),
        ] {
            let (mut text, mut ends) = (Vec::new(), Vec::new());
            unquote_blanks(line.as_bytes(), &mut text, &mut ends);
            let starts = std::iter::once(&0).chain(&ends);
            let fields: Vec<&str> = starts
                .zip(&ends)
                .map(|(&start, &end)| std::str::from_utf8(&text[start..end]).unwrap())
                .collect();
            assert_eq!(fields, expected, "{line}");
        }
    }

    #[test]
    fn quotation_marks_are_taken_off() {
        assert_eq!(unquoted(" \"a \"\"b\"\"\" "), Some("a \"b\"".to_owned()));
        assert_eq!(unquoted("\"\""), Some(String::new()));
        for field in ["a", "\"a", "a\"", "\"", ""] {
            assert_eq!(unquoted(field), None);
        }
    }
}
