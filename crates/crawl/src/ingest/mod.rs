//! From archives to a graph: pages become nodes named by their URLs, links become arcs.
//!
//! Two passes, in memory that is constant but for 40 bytes a page and the redirects:
//!
//! 1. Records are read in order, pages are parsed by all threads, and their links, as URLs, are put
//!    away on disk, with fingerprints and texts. A sieve gives each page once, the first time.
//! 2. Links are read again, redirects are followed, and source and target go to the importer, which
//!    numbers names and sorts arcs on disk as for any list of arcs. Texts are sorted on disk, too.
//!
//! Between the two, pages that are the same, or nearly so, become one. The first pass can be kept in a folder,
//! and goes on there after a kill.
//!
//! * `members`: gzip, member by member;
//! * `records`: the records of a WARC file;
//! * `response`: HTTP in a record;
//! * `wat`: Common Crawl's descriptions of responses;
//! * `mirror`: folders of HTML;
//! * `text`: the encoding of a page;
//! * `links`: what a page links to; `shown`: what it says;
//! * `page`: links as URLs;
//! * `archive`: one source;
//! * `first_pass`: all sources; `kept`: the same after a kill;
//! * `page_spool`: pages on disk; `web`: redirects in memory;
//! * `copies`: pages that are the same, or nearly so;
//! * `replay`: the second pass;
//! * `sidecars`: fingerprints and texts, from there to the bundle;
//! * `counts`: the account;
//! * `fetched`: responses that a crawler has just fetched.

mod archive;
mod checkpoint;
mod copies;
mod counts;
mod fetched;
mod first_pass;
mod links;
mod members;
mod mirror;
mod page;
mod page_spool;
mod records;
mod replay;
mod response;
mod shown;
mod sidecars;
mod text;
mod wat;
mod web;

use self::checkpoint::{Command, Kept};
use self::first_pass::FirstPass;
use self::mirror::Base;
use self::page::Limits;
use self::sidecars::{Parts, PendingSidecars};
use super::near::{MAX_DISTANCE, Signals, chance};
use super::sieve::{self, BloomGoal, SieveKind, Signer};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use webrank_base::error::{Error, Result};
use webrank_base::memory::{admit, allowed_memory};
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;
use webrank_formats::import;
use webrank_formats::import::{Fold, GivenArcs, ImportOptions, ImportReport};
use webrank_graph::bundle::{BundleOptions, FileEntry, MadeFrom, check_output};

pub use checkpoint::IngestCheckpoint;
pub use counts::IngestCounts;
pub(crate) use fetched::{Led, Reader, is_html};
pub use page::{MAX_LINKS, MAX_URL};
pub(crate) use text::encoded;

/// What arcs may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// Pages that were fetched
    #[default]
    Crawled,
    /// Also those that are only pointed at
    All,
}

/// What becomes of links that say that they are not to be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, clap::ValueEnum)]
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
    /// The targets of arcs.
    pub targets: Targets,
    /// The treatment of links that are not to be followed.
    pub nofollow: Nofollow,
    /// Which sieve finds pages that were there already.
    pub sieve: SieveKind,
    /// How many pages a Bloom filter is made for, and how many it may lose.
    pub goal: Option<BloomGoal>,
    /// Pages are cut at so many bytes.
    pub max_page: u64,
    /// The URL of folders of HTML.
    pub base: String,
    /// Shortens the names of nodes, as to hosts; arcs then have weights, the numbers of links between
    /// two pages.
    pub fold: Option<Fold>,
    /// Fingerprints of the texts of pages go into the bundle.
    pub fingerprints: bool,
    /// The signals of fingerprints.
    pub signals: Signals,
    /// Pages whose fingerprints differ in so many bits at most become one node.
    pub merge_duplicates: Option<u32>,
    /// Pages with the same bytes become one node.
    pub merge_copies: bool,
    /// Titles, texts, and the texts of links go into the bundle.
    pub text: bool,
    /// Where the state of the first pass is kept.
    pub checkpoint: Option<IngestCheckpoint>,
    /// How arcs become a bundle: the order, the codes, the folder of temporary files.
    pub import: ImportOptions,
}

