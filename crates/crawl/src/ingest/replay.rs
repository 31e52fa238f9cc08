//! The second pass: links that were put away become arcs.

use super::copies::Copies;
use super::page::Page;
use super::page_spool::{Counted, Spool};
use super::sidecars::PendingSidecars;
use super::web::{End, Web};
use super::{IngestCounts, Targets};
use std::borrow::Cow;
use std::collections::HashSet;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_formats::import::{Fold, Problem, Receiver};

/// Which links become arcs.
pub(super) struct Rules {
    pub(super) targets: Targets,
    pub(super) fold: Option<Fold>,
}

/// Everything that the first pass found.
pub(super) struct Replay {
    pub(super) spool: Spool,
    pub(super) web: Web,
    pub(super) copies: Copies,
    pub(super) rules: Rules,
}

impl Replay {
    /// Names are shortened.
    pub(super) fn is_folded(&self) -> bool {
        self.rules.fold.is_some()
    }

    /// Gives every page and its arcs; what is known beside them waits.
    pub(super) fn give(
        mut self,
        to: &mut dyn Receiver,
        counts: &mut IngestCounts,
        waiting: &mut PendingSidecars,
    ) -> Result<()> {
        match self.copies.are_exact {
            true => counts.pages_copied = self.copies.pages,
            false => counts.pages_merged = self.copies.pages,
        }
        counts.clusters = self.copies.clusters;
        let mut page = Page::default();
        let mut pages = Counted::new(&self.spool, &mut self.web.crawled)?;
        while pages.next(&mut page)? {
            self.page(&page, to, counts, waiting)?;
        }
        Ok(())
    }

    fn page(
        &self,
        page: &Page,
        to: &mut dyn Receiver,
        counts: &mut IngestCounts,
        waiting: &mut PendingSidecars,
    ) -> Result<()> {
        let stands_for_it = self.copies.of(&self.web, &page.url);
        let own = stands_for_it.unwrap_or(&page.url);
        let source = self.node(own, to)?;
        match stands_for_it {
            None => waiting.page(source, page)?,
            Some(other) => waiting.merged(&page.url, other)?,
        }
        // Links that differ may lead to one page: each pair of pages counts once.
        let mut given: HashSet<Cow<str>> = HashSet::new();
        // The nodes that links with texts lead to.
        let mut nodes = vec![
            None;
            if page.said.anchors.is_empty() {
                0
            } else {
                page.links.len()
            }
        ];
        for (place, link) in page.links.iter().enumerate() {
            let Some(target) = self.target(link, counts) else {
                continue;
            };
            let end = match self.copies.of(&self.web, &target) {
                Some(other) => Cow::Borrowed(other),
                None => target.clone(),
            };
            if end == own && target != page.url {
                counts.links_merged += 1;
                continue;
            }
            if nodes.is_empty() && given.contains(&end) {
                continue;
            }
            let node = self.node(&end, to)?;
            if let Some(place) = nodes.get_mut(place) {
                *place = Some(node).filter(|&node| node != source);
            }
            if given.insert(end) {
                to.arc(source, node, 1.0)
                    .map_err(|problem| at(link, problem))?;
            }
        }
        for (place, text) in &page.said.anchors {
            if let Some(Some(target)) = nodes.get(*place as usize) {
                waiting.link(source, *target, text)?;
            }
        }
        Ok(())
    }

    /// The page that a link leads to.
    fn target<'a>(&'a self, link: &'a str, counts: &mut IngestCounts) -> Option<Cow<'a, str>> {
        match self.web.end(link) {
            End::Page(url) => Some(url),
            End::Elsewhere(url) if self.rules.targets == Targets::All => Some(url.into()),
            End::Elsewhere(_) => {
                counts.links_not_crawled += 1;
                None
            }
            End::Circle => {
                counts.links_in_circles += 1;
                None
            }
            End::TooFar => {
                counts.links_too_far += 1;
                None
            }
        }
    }

    fn node(&self, url: &str, to: &mut dyn Receiver) -> Result<Node> {
        let name = match &self.rules.fold {
            Some(fold) => Cow::Owned(fold(url)),
            None => Cow::Borrowed(url),
        };
        to.key(&name).map_err(|problem| at(url, problem))
    }
}

fn at(url: &str, problem: Problem) -> Error {
    match problem {
        Problem::Record(problem) => Error::file(url, problem),
        Problem::Other(problem) => problem,
    }
}
