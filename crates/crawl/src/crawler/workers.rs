//! Threads that fetch, and threads that read what came: channels hand work over. At most as many
//! responses are in memory as there are fetchers.

use super::client::{Client, Ending, Fetched, Trouble, timed};
use super::copies::Copies;
use super::names::{self, Target};
use super::options::CrawlOptions;
use super::robots::{self, Answer, MAX_ROBOTS, Rules};
use super::warc;
use crate::ingest::{Led, Reader, is_html};
use crate::sieve::Signer;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};
use url::Url;
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;

/// What to do.
#[derive(Debug)]
pub(super) enum Task {
    /// Find the addresses of a host.
    Name { host: String, is_trusted: bool },
    /// Fetch a robots.txt.
    Robots { url: String },
    /// Fetch a page, if the rules allow it.
    Page { url: Url, rules: Arc<Rules> },
}

/// A task, and at which host and address.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) host: u64,
    pub(super) target: Option<Target>,
    pub(super) task: Task,
}

/// What became of it.
#[derive(Debug)]
pub(super) enum Outcome {
    Named(Result<Vec<Target>, Trouble>),
    Robots(Answer),
    /// The rules forbid the page; nothing was asked.
    Forbidden,
    Page(Result<Visit, Trouble>),
}

/// A page that was fetched.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) status: u16,
    pub(super) led: Led,
    pub(super) bytes: u64,
    pub(super) ending: Ending,
    /// For the archive.
    pub(super) record: Vec<u8>,
    /// The server wants us to wait.
    pub(super) retry_after: Option<Duration>,
}

/// A job that is done.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) host: u64,
    pub(super) target: Option<Target>,
    pub(super) outcome: Outcome,
    pub(super) took: Duration,
    pub(super) ended: Instant,
}

/// A response on its way from a fetcher to a parser.
pub(super) struct Came {
    pub(super) host: u64,
    pub(super) target: Target,
    pub(super) url: Url,
    pub(super) fetched: Fetched,
    pub(super) took: Duration,
    pub(super) ended: Instant,
}

/// The ends of the channels.
pub(super) struct Fetchers {
    pub(super) jobs: Sender<Job>,
    pub(super) done: Receiver<Done>,
}

/// Starts the threads; they end when the channels are dropped, and what they are doing is done.
pub(super) fn start(
    options: &Arc<CrawlOptions>,
    parsers: usize,
    digests: &Signer,
) -> Result<Fetchers> {
    let room = options.fetchers;
    let (jobs, to_do) = bounded(room);
    let (came, to_read) = bounded(room);
    // Without a limit, but there are never more jobs than fetchers.
    let (finished, done) = crossbeam_channel::unbounded();
    let cannot = |source| Error::io("threads", "cannot start", source);
    for _ in 0..options.fetchers {
        let options = Arc::clone(options);
        let (to_do, came, finished) = (Receiver::clone(&to_do), came.clone(), finished.clone());
        let act = move || fetch(&options, &to_do, &came, &finished);
        Builder::new()
            .name("fetcher".into())
            .spawn(act)
            .map_err(cannot)?;
    }
    for _ in 0..parsers.max(1) {
        let options = Arc::clone(options);
        let (to_read, finished) = (Receiver::clone(&to_read), finished.clone());
        let digests = digests.clone();
        let act = move || read(&options, digests, &to_read, &finished);
        Builder::new()
            .name("parser".into())
            .spawn(act)
            .map_err(cannot)?;
    }
    Ok(Fetchers { jobs, done })
}

fn fetch(options: &CrawlOptions, to_do: &Receiver<Job>, came: &Sender<Came>, done: &Sender<Done>) {
    let client = Client::new(options);
    for Job { host, target, task } in to_do {
        let (outcome, took, ended) = match (task, target) {
            (Task::Name { host, is_trusted }, _) => {
                let find = || names::find(&host, is_trusted, &options.resolve);
                let (found, took, ended) = timed(find);
                (Outcome::Named(found), took, ended)
            }
            (Task::Robots { url }, Some(target)) => {
                let fetch = || client.fetch(&url, target, MAX_ROBOTS, robots::wants);
                let (fetched, took, ended) = timed(fetch);
                (Outcome::Robots(robots::answer(&url, fetched)), took, ended)
            }
            (Task::Page { url, rules }, Some(target)) => {
                if !rules.allows(&url) {
                    (Outcome::Forbidden, Duration::ZERO, Instant::now())
                } else {
                    let wants = |head: &super::client::Head| {
                        let content_type = head.field("content-type").map(String::from_utf8_lossy);
                        head.status == 200 && content_type.is_none_or(|it| is_html(&it))
                    };
                    let fetch = || client.fetch(url.as_str(), target, options.max_page, wants);
                    let (fetched, took, ended) = timed(fetch);
                    match fetched {
                        Ok(fetched) => {
                            let page = Came {
                                host,
                                target,
                                url,
                                fetched,
                                took,
                                ended,
                            };
                            if came.send(page).is_err() {
                                return;
                            }
                            continue;
                        }
                        Err(trouble) => (Outcome::Page(Err(trouble)), took, ended),
                    }
                }
            }
            (_, None) => {
                let outcome = Outcome::Page(Err(Trouble::Name));
                (outcome, Duration::ZERO, Instant::now())
            }
        };
        let finished = Done {
            host,
            target,
            outcome,
            took,
            ended,
        };
        if done.send(finished).is_err() {
            return;
        }
    }
}

fn read(options: &CrawlOptions, digests: Signer, to_read: &Receiver<Came>, done: &Sender<Done>) {
    let reader = Reader::new(
        options.max_page as usize,
        options.nofollow,
        (options.copies != Copies::Follow).then_some(digests),
        matches!(options.copies, Copies::Near(_)),
    );
    let signer = Signer::random();
    for page in to_read {
        let visit = AssertUnwindSafe(|| visit(&reader, &signer, &page));
        let finished = Done {
            host: page.host,
            target: Some(page.target),
            outcome: Outcome::Page(catch_panic(visit).ok_or(Trouble::Reader)),
            took: page.took,
            ended: page.ended,
        };
        if done.send(finished).is_err() {
            return;
        }
    }
}

/// Reads a page, and makes its record.
pub(super) fn visit(reader: &Reader, signer: &Signer, page: &Came) -> Visit {
    let fetched = &page.fetched;
    let url = page.url.as_str();
    let (led, block) = reader.read(url, warc::block(fetched));
    // Of what is no page, only redirects and errors are worth a record.
    let is_worth = led != Led::Nowhere || fetched.head.status != 200;
    let record = match is_worth {
        true => warc::record(signer, url, fetched, &block),
        false => Vec::new(),
    };
    Visit {
        status: fetched.head.status,
        led,
        bytes: fetched.body.len() as u64,
        ending: fetched.ending,
        record,
        retry_after: retry_after(fetched),
    }
}

/// The longest time that a server makes us wait.
const LONGEST: u64 = 600;

/// What Retry-After says, if it does so in seconds, for statuses that mean it.
fn retry_after(fetched: &Fetched) -> Option<Duration> {
    if !matches!(fetched.head.status, 429 | 503) {
        return None;
    }
    let value = fetched.head.field("retry-after").unwrap_or(b"");
    let seconds = std::str::from_utf8(value).ok();
    let seconds = seconds.and_then(|text| text.trim().parse::<u64>().ok());
    Some(Duration::from_secs(seconds.unwrap_or(0).min(LONGEST)))
}
