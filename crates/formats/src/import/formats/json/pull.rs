//! The parts of a JSON text, one after the other.
//!
//! Texts and numbers are kept as they are read, none longer than a line may be; what is nested is not
//! kept. Several values may follow each other, as in JSON lines. `NaN` and `Infinity`, which Python
//! writes, are numbers.

use super::super::held::Text;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// The deepest nesting.
const MAX_DEPTH: usize = 1000;

/// The next part; texts are in [`Json::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    /// The key of the value that follows.
    Key,
    Text,
    Number,
    /// True or false.
    Flag(bool),
    Null,
    /// The end of the file.
    End,
}

/// The state within an object or an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    ObjectStart,
    ObjectKey,
    ObjectNext,
    ArrayStart,
    ArrayNext,
}

/// A JSON text, read from the start to the end.
pub(super) struct Json {
    input: Text,
    frames: Vec<Frame>,
    /// A text or a number that was read last.
    word: Vec<u8>,
    text: String,
    /// The line in which the last part started.
    line: u64,
}

impl Json {
    pub(super) fn new(input: Text) -> Self {
        Json {
            input,
            frames: Vec::new(),
            word: Vec::new(),
            text: String::new(),
            line: 1,
        }
    }

    /// The text or number that was read last.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line of the part that was read last.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn path(&self) -> &std::path::Path {
        self.input.path()
    }

    /// An error at the part that was read last.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        self.wrong_at(self.line, problem)
    }

    /// An error in a line.
    pub(super) fn wrong_at(&self, line: u64, problem: impl Into<String>) -> Error {
        Error::line(self.input.path(), line, problem)
    }

    /// Skips the rest of a value whose first part was read.
    pub(super) fn skip(&mut self, first: Part) -> Result<()> {
        if let Part::OpenObject | Part::OpenArray = first {
            let outside = self.frames.len() - 1;
            while self.frames.len() > outside {
                self.next()?;
            }
        }
        Ok(())
    }

    /// The next part.
    ///
    /// # Errors
    /// If the text is not JSON, or ends within a value.
    pub(super) fn next(&mut self) -> Result<Part> {
        let mut byte = self.past_blanks()?;
        let Some(frame) = self.frames.last().copied() else {
            return match byte {
                None => Ok(Part::End),
                Some(_) => self.value(),
            };
        };
        let is_object = matches!(
            frame,
            Frame::ObjectStart | Frame::ObjectKey | Frame::ObjectNext
        );
        let end = if is_object { b'}' } else { b']' };
        if frame != Frame::ObjectKey && byte == Some(end) {
            self.input.next()?;
            self.frames.pop();
            return Ok(if is_object {
                Part::CloseObject
            } else {
                Part::CloseArray
            });
        }
        let before = match frame {
            Frame::ObjectNext | Frame::ArrayNext => Some(b','),
            Frame::ObjectKey => Some(b':'),
            Frame::ObjectStart | Frame::ArrayStart => None,
        };
        if let Some(before) = before {
            if byte != Some(before) {
                return Err(self.unexpected(byte, &format!("'{}'", char::from(before))));
            }
            self.input.next()?;
            byte = self.past_blanks()?;
        }
        match frame {
            Frame::ObjectStart | Frame::ObjectNext => {
                if byte != Some(b'"') {
                    return Err(self.unexpected(byte, "a key in quotation marks"));
                }
                self.set(Frame::ObjectKey);
                self.quoted_text()?;
                Ok(Part::Key)
            }
            Frame::ObjectKey => {
                self.set(Frame::ObjectNext);
                self.value()
            }
            Frame::ArrayStart | Frame::ArrayNext => {
                self.set(Frame::ArrayNext);
                self.value()
            }
        }
    }

    fn set(&mut self, frame: Frame) {
        if let Some(last) = self.frames.last_mut() {
            *last = frame;
        }
    }

    /// Skips blanks; the byte after them.
    fn past_blanks(&mut self) -> Result<Option<u8>> {
        loop {
            match self.input.peek()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.input.next()?,
                byte => {
                    self.line = self.input.line();
                    return Ok(byte);
                }
            };
        }
    }

    fn unexpected(&self, found: Option<u8>, wanted: &str) -> Error {
        let found = match found {
            None => "the file ends".to_owned(),
            Some(byte) if byte.is_ascii() => {
                format!("{} stands", quoted(&char::from(byte).to_string()))
            }
            Some(_) => "a character stands".to_owned(),
        };
        self.wrong(format!("not JSON: {found} where {wanted} should be"))
    }

    fn value(&mut self) -> Result<Part> {
        let byte = self.input.peek()?;
        match byte {
            Some(open @ (b'{' | b'[')) => {
                self.input.next()?;
                if self.frames.len() == MAX_DEPTH {
                    return Err(self.wrong("values are nested too deeply for a graph"));
                }
                let (frame, part) = match open {
                    b'{' => (Frame::ObjectStart, Part::OpenObject),
                    _ => (Frame::ArrayStart, Part::OpenArray),
                };
                self.frames.push(frame);
                Ok(part)
            }
            Some(b'"') => {
                self.quoted_text()?;
                Ok(Part::Text)
            }
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                self.word.clear();
                let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
                self.input.take(&mut self.word, is_part)?;
                self.text.clear();
                self.text.push_str(self.input.utf8(&self.word)?);
                match self.text.as_str() {
                    "true" => Ok(Part::Flag(true)),
                    "false" => Ok(Part::Flag(false)),
                    "null" => Ok(Part::Null),
                    "NaN" | "Infinity" | "-Infinity" => Ok(Part::Number),
                    word if is_number(word) => Ok(Part::Number),
                    word => Err(self.wrong(format!("not JSON: {} is no value", quoted(word)))),
                }
            }
            byte => Err(self.unexpected(byte, "a value")),
        }
    }

    /// A text whose first quotation mark is next.
    fn quoted_text(&mut self) -> Result<()> {
        self.word.clear();
        self.input.next()?;
        loop {
            match self.input.next()? {
                None => return Err(self.wrong("not JSON: a quotation mark is never closed")),
                Some(b'"') => break,
                Some(b'\\') => self.escaped()?,
                Some(byte) if byte < b' ' => {
                    let problem =
                        "not JSON: a line end or a control character in a text; write it as '\\n'";
                    return Err(self.wrong(problem));
                }
                Some(byte) => self.input.push(&mut self.word, byte)?,
            }
        }
        self.text.clear();
        self.text.push_str(self.input.utf8(&self.word)?);
        Ok(())
    }

    fn escaped(&mut self) -> Result<()> {
        let character = match self.input.next()? {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => self.escaped_unicode()?,
            _ => return Err(self.wrong("not JSON: '\\' before a character that needs none")),
        };
        let mut bytes = [0; 4];
        for &byte in character.encode_utf8(&mut bytes).as_bytes() {
            self.input.push(&mut self.word, byte)?;
        }
        Ok(())
    }

    /// Four digits, or twice four for a character beyond.
    fn escaped_unicode(&mut self) -> Result<char> {
        let first = self.four_digits()?;
        let code = match first {
            0xd800..0xdc00 => {
                if self.input.next()? != Some(b'\\') || self.input.next()? != Some(b'u') {
                    return Err(self.wrong("not JSON: half of a character after '\\u'"));
                }
                match self.four_digits()? {
                    second @ 0xdc00..0xe000 => {
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    // No character: an error below.
                    _ => first,
                }
            }
            first => first,
        };
        let character = char::from_u32(code).filter(|&character| character != '\0');
        character.ok_or_else(|| self.wrong("not a character after '\\u'"))
    }

    fn four_digits(&mut self) -> Result<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self
                .input
                .next()?
                .and_then(|byte| char::from(byte).to_digit(16));
            let digit = digit.ok_or_else(|| self.wrong("not JSON: '\\u' without four digits"))?;
            code = code << 4 | digit;
        }
        Ok(code)
    }
}

