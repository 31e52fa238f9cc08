//! Several agents: processes that divide the hosts of one crawl.
//!
//! A host belongs to the agent that consistent hashing gives it. A URL of another agent's host goes into the
//! outbox in the journal, in the transaction that notes the page it was found on, with a number of its own for
//! that agent; it is sent once it is there for good, in order, again after each interruption. The receiver
//! takes number n if it has all below n, drops those that it has, and acknowledges what its own journal
//! holds. So each URL arrives exactly once, whoever is killed when, and its host's agent asks for it once.
//!
//! The crawl is over when nobody has work and no message is on its way; `waves` finds that out.
//!
//! An agent that is lost for good can be given up: the placement without it leaves all other hosts where they
//! are, and the outboxes still hold all that was found for it, which goes to those who have its hosts now.
//!
//! * `frames`: what goes over a connection; `lines`: connections that come back;
//! * `post`: outbox, acknowledgements, and what others tell; `waves`: the end.
//!
//! P. Boldi, B. Codenotti, M. Santini, S. Vigna, UbiCrawler: a scalable fully distributed web crawler, 2004.

mod frames;
mod lines;
mod post;
mod waves;

pub(super) use post::Post;

use super::journal::{Exchanged, Offer, State};
use super::options::CrawlOptions;
use super::scope::{self, Scope};
use crate::placement::{Agent, Agents, ConsistentHashing, Placement, key};
use std::collections::BTreeSet;
use std::time::Duration;
use url::Url;
use webrank_base::error::{Error, Result};
use webrank_cluster::network::{Hosts, Secret};
use xxhash_rust::xxh3::xxh3_128;

/// The agents of a crawl, and which of them this process is.
#[derive(Debug, Clone)]
pub struct Team {
    /// Where they are, and which one this is. A weight of 2 stands for twice as many hosts.
    pub hosts: Hosts,
    /// The secret that they share.
    pub secret: Secret,
    /// Agents that are given up: others have their hosts from now on.
    pub without: BTreeSet<usize>,
    /// How long another agent may be away when nothing else is left to do.
    pub patience: Duration,
}

/// More agents are refused: each is connected with all.
const MOST_AGENTS: usize = 1000;

impl Team {
    pub(super) fn check(&self) -> Result<()> {
        let (count, me) = (self.hosts.count(), self.hosts.me());
        if count > MOST_AGENTS {
            let remedy = format!("at most {MOST_AGENTS} of them crawl together");
            return Err(Error::argument("agents", count, remedy));
        }
        for &number in &self.without {
            if number >= count {
                let remedy = format!("agents are numbered from 0 to {}", count - 1);
                return Err(Error::argument("without", number, remedy));
            }
            if number == me {
                let remedy = "it is this one; others go on without it";
                return Err(Error::argument("without", number, remedy));
            }
        }
        Ok(())
    }

    /// Which agent of which ones this is, as the journal has it.
    fn name(&self) -> String {
        let weights = self.hosts.weights();
        let weights: Vec<String> = weights.iter().map(u32::to_string).collect();
        let (me, count) = (self.hosts.me(), self.hosts.count());
        format!("agent {me} of {count}, weights {}", weights.join(" "))
    }

    /// The agents that are not given up.
    fn placement(&self) -> Result<ConsistentHashing> {
        let agents = (0u32..).zip(self.hosts.weights());
        let agents = agents.filter(|(number, _)| !self.without.contains(&(*number as usize)));
        let agents = agents.map(|(number, weight)| Agent { number, weight });
        ConsistentHashing::new(&Agents::new(agents)?)
    }

    /// The error of an agent.
    fn problem(&self, number: usize, problem: &str) -> Error {
        let place = format!("agent {number} ({})", self.hosts.address(number));
        Error::file(place, problem)
    }
}

/// The agent of a URL; none if it has no host.
fn owner(placement: &ConsistentHashing, url: &str) -> Option<usize> {
    let host = Url::parse(url).ok().as_ref().and_then(scope::host)?;
    Some(placement.agent_of(key(&host)) as usize)
}

/// Compares the agents with those of the crawl that goes on, and notes those that are given up.
pub(super) fn resume(state: &mut State, is_new: bool, team: Option<&Team>) -> Result<()> {
    let name = team.map_or(String::new(), Team::name);
    if !is_new && state.agents != name {
        let told = |name: &str| match name {
            "" => "a process alone".to_owned(),
            name => name.to_owned(),
        };
        let remedy = format!(
            "the crawl in this folder is that of {}",
            told(&state.agents)
        );
        return Err(Error::argument("agents", told(&name), remedy));
    }
    state.agents = name;
    let Some(team) = team else {
        return Ok(());
    };
    if let Some(gone) = state.without.iter().find(|it| !team.without.contains(it)) {
        let remedy = format!("others have the hosts of agent {gone} by now: give --without {gone}");
        return Err(Error::argument("without", "other agents", remedy));
    }
    state.without = team.without.iter().copied().collect();
    let count = team.hosts.count();
    state.exchanged.resize(count, Exchanged::default());
    Ok(())
}

/// A hash of all that agents must agree on.
pub(super) fn fingerprint(
    options: &CrawlOptions,
    team: &Team,
    scope: &Scope,
    seeds: &[Offer],
) -> [u8; 16] {
    let mut seeds: Vec<&str> = seeds.iter().map(|seed| seed.url.as_str()).collect();
    seeds.sort_unstable();
    let mut within = scope.within.clone();
    within.sort_unstable();
    let common = format!(
        "{} {:?} {:?} {seeds:?} {within:?} {} {} {:?} {} {:?} {}",
        env!("CARGO_PKG_VERSION"),
        team.hosts.weights(),
        team.without,
        scope.everywhere,
        options.budget.depth,
        options.budget.links,
        options.priority,
        options.nofollow,
        options.max_page,
    );
    xxh3_128(common.as_bytes()).to_le_bytes()
}
