//! Archives, whole and damaged.

use super::*;
use crate::ingest::members::Members;
use crate::ingest::page::{Item, Limits, may_be_page};
use crate::ingest::{IngestCounts, Nofollow, Wants};
use std::io::{Cursor, Write};

fn record(number: usize) -> Vec<u8> {
    let page = format!(
        "<a href=/{number}>{}</a><a href=/x>",
        "text ".repeat(number)
    );
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/page/{number}\r\n\
         Content-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
    .into_bytes()
}

/// As [`record`], in ARC.
fn arc(number: usize) -> Vec<u8> {
    let record = String::from_utf8(record(number)).unwrap();
    let (_, http) = record.split_once("\r\n\r\n").unwrap();
    let http = http.strip_suffix("\r\n\r\n").unwrap();
    let length = http.len();
    let url = format!("http://example.org/page/{number}");
    // Both versions, one after the other.
    let head = match number % 2 {
        0 => format!("{url} 127.0.0.1 20050102030405 text/html {length}\n"),
        _ => format!("{url} 127.0.0.1 20050102030405 text/html 200 - - 99 a.arc {length}\n"),
    };
    (head + http + "\n").into_bytes()
}

/// How records are written.
const FORMATS: [fn(usize) -> Vec<u8>; 2] = [record, arc];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// The pages with their links, and the number of damages.
fn read(input: Input) -> (Vec<(String, Vec<String>)>, u64) {
    let limits = Limits {
        page: 1 << 16,
        nofollow: Nofollow::Keep,
        wants: Wants::default(),
        signer: None,
        scheme: None,
    };
    let mut records = Records::new(input, 1 << 16);
    let mut counts = IngestCounts::default();
    let mut pages = Vec::new();
    while let Some(record) = records.next(may_be_page).unwrap() {
        if let Item::Page(page) = limits.record(&record, &mut counts) {
            pages.push((page.url, page.links));
        }
    }
    (pages, records.damaged)
}

fn members(bytes: Vec<u8>) -> Input {
    Input::Members(Box::new(Members::new(Box::new(Cursor::new(bytes)))))
}

fn plain(bytes: Vec<u8>) -> Input {
    Input::Plain(Box::new(Cursor::new(bytes)))
}

#[test]
fn whole_archives_are_read_whole() {
    for format in FORMATS {
        let all: Vec<Vec<u8>> = (0..20).map(format).collect();
        let each = read(members(
            all.iter().flat_map(|record| gzip(record)).collect(),
        ));
        assert_eq!((each.0.len(), each.1), (20, 0));
        assert_eq!(each.0[3].0, "http://example.org/page/3");
        assert_eq!(
            each.0[3].1,
            ["http://example.org/3", "http://example.org/x"]
        );
        // All in one member, and uncompressed.
        assert_eq!(read(members(gzip(&all.concat()))), each);
        assert_eq!(read(plain(all.concat())), each);
    }
}

/// A file of WARC that holds a file of ARC in a record, and the other way round, and lines between.
#[test]
fn the_first_record_decides_the_format() {
    let other = |inner: Vec<u8>, outer: fn(usize) -> Vec<u8>| {
        [outer(1), b"\n".to_vec(), inner, b"\n".to_vec(), outer(2)].concat()
    };
    for (inner, outer) in [(arc(7), record as fn(usize) -> Vec<u8>), (record(7), arc)] {
        let (pages, damaged) = read(plain(other(inner, outer)));
        let urls: Vec<&str> = pages.iter().map(|page| page.0.as_str()).collect();
        assert_eq!(
            urls,
            ["http://example.org/page/1", "http://example.org/page/2"]
        );
        assert_eq!(damaged, 1);
    }
    for format in FORMATS {
        let lines = [b"no\nrecord\n".to_vec(), format(1)].concat();
        assert_eq!(
            (read(plain(lines.clone())).0.len(), read(plain(lines)).1),
            (1, 1)
        );
    }
}

/// Numbers that look random.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

/// A byte changed, removed or added, a part removed, zeroed or doubled, or the end cut off.
fn mutant(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let place = next(state) % bytes.len();
    let end = (place + next(state) % 60).min(bytes.len());
    match next(state) % 7 {
        0 => bytes[place] ^= 1 << (next(state) % 8),
        1 => drop(bytes.remove(place)),
        2 => bytes.insert(place, next(state) as u8),
        3 => drop(bytes.drain(place..end)),
        4 => bytes[place..end].fill(0),
        5 => drop(bytes.splice(place..place, bytes[place..end].to_vec())),
        _ => bytes.truncate(place),
    }
    bytes
}

