//! The heads of ARC files, which the Internet Archive wrote before WARC: one line each.
//!
//! | version | line |
//! |---|---|
//! | 1 | URL, IP address, date, type, length |
//! | 2 | URL, IP address, date, type, result, checksum, location, offset, file name, length |
//!
//! Fields have a blank between them; URLs may hold blanks, so fields are counted from the end. A date has
//! 14 digits, and says by its place which version a line has. Lines with other dates, or with blanks in the
//! type, are read if URL and address leave no doubt. The bytes of the server follow, as long as the line
//! says. The first record of a file is called `filedesc://`, and describes it: its first digit is the
//! version.
//!
//! M. Burner, B. Kahle, Arc File Format, Internet Archive, 1996.

use super::Record;
use crate::ingest::text;

/// No line is longer: URLs have 8192 bytes at most.
pub(super) const MAX_LINE: usize = 1 << 14;

/// How most records start.
const SCHEMES: [&[u8]; 5] = [b"http://", b"https://", b"filedesc://", b"dns:", b"ftp://"];

/// Where fields stand, counted from the end: date and type.
const VERSIONS: [(usize, usize); 2] = [(2, 1), (7, 6)];

/// The head in a line, and the length of the content; none if it is no head.
pub(super) fn head(line: &[u8]) -> Option<(Record, u64)> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // Most lines that are no heads show it at their ends.
    if line.len() > MAX_LINE || !line.last()?.is_ascii_digit() {
        return None;
    }
    let fields: Vec<&[u8]> = line.rsplitn(11, |byte| *byte == b' ').collect();
    let length = std::str::from_utf8(fields.first()?).ok()?.parse().ok()?;
    let strict = VERSIONS.into_iter().find_map(|(date, kind)| {
        let digits = *fields.get(date)?;
        let is_date = digits.len() == 14 && digits.iter().all(u8::is_ascii_digit);
        let address = *fields.get(date + 1)?;
        let is_address = !address.is_empty()
            && address
                .iter()
                .all(|it| b"-.:".contains(it) || it.is_ascii_hexdigit());
        // The URL, and blanks in it.
        let after: usize = fields[..date + 2].iter().map(|field| field.len() + 1).sum();
        let url = line.get(..line.len().checked_sub(after)?)?;
        (is_date && is_address && has_scheme(url))
            .then(|| (record(url, digits, fields[kind]), length))
    });
    strict.or_else(|| Some((loose(line)?, length)))
}

/// The head in a line whose fields are not where they should be: behind a URL of a usual scheme, an IP
/// address and a date of 4 to 17 digits.
fn loose(line: &[u8]) -> Option<Record> {
    SCHEMES.iter().find(|scheme| {
        let start = line.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })?;
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    let is_address = |field: &[u8]| {
        let fits = |it: &u8| b".:".contains(it) || it.is_ascii_hexdigit();
        field.iter().any(|it| b".:".contains(it)) && field.iter().all(fits)
    };
    let is_date =
        |field: &[u8]| (4..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit);
    // Behind the date there are a type and the length at least.
    let last = fields.len().checked_sub(3)?;
    let address = (1..last).find(|&at| is_address(fields[at]) && is_date(fields[at + 1]))?;
    let end: usize = fields[..address].iter().map(|field| field.len() + 1).sum();
    let media = fields[address + 2].split(|byte| *byte == b';').next()?;
    Some(record(&line[..end - 1], fields[address + 1], media))
}

/// The version in the description of a file, if it is none that is known.
pub(super) fn unknown_version(start: &[u8]) -> Option<char> {
    match start {
        [version @ (b'0' | b'3'..=b'9'), b' ', ..] => Some(char::from(*version)),
        _ => None,
    }
}

/// True for the URL of the description of a file.
pub(super) fn is_description(url: &str) -> bool {
    url.starts_with("filedesc://")
}

/// True for a URL of any scheme.
fn has_scheme(url: &[u8]) -> bool {
    let end = memchr::memchr(b':', url).unwrap_or(0);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    url.first().is_some_and(u8::is_ascii_alphabetic) && end > 0 && url[..end].iter().all(is_name)
}

