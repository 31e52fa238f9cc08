//! Pages that are the same, or nearly so, become one.
//!
//! Pages with the same bytes are a cluster: hashes of 128 bits with random keys tell. Or those whose
//! fingerprints are within a distance of each other, and those that steps between such pages connect. One of them stands for all: the one that most others name by `link
//! rel=canonical`; of several, or if none is named, the oldest by WARC-Date; of those, the first.

use super::page::Page;
use super::page_spool::{Counted, Spool};
use super::web::{End, Leads, Web};
use crate::near::NearDuplicates;
use std::cmp::Reverse;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{admit, allowed_memory, filled, reserve, resident_memory};
use webrank_base::progress::Progress;

/// Which pages become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alike {
    /// Pages with the same bytes.
    Exact,
    /// Pages whose fingerprints differ in so many bits at most.
    Near(u32),
}

/// Pages that became one with another.
#[derive(Default)]
pub(super) struct Copies {
    leads: Leads,
    /// They have the same bytes.
    pub(super) are_exact: bool,
    /// How many pages they are, without those that stand for others.
    pub(super) pages: u64,
    /// How many pages stand for others.
    pub(super) clusters: u64,
}

/// A page of a cluster.
struct Member {
    cluster: Node,
    /// The signatures of its URL, and of the page that it names as canonical, if that is another
    /// one.
    signature: u128,
    canonical: Option<u128>,
    /// 0 if nobody says.
    date: u64,
    url: Box<str>,
}

/// No cluster.
const NONE: Node = Node::MAX;

const WHAT: &str = "pages that are the same";

impl Alike {
    /// The option that wants it, and the bytes that comparing takes for each page.
    fn needs(self) -> (&'static str, u64) {
        match self {
            Alike::Exact => ("ingest --merge-copies", 4 + DIGEST),
            Alike::Near(_) => (
                "ingest --merge-duplicates",
                8 + 4 + NearDuplicates::BYTES_OF_NODE,
            ),
        }
    }
}

/// The bytes of a digest and a node.
const DIGEST: u64 = size_of::<(u128, Node)>() as u64;

impl Copies {
    /// Finds them: three passes over the pages, and the time of comparing.
    ///
    /// # Errors
    /// If pages cannot be read, if memory is short, or if the user interrupts.
    pub(super) fn find(
        spool: &Spool,
        web: &mut Web,
        alike: Alike,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let count = web.crawled.urls.len();
        let (what, bytes) = alike.needs();
        let needed = (count as u64).saturating_mul(bytes);
        admit(
            what,
            needed.saturating_add(resident_memory()),
            allowed_memory(),
        )?;
        let mut cluster_of: Vec<Node> = filled(NONE, count, WHAT)?;
        progress.begin("compare pages", None);
        match alike {
            Alike::Exact => same(spool, web, &mut cluster_of)?,
            Alike::Near(distance) => near(spool, web, distance, &mut cluster_of, progress)?,
        }
        let mut members = members(spool, web, &cluster_of)?;
        // Stable: those of a cluster stay in the order of their arrival.
        members.sort_by_key(|member| member.cluster);
        let mut copies = Copies {
            are_exact: alike == Alike::Exact,
            ..Copies::default()
        };
        for group in members.chunk_by(|one, other| one.cluster == other.cluster) {
            copies.clusters += 1;
            let chosen = chosen(group);
            for (place, member) in group.iter().enumerate() {
                if place != chosen {
                    copies.pages += 1;
                    let (from, to) = (&member.url, &group[chosen].url);
                    copies.leads.push(&web.crawled.signer, from, to)?;
                }
            }
        }
        progress.end();
        Ok(copies)
    }

    /// The URL of the page that stands for one, if that is another.
    pub(super) fn of(&self, web: &Web, url: &str) -> Option<&str> {
        if self.pages == 0 {
            return None;
        }
        self.leads.to(web.crawled.signer.of_128_bits(url))
    }
}

/// Puts pages with the same bytes into clusters. O(n log n).
fn same(spool: &Spool, web: &mut Web, cluster_of: &mut [Node]) -> Result<()> {
    let mut digests = Vec::new();
    reserve(&mut digests, cluster_of.len(), WHAT)?;
    let (mut pages, mut page) = (Counted::new(spool, &mut web.crawled)?, Page::default());
    for node in 0.. {
        if !pages.next(&mut page)? {
            break;
        }
        // Descriptions of pages have no bytes.
        if page.digest != 0 {
            digests.push((page.digest, node));
        }
    }
    digests.sort_unstable();
    let groups = digests.chunk_by(|one, other| one.0 == other.0);
    for (number, group) in (0..).zip(groups.filter(|group| group.len() > 1)) {
        for &(_, node) in group {
            let node: Node = node;
            cluster_of[node as usize] = number;
        }
    }
    Ok(())
}

/// Puts pages whose fingerprints are near each other into clusters.
fn near(
    spool: &Spool,
    web: &mut Web,
    distance: u32,
    cluster_of: &mut [Node],
    progress: &dyn Progress,
) -> Result<()> {
    let mut fingerprints = Vec::new();
    reserve(&mut fingerprints, cluster_of.len(), WHAT)?;
    let (mut pages, mut page) = (Counted::new(spool, &mut web.crawled)?, Page::default());
    while pages.next(&mut page)? {
        fingerprints.push(page.fingerprint);
    }
    let clusters = NearDuplicates::of(&fingerprints, true)?.clusters(distance, progress)?;
    for (number, nodes) in (0..).zip(clusters.iter()) {
        nodes
            .iter()
            .for_each(|&node| cluster_of[node as usize] = number);
    }
    Ok(())
}

/// The pages of all clusters, in the order of their arrival.
fn members(spool: &Spool, web: &mut Web, cluster_of: &[Node]) -> Result<Vec<Member>> {
    let (mut pages, mut page) = (Counted::new(spool, &mut web.crawled)?, Page::default());
    let mut members = Vec::new();
    for &cluster in cluster_of {
        if !pages.next(&mut page)? {
            break;
        }
        if cluster == NONE {
            continue;
        }
        let signature = web.crawled.signer.of_128_bits(&page.url);
        let canonical = match web.end(&page.canonical) {
            End::Page(url) => Some(web.crawled.signer.of_128_bits(&url)),
            End::Elsewhere(_) | End::Circle | End::TooFar => None,
        };
        reserve(&mut members, 1, WHAT)?;
        members.push(Member {
            cluster,
            signature,
            canonical: canonical.filter(|&canonical| canonical != signature),
            date: page.date,
            url: page.url.as_str().into(),
        });
    }
    Ok(members)
}

/// The place of the page that stands for its cluster.
fn chosen(group: &[Member]) -> usize {
    let mut votes: HashMap<u128, u64> = HashMap::new();
    for canonical in group.iter().filter_map(|member| member.canonical) {
        *votes.entry(canonical).or_default() += 1;
    }
    let best = group.iter().enumerate().max_by_key(|(place, member)| {
        let votes = votes.get(&member.signature).copied().unwrap_or(0);
        // Pages without a date are taken for the youngest.
        let date = match member.date {
            0 => u64::MAX,
            date => date,
        };
        (votes, Reverse(date), Reverse(*place))
    });
    best.map_or(0, |(place, _)| place)
}
