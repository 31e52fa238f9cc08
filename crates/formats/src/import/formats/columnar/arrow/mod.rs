//! Arrow IPC, files (Feather) and streams, as pyarrow, polars, pandas and others write them.
//!
//! A file is a stream with an index, which is not needed: both are read from their start to their
//! end, from pipes too. A batch is held at a time. Columns are strings, integers, floating-point
//! numbers or decimals, or dictionaries of those. Compression: none, lz4, zstd.

mod cells;

use super::super::super::Input;
use super::super::super::columns::Header;
use super::{BATCH, Batch, FOR_NODES, FOR_WEIGHTS, Table};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::{DataType, Schema};
use std::io::{Cursor, ErrorKind, Read};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::memory::free_memory;
use webrank_base::shown::shown;
use webrank_tables::arrow_batch;

use cells::{keys, numbers};

/// Reads the schema.
///
/// # Errors
/// If the file is damaged, or if its columns are none of arcs.
pub(in crate::import) fn open(
    path: &Path,
    input: Box<dyn Read + Send>,
    header: &Header,
) -> Result<Input> {
    let mut stream = Stream {
        path: path.to_owned(),
        input,
        offset: 0,
        decoder: StreamDecoder::new(),
        batches: Vec::new(),
    };
    stream.skip_start_of_file()?;
    while stream.decoder.schema().is_none() && stream.advance()? {}
    let schema = stream.decoder.schema();
    let schema = schema.ok_or_else(|| stream.wrong("it ends before its schema"))?;
    let table = table(path, &schema, header)?;
    Ok(input_of(table, move |table, pass| {
        stream.decode(table, pass)
    }))
}

/// The batches of another program's table, which `path` stands for in messages.
///
/// # Errors
/// If its columns are none of arcs.
pub(in crate::import) fn of_batches(
    path: &Path,
    batches: impl RecordBatchReader + Send + 'static,
    header: &Header,
) -> Result<Input> {
    let table = table(path, &batches.schema(), header)?;
    Ok(input_of(table, |table, pass| {
        let mut first_row = 0;
        for batch in batches {
            let batch = batch.map_err(|problem| {
                let problem = format!("row {}: {}", first_row + 1, in_a_line(&problem.to_string()));
                Error::file(&table.path, problem)
            })?;
            if !pass_parts(table, &batch, &mut first_row, pass)? {
                break;
            }
        }
        Ok(())
    }))
}

fn input_of(
    table: Table,
    decode: impl FnOnce(&Table, &mut dyn FnMut(Batch) -> bool) -> Result<()> + Send + 'static,
) -> Input {
    Input {
        weighted: table.columns.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| table.give(to, |pass| decode(&table, pass))),
    }
}

/// The table with this schema, if its columns may hold arcs.
fn table(path: &Path, schema: &Schema, header: &Header) -> Result<Table> {
    let fields = schema.fields();
    let names = fields.iter().map(|field| field.name().clone());
    let table = Table::new(path, names.collect(), header)?;
    let check = |column: usize, wanted: &str, is_usable: fn(&DataType) -> bool| {
        let kind = fields[column].data_type();
        let value = match kind {
            DataType::Dictionary(_, value) => value,
            kind => kind,
        };
        match is_usable(value) {
            true => Ok(()),
            false => Err(table.unusable(column, &shown(&kind.to_string()), wanted)),
        }
    };
    for column in [table.columns.source, table.columns.target] {
        check(column, FOR_NODES, |kind| {
            is_text(kind) || kind.is_integer() || is_decimal(kind)
        })?;
    }
    if let Some(weight) = table.columns.weight {
        check(weight, FOR_WEIGHTS, |kind| {
            kind.is_integer() || kind.is_floating() || is_decimal(kind)
        })?;
    }
    Ok(table)
}

/// Passes on the rows of a batch, in parts; false if they are not taken any more.
fn pass_parts(
    table: &Table,
    batch: &RecordBatch,
    first_row: &mut u64,
    pass: &mut dyn FnMut(Batch) -> bool,
) -> Result<bool> {
    for start in (0..batch.num_rows()).step_by(BATCH) {
        let rows = BATCH.min(batch.num_rows() - start);
        let slice = batch.slice(start, rows);
        let part = catch_panic(AssertUnwindSafe(|| part(table, &slice, *first_row)));
        let part = part.flatten().ok_or_else(|| {
            let problem = format!("row {}: its batch is damaged", *first_row + 1);
            Error::file(&table.path, problem)
        })?;
        *first_row += rows as u64;
        if !pass(part) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A message of several lines, in one.
fn in_a_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    shown(&words.join(" "))
}

fn is_text(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
    )
}

