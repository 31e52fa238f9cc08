//! The options of a crawl, and how it calls itself.

use super::agents::Team;
use super::copies::{Copies, MOST_BITS};
use super::names::Overrides;
use super::priority::Priority;
use super::scope::Scope;
use super::tls_roots::TlsRoots;
use crate::ingest::Nofollow;
use crate::sieve::{BloomGoal, SieveKind};
use std::time::Duration;
use webrank_base::error::{Error, Result};

/// Limits of a crawl. Pages, hosts and bytes count from its first run on, the time from this one.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// URLs that are asked for, whatever comes; robots.txt does not count.
    pub pages: u64,
    /// Links from a seed; seeds have depth 0, and redirects cost nothing.
    pub depth: u32,
    /// Hosts that have URLs.
    pub hosts: u64,
    /// URLs that a host is asked for, as for `pages`; none for no limit.
    pub host_pages: Option<u64>,
    /// Links of a page that are followed, the first ones that belong to the crawl; none for no limit.
    pub links: Option<u64>,
    /// Bytes of bodies, as they came.
    pub bytes: u64,
    /// How long this run may take.
    pub time: Option<Duration>,
}

/// How long to wait between two requests.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// To a host, from the end of one to the start of the next.
    pub host: Duration,
    /// To an address, which may be that of several hosts.
    pub address: Duration,
    /// As many times as the last fetch took, if that is longer.
    pub factor: f64,
    /// The longest wait that a robots.txt is granted.
    pub most: Duration,
    /// Once so much time is used, a connection takes no more requests; with 0, it takes one. The factor is
    /// that of the time used.
    pub slot: Duration,
}

impl Patience {
    /// The wait after a fetch that took so long: for its host, with the delay that its robots.txt asks
    /// for, and for its address.
    pub(super) fn after(&self, took: Duration, asked: Option<Duration>) -> (Duration, Duration) {
        let share = Duration::try_from_secs_f64(took.as_secs_f64() * self.factor);
        // A fetch is limited, so that this is only for factors beyond all reason.
        let share = share.unwrap_or(LONGEST).min(LONGEST);
        let asked = asked.unwrap_or_default().min(self.most);
        (self.host.max(share).max(asked), self.address.max(share))
    }
}

/// No wait is longer.
const LONGEST: Duration = Duration::from_secs(3600);

impl Budget {
    /// The limits beyond which URLs are given up for ever, by their names.
    pub(super) fn limits(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("depth", Some(self.depth.into())),
            ("hosts", Some(self.hosts)),
            ("host_pages", self.host_pages),
            ("links", self.links),
        ]
    }

    /// Compares the limits with those of the crawl that goes on.
    pub(super) fn check(&self, before: [Option<u64>; 4]) -> Result<()> {
        for ((name, now), before) in self.limits().into_iter().zip(before) {
            if now == before {
                continue;
            }
            let option = name.replace('_', "-");
            let remedy = match before {
                Some(before) => format!("the crawl in this folder has --{option} {before}"),
                None => format!("the crawl in this folder has no --{option}"),
            };
            let now = now.map_or("not given".to_owned(), |now| now.to_string());
            return Err(Error::argument(name, now, remedy));
        }
        Ok(())
    }
}

/// How the crawler calls itself.
#[derive(Debug, Clone)]
pub struct Identity {
    header: String,
    token: String,
}

impl Identity {
    /// `product` is a name with or without a version, such as `webrank/0.1.0`; robots.txt knows the
    /// crawler by the name. `contact` is where the owners of hosts can write to, a page or an address.
    ///
    /// # Errors
    /// If the name has other characters than letters, digits, - and _, or the contact is empty or has
    /// blanks or parentheses.
    pub fn new(product: &str, contact: &str) -> Result<Self> {
        let (token, version) = product.split_once('/').unwrap_or((product, "0"));
        let is_name = |text: &str, others: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
            (1..=100).contains(&text.len()) && text.chars().all(fits)
        };
        if !is_name(token, "-_") || !is_name(version, "-_.+") {
            let remedy = "a name of letters, digits, - and _, and perhaps / and a version";
            return Err(Error::argument("user_agent", product, remedy));
        }
        let fits = |c: char| c.is_ascii_graphic() && !"()\\".contains(c);
        if !(3..=200).contains(&contact.len()) || !contact.chars().all(fits) {
            let remedy = "give a page or a mail address that the owners of hosts can write to";
            return Err(Error::argument("contact", contact, remedy));
        }
        Ok(Identity {
            header: format!("{product} (+{contact})"),
            token: token.to_owned(),
        })
    }

    /// The field User-Agent.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// The name in robots.txt.
    pub fn token(&self) -> &str {
        &self.token
    }
}

