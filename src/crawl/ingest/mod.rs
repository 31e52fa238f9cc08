//! From archives to a graph: pages become nodes named by their URLs, links become arcs.
//!
//! Two passes, in memory that is constant but for 40 bytes a page and the redirects:
//!
//! 1. Records are read in order, pages are parsed by all threads, and their links, as URLs, are put
//!    away on disk. A sieve gives each page once, the first time.
//! 2. Links are read again, redirects are followed, and source and target go to the importer, which
//!    numbers names and sorts arcs on disk as for any list of arcs.
//!
//! * `members`: gzip, member by member;
//! * `records`: the records of a WARC file;
//! * `response`: HTTP in a record;
//! * `wat`: Common Crawl's descriptions of responses;
//! * `mirror`: folders of HTML;
//! * `text`: the encoding of a page;
//! * `links`: what a page links to;
//! * `page`: links as URLs;
//! * `archive`: the first pass over one source;
//! * `spool`: pages on disk, redirects in memory;
//! * `replay`: the second pass;
//! * `counts`: the account;
//! * `fetched`: responses that a crawler has just fetched.

mod archive;
mod counts;
#[cfg(feature = "live")]
mod fetched;
mod links;
mod members;
mod mirror;
mod page;
mod records;
mod replay;
mod response;
mod spool;
mod text;
mod wat;

use self::mirror::Base;
use self::page::{Item, Limits};
use self::replay::{Replay, Rules};
use self::spool::{Crawled, Redirects, SpoolWriter};
use super::sieve::{self, LEAST_MEMORY, Sieve, SieveKind};
use crate::error::{Error, Result};
use crate::graph::bundle::{BundleOptions, Entry, MadeFrom, check_output};
use crate::graph::import::{self, Arcs, Fold, ImportOptions, Report};
use crate::memory::allowed_memory;
use crate::output::TemporaryFolder;
use crate::progress::Progress;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use counts::Counts;
#[cfg(feature = "live")]
pub(in crate::crawl) use fetched::{Led, Reader, is_html};
pub use page::{MAX_LINKS, MAX_URL};

/// What arcs may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// Pages that were fetched
    #[default]
    Crawled,
    /// Also those that are only pointed at
    All,
}

/// What becomes of links that say that they are not to be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Nofollow {
    /// They are arcs as others
    #[default]
    Keep,
    /// They are left out
    Drop,
}

/// How a crawl becomes a graph.
pub struct IngestOptions {
    /// What arcs may lead to.
    pub targets: Targets,
    /// What becomes of links that are not to be followed.
    pub nofollow: Nofollow,
    /// Which sieve finds pages that were there already.
    pub sieve: SieveKind,
    /// Pages are cut at so many bytes.
    pub max_page: u64,
    /// The URL of folders of HTML.
    pub base: String,
    /// Shortens the names of nodes, as to hosts; arcs then have weights, the numbers of links between
    /// two pages.
    pub fold: Option<Fold>,
    /// How arcs become a bundle: the order, the codes, the folder of temporary files.
    pub import: ImportOptions,
}

/// What was made.
#[derive(Debug, Clone, Serialize)]
pub struct Ingested {
    /// The account of the importer.
    pub graph: Report,
    /// What was found in the crawl.
    pub counts: Counts,
    /// What the sieve did.
    pub sieve: sieve::Account,
}

/// A source that was read.
struct Source {
    bytes: u64,
    checksum: u128,
}

/// The largest limit of a page: two pages for each thread are in memory.
pub const LARGEST_PAGE: u64 = 1 << 30;

