//! The fate of a URL that was asked for, and where it leads.

use super::client::{Ending, Trouble};
use super::copies::{Alike, Copies, Print};
use super::journal::{Offer, Waiting};
use super::run::Crawl;
use super::scope;
use super::workers::Visit;
use crate::ingest::Led;
use url::Url;
use webrank_base::error::Result;

/// Redirects one after the other; what comes then is not followed.
const MAX_REDIRECTS: u8 = 10;

/// A URL is asked for so many times at most.
const MAX_TRIES: u8 = 3;

impl Crawl {
    /// A page brought nothing.
    pub(super) fn missed(&mut self, mut waiting: Waiting, trouble: Trouble) -> Result<()> {
        self.front.state.account.requests += 1;
        self.front.journal.count(waiting.host)?;
        waiting.tries += 1;
        if trouble.may_pass() && waiting.tries < MAX_TRIES {
            return self.front.journal.enqueue(&waiting);
        }
        self.front.state.account.fail(trouble.name());
        self.front.journal.remove(&waiting)
    }

    /// A page was fetched.
    pub(super) fn visited(&mut self, mut waiting: Waiting, visit: Visit) -> Result<()> {
        let account = &mut self.front.state.account;
        account.requests += 1;
        account.bytes += visit.bytes;
        self.front.journal.count(waiting.host)?;
        waiting.tries += 1;
        if visit.retry_after.is_some() && waiting.tries < MAX_TRIES {
            return self.front.journal.enqueue(&waiting);
        }
        let account = &mut self.front.state.account;
        match &visit.led {
            Led::Page { .. } => account.pages += 1,
            Led::Redirect(_) => account.redirects += 1,
            Led::Nowhere if visit.status != 200 => account.not_ok += 1,
            Led::Nowhere => account.not_html += 1,
        }
        if let Led::Page { .. } = visit.led {
            account.cut += u64::from(visit.ending == Ending::Length);
            let is_early = matches!(visit.ending, Ending::Time | Ending::Disconnect);
            account.ended_early += u64::from(is_early);
        }
        if !visit.record.is_empty() {
            self.front.archive.push(&visit.record)?;
        }
        self.front.journal.remove(&waiting)?;
        let offers = match visit.led {
            Led::Page {
                links,
                digest,
                fingerprint,
            } => match self.is_like_another((digest, fingerprint))? {
                true => Vec::new(),
                false => self.linked(&waiting.offer, links),
            },
            Led::Redirect(to) => self.redirected(&waiting.offer, to)?,
            Led::Nowhere => Vec::new(),
        };
        let offers = self.route(offers, true)?;
        self.is_held_back |= !offers.is_empty();
        self.front.offer(&offers, self.sieve.as_mut())
    }

    /// True for copies of pages that were fetched before; others are noted.
    fn is_like_another(&mut self, print: Print) -> Result<bool> {
        let account = &mut self.front.state.account;
        match self.known.compare(print) {
            Alike::Exact => account.copies += 1,
            Alike::Near => account.near += 1,
            Alike::No => {
                if self.options.copies != Copies::Follow {
                    self.known.add(print);
                    self.front.journal.note(account.pages, print)?;
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The links of a page that belong to the crawl, and were not offered lately.
    fn linked(&mut self, from: &Offer, links: Vec<String>) -> Vec<Offer> {
        let account = &mut self.front.state.account;
        let (mut offers, mut followed) = (Vec::new(), 0);
        for url in links {
            account.links += 1;
            if !Url::parse(&url).is_ok_and(|url| self.scope.has(&url)) {
                account.outside += 1;
                continue;
            }
            if from.depth >= self.options.budget.depth {
                account.too_deep += 1;
                continue;
            }
            let limit = self.options.budget.links;
            if limit.is_some_and(|limit| followed >= limit) {
                account.beyond_links += 1;
                continue;
            }
            followed += 1;
            account.looked_up += 1;
            if self.recent.meets(&url) {
                account.found += 1;
                continue;
            }
            offers.push(Offer {
                depth: from.depth + 1,
                hops: 0,
                rank: self.options.priority.rank(&url, from.depth + 1, Some(from)),
                url,
            });
        }
        offers
    }

    /// Where a redirect leads, if that belongs to the crawl; where a seed leads does.
    fn redirected(&mut self, from: &Offer, url: String) -> Result<Vec<Offer>> {
        let account = &mut self.front.state.account;
        if from.hops >= MAX_REDIRECTS {
            account.too_many_redirects += 1;
            return Ok(Vec::new());
        }
        let to = Url::parse(&url).ok();
        if !to.as_ref().is_some_and(|to| self.scope.has(to)) {
            let site = to.as_ref().and_then(scope::site);
            let Some(site) = site.filter(|_| from.depth == 0) else {
                account.outside += 1;
                return Ok(Vec::new());
            };
            self.scope.join(&site);
            self.front.journal.join(&site)?;
            self.tell_site(&site)?;
        }
        Ok(vec![Offer {
            depth: from.depth,
            hops: from.hops + 1,
            rank: self.options.priority.rank(&url, from.depth, Some(from)),
            url,
        }])
    }
}
