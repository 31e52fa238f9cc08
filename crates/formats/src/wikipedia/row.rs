//! The rows of `INSERT INTO ... VALUES (1,'a\'b',NULL),(...)`, as MySQL and MariaDB dump them.
//!
//! Texts have escapes with a backslash, or doubled quotation marks, and may have a mark of their
//! character set (`_binary 'x'`). Binary texts may be hexadecimal (`0x6162`, `x'6162'`).

use memchr::memchr2;
use std::borrow::Cow;

/// Where a value is in its row, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    start: u32,
    end: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    /// A number, or another bare word.
    Bare,
    /// A text as it is.
    Text,
    /// A text with escapes.
    Escaped,
    /// Digits, two for a byte.
    Hexadecimal,
}

/// More rows than this version takes have so many values.
const MOST_FIELDS: usize = 4096;

/// Finds the values of the row at the start of `bytes`; returns its length, or none if it does not end
/// there.
///
/// # Errors
/// If there is no row: what is wrong.
pub(super) fn parse(bytes: &[u8], fields: &mut Vec<Field>) -> Result<Option<usize>, &'static str> {
    fields.clear();
    match bytes.first() {
        None => return Ok(None),
        Some(b'(') => {}
        Some(_) => return Err("a row does not begin with a bracket"),
    }
    let mut at = 1;
    loop {
        at += blanks(&bytes[at..]);
        let Some(field) = value(bytes, at)? else {
            return Ok(None);
        };
        if fields.len() == MOST_FIELDS {
            return Err("a row has more than 4096 values");
        }
        at = field.1;
        fields.push(field.0);
        at += blanks(&bytes[at..]);
        match bytes.get(at) {
            None => return Ok(None),
            Some(b',') => at += 1,
            Some(b')') => return Ok(Some(at + 1)),
            Some(_) => return Err("between two values there is no comma"),
        }
    }
}

/// How many blanks and line ends there are.
#[inline]
pub(super) fn blanks(bytes: &[u8]) -> usize {
    let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    first.unwrap_or(bytes.len())
}

/// The value at a place, and where it ends; none if the bytes end before it.
fn value(bytes: &[u8], at: usize) -> Result<Option<(Field, usize)>, &'static str> {
    let Some(&first) = bytes.get(at) else {
        return Ok(None);
    };
    if first == b'\'' {
        return Ok(text(bytes, at + 1));
    }
    let is_of_word = |&byte: &u8| {
        !matches!(byte, b',' | b')' | b'\'' | b'(' | b';' | b'"') && !byte.is_ascii_whitespace()
    };
    let length = bytes[at..].iter().position(|byte| !is_of_word(byte));
    let Some(length) = length else {
        return Ok(None);
    };
    let word = &bytes[at..at + length];
    let end = at + length;
    let field = |start: usize, kind| Field {
        start: start as u32,
        end: end as u32,
        kind,
    };
    match word {
        [] => Err("a value is missing"),
        b"NULL" | b"null" => Ok(Some((field(at, Kind::Null), end))),
        [b'0', b'x' | b'X', ..] => Ok(Some((field(at + 2, Kind::Hexadecimal), end))),
        [b'x' | b'X'] if bytes[end] == b'\'' => {
            let digits = text(bytes, end + 1);
            Ok(digits.map(|(field, end)| {
                let kind = Kind::Hexadecimal;
                (Field { kind, ..field }, end)
            }))
        }
        [b'_', ..] => {
            let start = end + blanks(&bytes[end..]);
            match bytes.get(start) {
                None => Ok(None),
                Some(b'\'') => Ok(text(bytes, start + 1)),
                Some(_) => Err("a mark of a character set has no text behind it"),
            }
        }
        _ => Ok(Some((field(at, Kind::Bare), end))),
    }
}

/// The text that starts at a place, and where its last quotation mark ends; none if the bytes end before.
#[inline]
fn text(bytes: &[u8], start: usize) -> Option<(Field, usize)> {
    let (mut at, mut kind) = (start, Kind::Text);
    loop {
        at += memchr2(b'\'', b'\\', bytes.get(at..)?)?;
        // Behind the text comes a comma or a bracket: without a byte, it has not ended.
        let next = *bytes.get(at + 1)?;
        if bytes[at] == b'\'' && next != b'\'' {
            break;
        }
        kind = Kind::Escaped;
        at += 2;
    }
    let field = Field {
        start: start as u32,
        end: at as u32,
        kind,
    };
    Some((field, at + 1))
}

impl Field {
    /// True for NULL.
    pub(super) fn is_null(self) -> bool {
        self.kind == Kind::Null
    }

