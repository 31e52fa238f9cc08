//! XML in other encodings than UTF-8, decoded while it is read.

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::io::{Cursor, Read};

/// A declaration of XML is not longer.
const DECLARATION: u64 = 1 << 10;

/// The input in UTF-8. The encoding is that of the mark at the start, or that of bytes in which every
/// second one is zero, or the declared one; without, it is UTF-8.
///
/// # Errors
/// If the file cannot be read, or says that it is in an encoding that is not known.
pub(super) fn decoded(
    mut input: Box<dyn Read + Send>,
) -> std::io::Result<Result<Box<dyn Read + Send>, String>> {
    let mut first = Vec::new();
    input.by_ref().take(DECLARATION).read_to_end(&mut first)?;
    let encoding = match encoding(&first) {
        Ok(encoding) => encoding,
        Err(unknown) => return Ok(Err(unknown)),
    };
    let input = Cursor::new(first).chain(input);
    if encoding == UTF_8 {
        return Ok(Ok(Box::new(input)));
    }
    Ok(Ok(Box::new(Decoded {
        input,
        decoder: encoding.new_decoder_with_bom_removal(),
        encoded: Vec::new(),
        at: 0,
        is_at_end: false,
        text: Vec::new(),
        given: 0,
    })))
}

fn encoding(first: &[u8]) -> Result<&'static Encoding, String> {
    if let Some((encoding, _)) = Encoding::for_bom(first) {
        return Ok(encoding);
    }
    match first {
        [b'<', 0, b'?' | b'g' | b'!', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', 0, b'?' | b'g' | b'!', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let Some(label) = declared(first) else {
        return Ok(UTF_8);
    };
    match Encoding::for_label(label.as_bytes()) {
        // The declaration was read with one byte a letter.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(label),
    }
}

/// The encoding that a declaration names.
fn declared(first: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(first);
    let declaration = text.trim_start().strip_prefix("<?xml")?;
    let declaration = declaration.split("?>").next()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|quote| "\"'".contains(*quote))?;
    Some(value[1..].split(quote).next()?.trim().to_owned())
}

/// Bytes that are decoded bit by bit.
struct Decoded<R> {
    input: R,
    decoder: Decoder,
    /// Bytes that were read; those before `at` are decoded.
    encoded: Vec<u8>,
    at: usize,
    is_at_end: bool,
    /// Decoded bytes; those before `given` were read.
    text: Vec<u8>,
    given: usize,
}

/// Bytes read at a time.
const BUFFER: usize = 1 << 15;

impl<R: Read> Decoded<R> {
    fn fill(&mut self) -> std::io::Result<()> {
        if self.at == self.encoded.len() && !self.is_at_end {
            self.encoded.resize(BUFFER, 0);
            self.at = 0;
            let read = self.input.read(&mut self.encoded)?;
            self.encoded.truncate(read);
            self.is_at_end = read == 0;
        }
        self.text.resize(4 * BUFFER, 0);
        let encoded = &self.encoded[self.at..];
        let (_, read, written, is_damaged) =
            self.decoder
                .decode_to_utf8(encoded, &mut self.text, self.is_at_end);
        if is_damaged {
            let encoding = self.decoder.encoding().name();
            let problem =
                format!("the file has bytes that are not {encoding}; convert it to UTF-8");
            return Err(std::io::Error::other(problem));
        }
        self.at += read;
        self.text.truncate(written);
        self.given = 0;
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.given == self.text.len() {
            let is_done = self.is_at_end && self.at == self.encoded.len();
            if is_done {
                return Ok(0);
            }
            self.fill()?;
        }
        let length = buffer.len().min(self.text.len() - self.given);
        buffer[..length].copy_from_slice(&self.text[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}
