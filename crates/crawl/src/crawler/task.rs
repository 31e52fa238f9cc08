//! The next step at a host.

use super::client::Trouble;
use super::journal::Waiting;
use super::names::{self, Target};
use super::robots_cache::RobotsRequest;
use super::run::Crawl;
use super::scope;
use super::workers::Task;
use std::time::{Duration, Instant};
use url::Url;
use webrank_base::error::Result;

/// The work under way at a host.
pub(super) enum InFlight {
    Name,
    RobotsRequest(RobotsRequest),
    Pages(Visiting),
}

/// Pages of a host that are asked for in one slot.
pub(super) struct Visiting {
    /// Pages of which nothing was told yet.
    pub(super) waiting: Vec<Waiting>,
    /// The delay that its robots.txt asks for.
    pub(super) delay: Option<Duration>,
    /// How many were told of.
    pub(super) told: usize,
    /// Something was asked for, not only forbidden.
    pub(super) is_asked: bool,
    /// The host wants us to wait so long.
    pub(super) wait: Duration,
    /// The last one brought nothing.
    pub(super) has_failed: bool,
    /// How many were asked for, how long that took, and when it ended.
    pub(super) end: Option<(usize, Duration, Instant)>,
}

/// The most pages of a slot.
const MOST_PAGES: u64 = 256;

/// The next step at a host.
pub(super) enum Step {
    Ask(Task, InFlight),
    /// Something, but not before this time.
    Later(Instant),
    Nothing,
}

impl Crawl {
    /// The next step at a host.
    pub(super) fn task(&mut self, host: u64, target: Option<Target>) -> Result<Step> {
        let Some(target) = target else {
            let name = self.front.journal.name(host)?;
            let is_trusted = self.scope.is_host_of_seed(&name);
            let task = Task::Name {
                host: name,
                is_trusted,
            };
            return Ok(Step::Ask(task, InFlight::Name));
        };
        while let Some(errand) = self.desks.errand(host) {
            if Url::parse(&errand.url).is_ok_and(|url| self.may_ask(&url, target)) {
                return Ok(errand.step());
            }
            self.front.state.account.fail(Trouble::Private.name());
            let waits = self.desks.unreachable(errand);
            self.schedule.wake(waits, Instant::now());
        }
        if let Some(limit) = self.options.budget.host_pages
            && self.front.journal.asked(host)? >= limit
        {
            self.front.state.account.beyond_host += self.front.journal.give_up(host)?;
        }
        while let Some(waiting) = self.front.journal.first(host)? {
            let Ok(url) = Url::parse(&waiting.offer.url) else {
                self.front.journal.remove(&waiting)?;
                self.front.state.account.fail(Trouble::Url.name());
                continue;
            };
            if !self.may_ask(&url, target) {
                self.front.journal.remove(&waiting)?;
                self.front.state.account.fail(Trouble::Private.name());
                continue;
            }
            let origin = scope::origin(&url);
            let Some(rules) = self.desks.rules(&origin, &mut self.front.journal)? else {
                let errand = self.desks.ask(host, origin);
                return Ok(errand.map_or(Step::Nothing, RobotsRequest::step));
            };
            if rules.is_unreachable() {
                self.front.journal.set_aside(&waiting)?;
                self.front.state.account.unknown += 1;
                continue;
            }
            let delay = rules.delay();
            if let Some(time) = self.not_before_of(delay) {
                return Ok(Step::Later(time));
            }
            let mut urls = vec![(waiting.number, url)];
            let mut all = vec![waiting];
            if !self.options.patience.slot.is_zero() && delay.is_none() {
                self.fill_slot(host, target, &mut urls, &mut all)?;
            }
            let visiting = Visiting {
                waiting: all,
                delay,
                told: 0,
                is_asked: false,
                wait: Duration::ZERO,
                has_failed: false,
                end: None,
            };
            return Ok(Step::Ask(
                Task::Pages { urls, rules },
                InFlight::Pages(visiting),
            ));
        }
        Ok(Step::Nothing)
    }

    /// Adds the URLs that follow the first one of a host as long as they are of its origin.
    fn fill_slot(
        &mut self,
        host: u64,
        target: Target,
        urls: &mut Vec<(u64, Url)>,
        all: &mut Vec<Waiting>,
    ) -> Result<()> {
        let mut most = self.pages_left().min(MOST_PAGES);
        if let Some(limit) = self.options.budget.host_pages {
            most = most.min(limit - self.front.journal.asked(host)?.min(limit));
        }
        let origin = scope::origin(&urls[0].1);
        let firsts = self.front.journal.firsts(host, most as usize)?;
        for waiting in firsts.into_iter().skip(1) {
            let url = Url::parse(&waiting.offer.url).ok();
            let url = url.filter(|url| scope::origin(url) == origin && self.may_ask(url, target));
            let Some(url) = url else {
                return Ok(());
            };
            urls.push((waiting.number, url));
            all.push(waiting);
        }
        Ok(())
    }

    /// True unless the URL leads to an address of a local network that the user has not named with this
    /// port: a seed opens one, not all that runs there.
    fn may_ask(&self, url: &Url, target: Target) -> bool {
        let is_given = |host: String| self.options.resolve.has(&host);
        names::is_public(target.address)
            || self.scope.is_of_seed(url)
            || scope::host(url).is_some_and(is_given)
    }

    /// When a host with this delay may be asked, if that is later: the run before may have asked it just
    /// before this one began.
    fn not_before_of(&self, delay: Option<Duration>) -> Option<Instant> {
        let delay = delay?.min(self.options.patience.most);
        let time = self.resumed? + delay;
        (time > Instant::now()).then_some(time)
    }
}

impl RobotsRequest {
    /// The request that it takes.
    fn step(self) -> Step {
        let task = Task::Robots {
            url: self.url.clone(),
        };
        Step::Ask(task, InFlight::RobotsRequest(self))
    }
}
