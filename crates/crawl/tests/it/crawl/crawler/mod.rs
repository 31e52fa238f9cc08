//! `rank crawl`, against webs on the loopback interface: every page is asked for once.
//!
//! * `agents`: several processes that divide the hosts, killed, given up, and refused;
//! * `slots`: several requests on a connection;
//! * `politeness`, `priorities`, `alike`, `budgets`, `rules`, `secure`, `hostile`, `resumed`: the crawler as a library;
//! * `command`: what `rank crawl` prints and refuses, kills, and the graph of what it has fetched.

mod agents;
mod alike;
mod budgets;
mod command;
mod hostile;
mod politeness;
mod priorities;
mod resumed;
mod rules;
mod secure;
mod slots;

use crate::web::{Reply, Web, links, not_found};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::time::Duration;
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{
    Budget, Copies, CrawlOptions, Crawled, End, Identity, Overrides, Patience, Priority, Scope,
    TlsRoots, crawl,
};
use webrank_crawl::ingest::Nofollow;
use webrank_crawl::sieve::SieveKind;

const MILLISECOND: Duration = Duration::from_millis(1);

fn options(web: &Web, hosts: &[&str]) -> CrawlOptions {
    let resolve: Vec<String> = hosts.iter().map(|host| web.has(host)).collect();
    CrawlOptions {
        identity: Identity::new("testbot/1.0", "me@example.org").unwrap(),
        scope: Scope::new(vec!["test".into()], false),
        priority: Priority::default(),
        budget: Budget {
            pages: 1000,
            depth: 100,
            hosts: 100,
            host_pages: None,
            links: None,
            bytes: 1 << 30,
            time: None,
        },
        patience: Patience {
            host: Duration::ZERO,
            address: Duration::ZERO,
            factor: 0.0,
            most: Duration::from_secs(1),
            slot: Duration::ZERO,
        },
        fetchers: 8,
        connect_timeout: Duration::from_secs(20),
        timeout: Duration::from_secs(20),
        max_page: 1 << 20,
        warc_size: 1 << 30,
        sieve: SieveKind::Mercator,
        goal: None,
        copies: Copies::Follow,
        nofollow: Nofollow::Drop,
        resolve: Overrides::new(&resolve).unwrap(),
        authorities: TlsRoots::default(),
        agents: None,
    }
}

fn run(options: CrawlOptions, folder: &Path) -> Crawled {
    crawl(&["http://a.test/".to_owned()], options, folder, &Silent).unwrap()
}

/// The records of an archive: type and URL, and the whole record.
fn records(folder: &Path) -> Vec<(String, String, Vec<u8>)> {
    let mut paths: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "gz"))
    {
        let file = std::fs::read(path).unwrap();
        let mut rest = file.as_slice();
        while !rest.is_empty() {
            let mut record = Vec::new();
            let mut member = flate2::bufread::GzDecoder::new(rest);
            member.read_to_end(&mut record).unwrap();
            rest = member.into_inner();
            let text = String::from_utf8_lossy(&record).into_owned();
            let field = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or("").trim().to_owned()
            };
            all.push((field("WARC-Type:"), field("WARC-Target-URI:"), record));
        }
    }
    all
}

fn urls(folder: &Path) -> Vec<String> {
    let mut urls: Vec<String> = records(folder)
        .into_iter()
        .filter(|(kind, ..)| kind == "response")
        .map(|(_, url, _)| url)
        .collect();
    urls.sort();
    urls
}

fn sorted(mut urls: Vec<String>) -> Vec<String> {
    urls.sort();
    urls
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

const HOSTS: [&str; 4] = ["a.test", "b.test", "c.test", "d.test"];

/// Where page i of a host leads: some pages are only reached late, and some never.
fn steps(host: &str, path: &str) -> [(&'static str, String); 2] {
    let own: usize = path.trim_start_matches("/p").parse().unwrap_or(0);
    let at = HOSTS.iter().position(|it| *it == host).unwrap();
    [1, 7].map(|step| {
        (
            HOSTS[(at + step) % 4],
            format!("/p{}", (own * 3 + step) % 40),
        )
    })
}

/// A web of pages that lead to each other, and elsewhere.
fn woven(host: &str, path: &str) -> Reply {
    if path == "/robots.txt" {
        return not_found();
    }
    let to = steps(host, path).map(|(host, path)| format!("http://{host}{path}#part"));
    links(&[
        &to[0],
        &to[1],
        "mailto:x@a.test",
        "http://elsewhere.example/",
    ])
}

/// The URLs of the woven web, by its definition.
fn reachable() -> Vec<String> {
    let mut found = BTreeSet::from([("a.test", "/".to_owned())]);
    let mut waiting: Vec<_> = found.iter().cloned().collect();
    while let Some((host, path)) = waiting.pop() {
        for next in steps(host, &path) {
            if found.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    sorted(
        found
            .iter()
            .map(|(host, path)| format!("http://{host}{path}"))
            .collect(),
    )
}

#[test]
fn every_page_is_asked_for_once_whatever_the_sieve() {
    for sieve in [
        SieveKind::Memory,
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
        SieveKind::Bloom,
    ] {
        let web = Web::start_at(4, woven);
        let folder = temp();
        let options = CrawlOptions {
            sieve,
            ..options(&web, &HOSTS)
        };
        let crawled = run(options, folder.path());
        assert_eq!(sorted(web.urls()), reachable());
        assert_eq!(urls(folder.path()), reachable());
        let account = crawled.account;
        assert_eq!(account.requests, reachable().len() as u64);
        assert_eq!(
            (account.pages, account.hosts, account.robots),
            (account.requests, 4, 4)
        );
        assert_eq!(account.outside, account.pages);
        assert_eq!((crawled.end, crawled.waiting), (End::Over, 0));
        assert!(
            web.asked()
                .iter()
                .all(|it| it.agent == "testbot/1.0 (+me@example.org)")
        );
    }
}
