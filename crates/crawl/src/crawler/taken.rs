//! The outcome of a job: of a name, of a robots.txt, of the pages of a slot.

use super::robots::Answer;
use super::robots_cache::{Answered, RobotsRequest};
use super::run::Crawl;
use super::task::{InFlight, Visiting};
use super::workers::{Done, Outcome};
use std::time::{Duration, Instant};
use webrank_base::error::Result;

/// The longest wait after failures.
const LONGEST_PENANCE: Duration = Duration::from_secs(60);

impl Crawl {
    /// Takes what has become of a job.
    pub(super) fn take(&mut self, done: Done) -> Result<()> {
        let Some(flight) = self.flights.remove(&done.host) else {
            return Ok(());
        };
        let (host, mut wait) = (done.host, (Duration::ZERO, Duration::ZERO));
        let mut ended = done.ended;
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
            (InFlight::Pages(mut visiting), outcome) => {
                match outcome {
                    Outcome::Slot(asked) => visiting.end = Some((asked, done.took, done.ended)),
                    outcome => self.told(host, &mut visiting, done.page, outcome)?,
                }
                let Some((asked, took, end)) = visiting.end.filter(|it| it.0 <= visiting.told)
                else {
                    // Some are still being read.
                    self.flights.insert(host, InFlight::Pages(visiting));
                    return Ok(());
                };
                // Others were not asked for, and wait as before.
                self.pages_in_flight -= visiting.waiting.len() as u64;
                ended = end;
                if asked > 0 && visiting.is_asked {
                    wait = self.options.patience.after(took, visiting.delay);
                    wait.0 = wait.0.max(visiting.wait);
                }
                if visiting.has_failed {
                    wait.0 = self.penance(host, wait.0);
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
        self.schedule.end(host, done.target, ended, wait, has_more);
        Ok(())
    }

    /// Takes what has become of a page of a slot.
    fn told(
        &mut self,
        host: u64,
        visiting: &mut Visiting,
        page: u64,
        outcome: Outcome,
    ) -> Result<()> {
        let mut waiting = visiting.waiting.iter();
        let Some(place) = waiting.position(|waiting| waiting.number == page) else {
            return Ok(());
        };
        let waiting = visiting.waiting.remove(place);
        visiting.told += 1;
        self.pages_in_flight -= 1;
        visiting.is_asked |= matches!(outcome, Outcome::Page(_));
        match outcome {
            Outcome::Forbidden => {
                self.front.journal.remove(&waiting)?;
                self.front.state.account.forbidden += 1;
                Ok(())
            }
            Outcome::Page(Ok(visit)) => {
                visiting.wait = visiting.wait.max(visit.retry_after.unwrap_or_default());
                self.schedule.succeeded(host);
                self.visited(waiting, visit)
            }
            Outcome::Page(Err(trouble)) => {
                visiting.has_failed |= trouble.may_pass();
                self.missed(waiting, trouble)
            }
            Outcome::Named(_) | Outcome::Robots(_) | Outcome::Slot(_) => Ok(()),
        }
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
