//! Servers that send too much, too little, or nonsense.

use super::{MILLISECOND, options, records, run, temp, urls};
use crate::web::{Reply, Web, links, not_found, response};
use std::collections::BTreeMap;
use std::io::Write;
use webrank_crawl::crawler::Overrides;

#[test]
fn gigantic_and_endless_pages_are_cut() {
    let web = Web::start(|_, path| {
        let head = |fields: &str| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n");
            format!("{head}<a href=/inside>x</a>").into_bytes()
        };
        let filler = vec![b' '; 1 << 16];
        match path {
            "/robots.txt" => not_found(),
            "/" => links(&["/gigabyte", "/endless", "/picture"]),
            "/gigabyte" => Reply::Endless(head("Content-Length: 1073741824\r\n"), filler, 1 << 30),
            "/endless" => Reply::Endless(head(""), filler, 1 << 30),
            "/picture" => Reply::Endless(
                b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n".to_vec(),
                filler,
                1 << 30,
            ),
            _ => links(&[]),
        }
    });
    let folder = temp();
    let crawled = run(options(&web, &["a.test"]), folder.path());
    let account = crawled.account;
    assert_eq!((account.pages, account.cut, account.not_html), (4, 2, 1));
    assert!(web.urls().contains(&"http://a.test/inside".to_owned()));
    assert!(account.bytes < 3 << 20);
    let all = records(folder.path());
    let cut = all
        .iter()
        .filter(|(_, _, it)| has(it, b"WARC-Truncated: length"));
    assert_eq!(cut.count(), 2);
}

fn has(record: &[u8], part: &[u8]) -> bool {
    record.windows(part.len()).any(|it| it == part)
}

#[test]
fn pages_in_all_encodings_are_read() {
    let gzip = |bytes: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    };
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let packed = gzip(b"<a href=/from-gzip>x</a>");
    let web =
        Web::start(move |_, path| {
            let html = |fields: &str, body: &[u8]| {
                response(
                    "200 OK",
                    &format!("Content-Type: text/html{fields}\r\n"),
                    body,
                )
            };
            match path {
            "/robots.txt" => not_found(),
            "/" => links(&["/cyrillic", "/wrong", "/packed", "/bomb", "/unpacked", "/chunked"]),
            "/cyrillic" => html("; charset=windows-1251", b"<a href='/?q=\xe9'>x</a>"),
            "/wrong" => html("; charset=utf-8", b"\xfa\xff<a href=/from-wrong>\xff</a>"),
            "/packed" => html("\r\nContent-Encoding: gzip", &packed),
            "/unpacked" => html("\r\nContent-Encoding: gzip", b"<a href=/from-unpacked>x</a>"),
            "/bomb" => html("\r\nContent-Encoding: gzip", &bomb),
            "/chunked" => Reply::Bytes(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
                  5\r\n<a hr\r\n12\r\nef=/from-chunks>x<\r\n3\r\n/a>\r\n0\r\n\r\n"
                    .to_vec(),
            ),
            _ => links(&[]),
        }
        });
    let folder = temp();
    let crawled = run(options(&web, &["a.test"]), folder.path());
    for path in [
        "?q=%E9",
        "from-wrong",
        "from-gzip",
        "from-unpacked",
        "from-chunks",
    ] {
        assert!(
            web.urls().contains(&format!("http://a.test/{path}")),
            "{path}"
        );
    }
    assert_eq!(crawled.account.errors, BTreeMap::new());
    // Responses are in the archive as they came, but for the chunks.
    let all = records(folder.path());
    let chunked = all
        .iter()
        .find(|(_, url, _)| url.ends_with("/chunked"))
        .unwrap();
    assert!(has(&chunked.2, b"x-crawl-transfer-encoding: chunked"));
    assert!(has(
        &chunked.2,
        b"\r\n\r\n<a href=/from-chunks>x</a>\r\n\r\n"
    ));
}

#[test]
fn servers_that_misbehave_cost_their_own_pages_alone() {
    let web = Web::start(|host, path| {
        match (host, path) {
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => links(&[
            "/early",
            "/garbage",
            "/bomb",
            "/many",
            "/not-http",
            "/nothing",
            "http://b.test/",
            "http://nowhere.test/",
            "https://c.test/",
            "/fine",
        ]),
        (_, "/early") => Reply::Bytes(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999\r\n\r\n<a href=/part>x</a>"
                .to_vec(),
        ),
        (_, "/garbage") => Reply::Bytes(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
              zzz\r\n<a href=/x>\r\n"
                .to_vec(),
        ),
        (_, "/bomb") => Reply::Endless(b"HTTP/1.1 200 OK\r\nX-".to_vec(), vec![b'a'; 1 << 12], 8 << 20),
        (_, "/many") => Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"A: b\r\n".to_vec(), 8 << 20),
        (_, "/not-http") => Reply::Bytes(b"220 mail.a.test ESMTP\r\n\r\n".to_vec()),
        (_, "/nothing") => Reply::Bytes(Vec::new()),
        _ => links(&[]),
    }
    });
    let folder = temp();
    let mut options = options(&web, &["a.test", "b.test", "c.test"]);
    options.resolve = Overrides::new(&[
        web.has("a.test"),
        // Nobody listens there.
        "b.test:127.0.0.1:1".into(),
        web.has("c.test"),
    ])
    .unwrap();
    let crawled = run(options, folder.path());
    let account = crawled.account;
    assert!(web.urls().contains(&"http://a.test/fine".to_owned()));
    assert!(web.urls().contains(&"http://a.test/part".to_owned()));
    assert_eq!((account.ended_early, account.unknown), (2, 2));
    let errors: Vec<(&str, u64)> = account
        .errors
        .iter()
        .map(|(k, n)| (k.as_str(), *n))
        .collect();
    assert_eq!(
        errors,
        [
            ("connections closed early", 1),
            ("names without an address", 1),
            ("responses that are no HTTP", 3),
            ("robots.txt: connections closed early", 3),
            ("robots.txt: connections refused", 3),
        ]
    );
    // A URL whose connection ends is tried again.
    let tries = web
        .urls()
        .into_iter()
        .filter(|url| url.ends_with("/nothing"));
    assert_eq!(tries.count(), 3);
    assert_eq!(urls(folder.path()).len() as u64, account.pages);
}

#[test]
fn a_host_that_never_answers_holds_nobody_up() {
    let web = Web::start(|host, path| match (host, path) {
        ("b.test", _) => Reply::Silence,
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => links(&["http://b.test/1", "http://b.test/2", "/next", "/dripping"]),
        (_, "/dripping") => Reply::Endless(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/dropped>x</a>".to_vec(),
            vec![b' '; 1],
            usize::MAX,
        ),
        _ => links(&[]),
    });
    let folder = temp();
    let mut options = options(&web, &["a.test", "b.test"]);
    options.timeout = 1500 * MILLISECOND;
    options.max_page = 1 << 28;
    let crawled = run(options, folder.path());
    let account = crawled.account;
    assert!(web.urls().contains(&"http://a.test/next".to_owned()));
    assert!(web.urls().contains(&"http://a.test/dropped".to_owned()));
    assert_eq!((account.unknown, account.ended_early), (2, 1));
}
