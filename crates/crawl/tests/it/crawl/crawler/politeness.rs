//! Politeness, by what the servers have written down.

use super::{HOSTS, MILLISECOND, options, reachable, run, temp, woven};
use crate::web::{Asked, Reply, Web, links, not_found, response};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::Duration;
use webrank_crawl::crawler::{CrawlOptions, Patience};

#[test]
fn hosts_are_asked_one_request_at_a_time_with_waits_and_so_are_addresses() {
    // Two hosts at each of two addresses, where the system has them.
    let web = Web::start_at(2, |host, path| match (host, woven(host, path)) {
        // Slow to answer, so that others would come meanwhile.
        ("b.test", Reply::Bytes(bytes)) => Reply::Slow(Vec::new(), 5 * MILLISECOND, bytes),
        (_, other) => other,
    });
    let folder = temp();
    let base = options(&web, &HOSTS);
    let options = CrawlOptions {
        patience: Patience {
            host: 20 * MILLISECOND,
            address: 4 * MILLISECOND,
            ..base.patience
        },
        ..base
    };
    let crawled = run(options, folder.path());
    assert_eq!(crawled.account.pages, reachable().len() as u64);
    let mut asked = web.asked();
    asked.sort_by_key(|it| it.begun);
    let addresses: BTreeSet<IpAddr> = asked.iter().map(|it| it.address).collect();
    let rests = |of: Vec<&Asked>, rest: Duration| {
        assert!(of.len() > 10);
        for pair in of.windows(2) {
            assert!(pair[1].begun >= pair[0].ended + rest, "{pair:?}");
        }
    };
    for address in addresses {
        let of_address = asked.iter().filter(|it| it.address == address);
        rests(of_address.collect(), 4 * MILLISECOND);
    }
    for host in HOSTS {
        let of_host: Vec<&Asked> = asked.iter().filter(|it| it.host == host).collect();
        assert_eq!(of_host[0].path, "/robots.txt");
        rests(of_host, 20 * MILLISECOND);
    }
}

#[test]
fn waits_are_a_multiple_of_the_time_that_a_fetch_took() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => not_found(),
        "/" => {
            let Reply::Bytes(bytes) = links(&["/next"]) else {
                unreachable!();
            };
            Reply::Slow(bytes[..20].to_vec(), 40 * MILLISECOND, bytes[20..].to_vec())
        }
        _ => links(&[]),
    });
    let folder = temp();
    let base = options(&web, &["a.test"]);
    let options = CrawlOptions {
        patience: Patience {
            factor: 3.0,
            ..base.patience
        },
        ..base
    };
    run(options, folder.path());
    let asked = web.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked[2].begun >= asked[1].ended + 120 * MILLISECOND);
}

#[test]
fn a_delay_in_robots_txt_is_heeded_up_to_a_limit() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => response("200 OK", "", b"User-agent: testbot\nCrawl-delay: 500\n"),
        "/" => links(&["/next"]),
        _ => links(&[]),
    });
    let folder = temp();
    let base = options(&web, &["a.test"]);
    let options = CrawlOptions {
        patience: Patience {
            most: 150 * MILLISECOND,
            ..base.patience
        },
        ..base
    };
    assert_eq!(run(options, folder.path()).account.pages, 2);
    let asked = web.asked();
    assert!(asked[2].begun >= asked[1].ended + 150 * MILLISECOND);
}

#[test]
fn busy_servers_are_asked_again_later() {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    let tries = AtomicU32::new(0);
    let web = Web::start(move |_, path| match path {
        "/robots.txt" => not_found(),
        "/" => links(&["/busy", "/broken"]),
        "/busy" if tries.fetch_add(1, SeqCst) == 0 => {
            response("503 Busy", "Retry-After: 1\r\n", b"")
        }
        "/broken" => response(
            "500 Oh",
            "Content-Type: text/html\r\n",
            b"<a href=/no>x</a>",
        ),
        _ => links(&[]),
    });
    let folder = temp();
    let crawled = run(options(&web, &["a.test"]), folder.path());
    assert_eq!((crawled.account.pages, crawled.account.not_ok), (2, 1));
    let busy: Vec<_> = web
        .asked()
        .into_iter()
        .filter(|it| it.path == "/busy")
        .collect();
    assert!(busy[1].begun >= busy[0].ended + Duration::from_secs(1));
}
