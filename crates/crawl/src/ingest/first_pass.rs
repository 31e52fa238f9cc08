//! The first pass: pages are put away, redirects are noted, and a sieve says which pages count.

use super::archive::Sink;
use super::checkpoint::{Kept, Place};
use super::copies::{Alike, Copies};
use super::mirror::Base;
use super::page::{Item, Page};
use super::page_spool::{Crawled, SpoolWriter};
use super::replay::{Replay, Rules};
use super::web::{Leads, Web};
use super::{IngestCounts, IngestOptions};
use crate::sieve;
use crate::sieve::{Cached, LEAST_MEMORY};
use webrank_base::error::Result;
use webrank_base::memory::allowed_memory;
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;

/// The most memory that a sieve takes.
const SIEVE_MEMORY: u64 = 64 << 20;

/// The state of the first pass.
pub(super) struct FirstPass {
    /// Counts of sources that were read to their ends.
    pub(super) counts: IngestCounts,
    spool: SpoolWriter,
    crawled: Crawled,
    redirects: Leads,
    sieve: Cached,
    pub(super) kept: Option<Kept>,
}

impl FirstPass {
    /// Begins, or goes on with what was kept.
    pub(super) fn begin(
        options: &IngestOptions,
        folder: &TemporaryFolder,
        kept: Option<Kept>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut crawled = Crawled::create(folder)?;
        let memory = (allowed_memory() / 8).clamp(LEAST_MEMORY, SIEVE_MEMORY);
        let sieve = sieve::open(
            (options.sieve, options.goal),
            folder.path(),
            memory,
            &mut crawled,
        )?;
        let spool = match &kept {
            Some(kept) => kept.pages()?,
            None => {
                let (path, file) = folder.new_file()?;
                SpoolWriter::new(path, file, 0)?
            }
        };
        let counts = kept.as_ref().map(|kept| kept.state.counts);
        let mut first = FirstPass {
            counts: counts.unwrap_or_default(),
            spool,
            crawled,
            redirects: Leads::default(),
            sieve: Cached::new(sieve),
            kept: None,
        };
        if let Some(kept) = kept {
            first.go_on(&kept, progress)?;
            first.kept = Some(kept);
        }
        Ok(first)
    }

    /// Gives the sieve the pages that were put away before.
    fn go_on(&mut self, kept: &Kept, progress: &dyn Progress) -> Result<()> {
        let (spool, mut page) = (kept.spool(), Page::default());
        progress.begin("go on", Some(spool.pages));
        let mut pages = spool.read()?;
        let mut count = 0u64;
        while pages.next(&mut page).map_err(|it| kept.damaged(&it))? {
            self.sieve.take(&page.url, &mut self.crawled)?;
            count += 1;
            if count.is_multiple_of(PAGES) {
                progress.check()?;
                progress.advance(PAGES);
            }
        }
        let signer = &self.crawled.signer;
        kept.redirects(&mut |from, to| self.redirects.push(signer, from, to).map(drop))?;
        progress.end();
        Ok(())
    }

    /// A source was read to its end.
    pub(super) fn end_source(
        &mut self,
        counts: &IngestCounts,
        entry: &webrank_graph::bundle::FileEntry,
    ) -> Result<()> {
        self.counts.add(counts);
        if let Some(kept) = &mut self.kept {
            kept.state.counts = self.counts;
            kept.state.sources.push(entry.clone());
            kept.keep(Place::default(), IngestCounts::default(), &mut self.spool)?;
        }
        Ok(())
    }

    /// Ends the pass.
    pub(super) fn finish(
        mut self,
        options: IngestOptions,
        base: Option<Base>,
        progress: &dyn Progress,
    ) -> Result<(sieve::SieveStats, Replay, IngestCounts, Option<Kept>)> {
        self.sieve.flush(&mut self.crawled)?;
        let account = self.sieve.account();
        let mut counts = self.counts;
        counts.pages = self.crawled.urls.len() as u64;
        counts.pages_again = account.taken - counts.pages;
        drop(self.sieve);
        let spool = self.spool.finish()?;
        let mut web = Web {
            crawled: self.crawled,
            redirects: self.redirects,
            base,
        };
        let merges = match options.merge_duplicates {
            Some(distance) => Some(Alike::Near(distance)),
            None => options.merge_copies.then_some(Alike::Exact),
        };
        let copies = merges.map(|alike| Copies::find(&spool, &mut web, alike, progress));
        let copies = copies.transpose()?.unwrap_or_default();
        let replay = Replay {
            spool,
            web,
            copies,
            rules: Rules {
                targets: options.targets,
                fold: options.fold,
            },
        };
        Ok((account, replay, counts, self.kept))
    }
}

/// Pages between two looks at the clock.
const PAGES: u64 = 1 << 12;

impl Sink for FirstPass {
    fn take(&mut self, item: Item) -> Result<()> {
        match item {
            Item::Page(page) => {
                self.spool.push(&page)?;
                self.sieve.take(&page.url, &mut self.crawled)
            }
            Item::Redirect { from, to } => {
                let signer = &self.crawled.signer;
                match (self.redirects.push(signer, &from, &to)?, &mut self.kept) {
                    (true, Some(kept)) => kept.redirect(&from, &to),
                    _ => Ok(()),
                }
            }
            Item::Nothing => Ok(()),
        }
    }

    fn pause(&mut self, place: Place, counts: &IngestCounts) -> Result<()> {
        match &mut self.kept {
            Some(kept) if kept.is_due() => kept.keep(place, *counts, &mut self.spool),
            _ => Ok(()),
        }
    }
}
