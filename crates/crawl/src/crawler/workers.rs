//! Threads that fetch, and threads that read what came: channels hand work over. At most as many
//! responses are in memory as there are fetchers.

use super::client::{Client, Ending, Fetched, Head, Trouble, timed};
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
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;
use std::time::{Duration, Instant};
use url::Url;
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;

/// The work of a job.
#[derive(Debug)]
pub(super) enum Task {
    /// Find the addresses of a host.
    Name { host: String, is_trusted: bool },
    /// Fetch a robots.txt.
    Robots { url: String },
    /// Fetch pages of one origin, as far as the rules allow it and a slot goes.
    Pages {
        urls: Vec<(u64, Url)>,
        rules: Arc<Rules>,
    },
}

/// A task, and at which host and address.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) host: u64,
    pub(super) target: Option<Target>,
    pub(super) task: Task,
}

/// The outcome of a job.
#[derive(Debug)]
pub(super) enum Outcome {
    Named(Result<Vec<Target>, Trouble>),
    Robots(Answer),
    /// The rules forbid the page; nothing was asked.
    Forbidden,
    Page(Result<Visit, Trouble>),
    /// So many pages of a slot were asked for; what became of some may be told later.
    Slot(usize),
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
    /// The number of a page.
    pub(super) page: u64,
    pub(super) target: Option<Target>,
    pub(super) outcome: Outcome,
    /// How long the request took, or those of a slot together.
    pub(super) took: Duration,
    pub(super) ended: Instant,
}

impl Done {
    /// The outcome of a page.
    fn page(host: u64, page: u64, target: Target, outcome: Outcome) -> Self {
        Done {
            host,
            page,
            target: Some(target),
            outcome,
            took: Duration::ZERO,
            ended: Instant::now(),
        }
    }
}

/// A response on its way from a fetcher to a parser.
pub(super) struct Came {
    pub(super) host: u64,
    pub(super) page: u64,
    pub(super) target: Target,
    pub(super) url: Url,
    pub(super) fetched: Fetched,
}

/// The ends of the channels.
pub(super) struct Fetchers {
    pub(super) jobs: Sender<Job>,
    pub(super) done: Receiver<Done>,
    /// True once slots must end with the page that they fetch.
    pub(super) is_over: Arc<AtomicBool>,
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
    // Slots may be told of faster than they are noted.
    let (finished, done) = bounded(2 * room);
    let is_over = Arc::<AtomicBool>::default();
    let cannot = |source| Error::io("threads", "cannot start", source);
    for _ in 0..options.fetchers {
        let options = Arc::clone(options);
        let (to_do, came, finished) = (Receiver::clone(&to_do), came.clone(), finished.clone());
        let over = Arc::clone(&is_over);
        let act = move || fetch(&options, &to_do, (&came, &finished), &over);
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
    Ok(Fetchers {
        jobs,
        done,
        is_over,
    })
}

fn fetch(
    options: &CrawlOptions,
    to_do: &Receiver<Job>,
    out: (&Sender<Came>, &Sender<Done>),
    is_over: &AtomicBool,
) {
    let client = Client::new(options);
    for Job { host, target, task } in to_do {
        let (outcome, took, ended) = match (task, target) {
            (Task::Name { host, is_trusted }, _) => {
                let find = || names::find(&host, is_trusted, &options.resolve);
                let (found, took, ended) = timed(find);
                (Outcome::Named(found), took, ended)
            }
            (Task::Robots { url }, Some(target)) => {
                let fetch = || client.fetch((&url, target), MAX_ROBOTS, false, robots::wants);
                let (fetched, took, ended) = timed(fetch);
                (Outcome::Robots(robots::answer(&url, fetched)), took, ended)
            }
            (Task::Pages { urls, rules }, Some(target)) => {
                let slot = Slot {
                    options,
                    host: (host, target),
                    rules: &rules,
                    is_over,
                };
                let visited = match options.patience.slot.is_zero() {
                    true => slot.visit(&client, urls, out),
                    // Its connection ends with it.
                    false => slot.visit(&Client::new(options), urls, out),
                };
                let Some((asked, took, ended)) = visited else {
                    return;
                };
                (Outcome::Slot(asked), took, ended)
            }
            (_, None) => (Outcome::Slot(0), Duration::ZERO, Instant::now()),
        };
        let finished = Done {
            host,
            page: 0,
            target,
            outcome,
            took,
            ended,
        };
        if out.1.send(finished).is_err() {
            return;
        }
    }
}

/// Requests to a host on one connection.
struct Slot<'a> {
    options: &'a CrawlOptions,
    host: (u64, Target),
    rules: &'a Rules,
    is_over: &'a AtomicBool,
}

impl Slot<'_> {
    /// Asks for one page after the other until the slot is used or the connection ends: how many, how long
    /// that took, and when it ended; `None` if nobody listens any more.
    fn visit(
        &self,
        client: &Client,
        urls: Vec<(u64, Url)>,
        (came, done): (&Sender<Came>, &Sender<Done>),
    ) -> Option<(usize, Duration, Instant)> {
        let (host, target) = self.host;
        let begun = Instant::now();
        let (mut asked, mut ended, most) = (0, begun, urls.len());
        for (page, url) in urls {
            asked += 1;
            let finished = |outcome| Done::page(host, page, target, outcome);
            if !self.rules.allows(&url) {
                done.send(finished(Outcome::Forbidden)).ok()?;
                continue;
            }
            let limit = self.options.max_page;
            let fetched = client.fetch((url.as_str(), target), limit, asked < most, wants_page);
            ended = Instant::now();
            let is_kept = fetched.as_ref().is_ok_and(|it| it.is_kept);
            let sent = match fetched {
                Ok(fetched) => came.send(Came {
                    host,
                    page,
                    target,
                    url,
                    fetched,
                }),
                Err(trouble) => {
                    done.send(finished(Outcome::Page(Err(trouble)))).ok()?;
                    break;
                }
            };
            sent.ok()?;
            if !is_kept || ended - begun >= self.options.patience.slot || self.is_over.load(Relaxed)
            {
                break;
            }
        }
        Some((asked, ended - begun, ended))
    }
}

/// True for pages.
fn wants_page(head: &Head) -> bool {
    let content_type = head.field("content-type").map(String::from_utf8_lossy);
    head.status == 200 && content_type.is_none_or(|it| is_html(&it))
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
        let outcome = Outcome::Page(catch_panic(visit).ok_or(Trouble::Reader));
        let finished = Done::page(page.host, page.page, page.target, outcome);
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
    // Responses of status 200 that are no pages are not worth a record.
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

/// The wait by Retry-After in seconds, for statuses that mean it; 0 if it has none.
fn retry_after(fetched: &Fetched) -> Option<Duration> {
    if !matches!(fetched.head.status, 429 | 503) {
        return None;
    }
    let value = fetched.head.field("retry-after").unwrap_or(b"");
    let seconds = std::str::from_utf8(value).ok();
    let seconds = seconds.and_then(|text| text.trim().parse::<u64>().ok());
    Some(Duration::from_secs(seconds.unwrap_or(0).min(LONGEST)))
}
