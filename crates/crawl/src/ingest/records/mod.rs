//! The records of a WARC file (ISO 28500) or an ARC file: head, content, and what is wrong with the file.
//!
//! A record of WARC is a line `WARC/1.x`, named fields, an empty line, and as many bytes as Content-Length
//! says; `arc` has those of ARC. The first record decides which of them a file has. Where something else
//! stands, or bytes are missing, the next record is looked for, and one more damage is counted.

pub(super) mod arc;
mod date;
#[cfg(test)]
mod tests;

use super::members::{Event, Input};
use super::text;
pub(super) use date::date;

/// A record that was read whole, or whose content was cut at the limit.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// WARC-Type.
    pub(super) kind: String,
    /// WARC-Target-URI.
    pub(super) url: String,
    /// WARC-Date, as [`date`] reads it.
    pub(super) date: u64,
    /// Content-Type, of the record.
    pub(super) content_type: String,
    /// WARC-Identified-Payload-Type.
    pub(super) payload_type: String,
    pub(super) content: Vec<u8>,
    /// The content was longer.
    pub(super) is_cut: bool,
}

/// How records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Warc,
    Arc,
}

/// Reads records.
pub(super) struct Records {
    input: Input,
    /// That of the first record, once there is one.
    format: Option<Format>,
    buffer: Vec<u8>,
    at: usize,
    /// The event of the input beyond the buffer.
    beyond: Option<Event>,
    /// The longest content.
    limit: usize,
    /// There are no more bytes than so many, decompressed: a longer content is damage.
    pub(super) whole: u64,
    /// How many damages there were.
    pub(super) damaged: u64,
    /// Where the first few were found: bytes before them, decompressed.
    pub(super) places: Vec<u64>,
    /// The bytes that were read, decompressed.
    pub(super) bytes: u64,
}

/// So many damages have places.
const SHOWN: usize = 5;

/// The longest head; the longest URL is shorter.
const MAX_HEAD: usize = 1 << 20;

const STEP: usize = 1 << 16;

