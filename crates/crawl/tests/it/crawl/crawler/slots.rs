//! Several requests on a connection until a slot is used, by what the servers have written down.

use super::{HOSTS, MILLISECOND, options, reachable, run, sorted, temp, urls, woven};
use crate::web::{Asked, Reply, Web, links, not_found, response};
use std::time::Duration;
use webrank_crawl::crawler::CrawlOptions;

/// A host with 40 pages that take a while.
fn slow(host: &str, path: &str) -> Reply {
    let to: Vec<String> = (0..40).map(|page| format!("/p{page}")).collect();
    let to: Vec<&str> = to.iter().map(String::as_str).collect();
    match (host, path, links(&to)) {
        (_, "/robots.txt", _) => not_found(),
        (_, "/", home) => home,
        (_, _, Reply::Bytes(bytes)) => Reply::Slow(Vec::new(), 5 * MILLISECOND, bytes),
        (_, _, other) => other,
    }
}

/// The requests for pages of a crawl, by connection.
fn slots(web: &Web, slot: Duration, factor: f64, change: fn(&mut CrawlOptions)) -> Vec<Vec<Asked>> {
    let folder = temp();
    let mut options = options(web, &["a.test"]);
    options.patience.slot = slot;
    options.patience.factor = factor;
    change(&mut options);
    run(options, folder.path());
    let mut asked = web.asked();
    asked.retain(|it| it.path != "/robots.txt");
    asked.sort_by_key(|it| it.begun);
    let same = |one: &Asked, other: &Asked| one.connection == other.connection;
    asked.chunk_by(same).map(<[Asked]>::to_vec).collect()
}

#[test]
fn a_slot_is_used_on_one_connection_and_a_rest_in_proportion_follows() {
    let (slot, web) = (60 * MILLISECOND, Web::start(slow));
    let found = slots(&web, slot, 2.0, |_| {});
    let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 41);
    // The first page leads to all others, and a page takes 5 ms.
    assert!(sizes[0] == 1 && sizes[1] > 1, "{sizes:?}");
    assert!(sizes.iter().all(|size| *size <= 12), "{sizes:?}");
    for pair in found.windows(2) {
        let (first, last) = (&pair[0][0], pair[0].last().unwrap());
        // Whoever is asked in a slot is asked before it is used.
        for it in &pair[0][..pair[0].len() - 1] {
            assert!(it.ended - first.begun < slot, "{pair:?}");
        }
        let rest = 2 * (last.ended - first.begun);
        assert!(pair[1][0].begun >= last.ended + rest, "{pair:?}");
    }
}

#[test]
fn a_connection_takes_one_request_without_slots_or_if_the_host_wants_it() {
    let web = Web::start(slow);
    let found = slots(&web, Duration::ZERO, 0.0, |_| {});
    assert!(found.len() == 41, "{found:?}");
    // It closes the connection, or it wants delays.
    let closing = |_: &str, path: &str| match path {
        "/robots.txt" => not_found(),
        "/" => links(&["/a", "/b", "/c"]),
        _ => response(
            "200 OK",
            "Connection: close\r\nContent-Type: text/html\r\n",
            b"x",
        ),
    };
    let delaying = move |host: &str, path: &str| match path {
        "/robots.txt" => response("200 OK", "", b"User-agent: *\nCrawl-delay: 0.01"),
        _ => closing(host, path),
    };
    for web in [Web::start(closing), Web::start(delaying)] {
        let found = slots(&web, Duration::from_secs(20), 0.0, |_| {});
        assert_eq!(found.len(), 4, "{found:?}");
    }
}

/// A body that nobody wants is read to keep the connection if it is short; a server that is busy has
/// its rest.
#[test]
fn slots_end_when_the_connection_cannot_go_on() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => response("200 OK", "", b"User-agent: *\nDisallow: /never"),
        "/" => links(&["/a", "/none", "/never", "/b", "/long", "/busy", "/c"]),
        "/none" => not_found(),
        "/long" => response("404 No", "", &[b'x'; 1 << 15]),
        "/busy" => response("429 Busy", "Retry-After: 0\r\n", b""),
        _ => links(&[]),
    });
    let found = slots(&web, Duration::from_secs(20), 0.0, |_| {});
    let paths = |slot: &Vec<Asked>| slot.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
    let found: Vec<Vec<String>> = found.iter().map(paths).collect();
    let expected: [&[&str]; 6] = [
        &["/"],
        &["/a", "/none", "/b", "/long"],
        &["/busy"],
        &["/busy"],
        &["/busy"],
        &["/c"],
    ];
    assert_eq!(found, expected);
}

#[test]
fn budgets_hold_within_a_slot() {
    let changes: [fn(&mut CrawlOptions); 2] = [
        |it| it.budget.pages = 7,
        |it| it.budget.host_pages = Some(7),
    ];
    for change in changes {
        let web = Web::start(slow);
        let found = slots(&web, Duration::from_secs(20), 0.0, change);
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 6]);
    }
}

#[test]
fn every_page_is_asked_for_once_in_slots() {
    let web = Web::start_at(4, woven);
    let folder = temp();
    let mut options = options(&web, &HOSTS);
    options.patience.slot = Duration::from_secs(1);
    let crawled = run(options, folder.path());
    assert_eq!(sorted(web.urls()), reachable());
    assert_eq!(urls(folder.path()), reachable());
    assert_eq!(
        (crawled.account.pages, crawled.waiting),
        (crawled.account.requests, 0)
    );
}
