//! The crawl: one thread decides what is asked next, and notes what came.

use super::account::{CrawlStats, Crawled, End};
use super::copies::Known;
use super::frontier::Frontier;
use super::journal::Offer;
use super::options::CrawlOptions;
use super::robots::Answer;
use super::robots_cache::{Answered, RobotsCache, RobotsRequest};
use super::schedule::Schedule;
use super::scope::Scope;
use super::task::{InFlight, Step};
use super::workers::{Done, Fetchers, Job, Outcome};
use crate::sieve::{Cache, Sieve};
use crossbeam_channel::RecvTimeoutError;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::units;

/// The longest wait after failures.
const LONGEST_PENANCE: Duration = Duration::from_secs(60);

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
    flights: HashMap<u64, InFlight>,
    /// Pages among them.
    pages_in_flight: u64,
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
        known: Known,
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
        self.front.offer(seeds, self.sieve.as_mut())?;
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
            if self.flights.is_empty() {
                if end.is_some() || stopped.is_some() {
                    break;
                }
                if self.schedule.next_time().is_none() {
                    if !self.is_held_back {
                        end = Some(End::Over);
                        break;
                    }
                    self.flush()?;
                    continue;
                }
            } else if stopped.is_some_and(|asked| asked.elapsed() > GRACE) {
                break;
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
        format!("{pages} pages, {hosts} hosts, {}", units::megabytes(bytes))
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
        let requests = self.front.state.account.requests + self.pages_in_flight;
        self.flights.len() < self.options.fetchers && requests < self.options.budget.pages
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
        match self.workers.done.recv_timeout(patience) {
            Ok(done) => self.take(done)?,
            Err(RecvTimeoutError::Timeout) => return Ok(false),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::file(
                    "threads",
                    "have ended; the crawl goes on when repeated",
                ));
            }
        }
        // Those that came with it share its commit.
        while let Ok(done) = self.workers.done.try_recv() {
            self.take(done)?;
        }
        Ok(true)
    }

    /// Gives work to fetchers.
    fn start_jobs(&mut self) -> Result<()> {
        while self.has_room()
            && self.used_up(None).is_none()
            && let Some((host, target)) = self.schedule.next(Instant::now())
        {
            match self.task(host, target)? {
                Step::Ask(task, flight) => {
                    self.pages_in_flight += u64::from(matches!(flight, InFlight::Page(..)));
                    self.flights.insert(host, flight);
                    let job = Job { host, target, task };
                    let sent = self.workers.jobs.send(job);
                    sent.map_err(|_| Error::file("threads", "have ended"))?;
                }
                Step::Later(time) => self.schedule.postpone(host, target, time),
                Step::Nothing => self.schedule.idle(host, target),
            }
        }
        Ok(())
    }

    /// Takes what has become of a job.
    fn take(&mut self, done: Done) -> Result<()> {
        let Some(flight) = self.flights.remove(&done.host) else {
            return Ok(());
        };
        let (host, mut wait) = (done.host, (Duration::ZERO, Duration::ZERO));
        match (flight, done.outcome) {
            (InFlight::Name, Outcome::Named(Ok(targets))) => self.schedule.found(host, targets),
            (InFlight::Name, Outcome::Named(Err(trouble))) => {
                self.front.state.account.fail(trouble.name());
                self.schedule.silence(host);
            }
            (InFlight::RobotsRequest(errand), Outcome::Robots(answer)) => {
                self.front.state.account.robots += 1;
                wait = self.options.patience.after(done.took, None);
                match answer {
                    Answer::Unreachable(why) => {
                        self.front.state.account.fail(&format!("robots.txt: {why}"));
                        wait.0 = self.penance(host, wait.0);
                    }
                    _ => self.schedule.succeeded(host),
                }
                self.answered(errand, answer)?;
            }
            (InFlight::Page(waiting, asked), outcome) => {
                self.pages_in_flight -= 1;
                match outcome {
                    Outcome::Forbidden => {
                        self.front.journal.remove(&waiting)?;
                        self.front.state.account.forbidden += 1;
                    }
                    Outcome::Page(Ok(visit)) => {
                        wait = self.options.patience.after(done.took, asked);
                        wait.0 = wait.0.max(visit.retry_after.unwrap_or_default());
                        self.schedule.succeeded(host);
                        self.visited(waiting, visit)?;
                    }
                    Outcome::Page(Err(trouble)) => {
                        wait = self.options.patience.after(done.took, asked);
                        if trouble.may_pass() {
                            wait.0 = self.penance(host, wait.0);
                        }
                        self.missed(waiting, trouble)?;
                    }
                    Outcome::Named(_) | Outcome::Robots(_) => {}
                }
            }
            _ => {}
        }
        if self.schedule.is_silent(host) {
            for errand in self.desks.give_up(host) {
                let waits = self.desks.unreachable(errand);
                self.schedule.wake(waits, Instant::now());
            }
        }
        let has_more = self.desks.has_errands(host) || self.front.journal.first(host)?.is_some();
        self.schedule
            .end(host, done.target, done.ended, wait, has_more);
        Ok(())
    }

    /// The wait after one more failure of a host: twice as long each time.
    fn penance(&mut self, host: u64, wait: Duration) -> Duration {
        let failures = self.schedule.failed(host);
        let longer = wait.saturating_mul(1 << failures.min(16));
        longer.min(LONGEST_PENANCE).max(wait)
    }

    /// Takes an answer to a request for robots.txt.
    fn answered(&mut self, errand: RobotsRequest, answer: Answer) -> Result<()> {
        let front = &mut self.front;
        let waits = match self.desks.answered(errand, answer, &mut front.journal)? {
            Answered::Done(host) | Answered::Again(host) => host,
            Answered::Elsewhere(host, errand) if self.schedule.is_silent(host) => {
                self.desks.unreachable(errand)
            }
            Answered::Elsewhere(host, errand) => {
                self.desks.push(host, errand);
                host
            }
        };
        self.schedule.wake(waits, Instant::now());
        Ok(())
    }
}
