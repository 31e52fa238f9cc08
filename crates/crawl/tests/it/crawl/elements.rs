//! Every element, encoding and kind of record.

use super::archives::*;
use std::io::Write;
use webrank_crawl::ingest::{IngestOptions, Nofollow, Targets};

/// The targets of the links of a page at `http://a/d/p?q`, whether fetched or not.
fn targets(html: &str) -> Vec<String> {
    let options = IngestOptions {
        targets: Targets::All,
        ..options()
    };
    let (web, _) = ingest_records(&[page("http://a/d/p?q", html)], options);
    let arcs = web.arcs.into_iter();
    arcs.map(|arc| arc.split_once(' ').unwrap().1.to_owned())
        .collect()
}

#[test]
fn every_element_is_an_arc() {
    for (html, expected) in [
        ("<a href=x>", &["http://a/d/x"][..]),
        ("<map><area href=/x></map>", &["http://a/x"]),
        ("<link rel=canonical href=//b/x>", &["http://b/x"]),
        (
            "<link rel=stylesheet href=x><img src=y><script src=z></script>",
            &[],
        ),
        (
            "<meta http-equiv=refresh content='3; url=x'>",
            &["http://a/d/x"],
        ),
        (
            "<a href=x><base href=http://b/e/><base href=http://c/>",
            &["http://b/e/x"],
        ),
        ("<a href='?r&amp;s#f'>", &["http://a/d/p?r&s"]),
        ("<a href='#f'><a href=''>", &["http://a/d/p?q"]),
        ("<a href=x#1><a href=x#2><a href=./x>", &["http://a/d/x"]),
        ("<a href='\t../x\n y '>", &["http://a/x%20y"]),
        ("<a href=HTTP://B:80/%7e/../x>", &["http://b/x"]),
        (
            "<a href=https://bücher.example/ü>",
            &["https://xn--bcher-kva.example/%C3%BC"],
        ),
        (
            "<a href=mailto:x@y><a href='JavaScript:x'><a href=ftp://b/x><a href=data:,x>",
            &[],
        ),
        (
            "<a href=http://[x><a href='http://a b/'><a href=http://b:99999/>",
            &[],
        ),
        ("<!-- <a href=x> --><script>'<a href=y>'</script>", &[]),
        ("<noscript><a href=x></noscript>", &["http://a/d/x"]),
    ] {
        assert_eq!(targets(html), expected, "{html}");
    }
}

#[test]
fn queries_are_in_the_encoding_of_their_page() {
    let html = [&b"<meta charset=iso-8859-1><a href='\xe9?\xe9'>"[..]];
    let fields = "Content-Type: text/html\r\n";
    let options = IngestOptions {
        targets: Targets::All,
        ..options()
    };
    let (web, _) = ingest_records(&[response("http://a/", "200 OK", fields, html[0])], options);
    assert_eq!(web.short_arcs(), ["/ /%C3%A9?%E9"]);
    for (fields, body) in [
        (
            "Content-Type: text/html; charset=\"Shift_JIS\"\r\n",
            &b"<a href=/\x82\xa0>"[..],
        ),
        (
            "Content-Type: text/html\r\n",
            b"\xef\xbb\xbf<a href=/\xe3\x81\x82>",
        ),
        (
            "Content-Type: TEXT/HTML; charset=x\r\n",
            b"<a href=/\xe3\x81\x82>",
        ),
        (
            "Content-Type: application/xhtml+xml\r\n",
            b"\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0/\0B0>\0",
        ),
    ] {
        let options = IngestOptions {
            targets: Targets::All,
            ..super::archives::options()
        };
        let (web, _) = ingest_records(&[response("http://a/", "200 OK", fields, body)], options);
        assert_eq!(web.short_arcs(), ["/ /%E3%81%82"], "{fields}");
    }
}