/// Makes a bundle of WARC and WAT files (`-` is standard input) and of folders of HTML. O(bytes).
///
/// # Errors
/// If a source cannot be read or has no record, if memory is short, and as for [`import::import`].
/// Damage in archives is counted, not an error. Nothing is left behind.
pub fn ingest(
    sources: &[PathBuf],
    options: IngestOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<Ingested> {
    check_output(output, bundle)?;
    let base = Base::new(&options.base)?;
    if !(1..=LARGEST_PAGE).contains(&options.max_page) {
        let remedy = "a page is cut at 1 to 1073741824 bytes";
        return Err(Error::argument("max_page", options.max_page, remedy));
    }
    let has_folder = sources.iter().any(|source| source.is_dir());
    let limits = Limits {
        page: options.max_page as usize,
        nofollow: options.nofollow,
        scheme: has_folder.then(|| base.scheme().to_owned()),
    };
    let temp = match &options.import.temp {
        Some(folder) => folder.clone(),
        None => import::temporary_files_of(output),
    };
    let folder = TemporaryFolder::create(&temp)?;
    let mut first = FirstPass {
        counts: Counts::default(),
        spool: SpoolWriter::create(&folder)?,
        crawled: Crawled::create(&folder)?,
        redirects: Redirects::default(),
        sieve: None,
    };
    let memory = (allowed_memory() / 8).clamp(LEAST_MEMORY, SIEVE_MEMORY);
    first.sieve = Some(sieve::open(
        options.sieve,
        folder.path(),
        memory,
        &mut first.crawled,
    )?);
    progress.begin("read pages", None);
    let mut made_from = MadeFrom::default();
    for source in sources {
        let mut counts = Counts::default();
        let mut sink = |item| first.take(item);
        let read = match source.is_dir() {
            true => archive::read_folder(source, &base, &limits, &mut counts, progress, &mut sink)?,
            false => archive::read(source, &limits, &mut counts, progress, &mut sink)?,
        };
        first.counts.add(&counts);
        let entry = Entry::new((read.bytes, read.checksum));
        made_from
            .sources
            .insert(source.display().to_string(), entry);
    }
    progress.end();
    let (sieve, replay, counts) = first.finish(Rules {
        targets: options.targets,
        base: has_folder.then_some(base),
        fold: options.fold,
    })?;
    let weighted = replay.is_folded();
    let kept = Arc::new(Mutex::new(counts));
    let noted = Arc::new(OnceLock::new());
    let (to_count, to_note) = (Arc::clone(&kept), Arc::clone(&noted));
    let arcs = Arcs {
        weighted,
        numbered: false,
        give: move |to: &mut dyn import::Receiver| {
            let mut counts = to_count.lock().unwrap_or_else(PoisonError::into_inner);
            replay.give(to, &mut counts)?;
            made_from.counts = counts.all();
            // It is noted once: nobody else does.
            let _ = to_note.set(made_from);
            Ok(())
        },
    };
    let graph = import::import_arcs(arcs, &options.import, output, bundle, noted, progress)?;
    let counts = *kept.lock().unwrap_or_else(PoisonError::into_inner);
    drop(folder);
    Ok(Ingested {
        graph,
        counts,
        sieve,
    })
}

/// The most memory that a sieve takes.
const SIEVE_MEMORY: u64 = 64 << 20;

/// What the first pass fills.
struct FirstPass {
    counts: Counts,
    spool: SpoolWriter,
    crawled: Crawled,
    redirects: Redirects,
    sieve: Option<Box<dyn Sieve>>,
}

impl FirstPass {
    fn take(&mut self, item: Item) -> Result<()> {
        match item {
            Item::Page(page) => {
                self.spool.push(&page)?;
                match &mut self.sieve {
                    Some(sieve) => sieve.take(&page.url, &mut self.crawled),
                    None => Ok(()),
                }
            }
            Item::Redirect { from, to } => self.redirects.push(&self.crawled.signer, &from, &to),
            Item::Nothing => Ok(()),
        }
    }

    /// Ends the pass.
    fn finish(mut self, rules: Rules) -> Result<(sieve::Account, Replay, Counts)> {
        let mut account = sieve::Account::default();
        if let Some(mut sieve) = self.sieve.take() {
            sieve.flush(&mut self.crawled)?;
            account = sieve.account();
        }
        let mut counts = self.counts;
        counts.pages = self.crawled.urls.len() as u64;
        counts.pages_again = account.taken - counts.pages;
        let arrivals = self.crawled.arrivals()?;
        let replay = Replay {
            spool: self.spool.finish()?,
            arrivals,
            crawled: self.crawled,
            redirects: self.redirects,
            rules,
        };
        Ok((account, replay, counts))
    }
}
