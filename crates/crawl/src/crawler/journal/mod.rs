//! The journal of a crawl: a B-tree on disk (`redb`) that changes as a whole, so that a kill at any
//! moment leaves the state after some number of fetches.
//!
//! | table | key | value |
//! |---|---|---|
//! | `queue` | host, rank, number | depth, redirects before, tries, URL: those that wait, and those in flight |
//! | `set_aside` | the same | the same: those of hosts whose robots.txt cannot be reached in this run |
//! | `offered` | arrival | depth, rank, redirects before, URL: what the sieve may still hold back |
//! | `given` | number | URL: all, for sieves that forget |
//! | `hosts`, `names` | name, host | host, name |
//! | `asked` | host | how many URLs it was asked for |
//! | `robots` | origin | when it is too old, content |
//! | `joined` | host, with scheme and port unless they are usual | a seed redirects to it |
//! | `prints` | number of a page | hash of its bytes, fingerprint: those to which others are compared |
//! | `outbox` | agent, number | a kind; depth, rank, redirects before, URL: what was found for other agents |
//! | `state` | | numbers: [`State`] |

mod entries;
mod hosts;
mod outbox;
#[cfg(test)]
mod tests;

pub(super) use self::entries::{Message, Offer, Waiting};
pub(super) use self::outbox::Exchanged;

use super::account::CrawlStats;
use super::warc::Place;
use redb::{Builder, Database, ReadableDatabase, ReadableTable, ReadableTableMetadata};
use redb::{TableDefinition, WriteTransaction};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;

const QUEUE: TableDefinition<(u64, u32, u64), &[u8]> = TableDefinition::new("queue");
const SET_ASIDE: TableDefinition<(u64, u32, u64), &[u8]> = TableDefinition::new("set_aside");
const OFFERED: TableDefinition<u64, &[u8]> = TableDefinition::new("offered");
const GIVEN: TableDefinition<u64, &str> = TableDefinition::new("given");
const STATE: TableDefinition<&str, &[u8]> = TableDefinition::new("state");

/// The file in the folder of the journal that a run locks.
pub(super) const LOCK: &str = "lock";

/// The bytes of the tree that are held in memory.
const CACHE: usize = 32 << 20;

/// Numbers that change with every fetch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    /// The sieve, as it is written.
    pub(super) sieve: String,
    /// The priority, as it is written.
    pub(super) priority: String,
    /// Which pages are copies, as it is written, and the keys of the hashes of their bytes.
    pub(super) copies: String,
    /// The limits that give URLs up for ever, as [`Budget::limits`](super::options::Budget) has them.
    pub(super) limits: [Option<u64>; 4],
    pub(super) keys: [u64; 2],
    /// URLs that were offered to the sieve.
    pub(super) arrivals: u64,
    /// URLs that it gave.
    pub(super) given: u64,
    /// Up to where the archive is written.
    pub(super) archive: Place,
    pub(super) account: CrawlStats,
    /// Which agent of which ones, as it is written; empty for one alone.
    #[serde(default)]
    pub(super) agents: String,
    /// Agents that were given up.
    #[serde(default)]
    pub(super) without: Vec<usize>,
    /// Messages to and from each agent.
    #[serde(default)]
    pub(super) exchanged: Vec<Exchanged>,
}

pub(super) struct Journal {
    path: PathBuf,
    // Before the database, so that it ends first.
    write: Option<WriteTransaction>,
    store: Database,
    // Held until the journal is closed.
    _lock: Lock,
}

/// A lock of a file.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Children that are being started hold the file, too, for a moment.
        let _ = self.0.unlock();
    }
}