#[test]
fn pages_are_html_with_status_200_and_the_first_of_a_url_counts() {
    let html = "Content-Type: text/html\r\n";
    let (web, counts) = ingest_records(
        &[
            record(
                "warcinfo",
                "",
                "application/warc-fields",
                b"software: x\r\n",
            ),
            record(
                "request",
                "http://a/q",
                "application/http; msgtype=request",
                b"GET / HTTP/1.1\r\n\r\n",
            ),
            page(
                "http://a/1",
                "<a href=2><a href=3><a href=404><a href=x.png><a href=none>",
            ),
            page("http://a/1#again", "<a href=1>"),
            response("http://a/2", "200", html, b"<a href=1>"),
            response("http://a/404", "404 Not Found", html, b"<a href=1>"),
            response(
                "http://a/x.png",
                "200 OK",
                "Content-Type: image/png\r\n",
                b"<a href=1>",
            ),
            response("http://a/3", "200 OK", "", b"  <!DOCTYPE html><a href=1>"),
            record("resource", "http://a/4", "text/html", b"<a href=/1>"),
            record(
                "revisit",
                "http://a/5",
                "application/http; msgtype=response",
                b"HTTP/1.1 200 OK\r\n\r\n",
            ),
            response("not a url", "200 OK", html, b"<a href=1>"),
        ],
        options(),
    );
    assert_eq!(
        web.nodes,
        ["http://a/1", "http://a/2", "http://a/3", "http://a/4"]
    );
    assert_eq!(
        web.short_arcs(),
        ["/1 /2", "/1 /3", "/2 /1", "/3 /1", "/4 /1"]
    );
    assert_eq!((counts.records, counts.responses, counts.pages), (11, 8, 4));
    assert_eq!(
        (counts.pages_again, counts.not_ok, counts.not_html),
        (1, 1, 1)
    );
    assert_eq!((counts.unusable_urls, counts.links_not_crawled), (1, 3));
}

#[test]
fn redirects_are_followed_to_their_end() {
    let (web, counts) = ingest_records(
        &[
            page(
                "http://a/1",
                "<a href=r1><a href=r2><a href=loop><a href=self><a href=2>",
            ),
            page("http://a/2", "<a href=deep0>"),
            redirect("http://a/r1", "r2#f"),
            redirect("http://a/r2", "/2"),
            redirect("http://a/loop", "/pool"),
            redirect("http://a/pool", "/loop"),
            redirect("http://a/self", "/self"),
            // A page that redirected at another time is a page.
            redirect("http://a/2", "/loop"),
        ]
        .into_iter()
        .chain(
            (0..40)
                .map(|hop| redirect(&format!("http://a/deep{hop}"), &format!("/deep{}", hop + 1))),
        )
        .collect::<Vec<_>>(),
        options(),
    );
    assert_eq!(web.short_arcs(), ["/1 /2"]);
    assert_eq!((counts.redirects, counts.links_in_circles), (46, 2));
    assert_eq!(counts.links_too_far, 1);
    let all = IngestOptions {
        targets: Targets::All,
        ..options()
    };
    let away = [
        page("http://a/1", "<a href=r>"),
        redirect("http://a/r", "http://b/x"),
    ];
    assert_eq!(ingest_records(&away, all).0.short_arcs(), ["/1 http://b/x"]);
}

#[test]
fn links_that_are_not_to_be_followed_are_kept_or_dropped() {
    let records = [
        page("http://a/1", "<a href=2 rel='external nofollow'><a href=1>"),
        page(
            "http://a/2",
            "<meta name=robots content='noindex, nofollow'><a href=1>",
        ),
        response(
            "http://a/3",
            "200 OK",
            "Content-Type: text/html\r\nX-Robots-Tag: nofollow\r\n",
            b"<a href=1>",
        ),
    ];
    let (web, counts) = ingest_records(&records, options());
    assert_eq!(web.short_arcs(), ["/1 /1", "/1 /2", "/2 /1", "/3 /1"]);
    assert_eq!(counts.nofollow, 3);
    let drop = IngestOptions {
        nofollow: Nofollow::Drop,
        ..options()
    };
    let (web, counts) = ingest_records(&records, drop);
    assert_eq!(web.short_arcs(), ["/1 /1"]);
    assert_eq!((web.nodes.len(), counts.nofollow), (3, 3));
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(7) {
        out.extend(format!("{:x};x=y\r\n", chunk.len()).into_bytes());
        out.extend_from_slice(chunk);
        out.extend(b"\r\n");
    }
    out.extend(b"0\r\n\r\n");
    out
}

