//! Secure connections: only hosts that an authority vouches for are asked for anything.

use super::{options, run, sorted, temp, urls};
use crate::web::{Reply, Web, links, not_found};
use std::path::Path;
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{CrawlOptions, Crawled, TlsRoots, crawl};
use webrank_testing::cli::failure;

const AUTHORITY: &str = webrank_testing::at!("tests/fixtures/tls/authority.pem");

/// Pages of three hosts that lead to each other; the certificate is for a.test and b.test.
fn answers(host: &str, path: &str) -> Reply {
    match (host, path) {
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => links(&[
            "/next",
            "http://a.test/plain",
            "https://b.test/",
            "https://c.test/",
        ]),
        _ => links(&[]),
    }
}

fn crawled(web: &Web, authorities: TlsRoots, folder: &Path) -> Crawled {
    let options = CrawlOptions {
        authorities,
        ..options(web, &["a.test", "b.test", "c.test"])
    };
    crawl(&["https://a.test/".to_owned()], options, folder, &Silent).unwrap()
}

#[test]
fn hosts_that_the_authority_of_a_file_vouches_for_are_crawled() {
    let web = Web::start_secure(answers);
    let folder = temp();
    let authorities = TlsRoots::read(Path::new(AUTHORITY)).unwrap();
    let crawled = crawled(&web, authorities, folder.path());
    let expected = [
        "http://a.test/plain",
        "https://a.test/",
        "https://a.test/next",
        "https://b.test/",
    ];
    assert_eq!(sorted(web.urls()), expected);
    assert_eq!(urls(folder.path()), expected);
    // c.test is not even asked for robots.txt: its name is not in the certificate.
    assert!(web.asked().iter().all(|it| it.host != "c.test"));
    assert_eq!((crawled.account.unknown, crawled.waiting), (1, 0));
    let insecure = "robots.txt: insecure connections";
    assert!(
        crawled.account.errors.contains_key(insecure),
        "{:?}",
        crawled.account.errors
    );
}

#[test]
fn a_host_that_nobody_on_the_web_vouches_for_is_asked_for_nothing() {
    let web = Web::start_secure(answers);
    let folder = temp();
    let crawled = crawled(&web, TlsRoots::default(), folder.path());
    assert!(web.asked().is_empty(), "{:?}", web.asked());
    assert_eq!((crawled.account.pages, crawled.account.unknown), (0, 1));
}

#[test]
fn a_host_that_speaks_no_https_is_asked_for_nothing() {
    let web = Web::start(answers);
    let folder = temp();
    let authorities = TlsRoots::read(Path::new(AUTHORITY)).unwrap();
    let crawled = crawled(&web, authorities, folder.path());
    assert!(web.asked().is_empty(), "{:?}", web.asked());
    assert_eq!((crawled.account.pages, crawled.account.unknown), (0, 1));
    // This server has its pages by http.
    let plain = temp();
    assert_eq!(
        run(options(&web, &["a.test"]), plain.path()).account.pages,
        3
    );
}

#[test]
fn files_of_authorities_are_read_before_anything_is_asked() {
    let folder = temp();
    let path = folder.path().join("ca.pem");
    let output = folder.path().join("warc");
    let refused = |content: &[u8]| {
        std::fs::write(&path, content).unwrap();
        let (path, output) = (path.to_str().unwrap(), output.to_str().unwrap());
        let crawl = [
            "crawl",
            "https://a.test/",
            "-o",
            output,
            "--contact",
            "me@example.org",
        ];
        failure(&[&crawl[..], &["--ca-file", path]].concat(), 1)
    };
    assert!(refused(b"").contains("ca.pem: has no certificate; give one or more"));
    assert!(
        refused(&std::fs::read(webrank_testing::at!("tests/fixtures/tls/host.key")).unwrap())
            .contains("no certificate")
    );
    let whole = std::fs::read(AUTHORITY).unwrap();
    assert!(refused(&whole[..whole.len() - 40]).contains("ca.pem: is no whole PEM file"));
    let nonsense = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let two = [&whole[..], &nonsense[..]].concat();
    assert!(refused(&two).contains("ca.pem: certificate 2 cannot be read: "));
    std::fs::remove_file(&path).unwrap();
    let missing = [
        "crawl",
        "https://a.test/",
        "-o",
        "x",
        "--contact",
        "me@example.org",
        "--ca-file",
        "gone.pem",
    ];
    assert!(failure(&missing, 1).contains("gone.pem: cannot read"));
    assert!(!output.exists());
}
