//! The crawl: one thread decides what is asked next, and notes what came.

use super::account::{CrawlStats, Crawled, End};
use super::agents::Post;
use super::copies::Known;
use super::frontier::Frontier;
use super::journal::Offer;
use super::options::CrawlOptions;
use super::robots_cache::RobotsCache;
use super::schedule::Schedule;
use super::scope::Scope;
use super::task::{InFlight, Step};
use super::workers::{Done, Fetchers, Job, Outcome};
use crate::sieve::{Cache, Sieve};
use crossbeam_channel::{never, select};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::units::{self, counted};

/// How often the user is looked after.
const TICK: Duration = Duration::from_millis(100);

/// How long a run that was asked to stop waits for what is under way.
const GRACE: Duration = Duration::from_secs(5);

pub(super) struct Crawl {
    pub(super) options: Arc<CrawlOptions>,
    pub(super) scope: Scope,
    pub(super) front: Frontier,
    pub(super) sieve: Box<dyn Sieve>,
    pub(super) workers: Fetchers,
    pub(super) schedule: Schedule,
    pub(super) desks: RobotsCache,
    pub(super) recent: Cache,
    pub(super) known: Known,
    /// The other agents, if there are any.
    pub(super) post: Option<Post>,
    pub(super) flights: HashMap<u64, InFlight>,
    /// Pages among them.
    pub(super) pages_in_flight: u64,
    /// Hosts are not asked before.
    not_before: Instant,
    /// When this run began, if there was one before.
    pub(super) resumed: Option<Instant>,
    /// URLs were offered since the sieve was flushed.
    pub(super) is_held_back: bool,
    /// When the sieve was flushed, and how long that took.
    flushed: (Instant, Duration),
}

impl Crawl {
    pub(super) fn new(
        options: Arc<CrawlOptions>,
        scope: Scope,
        front: Frontier,
        sieve: Box<dyn Sieve>,
        workers: Fetchers,
        (known, post): (Known, Option<Post>),
    ) -> Self {
        Crawl {
            desks: RobotsCache::new(options.identity.token()),
            options,
            scope,
            front,
            sieve,
            workers,
            schedule: Schedule::default(),
            recent: Cache::new(),
            known,
            post,
            flights: HashMap::new(),
            pages_in_flight: 0,
            not_before: Instant::now(),
            resumed: None,
            is_held_back: true,
            flushed: (Instant::now(), Duration::ZERO),
        }
    }

