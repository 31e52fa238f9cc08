//! The members of a gzip file, one after the other; damaged ones are left out.
//!
//! Each record of an archive is a member of its own, so that damage loses one record. After a member
//! that cannot be decompressed, or whose checksum is wrong, the next one is looked for from the second
//! byte of the damaged one, as far as its bytes are still there.

use flate2::bufread::GzDecoder;
use std::io::{BufRead, ErrorKind, Read};

/// The next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// So many bytes.
    Bytes(usize),
    /// A damaged member ends here: the bytes since its start may be wrong, and some are missing.
    Broken,
    /// Bytes between members were left out, or a damaged member of which nothing was given.
    Gap,
    /// Nothing.
    End,
}

/// Members, decompressed.
pub(super) struct Members<R> {
    /// The decoder of a member, or the input between two.
    decoder: Option<GzDecoder<Window<R>>>,
    between: Option<Window<R>>,
    /// The present member has given something.
    has_given: bool,
}

/// So many bytes of a member are kept, to begin again after its start.
const KEPT: usize = 1 << 20;

/// Bytes that are read at once.
const STEP: usize = 1 << 16;

/// How a gzip member starts: two bytes of magic, and the method deflate.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Compressed bytes, which can be read again from a mark.
struct Window<R> {
    input: R,
    bytes: Vec<u8>,
    at: usize,
    /// The mark is at the start of `bytes`.
    is_marked: bool,
    is_at_end: bool,
    failed: Option<std::io::Error>,
    /// How many bytes may be read again: as many as were read. So reading stays linear.
    credit: usize,
}

impl<R: Read> Window<R> {
    /// Reads until `count` bytes are there; false at the end.
    fn ensure(&mut self, count: usize) -> std::io::Result<bool> {
        while self.bytes.len() - self.at < count && !self.is_at_end {
            if self.at >= KEPT || !self.is_marked && self.at > 0 {
                self.bytes.drain(..self.at);
                self.at = 0;
                self.is_marked = false;
            }
            let before = self.bytes.len();
            self.bytes.resize(before + STEP, 0);
            let read = self.input.read(&mut self.bytes[before..]);
            self.bytes.truncate(before + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.is_at_end = true,
                Ok(count) => self.credit += count,
                Err(problem) if problem.kind() == ErrorKind::Interrupted => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(self.bytes.len() - self.at >= count)
    }

    /// Keeps the bytes from here on.
    fn mark(&mut self) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.is_marked = true;
    }

    /// Goes back to the byte after the mark, if it is still there.
    fn back(&mut self) {
        if self.is_marked && self.at > 1 && self.at <= self.credit {
            self.credit -= self.at;
            self.at = 1;
        }
        self.is_marked = false;
    }

    /// Goes to the next start of a member; returns how many bytes were left out, or none at the end.
    fn find(&mut self) -> std::io::Result<Option<usize>> {
        let mut skipped = 0;
        // Zeros at the end are padding.
        let mut has_content = false;
        while self.ensure(4)? {
            let rest = &self.bytes[self.at..];
            let found = memchr::memmem::find(&rest[..rest.len() - 1], &MAGIC);
            // The highest bits of the flags are reserved.
            match found {
                Some(place) if rest[place + 3] & 0xe0 == 0 => {
                    self.at += place;
                    return Ok(Some(skipped + place));
                }
                Some(place) => {
                    self.at += place + 1;
                    skipped += place + 1;
                    has_content = true;
                }
                None => {
                    has_content |= rest.iter().any(|byte| *byte != 0);
                    skipped += rest.len() - 3;
                    self.at = self.bytes.len() - 3;
                }
            }
        }
        has_content |= self.bytes[self.at..].iter().any(|byte| *byte != 0);
        skipped += self.bytes.len() - self.at;
        self.at = self.bytes.len();
        Ok((skipped > 0 && has_content).then_some(skipped))
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut rest = self.fill_buf()?;
        let count = rest.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Window<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if let Err(problem) = self.ensure(1) {
            // The decoder gives errors of its own: those of the system are kept apart.
            self.failed = Some(problem);
            return Err(ErrorKind::Other.into());
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.bytes.len());
    }
}

impl<R: Read> Members<R> {
    pub(super) fn new(input: R) -> Self {
        let window = Window {
            input,
            bytes: Vec::new(),
            at: 0,
            is_marked: false,
            is_at_end: false,
            failed: None,
            credit: 0,
        };
        Members {
            decoder: None,
            between: Some(window),
            has_given: false,
        }
    }

