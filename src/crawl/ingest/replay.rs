//! The second pass: links that were put away become arcs.

use super::mirror::Base;
use super::page::Page;
use super::spool::{Arrivals, Crawled, Redirects, Spool};
use super::{Counts, Targets};
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::import::{Fold, Problem, Receiver};
use std::borrow::Cow;
use std::collections::HashSet;

/// Which links become arcs.
pub(super) struct Rules {
    pub(super) targets: Targets,
    /// Where folders of HTML are, if there are any.
    pub(super) base: Option<Base>,
    pub(super) fold: Option<Fold>,
}

/// Everything that the first pass found.
pub(super) struct Replay {
    pub(super) spool: Spool,
    pub(super) arrivals: Arrivals,
    pub(super) crawled: Crawled,
    pub(super) redirects: Redirects,
    pub(super) rules: Rules,
}

impl Replay {
    /// Names are shortened.
    pub(super) fn is_folded(&self) -> bool {
        self.rules.fold.is_some()
    }

    /// Gives every page and its arcs.
    pub(super) fn give(mut self, to: &mut dyn Receiver, counts: &mut Counts) -> Result<()> {
        let mut page = Page {
            url: String::new(),
            links: Vec::new(),
        };
        let mut arrival = 0;
        let mut next = self.arrivals.next()?;
        while self.spool.next(&mut page)? {
            if next == Some(arrival) {
                next = self.arrivals.next()?;
                self.page(&page, to, counts)?;
            }
            arrival += 1;
        }
        Ok(())
    }

    fn page(&self, page: &Page, to: &mut dyn Receiver, counts: &mut Counts) -> Result<()> {
        let source = self.node(&page.url, to)?;
        // Links that differ may lead to one page: each pair of pages counts once.
        let mut given = HashSet::new();
        for link in &page.links {
            let Some(target) = self.target(link, counts) else {
                continue;
            };
            if given.contains(&*target) {
                continue;
            }
            let node = self.node(&target, to)?;
            to.arc(source, node, 1.0)
                .map_err(|problem| at(&target, problem))?;
            given.insert(target);
        }
        Ok(())
    }

    /// The page that a link leads to.
    fn target<'a>(&'a self, link: &'a str, counts: &mut Counts) -> Option<Cow<'a, str>> {
        let Some(url) = self.redirects.follow(&self.crawled, link) else {
            counts.links_in_circles += 1;
            return None;
        };
        if self.crawled.has(url) {
            return Some(url.into());
        }
        let names = self.rules.base.as_ref().map(|base| base.names_of(url));
        let mut names = names.unwrap_or_default().into_iter();
        if let Some(name) = names.find(|name| self.crawled.has(name)) {
            return Some(name.into());
        }
        if self.rules.targets == Targets::All {
            return Some(url.into());
        }
        counts.links_not_crawled += 1;
        None
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
