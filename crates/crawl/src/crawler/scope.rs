//! Which hosts belong to a crawl, and at which ports.
//!
//! A seed opens its host at its port alone: what else runs on that machine was not named. The usual ports
//! of http and https are one, as most hosts serve one site at both.

use std::collections::HashSet;
use url::{Host, Url};

/// The hosts of a crawl: those of the seeds, and more.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Domains; all hosts below them belong to the crawl, too.
    pub within: Vec<String>,
    /// All hosts.
    pub everywhere: bool,
    /// Sites of seeds, and those to which they redirect.
    seeds: HashSet<String>,
    joined: HashSet<String>,
    /// The hosts of seeds.
    hosts: HashSet<String>,
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

    /// Adds the site of a seed.
    pub(super) fn add(&mut self, url: &Url) {
        self.seeds.extend(site(url));
        self.hosts.extend(host(url));
    }

    /// Adds a site to which a seed redirects.
    pub(super) fn join(&mut self, site: &str) {
        self.joined.insert(site.to_owned());
    }

    /// True for the hosts of seeds, at whatever port.
    pub(super) fn is_host_of_seed(&self, host: &str) -> bool {
        self.hosts.contains(host)
    }

    /// True for URLs of the sites of seeds.
    pub(super) fn is_of_seed(&self, url: &Url) -> bool {
        site(url).is_some_and(|site| self.seeds.contains(&site))
    }

    /// True for URLs of the crawl.
    pub(super) fn has(&self, url: &Url) -> bool {
        let (Some(host), Some(site)) = (host(url), site(url)) else {
            return false;
        };
        let is_below = |domain: &String| {
            let before = host.strip_suffix(domain.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        self.everywhere
            || self.seeds.contains(&site)
            || self.joined.contains(&site)
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

/// Host, and scheme and port unless they are usual ones.
pub(super) fn site(url: &Url) -> Option<String> {
    let host = host(url)?;
    match (url.scheme(), url.port_or_known_default()?) {
        ("http", 80) | ("https", 443) => Some(host),
        (scheme, port) => Some(format!("{scheme}://{host}:{port}")),
    }
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
        scope.add(&Url::parse("http://seed.test/").unwrap());
        for (host, is_in) in [
            ("seed.test", true),
            ("www.seed.test", false),
            ("example.org", true),
            ("a.b.example.org", true),
            ("badexample.org", false),
            ("example.org.evil.test", false),
        ] {
            let url = Url::parse(&format!("http://{host}/x")).unwrap();
            assert_eq!(scope.has(&url), is_in, "{host}");
        }
        let any = Url::parse("https://anything.test:81/").unwrap();
        assert!(Scope::new(Vec::new(), true).has(&any));
    }

    #[test]
    fn a_seed_opens_its_own_port() {
        for (seed, url, is_in) in [
            ("http://a.test/", "https://A.test./x", true),
            ("https://a.test/", "http://a.test:80/x", true),
            ("http://a.test/", "http://a.test:8080/", false),
            ("http://a.test:8080/", "http://a.test:8080/x", true),
            ("http://a.test:8080/", "https://a.test:8080/", false),
            ("http://a.test:8080/", "http://a.test/", false),
            ("http://[::1]:81/", "http://[::1]:82/", false),
            // Not the usual port of its scheme.
            ("http://a.test/", "http://a.test:443/", false),
        ] {
            let mut scope = Scope::default();
            scope.add(&Url::parse(seed).unwrap());
            assert_eq!(scope.has(&Url::parse(url).unwrap()), is_in, "{seed} {url}");
        }
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