/// Of as many digits as 128 bits hold.
fn is_decimal(kind: &DataType) -> bool {
    use DataType::{Decimal32, Decimal64, Decimal128};
    matches!(kind, Decimal32(..) | Decimal64(..) | Decimal128(..))
}

/// Messages, one after the other.
struct Stream {
    path: PathBuf,
    input: Box<dyn Read + Send>,
    /// Bytes read so far.
    offset: u64,
    decoder: StreamDecoder,
    /// Decoded, but not passed on.
    batches: Vec<RecordBatch>,
}

/// The longest metadata of a message.
const MAX_METADATA: u64 = 64 << 20;

/// Words of 8 bytes before the first message of a file; writers align it to 64 bytes or less.
const MAX_PADDING: usize = 64;

const CONTINUATION: [u8; 4] = [0xff; 4];

/// The end of a stream, which may be missing.
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

impl Stream {
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
        if start.starts_with(b"ARROW1") {
            for _ in 0..=MAX_PADDING {
                start.clear();
                self.take(8, &mut start)?;
                if start != [0; 8] {
                    break;
                }
            }
            self.skip_bare_schema(&mut start)?;
        }
        // What is no padding is read again.
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
            self.decode_message(END.to_vec())?;
            return Ok(false);
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
            self.decode_message(END.to_vec())?;
            return Ok(false);
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
        let inflated = inflated(&message[start..end], &message[end..]);
        if inflated.map_err(|problem| self.wrong(&problem))? > free_memory() {
            return Err(
                self.wrong("a batch inflates to more than the free memory; write smaller batches")
            );
        }
        self.decode_message(message)?;
        Ok(true)
    }

    fn decode_message(&mut self, message: Vec<u8>) -> Result<()> {
        let mut buffer = message.into();
        loop {
            let decoder = &mut self.decoder;
            // The decoder checks what it reads, but asserts some of it.
            let decoded = catch_panic(AssertUnwindSafe(|| decoder.decode(&mut buffer)));
            let decoded = decoded.ok_or_else(|| self.wrong("its parts do not fit together"))?;
            match decoded.map_err(|problem| self.wrong(&problem.to_string()))? {
                Some(batch) => self.batches.push(batch),
                None if buffer.is_empty() => return Ok(()),
                None => {}
            }
        }
    }

    /// Decodes all rows.
    fn decode(mut self, table: &Table, pass: &mut dyn FnMut(Batch) -> bool) -> Result<()> {
        let mut first_row = 0;
        loop {
            let is_more = self.advance()?;
            for batch in std::mem::take(&mut self.batches) {
                if !pass_parts(table, &batch, &mut first_row, pass)? {
                    return Ok(());
                }
            }
            if !is_more {
                return Ok(());
            }
        }
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

/// The bytes that the compressed columns of a batch are said to inflate to: the decoder reserves so
/// much.
fn inflated(metadata: &[u8], body: &[u8]) -> Result<u64, String> {
    let size_at = |offset: u64| {
        let size = body.get(offset as usize..).and_then(<[u8]>::first_chunk);
        size.copied().ok_or(ErrorKind::UnexpectedEof.into())
    };
    let inflated = arrow_batch::inflated(&parsed(metadata)?, body.len() as u64, size_at);
    inflated.map_err(|problem| problem.to_string())
}

/// The arcs of a batch; none if its columns are not those of the schema.
fn part(table: &Table, batch: &RecordBatch, first_row: u64) -> Option<Batch> {
    let column = |column: usize| batch.columns().get(column);
    let weights = match table.columns.weight {
        None => None,
        Some(weight) => Some(numbers(column(weight)?)?),
    };
    Some(Batch {
        first_row,
        source: keys(column(table.columns.source)?)?,
        target: keys(column(table.columns.target)?)?,
        weights,
    })
}