/// Chunked and compressed in every way, cut, mislabelled: the same links.
#[test]
fn bodies_are_read_as_they_were_meant() {
    let html = "<a href=1>".repeat(30) + "<a href=2>";
    let html = html.as_bytes();
    let deflate = |zlib: bool| {
        let level = flate2::Compression::fast();
        if zlib {
            let mut out = flate2::write::ZlibEncoder::new(Vec::new(), level);
            out.write_all(html).unwrap();
            return out.finish().unwrap();
        }
        let mut out = flate2::write::DeflateEncoder::new(Vec::new(), level);
        out.write_all(html).unwrap();
        out.finish().unwrap()
    };
    // A block of brotli without compression: window of 16 bits, length - 1 in 16 bits, the bytes, the end.
    let mut brotli = vec![];
    let head = ((html.len() as u32 - 1) << 4) | 1 << 20;
    brotli.extend(&head.to_le_bytes()[..3]);
    brotli.extend_from_slice(html);
    brotli.push(3);
    let zstd = zstd::encode_all(html, 3).unwrap();
    for (fields, body, broken) in [
        ("", html.to_vec(), 0),
        ("Content-Encoding: gzip\r\n", gzip(html), 0),
        (
            "Content-Encoding: x-gzip\r\n",
            [gzip(&html[..50]), gzip(&html[50..])].concat(),
            0,
        ),
        ("Content-Encoding: deflate\r\n", deflate(true), 0),
        ("Content-Encoding: deflate\r\n", deflate(false), 0),
        ("Content-Encoding: br\r\n", brotli, 0),
        ("Content-Encoding: zstd\r\n", zstd, 0),
        ("Transfer-Encoding: chunked\r\n", chunked(html), 0),
        (
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            chunked(&gzip(html)),
            0,
        ),
        ("Content-Encoding: gzip, deflate\r\n", deflate(true), 0),
        // As many archives have it: decoded, with the old fields.
        ("Content-Encoding: gzip\r\n", html.to_vec(), 0),
        ("Content-Encoding: deflate\r\n", html.to_vec(), 0),
        ("Content-Encoding: br\r\n", html.to_vec(), 0),
        ("Transfer-Encoding: chunked\r\n", html.to_vec(), 0),
        // Without its last bytes.
        (
            "Content-Encoding: gzip\r\n",
            gzip(html)[..gzip(html).len() - 4].to_vec(),
            1,
        ),
        (
            "Transfer-Encoding: chunked\r\n",
            chunked(html)[..chunked(html).len() - 5].to_vec(),
            1,
        ),
    ] {
        let fields = format!("Content-Type: text/html\r\n{fields}");
        let records = [
            response("http://a/0", "200 OK", &fields, &body),
            page("http://a/1", ""),
            page("http://a/2", ""),
        ];
        let (web, counts) = ingest_records(&records, options());
        assert_eq!(web.short_arcs(), ["/0 /1", "/0 /2"], "{fields}");
        assert_eq!(counts.bodies_broken, broken, "{fields}");
    }
}

#[test]
fn descriptions_of_common_crawl_make_the_same_graph() {
    let wat = |json: &str| record("metadata", "http://x/", "application/json", json.as_bytes());
    let described = |url: &str, html: &str| {
        wat(&format!(
            r#"{{"Container":{{"Compressed":true}},"Envelope":{{"WARC-Header-Metadata":{{
            "WARC-Type":"response","WARC-Target-URI":"{url}"}},"Payload-Metadata":{{
            "HTTP-Response-Metadata":{{"Response-Message":{{"Status":"200","Reason":"OK"}},
            "Headers":{{"content-type":"text/html; charset=UTF-8"}},"HTML-Metadata":{html}}}}}}}}}"#
        ))
    };
    let records = [
        wat(r#"{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"request"}}}"#),
        wat(
            r#"{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"http://a/r"},
            "Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"302"},
            "Headers":{"Location":"/e/3"}}}}}"#,
        ),
        described(
            "http://a/1",
            r#"{"Head":{"Base":"/e/","Link":[{"path":"LINK@/href","url":"2","rel":"canonical"},
            {"path":"LINK@/href","url":"style","rel":"stylesheet"}],"Metas":[{"http-equiv":"refresh",
            "content":"1;url=3"}]},"Links":[{"path":"A@/href","url":"4","rel":"nofollow","text":5},
            {"path":"IMG@/src","url":"5"},{"path":"AREA@/href","url":"/r"}]}"#,
        ),
        described("http://a/e/2", "{}"),
        described("http://a/e/3", r#"{"Links":[]}"#),
        described(
            "http://a/e/4",
            r#"{"Head":{"Metas":[{"name":"Robots","content":"NOFOLLOW"}]},"Links":[{"path":"A@/href","url":"\u0001/../5"}]}"#,
        ),
        described("http://a/e/5", "{}"),
        wat("{"),
    ];
    let (web, counts) = ingest_records(&records, options());
    assert_eq!(web.short_arcs(), ["/1 /e/2", "/1 /e/3", "/1 /e/4"]);
    assert_eq!(
        (counts.pages, counts.nofollow, counts.unreadable),
        (5, 2, 1)
    );
    assert_eq!(counts.redirects, 1);
}
