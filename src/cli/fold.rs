//! `rank fold`.

use super::shared::options::{Global, GraphArgs, write_lines};
use super::shared::reading::told;
use clap::ValueEnum;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use webrank::internals::error::Result;
use webrank::internals::graph::bundle::BundleOptions;
use webrank::internals::graph::import::{self, Fold, ImportOptions};
use webrank::internals::memory::Size;
use webrank::internals::visible::visible;

/// Make a graph of hosts or domains of a graph of pages or hosts
///
/// Nodes whose names lie in the same host, or in the same registered domain by the list of public
/// suffixes, become one node. Arcs between two of them become one arc, whose weight is the sum of
/// their weights (their number if arcs have no weights). Names are URLs or hosts.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// What nodes become
    #[arg(long, value_enum)]
    to: To,
    /// Names are hosts from right to left, as in org.example.www; so are the new ones
    #[arg(long)]
    reversed: bool,
    /// The bundle to write
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// Leave out arcs within a host or domain
    #[arg(long)]
    drop_loops: bool,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// www.example.org for https://www.example.org/page
    Hosts,
    /// example.org for it
    Domains,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    // The rows, their weights, and a new arc for each.
    global.admit("fold", Size::of(&graph).weighted_bytes(40, 24))?;
    let options = ImportOptions {
        drop_loops: args.drop_loops,
        ..ImportOptions::default()
    };
    let bundle = BundleOptions {
        replace: args.force,
        compact: false,
    };
    let (to, reversed) = (args.to, args.reversed);
    let fold: Fold = Box::new(move |name| folded(name, to, reversed));
    let progress = global.progress();
    let report = import::fold(
        graph,
        fold,
        &options,
        &args.output,
        bundle,
        progress.as_ref(),
    )?;
    drop(progress);
    if global.quiet {
        return Ok(());
    }
    let output = args.output.to_string_lossy();
    write_lines(|out| writeln!(out, "{}: {}", visible(&output), told(&report)))
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
