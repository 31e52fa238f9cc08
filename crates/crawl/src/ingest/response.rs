//! An HTTP response in a record: status, a few fields, and the body as it was meant.

use super::text;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// A response.
#[derive(Debug, Default)]
pub(super) struct Response<'a> {
    pub(super) status: u16,
    pub(super) content_type: Option<String>,
    pub(super) location: Option<String>,
    /// X-Robots-Tag.
    pub(super) robots: String,
    /// Decompressed, at most the limit.
    pub(super) body: Cow<'a, [u8]>,
    /// The body was longer.
    pub(super) is_cut: bool,
    /// The body could not be decompressed to its end.
    pub(super) is_broken: bool,
}

/// The most fields of a head.
const FIELDS: usize = 1024;

/// Reads a response; none if it is none. The body is cut at `limit` bytes.
pub(super) fn read(content: &[u8], limit: usize) -> Option<Response<'_>> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut many;
    let parser = {
        let mut parser = httparse::ParserConfig::default();
        parser
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_multiple_spaces_in_response_status_delimiters(true)
            .ignore_invalid_headers_in_responses(true);
        parser
    };
    let mut head = httparse::Response::new(&mut fields);
    let mut parsed = parser.parse_response(&mut head, content);
    if parsed == Err(httparse::Error::TooManyHeaders) {
        many = vec![httparse::EMPTY_HEADER; FIELDS];
        head = httparse::Response::new(&mut many);
        parsed = parser.parse_response(&mut head, content);
    }
    let Ok(httparse::Status::Complete(end)) = parsed else {
        return None;
    };
    let mut response = Response {
        status: head.code.unwrap_or(0),
        ..Response::default()
    };
    let (mut is_chunked, mut codings) = (false, Vec::new());
    for field in head.headers.iter() {
        let value = String::from_utf8_lossy(field.value);
        let lower = || value.trim().to_ascii_lowercase();
        match field.name.to_ascii_lowercase().as_str() {
            "content-type" => response.content_type = Some(lower()),
            "location" => response.location = Some(text::encoded(field.value).trim().to_owned()),
            "x-robots-tag" => response.robots = lower(),
            "transfer-encoding" => is_chunked |= lower().contains("chunked"),
            "content-encoding" => codings.extend(lower().split(',').map(|it| it.trim().to_owned())),
            _ => {}
        }
    }
    let mut body = Cow::Borrowed(&content[end..]);
    if is_chunked && let Some((whole, is_whole)) = unchunked(&body) {
        response.is_broken |= !is_whole;
        body = Cow::Owned(whole);
    }
    // The last one was applied last. More than a few are an attack.
    for coding in codings.iter().rev().take(3) {
        if let Some((decoded, is_whole)) = decoded(&body, coding, limit) {
            response.is_broken |= !is_whole;
            body = Cow::Owned(decoded);
        }
    }
    if body.len() > limit {
        response.is_cut = true;
        body = match body {
            Cow::Borrowed(body) => Cow::Borrowed(&body[..limit]),
            Cow::Owned(mut body) => {
                body.truncate(limit);
                Cow::Owned(body)
            }
        };
    }
    response.body = body;
    Some(response)
}

/// The chunks of a body put together, and whether the last one was there. None if it has none: many
/// archives keep the field, but not the chunks.
fn unchunked(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut whole = Vec::new();
    let mut rest = body;
    loop {
        let Ok(httparse::Status::Complete((start, length))) = httparse::parse_chunk_size(rest)
        else {
            return (!whole.is_empty()).then_some((whole, false));
        };
        rest = &rest[start..];
        if length == 0 {
            return Some((whole, true));
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Some((chunk, after)) = rest.split_at_checked(length) else {
            // Text may begin like a number, but no chunk is longer than a body that was whole.
            whole.extend_from_slice(rest);
            return Some((whole, false));
        };
        whole.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").unwrap_or(after);
    }
}

/// A body decompressed up to a byte beyond the limit, and whether that worked to its end. None if it is
/// not compressed in that way.
fn decoded(body: &[u8], coding: &str, limit: usize) -> Option<(Vec<u8>, bool)> {
    let reader: Box<dyn Read + '_> = match coding {
        "gzip" | "x-gzip" if body.starts_with(&[0x1f, 0x8b]) => Box::new(MultiGzDecoder::new(body)),
        "deflate" if is_zlib(body) => Box::new(ZlibDecoder::new(body)),
        "deflate" => Box::new(DeflateDecoder::new(body)),
        "br" => Box::new(brotli_decompressor::Decompressor::new(body, 1 << 14)),
        "zstd" if body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            let mut reader = zstd::Decoder::with_buffer(body).ok()?;
            // The window that RFC 9659 allows on the web.
            reader.window_log_max(23).ok()?;
            Box::new(reader)
        }
        _ => return None,
    };
    let mut whole = Vec::new();
    let read = reader.take(limit as u64 + 1).read_to_end(&mut whole);
    match (read.is_ok(), whole.is_empty()) {
        // Nothing came out: it was not compressed after all.
        (false, true) => None,
        (is_whole, _) => Some((whole, is_whole)),
    }
}

/// True for the header of a zlib stream.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [one, two, ..] if one & 15 == 8 && (u16::from(*one) << 8 | u16::from(*two)) % 31 == 0)
}

/// The value of a parameter in a content type, such as charset.
pub(super) fn charset(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1);
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// True for the media types of HTML.
pub(super) fn is_html(content_type: &str) -> bool {
    let media = content_type.split(';').next().unwrap_or("").trim();
    ["text/html", "application/xhtml+xml"].contains(&media)
}
