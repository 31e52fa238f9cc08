//! The cells of a line.

use std::borrow::Cow;

/// The separator of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Tab,
    Semicolon,
    Comma,
    Blanks,
}

impl Separator {
    /// The separator that the first line shows outside of quotation marks.
    pub(super) fn of(line: &str) -> Self {
        let mut is_quoted = false;
        let (mut has_semicolon, mut has_comma) = (false, false);
        for byte in line.bytes() {
            match byte {
                b'"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                b'\t' => return Separator::Tab,
                b';' => has_semicolon = true,
                b',' => has_comma = true,
                _ => {}
            }
        }
        match (has_semicolon, has_comma) {
            (true, _) => Separator::Semicolon,
            (_, true) => Separator::Comma,
            _ => Separator::Blanks,
        }
    }

    fn is(self, byte: u8) -> bool {
        match self {
            Separator::Tab => byte == b'\t',
            Separator::Semicolon => byte == b';',
            Separator::Comma => byte == b',',
            Separator::Blanks => byte == b' ',
        }
    }

    /// The number in a cell; between semicolons or tabs, it may have a decimal comma.
    pub(super) fn number(self, cell: &str) -> Option<f64> {
        let cell = cell.trim();
        let may_have_comma = matches!(self, Separator::Tab | Separator::Semicolon);
        match cell.contains(',') {
            true if may_have_comma && !cell.contains('.') => {
                cell.replacen(',', ".", 1).parse().ok()
            }
            true => None,
            false => cell.parse().ok(),
        }
    }
}

/// The cells of a line, without the quotation marks around them.
#[derive(Clone)]
pub(super) struct Cells<'a> {
    rest: Option<&'a str>,
    separator: Separator,
}

impl<'a> Cells<'a> {
    pub(super) fn new(line: &'a str, separator: Separator) -> Self {
        let line = match separator {
            Separator::Blanks => line.trim(),
            _ => line,
        };
        Cells {
            rest: Some(line),
            separator,
        }
    }

    /// The length of a cell with its quotation marks.
    fn quoted_length(text: &str) -> Option<usize> {
        let mut from = 1;
        loop {
            let end = from + text[from..].find('"')?;
            if !text[end + 1..].starts_with('"') {
                return Some(end + 1);
            }
            from = end + 2;
        }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take()?;
        let quoted = match rest.starts_with('"') {
            true => Self::quoted_length(rest),
            false => None,
        };
        let from = quoted.unwrap_or(0);
        let place = rest[from..]
            .bytes()
            .position(|byte| self.separator.is(byte));
        let end = place.map(|place| from + place);
        if let Some(end) = end {
            let next = &rest[end + 1..];
            self.rest = Some(match self.separator {
                Separator::Blanks => next.trim_start(),
                _ => next,
            });
        }
        let cell = &rest[..end.unwrap_or(rest.len())];
        match quoted {
            Some(length) if cell.trim_end().len() == length => {
                let inside = &cell[1..length - 1];
                Some(match inside.contains('"') {
                    true => Cow::Owned(inside.replace("\"\"", "\"")),
                    false => Cow::Borrowed(inside),
                })
            }
            _ => Some(Cow::Borrowed(cell)),
        }
    }
}
