//! What is asked of a host next.

use super::client::Trouble;
use super::journal::Waiting;
use super::names::Target;
use super::robots_cache::RobotsRequest;
use super::run::Crawl;
use super::scope;
use super::workers::Task;
use std::time::{Duration, Instant};
use url::Url;
use webrank_base::error::Result;

/// What is under way at a host.
pub(super) enum InFlight {
    Name,
    RobotsRequest(RobotsRequest),
    /// With the delay that its robots.txt asks for.
    Page(Waiting, Option<Duration>),
}

/// What to do at a host.
pub(super) enum Step {
    Ask(Task, InFlight),
    /// Something, but not before this time.
    Later(Instant),
    Nothing,
}

impl Crawl {
    /// What to do at a host.
    pub(super) fn task(&mut self, host: u64, target: Option<Target>) -> Result<Step> {
        if target.is_none() {
            let name = self.front.journal.name(host)?;
            let is_trusted = self.scope.is_seed(&name);
            let task = Task::Name {
                host: name,
                is_trusted,
            };
            return Ok(Step::Ask(task, InFlight::Name));
        }
        if let Some(errand) = self.desks.errand(host) {
            return Ok(errand.step());
        }
        while let Some(waiting) = self.front.journal.first(host)? {
            let Ok(url) = Url::parse(&waiting.offer.url) else {
                self.front.journal.remove(&waiting)?;
                self.front.state.account.fail(Trouble::Url.name());
                continue;
            };
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
            return Ok(Step::Ask(
                Task::Page { url, rules },
                InFlight::Page(waiting, delay),
            ));
        }
        Ok(Step::Nothing)
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
