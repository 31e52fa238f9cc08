//! A small polite crawler, for people without an archive: from seeds to WARC files.
//!
//! One thread decides, others fetch and read. A URL goes this way:
//!
//! 1. The sieve gives each once, and the journal keeps it in the queue of its host, by rank.
//! 2. A host is asked when its time has come, one request at a time, with a wait after each; the same
//!    holds for addresses, which may be those of several hosts. Hosts wait in a heap by their next time.
//! 3. robots.txt is read before the first page. A fetcher asks for the page if the rules allow it; a
//!    parser finds its links, as `rank ingest` does, and makes the record.
//! 4. The record goes to the archive; the page leaves the queue, and its links go to the sieve.
//!
//! After each 4 the journal is made to last: a kill at any moment leaves the state after some number of
//! fetches, records that are not in it are cut off, and what was under way then is asked for again.
//!
//! Memory: 64 MiB for the sieve (`memory` and `bloom` take what they say), 32 MiB for the journal, 64 MiB
//! for the rules of hosts, 300 bytes a host, and for each fetcher three pages and at most 16 MiB of links.
//! URLs wait on disk.
//!
//! * `options`, `scope`: what a crawl may do; `priority`: which URL of a host comes first;
//! * `schedule`: when which host is asked;
//! * `robots_cache`, `robots`: the rules of hosts;
//! * `names`, `trust`, `client`, `workers`: fetching;
//! * `journal`, `front`, `warc`: what lasts;
//! * `run`, `task`, `taken`, `found`: the crawl, what is asked next, and what becomes of a job and of a URL;
//! * `agents`: several processes that divide the hosts;
//! * `copies`: pages that are like others;
//! * `account`: what was done;
//! * `fuzz_entry`: what a response would be, for tests.
//!
//! P. Boldi, A. Marino, M. Santini, S. Vigna, BUbiNG: Massive Crawling for the Masses, TWEB 2018;
//! RFC 9309, Robots Exclusion Protocol; ISO 28500:2017, WARC 1.1.

mod account;
mod agents;
mod client;
mod copies;
mod found;
mod frontier;
pub mod fuzz_entry;
mod journal;
mod names;
mod options;
mod priority;
mod robots;
mod robots_cache;
mod run;
mod schedule;
mod scope;
mod taken;
mod task;
mod tls_roots;
mod warc;
mod workers;

use self::agents::Post;
use self::copies::Known;
use self::frontier::Frontier;
use self::journal::{Journal, LOCK, Offer, State};
use self::run::Crawl;
use self::warc::Archive;
use super::ingest::MAX_URL;
use super::sieve::{self, LEAST_MEMORY, Signer};
use std::path::Path;
use std::sync::Arc;
use url::Url;
use webrank_base::error::{Error, Result};
use webrank_base::memory::allowed_memory;
use webrank_base::progress::Progress;

pub use account::{CrawlStats, Crawled, End};
pub use agents::Team;
pub use copies::{Copies, MOST_BITS};
pub use fuzz_entry::{FuzzTrial, trial};
pub use names::Overrides;
pub use options::{Budget, CrawlOptions, Identity, Patience};
pub use priority::Priority;
pub use scope::Scope;
pub use tls_roots::TlsRoots;

/// The most memory that a sieve takes.
const SIEVE_MEMORY: u64 = 64 << 20;

/// The folder of the state, in that of the archive.
const STATE: &str = "state";

/// The journal, in that of the state.
const JOURNAL: &str = "journal.redb";