impl Journal {
    /// Opens the journal of a folder, or makes it. One that is there is read once, to check it.
    ///
    /// # Errors
    /// If another process uses it, or if it is damaged.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE);
        // Before anything is made or removed: two runs that begin together are told apart here.
        let lock = lock(path)?;
        let is_new = !path.exists();
        if is_new {
            // A journal that is cut while it is made is none: it gets its name when it is whole.
            let new = path.with_extension("new");
            let cannot = |source| Error::io(path, "cannot create", source);
            match std::fs::remove_file(&new) {
                Err(problem) if problem.kind() != ErrorKind::NotFound => {
                    return Err(cannot(problem));
                }
                _ => {}
            }
            drop(builder.create(&new).map_err(|it| failed(path, it.into()))?);
            std::fs::rename(&new, path).map_err(cannot)?;
        }
        // Damage may make it panic.
        let opened = catch_panic(AssertUnwindSafe(|| -> Result<_, redb::DatabaseError> {
            let mut store = builder.open(path)?;
            if !is_new {
                store.check_integrity()?;
            }
            Ok(store)
        }));
        let store = match opened {
            Some(Ok(store)) => store,
            Some(Err(redb::DatabaseError::DatabaseAlreadyOpen)) => return Err(in_use(path)),
            Some(Err(problem)) => return Err(failed(path, problem.into())),
            None => return Err(unusable(path, "it is damaged")),
        };
        Ok(Journal {
            path: path.to_owned(),
            write: None,
            store,
            _lock: lock,
        })
    }

    /// Acts within the present transaction.
    fn act<T>(
        &mut self,
        act: impl FnOnce(&WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T> {
        if self.write.is_none() {
            let begun = self.store.begin_write();
            self.write = Some(begun.map_err(|problem| failed(&self.path, problem.into()))?);
        }
        match &self.write {
            Some(write) => act(write).map_err(|problem| failed(&self.path, problem)),
            None => Err(Error::file(&self.path, "has no transaction")),
        }
    }

    /// Makes everything since the last time count, together with these numbers.
    pub(super) fn commit(&mut self, state: &State) -> Result<()> {
        let text = serde_json::to_vec(state).expect("numbers serialise");
        self.act(|write| {
            write.open_table(STATE)?.insert("state", text.as_slice())?;
            Ok(())
        })?;
        match self.write.take() {
            Some(write) => write
                .commit()
                .map_err(|problem| failed(&self.path, problem.into())),
            None => Ok(()),
        }
    }

    /// The numbers, if there are any.
    pub(super) fn state(&self) -> Result<Option<State>> {
        let read = || -> Result<Option<Vec<u8>>, redb::Error> {
            let read = self.store.begin_read()?;
            match read.open_table(STATE) {
                Ok(table) => Ok(table.get("state")?.map(|text| text.value().to_vec())),
                Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
                Err(problem) => Err(problem.into()),
            }
        };
        let text = read().map_err(|problem| failed(&self.path, problem))?;
        let read = text.map(|text| serde_json::from_slice(&text));
        let problem = "is the journal of another version; name another folder";
        read.transpose()
            .map_err(|_| Error::file(&self.path, problem))
    }

    /// Notes URLs that go to the sieve, from a number on.
    pub(super) fn offer(&mut self, first: u64, offers: &[Offer]) -> Result<()> {
        self.act(|write| {
            let mut table = write.open_table(OFFERED)?;
            for (arrival, offer) in (first..).zip(offers) {
                table.insert(arrival, offer.encoded().as_slice())?;
            }
            Ok(())
        })
    }

    /// A URL that went to the sieve.
    pub(super) fn offered(&mut self, arrival: u64) -> Result<Option<Offer>> {
        self.act(|write| {
            let table = write.open_table(OFFERED)?;
            let found = table.get(arrival)?;
            Ok(found.and_then(|found| Offer::decoded(found.value())))
        })
    }

    /// Forgets those that the sieve will not ask for again.
    pub(super) fn forget(&mut self, below: u64) -> Result<()> {
        self.act(|write| {
            let mut table = write.open_table(OFFERED)?;
            Ok(table.retain_in(..below, |_, _| false)?)
        })
    }

    /// A URL waits for its host, or waits again.
    pub(super) fn enqueue(&mut self, waiting: &Waiting) -> Result<()> {
        let key = (waiting.host, waiting.offer.rank, waiting.number);
        let value = waiting.encoded();
        self.act(|write| {
            write.open_table(QUEUE)?.insert(key, value.as_slice())?;
            Ok(())
        })
    }

    /// The first URL of a host: of those with the least rank, the one that came first.
    pub(super) fn first(&mut self, host: u64) -> Result<Option<Waiting>> {
        Ok(self.firsts(host, 1)?.pop())
    }

    /// The first URLs of a host, at most so many.
    pub(super) fn firsts(&mut self, host: u64, most: usize) -> Result<Vec<Waiting>> {
        self.act(|write| {
            let queue = write.open_table(QUEUE)?;
            let mut firsts = Vec::new();
            for found in queue
                .range((host, 0, 0)..=(host, u32::MAX, u64::MAX))?
                .take(most)
            {
                let (key, value) = found?;
                firsts.extend(Waiting::decoded(key.value(), value.value()));
            }
            Ok(firsts)
        })
    }

    /// A URL waits no more.
    pub(super) fn remove(&mut self, waiting: &Waiting) -> Result<()> {
        let key = (waiting.host, waiting.offer.rank, waiting.number);
        self.act(|write| {
            write.open_table(QUEUE)?.remove(key)?;
            Ok(())
        })
    }

    /// No URL of a host waits any more; returns how many did.
    pub(super) fn give_up(&mut self, host: u64) -> Result<u64> {
        self.act(|write| {
            let mut queue = write.open_table(QUEUE)?;
            let mut count = 0;
            let all = (host, 0, 0)..=(host, u32::MAX, u64::MAX);
            queue.retain_in(all, |_, _| {
                count += 1;
                false
            })?;
            Ok(count)
        })
    }

    /// A URL waits for the next run.
    pub(super) fn set_aside(&mut self, waiting: &Waiting) -> Result<()> {
        let key = (waiting.host, waiting.offer.rank, waiting.number);
        self.act(|write| {
            let mut queue = write.open_table(QUEUE)?;
            if let Some(value) = queue.remove(key)? {
                write.open_table(SET_ASIDE)?.insert(key, value.value())?;
            }
            Ok(())
        })
    }

    /// URLs that were set aside wait for their hosts again.
    pub(super) fn take_up(&mut self) -> Result<()> {
        self.act(|write| {
            let mut queue = write.open_table(QUEUE)?;
            let mut aside = write.open_table(SET_ASIDE)?;
            while let Some((key, value)) = aside.pop_first()? {
                queue.insert(key.value(), value.value())?;
            }
            Ok(())
        })
    }

    /// How many URLs wait.
    pub(super) fn waiting(&mut self) -> Result<u64> {
        self.act(|write| Ok(write.open_table(QUEUE)?.len()?))
    }

    /// The hosts that have URLs. O(hosts).
    pub(super) fn hosts(&mut self) -> Result<Vec<u64>> {
        self.act(|write| {
            let queue = write.open_table(QUEUE)?;
            let mut hosts = Vec::new();
            let mut next = Some(0);
            while let Some(first) = next {
                let found = queue.range((first, 0, 0)..)?.next().transpose()?;
                let host = found.map(|(key, _)| key.value().0);
                hosts.extend(host);
                next = host.and_then(|host| host.checked_add(1));
            }
            Ok(hosts)
        })
    }

    /// Forgets the URLs that the sieve gave from a number on. O(queue).
    pub(super) fn cut(&mut self, number: u64) -> Result<()> {
        self.act(|write| {
            for table in [QUEUE, SET_ASIDE] {
                let mut table = write.open_table(table)?;
                table.retain(|(_, _, own), _| own < number)?;
            }
            Ok(())
        })
    }

    /// Keeps a URL for sieves that forget.
    pub(super) fn keep(&mut self, number: u64, url: &str) -> Result<()> {
        self.act(|write| {
            write.open_table(GIVEN)?.insert(number, url)?;
            Ok(())
        })
    }

    /// URLs that were kept, at most so many, from a number on.
    pub(super) fn kept(&mut self, first: u64, most: usize) -> Result<Vec<String>> {
        self.act(|write| {
            let table = write.open_table(GIVEN)?;
            let mut urls = Vec::new();
            for found in table.range(first..)?.take(most) {
                urls.push(found?.1.value().to_owned());
            }
            Ok(urls)
        })
    }
}

/// The lock of a journal, a file beside it. Where there are no locks, that of the store must do.
fn lock(path: &Path) -> Result<Lock> {
    let lock_path = path.with_file_name(LOCK);
    let opened = File::options().create(true).append(true).open(&lock_path);
    let lock = opened.map_err(|source| Error::io(&lock_path, "cannot create", source))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Err(in_use(path)),
        _ => Ok(Lock(lock)),
    }
}

fn in_use(path: &Path) -> Error {
    let problem = "another run is crawling into this folder; wait for it, or name another";
    Error::file(path, problem)
}

/// An error of the store.
fn failed(path: &Path, problem: redb::Error) -> Error {
    let problem = match problem {
        redb::Error::Io(source) => return Error::io(path, "cannot write", source),
        problem => problem.to_string().replace('\n', " "),
    };
    unusable(path, &problem)
}

fn unusable(path: &Path, problem: &str) -> Error {
    let text = format!("the journal cannot be used: {problem}; remove the folder to begin again");
    Error::file(path, text)
}
