//! Which hosts belong to a crawl.

use std::collections::HashSet;
use url::{Host, Url};

/// The hosts of a crawl: those of the seeds, and more.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Domains; all hosts below them belong to the crawl, too.
    pub within: Vec<String>,
    /// All hosts.
    pub everywhere: bool,
    seeds: HashSet<String>,
    joined: HashSet<String>,
}

impl Scope {
    /// Hosts within these domains, or all.
    pub fn new(within: Vec<String>, everywhere: bool) -> Self {
        let plain = |domain: String| domain.trim_matches('.').to_ascii_lowercase();
        Scope {
            within: within.into_iter().map(plain).collect(),
            everywhere,
            ..Scope::default()
        }
    }

    /// Adds the host of a seed.
    pub(super) fn add(&mut self, host: &str) {
        self.seeds.insert(host.to_owned());
    }

    /// Adds a host to which a seed redirects.
    pub(super) fn join(&mut self, host: &str) {
        self.joined.insert(host.to_owned());
    }

    /// True for the hosts of seeds.
    pub(super) fn is_seed(&self, host: &str) -> bool {
        self.seeds.contains(host)
    }

    /// True for hosts of the crawl.
    pub(super) fn has(&self, host: &str) -> bool {
        let is_below = |domain: &String| {
            let before = host.strip_suffix(domain.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        self.everywhere
            || self.seeds.contains(host)
            || self.joined.contains(host)
            || self.within.iter().any(is_below)
    }
}

/// The host of a URL that can be fetched: one of the web, without a name or a password of a user.
pub(super) fn host(url: &Url) -> Option<String> {
    let is_web = matches!(url.scheme(), "http" | "https");
    let is_plain = url.username().is_empty() && url.password().is_none();
    // Nothing is at port 0.
    if !is_web || !is_plain || url.port() == Some(0) {
        return None;
    }
    Some(match url.host()? {
        // A dot at the end names the same host.
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => format!("[{address}]"),
    })
    .filter(|host| !host.is_empty())
}

/// Scheme, host and port: what one robots.txt is for.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_seeds_and_below_domains_belong_to_the_crawl() {
        let mut scope = Scope::new(vec![".Example.org".into()], false);
        scope.add("seed.test");
        for (host, is_in) in [
            ("seed.test", true),
            ("www.seed.test", false),
            ("example.org", true),
            ("a.b.example.org", true),
            ("badexample.org", false),
            ("example.org.evil.test", false),
        ] {
            assert_eq!(scope.has(host), is_in, "{host}");
        }
        assert!(Scope::new(Vec::new(), true).has("anything.test"));
    }

    #[test]
    fn only_urls_of_the_web_have_hosts() {
        let of = |url: &str| host(&Url::parse(url).unwrap());
        assert_eq!(of("http://A.test./x"), Some("a.test".into()));
        assert_eq!(of("https://[::1]:8/x"), Some("[::1]".into()));
        for url in [
            "ftp://a.test/",
            "http://me@a.test/",
            "http://a.test:0/",
            "data:x",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }
}
