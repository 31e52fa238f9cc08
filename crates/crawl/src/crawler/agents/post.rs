//! Messages to other agents and from them, for the thread that decides.

use super::frames::Frame;
use super::lines::{Event, Line, start};
use super::waves::{Report, Step, Waves};
use super::{Team, owner};
use crate::crawler::frontier::Frontier;
use crate::crawler::journal::{Message, Offer};
use crate::crawler::run::Crawl;
use crate::placement::ConsistentHashing;
use crossbeam_channel::Receiver;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use webrank_base::error::Result;
use webrank_cluster::network::Party;

/// Messages on their way to an agent at most.
const WINDOW: u64 = 1 << 14;

/// Messages, and about so many bytes, in a frame.
const FRAME: (usize, usize) = (1 << 12, 1 << 16);

/// Messages of an agent that was given up that are moved at a time.
const MOVED: usize = 1 << 10;

/// For so long an agent may be away without a warning.
const SHORT: Duration = Duration::from_secs(3);

/// How long to wait until others have heard that the crawl is over.
const FAREWELL: Duration = Duration::from_secs(5);

/// The other agents, as this one sees them.
pub(in crate::crawler) struct Post {
    team: Team,
    placement: ConsistentHashing,
    me: usize,
    pub(in crate::crawler) inbox: Receiver<Event>,
    peers: BTreeMap<usize, Peer>,
    /// Questions without answers.
    probes: Vec<(usize, u64)>,
    /// None unless this is the one that asks.
    waves: Option<Waves>,
    is_over: bool,
    is_closed: Arc<AtomicBool>,
}

/// Another agent.
struct Peer {
    line: Option<Line>,
    /// The next message to send, once it has said what it has.
    next: Option<u64>,
    /// The number that was acknowledged on this connection.
    told: Option<u64>,
    /// Since when it is away, if it is.
    away: Instant,
    is_warned: bool,
}

impl Drop for Post {
    fn drop(&mut self) {
        self.is_closed.store(true, Relaxed);
    }
}

impl Post {
    /// Begins to connect with the others.
    ///
    /// # Errors
    /// If this agent cannot listen at its address.
    pub(in crate::crawler) fn start(team: &Team, fingerprint: [u8; 16]) -> Result<Self> {
        let (me, count) = (team.hosts.me(), team.hosts.count());
        let party = Party::new(team.hosts.clone(), team.secret.clone(), fingerprint);
        let is_there = |number: &usize| !team.without.contains(number);
        let others = (0..count).filter(|number| *number != me && is_there(number));
        let is_closed = Arc::<AtomicBool>::default();
        let inbox = start(&Arc::new(party), others.clone(), &is_closed).map_err(|problem| {
            let problem =
                format!("cannot listen here: {problem}; give it a free address of this machine");
            team.problem(me, &problem)
        })?;
        let leads = others.clone().all(|other| other > me);
        Ok(Post {
            placement: team.placement()?,
            me,
            inbox,
            waves: leads.then(|| Waves::new(1 + others.clone().count())),
            peers: others.map(|other| (other, Peer::with(None))).collect(),
            probes: Vec::new(),
            is_over: false,
            is_closed,
            team: team.clone(),
        })
    }

    /// Sends what is in the journal and was not sent, as far as there is room.
    fn pump(&mut self, front: &mut Frontier) -> Result<()> {
        for (&number, peer) in &mut self.peers {
            let exchanged = front.state.exchanged[number];
            let Some(line) = &peer.line else {
                if !peer.is_warned && peer.away.elapsed() > SHORT {
                    peer.is_warned = true;
                    let address = self.team.hosts.address(number);
                    log::warn!(
                        "agent {number} ({address}) is away; what is found for it waits here"
                    );
                }
                continue;
            };
            let received = exchanged.received;
            if peer.told != Some(received) && line.send(Frame::Acknowledged(received)) {
                peer.told = Some(received);
            }
            while let Some(next) = peer.next
                && next
                    < exchanged
                        .sent
                        .min(exchanged.acknowledged.saturating_add(WINDOW))
                && !line.is_full()
            {
                let messages = front.journal.posted(number as u64, next, FRAME)?;
                let after = next + messages.len() as u64;
                if messages.is_empty() || !line.send(Frame::Messages(next, messages)) {
                    break;
                }
                peer.next = Some(after);
            }
        }
        Ok(())
    }