    /// Reads some bytes into `buffer`, which is not empty.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<Event> {
        loop {
            if let Some(mut window) = self.between.take() {
                let skipped = window.find();
                let is_over = !matches!(window.ensure(1), Ok(true));
                if is_over || skipped.is_err() {
                    self.between = Some(window);
                } else {
                    window.mark();
                    self.decoder = Some(GzDecoder::new(window));
                    self.has_given = false;
                }
                match skipped? {
                    Some(0) => {}
                    Some(_) => return Ok(Event::Gap),
                    None => return Ok(Event::End),
                }
            }
            let Some(decoder) = &mut self.decoder else {
                continue;
            };
            let read = decoder.read(buffer);
            if let Ok(count @ 1..) = read {
                self.has_given = true;
                return Ok(Event::Bytes(count));
            }
            let Some(decoder) = self.decoder.take() else {
                continue;
            };
            let mut window = decoder.into_inner();
            if let Some(problem) = window.failed.take() {
                return Err(problem);
            }
            if read.is_err() {
                window.back();
            }
            self.between = Some(window);
            if read.is_err() {
                // The member before is whole: its end was read.
                return Ok(match self.has_given {
                    true => Event::Broken,
                    false => Event::Gap,
                });
            }
        }
    }
}

/// Where the bytes of an archive come from.
pub(super) enum Input {
    Members(Box<Members<Box<dyn Read + Send>>>),
    Plain(Box<dyn Read + Send>),
}

impl Input {
    /// Reads some bytes into `buffer`, which is not empty.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<Event> {
        loop {
            return match self {
                Input::Members(members) => members.read(buffer),
                Input::Plain(input) => match input.read(buffer) {
                    Ok(0) => Ok(Event::End),
                    Ok(count) => Ok(Event::Bytes(count)),
                    Err(problem) if problem.kind() == ErrorKind::Interrupted => continue,
                    Err(problem) => Err(problem),
                },
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> (Vec<u8>, Vec<Event>) {
        let mut members = Members::new(bytes);
        let (mut text, mut events) = (Vec::new(), Vec::new());
        let mut buffer = [0; 100];
        loop {
            match members.read(&mut buffer).unwrap() {
                Event::Bytes(count) => text.extend_from_slice(&buffer[..count]),
                Event::End => return (text, events),
                other => events.push(other),
            }
        }
    }

    #[test]
    fn members_follow_each_other() {
        let bytes = [member(b"one "), member(b""), member(b"two")].concat();
        assert_eq!(read(&bytes), (b"one two".to_vec(), vec![]));
        assert_eq!(read(b""), (vec![], vec![]));
    }

    #[test]
    fn what_is_between_members_is_left_out() {
        let bytes = [b"xx".to_vec(), member(b"one"), vec![0; 300], member(b"two")].concat();
        let (text, events) = read(&bytes);
        assert_eq!(text, b"onetwo");
        assert_eq!(events, [Event::Gap, Event::Gap]);
        for (length, expected) in [(1, vec![]), (512, vec![])] {
            let padded = [member(b"one"), vec![0; length]].concat();
            assert_eq!(read(&padded), (b"one".to_vec(), expected));
        }
        let ends = [member(b"one"), vec![0; 512], vec![1]].concat();
        assert_eq!(read(&ends).1, [Event::Gap]);
    }

    /// Every byte of the first of two members changed: the second one is read.
    #[test]
    fn a_damaged_member_does_not_hide_the_next() {
        let first = member(b"one one one two two, and some more to make it long");
        for place in 0..first.len() {
            let mut bytes = first.clone();
            bytes[place] ^= 0x55;
            bytes.extend(member(b"SECOND"));
            let (text, _) = read(&bytes);
            assert!(text.ends_with(b"SECOND"), "{place}");
        }
        for length in 1..first.len() {
            let bytes = [first[..length].to_vec(), member(b"SECOND")].concat();
            let (text, events) = read(&bytes);
            assert!(text.ends_with(b"SECOND"), "{length}");
            assert!(!events.is_empty());
        }
    }

    /// A decoder that is sent back again and again, by nested starts, ends nevertheless.
    #[test]
    fn nested_starts_cost_linear_time() {
        let mut bytes = Vec::new();
        for _ in 0..40_000 {
            // A header, and a stored block that holds what follows.
            bytes.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0, 0xff, 0xff, 0, 0]);
        }
        let (_, events) = read(&bytes);
        assert!(events.contains(&Event::Broken));
    }
}