/// The accounts of a graph that was made.
#[derive(Debug, Clone, Serialize)]
pub struct Ingested {
    /// The account of the importer.
    pub graph: ImportReport,
    /// The counts of the crawl.
    pub counts: IngestCounts,
    /// The account of the sieve.
    pub sieve: sieve::SieveStats,
}

/// The wanted parts of a page beside its links.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wants {
    fingerprints: bool,
    signals: Signals,
    digests: bool,
    text: bool,
}

/// A source that was read.
struct Source {
    bytes: u64,
    checksum: u128,
}

/// Pages are merged if of two that have nothing in common no more than this share is near by chance.
const MOST_CHANCE: f64 = 1e-5;

/// The largest limit of a page: two pages for each thread are in memory.
pub const LARGEST_PAGE: u64 = 1 << 30;

impl IngestOptions {
    fn check(&self) -> Result<()> {
        if !(1..=LARGEST_PAGE).contains(&self.max_page) {
            let remedy = "a page is cut at 1 to 1073741824 bytes";
            return Err(Error::argument("max_page", self.max_page, remedy));
        }
        if let Some(distance) = self.merge_duplicates
            && distance > MAX_DISTANCE
        {
            let remedy = format!("it must be at most {MAX_DISTANCE}");
            return Err(Error::argument("distance", distance, remedy));
        }
        let Signals { unit, bits, .. } = self.signals;
        if !(8..=64).contains(&bits) {
            let remedy = "a fingerprint has 8 to 64 bits";
            return Err(Error::argument("bits", bits, remedy));
        }
        if let Some(distance) = self.merge_duplicates
            && chance(bits, distance) > MOST_CHANCE
        {
            let remedy = format!(
                "of 100000 pairs of pages that have nothing in common, more than one would be near \
                 with --bits {bits}; give fewer, or more bits"
            );
            return Err(Error::argument("distance", distance, remedy));
        }
        let usual = Signals::default();
        if self.signals != usual && !self.has_fingerprints() {
            let remedy = "it is for --fingerprints and --merge-duplicates: give one of them";
            return Err(match (unit != usual.unit, bits != usual.bits) {
                (true, _) => Error::argument("signals", unit, remedy),
                (_, true) => Error::argument("bits", bits, remedy),
                _ => Error::argument("weights", self.signals.weights, remedy),
            });
        }
        if self.merge_copies && self.merge_duplicates.is_some() {
            return Err(Error::Combination {
                one: "merge_copies",
                other: "merge_duplicates",
            });
        }
        let of_pages = self.has_fingerprints() || self.merge_copies || self.text;
        if of_pages && self.fold.is_some() {
            let remedy = "nodes that are hosts or domains have no fingerprints and texts of pages";
            return Err(Error::argument("fold", "given", remedy));
        }
        Ok(())
    }

    fn has_fingerprints(&self) -> bool {
        self.fingerprints || self.merge_duplicates.is_some()
    }

    fn wants(&self) -> Wants {
        Wants {
            fingerprints: self.has_fingerprints(),
            signals: self.signals,
            digests: self.merge_copies,
            text: self.text,
        }
    }

    fn parts(&self) -> Parts {
        Parts {
            fingerprints: self.fingerprints,
            texts: self.text,
            merged: self.merge_copies || self.merge_duplicates.is_some(),
        }
    }

    /// The parameters of the first pass over these sources.
    fn command(&self, sources: &[PathBuf]) -> Command {
        let names = sources.iter().map(|source| source.display().to_string());
        Command {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sources: names.collect(),
            max_page: self.max_page,
            base: self.base.clone(),
            drops_nofollow: self.nofollow == Nofollow::Drop,
            wants: self.wants(),
        }
    }
}