impl Records {
    pub(super) fn new(input: Input, limit: usize) -> Self {
        Records {
            input,
            format: None,
            buffer: Vec::new(),
            at: 0,
            beyond: None,
            limit,
            whole: u64::MAX,
            damaged: 0,
            places: Vec::new(),
            bytes: 0,
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Adds bytes to the buffer; false at a break or the end.
    fn more(&mut self) -> std::io::Result<bool> {
        if self.beyond.is_some() {
            return Ok(false);
        }
        if self.at > STEP {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let before = self.buffer.len();
        self.buffer.resize(before + STEP, 0);
        let event = self.input.read(&mut self.buffer[before..]);
        let count = match event {
            Ok(Event::Bytes(count)) => count,
            _ => 0,
        };
        self.buffer.truncate(before + count);
        self.bytes += count as u64;
        match event? {
            Event::Bytes(_) => Ok(true),
            event => {
                self.beyond = Some(event);
                Ok(false)
            }
        }
    }

    /// Reads on behind a break; false at the end.
    fn cross(&mut self) -> bool {
        self.buffer.clear();
        self.at = 0;
        match self.beyond {
            Some(Event::End) => false,
            _ => {
                self.beyond = None;
                true
            }
        }
    }

    /// Skips line ends.
    fn skip_line_ends(&mut self) -> std::io::Result<()> {
        loop {
            let rest = self.rest();
            let ends = rest.iter().take_while(|byte| b"\r\n".contains(byte));
            self.at += ends.count();
            if self.at < self.buffer.len() || !self.more()? {
                return Ok(());
            }
        }
    }

    /// The next record with content that `wants` says, by its head.
    ///
    /// # Errors
    /// If the file cannot be read; damage is no error.
    pub(super) fn next(
        &mut self,
        wants: impl Fn(&Record) -> bool,
    ) -> std::io::Result<Option<Record>> {
        loop {
            self.skip_line_ends()?;
            self.read_start()?;
            if self.rest().is_empty() {
                self.note_if(self.beyond != Some(Event::End));
                match self.cross() {
                    true => continue,
                    false => return Ok(None),
                }
            }
            let head = match self.begins() {
                Some(Format::Warc) => self.head()?,
                Some(Format::Arc) => self.arc_head()?,
                None => None,
            };
            let left = self.whole.saturating_sub(self.passed());
            let head = head.filter(|(_, length)| *length <= left);
            let Some((mut record, length)) = head else {
                self.note_if(true);
                self.find()?;
                continue;
            };
            let kept = match wants(&record) {
                true => length.min(self.limit as u64),
                false => 0,
            };
            record.is_cut = kept < length;
            if !self.content(kept, &mut record.content)? || !self.skip(length - kept)? {
                continue;
            }
            if self.format == Some(Format::Arc) {
                arc::set_kind(&mut record);
            }
            // Only what follows shows whether the checksum of a member is right.
            self.skip_line_ends()?;
            self.read_start()?;
            let is_broken = self.beyond == Some(Event::Broken);
            let is_followed = match self.rest().is_empty() {
                true => !is_broken,
                false => self.begins().is_some() || self.may_begin(),
            };
            if matches!(self.input, Input::Members(_)) && !is_followed {
                continue;
            }
            return Ok(Some(record));
        }
    }

    /// Reads enough to know whether a record begins here, as far as there is.
    fn read_start(&mut self) -> std::io::Result<()> {
        while self.rest().len() < START.len() && self.more()? {}
        let may_be_arc = self.format != Some(Format::Warc) && !self.rest().starts_with(START);
        while may_be_arc
            && self.rest().len() <= arc::MAX_LINE
            && memchr::memchr(b'\n', self.rest()).is_none()
            && self.more()?
        {}
        Ok(())
    }

    /// The line that begins here, without its end; none if it is longer than heads of ARC are, or if its end
    /// is not there.
    fn line(&self) -> Option<&[u8]> {
        let rest = self.rest();
        let most = &rest[..rest.len().min(arc::MAX_LINE + 1)];
        memchr::memchr(b'\n', most).map(|end| &most[..end])
    }

    /// The format of the record that begins here, if it is that of the file.
    fn begins(&self) -> Option<Format> {
        let is_warc = self.format != Some(Format::Arc) && self.rest().starts_with(START);
        let is_arc =
            || self.format != Some(Format::Warc) && self.line().and_then(arc::head).is_some();
        match is_warc {
            true => Some(Format::Warc),
            false => is_arc().then_some(Format::Arc),
        }
    }

    /// True if a record that is damaged, or cut within its first bytes, may begin here.
    fn may_begin(&self) -> bool {
        let mut start = self.rest().iter().zip(START);
        match self.format {
            Some(Format::Arc) => arc::may_be_head(self.rest()),
            _ => start.all(|(byte, expected)| byte == expected),
        }
    }

    /// How many bytes were passed.
    fn passed(&self) -> u64 {
        self.bytes - self.rest().len() as u64
    }

    /// Notes a damage, if it is one.
    fn note_if(&mut self, is_damage: bool) {
        self.damaged += u64::from(is_damage);
        if is_damage && self.places.len() < SHOWN {
            self.places.push(self.passed());
        }
    }

    /// Reads the head of a record of an ARC file.
    ///
    /// # Errors
    /// If the file cannot be read, or is of a version that is not known.
    fn arc_head(&mut self) -> std::io::Result<Option<(Record, u64)>> {
        let line = self.line();
        let found = line.and_then(|line| Some((line.len() + 1, arc::head(line)?)));
        let Some((end, head)) = found else {
            return Ok(None);
        };
        let is_first = self.format.is_none();
        self.format = Some(Format::Arc);
        self.at += end;
        if is_first && arc::is_description(&head.0.url) {
            while self.rest().len() < 2 && self.more()? {}
            if let Some(version) = arc::unknown_version(self.rest()) {
                let problem = format!("it is an ARC file of version {version}; give 1 or 2");
                return Err(std::io::Error::other(problem));
            }
        }
        Ok(Some(head))
    }

    /// Goes to the next record, or to a break.
    fn find(&mut self) -> std::io::Result<()> {
        loop {
            match self.format {
                Some(Format::Warc) => {
                    if let Some(place) = memchr::memmem::find(self.rest(), b"\nWARC/1.") {
                        self.at += place + 1;
                        return Ok(());
                    }
                    // The last bytes may be the first of what is looked for.
                    self.at = self.at.max(self.buffer.len().saturating_sub(7));
                }
                _ => {
                    while let Some(end) = memchr::memchr(b'\n', self.rest()) {
                        self.at += end + 1;
                        self.read_start()?;
                        if self.begins().is_some() {
                            return Ok(());
                        }
                    }
                    self.at = self.buffer.len();
                }
            }
            if !self.more()? {
                self.at = self.buffer.len();
                return Ok(());
            }
        }
    }

    /// Reads the head of a record; none if it is damaged.
    fn head(&mut self) -> std::io::Result<Option<(Record, u64)>> {
        let mut searched = 0;
        let end = loop {
            if let Some(end) = end_of_head(self.rest(), searched) {
                break end;
            }
            searched = self.rest().len().saturating_sub(3);
            if searched > MAX_HEAD || !self.more()? {
                return Ok(None);
            }
        };
        let head = text::encoded(&self.rest()[..end]);
        let mut record = Record::default();
        let mut length = None;
        for line in head.lines().skip(1) {
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "warc-type" => record.kind = value.to_ascii_lowercase(),
                // Some programs write it in angle brackets.
                "warc-target-uri" => {
                    record.url = value.trim_matches(['<', '>']).to_owned();
                }
                "warc-date" => record.date = date(value),
                "content-type" => record.content_type = value.to_ascii_lowercase(),
                "warc-identified-payload-type" => record.payload_type = value.to_ascii_lowercase(),
                "content-length" => length = value.parse().ok(),
                _ => {}
            }
        }
        let Some(length) = length else {
            return Ok(None);
        };
        self.format = Some(Format::Warc);
        self.at += end;
        Ok(Some((record, length)))
    }

    /// Reads so many bytes of content; false, and one more damage, if they are not there.
    fn content(&mut self, length: u64, content: &mut Vec<u8>) -> std::io::Result<bool> {
        while (content.len() as u64) < length {
            if self.rest().is_empty() && !self.more()? {
                self.note_if(self.beyond == Some(Event::End));
                return Ok(false);
            }
            let rest = &self.buffer[self.at..];
            let wanted = (length - content.len() as u64).min(rest.len() as u64) as usize;
            content.extend_from_slice(&rest[..wanted]);
            self.at += wanted;
        }
        Ok(true)
    }

    fn skip(&mut self, mut length: u64) -> std::io::Result<bool> {
        while length > 0 {
            if self.rest().is_empty() && !self.more()? {
                self.note_if(self.beyond == Some(Event::End));
                return Ok(false);
            }
            let skipped = length.min(self.rest().len() as u64);
            self.at += skipped as usize;
            length -= skipped;
        }
        Ok(true)
    }
}

const START: &[u8] = b"WARC/";

/// Where the empty line after a head ends.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    while let Some(place) = memchr::memchr(b'\n', bytes.get(from..)?) {
        let next = from + place + 1;
        match (bytes.get(next), bytes.get(next + 1)) {
            (Some(b'\n'), _) => return Some(next + 1),
            (Some(b'\r'), Some(b'\n')) => return Some(next + 2),
            _ => from = next,
        }
    }
    None
}
