//! From the names of hosts to addresses, once a run for each host.
//!
//! Links are written by strangers: a name that leads into the network of the machine at hand is
//! refused, unless the user has named the host as a seed or given its address. A seed opens its own port.

use super::client::Trouble;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use webrank_base::error::{Error, Result};

/// Where a host is. Without a port, that of the URL counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) address: IpAddr,
    pub(super) port: Option<u16>,
}

/// Addresses that the user has given.
#[derive(Debug, Clone, Default)]
pub struct Overrides(HashMap<String, Target>);

impl Overrides {
    /// Reads `HOST:ADDRESS` or `HOST:ADDRESS:PORT`; addresses of version 6 stand in brackets.
    ///
    /// # Errors
    /// If a text is none of them.
    pub fn new(texts: &[String]) -> Result<Self> {
        let read = |text: &String| {
            let (host, place) = text.split_once(':').filter(|(host, _)| !host.is_empty())?;
            let bare = place.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            let target = match (bare.unwrap_or(place).parse(), place.parse::<SocketAddr>()) {
                (Ok(address), _) => Target {
                    address,
                    port: None,
                },
                (_, Ok(place)) => Target {
                    address: place.ip(),
                    port: Some(place.port()),
                },
                _ => return None,
            };
            Some((host.to_ascii_lowercase(), target))
        };
        let refused = |text: &String| {
            let remedy = "write HOST:ADDRESS or HOST:ADDRESS:PORT, such as a.test:127.0.0.1:8080";
            Error::argument("resolve", text, remedy)
        };
        let read = texts
            .iter()
            .map(|text| read(text).ok_or_else(|| refused(text)));
        Ok(Overrides(read.collect::<Result<_>>()?))
    }

    /// True if the address of a host was given.
    pub(super) fn has(&self, host: &str) -> bool {
        self.0.contains_key(host)
    }
}

/// More addresses of a host are not tried.
const MOST: usize = 4;

/// The addresses of a host. `is_trusted` hosts may be anywhere.
pub(super) fn find(
    host: &str,
    is_trusted: bool,
    overrides: &Overrides,
) -> Result<Vec<Target>, Trouble> {
    if let Some(target) = overrides.0.get(host) {
        return Ok(vec![*target]);
    }
    let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let found = (bare.unwrap_or(host), 0).to_socket_addrs();
    let mut targets: Vec<Target> = Vec::new();
    for place in found.map_err(|_| Trouble::Name)? {
        let target = Target {
            address: place.ip(),
            port: None,
        };
        if targets.len() < MOST && !targets.contains(&target) {
            targets.push(target);
        }
    }
    if targets.is_empty() {
        return Err(Trouble::Name);
    }
    if !is_trusted {
        targets.retain(|target| is_public(target.address));
    }
    match targets.is_empty() {
        true => Err(Trouble::Private),
        false => Ok(targets),
    }
}

/// True for addresses of the internet; false for those of a machine, of a local network, of tests and
/// of groups.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            let is_shared = a == 100 && b & 0xc0 == 64;
            let is_for_protocols = (a, b, c) == (192, 0, 0);
            let is_for_benchmarks = a == 198 && b & 0xfe == 18;
            !(a == 0
                || a >= 240
                || address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_documentation()
                || is_shared
                || is_for_protocols
                || is_for_benchmarks)
        }
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public(inner.into());
    }
    let [a, b, c, ..] = address.segments();
    // Global unicast is 2000::/3; in it, addresses for documentation, and ways to those of version 4.
    let is_documentation = (a, b) == (0x2001, 0xdb8) || a == 0x3fff;
    let inner = (a == 0x2002).then_some([(b >> 8) as u8, b as u8, (c >> 8) as u8, c as u8]);
    let leads_inside = inner.is_some_and(|inner| !is_public(IpAddr::from(inner)));
    let is_tunnel = (a, b) == (0x2001, 0);
    a & 0xe000 == 0x2000 && !is_documentation && !leads_inside && !is_tunnel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_are_read() {
        let texts = [
            "a.test:127.0.0.1",
            "B.test:127.0.0.2:80",
            "c.test:[::1]",
            "d.test:[::1]:8",
        ];
        let texts = texts.map(str::to_owned);
        let overrides = Overrides::new(&texts).unwrap();
        let of = |host| find(host, false, &overrides).unwrap()[0];
        assert_eq!(of("a.test").port, None);
        assert_eq!(of("b.test").port, Some(80));
        assert!(of("c.test").address.is_loopback());
        assert_eq!(of("d.test").port, Some(8));
        for text in [
            "a.test",
            "a.test:",
            ":127.0.0.1",
            "a.test:80",
            "a.test:b.test:80",
        ] {
            assert!(Overrides::new(&[text.to_owned()]).is_err(), "{text}");
        }
    }

    #[test]
    fn links_do_not_lead_into_the_own_network() {
        for (address, is_in_public) in [
            ("127.0.0.1", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("93.184.215.14", true),
            ("100.128.0.1", true),
            ("::1", false),
            ("fe80::1", false),
            ("fd00::1", false),
            ("::ffff:127.0.0.1", false),
            ("2002:7f00:1::", false),
            ("2606:2800:21f::1", true),
        ] {
            assert_eq!(
                is_public(address.parse().unwrap()),
                is_in_public,
                "{address}"
            );
        }
        let none = Overrides::default();
        assert!(matches!(
            find("127.0.0.1", false, &none),
            Err(Trouble::Private)
        ));
        assert!(find("127.0.0.1", true, &none).is_ok());
        assert!(matches!(find("[::1]", false, &none), Err(Trouble::Private)));
    }
}
