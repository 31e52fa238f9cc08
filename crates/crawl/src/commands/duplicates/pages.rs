//! Fingerprints of a bundle, or of a list.

use crate::near::{FingerprintList, NONE, NearDuplicates, distance, parse};
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{reserve, resident_memory};
use webrank_base::progress::Progress;
use webrank_formats::import::is_foreign;
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;
use webrank_terminal::input_format::InputFormatArgs;
use webrank_terminal::options::{Global, GraphArgs};

/// Where the fingerprints come from.
// A run has only one: its size does not matter.
#[allow(clippy::large_enum_variant)]
pub(super) enum Pages {
    Bundle(Graph, Vec<u64>),
    List(FingerprintList, Checksums),
}

impl Pages {
    pub(super) fn open(path: &Path, global: &Global) -> Result<Self> {
        let reading = InputFormatArgs::default();
        if is_foreign(path, &reading.options()) {
            let read = Checksums::default();
            let list = FingerprintList::read(path, &read)?;
            let more = NearDuplicates::BYTES_OF_NODE.saturating_mul(list.fingerprints.len() as u64);
            global.admit("duplicates", resident_memory().saturating_add(more))?;
            return Ok(Pages::List(list, read));
        }
        let (graph, fingerprints) = open_bundle(path, global)?;
        let needed = Size::of(&graph).bytes_without_rows(NearDuplicates::BYTES_OF_NODE);
        global.admit("duplicates", needed)?;
        Ok(Pages::Bundle(graph, fingerprints))
    }

    pub(super) fn duplicates(&self, progress: &dyn Progress) -> Result<NearDuplicates> {
        progress.begin("sort", None);
        match self {
            Pages::Bundle(_, fingerprints) => NearDuplicates::of(fingerprints, true),
            Pages::List(list, _) => NearDuplicates::of(&list.fingerprints, false),
        }
    }

    /// The fingerprints, and whether a 0 is none.
    fn fingerprints(&self) -> (&[u64], bool) {
        match self {
            Pages::Bundle(_, fingerprints) => (fingerprints, true),
            Pages::List(list, _) => (&list.fingerprints, false),
        }
    }

    /// The fingerprint of a query: whatever may mean two things is refused.
    fn query(&self, text: &str) -> Result<u64> {
        let names = self.names().into_iter();
        let mut named = names.flat_map(|names| {
            (0..names.len() as Node).filter(move |&node| names.get(node) == text)
        });
        let (fingerprints, has_none) = self.fingerprints();
        let refuse = |remedy: &str| Err(Error::argument("query", text, remedy));
        // Few digits may be a name with a mistake.
        let is_whole = text.trim().len() == 16 || text.trim().starts_with("0x");
        let written = parse(text).filter(|_| is_whole);
        let (first, second) = (named.next(), named.next());
        match (first.map(|node| fingerprints[node as usize]), written) {
            (Some(_), _) if second.is_some() => {
                refuse("two pages have this name; give the fingerprint of one of them")
            }
            (Some(named), Some(written)) if named != written => refuse(
                "it is the name of a page, and a fingerprint; write the one that is meant with 0x",
            ),
            (Some(NONE), _) if has_none => refuse("this page has no text: it is like no other"),
            (Some(fingerprint), _) | (None, Some(fingerprint)) => Ok(fingerprint),
            (None, None) if parse(text).is_some() => {
                refuse("it is no name of a page; write a fingerprint with 16 digits, or with 0x")
            }
            (None, None) => refuse(
                "it is no name of a page, and no fingerprint: 16 hexadecimal digits, or fewer behind \
                 0x",
            ),
        }
    }

    /// Number of a query, node and distance of each page that is near, in order. All are compared: for few
    /// queries that is faster than making tables. O(queries nodes).
    pub(super) fn near(&self, queries: &[String], most: u32) -> Result<Vec<(u32, Node, u32)>> {
        let (fingerprints, has_none) = self.fingerprints();
        let mut all = Vec::new();
        for (number, query) in (0..).zip(queries) {
            let query = self.query(query)?;
            let nodes = (0..).zip(fingerprints);
            let nodes = nodes.filter(|&(_, &it)| it != NONE || !has_none);
            for (node, &it) in nodes.filter(|&(_, &it)| distance(query, it) <= most) {
                reserve(&mut all, 1, "pages near a query")?;
                all.push((number, node, distance(query, it)));
            }
        }
        all.sort_unstable_by_key(|&(number, node, distance)| (number, distance, node));
        Ok(all)
    }

    /// Pages with fingerprints, and different ones.
    pub(super) fn counts(&self) -> (usize, usize) {
        let (fingerprints, has_none) = self.fingerprints();
        let known = fingerprints.iter().filter(|&&it| it != NONE || !has_none);
        let mut known: Vec<u64> = known.copied().collect();
        let count = known.len();
        known.sort_unstable();
        known.dedup();
        (count, known.len())
    }

    pub(super) fn names(&self) -> Option<&Names> {
        match self {
            Pages::Bundle(graph, _) => graph.names(),
            Pages::List(list, _) => list.names.as_ref(),
        }
    }
}

/// A graph and its fingerprints.
pub(super) fn open_bundle(path: &Path, global: &Global) -> Result<(Graph, Vec<u64>)> {
    let graph = GraphArgs::of(path).open_graph(global)?;
    let fingerprints = match graph.source() {
        Some(source) => source.fingerprints()?,
        None => None,
    };
    let fingerprints = fingerprints.ok_or_else(|| {
        let problem = "has no fingerprints of pages; name a bundle that 'rank ingest --fingerprints' \
                       made, or a list of fingerprints";
        Error::file(path, problem)
    })?;
    Ok((graph, fingerprints))
}