/// True for a number of JSON.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    digits.starts_with(|first: char| first.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn parts(text: &str) -> Result<Vec<String>> {
        let input = Text::new("x".as_ref(), Box::new(Cursor::new(text.to_owned())))?;
        let mut json = Json::new(input);
        let mut found = Vec::new();
        loop {
            let part = json.next()?;
            found.push(match part {
                Part::Key => format!("{}:", json.text()),
                Part::Text | Part::Number => json.text().to_owned(),
                Part::End => return Ok(found),
                part => format!("{part:?}"),
            });
        }
    }

    #[test]
    fn parts_are_in_order() {
        let text =
            "{\"a\" : [1, -2.5e3,true, null,{}],\"b\\n\\u00e9\\ud83d\\ude00\":\"\\\"/\"}\n[NaN]";
        let expected = [
            "OpenObject",
            "a:",
            "OpenArray",
            "1",
            "-2.5e3",
            "Flag(true)",
            "Null",
            "OpenObject",
            "CloseObject",
            "CloseArray",
            "b\né😀:",
            "\"/",
            "CloseObject",
            "OpenArray",
            "NaN",
            "CloseArray",
        ];
        assert_eq!(parts(text).unwrap(), expected);
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_line() {
        for (text, words) in [
            ("{\n", "line 2: not JSON: the file ends where a key"),
            ("{\n\"a\" 1}", "line 2: not JSON: '1' stands where ':'"),
            ("{\"a\": 1,\n}", "line 2: not JSON: '}' stands where a key"),
            ("[1\n2]", "line 2: not JSON: '2' stands where ','"),
            ("[1,\n]", "line 2: not JSON: ']' stands where a value"),
            ("[\n'a']", "line 2: not JSON: ''' stands"),
            ("[\nhello]", "line 2: not JSON: 'hello' is no value"),
            ("[\n01x]", "line 2: not JSON: '01x'"),
            ("[\"a\nb\"]", "line 1: not JSON: a line end"),
            ("[\"\\x\"]", "'\\' before a character"),
            ("[\"\\ud800\"]", "half of a character"),
            ("[\"\\ud800\\u0041\"]", "not a character"),
            ("[\"\\u12\"]", "without four digits"),
            ("]", "line 1: not JSON: ']' stands where a value"),
            ("[\"a", "never closed"),
        ] {
            let problem = parts(text).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        }
        let problem = parts(&"[".repeat(100_000)).unwrap_err().to_string();
        assert!(problem.contains("nested too deeply"), "{problem}");
    }
}
