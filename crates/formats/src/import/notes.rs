//! The assumptions and omissions of a reader, for summaries and warnings.

#[cfg(all(feature = "xml", feature = "zip"))]
use super::Input;
use serde::Serialize;
use std::fmt;

/// Something that a reader of a graph assumed or left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Its subject, in a word that does not change: `header`, `comments`, `columns` ...
    pub about: &'static str,
    /// How the reader dealt with it.
    pub kind: NoteKind,
    /// How many of them there were; 0 if they are not counted.
    pub count: u64,
    /// The text, without the count.
    pub text: String,
}

/// How a reader dealt with something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// The file does not say it: it was assumed.
    Assumed,
    /// It did not get into the graph.
    LeftOut,
    /// The file says it.
    Understood,
}

impl Note {
    /// Something that the file does not say; `text` says how to change it.
    pub fn assumed(about: &'static str, text: impl Into<String>) -> Self {
        Note {
            about,
            kind: NoteKind::Assumed,
            count: 0,
            text: text.into(),
        }
    }

    /// `count` things that did not get into the graph: `text` goes on after the count, as in
    /// "comments left out".
    pub fn left_out(about: &'static str, count: u64, text: impl Into<String>) -> Self {
        Note {
            about,
            kind: NoteKind::LeftOut,
            count,
            text: text.into(),
        }
    }

    /// Something that the file says.
    pub fn understood(about: &'static str, text: impl Into<String>) -> Self {
        Note {
            about,
            kind: NoteKind::Understood,
            count: 0,
            text: text.into(),
        }
    }
}

/// Words about several things, as they are about one: "column has no name" for "columns have no name". Words
/// behind a colon or a semicolon stay as they are.
fn singular(text: &str) -> String {
    const VERBS: [(&str, &str); 8] = [
        ("are", "is"),
        ("were", "was"),
        ("have", "has"),
        ("occur", "occurs"),
        ("declare", "declares"),
        ("weigh", "weighs"),
        ("start", "starts"),
        ("repeat", "repeats"),
    ];
    let (text, rest) = text.split_at(text.find([':', ';']).unwrap_or(text.len()));
    // The noun is one of the first two words; a verb with 's' behind it is another.
    let noun = text.split(' ').take(2).position(|word| word.ends_with('s'));
    let word = |(place, word): (usize, &str)| {
        let verb = VERBS.iter().find(|(many, _)| *many == word);
        match (verb, noun) {
            (Some((_, one)), _) => (*one).to_owned(),
            (None, Some(noun)) if noun == place => word[..word.len() - 1].to_owned(),
            _ => word.to_owned(),
        }
    };
    let words: Vec<String> = text.split(' ').enumerate().map(word).collect();
    words.join(" ") + rest
}

impl fmt::Display for Note {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self.count {
            0 => to.write_str(&self.text),
            1 => write!(to, "1 {}", singular(&self.text)),
            count => write!(to, "{count} {}", self.text),
        }
    }
}

#[cfg(all(feature = "xml", feature = "zip"))]
impl Input {
    /// This input, with something to say about it.
    pub(super) fn noting(self, note: Note) -> Self {
        let read = self.read;
        Input {
            read: Box::new(move |to| {
                to.note(note);
                read(to)
            }),
            ..self
        }
    }
}

/// The notes on all files, equal ones added up.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    pub(super) all: Vec<Note>,
}

/// No more different notes are kept: files with more have something in common that the first ones show.
const MOST: usize = 100;

impl Notes {
    pub(super) fn add(&mut self, note: Note) {
        let is_same = |other: &Note| {
            (other.about, other.kind, &other.text) == (note.about, note.kind, &note.text)
        };
        match self.all.iter().position(is_same) {
            Some(same) => self.all[same].count += note.count,
            None if self.all.len() < MOST => self.all.push(note),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_added_up() {
        let mut notes = Notes::default();
        notes.add(Note::left_out("comments", 2, "comments left out"));
        notes.add(Note::assumed("header", "the first line is a header"));
        notes.add(Note::left_out("comments", 3, "comments left out"));
        let texts: Vec<String> = notes.all.iter().map(Note::to_string).collect();
        assert_eq!(texts, ["5 comments left out", "the first line is a header"]);
    }
}
