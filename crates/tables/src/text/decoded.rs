//! Text in another encoding than UTF-8, decoded while it is read.

use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::io::{Error, ErrorKind, Read, Result};

/// Bytes decoded at a time.
const BLOCK: usize = 1 << 16;

/// A reader of text in some encoding that gives it as UTF-8. A byte order mark is skipped.
pub struct Decoded<R> {
    input: R,
    decoder: Decoder,
    encoding: &'static Encoding,
    /// Bytes from `start` to `end` are read and not decoded.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Text from `given` on is decoded and not given.
    text: Vec<u8>,
    given: usize,
    is_over: bool,
}

/// The encoding of this name, such as `windows-1252` or `utf-16le`.
///
/// # Errors
/// If there is none.
pub fn encoding(name: &str) -> std::result::Result<&'static Encoding, String> {
    Encoding::for_label(name.trim().as_bytes()).ok_or_else(|| {
        "no encoding has this name; examples are utf-8, utf-16le, windows-1252, iso-8859-1, \
         shift_jis and gb18030"
            .to_owned()
    })
}

/// UTF-16, if text starts with its mark.
pub fn utf_16(first: &[u8]) -> Option<&'static Encoding> {
    match first {
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(encoding_rs::UTF_16LE),
        [0xfe, 0xff, ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

impl<R: Read> Decoded<R> {
    /// Text of `input` in this encoding.
    pub fn new(input: R, encoding: &'static Encoding) -> Self {
        Decoded {
            input,
            decoder: encoding.new_decoder_with_bom_removal(),
            encoding,
            bytes: vec![0; BLOCK],
            start: 0,
            end: 0,
            text: Vec::new(),
            given: 0,
            is_over: false,
        }
    }

    /// Decodes some more bytes.
    fn decode(&mut self) -> Result<()> {
        if self.start == self.end {
            self.start = 0;
            self.end = self.input.read(&mut self.bytes)?;
            self.is_over = self.end == 0;
        }
        self.given = 0;
        // No byte becomes more than three of UTF-8, and the decoder may hold a few.
        self.text.resize(3 * BLOCK + 16, 0);
        let bytes = &self.bytes[self.start..self.end];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(bytes, &mut self.text, self.is_over);
        self.start += read;
        self.text.truncate(written);
        match result {
            DecoderResult::Malformed(..) => Err(Error::new(
                ErrorKind::InvalidData,
                format!("the text is not {}", self.encoding.name()),
            )),
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while self.given == self.text.len() && !self.is_over {
            self.decode()?;
        }
        let given = buffer.len().min(self.text.len() - self.given);
        buffer[..given].copy_from_slice(&self.text[self.given..self.given + given]);
        self.given += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            self.0 = rest;
            buffer[0] = *first;
            Ok(1)
        }
    }

    fn decoded(bytes: &[u8], encoding: &'static Encoding) -> Result<String> {
        let mut texts = [String::new(), String::new()];
        let whole = Decoded::new(bytes, encoding).read_to_string(&mut texts[0]);
        let parts = Decoded::new(Slowly(bytes), encoding).read_to_string(&mut texts[1]);
        assert_eq!(whole.is_ok(), parts.is_ok());
        whole?;
        assert_eq!(texts[0], texts[1]);
        Ok(std::mem::take(&mut texts[0]))
    }

    #[test]
    fn text_of_any_encoding_becomes_utf_8() {
        let text = "bêta\t東\u{1f980}\r\n".repeat(20_000);
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (mark, bytes) in [(&[0xff, 0xfe][..], little), (&[0xfe, 0xff], big)] {
            let bytes = [mark, &bytes].concat();
            let encoding = utf_16(&bytes).unwrap();
            assert_eq!(decoded(&bytes, encoding).unwrap(), text);
        }
        let latin = encoding("ISO-8859-1").unwrap();
        assert_eq!(decoded(b"b\xeata\n", latin).unwrap(), "bêta\n");
        assert_eq!(decoded(b"", latin).unwrap(), "");
    }

    #[test]
    fn text_that_is_not_of_its_encoding_is_an_error() {
        for bytes in [&b"\x00\xd8a\x00"[..], b"a\x00b"] {
            let problem = decoded(bytes, encoding_rs::UTF_16LE).unwrap_err();
            assert_eq!(problem.to_string(), "the text is not UTF-16LE");
        }
        assert!(encoding("klingon").is_err());
        assert_eq!(utf_16(b"\xff\xfe\0\0a\0\0\0"), None);
        assert_eq!(utf_16(b"ab"), None);
    }
}
