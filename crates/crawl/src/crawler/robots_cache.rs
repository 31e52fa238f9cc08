//! Requests for robots.txt, and what is known of the rules of hosts.
//!
//! A robots.txt may lead to another host, which then is asked as for a page: when its turn comes, and at
//! its pace. Until then the host whose rules are missing waits.

use super::journal::Journal;
use super::robots::{self, Answer, MAX_HOPS, Rules};
use super::scope;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use url::Url;
use webrank_base::error::Result;

/// A request for a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RobotsRequest {
    /// The host that waits for it.
    waits: u64,
    /// The origin that it is for.
    origin: String,
    pub(super) url: String,
    hops: u8,
    tries: u8,
    /// The host that is asked.
    host: u64,
}

/// After so many requests without an answer there is none.
const MAX_TRIES: u8 = 3;

/// The rules that are held in memory; all are on disk.
const MEMORY: u64 = 64 << 20;

/// The meaning of an answer.
pub(super) enum Answered {
    /// The rules are known, and this host may go on.
    Done(u64),
    /// This host is asked again.
    Again(u64),
    /// This host is asked.
    Elsewhere(u64, RobotsRequest),
}

/// Requests that wait at each host, and the rules.
pub(super) struct RobotsCache {
    token: String,
    errands: HashMap<u64, VecDeque<RobotsRequest>>,
    /// Origins for which a request is under way.
    asked: HashSet<String>,
    rules: HashMap<String, Arc<Rules>>,
    bytes: u64,
}

impl RobotsCache {
    pub(super) fn new(token: &str) -> Self {
        RobotsCache {
            token: token.to_owned(),
            errands: HashMap::new(),
            asked: HashSet::new(),
            rules: HashMap::new(),
            bytes: 0,
        }
    }

    /// The rules of an origin, if they are known.
    pub(super) fn rules(
        &mut self,
        origin: &str,
        journal: &mut Journal,
    ) -> Result<Option<Arc<Rules>>> {
        let now = robots::now();
        if let Some(rules) = self.rules.get(origin).filter(|rules| rules.until > now) {
            return Ok(Some(Arc::clone(rules)));
        }
        let kept = journal.robots(origin)?.filter(|(until, _)| *until > now);
        Ok(kept.map(|(until, content)| {
            let rules = Rules::read(&content, &self.token, until);
            self.insert(origin, rules)
        }))
    }

    fn insert(&mut self, origin: &str, rules: Rules) -> Arc<Rules> {
        if self.bytes + rules.bytes > MEMORY {
            // The others are read again when they are needed; what is unreachable is small.
            self.rules.retain(|_, rules| rules.is_unreachable());
            self.bytes = self.rules.values().map(|rules| rules.bytes).sum();
        }
        self.bytes += rules.bytes;
        let rules = Arc::new(rules);
        self.rules.insert(origin.to_owned(), Arc::clone(&rules));
        rules
    }

    /// A request for the robots.txt of an origin of a host; none if one is under way.
    pub(super) fn ask(&mut self, host: u64, origin: String) -> Option<RobotsRequest> {
        self.asked.insert(origin.clone()).then(|| RobotsRequest {
            waits: host,
            url: format!("{origin}/robots.txt"),
            origin,
            hops: 0,
            tries: 0,
            host,
        })
    }

    /// The next request for a host.
    pub(super) fn errand(&mut self, host: u64) -> Option<RobotsRequest> {
        let waiting = self.errands.get_mut(&host)?;
        let next = waiting.pop_front();
        if waiting.is_empty() {
            self.errands.remove(&host);
        }
        next
    }

    pub(super) fn has_errands(&self, host: u64) -> bool {
        self.errands.contains_key(&host)
    }

    /// One more request for a host.
    pub(super) fn push(&mut self, host: u64, errand: RobotsRequest) {
        let errand = RobotsRequest { host, ..errand };
        self.errands.entry(host).or_default().push_back(errand);
    }

    /// All requests for a host that does not answer.
    pub(super) fn give_up(&mut self, host: u64) -> VecDeque<RobotsRequest> {
        self.errands.remove(&host).unwrap_or_default()
    }

    /// A request has no answer; returns the host that waited for it.
    pub(super) fn unreachable(&mut self, errand: RobotsRequest) -> u64 {
        self.asked.remove(&errand.origin);
        self.insert(&errand.origin, Rules::unreachable());
        errand.waits
    }

    /// Takes an answer.
    pub(super) fn answered(
        &mut self,
        mut errand: RobotsRequest,
        answer: Answer,
        journal: &mut Journal,
    ) -> Result<Answered> {
        let content = match answer {
            Answer::Found(content) => content,
            Answer::Unreachable(_) => {
                errand.tries += 1;
                if errand.tries >= MAX_TRIES {
                    return Ok(Answered::Done(self.unreachable(errand)));
                }
                let host = errand.host;
                self.push(host, errand);
                return Ok(Answered::Again(host));
            }
            Answer::Moved(to) if errand.hops < MAX_HOPS => {
                let host = Url::parse(&to).ok().and_then(|to| scope::host(&to));
                errand.hops += 1;
                errand.url = to;
                // Whatever the limit of hosts: this one is only asked for this.
                let host = journal.host(&host.unwrap_or_default(), u64::MAX)?;
                return Ok(Answered::Elsewhere(
                    host.map_or(errand.host, |(host, _)| host),
                    errand,
                ));
            }
            Answer::Moved(_) => Vec::new(),
        };
        let until = robots::kept_until();
        journal.set_robots(&errand.origin, until, &content)?;
        self.asked.remove(&errand.origin);
        let rules = Rules::read(&content, &self.token, until);
        self.insert(&errand.origin, rules);
        Ok(Answered::Done(errand.waits))
    }
}