    /// The whole number that this is, written as a number or as a text.
    pub(super) fn integer(self, row: &[u8]) -> Option<i64> {
        if !matches!(self.kind, Kind::Bare | Kind::Text) {
            return None;
        }
        let bytes = self.bytes(row);
        // Most numbers are short, and have no sign.
        if bytes.is_empty() || bytes.len() > 18 || !bytes.iter().all(u8::is_ascii_digit) {
            return std::str::from_utf8(bytes).ok()?.parse().ok();
        }
        let add = |sum: i64, byte: &u8| sum * 10 + i64::from(byte - b'0');
        Some(bytes.iter().fold(0, add))
    }

    /// The bytes that this means; none for a half of a byte.
    pub(super) fn text(self, row: &[u8]) -> Option<Cow<'_, [u8]>> {
        let bytes = self.bytes(row);
        match self.kind {
            Kind::Escaped => Some(Cow::Owned(unescaped(bytes))),
            Kind::Hexadecimal => from_hexadecimal(bytes).map(Cow::Owned),
            _ => Some(Cow::Borrowed(bytes)),
        }
    }

    #[inline]
    fn bytes(self, row: &[u8]) -> &[u8] {
        &row[self.start as usize..self.end as usize]
    }
}

/// The meaning of a text with escapes.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter();
    while let Some(&byte) = rest.next() {
        let byte = match byte {
            b'\'' => {
                // The second of two.
                rest.next();
                b'\''
            }
            b'\\' => match rest.next() {
                Some(b'0') => 0,
                Some(b'b') => 8,
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b'Z') => 26,
                Some(&other) => other,
                None => b'\\',
            },
            other => other,
        };
        found.push(byte);
    }
    found
}

fn from_hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pairs = digits.chunks_exact(2);
    pairs
        .map(|pair| Some(16 * digit(pair[0])? + digit(pair[1])?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a row, as texts; NULL is none.
    fn values(row: &str) -> Vec<Option<String>> {
        let mut fields = Vec::new();
        let length = parse(row.as_bytes(), &mut fields).unwrap();
        assert_eq!(length, Some(row.len()));
        let text = |field: &Field| {
            let text = field.text(row.as_bytes()).unwrap();
            (!field.is_null()).then(|| String::from_utf8(text.into_owned()).unwrap())
        };
        fields.iter().map(text).collect()
    }

    #[test]
    fn values_are_what_a_server_reads() {
        let some = |texts: &[&str]| -> Vec<_> {
            texts.iter().map(|text| Some((*text).to_owned())).collect()
        };
        assert_eq!(
            values("(1,-20,0.5,1e-05)"),
            some(&["1", "-20", "0.5", "1e-05"])
        );
        assert_eq!(values(r"('a\'b','c''d','')"), some(&["a'b", "c'd", ""]));
        assert_eq!(
            values(r#"('\\','\0\b\t\n\r\Z\"\%','),(')"#),
            some(&["\\", "\0\u{8}\t\n\r\u{1a}\"%", "),("])
        );
        assert_eq!(
            values("(_binary 'a',0x4142,x'4344',X'')"),
            some(&["a", "AB", "CD", ""])
        );
        assert_eq!(values("( NULL , 'x' )"), [None, Some("x".to_owned())]);
    }

    #[test]
    fn a_row_without_its_end_is_not_read() {
        let row = br"(1,'a\'b''c',NULL,_binary 'x',0x41,x'41')";
        let mut fields = Vec::new();
        for length in 0..row.len() {
            assert_eq!(parse(&row[..length], &mut fields), Ok(None), "{length}");
        }
        assert_eq!(parse(row, &mut fields), Ok(Some(row.len())));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for row in ["1)", "(,1)", "(1 2)", "('a' 'b')", "(_x 1)", "()", "(a(1))"] {
            assert!(parse(row.as_bytes(), &mut Vec::new()).is_err(), "{row}");
        }
        let long = format!("({}1)", "1,".repeat(5000));
        assert!(parse(long.as_bytes(), &mut Vec::new()).is_err());
    }

    #[test]
    fn integers_are_whole_and_fit() {
        let integer = |value: &str| {
            let row = format!("({value})");
            let mut fields = Vec::new();
            parse(row.as_bytes(), &mut fields).unwrap();
            fields[0].integer(row.as_bytes())
        };
        assert_eq!(integer("17"), Some(17));
        assert_eq!(integer("'17'"), Some(17));
        assert_eq!(integer("-1"), Some(-1));
        assert_eq!(integer("9223372036854775807"), Some(i64::MAX));
        for value in ["9223372036854775808", "1.0", "''", "NULL", "0x31", "1a"] {
            assert_eq!(integer(value), None, "{value}");
        }
    }
}
