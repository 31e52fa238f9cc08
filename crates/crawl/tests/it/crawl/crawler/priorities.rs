//! Which URL of a host comes first, and limits of hosts and pages, by the order in which the server was asked.

use super::{HOSTS, options, run, temp};
use crate::web::{Web, links, not_found};
use std::time::Duration;
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{CrawlOptions, crawl};
use webrank_crawl::sieve::SieveKind;

/// A host whose pages lead deeper.
fn tree() -> Web {
    Web::start(|_, path| match path {
        "/robots.txt" => not_found(),
        "/" => links(&["/a-long-name", "/bee", "/c"]),
        "/a-long-name" => links(&["/d", "/bee/ant"]),
        "/c" => links(&["/far"]),
        _ => links(&[]),
    })
}

/// The paths of the first host in the order in which they were asked for.
fn order(web: &Web, priority: &str, change: impl Fn(&mut CrawlOptions)) -> Vec<String> {
    let folder = temp();
    let mut options = options(web, &HOSTS);
    options.priority = priority.parse().unwrap();
    // It gives URLs at once.
    options.sieve = SieveKind::Memory;
    change(&mut options);
    run(options, folder.path());
    let asked = web.urls().into_iter();
    let paths = asked.filter_map(|url| url.strip_prefix("http://a.test").map(str::to_owned));
    paths.collect()
}

#[test]
fn the_first_url_of_a_host_is_that_of_the_priority() {
    for (priority, expected) in [
        (
            "breadth",
            ["/", "/a-long-name", "/bee", "/c", "/d", "/bee/ant", "/far"],
        ),
        (
            "short",
            ["/", "/c", "/bee", "/far", "/a-long-name", "/d", "/bee/ant"],
        ),
        (
            "offsite",
            ["/", "/a-long-name", "/bee", "/c", "/d", "/bee/ant", "/far"],
        ),
        (
            "words=bee,ant",
            ["/", "/bee", "/a-long-name", "/bee/ant", "/c", "/d", "/far"],
        ),
    ] {
        assert_eq!(order(&tree(), priority, |_| {}), expected, "{priority}");
    }
}

/// A page of another host, which is asked meanwhile, leads to one that is deeper than all others.
#[test]
fn what_another_host_leads_to_comes_first_if_it_is_to() {
    for (priority, is_last) in [("breadth", true), ("offsite", false)] {
        let web = Web::start(|host, path| match (host, path) {
            (_, "/robots.txt") => not_found(),
            ("a.test", "/") => {
                let own = (0..80).map(|number| format!("/{number}"));
                let all: Vec<String> = own.chain(["http://b.test/".into()]).collect();
                links(&all.iter().map(String::as_str).collect::<Vec<_>>())
            }
            ("b.test", "/") => links(&["http://a.test/off"]),
            _ => links(&[]),
        });
        let paths = order(&web, priority, |it| {
            it.patience.host = Duration::from_millis(20);
        });
        assert_eq!(paths.len(), 82);
        let place = paths.iter().position(|it| it == "/off").unwrap();
        assert_eq!(place == 81, is_last, "{priority}: {place}");
    }
}

#[test]
fn a_host_is_asked_for_as_many_urls_as_the_limit() {
    assert_eq!(
        order(&tree(), "breadth", |it| it.budget.host_pages = Some(3)).len(),
        3
    );
    // Over all runs.
    let (web, folder) = (tree(), temp());
    let mut options = options(&web, &HOSTS);
    options.budget.host_pages = Some(2);
    let crawled = run(options.clone(), folder.path());
    assert_eq!(crawled.waiting, 0);
    assert!(crawled.account.beyond_host > 0);
    let count = || {
        web.urls()
            .iter()
            .filter(|url| url.starts_with("http://a.test"))
            .count()
    };
    assert_eq!(count(), 2);
    run(options, folder.path());
    assert_eq!(count(), 2);
}

#[test]
fn the_first_links_of_a_page_are_followed() {
    let paths = order(&tree(), "breadth", |it| it.budget.links = Some(1));
    assert_eq!(paths, ["/", "/a-long-name", "/d"]);
}

#[test]
fn a_crawl_goes_on_with_its_own_priority() {
    let (web, folder) = (tree(), temp());
    let mut options = options(&web, &HOSTS);
    run(options.clone(), folder.path());
    options.priority = "short".parse().unwrap();
    let seeds = ["http://a.test/".to_owned()];
    let problem = crawl(&seeds, options, folder.path(), &Silent).unwrap_err();
    assert!(
        problem.to_string().contains("has --priority breadth"),
        "{problem}"
    );
}