/// 2,000 damaged archives of members: every page that is read is one that was there, in order, with
/// its own links; at most two are lost unless the end was cut off, and no loss goes uncounted.
#[test]
fn damaged_members_lose_themselves_alone() {
    for format in FORMATS {
        damage(format);
    }
}

fn damage(format: fn(usize) -> Vec<u8>) {
    let whole: Vec<u8> = (0..12).flat_map(|number| gzip(&format(number))).collect();
    let (all, _) = read(members(whole.clone()));
    let state = &mut 1;
    for number in 0..2000 {
        let bytes = mutant(&whole, state);
        let (pages, damaged) = read(members(bytes.clone()));
        let mut rest = all.iter();
        // A part that is doubled may double a record.
        let is_longer = bytes.len() > whole.len();
        let are_known = pages.iter().all(|page| match is_longer {
            true => all.contains(page),
            false => rest.any(|known| known == page),
        });
        assert!(are_known, "mutant {number}: {pages:?}");
        let is_cut = whole.starts_with(&bytes);
        assert!(
            is_cut || pages.len() >= 10,
            "mutant {number}: {} pages",
            pages.len()
        );
        let is_at_end = is_cut && pages.len() < 12;
        assert!(
            pages.len() >= 12 || damaged > 0 || is_at_end,
            "mutant {number}"
        );
    }
}

/// Damage without compression may be in a text, but nothing ends the reading.
#[test]
fn damaged_text_is_read_on() {
    for format in FORMATS {
        let whole: Vec<u8> = (0..12).flat_map(format).collect();
        let state = &mut 2;
        let mut read_pages = 0;
        for _ in 0..2000 {
            let (pages, _) = read(plain(mutant(&whole, state)));
            assert!(pages.len() <= 13);
            read_pages += pages.len();
        }
        assert!(read_pages > 2000 * 9, "{read_pages}");
    }
}

#[test]
fn a_head_without_end_and_a_length_without_content_are_damage() {
    let long = [b"WARC/1.0\r\n".to_vec(), vec![b'x'; 2 << 20], record(1)].concat();
    let (pages, damaged) = read(plain(long));
    assert_eq!((pages.len(), damaged), (0, 1));
    let lines = [
        b"WARC/1.0\r\n".to_vec(),
        b"x: y\r\n".repeat(300_000),
        record(1),
    ]
    .concat();
    let (pages, damaged) = read(plain(lines));
    assert_eq!((pages.len(), damaged), (1, 1));
    // A length beyond the end of the file does not hide the next record.
    for (wrong, format) in [
        (
            &b"WARC/1.0\r\nContent-Length: 1000000000000000000\r\n\r\nx\r\n\r\n"[..],
            FORMATS[0],
        ),
        (
            b"http://a.org/ 1.2.3.4 20040101000000 text/html 1000000000000000000\nx\n",
            FORMATS[1],
        ),
    ] {
        let bytes = [&format(1)[..], wrong, &format(2)].concat();
        let mut records = Records::new(plain(bytes.clone()), 1 << 16);
        records.whole = bytes.len() as u64;
        let mut urls = Vec::new();
        while let Some(record) = records.next(may_be_page).unwrap() {
            urls.push(record.url);
        }
        assert_eq!(
            urls,
            ["http://example.org/page/1", "http://example.org/page/2"]
        );
        assert_eq!(records.damaged, 1);
    }
    let huge = b"WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nx".to_vec();
    assert_eq!(read(plain(huge)), (vec![], 1));
}

/// Dates increase as numbers; what is none is 0.
#[test]
fn dates_are_numbers_in_their_order() {
    let dates = [
        "2015",
        "2016-02",
        "2016-02-03",
        "2016-02-03T04:05:06Z",
        "2016-02-03T04:05:06.5Z",
        "2016-02-03T04:05:06.500009Z",
        "9999-12-31T23:59:59.999999999Z",
    ];
    let numbers: Vec<u64> = dates.iter().map(|text| date(text)).collect();
    assert!(numbers.is_sorted() && numbers[0] > 0, "{numbers:?}");
    assert_eq!(date(" 2016-02-03T04:05:06z "), numbers[3]);
    assert_eq!(numbers[3], 20_160_203_040_506 * 100_000);
    for none in [
        "",
        "201",
        "x",
        "2016-02-03 04:05:06",
        "yesterday",
        "Wed, 03 Feb 2016",
    ] {
        assert_eq!(date(none), 0, "{none}");
    }
}
