//! Limits, hostile and damaged archives.

use super::archives::*;
use std::collections::BTreeSet;
use std::io::Write;
use webrank_crawl::ingest::{IngestOptions, MAX_LINKS, MAX_URL, Targets};
use webrank_testing::mutants::{Random, mutant};

fn all() -> IngestOptions {
    IngestOptions {
        targets: Targets::All,
        ..options()
    }
}

#[test]
fn urls_that_differ_in_a_byte_that_is_no_text_are_two_pages() {
    let raw = |record: Vec<u8>, byte: u8| -> Vec<u8> {
        let bytes = record.into_iter();
        bytes.map(|it| if it == b'@' { byte } else { it }).collect()
    };
    let records = [
        raw(page("http://a/@", "<a href=r>"), 0xff),
        raw(page("http://a/@", "<a href=/>"), 0xfe),
        raw(redirect("http://a/r", "/@"), 0xfe),
    ];
    let (web, counts) = ingest_records(&records, options());
    assert_eq!(web.nodes, ["http://a/%FE", "http://a/%FF"]);
    assert_eq!(web.short_arcs(), ["/%FF /%FE"]);
    assert_eq!((counts.pages, counts.pages_again), (2, 0));
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
                let words = ["has no WARC record", "holds nothing"];
                assert!(words.iter().any(|it| problem.contains(it)), "{problem}");
            }
        }
    }
    assert!(lost > 100, "{lost}");
}

/// Wherever an archive ends, the records before are read, and the one that is cut is counted.
#[test]
fn a_truncated_archive_has_the_pages_of_its_whole_records() {
    let records: Vec<Vec<u8>> = (0..4)
        .map(|number| page(&format!("http://a/{number}"), "<a href=1><p>text"))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    for is_compressed in [false, true] {
        let parts: Vec<Vec<u8>> = match is_compressed {
            true => records.iter().map(|record| gzip(record)).collect(),
            false => records.clone(),
        };
        let whole = parts.concat();
        // Not within the first record, or the file has none.
        for length in (parts[0].len()..whole.len()).step_by(7) {
            let mut end = 0;
            let ends = parts.iter().map(|part| {
                end += part.len();
                // The empty lines behind a record may be missing.
                end - if is_compressed { 0 } else { 4 }
            });
            let expected = ends.filter(|end| *end <= length).count() as u64;
            let path = folder.path().join("a.warc");
            std::fs::write(&path, &whole[..length]).unwrap();
            let (_, made) = try_ingest(folder.path(), &[path], options()).unwrap();
            assert_eq!(made.counts.pages, expected, "{is_compressed} {length}");
        }
    }
}

/// Bytes that are no UTF-8 in URLs of records, in links and in names of files: encoded, or left out.
#[test]
fn bytes_that_are_no_text_are_no_part_of_names() {
    let broken = |bytes: Vec<u8>| -> Vec<u8> {
        let place = bytes.iter().position(|&byte| byte == b'~').unwrap();
        [&bytes[..place], b"\xff\xc3", &bytes[place + 1..]].concat()
    };
    // A byte becomes two, so that the last one is none of the content.
    let html = "<meta charset=utf-8><a href='/l~'>x";
    let records = [
        broken(page("http://a/~", "")),
        broken(page("http://~b/", "")),
        broken(page("http://a/1", html)),
    ];
    let (web, counts) = ingest_records(&records, all());
    let lost = "%EF%BF%BD";
    let expected = [
        "1".into(),
        // Bytes of a URL stay what they are; those of a page are read in its encoding.
        "%FF%C3".into(),
        format!("l{lost}{lost}"),
    ];
    let expected: BTreeSet<String> = expected
        .into_iter()
        .map(|it| format!("http://a/{it}"))
        .collect();
    let nodes: BTreeSet<String> = web
        .nodes
        .iter()
        .filter(|it| !it.contains("b/"))
        .cloned()
        .collect();
    assert_eq!(nodes, expected);
    assert_eq!(counts.pages + counts.unusable_urls, 3);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let mirror = folder.path().join("mirror");
        std::fs::create_dir(&mirror).unwrap();
        let name = std::ffi::OsStr::from_bytes(b"\xff.html");
        std::fs::write(mirror.join(name), "<a href=x>").unwrap();
        std::fs::write(mirror.join("1.html"), "\u{ff}").unwrap();
        let (web, made) = try_ingest(folder.path(), &[mirror], all()).unwrap();
        assert_eq!(web.nodes, ["https://example.org/1.html"]);
        assert_eq!(made.counts.unusable_urls, 1);
    }
}

/// A file of a gigabyte in a folder is read to the limit alone.
#[test]
fn a_file_of_a_gigabyte_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = folder.path().join("mirror");
    std::fs::create_dir(&mirror).unwrap();
    let mut file = std::fs::File::create(mirror.join("1.html")).unwrap();
    file.write_all(b"<a href=2>x").unwrap();
    file.set_len(1 << 30).unwrap();
    let options = IngestOptions {
        fingerprints: true,
        text: true,
        ..all()
    };
    let (web, made) = try_ingest(folder.path(), &[mirror], options).unwrap();
    assert_eq!((web.nodes.len(), made.counts.pages_cut), (2, 1));
    assert_eq!(made.counts.bytes, 1 << 20);
}
