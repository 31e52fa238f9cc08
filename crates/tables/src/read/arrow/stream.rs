//! The messages of a stream, or of a file, which is a stream with an index.
//!
//! The index is not needed: both are read from their start to their end, from pipes too.

use super::in_a_line;
use super::inflated::inflated;
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::SchemaRef;
use std::collections::VecDeque;
use std::io::{Cursor, Read};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::memory::free_memory;

/// Messages, one after the other.
pub(super) struct Stream {
    path: PathBuf,
    input: Box<dyn Read + Send>,
    /// Bytes read so far.
    offset: u64,
    decoder: StreamDecoder,
    /// Decoded, but not passed on.
    batches: VecDeque<RecordBatch>,
    /// It is a file: its index ends it.
    is_file: bool,
    is_done: bool,
}

/// The start and the end of a file.
const MAGIC: &[u8] = b"ARROW1";

/// The longest metadata of a message.
const MAX_METADATA: u64 = 64 << 20;

/// Words of 8 bytes before the first message of a file; writers align it to 64 bytes or less.
const MAX_PADDING: usize = 64;

const CONTINUATION: [u8; 4] = [0xff; 4];

/// The end of a stream, which may be missing.
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

impl Stream {
    /// Reads the schema.
    pub(super) fn open(path: &Path, input: Box<dyn Read + Send>) -> Result<(Self, SchemaRef)> {
        let mut stream = Stream {
            path: path.to_owned(),
            input,
            offset: 0,
            decoder: StreamDecoder::new(),
            batches: VecDeque::new(),
            is_file: false,
            is_done: false,
        };
        stream.skip_start_of_file()?;
        while stream.decoder.schema().is_none() && stream.advance()? {}
        let schema = stream.decoder.schema();
        let schema = schema.ok_or_else(|| stream.wrong("it ends before its schema"))?;
        Ok((stream, schema))
    }

    fn wrong(&self, problem: &str) -> Error {
        let (problem, offset) = (in_a_line(problem), self.offset);
        Error::file(
            &self.path,
            format!("not Arrow data that can be read: byte {offset}: {problem}; write it again"),
        )
    }

    /// Appends so many bytes to a message, as far as there are.
    fn take(&mut self, bytes: u64, message: &mut Vec<u8>) -> Result<()> {
        let read = self.input.by_ref().take(bytes).read_to_end(message);
        let read = read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        self.offset += read as u64;
        match read as u64 == bytes {
            true => Ok(()),
            false => Err(self.wrong("it ends within a message")),
        }
    }

    /// A file starts with its magic number, and padding of 2 bytes or, in steps of 8, more.
    fn skip_start_of_file(&mut self) -> Result<()> {
        let mut start = Vec::new();
        self.take(8, &mut start)?;
        if start.starts_with(MAGIC) {
            self.is_file = true;
            for _ in 0..=MAX_PADDING {
                start.clear();
                self.take(8, &mut start)?;
                if start != [0; 8] {
                    break;
                }
            }
            self.skip_bare_schema(&mut start)?;
        }
        // Bytes that are no padding are read again.
        let rest = std::mem::replace(&mut self.input, Box::new(std::io::empty()));
        self.offset -= 8;
        self.input = Box::new(Cursor::new(start).chain(rest));
        Ok(())
    }

    /// Polars writes the schema of a file without the length that stands before other messages: it ends
    /// where the marker of the next one begins.
    fn skip_bare_schema(&mut self, word: &mut Vec<u8>) -> Result<()> {
        // The shortest schema is longer than its first number, the place of its table.
        let is_bare = matches!(word.first_chunk(), Some(first) if u32::from_le_bytes(*first) < 8);
        if !is_bare {
            return Ok(());
        }
        let mut schema = Vec::new();
        while !word.starts_with(&CONTINUATION) {
            schema.extend_from_slice(word);
            if schema.len() as u64 > MAX_METADATA {
                return Err(self.wrong("the schema is too long"));
            }
            word.clear();
            self.take(8, word)?;
        }
        body(&schema).map_err(|problem| self.wrong(&problem))?;
        let mut message = CONTINUATION.to_vec();
        message.extend((schema.len() as u32).to_le_bytes());
        message.append(&mut schema);
        self.decode_message(message)
    }

    /// Decodes the next message; false at the end. A message without a body, such as the schema, is
    /// decoded with the next one.
    fn advance(&mut self) -> Result<bool> {
        let mut message = Vec::new();
        let read = self.input.by_ref().take(4).read_to_end(&mut message);
        let read = read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        self.offset += read as u64;
        if read == 0 {
            return self.end();
        }
        if read < 4 {
            return Err(self.wrong("it ends within a message"));
        }
        // Since version 0.15 of the format, the length comes after a marker.
        let start = if message == CONTINUATION { 8 } else { 4 };
        if start == 8 {
            self.take(4, &mut message)?;
        }
        let length = message
            .last_chunk()
            .map_or(0, |last| u32::from_le_bytes(*last));
        if length == 0 {
            return self.end();
        }
        if u64::from(length) > MAX_METADATA {
            return Err(self.wrong("the metadata of a message is too long"));
        }
        self.take(length.into(), &mut message)?;
        let body = body(&message[start..]).map_err(|problem| self.wrong(&problem))?;
        if body > free_memory() {
            return Err(self.wrong(&format!(
                "a batch of {body} bytes is larger than the free memory; write smaller batches"
            )));
        }
        let end = message.len();
        self.take(body, &mut message)?;
        let parsed = parsed(&message[start..end]).map_err(|problem| self.wrong(&problem))?;
        let inflated = inflated(&parsed, &message[end..]);
        if inflated.map_err(|problem| self.wrong(problem))? > free_memory() {
            return Err(
                self.wrong("a batch inflates to more than the free memory; write smaller batches")
            );
        }
        self.decode_message(message)?;
        Ok(true)
    }

    /// Decodes what is left; false. A file that was cut off lacks the end of its index.
    fn end(&mut self) -> Result<bool> {
        self.decode_message(END.to_vec())?;
        if self.is_file {
            let mut index = Vec::new();
            let read = self
                .input
                .by_ref()
                .take(MAX_METADATA)
                .read_to_end(&mut index);
            read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
            if !index.ends_with(MAGIC) {
                return Err(self.wrong("the end of the file is missing"));
            }
        }
        self.is_done = true;
        Ok(false)
    }

    fn decode_message(&mut self, message: Vec<u8>) -> Result<()> {
        let mut buffer = message.into();
        loop {
            let decoder = &mut self.decoder;
            // The decoder checks what it reads, but asserts some of it.
            let decoded = catch_panic(AssertUnwindSafe(|| decoder.decode(&mut buffer)));
            let decoded = decoded.ok_or_else(|| self.wrong("its parts do not fit together"))?;
            match decoded.map_err(|problem| self.wrong(&problem.to_string()))? {
                Some(batch) => self.batches.push_back(batch),
                None if buffer.is_empty() => return Ok(()),
                None => {}
            }
        }
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        while self.batches.is_empty() && !self.is_done {
            if let Err(problem) = self.advance() {
                self.is_done = true;
                return Some(Err(problem));
            }
        }
        self.batches.pop_front().map(Ok)
    }
}

fn parsed(metadata: &[u8]) -> Result<Message<'_>, String> {
    root_as_message(metadata).map_err(|problem| problem.to_string())
}

/// The length of the body of a message.
fn body(metadata: &[u8]) -> Result<u64, String> {
    let length = parsed(metadata)?.bodyLength();
    u64::try_from(length).map_err(|_| "a batch has a negative length".to_owned())
}
