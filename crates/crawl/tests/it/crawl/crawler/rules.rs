//! Links that are followed and links that are not: redirects, robots.txt, nofollow, local networks.

use super::{HOSTS, options, run, sorted, temp, urls, woven};
use crate::web::{Reply, Web, links, not_found, page, redirect, response};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{CrawlOptions, CrawlStats, End, Scope, crawl};
use webrank_crawl::ingest::Nofollow;

#[test]
fn redirects_are_links_that_end() {
    let web = Web::start(|host, path| match (host, path) {
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => links(&["/circle", "/chain0", "/self", "/bad", "http://b.test/"]),
        (_, "/circle") => redirect("/circle2"),
        (_, "/circle2") => redirect("/circle"),
        (_, "/self") => redirect("/self#again"),
        (_, "/bad") => response("301 Moved", "Location: http://[\r\n", b""),
        ("b.test", "/") => redirect("http://outside.example/"),
        _ => {
            let step: u32 = path.trim_start_matches("/chain").parse().unwrap();
            redirect(&format!("/chain{}", step + 1))
        }
    });
    let folder = temp();
    let crawled = run(options(&web, &["a.test", "b.test"]), folder.path());
    let account = crawled.account;
    assert_eq!((account.pages, crawled.end), (1, End::Over));
    assert_eq!(account.too_many_redirects, 1);
    assert_eq!(account.outside, 1);
    assert!(web.urls().contains(&"http://a.test/chain10".to_owned()));
    assert!(!web.urls().contains(&"http://a.test/chain11".to_owned()));
    let unique: BTreeSet<String> = web.urls().into_iter().collect();
    assert_eq!(unique.len(), web.urls().len());
    assert_eq!(urls(folder.path()), sorted(web.urls()));
}

#[test]
fn where_a_seed_redirects_belongs_to_the_crawl() {
    let web = Web::start(|host, path| match (host, path) {
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => redirect("http://www.a.test/"),
        ("www.a.test", "/") => links(&["/x", "http://b.test/"]),
        _ => links(&[]),
    });
    let folder = temp();
    let mut options = options(&web, &["a.test", "www.a.test", "b.test"]);
    options.scope = Scope::default();
    options.budget.pages = 2;
    assert_eq!(run(options.clone(), folder.path()).waiting, 1);
    options.budget.pages = 10;
    let crawled = run(options, folder.path());
    assert_eq!(crawled.account.outside, 1);
    assert_eq!(
        web.urls(),
        [
            "http://a.test/",
            "http://www.a.test/",
            "http://www.a.test/x"
        ]
    );
}

#[test]
fn what_robots_forbid_is_not_asked_for() {
    let web = Web::start(|host, path| {
        match (host, path) {
        ("a.test", "/robots.txt") => response(
            "200 OK",
            "Content-Type: text/plain\r\n",
            b"User-agent: *\nDisallow: /\n\nUser-agent: TestBot\nDisallow: /private\nDisallow: /*.php$\n",
        ),
        // Elsewhere, which is asked first.
        ("b.test", "/robots.txt") => redirect("http://c.test/rules.txt"),
        ("c.test", "/rules.txt") => response("200 OK", "", b"User-agent: *\nDisallow: /secret"),
        ("c.test", "/robots.txt") => response("500 Oh", "", b""),
        ("d.test", "/robots.txt") => redirect("/robots.txt"),
        ("a.test", "/") => links(&[
            "/private/x",
            "/x.php",
            "/x.php?y",
            "http://b.test/",
            "http://b.test/secret",
            "http://c.test/",
            "http://d.test/",
        ]),
        _ => links(&[]),
    }
    });
    let folder = temp();
    let crawled = run(options(&web, &HOSTS), folder.path());
    let account = crawled.account;
    let expected = [
        "http://a.test/",
        "http://a.test/x.php?y",
        "http://b.test/",
        "http://d.test/",
    ];
    let mut pages = web.urls();
    pages.retain(|url| url != "http://c.test/rules.txt");
    assert_eq!(sorted(pages), expected);
    assert_eq!((account.forbidden, account.unknown), (3, 1));
    let robots = |host: &str| {
        let asked = web.asked().into_iter();
        asked
            .filter(|it| it.host == host && it.path == "/robots.txt")
            .count()
    };
    // One, one that leads elsewhere, three tries, and a circle of five redirects.
    assert_eq!(HOSTS.map(robots), [1, 1, 3, 6]);
}

