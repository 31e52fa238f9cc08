//! The lines of a text file, in a buffer of bounded size.

use super::input::MAX_LINE;
use memchr::{memchr, memchr_iter, memchr2};
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The part of a file that was read, and how much of it is consumed.
pub(super) struct Lines {
    /// For messages.
    pub(super) path: PathBuf,
    input: Box<dyn Read + Send>,
    /// Until `start`, consumed lines; until `end`, unread text.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The number of the line at `start`; 0 before the first byte.
    number: u64,
    /// Whether the last line ended in a carriage return, which may be half of `\r\n`.
    after_return: bool,
}

/// A line in the buffer.
pub(super) struct Line {
    /// Without its end.
    pub(super) text: Range<usize>,
    /// Where the next one starts.
    next: usize,
}

impl Lines {
    pub(super) fn new(path: &Path, input: Box<dyn Read + Send>) -> Self {
        Lines {
            path: path.to_owned(),
            input,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            number: 0,
            after_return: false,
        }
    }

    /// The number of the next line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The content of the buffer, unchanged until the next line is requested.
    pub(super) fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// The first byte of the next line, none at the end of the file.
    pub(super) fn first_byte(&mut self) -> Result<Option<u8>> {
        if self.number == 0 {
            self.begin()?;
        }
        loop {
            if self.start == self.end && !self.fill()? {
                return Ok(None);
            }
            let byte = self.buffer[self.start];
            if !std::mem::take(&mut self.after_return) || byte != b'\n' {
                return Ok(Some(byte));
            }
            self.start += 1;
        }
    }

    /// Skips a byte order mark.
    fn begin(&mut self) -> Result<()> {
        self.number = 1;
        while self.end < 3 && self.fill()? {}
        if self.buffer[..self.end].starts_with(b"\xef\xbb\xbf") {
            self.start = 3;
        }
        Ok(())
    }

    /// The next line, after [`Self::first_byte`] has found its first byte.
    pub(super) fn line(&mut self, returns_end_lines: bool) -> Result<Line> {
        let mut searched = 0;
        let (end, next) = loop {
            let rest = self.rest(searched);
            let found = if returns_end_lines {
                memchr2(b'\n', b'\r', rest)
            } else {
                memchr(b'\n', rest)
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
        let mut text = self.start..end;
        // If returns end lines, there is none here.
        if self.buffer[text.clone()].ends_with(b"\r") {
            text.end -= 1;
        }
        Ok(Line { text, next })
    }

    /// Consumes a line.
    pub(super) fn skip(&mut self, line: &Line) {
        self.after_return = line.next > line.text.end && self.buffer[line.next - 1] == b'\r';
        self.start = line.next;
        self.number += 1;
    }

    /// Consumes `bytes` bytes, a record of one line or several.
    pub(super) fn skip_bytes(&mut self, bytes: usize) {
        let skipped = &self.buffer[self.start..self.start + bytes];
        self.after_return = skipped.ends_with(b"\r");
        let feeds = memchr_iter(b'\n', skipped).count() as u64;
        self.number += feeds + u64::from(self.after_return);
        self.start += bytes;
    }

    /// The content of the buffer after the first `bytes` bytes of the next line.
    pub(super) fn rest(&self, bytes: usize) -> &[u8] {
        &self.buffer[self.start + bytes..self.end]
    }

    /// Reads more; false at the end of the file. The content of the buffer may move.
    ///
    /// # Errors
    /// If the file cannot be read, or if [`MAX_LINE`] bytes are not consumed yet.
    pub(super) fn fill(&mut self) -> Result<bool> {
        let pending = self.end - self.start;
        if pending > MAX_LINE {
            let problem = format!(
                "longer than {} MiB; is this a text file, and is every quotation mark closed?",
                MAX_LINE >> 20
            );
            return Err(Error::line(&self.path, self.number, problem));
        }
        if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, pending);
            if 2 * pending >= self.buffer.len() {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a byte at a time.
    struct Slowly(Vec<u8>);

    impl Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            buffer[0] = self.0.remove(0);
            Ok(1)
        }
    }

    fn lines(text: &str, returns_end_lines: bool) -> Vec<(u64, String)> {
        let input = Box::new(Slowly(text.as_bytes().to_vec()));
        let mut lines = Lines::new("text".as_ref(), input);
        let mut found = Vec::new();
        while lines.first_byte().unwrap().is_some() {
            let line = lines.line(returns_end_lines).unwrap();
            let text = lines.buffer()[line.text.clone()].to_vec();
            found.push((lines.number(), String::from_utf8(text).unwrap()));
            lines.skip(&line);
        }
        found
    }

    #[test]
    fn lines_end_in_a_line_feed_or_in_a_return_and_a_line_feed() {
        let expected = |lines: &[&str]| -> Vec<(u64, String)> {
            (1..)
                .zip(lines.iter().map(|line| line.to_string()))
                .collect()
        };
        for text in ["a\n\nb\n", "a\r\n\r\nb", "\u{feff}a\n\nb\r\n"] {
            for returns_end_lines in [false, true] {
                assert_eq!(lines(text, returns_end_lines), expected(&["a", "", "b"]));
            }
        }
        assert_eq!(lines("a\rb\r\r\nc", false), expected(&["a\rb\r", "c"]));
        assert_eq!(lines("a\rb\r\r\nc\r", true), expected(&["a", "b", "", "c"]));
        assert_eq!(lines("", true), []);
        assert_eq!(lines("\u{feff}", true), []);
    }

    #[test]
    fn a_file_without_lines_is_an_error_before_it_is_in_memory() {
        let mut lines = Lines::new("zero".as_ref(), Box::new(std::io::repeat(0)));
        lines.first_byte().unwrap();
        let problem = lines.line(true).err().unwrap().to_string();
        assert!(
            problem.starts_with("zero, line 1: longer than 16 MiB"),
            "{problem}"
        );
        assert!(lines.buffer().len() <= 4 * MAX_LINE);
    }
}