    /// Answers questions, and asks for the next wave.
    fn ask(&mut self, own: &Report) {
        for (from, wave) in self.probes.drain(..) {
            if let Some(line) = self.peers.get(&from).and_then(|peer| peer.line.as_ref()) {
                line.send(Frame::Report(wave, own.clone()));
            }
        }
        let (Some(waves), true) = (&mut self.waves, own.is_passive && !self.is_over) else {
            return;
        };
        let lines = self.peers.values().filter_map(|peer| peer.line.as_ref());
        match waves.step(self.me, own, Instant::now()) {
            Step::Ask(wave) => lines.for_each(|line| {
                line.send(Frame::Probe(wave));
            }),
            Step::Wait => {}
            Step::Over => {
                self.is_over = true;
                lines.for_each(|line| line.send_in_time(Frame::End));
            }
        }
    }

    /// # Errors
    /// If an agent is away for longer than it may be.
    fn check_absence(&self) -> Result<()> {
        let patience = self.team.patience;
        let is_lost = |peer: &Peer| peer.line.is_none() && peer.away.elapsed() > patience;
        match self.peers.iter().find(|(_, peer)| is_lost(peer)) {
            Some((&number, _)) => {
                let problem = format!(
                    "is away for {} and nothing else is left to do: start it again, and this one, or all \
                     others with --without {number}",
                    humantime::format_duration(patience)
                );
                Err(self.team.problem(number, &problem))
            }
            None => Ok(()),
        }
    }