/// RFC 9309, 2.3.1.4: what cannot be read is not what is not there.
#[test]
fn a_robots_txt_that_is_cut_off_allows_nothing() {
    let text = b"User-agent: *\nDisallow: /\n".repeat(9);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&text).unwrap();
    let packed = packed.finish().unwrap();
    let start = |fields: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{fields}\r\n");
        [head.as_bytes(), body].concat()
    };
    let line = b"User-agent: *\n";
    let hangs = Reply::Slow(start("", line), Duration::from_secs(2), Vec::new());
    let is_short = Reply::Bytes(start("Content-Length: 99\r\n", line));
    let chunks = b"e\r\nUser-agent: *\n\r\n";
    let is_open = Reply::Bytes(start("Transfer-Encoding: chunked\r\n", chunks));
    let half = &packed[..packed.len() / 2];
    let is_half = response("200 OK", "Content-Encoding: gzip\r\n", half);
    let web = Web::start(move |host, path| match (host, path) {
        ("a.test", "/robots.txt") => hangs.clone(),
        ("b.test", "/robots.txt") => is_short.clone(),
        ("c.test", "/robots.txt") => is_open.clone(),
        ("d.test", "/robots.txt") => is_half.clone(),
        _ => links(&[]),
    });
    let folder = temp();
    let options = CrawlOptions {
        timeout: Duration::from_millis(300),
        ..options(&web, &HOSTS)
    };
    let seeds = HOSTS.map(|host| format!("http://{host}/"));
    let crawled = crawl(&seeds, options, folder.path(), &Silent).unwrap();
    assert_eq!(web.urls(), [""; 0]);
    assert_eq!((crawled.account.unknown, crawled.account.requests), (4, 0));
}

/// A server at another port of a machine was not named by the seed, however it is reached.
#[test]
fn a_seed_opens_its_own_port() {
    let other = Web::start(|_, _| links(&[]));
    let of = |web: &Web| format!("http://{}", web.has("a").trim_start_matches("a:"));
    let elsewhere = of(&other);
    let to = elsewhere.clone();
    let web = Web::start(move |_, path| match path {
        "/robots.txt" => not_found(),
        "/" => links(&[&format!("{to}/linked"), "/moved", "/own"]),
        "/moved" | "/seed" => redirect(&format!("{to}/moved")),
        _ => links(&[]),
    });
    let folder = temp();
    let seeds = [format!("{}/", of(&web)), format!("{}/seed", of(&web))];
    let run = |everywhere: bool, folder: &Path| {
        let mut options = options(&web, &[]);
        options.scope = Scope::new(Vec::new(), everywhere);
        crawl(&seeds, options, folder, &Silent).unwrap().account
    };
    let account = run(false, folder.path());
    // Where a seed leads belongs to the crawl, but not in the network of the machine.
    let refused = |account: &CrawlStats| account.errors["addresses of a local network"];
    assert_eq!(
        (account.pages, account.outside, refused(&account)),
        (2, 1, 1)
    );
    let everywhere = temp();
    let account = run(true, everywhere.path());
    assert_eq!(
        (account.pages, account.outside, refused(&account)),
        (2, 0, 2)
    );
    assert!(other.asked().is_empty());
    // A robots.txt leads there no more than a page.
    let to = elsewhere.clone();
    let web = Web::start(move |_, path| match path {
        "/robots.txt" => redirect(&format!("{to}/rules")),
        _ => links(&[]),
    });
    let (folder, seeds) = (temp(), [format!("{}/", of(&web))]);
    let account = crawl(&seeds, options(&web, &[]), folder.path(), &Silent);
    let account = account.unwrap().account;
    assert_eq!(
        (account.pages, account.unknown, refused(&account)),
        (0, 1, 1)
    );
    assert!(other.asked().is_empty());
}

#[test]
fn nofollow_is_heeded() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => not_found(),
        "/" => page(
            "<a href=/no rel=nofollow>x</a><a href=/yes>x</a><a href=/meta>x</a><a href=/head>x</a>",
        ),
        "/meta" => page("<meta name=robots content=nofollow><a href=/no-meta>x</a>"),
        "/head" => response(
            "200 OK",
            "Content-Type: text/html\r\nX-Robots-Tag: nofollow\r\n",
            b"<a href=/no-head>x</a>",
        ),
        _ => links(&[]),
    });
    let folder = temp();
    run(options(&web, &["a.test"]), folder.path());
    assert_eq!(web.urls().len(), 4);
    let kept = temp();
    let options = CrawlOptions {
        nofollow: Nofollow::Keep,
        ..options(&web, &["a.test"])
    };
    assert_eq!(run(options, kept.path()).account.pages, 7);
}

#[test]
fn links_into_the_own_network_are_not_followed() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => not_found(),
        _ => links(&["http://127.0.0.1:1/", "http://localhost/", "http://[::1]/"]),
    });
    let folder = temp();
    let mut options = options(&web, &["a.test"]);
    options.scope = Scope::new(Vec::new(), true);
    let crawled = run(options, folder.path());
    assert_eq!(crawled.account.errors["addresses of a local network"], 3);
    assert_eq!((crawled.silent, crawled.waiting), (3, 3));
}

#[test]
fn wrong_seeds_and_folders_are_refused() {
    let web = Web::start(woven);
    let folder = temp();
    let refused = |seed: &str, folder: &Path| {
        let options = options(&web, &HOSTS);
        crawl(&[seed.to_owned()], options, folder, &Silent)
            .unwrap_err()
            .to_string()
    };
    let path = folder.path().join("new");
    for seed in [
        "a.test",
        "ftp://a.test/",
        "mailto:x",
        "http://me:secret@a.test/",
        "",
    ] {
        assert!(refused(seed, &path).starts_with("SEEDS is"), "{seed}");
        assert!(!path.exists());
    }
    std::fs::write(folder.path().join("other"), "x").unwrap();
    assert!(refused("http://a.test/", folder.path()).contains("holds no crawl"));
}
