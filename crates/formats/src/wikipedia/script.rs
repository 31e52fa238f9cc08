//! The text between rows: comments and statements.

use super::statement::{self, Statement};
use super::window::Window;
use webrank_base::error::{Error, Result};

/// The content of comments.
#[derive(Default)]
pub(super) struct Notes {
    /// The program that wrote the dump says when it is complete.
    pub(super) is_noted: bool,
    /// It says so.
    pub(super) is_complete: bool,
    /// The database that the table is of.
    pub(super) database: Option<String>,
}

impl Notes {
    fn read(&mut self, comment: &[u8]) {
        let starts = |words: &str| comment.starts_with(words.as_bytes());
        self.is_noted |= starts("-- MySQL dump") || starts("-- MariaDB dump");
        self.is_complete |= starts("-- Dump completed");
        if starts("-- Host: ") && self.database.is_none() {
            let comment = String::from_utf8_lossy(comment);
            let database = comment.split_once("Database: ");
            self.database = database.map(|(_, name)| name.trim().to_owned());
        }
    }
}

/// Goes to the next statement; none at the end. Adds the bytes before it to `read`.
pub(super) fn next_statement(
    window: &mut Window,
    notes: &mut Notes,
    read: &mut usize,
) -> Result<Option<Statement>> {
    loop {
        let rest = window.rest();
        let is_between = |&byte: &u8| byte.is_ascii_whitespace() || byte == b';';
        let between = rest.iter().take_while(|byte| is_between(byte)).count();
        if between > 0 {
            window.advance(between);
            *read += between;
            continue;
        }
        match statement::comment(rest) {
            Some(0) if !rest.is_empty() => match statement::kind(rest) {
                Some(found) => return Ok(Some(found)),
                None if window.more()? => {}
                // Less than a word.
                None => return Ok(Some(Statement::Other)),
            },
            Some(length) if length > 0 => {
                notes.read(&rest[..length]);
                window.advance(length);
                *read += length;
            }
            _ if window.more()? => {}
            None => {
                let rest = window.rest();
                if rest.starts_with(b"/*") {
                    let problem = "ends within a comment: it is cut off; copy it again";
                    return Err(Error::file(window.path(), problem));
                }
                // The last line may have no end.
                notes.read(rest);
                let length = rest.len();
                window.advance(length);
                return Ok(None);
            }
            Some(_) => return Ok(None),
        }
    }
}

/// The length of the statement that begins here.
pub(super) fn whole(window: &mut Window) -> Result<usize> {
    loop {
        match statement::length(window.rest()) {
            Some(length) => return Ok(length),
            None if window.more()? => {}
            None => {
                let problem = "ends within a statement: it is cut off, or no dump of a table";
                return Err(Error::file(window.path(), problem));
            }
        }
    }
}

/// Leaves a statement out; returns its length.
pub(super) fn skip(window: &mut Window) -> Result<usize> {
    let length = whole(window)?;
    window.advance(length);
    Ok(length)
}
