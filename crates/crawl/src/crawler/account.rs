//! The account of a crawl.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers of a crawl, over all its runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrawlStats {
    /// URLs that were asked for, whatever came; robots.txt does not count.
    pub requests: u64,
    /// Pages of HTML with status 200.
    pub pages: u64,
    /// Redirects.
    pub redirects: u64,
    /// Responses with another status.
    pub not_ok: u64,
    /// Responses with status 200 that are not HTML.
    pub not_html: u64,
    /// Pages with the bytes of another page, whose links were not followed.
    pub copies: u64,
    /// Pages that are nearly the same as another page, whose links were not followed.
    pub near: u64,
    /// Pages that were cut at the limit.
    pub cut: u64,
    /// Pages that took too long or were not sent to their end.
    pub ended_early: u64,
    /// Bytes of bodies, as they came.
    pub bytes: u64,
    /// Bytes of the archive.
    pub archived: u64,
    /// Hosts that have URLs.
    pub hosts: u64,
    /// Requests for robots.txt.
    pub robots: u64,
    /// URLs that a robots.txt forbids.
    pub forbidden: u64,
    /// URLs set aside until the next run, because their robots.txt could not be reached.
    pub unknown: u64,
    /// URLs that brought nothing, by what went wrong.
    pub errors: BTreeMap<String, u64>,
    /// Links, each once a page.
    pub links: u64,
    /// Links to hosts that do not belong to the crawl.
    pub outside: u64,
    /// Links deeper than the limit.
    pub too_deep: u64,
    /// Links of pages beyond the limit of a page.
    pub beyond_links: u64,
    /// URLs that were given up, as their host was asked for as many as the limit.
    pub beyond_host: u64,
    /// Links that were looked for in the cache in front of the sieve.
    pub looked_up: u64,
    /// Links among them that it found.
    pub found: u64,
    /// URLs on hosts beyond the limit.
    pub beyond_hosts: u64,
    /// Redirects after too many others.
    pub too_many_redirects: u64,
    /// URLs found for other agents, and what else they were told.
    pub sent: u64,
    /// URLs and other news that came from other agents.
    pub received: u64,
}

impl CrawlStats {
    /// One more URL that brought nothing.
    pub(super) fn fail(&mut self, what: &str) {
        *self.errors.entry(what.to_owned()).or_default() += 1;
    }
}

/// Why a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum End {
    /// All URLs were asked for.
    Over,
    /// So many URLs were asked for.
    Pages,
    /// So many bytes came.
    Bytes,
    /// So much time has passed.
    Time,
}

/// A crawl that has ended.
#[derive(Debug, Clone, Serialize)]
pub struct Crawled {
    /// The numbers over all runs.
    pub account: CrawlStats,
    /// Why it ended.
    pub end: End,
    /// URLs that still wait.
    pub waiting: u64,
    /// Hosts that did not answer in this run; their URLs wait.
    pub silent: u64,
}
