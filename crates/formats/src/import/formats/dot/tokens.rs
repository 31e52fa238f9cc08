//! Words and marks of DOT.

use super::super::held::Text;
use super::super::latin1::Decoder;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_tables::text::input::MAX_LINE;

/// A word or a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// An id without quotation marks, which may be a keyword.
    Word(String),
    /// An id that is no keyword: in quotation marks or angle brackets.
    Id(String),
    /// One of `{ } [ ] ; , = : +`.
    Mark(u8),
    /// `->`, and `--` if not.
    Edge {
        is_directed: bool,
    },
    End,
}

/// The tokens of a text.
pub(super) struct Tokens {
    pub(super) text: Text,
    /// A token that was looked at.
    next: Option<Token>,
    word: Vec<u8>,
    /// Graphviz takes what is not UTF-8 for ISO-8859-1.
    pub(super) decoder: Decoder,
    /// Whether nothing but blanks was before in the line.
    is_at_start: bool,
    /// The line in which the last token started.
    line: u64,
}

impl Tokens {
    pub(super) fn new(text: Text) -> Self {
        Tokens {
            text,
            next: None,
            word: Vec::new(),
            decoder: Decoder::default(),
            is_at_start: true,
            line: 1,
        }
    }

    /// The line of the token that was looked at last.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The bytes of the file so far.
    pub(super) fn bytes(&self) -> u64 {
        self.text.bytes()
    }

