//! The encoding of a page: byte order mark, HTTP, `<meta>`, in this order; otherwise UTF-8 if its bytes
//! are that, and windows-1252 if not.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use percent_encoding::percent_encode_byte;
use std::borrow::Cow;

/// Browsers look for `<meta charset>` in so many bytes.
const PRESCAN: usize = 1024;

/// The text of a page, and the encoding that queries of its links have. Bytes that are not of the
/// encoding become U+FFFD.
pub(super) fn decode<'a>(
    body: &'a [u8],
    charset: Option<&str>,
) -> (Cow<'a, str>, &'static Encoding) {
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        let text = encoding.decode_without_bom_handling(&body[length..]).0;
        return (text, encoding);
    }
    let of_http = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let declared = of_http.or_else(|| prescan(&body[..body.len().min(PRESCAN)]));
    let encoding = declared.unwrap_or_else(|| match std::str::from_utf8(body) {
        Ok(_) => UTF_8,
        // A page that was cut may end within a character.
        Err(problem) if problem.error_len().is_none() => UTF_8,
        Err(_) => WINDOWS_1252,
    });
    (encoding.decode_without_bom_handling(body).0, encoding)
}

/// Bytes as text. Bytes that are not UTF-8 are percent-encoded, as in URLs, so that no two texts of
/// different bytes become one.
pub(crate) fn encoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(
            chunk
                .invalid()
                .iter()
                .map(|&byte| percent_encode_byte(byte)),
        );
    }
    text.into()
}

/// The encoding that a `<meta>` names: `charset=` anywhere in the tag, as both forms have it.
fn prescan(start: &[u8]) -> Option<&'static Encoding> {
    let start = start.to_ascii_lowercase();
    for place in memchr::memmem::find_iter(&start, b"<meta") {
        let tag = &start[place..];
        let tag = &tag[..memchr::memchr(b'>', tag).unwrap_or(tag.len())];
        let Some(place) = memchr::memmem::find(tag, b"charset") else {
            continue;
        };
        let value = tag[place + b"charset".len()..].trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let is_end = |byte: &u8| b"\"'; \t\r\n\x0c/".contains(byte);
        let end = value.iter().position(is_end).unwrap_or(value.len());
        match Encoding::for_label(&value[..end]) {
            // Text that could be read as ASCII is not UTF-16.
            Some(encoding) if encoding == UTF_16BE || encoding == UTF_16LE => return Some(UTF_8),
            Some(encoding) => return Some(encoding),
            None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_in_order() {
        for (body, charset, text) in [
            (
                &b"\xef\xbb\xbfna\xc3\xafve"[..],
                Some("iso-8859-1"),
                "naïve",
            ),
            (b"\xff\xfea\x00b\x00", None, "ab"),
            (
                b"<meta charset=utf-8>\xe9",
                Some("ISO-8859-1"),
                "<meta charset=utf-8>é",
            ),
            (
                b"<META Charset = 'koi8-r' >\xc1",
                None,
                "<META Charset = 'koi8-r' >а",
            ),
            (
                b"<meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">\x82\xa0",
                None,
                "<meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">あ",
            ),
            (
                b"<meta charset=utf-16>\xc3\xaf",
                None,
                "<meta charset=utf-16>ï",
            ),
            (
                b"<meta charset=nonsense>\xc3\xaf",
                None,
                "<meta charset=nonsense>ï",
            ),
            (b"na\xc3\xafve", None, "naïve"),
            (b"na\xefve", None, "naïve"),
            (b"na\xc3\xafve\xc3", None, "naïve\u{fffd}"),
        ] {
            assert_eq!(decode(body, charset).0, text, "{body:?}");
        }
    }
}
