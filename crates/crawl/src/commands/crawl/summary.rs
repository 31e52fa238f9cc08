//! The report of `rank crawl` at its end.

use crate::commands::ingest::{parts, percent};
use crate::crawler::{CrawlStats, Crawled, End};
use webrank_base::units::{counted, counted_as, size};

/// The size of the archive.
pub(super) fn made(crawled: &Crawled) -> String {
    let CrawlStats {
        pages,
        hosts,
        archived,
        ..
    } = crawled.account;
    format!(
        "{} of {}, {} of WARC files",
        counted(pages, "page"),
        counted(hosts, "host"),
        size(archived)
    )
}

/// The outcomes of the requests.
pub(super) fn came(account: &CrawlStats) -> String {
    let first = format!(
        "{} ({})",
        counted(account.requests, "request"),
        size(account.bytes)
    );
    let mut others = vec![
        (account.redirects, "redirects"),
        (account.not_ok, "with another status than 200"),
        (account.not_html, "not HTML"),
        (account.copies, "copies of other pages"),
        (account.near, "nearly the same as other pages"),
        (account.cut, "pages cut at --max-page"),
        (account.ended_early, "pages that end early"),
    ];
    let errors = account.errors.iter();
    others.extend(errors.map(|(what, count)| (*count, what.as_str())));
    parts(first, &others)
}

/// The outcomes of robots.txt.
pub(super) fn forbidden(account: &CrawlStats) -> String {
    parts(
        format!("{} for robots.txt", counted(account.robots, "request")),
        &[
            (account.forbidden, "URLs forbidden"),
            (
                account.unknown,
                "URLs set aside until the next run, as it could not be reached",
            ),
        ],
    )
}

/// The outcomes of the links.
pub(super) fn followed(account: &CrawlStats) -> String {
    let found = percent(account.found, account.looked_up);
    let found = format!("found in the cache ({found} of those left)");
    parts(
        counted(account.links, "link"),
        &[
            (account.outside, "to other hosts"),
            (account.too_deep, "beyond --depth"),
            (account.found, &found),
            (account.beyond_links, "beyond --links"),
            (account.beyond_hosts, "URLs beyond --hosts"),
            (account.beyond_host, "URLs beyond --host-pages"),
            (account.too_many_redirects, "redirected too often"),
        ],
    )
}

/// The messages to other agents, and from them.
pub(super) fn exchanged(account: &CrawlStats) -> String {
    format!(
        "{} messages to other agents; {} from them",
        account.sent, account.received
    )
}

/// Why the crawl ended, and what is left.
pub(super) fn ended(crawled: &Crawled) -> String {
    let waiting = counted_as(crawled.waiting, "URL waits", "URLs wait");
    let why = match crawled.end {
        _ if crawled.waiting == 0 => "no URL waits".to_owned(),
        End::Over => waiting,
        End::Pages => format!("--pages reached; {waiting}"),
        End::Bytes => format!("--bytes reached; {waiting}"),
        End::Time => format!("--time reached; {waiting}"),
    };
    parts(why, &[(crawled.silent, "hosts do not answer")])
}
