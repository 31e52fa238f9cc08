//! Hosts and domains of names.

use clap::ValueEnum;
use std::net::Ipv4Addr;

/// The kind of names to make.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// www.example.org for https://www.example.org/page
    #[allow(rustdoc::bare_urls)]
    Hosts,
    /// example.org for it
    Domains,
}

/// The host or domain of a name; the whole name if it has none.
pub fn folded(name: &str, to: To, reversed: bool) -> String {
    if reversed {
        return turned(&folded(&turned(name), to, false));
    }
    let host = host(name);
    let domain = match to {
        // The parts of an address are no domains.
        To::Domains if host.parse::<Ipv4Addr>().is_err() => domain(&host),
        To::Hosts | To::Domains => None,
    };
    domain.unwrap_or(&host).to_owned()
}

/// The part of a host that somebody has registered, by the public suffix list; none if it is not below
/// a public suffix.
fn domain(host: &str) -> Option<&str> {
    // The list has letters of all alphabets.
    let decode = |label: &str| {
        let coded = label.strip_prefix("xn--");
        let decoded = coded.and_then(|coded| punycode::decode(coded).ok());
        decoded.unwrap_or_else(|| label.to_owned())
    };
    let decoded = host.contains("xn--").then(|| {
        let labels: Vec<String> = host.split('.').map(decode).collect();
        labels.join(".")
    });
    let domain = structured_public_domains::registrable_domain(decoded.as_deref().unwrap_or(host))?;
    let labels = domain.split('.').count();
    let (place, _) = host.rmatch_indices('.').nth(labels - 1).unzip();
    Some(place.map_or(host, |dot: usize| &host[dot + 1..]))
}

/// The host in a URL, in lower case; a name without `://` is a host.
fn host(name: &str) -> String {
    let after_scheme = name.split_once("://").map_or(name, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or("");
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    // The colons of an address in brackets are no ports.
    let host = match (host.rsplit_once(':'), host.ends_with(']')) {
        (Some((host, port)), false) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    let host = host.trim_end_matches('.').to_lowercase();
    if host.is_empty() {
        name.to_owned()
    } else {
        host
    }
}

/// A host from right to left.
fn turned(host: &str) -> String {
    let mut parts: Vec<&str> = host.split('.').collect();
    parts.reverse();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_hosts_and_domains() {
        for (name, of_host, of_domain) in [
            (
                "https://www.Example.co.uk/a?b#c",
                "www.example.co.uk",
                "example.co.uk",
            ),
            (
                "http://user:secret@a.b.example.org:8080/",
                "a.b.example.org",
                "example.org",
            ),
            ("http://[::1]:80/x", "[::1]", "[::1]"),
            ("http://9.9.3.4:80/x", "9.9.3.4", "9.9.3.4"),
            ("example.org.", "example.org", "example.org"),
            ("www.example.org", "www.example.org", "example.org"),
            ("co.uk", "co.uk", "co.uk"),
            ("a.b.個人.hk", "a.b.個人.hk", "b.個人.hk"),
            ("a.b.xn--gmqw5a.hk", "a.b.xn--gmqw5a.hk", "b.xn--gmqw5a.hk"),
            ("xn--gmqw5a.hk", "xn--gmqw5a.hk", "xn--gmqw5a.hk"),
            ("a.xn--b.xn--p1ai", "a.xn--b.xn--p1ai", "xn--b.xn--p1ai"),
            ("a..com", "a..com", "a..com"),
            ("a.b.unknown", "a.b.unknown", "b.unknown"),
            ("https:///x", "https:///x", "https:///x"),
        ] {
            assert_eq!(folded(name, To::Hosts, false), of_host);
            assert_eq!(folded(name, To::Domains, false), of_domain, "{name}");
        }
        assert_eq!(
            folded("uk.co.example.www", To::Domains, true),
            "uk.co.example"
        );
    }
}