/// How to crawl.
#[derive(Debug, Clone)]
pub struct CrawlOptions {
    /// Who asks.
    pub identity: Identity,
    /// Which hosts belong to the crawl, beside those of the seeds.
    pub scope: Scope,
    /// Which URL of a host comes first.
    pub priority: Priority,
    /// When it ends.
    pub budget: Budget,
    /// How long it waits.
    pub patience: Patience,
    /// How many fetches there are at once, each at another host and another address.
    pub fetchers: usize,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How long a fetch may take.
    pub timeout: Duration,
    /// Bodies are cut at so many bytes.
    pub max_page: u64,
    /// A file of the archive is followed by another once it has so many bytes.
    pub warc_size: u64,
    /// Which sieve finds URLs that were seen.
    pub sieve: SieveKind,
    /// How many URLs a Bloom filter is made for, and how many it may lose.
    pub goal: Option<BloomGoal>,
    /// Pages whose links are not followed, as they are like others.
    pub copies: Copies,
    /// The treatment of links that are not to be followed.
    pub nofollow: Nofollow,
    /// Addresses of hosts that the system is not asked for.
    pub resolve: Overrides,
    /// Who vouches for hosts over secure connections.
    pub authorities: TlsRoots,
    /// The agents that divide the hosts, if there are several; limits count for each.
    pub agents: Option<Team>,
}

/// The most fetches at once.
const MOST_FETCHERS: usize = 1024;

/// The longest body: each fetch holds a few of them.
const LARGEST_PAGE: u64 = 1 << 28;

impl CrawlOptions {
    pub(super) fn check(&self) -> Result<()> {
        self.agents.as_ref().map_or(Ok(()), Team::check)?;
        let refuse = |name, value: String, remedy: &str| Err(Error::argument(name, value, remedy));
        if !(1..=MOST_FETCHERS).contains(&self.fetchers) {
            return refuse(
                "fetchers",
                self.fetchers.to_string(),
                "1 to 1024 fetches at once",
            );
        }
        if !(1..=LARGEST_PAGE).contains(&self.max_page) {
            let remedy = "a page is cut at 1 to 268435456 bytes";
            return refuse("max_page", self.max_page.to_string(), remedy);
        }
        if let Copies::Near(distance) = self.copies
            && distance > MOST_BITS
        {
            let remedy = format!("it must be at most {MOST_BITS}");
            return refuse("distance", distance.to_string(), &remedy);
        }
        if self.warc_size == 0 {
            return refuse("warc_size", "0".to_owned(), "files have a byte or more");
        }
        if !(0.0..=1e6).contains(&self.patience.factor) {
            let remedy = "a number from 0 to 1000000";
            return refuse("delay_factor", self.patience.factor.to_string(), remedy);
        }
        for (name, wait) in [
            ("delay", self.patience.host),
            ("ip_delay", self.patience.address),
            ("max_crawl_delay", self.patience.most),
            ("slot", self.patience.slot),
        ] {
            if wait > LONGEST {
                return refuse(name, format!("{wait:?}"), "waits of at most an hour");
            }
        }
        for (name, limit) in [
            ("timeout", self.timeout),
            ("connect_timeout", self.connect_timeout),
        ] {
            if limit.is_zero() || limit > LONGEST {
                let remedy = "it may take up to an hour, and more than nothing";
                return refuse(name, format!("{limit:?}"), remedy);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_the_longest_of_all() {
        let of = Duration::from_secs;
        let patience = Patience {
            host: of(2),
            address: of(1),
            factor: 3.0,
            most: of(60),
            slot: of(0),
        };
        assert_eq!(patience.after(of(0), None), (of(2), of(1)));
        assert_eq!(patience.after(of(5), None), (of(15), of(15)));
        assert_eq!(patience.after(of(5), Some(of(20))), (of(20), of(15)));
        assert_eq!(patience.after(of(1), Some(of(9999))), (of(60), of(3)));
        let beyond = Patience {
            factor: 1e6,
            ..patience
        };
        assert_eq!(beyond.after(of(3600), None), (LONGEST, LONGEST));
    }

    #[test]
    fn names_that_no_robots_txt_can_have_are_refused() {
        let identity = Identity::new("bot/1.0", "me@example.org").unwrap();
        assert_eq!(identity.header(), "bot/1.0 (+me@example.org)");
        assert_eq!(identity.token(), "bot");
        for (product, contact) in [
            ("", "me@example.org"),
            ("a bot", "me@example.org"),
            ("bot/", "me@example.org"),
            ("bot\r\nX: y", "me@example.org"),
            ("bot", ""),
            ("bot", "me (at home)"),
            ("bot", "me\n"),
        ] {
            assert!(
                Identity::new(product, contact).is_err(),
                "{product} {contact}"
            );
        }
    }
}
