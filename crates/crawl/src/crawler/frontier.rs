//! The way from the sieve to the hosts: URLs that are new wait in the journal; the archive and the
//! journal change together.

use super::journal::{Journal, Message, Offer, State, Waiting};
use super::scope;
use super::warc::Archive;
use crate::sieve::{Sieve, SieveKind, UrlSink};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use url::Url;
use webrank_base::error::{Error, Result};

/// The journal, the archive, and the numbers that belong to both.
pub(super) struct Frontier {
    path: PathBuf,
    pub(super) journal: Journal,
    pub(super) archive: Archive,
    pub(super) state: State,
    /// Hosts with new URLs.
    pub(super) fresh: BTreeSet<u64>,
    max_hosts: u64,
    /// For a sieve that forgets: it is told again what it gave.
    forgets: bool,
    is_restoring: bool,
    /// The offset of the arrivals of the sieve.
    base: u64,
}

impl Frontier {
    pub(super) fn new(
        path: &Path,
        journal: Journal,
        archive: Archive,
        state: State,
        (kind, max_hosts): (SieveKind, u64),
    ) -> Self {
        Frontier {
            path: path.to_owned(),
            journal,
            archive,
            state,
            fresh: BTreeSet::new(),
            max_hosts,
            forgets: matches!(kind, SieveKind::Memory | SieveKind::Bloom),
            is_restoring: false,
            base: 0,
        }
    }

    /// Gives a sieve that was just opened what it had not kept.
    pub(super) fn restore(&mut self, sieve: &mut dyn Sieve) -> Result<()> {
        if !self.forgets {
            for arrival in sieve.taken()..self.state.arrivals {
                let offer = self.offered(arrival)?;
                sieve.take(&offer.url, self)?;
            }
            return Ok(());
        }
        self.is_restoring = true;
        let mut first = 0;
        loop {
            let urls = self.journal.kept(first, 1024)?;
            if urls.is_empty() {
                break;
            }
            for url in &urls {
                sieve.take(url, self)?;
            }
            first += urls.len() as u64;
        }
        self.is_restoring = false;
        self.base = self.state.arrivals.wrapping_sub(first);
        Ok(())
    }

    /// Gives URLs to the sieve.
    pub(super) fn offer(&mut self, offers: &[Offer], sieve: &mut dyn Sieve) -> Result<()> {
        if offers.is_empty() {
            return Ok(());
        }
        // First all of them are in the journal: the sieve may make it count in the middle.
        self.journal.offer(self.state.arrivals, offers)?;
        self.state.arrivals += offers.len() as u64;
        for offer in offers {
            sieve.take(&offer.url, self)?;
        }
        if self.forgets {
            self.journal.forget(self.state.arrivals)?;
        }
        Ok(())
    }

    /// Puts a message for another agent into the outbox.
    pub(super) fn send(&mut self, to: usize, message: &Message) -> Result<()> {
        let exchanged = &mut self.state.exchanged[to];
        let number = exchanged.sent;
        exchanged.sent += 1;
        self.state.account.sent += 1;
        self.journal.post(to as u64, number, &message.encoded())
    }

    /// Lets the sieve give all that it holds back.
    pub(super) fn flush(&mut self, sieve: &mut dyn Sieve) -> Result<()> {
        if self.forgets {
            return Ok(());
        }
        sieve.flush(self)?;
        self.journal.forget(sieve.taken())
    }

    fn offered(&mut self, arrival: u64) -> Result<Offer> {
        let problem =
            "the sieve and the journal do not belong together; remove the folder to begin again";
        let found = self.journal.offered(arrival)?;
        found.ok_or_else(|| Error::file(&self.path, problem))
    }

    /// Makes everything so far count.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.archive.sync()?;
        self.state.archive = self.archive.place;
        self.journal.commit(&self.state)
    }
}

impl UrlSink for Frontier {
    fn give(&mut self, arrival: u64, url: &str) -> Result<()> {
        if self.is_restoring {
            return Ok(());
        }
        let offer = self.offered(arrival.wrapping_add(self.base))?;
        let number = self.state.given;
        self.state.given += 1;
        if self.forgets {
            self.journal.keep(number, url)?;
        }
        let host = Url::parse(url).ok().and_then(|url| scope::host(&url));
        let host = host.unwrap_or_default();
        let Some((host, is_new)) = self.journal.host(&host, self.max_hosts)? else {
            self.state.account.beyond_hosts += 1;
            return Ok(());
        };
        self.state.account.hosts += u64::from(is_new);
        self.journal.enqueue(&Waiting {
            host,
            number,
            tries: 0,
            offer,
        })?;
        self.fresh.insert(host);
        Ok(())
    }

    fn mark(&mut self) -> Result<u64> {
        self.commit()?;
        Ok(self.state.given)
    }

    fn cut(&mut self, mark: u64) -> Result<()> {
        if self.forgets || self.state.given == mark {
            return Ok(());
        }
        if self.state.given < mark {
            let problem = "the journal is older than the sieve; remove the folder to begin again";
            return Err(Error::file(&self.path, problem));
        }
        self.journal.cut(mark)?;
        self.state.given = mark;
        Ok(())
    }
}
