//! The words of a file, one after the other, whatever lines they are in.

use super::super::latin1::Decoder;
use std::ops::Range;
use webrank_base::error::{Error, Result};
use webrank_tables::text::records::Records;

/// Reads words, which blanks, commas or line ends separate.
pub(super) struct Tokens {
    records: Records,
    pub(super) decoder: Decoder,
    /// The line that is being read, its number, and what of it was read.
    line: String,
    number: u64,
    at: usize,
}

impl Tokens {
    pub(super) fn new(records: Records) -> Self {
        Tokens {
            records: records.whole_lines().without_comments(),
            decoder: Decoder::default(),
            line: String::new(),
            number: 0,
            at: 0,
        }
    }

    /// An error in the line that is being read.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        self.records.wrong(self.number.max(1), problem)
    }

    /// Goes to the next word; false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        while !self.is_in_line() {
            if !self.next_line()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips separators; false at the end of the line.
    pub(super) fn is_in_line(&mut self) -> bool {
        let rest = &self.line[self.at..];
        let rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
        self.at = self.line.len() - rest.len();
        !rest.is_empty()
    }

    /// Goes to the next line that is not blank; false at the end of the file.
    pub(super) fn next_line(&mut self) -> Result<bool> {
        if !self.records.advance()? {
            return Ok(false);
        }
        let record = self.records.record();
        let text = self.decoder.text(record.bytes(0));
        self.line.clear();
        self.line.push_str(&text);
        (self.number, self.at) = (record.line(), 0);
        Ok(true)
    }

    /// A word of the header in small letters, or one of its signs: `=` and `:` stand alone.
    pub(super) fn header_word(&mut self) -> Result<Option<String>> {
        if !self.advance()? {
            return Ok(None);
        }
        let rest = &self.line[self.at..];
        let is_end = |letter: char| letter.is_whitespace() || "=:,;".contains(letter);
        let length = match rest.find(is_end) {
            // A sign.
            Some(0) => 1,
            Some(end) => end,
            None => rest.len(),
        };
        let word = rest[..length].to_lowercase();
        self.at += length;
        Ok(Some(word))
    }

    /// Skips a sign, if it comes next.
    pub(super) fn skip_sign(&mut self, sign: char) -> Result<bool> {
        if !self.advance()? || !self.line[self.at..].starts_with(sign) {
            return Ok(false);
        }
        self.at += sign.len_utf8();
        Ok(true)
    }

    /// The next word, without quotation marks around it.
    pub(super) fn word(&mut self) -> Result<Option<&str>> {
        if !self.advance()? {
            return Ok(None);
        }
        let word = self.take();
        Ok(Some(&self.line[word]))
    }

    /// The next word of the line, if it has another.
    pub(super) fn word_of_line(&mut self) -> Option<&str> {
        if !self.is_in_line() {
            return None;
        }
        let word = self.take();
        Some(&self.line[word])
    }

    fn take(&mut self) -> Range<usize> {
        let (start, rest) = (self.at, &self.line[self.at..]);
        if let Some(quoted) = rest.strip_prefix('"')
            && let Some(length) = quoted.find('"')
        {
            self.at += length + 2;
            return start + 1..start + 1 + length;
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ',');
        self.at += end.unwrap_or(rest.len());
        start..self.at
    }
}