/// Makes a bundle of WARC and WAT files (`-` is standard input) and of folders of HTML. O(bytes).
///
/// # Errors
/// If a source cannot be read or has no record, if memory is short, if the checkpoint cannot be used, and
/// as for [`import::import`]. Damage in archives is counted, not an error. Nothing is left behind but the
/// checkpoint.
pub fn ingest(
    sources: &[PathBuf],
    options: IngestOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<Ingested> {
    check_output(output, bundle)?;
    admit("ingest", import::least_memory(), allowed_memory())?;
    let base = Base::new(&options.base)?;
    options.check()?;
    let has_folder = sources.iter().any(|source| source.is_dir());
    let temp = match &options.import.temp {
        Some(folder) => folder.clone(),
        None => webrank_graph::arcs::temporary_files_of(output),
    };
    let folder = TemporaryFolder::create(&temp)?;
    let kept = options.checkpoint.as_ref();
    let kept = kept.map(|checkpoint| Kept::open(checkpoint, options.command(sources)));
    let kept = kept.transpose()?;
    let keys = kept.as_ref().map(|kept| kept.state.keys);
    let limits = Limits {
        page: options.max_page as usize,
        nofollow: options.nofollow,
        wants: options.wants(),
        signer: options
            .merge_copies
            .then(|| keys.map_or_else(Signer::random, Signer::with_keys)),
        scheme: has_folder.then(|| base.scheme().to_owned()),
    };
    let mut first = FirstPass::begin(&options, &folder, kept, progress)?;
    let mut made_from = MadeFrom {
        fingerprints: options.fingerprints.then(|| options.signals.record()),
        ..MadeFrom::default()
    };
    progress.begin("read pages", None);
    for (number, source) in sources.iter().enumerate() {
        let entry = read(number, source, &mut first, (&base, &limits), progress)?;
        made_from
            .sources
            .insert(source.display().to_string(), entry);
    }
    progress.end();
    if first.counts.records == 0
        && let Some(source) = sources.first()
    {
        let problem = "holds nothing, and no other source does: give WARC, WAT or ARC files, or \
                       folders of HTML";
        return Err(Error::file(source, problem));
    }
    let (parts, import) = (options.parts(), options.import.clone());
    let base = has_folder.then_some(base);
    let (sieve, replay, counts, kept) = first.finish(options, base, progress)?;
    let weighted = replay.is_folded();
    let shared = Arc::new(Mutex::new((
        counts,
        Some(PendingSidecars::new(parts, &folder)?),
    )));
    let noted = Arc::new(OnceLock::new());
    let (to_fill, to_note) = (Arc::clone(&shared), Arc::clone(&noted));
    let arcs = GivenArcs {
        weighted,
        numbered: false,
        give: move |to: &mut dyn import::Receiver| {
            let mut shared = to_fill.lock().unwrap_or_else(PoisonError::into_inner);
            let (counts, waiting) = &mut *shared;
            if let Some(waiting) = waiting {
                replay.give(to, counts, waiting)?;
            }
            made_from.counts = counts.all();
            // It is noted once: nobody else does.
            let _ = to_note.set(made_from);
            Ok(())
        },
    };
    let to_write = Arc::clone(&shared);
    let beside = Box::new(move |numbered: import::Numbered| {
        let mut shared = to_write.lock().unwrap_or_else(PoisonError::into_inner);
        match shared.1.take() {
            Some(waiting) => waiting.write(numbered),
            None => Ok(()),
        }
    });
    let with = (noted, Some(beside as import::Sidecars));
    let graph = import::import_arcs(arcs, &import, output, bundle, with, progress)?;
    let counts = shared.lock().unwrap_or_else(PoisonError::into_inner).0;
    drop(folder);
    kept.map_or(Ok(()), Kept::finish)?;
    Ok(Ingested {
        graph,
        counts,
        sieve,
    })
}

/// Reads a source, or what is left of it.
fn read(
    number: usize,
    source: &Path,
    first: &mut FirstPass,
    (base, limits): (&Base, &Limits),
    progress: &dyn Progress,
) -> Result<FileEntry> {
    let state = first.kept.as_ref().map(|kept| &kept.state);
    if let Some(entry) = state.and_then(|state| state.sources.get(number)) {
        return Ok(entry.clone());
    }
    let begun = state.filter(|state| state.sources.len() == number);
    let (place, mut counts) = begun
        .map(|state| (state.place, state.of_source))
        .unwrap_or_default();
    let read = match source.is_dir() {
        true => archive::read_folder(source, base, limits, &mut counts, place, progress, first)?,
        false => archive::read(source, limits, &mut counts, place, progress, first)?,
    };
    let entry = FileEntry::new((read.bytes, read.checksum));
    first.end_source(&counts, &entry)?;
    Ok(entry)
}
