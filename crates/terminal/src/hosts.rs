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
        To::Domains if host.parse::<Ipv4Addr>().is_err() => psl::domain_str(&host),
        To::Hosts | To::Domains => None,
    };
    domain.unwrap_or(&host).to_owned()
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