    /// An error in the token that was looked at last.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        Error::line(self.text.path(), self.line, problem)
    }

    /// An error at a token that should be another.
    pub(super) fn unexpected(&self, found: &Token, wanted: &str) -> Error {
        let found = match found {
            Token::Word(text) | Token::Id(text) => quoted(text),
            Token::Mark(mark) => format!("'{}'", char::from(*mark)),
            Token::Edge { is_directed: true } => "'->'".into(),
            Token::Edge { is_directed: false } => "'--'".into(),
            Token::End => "the end of the file".into(),
        };
        self.wrong(format!("{found} where {wanted} should be"))
    }

    pub(super) fn peek(&mut self) -> Result<&Token> {
        if self.next.is_none() {
            self.next = Some(self.read()?);
        }
        Ok(self.next.as_ref().unwrap_or(&Token::End))
    }

    pub(super) fn next(&mut self) -> Result<Token> {
        match self.next.take() {
            Some(token) => Ok(token),
            None => self.read(),
        }
    }

    /// Skips the next token if it is this mark.
    pub(super) fn skip(&mut self, mark: u8) -> Result<bool> {
        let is_next = *self.peek()? == Token::Mark(mark);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    fn read(&mut self) -> Result<Token> {
        self.skip_blanks()?;
        self.line = self.text.line();
        let Some(byte) = self.text.peek()? else {
            return Ok(Token::End);
        };
        self.is_at_start = false;
        match byte {
            b'"' => {
                self.word.clear();
                self.quoted_text()?;
                while self.is_joined()? {
                    self.quoted_text()?;
                }
                Ok(Token::Id(self.decoder.text(&self.word).into_owned()))
            }
            b'<' => self.html(),
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' | b'+' => {
                self.text.next()?;
                Ok(Token::Mark(byte))
            }
            b'-' => self.edge_or_number(),
            byte if byte == b'.' || byte.is_ascii_digit() => {
                self.word.clear();
                self.numeral()
            }
            byte if is_letter(byte) => {
                self.word.clear();
                let is_part = |byte: u8| is_letter(byte) || byte.is_ascii_digit();
                self.text.take(&mut self.word, is_part)?;
                Ok(Token::Word(self.decoder.text(&self.word).into_owned()))
            }
            b'>' => Err(self.wrong(
                "'>' closes no text; in a text in angle brackets, write &gt; for it, as for Graphviz",
            )),
            byte => {
                let found = quoted(&char::from(byte).to_string());
                Err(self.wrong(format!(
                    "{found} is not part of an id; put names with such characters in quotation marks"
                )))
            }
        }
    }

    /// Skips blanks, comments and lines that start with `#`.
    fn skip_blanks(&mut self) -> Result<()> {
        while let Some(byte) = self.text.peek()? {
            match byte {
                b'\n' | b'\r' => {
                    self.is_at_start = true;
                    self.text.next()?;
                }
                b'#' if self.is_at_start => self.text.skip_line()?,
                b'/' => self.comment()?,
                byte if byte.is_ascii_whitespace() => {
                    self.text.next()?;
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<()> {
        self.line = self.text.line();
        self.text.next()?;
        match self.text.next()? {
            Some(b'/') => self.text.skip_line(),
            Some(b'*') => {
                let mut before = 0;
                while let Some(byte) = self.text.next()? {
                    if before == b'*' && byte == b'/' {
                        return Ok(());
                    }
                    before = byte;
                }
                Err(self.wrong("a comment '/*' is never closed"))
            }
            _ => Err(self.wrong("'/' is not part of an id; put it in quotation marks")),
        }
    }

    /// Adds a text in quotation marks to the word: only the mark itself is escaped, and an escaped line
    /// end joins lines.
    fn quoted_text(&mut self) -> Result<()> {
        let line = self.text.line();
        self.text.next()?;
        loop {
            match self.text.next()? {
                None => {
                    let problem = "a quotation mark is never closed";
                    return Err(Error::line(self.text.path(), line, problem));
                }
                Some(b'"') => return Ok(()),
                Some(b'\\') => match self.text.peek()? {
                    Some(b'"') => {
                        self.text.next()?;
                        self.text.push(&mut self.word, b'"')?;
                    }
                    Some(b'\\') => {
                        self.text.next()?;
                        self.text.push(&mut self.word, b'\\')?;
                        self.text.push(&mut self.word, b'\\')?;
                    }
                    Some(b'\n') => {
                        self.text.next()?;
                    }
                    Some(b'\r') => {
                        self.text.next()?;
                        if self.text.peek()? == Some(b'\n') {
                            self.text.next()?;
                        }
                    }
                    _ => self.text.push(&mut self.word, b'\\')?,
                },
                Some(byte) => self.text.push(&mut self.word, byte)?,
            }
        }
    }

    /// True if `+` and another text in quotation marks follow.
    fn is_joined(&mut self) -> Result<bool> {
        self.skip_blanks()?;
        if self.text.peek()? != Some(b'+') {
            return Ok(false);
        }
        self.text.next()?;
        self.skip_blanks()?;
        match self.text.peek()? {
            Some(b'"') => Ok(true),
            _ => Err(self.wrong("'+' joins texts in quotation marks, and none follows")),
        }
    }

    /// A text in angle brackets, which belong to it.
    fn html(&mut self) -> Result<Token> {
        self.word.clear();
        let mut depth = 0u64;
        loop {
            let byte = self.text.next()?;
            let Some(byte) = byte.filter(|_| self.word.len() < MAX_LINE) else {
                return Err(self.wrong("a text in angle brackets is never closed"));
            };
            self.word.push(byte);
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Token::Id(self.decoder.text(&self.word).into_owned()));
            }
        }
    }

    fn edge_or_number(&mut self) -> Result<Token> {
        self.text.next()?;
        match self.text.peek()? {
            Some(b'>') => {
                self.text.next()?;
                Ok(Token::Edge { is_directed: true })
            }
            Some(b'-') => {
                self.text.next()?;
                Ok(Token::Edge { is_directed: false })
            }
            Some(byte) if byte == b'.' || byte.is_ascii_digit() => {
                self.word.clear();
                self.word.push(b'-');
                self.numeral()
            }
            _ => Err(self.wrong(
                "'-' is not part of an id; put names with such characters in quotation marks",
            )),
        }
    }

    /// Digits, perhaps with a point among them.
    fn numeral(&mut self) -> Result<Token> {
        self.text
            .take(&mut self.word, |byte| byte.is_ascii_digit())?;
        if self.text.peek()? == Some(b'.') {
            self.text.next()?;
            self.word.push(b'.');
            self.text
                .take(&mut self.word, |byte| byte.is_ascii_digit())?;
        }
        let text = self.decoder.text(&self.word).into_owned();
        let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
        // Graphviz makes two ids of '1a', with a warning.
        if !has_digits || self.text.peek()?.is_some_and(is_letter) {
            let problem =
                "neither a number nor a word; put names that start with digits in quotation marks";
            return Err(self.wrong(problem));
        }
        Ok(Token::Id(text))
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}
