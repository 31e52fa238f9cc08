//! Budgets end what has no end.

use super::{HOSTS, MILLISECOND, options, run, temp, urls, woven};
use crate::web::{Reply, Web, links, not_found};
use std::collections::BTreeSet;
use webrank_crawl::crawler::{Budget, End};

/// A calendar has a next month for ever.
fn calendar(_: &str, path: &str) -> Reply {
    let month: u64 = path.trim_start_matches("/m").parse().unwrap_or(0);
    match path {
        "/robots.txt" => not_found(),
        _ => links(&[
            &format!("/m{}", month + 1),
            &format!("/m{}?day=1", month + 1),
            "/",
        ]),
    }
}

#[test]
fn budgets_end_endless_calendars() {
    let web = Web::start(calendar);
    let folder = temp();
    let with = |change: &dyn Fn(&mut Budget)| {
        let mut options = options(&web, &["a.test"]);
        change(&mut options.budget);
        options
    };
    let crawled = run(with(&|it| it.pages = 25), folder.path());
    assert_eq!((crawled.account.requests, crawled.end), (25, End::Pages));
    assert_eq!(web.urls().len(), 25);
    assert!(crawled.waiting > 0);
    // More budget goes on where the other ended.
    let crawled = run(with(&|it| it.pages = 40), folder.path());
    assert_eq!(crawled.account.requests, 40);
    let all: BTreeSet<String> = web.urls().into_iter().collect();
    assert_eq!(
        (web.urls().len(), all.len(), urls(folder.path()).len()),
        (40, 40, 40)
    );

    let deep = temp();
    let crawled = run(with(&|it| it.depth = 3), deep.path());
    // The page at the root, and two for each further month.
    assert_eq!((crawled.account.requests, crawled.end), (7, End::Over));
    assert_eq!(crawled.account.too_deep, 6);

    let small = temp();
    let crawled = run(with(&|it| it.bytes = 1000), small.path());
    assert_eq!(crawled.end, End::Bytes);
    assert!((1000..2000).contains(&crawled.account.bytes));

    let short = temp();
    let mut options = with(&|it| it.time = Some(200 * MILLISECOND));
    options.patience.host = 20 * MILLISECOND;
    let crawled = run(options, short.path());
    assert_eq!(crawled.end, End::Time);
    assert!(crawled.waiting > 0);
}

#[test]
fn a_budget_of_hosts_leaves_the_others_out() {
    let web = Web::start(woven);
    let folder = temp();
    let mut options = options(&web, &HOSTS);
    options.budget.hosts = 2;
    let crawled = run(options, folder.path());
    let hosts: BTreeSet<String> = web.asked().into_iter().map(|it| it.host).collect();
    assert_eq!(hosts.len(), 2);
    assert_eq!(crawled.account.hosts, 2);
    assert!(crawled.account.beyond_hosts > 0);
}