fn record(url: &[u8], date: &[u8], media: &[u8]) -> Record {
    let media = text::encoded(media).to_ascii_lowercase();
    let is_of_http = SCHEMES[..2].iter().any(|scheme| {
        let start = url.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    // 19 digits, as those of other dates.
    let digits = date.iter().chain(std::iter::repeat(&b'0')).take(14);
    let date = digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0'));
    Record {
        kind: if is_of_http { "response" } else { "other" }.to_owned(),
        url: text::encoded(url).into_owned(),
        date: date * 100_000,
        payload_type: if media == "no-type" {
            String::new()
        } else {
            media
        },
        ..Record::default()
    }
}

/// Responses of the first servers have no head: the content is the page.
pub(super) fn set_kind(record: &mut Record) {
    if record.kind == "response"
        && !record.content.is_empty()
        && !record.content.starts_with(b"HTTP/")
    {
        record.kind = "resource".to_owned();
        record.content_type = std::mem::take(&mut record.payload_type);
    }
}

/// True for the start of a line that may be a head.
pub(in crate::ingest) fn may_be_head(start: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| {
        let mut both = start.iter().zip(*scheme);
        both.all(|(byte, expected)| byte.eq_ignore_ascii_case(expected))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_both_versions_are_read() {
        let first = "http://a/x y 127.0.0.1 20050102030405 text/html 1234";
        let second = "http://a/x y 127.0.0.1 20050102030405 text/html 200 abc - 0 a.arc 1234";
        for line in [first, second, &format!("{first}\r")] {
            let (record, length) = head(line.as_bytes()).unwrap();
            assert_eq!(
                (record.url.as_str(), length),
                ("http://a/x y", 1234),
                "{line}"
            );
            assert_eq!(record.date, super::super::date("2005-01-02T03:04:05Z"));
            assert_eq!(record.payload_type, "text/html");
            assert_eq!(record.kind, "response");
        }
        let described = "filedesc://a.arc 0.0.0.0 20050102030405 text/plain 76";
        assert_eq!(head(described.as_bytes()).unwrap().0.kind, "other");
    }

    /// Schemes have no case; only the length is needed.
    #[test]
    fn heads_with_other_dates_and_types_are_read() {
        for (line, date) in [
            (
                "HTTP://A/x 1.2.3.4 20050102030405 text/html 12",
                "2005-01-02T03:04:05Z",
            ),
            (
                "Http://A/x 1.2.3.4 200501020304 text/html 12",
                "2005-01-02T03:04Z",
            ),
            (
                "http://A/x 1.2.3.4 20050102030405 text/html; charset=utf-8 12",
                "2005-01-02T03:04:05Z",
            ),
            (
                "http://A/x ::1 20050102030405678 text/html 200 - - 9 a.arc 12",
                "2005-01-02T03:04:05Z",
            ),
        ] {
            let (record, length) = head(line.as_bytes()).unwrap();
            assert!(record.url.eq_ignore_ascii_case("http://a/x"), "{line}");
            assert_eq!((record.kind.as_str(), length), ("response", 12), "{line}");
            assert_eq!(record.payload_type, "text/html", "{line}");
            assert_eq!(record.date, super::super::date(date), "{line}");
        }
        for line in [
            "ftp://a/x 1.2.3.4 20050102030405 text/html 12",
            "httpx:a 1.2.3.4 20050102030405 text/html 12",
        ] {
            assert_eq!(head(line.as_bytes()).unwrap().0.kind, "other");
        }
    }

    #[test]
    fn what_is_no_head_is_none() {
        for line in [
            "",
            "1",
            "http://a/ 1.2.3.4 200 text/html 12",
            "a:b 1.2.3.4 2005 text/html 12",
            "http://a/ 1.2.3.4 2005 12",
            "http://a/ 1.2.3.4 20050102030405 text/html x",
            "http://a/ 1.2.3.4 20050102030405 text/html 99999999999999999999",
            "http://a/ example 20050102030405 text/html 12",
            "a/b:c 1.2.3.4 20050102030405 text/html 12",
            "a 1.2.3.4 20050102030405 text/html 12",
            "1.2.3.4 20050102030405 text/html 12",
            " 1.2.3.4 20050102030405 text/html 12",
        ] {
            assert!(head(line.as_bytes()).is_none(), "{line}");
        }
        let long = format!(
            "http://a/{} 1.2.3.4 20050102030405 text/html 1",
            "x".repeat(MAX_LINE)
        );
        assert!(head(long.as_bytes()).is_none());
    }
}