/// Crawls from seeds into a folder, which is made, or goes on with the crawl that is there.
///
/// # Errors
/// If a seed is no URL of the web; if the folder holds something else, or a crawl with another sieve,
/// priority, treatment of copies, depth, agents, number of hosts, of pages of a host or of links of a page; if files cannot be written. [`Error::Stopped`] once `progress` says that the user wants to stop: the
/// same call goes on. Servers never cause an error.
pub fn crawl(
    seeds: &[String],
    options: CrawlOptions,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Crawled> {
    options.check()?;
    let mut scope = options.scope.clone();
    let seeds = read_seeds(seeds, &mut scope, &options.priority)?;
    let state_folder = folder.join(STATE);
    make(folder, &state_folder)?;
    let path = state_folder.join(JOURNAL);
    let mut journal = Journal::open(&path)?;
    let kind = format!("{:?}", options.sieve).to_lowercase();
    let before = journal.state()?;
    let is_new = before.is_none();
    let mut state = match before {
        Some(state) if state.sieve != kind => {
            let remedy = format!("the crawl in this folder has --sieve {}", state.sieve);
            return Err(Error::argument("sieve", kind, remedy));
        }
        Some(state) if state.priority != options.priority.to_string() => {
            let remedy = format!("the crawl in this folder has --priority {}", state.priority);
            return Err(Error::argument("priority", &options.priority, remedy));
        }
        Some(state) if state.copies != options.copies.to_string() => {
            let remedy = format!("the crawl in this folder has --copies {}", state.copies);
            return Err(Error::argument("copies", options.copies, remedy));
        }
        Some(state) => {
            options.budget.check(state.limits)?;
            state
        }
        None => State {
            sieve: kind,
            copies: options.copies.to_string(),
            limits: options.budget.limits().map(|(_, limit)| limit),
            keys: Signer::random().keys(),
            priority: options.priority.to_string(),
            ..State::default()
        },
    };
    agents::resume(&mut state, is_new, options.agents.as_ref())?;
    let team = options.agents.as_ref();
    // The scope is still the one that all agents begin with.
    let common = team.map(|team| agents::fingerprint(&options, team, &scope, &seeds));
    for site in journal.joined()? {
        scope.join(&site);
    }
    let software = concat!("webrank/", env!("CARGO_PKG_VERSION"));
    let about = (software, options.identity.header());
    let archive = Archive::open(folder, about, options.warc_size, state.archive)?;
    let digests = Signer::with_keys(state.keys);
    let choice = (options.sieve, options.budget.hosts);
    let mut front = Frontier::new(&path, journal, archive, state, choice);
    let memory = (allowed_memory() / 8).clamp(LEAST_MEMORY, SIEVE_MEMORY);
    let mut sieve = sieve::open(
        (options.sieve, options.goal),
        &sieve_folder(&state_folder)?,
        memory,
        &mut front,
    )?;
    front.restore(sieve.as_mut())?;
    let mut known = Known::new(options.copies);
    front.journal.prints(|print| known.add(print))?;
    let post = team
        .zip(common)
        .map(|(team, common)| Post::start(team, common));
    let post = post.transpose()?;
    let options = Arc::new(options);
    let workers = workers::start(&options, rayon::current_num_threads(), &digests)?;
    progress.begin("crawl", None);
    let crawl = Crawl::new(options, scope, front, sieve, workers, (known, post));
    let crawled = crawl.run(&seeds, folder, progress);
    progress.end();
    crawled
}

/// The seeds as URLs; their hosts belong to the crawl.
fn read_seeds(seeds: &[String], scope: &mut Scope, priority: &Priority) -> Result<Vec<Offer>> {
    let mut offers = Vec::new();
    for seed in seeds {
        let refused = |remedy: &str| {
            let start: String = seed.chars().take(200).collect();
            Error::argument("SEEDS", start, remedy)
        };
        let url = read_seed(seed).map_err(refused)?;
        scope.add(&url);
        offers.push(Offer {
            depth: 0,
            hops: 0,
            rank: priority.rank(url.as_str(), 0, None),
            url: url.into(),
        });
    }
    match offers.is_empty() {
        true => Err(Error::argument(
            "SEEDS",
            "empty",
            "give a URL to begin with",
        )),
        false => Ok(offers),
    }
}

/// A seed as a URL.
///
/// # Errors
/// The form of a seed, if this is none.
pub(crate) fn read_seed(seed: &str) -> Result<Url, &'static str> {
    let url = Url::parse(seed.trim()).ok();
    let url = url.filter(|url| scope::host(url).is_some());
    let mut url = url.ok_or("a seed is a URL such as https://example.org/")?;
    url.set_fragment(None);
    match url.as_str().len() <= MAX_URL {
        true => Ok(url),
        false => Err("a URL has at most 8192 bytes"),
    }
}

/// Makes the folder, or goes on with the crawl in it.
fn make(folder: &Path, state: &Path) -> Result<()> {
    let cannot = |source| Error::io(folder, "cannot create", source);
    if folder.exists() && !state.join(JOURNAL).is_file() {
        // A crawl that was killed as it began leaves a state with a lock, and a journal without its name.
        let holds_only = |folder: &Path, names: &[&str]| -> std::io::Result<bool> {
            let mut entries = folder.read_dir()?;
            entries.try_fold(true, |only, entry| {
                let name = entry?.file_name();
                Ok(only && names.iter().any(|it| name == *it))
            })
        };
        let is_begun = holds_only(folder, &[STATE]).map_err(cannot)?
            && (!state.exists() || holds_only(state, &[LOCK, "journal.new"]).map_err(cannot)?);
        // Another run may have begun meanwhile.
        let is_begun = is_begun || state.join(JOURNAL).is_file();
        if !is_begun {
            let problem = "already exists, and holds no crawl; remove it, or name another folder";
            return Err(Error::file(folder, problem));
        }
    }
    std::fs::create_dir_all(state).map_err(cannot)
}

fn sieve_folder(state: &Path) -> Result<std::path::PathBuf> {
    let folder = state.join("sieve");
    std::fs::create_dir_all(&folder)
        .map_err(|source| Error::io(&folder, "cannot create", source))?;
    Ok(folder)
}

/// The bytes of the files of an archive.
fn size_of_archive(folder: &Path) -> Result<u64> {
    let cannot = |source| Error::io(folder, "cannot read", source);
    let mut bytes = 0;
    for entry in folder.read_dir().map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name();
        if name.to_string_lossy().ends_with(".warc.gz") {
            bytes += entry.metadata().map_err(cannot)?.len();
        }
    }
    Ok(bytes)
}
