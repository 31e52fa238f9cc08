//! A record, and its fields.

use super::super::separator::Separator;
use super::Records;
use std::borrow::Cow;
use std::ops::Range;
use webrank_base::error::{Error, Result};
use webrank_base::shown::shown;

/// A record of a file.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(super) of: &'a Records,
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

    /// True if quotation marks could enclose fields here: marks that remain are ordinary
    /// characters.
    pub fn is_quoted(&self) -> bool {
        let separator = self.of.separator;
        separator.is_some_and(|separator| self.of.is_quoted(separator))
    }

    /// True if the record was read with the quotation marks in it taken off.
    pub fn was_quoted(&self) -> bool {
        self.of.current.is_unquoted
    }

    /// The bytes of a field.
    ///
    /// # Panics
    /// If the record has no such field.
    pub fn bytes(&self, field: usize) -> &'a [u8] {
        let current = &self.of.current;
        let text = if current.is_unquoted {
            &current.unquoted[..]
        } else {
            self.of.lines.buffer()
        };
        &text[current.fields[field].clone()]
    }

    /// The text of a field, blanks included.
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

    /// Some fields, joined by their separator.
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

    /// A field as a number, if it is one.
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
