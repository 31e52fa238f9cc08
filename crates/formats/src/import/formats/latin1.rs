//! Text whose encoding no file says: UTF-8, and what is not is ISO-8859-1, in which older programs
//! write.

use super::super::notes::Note;
use super::super::receiver::Receiver;
use super::note;
use std::borrow::Cow;

/// Decodes labels, and counts those that were not UTF-8.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    in_latin1: u64,
}

impl Decoder {
    /// A line or a label as text.
    pub(super) fn text<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.in_latin1 += 1;
                // Each byte of ISO-8859-1 is the number of its character.
                Cow::Owned(bytes.iter().map(|&byte| byte as char).collect())
            }
        }
    }

    /// Says how many there were.
    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        note(to, self.in_latin1, self.note("lines"));
    }

    /// The note on such lines or words, if there were any.
    pub(super) fn note(&self, what: &str) -> Note {
        let text = format!("{what} are not UTF-8, and read as ISO-8859-1");
        Note {
            count: self.in_latin1,
            ..Note::assumed("encoding", text)
        }
    }
}
