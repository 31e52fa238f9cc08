//! Names and messages made safe to display: control characters are spelled out.
//!
//! Names come from files that anybody may have written. A terminal obeys control characters (escape
//! sequences move the cursor or set the title). A browser obeys those that change the direction of
//! text, so that one name looks like another. Here ESC becomes `\u{1b}`, and the right-to-left
//! override becomes `\u{202e}`. Letters of all scripts, and the joiners that they need, stay.

use std::borrow::Cow;
use std::io::{self, Write};

/// The text on one line, with every control character spelled out.
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled_out(text, acts)
}

/// The text with every control character but line feeds spelled out.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| c != '\n' && acts(c))
}

/// JSON with every control character but line feeds as its escape, which means the same: outside
/// of strings there are none.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    let acts = |c| c != '\n' && acts(c);
    if !json.contains(acts) {
        return json.into();
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if acts(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// A writer of text in which every control character but line feeds and tabs is spelled out.
pub struct VisibleWriter<W: Write> {
    out: W,
    /// The first bytes of a letter whose last ones have not come.
    started: Vec<u8>,
    spell: fn(&str) -> Cow<'_, str>,
}

impl<W: Write> VisibleWriter<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self::spelling(out, |text| {
            spelled_out(text, |c| !matches!(c, '\n' | '\t') && acts(c))
        })
    }

    /// Writes to `out`; tabs are spelled out, too.
    pub fn of_lines(out: W) -> Self {
        Self::spelling(out, visible_lines)
    }

    /// Writes JSON to `out`.
    pub fn of_json(out: W) -> Self {
        Self::spelling(out, visible_json)
    }

    fn spelling(out: W, spell: fn(&str) -> Cow<'_, str>) -> Self {
        VisibleWriter {
            out,
            started: Vec::new(),
            spell,
        }
    }

    /// Writes what is left; a letter that has not ended is shown as one that cannot be read.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn finish(mut self) -> io::Result<W> {
        if !std::mem::take(&mut self.started).is_empty() {
            self.out.write_all(UNREADABLE)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The sign for bytes that are no letter.
const UNREADABLE: &[u8] = "\u{fffd}".as_bytes();

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let joined;
        let mut bytes = match self.started.is_empty() {
            true => buffer,
            false => {
                joined = [&self.started[..], buffer].concat();
                self.started.clear();
                &joined[..]
            }
        };
        while let Some(chunk) = bytes.utf8_chunks().next() {
            self.out.write_all((self.spell)(chunk.valid()).as_bytes())?;
            let rest = &bytes[chunk.valid().len()..];
            if chunk.invalid().len() == rest.len() && could_go_on(rest) {
                self.started.extend_from_slice(rest);
                break;
            }
            if !chunk.invalid().is_empty() {
                self.out.write_all(UNREADABLE)?;
            }
            bytes = &rest[chunk.invalid().len()..];
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// True if more bytes may make a letter of these.
fn could_go_on(bytes: &[u8]) -> bool {
    let problem = std::str::from_utf8(bytes).err();
    problem.is_some_and(|problem| problem.error_len().is_none())
}

fn spelled_out(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return text.into();
    }
    let mut spelled = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) {
            spelled.extend(c.escape_default());
        } else {
            spelled.push(c);
        }
    }
    spelled.into()
}

/// True for controls (C0, DEL, C1), line separators, invisible characters, and characters that
/// change the direction of text.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_spelled_out() {
        for (text, seen) in [
            ("\u{1b}]0;title\u{7}x", "\\u{1b}]0;title\\u{7}x"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("gpj\u{202e}exe", "gpj\\u{202e}exe"),
            ("a\tb\r\n", "a\\tb\\r\\n"),
        ] {
            assert_eq!(visible(text), seen);
        }
        assert_eq!(visible_lines("a\n\u{1b}b\n"), "a\n\\u{1b}b\n");
    }

    #[test]
    fn a_writer_spells_out_what_acts_however_the_bytes_come() {
        let text = "a\tb\u{1b}]0;x\u{7}\n\u{202e}é\u{9b}👩\n".as_bytes();
        let text = [text, b"\xff\xe2\x80!\xf0\x9f"].concat();
        let seen = "a\tb\\u{1b}]0;x\\u{7}\n\\u{202e}é\\u{9b}👩\n\u{fffd}\u{fffd}!\u{fffd}";
        for size in 1..=text.len() {
            let mut writer = VisibleWriter::new(Vec::new());
            text.chunks(size)
                .for_each(|part| writer.write_all(part).unwrap());
            let written = String::from_utf8(writer.finish().unwrap()).unwrap();
            assert_eq!(written, seen, "by {size}");
        }
    }

    #[test]
    fn json_means_the_same_when_it_is_safe_to_display() {
        let text = "\u{1b}]0;\u{7}\u{9b}2J\u{202e}\u{e0041} \"na\u{ef}ve\"\n";
        let json = serde_json::to_string_pretty(&[text]).unwrap();
        let safe = visible_json(&json);
        assert!(!safe.contains(|c| c != '\n' && acts(c)), "{safe}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&safe).unwrap(), [text]);
    }

    #[test]
    fn what_can_be_read_stays() {
        // Persian needs the joiner; combining marks and emoji are letters here.
        for text in [
            "naïveté",
            "می\u{200c}خواهم",
            "e\u{301}",
            "👩\u{200d}🔬",
            "<b> & \\",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(seen) if seen == text));
        }
    }
}