    /// Waits until the others have heard that the crawl is over.
    pub(in crate::crawler) fn close(&mut self) {
        let until = Instant::now() + FAREWELL;
        while self.waves.is_some() && self.peers.values().any(|peer| peer.line.is_some()) {
            match self.inbox.recv_deadline(until) {
                Ok(Event::Down(from, line)) => self.down(from, line),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn down(&mut self, from: usize, line: u64) {
        if let Some(peer) = self.peers.get_mut(&from)
            && peer.is_on(line)
        {
            peer.line = None;
            peer.away = Instant::now();
        }
    }
}

impl Peer {
    /// With a new connection, or none.
    fn with(line: Option<Line>) -> Self {
        Peer {
            line,
            next: None,
            told: None,
            away: Instant::now(),
            is_warned: false,
        }
    }

    /// True for the present connection.
    fn is_on(&self, line: u64) -> bool {
        self.line.as_ref().is_some_and(|own| own.number == line)
    }
}

impl Crawl {
    /// Keeps URLs of this agent, and puts others into the outbox.
    pub(in crate::crawler) fn route(
        &mut self,
        offers: Vec<Offer>,
        sends: bool,
    ) -> Result<Vec<Offer>> {
        let Some(post) = &self.post else {
            return Ok(offers);
        };
        let mut own = Vec::new();
        for offer in offers {
            match owner(&post.placement, &offer.url) {
                Some(to) if to != post.me => {
                    if sends {
                        self.front.send(to, &Message::Url(offer))?;
                    }
                }
                _ => own.push(offer),
            }
        }
        Ok(own)
    }

    /// Tells all others that a seed redirects to a site.
    pub(in crate::crawler) fn tell_site(&mut self, site: &str) -> Result<()> {
        let Some(post) = &self.post else {
            return Ok(());
        };
        let mut peers = post.peers.keys();
        peers.try_for_each(|&to| self.front.send(to, &Message::Site(site.to_owned())))
    }

    /// Sends what was sent to agents that are given up to those who have their hosts now.
    pub(in crate::crawler) fn send_again(&mut self) -> Result<()> {
        for gone in self.front.state.without.clone() {
            loop {
                let messages = self.front.journal.unpost(gone as u64, MOVED)?;
                if messages.is_empty() {
                    break;
                }
                let messages = messages.iter().filter_map(|it| Message::decoded(it));
                let urls = messages.filter_map(|message| match message {
                    Message::Url(offer) => Some(offer),
                    // All others know it already.
                    Message::Site(_) => None,
                });
                let own = self.route(urls.collect(), true)?;
                self.front.offer(&own, self.sieve.as_mut())?;
                self.front.commit()?;
            }
        }
        Ok(())
    }

    /// Takes what others tell; true if that is to last.
    pub(in crate::crawler) fn hear(&mut self, event: Event) -> Result<bool> {
        let Some(post) = &mut self.post else {
            return Ok(false);
        };
        match event {
            Event::Up(from, line) => {
                if let Some(peer) = post.peers.get_mut(&from) {
                    *peer = Peer::with(Some(line));
                }
            }
            Event::Down(from, line) => post.down(from, line),
            Event::Refused(from, why) => return Err(post.team.problem(from, why)),
            Event::Frame(from, line, frame) => {
                if post.peers.get(&from).is_some_and(|peer| peer.is_on(line)) {
                    return self.heard(from, frame);
                }
            }
        }
        Ok(false)
    }

    fn heard(&mut self, from: usize, frame: Frame) -> Result<bool> {
        let Some(post) = &mut self.post else {
            return Ok(false);
        };
        match frame {
            Frame::Acknowledged(number) => {
                let exchanged = &mut self.front.state.exchanged[from];
                if !(exchanged.acknowledged..=exchanged.sent).contains(&number) {
                    let problem = "this folder and that of the other do not belong together: put the folder \
                                   back that is older than it was, or give its agent up (--without)";
                    return Err(post.team.problem(from, problem));
                }
                exchanged.acknowledged = number;
                if let Some(peer) = post.peers.get_mut(&from) {
                    peer.next.get_or_insert(number);
                }
            }
            Frame::Messages(first, messages) => return self.delivered(from, first, &messages),
            Frame::Probe(wave) => post.probes.push((from, wave)),
            Frame::Report(wave, report) => {
                if let Some(waves) = &mut post.waves {
                    waves.take(from, wave, report);
                }
            }
            Frame::End => post.is_over = true,
            Frame::Alive => {}
        }
        Ok(false)
    }

    /// Takes messages from a number on; those that came before are dropped. A sender that leaves out some, or
    /// sends others than it may, is cut off.
    fn delivered(&mut self, from: usize, first: u64, messages: &[Vec<u8>]) -> Result<bool> {
        let received = self.front.state.exchanged[from].received;
        let known = received.checked_sub(first);
        let new = known.map(|known| messages.get(known as usize..).unwrap_or_default());
        let new = new.and_then(|new| {
            let read = new
                .iter()
                .map(|it| Message::decoded(it).filter(|it| self.is_mine(it)));
            read.collect::<Option<Vec<Message>>>()
        });
        let Some(new) = new else {
            log::warn!(
                "agent {from} sends what is none of this agent's; the connection begins again"
            );
            if let Some(peer) = self
                .post
                .as_mut()
                .and_then(|post| post.peers.get_mut(&from))
            {
                peer.line = None;
                peer.away = Instant::now();
            }
            return Ok(false);
        };
        if new.is_empty() {
            return Ok(false);
        }
        self.front.state.exchanged[from].received += new.len() as u64;
        self.front.state.account.received += new.len() as u64;
        let mut offers = Vec::new();
        for message in new {
            match message {
                Message::Url(offer) => offers.push(offer),
                Message::Site(site) => {
                    self.scope.join(&site);
                    self.front.journal.join(&site)?;
                }
            }
        }
        self.is_held_back |= !offers.is_empty();
        self.front.offer(&offers, self.sieve.as_mut())?;
        Ok(true)
    }

    /// True for what others may tell this agent.
    fn is_mine(&self, message: &Message) -> bool {
        match (message, &self.post) {
            (Message::Url(offer), Some(post)) => {
                owner(&post.placement, &offer.url) == Some(post.me)
            }
            _ => true,
        }
    }

    /// True if this crawl is over: for one process if it is passive, for agents if all are. The journal has all
    /// that was done.
    ///
    /// # Errors
    /// If this agent is passive, and another is away for longer than it may be.
    pub(in crate::crawler) fn is_over(&mut self, is_passive: bool) -> Result<bool> {
        let Some(post) = &mut self.post else {
            return Ok(is_passive);
        };
        post.pump(&mut self.front)?;
        let exchanged = self.front.state.exchanged.iter();
        let own = Report {
            is_passive,
            exchanged: exchanged.map(|it| [it.sent, it.received]).collect(),
        };
        post.ask(&own);
        if is_passive && !post.is_over {
            post.check_absence()?;
        }
        Ok(post.is_over)
    }
}