    /// Goes on until the crawl is over, a budget is used up, or the user asks to stop.
    pub(super) fn run(
        mut self,
        seeds: &[Offer],
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Crawled> {
        let begun = Instant::now();
        let account = &self.front.state.account;
        let is_resumed = account.requests + account.robots > 0;
        if is_resumed {
            // Whoever was asked last was asked before this.
            let patience = &self.options.patience;
            self.not_before = begun + patience.host.max(patience.address);
            self.resumed = Some(begun);
        }
        self.front.journal.take_up()?;
        self.front.state.account.unknown = 0;
        for host in self.front.journal.hosts()? {
            self.schedule.wake(host, self.not_before);
        }
        self.send_again()?;
        let seeds = self.route(seeds.to_vec(), false)?;
        self.front.offer(&seeds, self.sieve.as_mut())?;
        self.front.commit()?;
        // None if that is beyond all time.
        let deadline = self
            .options
            .budget
            .time
            .and_then(|time| begun.checked_add(time));
        let (mut end, mut stopped) = (None, None::<Instant>);
        let mut told = begun;
        loop {
            self.wake_fresh();
            if stopped.is_none() && progress.interrupted() {
                stopped = Some(Instant::now());
            }
            end = end.or_else(|| self.used_up(deadline));
            if end.is_none() && stopped.is_none() {
                self.start_jobs()?;
            }
            // Slots end, too.
            let is_ending = end.is_some() || stopped.is_some();
            self.workers.is_over.store(is_ending, Relaxed);
            if stopped.is_some_and(|asked| self.flights.is_empty() || asked.elapsed() > GRACE) {
                break;
            }
            let is_idle =
                self.flights.is_empty() && (end.is_some() || self.schedule.next_time().is_none());
            if is_idle && self.is_held_back && self.may_flush() {
                self.flush()?;
                continue;
            }
            if self.is_over(is_idle && !self.is_held_back)? {
                end = end.or(Some(End::Over));
                if self.flights.is_empty() {
                    break;
                }
            }
            if self.is_worth_a_flush() {
                self.flush()?;
                continue;
            }
            let is_changed = self.wait(end.is_none() && stopped.is_none())?;
            if is_changed {
                self.front.commit()?;
            }
            if told.elapsed() >= TICK {
                told = Instant::now();
                progress.remark(&self.remark());
            }
        }
        self.flush()?;
        self.front.commit()?;
        if let (Some(post), None) = (&mut self.post, stopped) {
            post.close();
        }
        let (Some(end), None) = (end, stopped) else {
            return Err(Error::Stopped {
                path: folder.to_owned(),
            });
        };
        let waiting = self.front.journal.waiting()?;
        let mut account = self.front.state.account.clone();
        account.archived = super::size_of_archive(folder)?;
        Ok(Crawled {
            account,
            end,
            waiting,
            silent: self.schedule.silent(),
        })
    }

    fn remark(&self) -> String {
        let CrawlStats {
            pages,
            hosts,
            bytes,
            ..
        } = self.front.state.account;
        let (pages, hosts) = (counted(pages, "page"), counted(hosts, "host"));
        format!("{pages}, {hosts}, {}", units::megabytes(bytes))
    }

    /// The budget that is used up.
    fn used_up(&self, deadline: Option<Instant>) -> Option<End> {
        let (budget, account) = (&self.options.budget, &self.front.state.account);
        if account.requests >= budget.pages {
            return Some(End::Pages);
        }
        if account.bytes >= budget.bytes {
            return Some(End::Bytes);
        }
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(End::Time)
    }

    fn wake_fresh(&mut self) {
        let not_before = self.not_before.max(Instant::now());
        for host in std::mem::take(&mut self.front.fresh) {
            self.schedule.wake(host, not_before);
        }
    }

    /// True if flushes of the sieve take a tenth of the time at most, or if nothing else can come.
    fn may_flush(&self) -> bool {
        let (flushed, took) = self.flushed;
        self.post.is_none() || flushed.elapsed() >= 10 * took
    }

    /// True if fetchers have nothing to do, and flushes of the sieve take a tenth of the time at most.
    fn is_worth_a_flush(&self) -> bool {
        let (flushed, took) = self.flushed;
        let is_waiting = self
            .schedule
            .next_time()
            .is_none_or(|next| next > Instant::now());
        self.is_held_back
            && is_waiting
            && self.flights.len() < self.options.fetchers
            && flushed.elapsed() >= 10 * took
    }

    fn flush(&mut self) -> Result<()> {
        let begun = Instant::now();
        self.front.flush(self.sieve.as_mut())?;
        self.is_held_back = false;
        self.flushed = (Instant::now(), begun.elapsed());
        Ok(())
    }

    /// True if one more job may start.
    fn has_room(&self) -> bool {
        self.flights.len() < self.options.fetchers && self.pages_left() > 0
    }

    /// How many more pages may be asked for.
    pub(super) fn pages_left(&self) -> u64 {
        let requests = self.front.state.account.requests + self.pages_in_flight;
        self.options.budget.pages.saturating_sub(requests)
    }

    /// Takes what is done, or waits for it, or until the next host may be asked if jobs `may_start`; true
    /// if there was something.
    fn wait(&mut self, may_start: bool) -> Result<bool> {
        let mut patience = TICK;
        if may_start
            && self.has_room()
            && let Some(next) = self.schedule.next_time()
        {
            patience = patience.min(next.saturating_duration_since(Instant::now()));
        }
        let silence = never();
        let inbox = self.post.as_ref().map_or(&silence, |post| &post.inbox);
        let came = select! {
            recv(self.workers.done) -> done => Ok(done.map_err(|_| ended())?),
            recv(inbox) -> event => Err(event.map_err(|_| ended())?),
            default(patience) => return Ok(false),
        };
        let mut is_changed = match came {
            Ok(done) => self.noted(done)?,
            Err(event) => self.hear(event)?,
        };
        // Jobs that came with it share its commit.
        while let Ok(done) = self.workers.done.try_recv() {
            is_changed |= self.noted(done)?;
        }
        Ok(is_changed)
    }

    /// Takes what is done; true if that is to last.
    fn noted(&mut self, done: Done) -> Result<bool> {
        let is_changed = !matches!(done.outcome, Outcome::Slot(_));
        self.take(done)?;
        Ok(is_changed)
    }

    /// Gives work to fetchers.
    fn start_jobs(&mut self) -> Result<()> {
        while self.has_room()
            && self.used_up(None).is_none()
            && let Some((host, target)) = self.schedule.next(Instant::now())
        {
            match self.task(host, target)? {
                Step::Ask(task, flight) => {
                    if let InFlight::Pages(visiting) = &flight {
                        self.pages_in_flight += visiting.waiting.len() as u64;
                    }
                    self.flights.insert(host, flight);
                    let job = Job { host, target, task };
                    let sent = self.workers.jobs.send(job);
                    sent.map_err(|_| ended())?;
                }
                Step::Later(time) => self.schedule.postpone(host, target, time),
                Step::Nothing => self.schedule.idle(host, target),
            }
        }
        Ok(())
    }
}

/// Threads never end by themselves.
fn ended() -> Error {
    Error::file("threads", "have ended; the crawl goes on when repeated")
}
