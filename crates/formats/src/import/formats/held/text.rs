//! The bytes of a text, one after the other, with their lines: for formats whose parts are not lines.
//!
//! A byte order mark is skipped. A byte 0 is an error: no text has one. Lines end in `\n`, `\r\n` or
//! `\r`.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_tables::text::input::MAX_LINE;

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// A text, read from the start to the end.
pub(in crate::import::formats) struct Text {
    path: PathBuf,
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    place: usize,
    end: usize,
    line: u64,
    after_return: bool,
    /// Bytes read so far, a buffer ahead.
    bytes: u64,
}

impl Text {
    /// A text from its start; `path` is for messages.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(in crate::import::formats) fn new(
        path: &Path,
        input: Box<dyn Read + Send>,
    ) -> Result<Self> {
        let path = match path.as_os_str() == "-" {
            true => "standard input".into(),
            false => path.to_owned(),
        };
        let mut text = Text {
            path,
            input,
            buffer: vec![0; BUFFER],
            place: 0,
            end: 0,
            line: 1,
            after_return: false,
            bytes: 0,
        };
        while text.end < 3 && text.fill()? {}
        if text.buffer[..text.end].starts_with(b"\xef\xbb\xbf") {
            text.place = 3;
        }
        Ok(text)
    }

    /// The line of the next byte, from 1.
    pub(in crate::import::formats) fn line(&self) -> u64 {
        self.line
    }

    /// The bytes of the file so far, and of what is buffered.
    pub(in crate::import::formats) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file, for messages.
    pub(in crate::import::formats) fn path(&self) -> &Path {
        &self.path
    }

    /// An error where the text was read up to.
    pub(in crate::import::formats) fn wrong(&self, problem: impl Into<String>) -> Error {
        Error::line(&self.path, self.line, problem)
    }

    /// The next byte, which stays the next one; none at the end.
    #[inline]
    pub(in crate::import::formats) fn peek(&mut self) -> Result<Option<u8>> {
        if self.place == self.end {
            (self.place, self.end) = (0, 0);
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.buffer[self.place]))
    }

    /// The next byte, which is consumed.
    #[inline]
    pub(in crate::import::formats) fn next(&mut self) -> Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.place += 1;
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' => self.line += 1,
                b'\r' => {
                    self.line += 1;
                    self.after_return = true;
                }
                _ => self.after_return = false,
            }
        }
        Ok(byte)
    }

    /// Adds bytes to `to` while they are wanted.
    ///
    /// # Errors
    /// If there are more of them than a line may have.
    pub(in crate::import::formats) fn take(
        &mut self,
        to: &mut Vec<u8>,
        is_wanted: impl Fn(u8) -> bool,
    ) -> Result<()> {
        while let Some(byte) = self.peek()?.filter(|&byte| is_wanted(byte)) {
            self.push(to, byte)?;
            self.next()?;
        }
        Ok(())
    }

    /// Adds a byte to a word of the text.
    ///
    /// # Errors
    /// If the word becomes longer than a line may be.
    pub(in crate::import::formats) fn push(&self, to: &mut Vec<u8>, byte: u8) -> Result<()> {
        if to.len() >= MAX_LINE {
            let problem = format!(
                "a text is longer than {} MiB; is every quotation mark closed?",
                MAX_LINE >> 20
            );
            return Err(self.wrong(problem));
        }
        to.push(byte);
        Ok(())
    }

    /// Skips the rest of the line, but not its end.
    pub(in crate::import::formats) fn skip_line(&mut self) -> Result<()> {
        while self.peek()?.is_some_and(|byte| !b"\r\n".contains(&byte)) {
            self.next()?;
        }
        Ok(())
    }

    /// Bytes of a word as text.
    ///
    /// # Errors
    /// If they are not UTF-8.
    pub(in crate::import::formats) fn utf8<'a>(&self, bytes: &'a [u8]) -> Result<&'a str> {
        let text = std::str::from_utf8(bytes);
        text.map_err(|_| self.wrong(super::super::NOT_UTF_8))
    }

    /// Reads more behind what was read; false at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(bytes) => {
                    let read = &self.buffer[self.end..self.end + bytes];
                    if let Some(place) = memchr::memchr(0, read) {
                        let before = memchr::memchr_iter(b'\n', &read[..place]).count() as u64;
                        let problem = "a byte 0, which no text has; convert the file to UTF-8";
                        return Err(Error::line(&self.path, self.line + before, problem));
                    }
                    self.end += bytes;
                    self.bytes += bytes as u64;
                    return Ok(bytes > 0);
                }
                Err(problem) if problem.kind() == ErrorKind::Interrupted => {}
                Err(problem) => return Err(Error::io(&self.path, "cannot read", problem)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn bytes_have_lines_however_these_end() {
        let input = Cursor::new("\u{feff}a\nb\r\nc\rd");
        let mut text = Text::new("x".as_ref(), Box::new(input)).unwrap();
        let mut found = Vec::new();
        while let Some(byte) = text.peek().unwrap() {
            if byte.is_ascii_alphabetic() {
                found.push((byte, text.line()));
            }
            text.next().unwrap();
        }
        assert_eq!(found, [(b'a', 1), (b'b', 2), (b'c', 3), (b'd', 4)]);
    }

    #[test]
    fn a_byte_0_is_refused_with_its_line() {
        let text = Text::new("x".as_ref(), Box::new(Cursor::new("a\nb\0")));
        let problem = text.err().unwrap().to_string();
        assert!(problem.starts_with("x, line 2: a byte 0"), "{problem}");
    }
}
