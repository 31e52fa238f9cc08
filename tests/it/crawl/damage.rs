//! Limits, hostile and damaged archives.

use super::archives::*;
use crate::support::mutants::{Random, mutant};
use std::collections::BTreeSet;
use std::io::Write;
use webrank::internals::crawl::ingest::{IngestOptions, MAX_LINKS, MAX_URL, Targets};

fn all() -> IngestOptions {
    IngestOptions {
        targets: Targets::All,
        ..options()
    }
}

/// 200 MB of blanks in 200 kB, between links, and twice compressed: cut at the limit.
#[test]
fn bombs_are_cut() {
    let blanks = vec![b' '; 200 << 20];
    let html = [b"<a href=1>", &blanks[..], b"<a href=2>"].concat();
    let bomb = gzip(&html);
    let twice = gzip(&bomb);
    for (fields, body) in [
        ("Content-Encoding: gzip\r\n", &bomb),
        ("Content-Encoding: gzip, gzip\r\n", &twice),
    ] {
        let fields = format!("Content-Type: text/html\r\n{fields}");
        let bomb = response("http://a/0", "200 OK", &fields, body);
        let (web, counts) = ingest_records(&[bomb, page("http://a/3", "")], all());
        assert_eq!(web.short_arcs(), ["/0 /1"]);
        assert_eq!((counts.pages, counts.pages_cut), (2, 1));
    }
    // The archive itself is the bomb.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let html = String::from_utf8(html).unwrap();
    let members = [
        gzip(&page("http://a/0", &html)),
        gzip(&page("http://a/3", "")),
    ];
    std::fs::write(&path, members.concat()).unwrap();
    let (web, made) = try_ingest(folder.path(), &[path], all()).unwrap();
    assert_eq!(web.short_arcs(), ["/0 /1"]);
    assert_eq!((made.counts.pages, made.counts.pages_cut), (2, 1));
}

#[test]
fn long_urls_are_left_out() {
    let long = "x".repeat(100_000);
    let fits = "y".repeat(MAX_URL - "http://a/".len());
    let html = format!("<a href={long}><a href={fits}><a href={fits}y><a href=/é{fits}>");
    let (web, counts) = ingest_records(
        &[
            page("http://a/0", &html),
            page(&format!("http://a/{long}"), "<a href=1>"),
        ],
        all(),
    );
    assert_eq!(web.short_arcs(), [format!("/0 /{fits}")]);
    assert_eq!((counts.links_long, counts.unusable_urls), (3, 1));
}

/// A million links; and links that a long base makes long: both end at the limit.
#[test]
fn a_million_links_are_read_and_a_flood_is_cut() {
    let options = || IngestOptions {
        max_page: 64 << 20,
        ..all()
    };
    let html: String = (0..1_000_000)
        .map(|link| format!("<a href={link}>"))
        .collect();
    let (web, counts) = ingest_records(&[page("http://a/0", &html)], options());
    assert_eq!(
        (counts.links, counts.links_beyond),
        (1_000_000, 1_000_000 - web.arcs.len() as u64)
    );
    assert!(web.arcs.len() > 700_000);
    let base = "b".repeat(MAX_URL - 20);
    let html = format!("<base href=/{base}/>{html}");
    let (web, counts) = ingest_records(&[page("http://a/0", &html)], options());
    assert!(web.arcs.len() <= MAX_LINKS / base.len() + 1);
    assert_eq!(counts.links_beyond, 1_000_000 - web.arcs.len() as u64);
}

/// No name has a character that acts on a terminal.
#[test]
fn control_characters_are_encoded() {
    let html = "<a href='/\u{1b}[2J\u{7}\u{9b}\u{202e}?\u{1b}\u{85}'><a href='http://b\u{1b}c/'>";
    let (web, _) = ingest_records(&[page("http://a/\u{1}\u{1b}x", html)], all());
    let is_plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_graphic());
    assert!(web.nodes.iter().all(is_plain), "{:?}", web.nodes);
    assert_eq!(web.nodes.len(), 2);
}

#[test]
fn heads_that_are_no_heads_are_counted() {
    let http = |content: &[u8]| record("response", "http://a/x", "application/http", content);
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(100_000));
    let fields = "Content-Type: text/html\r\nBad Field\r\nX: \u{e9}\r\n";
    let (web, counts) = ingest_records(
        &[
            http(b""),
            http(b"HTTP/1.1 200 OK"),
            http(b"\0\xff\r\n\r\n<a href=1>"),
            http(many.as_bytes()),
            response("http://a/1", "200 OK", fields, b"<a href=1>"),
        ],
        options(),
    );
    assert_eq!(web.short_arcs(), ["/1 /1"]);
    assert_eq!((counts.unreadable, counts.pages), (4, 1));
}

/// 200 mutants of a compressed archive of every kind of record: a part of the graph, or one line.
#[test]
fn damaged_archives_become_parts_of_their_graph() {
    let pages = (0..8).map(|number| {
        let html = format!("<a href={}><a href=r{number}>", (number * 3 + 1) % 8);
        page(&format!("http://a/{number}"), &html)
    });
    let redirects = (0..3).map(|number| redirect(&format!("http://a/r{number}"), "/7"));
    let records: Vec<Vec<u8>> = pages.chain(redirects).collect();
    let whole: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let random = &mut Random(7);
    let (mut known, mut lost) = (None::<BTreeSet<String>>, 0);
    for number in 0..200 {
        let bytes = if number == 0 {
            whole.clone()
        } else {
            mutant(&whole, random)
        };
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(&bytes).unwrap();
        match try_ingest(folder.path(), std::slice::from_ref(&path), options()) {
            Ok((web, made)) => {
                let known = known.get_or_insert_with(|| web.arcs.clone());
                assert!(web.arcs.is_subset(known), "mutant {number}");
                lost += u64::from(made.counts.damaged > 0);
            }
            Err(problem) => {
                let problem = problem.to_string();
                assert_eq!(problem.lines().count(), 1);
                assert!(problem.contains("has no WARC record"), "{problem}");
            }
        }
    }
    assert!(lost > 100, "{lost}");
}
